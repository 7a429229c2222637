//! What an invocation says of the health of its sessions, beside what is said of each.

use std::collections::BTreeMap;

use crate::lionagi::derive::NOT_COUNTED;
use crate::lionagi::derive::{Disagreement, ReportedStatus};
use crate::lionagi::wire::SessionHealth;
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::word::Vocabulary;

/// The sessions of one invocation that are here.
#[derive(Default)]
struct Group {
    count: u64,
    /// Whether the health of one that runs is not told.
    untold: bool,
    worst: Option<(SessionHealth, String)>,
}

/// An invocation's health is the worst of its sessions'. Where the sessions say otherwise, both answers are told.
pub(super) fn compare(whole: &mut LionagiInspection) {
    if !all(whole).any(is_invocation) {
        return;
    }
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for session in all(whole).filter(|session| !is_invocation(session)) {
        if let Some(id) = &session.row.invocation_id {
            groups.entry(id.clone()).or_default().add(session);
        }
    }
    for invocation in whole.session.iter_mut().chain(&mut whole.sessions) {
        let group = invocation.row.session_id.as_ref().and_then(|id| groups.get(id));
        let found = group.filter(|_| is_invocation(invocation)).and_then(|group| group.against(invocation));
        invocation.disagreements.extend(found);
    }
}

fn all(whole: &LionagiInspection) -> impl Iterator<Item = &SessionInspection> {
    whole.session.iter().chain(&whole.sessions)
}

fn is_invocation(session: &SessionInspection) -> bool {
    session.row.session_count.is_some()
}

fn said(session: &SessionInspection) -> Option<SessionHealth> {
    session.health.as_ref().filter(|health| health.said).and_then(|health| health.word.known())
}

impl Group {
    fn add(&mut self, session: &SessionInspection) {
        self.count += 1;
        let Some(health) = said(session) else {
            self.untold |= !session.row.status.is_terminal();
            return;
        };
        if self.worst.as_ref().is_none_or(|(worst, _)| health.severity() > worst.severity()) {
            self.worst = Some((health, session.evidence.read_from.clone()));
        }
    }

    /// One that is worse contradicts the invocation; that none is as bad, only all of them tell.
    fn against(&self, invocation: &SessionInspection) -> Option<Disagreement> {
        let (ours, (worst, read_from)) = (said(invocation)?, self.worst.as_ref()?);
        let complete = !self.untold && invocation.row.session_count == Some(self.count);
        if worst.severity() <= ours.severity() && (!complete || *worst == ours) {
            return None;
        }
        let witness = |health: SessionHealth, read_from: &str| ReportedStatus {
            said: health.as_str().to_owned(),
            read_from: read_from.to_owned(),
        };
        Some(Disagreement {
            question: "health",
            answers: vec![witness(ours, &invocation.evidence.read_from), witness(*worst, read_from)],
            why: (ours == SessionHealth::Orphaned).then_some(NOT_COUNTED),
        })
    }
}
