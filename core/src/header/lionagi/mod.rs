//! The headers of lionagi's sessions, plays and shows.

mod because;
mod counts;
mod pills;
mod plays;
mod sentence;
mod stream;

#[cfg(test)]
mod tests;

use crate::actions::ActionKind;
use crate::format;
use crate::freshness::Freshness;
use crate::header::{EvidenceLine, Field, Header, NextAction, evidence_lines};
use crate::lionagi::derive::{Disagreement, EffectiveState, SLOW_RUN_SECONDS, VIEWER_SOURCE};
use crate::lionagi::wire::{LionagiDocumentKind, Seconds, SessionHealth, SessionStatus, StoredStatus};
use crate::pill::{Pill, Taxonomy};
use crate::run::lionagi::SessionInspection;
use crate::summary::tense::{Description, Tense};
use crate::summary::{Answer, Line, ShortAnswer, time_ahead};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// A session, and the tense of the sentences about it.
struct Context<'a> {
    session: &'a SessionInspection,
    tense: Tense<'a>,
}

impl<'a> Context<'a> {
    fn new(session: &'a SessionInspection, freshness: &'a Freshness, now: Millis) -> Self {
        let ended = match &session.row.status {
            StoredStatus::Absent | StoredStatus::Legacy => true,
            StoredStatus::Word(word) => word.known().is_some_and(SessionStatus::is_terminal),
        };
        // Only `/api/admin/health` contains the time of its computation.
        let computed =
            session.evidence.read_at.filter(|_| session.source == LionagiDocumentKind::AdminHealth);
        Self { session, tense: Tense::new(freshness, ended, computed, now) }
    }
}

/// The header of a session. `now` is the time of the server.
///
/// Status and health share the main pill, so that a session with a dead process is never shown as plain "running". Health
/// and delivery also have their own pills, unless they are irrelevant, such as the health of a session that ended
/// cleanly.
///
/// ```
/// use runstate::summary::text;
/// use runstate::freshness::Freshness;
/// use runstate::header::lionagi::session_header;
/// use runstate::ingest::lionagi::read;
/// use runstate::time::Millis;
///
/// let now = Millis(1_716_300_000_000.0);
/// let row = r#"{"session_id":"s1","status":"timed_out","node_metadata":{"timeout_seconds":900,"timeout_elapsed":900}}"#;
/// let session = read(row, "/api/sessions", now)?.session.unwrap();
/// let header = session_header(&session, &Freshness::Live { read_at: now }, now);
/// assert_eq!(text(&header.answer.sentence), "Timed out after 900s (configured timeout: 900s).");
/// assert_eq!(header.state.as_deref(), Some("timed_out"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn session_header(session: &SessionInspection, freshness: &Freshness, now: Millis) -> Header {
    let context = Context::new(session, freshness, now);
    let health = session.health.as_ref().map(|health| &health.word);
    let name = session.name().unwrap_or("session without id").to_owned();
    let taxonomy = session.effective.as_ref().map_or(Taxonomy::Session, EffectiveState::taxonomy);
    Header {
        state: session.effective.as_ref().map(|effective| effective.word.clone().into_owned()),
        unhealthy: health
            .filter(|health| health.known() != Some(SessionHealth::Healthy))
            .map(|health| health.as_str().to_owned()),
        label: session.effective.as_ref().map_or("Status", EffectiveState::label).into(),
        axes: pills::axes(&context),
        actions: actions(session),
        fields: fields(session, now),
        evidence: evidence(session, now),
        ..Header::new(name, taxonomy, build_answer(&context), freshness, now)
    }
}

/// The pill and the sentence of the header of a session.
pub(crate) fn session_short_answer(
    session: &SessionInspection,
    freshness: &Freshness,
    now: Millis,
) -> ShortAnswer {
    let context = Context::new(session, freshness, now);
    context.tense.short_answer("row", pill_and_word(session), sentence::sentences(&context))
}

fn pill_and_word(session: &SessionInspection) -> Option<(Pill, &str)> {
    pills::state_pill(session).zip(session.effective.as_ref().map(|effective| &*effective.word))
}

fn build_answer(context: &Context<'_>) -> Answer {
    let mut notes = notes(context);
    let needs_attention = !notes.is_empty();
    notes.extend(slow(context));
    let description = Description {
        pill: pill_and_word(context.session),
        needs_attention,
        sentences: sentence::sentences(context),
        because: because::because(context),
        notes,
    };
    context.tense.answer("row", description)
}

