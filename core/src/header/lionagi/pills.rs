//! The pills of a session.

use super::Context;
use crate::header::Axis;
use crate::lionagi::derive::Question;
use crate::lionagi::wire::{Delivery, ReasonCode, SessionHealth, SessionStatus, StoredStatus};
use crate::pill::{Icon, Pill, Taxonomy, Tone, pill};
use crate::run::lionagi::SessionInspection;
use crate::word::Vocabulary;

/// The pill of the state. A session that completed, but not cleanly, has a label with that fact and a warning tone.
pub(super) fn state_pill(session: &SessionInspection) -> Option<Pill> {
    let effective = session.effective.as_ref()?;
    let base = pill(effective.taxonomy(), &effective.word);
    if effective.is_compound() || session.row.status.known() != Some(SessionStatus::Completed) {
        return Some(base);
    }
    let label = match (session.row.known_reason(), session.delivery) {
        (Some(ReasonCode::GateRejected), _) => "Completed, gate rejected",
        (Some(ReasonCode::FinalizeError), _) => "Completed, error at the end",
        (Some(ReasonCode::SpawnRefused), _) => "Completed, spawn refused",
        (_, Some(Delivery::Missing)) => "Completed, artifacts missing",
        (_, Some(Delivery::Partial)) => "Completed, in part",
        (_, Some(Delivery::Invalid)) => "Completed, artifacts invalid",
        _ if session.disagreements.iter().any(|found| found.question == Question::Status) => {
            "Completed, in doubt"
        }
        (_, Some(Delivery::Passed | Delivery::NotExpected | Delivery::Unknown) | None) => return Some(base),
    };
    Some(Pill {
        tone: Tone::Warning,
        icon: Icon::TriangleAlert,
        ..base.with_label(effective.taxonomy(), label)
    })
}

/// Health and delivery. For an ended session, the health `healthy` and the delivery `not_expected` are omitted.
pub(super) fn axes(context: &Context<'_>) -> Vec<Axis> {
    let session = context.session;
    if matches!(session.row.status, StoredStatus::Legacy | StoredStatus::Absent) {
        return Vec::new();
    }
    let ended = session.row.status.is_terminal();
    let health = match (&session.health, session.known_health()) {
        (Some(_), Some(SessionHealth::Healthy)) if ended => None,
        (Some(health), _) => Some(health.word.as_str()),
        (None, _) => (!ended).then_some("unknown"),
    };
    let delivery = session.delivery.filter(|delivery| !ended || *delivery != Delivery::NotExpected);
    let axis = |field: &'static str, label: &'static str, taxonomy: Taxonomy, word: &str| Axis {
        field: field.into(),
        label: label.into(),
        taxonomy,
        pill: context.tense.pill(pill(taxonomy, word), word),
    };
    let health = health.map(|word| axis("health", "Health", Taxonomy::Health, word));
    let delivery = delivery.map(|word| axis("delivery", "Delivery", Taxonomy::Delivery, word.as_str()));
    health.into_iter().chain(delivery).collect()
}
