//! Why we say so, in one line.

use super::context::Context;
use super::stream;
use crate::evidence::{Input, Signal, Value};
use crate::format;
use crate::lionagi::wire::{LionagiRecognised, SessionHealth, SessionStatus, StoredStatus};
use crate::summary::Line;
use crate::text::concat;
use crate::word::Vocabulary;

/// `WORD because INPUT, INPUT, read from SOURCE at TIME`.
pub(super) fn because(context: &Context<'_>) -> Line {
    let session = context.session;
    if let (Some(stream), LionagiRecognised::MessageStream | LionagiRecognised::SignalStream) =
        (&session.stream, session.source)
    {
        return source(context, stream::because(session, stream));
    }
    let Some(shown) = session.row.status.shown() else {
        return source(context, Line::new("no state: the document has no ").code("status"));
    };
    let running = session.row.status.known() == Some(SessionStatus::Running);
    let zombie = session.known_health() == Some(SessionHealth::Zombie);
    let line = match (&session.health, &session.row.status) {
        (Some(health), _) if running || zombie => {
            health.evidence.inputs.iter().filter(|input| input.decisive).enumerate().fold(
                Line::new(health.word.as_str()),
                |line, (place, input)| {
                    fact(context, input, line.words(if place == 0 { " because " } else { ", " }))
                },
            )
        }
        (_, StoredStatus::Legacy) => Line::new("legacy because status is null"),
        (_, StoredStatus::Word(word)) if word.known().is_none() => Line::new("shown verbatim"),
        (_, StoredStatus::Word(_)) => match (session.reaped, &session.row.reason_summary) {
            (Some(_), Some(summary)) => {
                Line::new(shown).words(" because of housekeeping: the reason says ").code(summary)
            }
            (_, _) => Line::new(shown).words(" because the session row says ").code(shown),
        },
        (_, StoredStatus::Absent) => Line::default(),
    };
    source(context, line)
}

fn fact(context: &Context<'_>, input: &Input, line: Line) -> Line {
    match (input.name, &input.value) {
        (Signal::LastActivity, Value::Time(at)) => {
            let line = context.ago(line.words("last activity "), *at);
            limit(input, line)
        }
        (Signal::LastActivity, _) => limit(input, line.words("no activity is recorded")),
        (Signal::Process, Value::Absent) => line.words("nobody knows whether the process lives"),
        (Signal::Process, Value::Text(alive)) => line.words("the process is ").words(alive),
        (Signal::ConcludedProcess, Value::Text(alive)) => {
            line.words("by the server's rules the process is ").words(alive)
        }
        (Signal::StudioAnswer, Value::Word(word)) => line.words("the server says ").code(word),
        (Signal::SessionStatus, Value::Word(word)) => line.words("status is ").code(word),
        (Signal::SessionStatus, _) => line.words("no status is stored"),
        (Signal::StaleLock, _) => line.words("a lock older than 1 h exists"),
        // These two decide only where there are none.
        (Signal::Artifacts, _) => line.words("no artifacts"),
        (Signal::Messages, Value::Text(_)) => line.words("no messages"),
        (Signal::Messages, _) => line.words("no messages are counted"),
        (name, Value::Absent) => line.words("no ").words(name.as_str()),
        (name, Value::Text(text) | Value::Word(text)) => line.words(&concat(&[name.as_str(), ": ", text])),
        (name, Value::Time(at)) => line.words(name.as_str()).words(" ").time(*at, context.now),
    }
}

fn limit(input: &Input, line: Line) -> Line {
    match input.limit_ms {
        Some(limit) => line.words(", limit ").words(&format::age(limit)),
        None => line,
    }
}

fn source(context: &Context<'_>, line: Line) -> Line {
    let evidence = &context.session.evidence;
    if evidence.read_from.is_empty() {
        return line;
    }
    let line = line.words(", read from ").code(&evidence.read_from);
    match evidence.read_at {
        Some(at) => line.words(" at ").time(at, context.now),
        None => line,
    }
}