/// The inputs of the state, and the severity of ADR-0033.
fn evidence(session: &SessionInspection, now: Millis) -> Vec<EvidenceLine> {
    let mut lines = evidence_lines(&session.evidence, now);
    let normalized = &session.normalized;
    if session.row.status.label().is_some() {
        lines.push(EvidenceLine {
            name: "severity, by our projection of ADR-0033".into(),
            value: normalized.verdict.severity.as_str().to_owned(),
            code: true,
            age: String::new(),
            limit: String::new(),
            decisive: false,
            read_from: VIEWER_SOURCE.to_owned(),
            read_at: None,
        });
    }
    lines
}

fn fields(session: &SessionInspection, now: Millis) -> Vec<Field> {
    let row = &session.row;
    let compound = session.effective.as_ref().is_some_and(EffectiveState::is_compound);
    let label = if row.session_count.is_some() { "Invocation" } else { "Session" };
    let source = Some(session.evidence.read_from.clone()).filter(|source| !source.is_empty());
    let not_set = || row.has_reason_column.then(|| "not set".to_owned());
    let started = row.started_at.or(row.created_at).map(Seconds::to_millis);
    [
        Field::id("sessionId", label, row.session_id.clone()),
        Field::code("status", "Stored status", row.status.label().filter(|_| compound).map(str::to_owned)),
        Field::text("kind", "Kind", row.invocation_kind.as_ref().map(|kind| kind.as_str().to_owned())),
        Field::text("name", "Name", Some(row.name.clone().unwrap_or_else(|| "not stored".to_owned()))),
        Field::text("messages", "Messages", row.message_count.map(|count| format::count(count as f64))),
        Field::code("reasonCode", "Reason code", row.reason_code.clone().or_else(not_set)),
        Field::time("startedAt", "Started", started, now),
        Field::code("source", "Source", source),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn notes(context: &Context<'_>) -> Vec<Line> {
    let session = context.session;
    let mut notes: Vec<Line> = session.disagreements.iter().map(disagreement).collect();
    let row = &session.row;
    let times = [row.last_message_at, row.updated_at, row.started_at, row.ended_at.at()];
    let latest = Millis::latest(times.into_iter().flatten().map(Seconds::to_millis));
    notes.extend(time_ahead("The latest recorded time", latest, context.tense.clock()));
    let removed: Vec<&str> = session.row.contract.removed.iter().map(String::as_str).collect();
    if !removed.is_empty() {
        let line = Line::new("Gone since the artifacts were checked: ");
        notes.push(line.list(&removed, removed.len(), Line::code).words("."));
    }
    notes
}

/// The note that a session has been running for longer than most do.
fn slow(context: &Context<'_>) -> Option<Line> {
    let row = &context.session.row;
    let started = row.started_at.filter(|_| row.status.known() == Some(SessionStatus::Running))?;
    let age = context.tense.reference_time().since(started.to_millis());
    let limit = SLOW_RUN_SECONDS * 1000.0;
    (age.is_finite() && age > limit).then(|| {
        Line::new(context.tense.pick("It has been running for ", "It had been running for "))
            .words(&format::age(age))
            .words(", longer than the ")
            .words(&format::age(limit))
            .words(" after which a run counts as slow.")
    })
}

/// What a person can do about a session that a limit of time ended.
fn actions(session: &SessionInspection) -> Vec<NextAction> {
    let timed_out = session.row.status.known() == Some(SessionStatus::TimedOut);
    let sentence = Line::new("Run it again with more time.").into_spans();
    let again = NextAction {
        kind: ActionKind::Retry.as_str().into(),
        sentence,
        command: None,
        power_shell: None,
        call: None,
    };
    timed_out.then_some(again).into_iter().collect()
}

fn disagreement(found: &Disagreement) -> Line {
    let mut line = Line::new("The server's responses contradict each other about the ")
        .words(found.question.as_str())
        .words(": ");
    for (place, answer) in found.answers.iter().enumerate() {
        line = if place > 0 { line.words(", but ") } else { line };
        line = line.code(&answer.value).words(" by ").code(&answer.read_from);
    }
    let line = line.words(".");
    line.add_sentence(found.explanation.map_or_else(Line::default, Line::new))
}

impl SessionInspection {
    /// Its name, or its id.
    pub fn name(&self) -> Option<&str> {
        let id = self.row.session_id.as_deref();
        self.row.name.as_deref().filter(|name| !name.is_empty()).or(id)
    }

    /// The taxonomy and the word of the state, for a list.
    pub fn state(&self) -> (Taxonomy, Option<&str>) {
        let effective = self.effective.as_ref();
        (effective.map_or(Taxonomy::Session, EffectiveState::taxonomy), effective.map(|state| &*state.word))
    }

    /// The health, if it is a known word.
    pub(crate) fn known_health(&self) -> Option<SessionHealth> {
        self.health.as_ref().and_then(|health| Word::known(&health.word))
    }
}
