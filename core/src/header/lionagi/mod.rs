//! A session in the words of the snapshot header.

mod counts;
mod plays;
mod witnesses;

mod because;
mod context;
mod fields;
mod notes;
mod pills;
mod running;
mod stream;

#[cfg(test)]
mod tests;

use crate::freshness::Freshness;
use crate::header::{EvidenceLine, Header, evidence_lines};
use crate::lionagi::derive::EffectiveState;
use crate::lionagi::derive::SOURCE;
use crate::lionagi::wire::SessionHealth;
use crate::pill::Taxonomy;
use crate::pill::Tone;
use crate::run::lionagi::SessionInspection;
use crate::summary::Line;
use crate::summary::{Answer, AnswerPill, freshness_pill};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};
use context::Context;

/// The header of a session. `now` is the server-anchored now.
///
/// Status and health stand in one pill, so that a running session over a dead process is never plainly running. Health and
/// delivery have pills of their own beside it; what is not operationally relevant, such as the health of a session that
/// ended cleanly, has none.
///
/// ```
/// use runstate::summary::text;
/// use runstate::freshness::Freshness;
/// use runstate::header::lionagi::answer;
/// use runstate::ingest::lionagi::read;
/// use runstate::time::Millis;
///
/// let now = Millis(1_716_300_000_000.0);
/// let row = r#"{"session_id":"s1","status":"timed_out","node_metadata":{"timeout_seconds":900,"timeout_elapsed":900}}"#;
/// let session = read(row, "/api/sessions", now)?.session.unwrap();
/// let header = answer(&session, &Freshness::Live { last_frame_at: now }, now);
/// assert_eq!(text(&header.answer.sentence), "Timed out after 900s (configured timeout: 900s).");
/// assert_eq!(header.state.as_deref(), Some("timed_out"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn answer(session: &SessionInspection, freshness: &Freshness, now: Millis) -> Header {
    let context = Context::new(session, freshness, now);
    let (fresh, word) = freshness_pill(freshness, now);
    let health = session.health.as_ref().map(|health| &health.word);
    Header {
        name: session.name().unwrap_or("session without id").to_owned(),
        state: session.row.status.shown().map(str::to_owned),
        blocked: None,
        unhealthy: health
            .filter(|health| health.known() != Some(SessionHealth::Healthy))
            .map(|health| health.as_str().to_owned()),
        label: session.effective.as_ref().map_or("Status", EffectiveState::label).into(),
        taxonomy: session.effective.as_ref().map_or(Taxonomy::Session, EffectiveState::taxonomy),
        answer: in_words(&context),
        actions: Vec::new(),
        axes: pills::axes(&context),
        fields: fields::fields(session, now),
        evidence: evidence(session, now),
        freshness: AnswerPill::Pill { pill: fresh, value: word.into(), as_of: None },
    }
}

fn in_words(context: &Context<'_>) -> Answer {
    let (sentence, meta) = witnesses::sentences(context);
    let notes = notes::notes(context);
    let pill = pills::state(context.session);
    let tone = pill.as_ref().map_or(Tone::Neutral, |pill| pill.tone);
    let tone = if notes.is_empty() { tone } else { pills::raised(tone) };
    let (sentence, meta) = context.tense.explain(context.freshness, "row", context.now, (sentence, meta));
    Answer {
        tone: context.tense.tone(tone),
        pill: match (pill, &context.session.effective) {
            (Some(pill), Some(effective)) => AnswerPill::Pill {
                pill: context.tense.faded(pill),
                value: effective.word.to_string(),
                as_of: context.tense.as_of(context.now),
            },
            (_, _) => AnswerPill::Absent,
        },
        sentence: sentence.parts(),
        meta: meta.parts(),
        because: because::because(context).parts(),
        notes: notes.into_iter().map(Line::parts).collect(),
    }
}

/// The inputs, and at last what follows from them on the axes of ADR-0033, which is ours to say.
fn evidence(session: &SessionInspection, now: Millis) -> Vec<EvidenceLine> {
    let mut lines = evidence_lines(&session.evidence, now);
    let normalized = &session.normalized;
    if session.row.status.shown().is_some() {
        lines.push(EvidenceLine {
            name: "severity, by our projection of ADR-0033".into(),
            value: normalized.verdict.severity.as_str().to_owned(),
            code: true,
            age: String::new(),
            limit: String::new(),
            decisive: false,
            read_from: SOURCE.to_owned(),
            read_at: None,
        });
    }
    lines
}

impl SessionInspection {
    /// What a heading calls it: its name, else its id.
    pub fn name(&self) -> Option<&str> {
        let id = self.row.session_id.as_deref();
        self.row.name.as_deref().filter(|name| !name.is_empty()).or(id)
    }

    /// The vocabulary of its state, and the state's word, for a list.
    pub fn state(&self) -> (Taxonomy, Option<&str>) {
        let effective = self.effective.as_ref();
        (effective.map_or(Taxonomy::Session, EffectiveState::taxonomy), effective.map(|state| &*state.word))
    }

    /// The health, if it is a word that is known.
    pub(crate) fn known_health(&self) -> Option<SessionHealth> {
        self.health.as_ref().and_then(|health| Word::known(&health.word))
    }
}
