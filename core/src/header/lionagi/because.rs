//! The reason for the state of a session in one line.

use super::{Context, stream};
use crate::evidence::{Input, Signal, Value};
use crate::lionagi::wire::{LionagiDocumentKind, SessionHealth, SessionStatus, StoredStatus};
use crate::summary::{Line, SHOWN_VERBATIM};
use crate::text::concat;
use crate::word::Vocabulary;

/// `Why: INPUT, INPUT (SOURCE, TIME)`.
pub(super) fn because(context: &Context<'_>) -> Line {
    let evidence = &context.session.evidence;
    reason(context).read_from(&evidence.read_from, evidence.read_at, context.tense.now)
}

fn reason(context: &Context<'_>) -> Line {
    let session = context.session;
    if let (Some(stream), LionagiDocumentKind::MessageStream | LionagiDocumentKind::SignalStream) =
        (&session.stream, session.source)
    {
        return stream::because(session, stream);
    }
    let Some(status) = session.row.status.label() else {
        return Line::why().words("the document has no ").code("status");
    };
    let running = session.row.status.known() == Some(SessionStatus::Running);
    let zombie = session.known_health() == Some(SessionHealth::Zombie);
    match (&session.health, &session.row.status) {
        (Some(health), _) if running || zombie => {
            let decisive = health.evidence.inputs.iter().filter(|input| input.decisive);
            Line::why()
                .because(decisive, health.word.as_str(), ", ", |input, line| add_input(context, input, line))
        }
        (_, StoredStatus::Legacy) => Line::why().words("status is null"),
        (_, StoredStatus::Word(word)) if word.known().is_none() => Line::why().words(SHOWN_VERBATIM),
        (_, StoredStatus::Word(_)) => match (session.reaper, &session.row.reason_summary) {
            (Some(_), Some(summary)) => Line::why().words("housekeeping; the reason says ").code(summary),
            (_, _) => Line::why().words("the session's row says ").code(status),
        },
        (_, StoredStatus::Absent) => Line::default(),
    }
}

fn add_input(context: &Context<'_>, input: &Input, line: Line) -> Line {
    match (input.name, &input.value) {
        (Signal::LastActivity, Value::Time(at)) => {
            line.words("last activity ").append(context.tense.age(*at)).limit(input)
        }
        (Signal::LastActivity, _) => line.words("no activity is recorded").limit(input),
        (Signal::Process, Value::Absent) => line.words("nobody knows whether the process lives"),
        (Signal::Process, Value::Text(alive)) => line.words("the process is ").words(alive),
        (Signal::ConcludedProcess, Value::Text(alive)) => {
            line.words("by the server's rules the process is ").words(alive)
        }
        (Signal::StudioAnswer, Value::Word(word)) => line.words("the server says ").code(word),
        (Signal::SessionStatus, Value::Word(word)) => line.words("status is ").code(word),
        (Signal::SessionStatus, _) => line.words("no status is stored"),
        (Signal::StaleLock, _) => line.words("a lock older than 1 h exists"),
        // These two inputs are decisive only if there are none.
        (Signal::Artifacts, _) => line.words("no artifacts"),
        (Signal::Messages, Value::Text(_)) => line.words("no messages"),
        (Signal::Messages, _) => line.words("no messages are counted"),
        (name, Value::Absent) => line.words("no ").words(name.as_str()),
        (name, Value::Text(text) | Value::Word(text)) => line.words(&concat(&[name.as_str(), ": ", text])),
        (name, Value::Time(at)) => line.words(name.as_str()).words(" ").time(*at, context.tense.now),
    }
}
