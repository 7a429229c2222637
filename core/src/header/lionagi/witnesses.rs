//! The sentence about a session, and its addition.

use super::context::Context;
use super::running::running;
use super::stream;
use crate::format;
use crate::lionagi::derive::{Reaped, default_reason};
use crate::lionagi::wire::{LionagiRecognised, SessionHealth, SessionStatus, StoredStatus, timeout_text};
use crate::run::lionagi::SessionInspection;
use crate::summary::Line;
use crate::text::concat;
use crate::word::{Vocabulary, Word};

/// The sentence about the session, and its addition.
pub(super) fn sentences(context: &Context<'_>) -> (Line, Line) {
    let session = context.session;
    if let (Some(stream), LionagiRecognised::MessageStream | LionagiRecognised::SignalStream) =
        (&session.stream, session.source)
    {
        return stream::sentences(context, stream);
    }
    let (sentence, meta) = by_status(context);
    (sentence, meta.next(stream::nodes(session)))
}

fn by_status(context: &Context<'_>) -> (Line, Line) {
    match &context.session.row.status {
        StoredStatus::Absent => {
            (Line::new("This document has no ").code("status").words(" field."), Line::default())
        }
        StoredStatus::Legacy => (
            Line::new("Created before the current status vocabulary."),
            Line::new("Excluded from live operational metrics."),
        ),
        StoredStatus::Word(Word::Foreign(word)) => foreign(word),
        StoredStatus::Word(Word::Known(SessionStatus::Running)) => running(context),
        StoredStatus::Word(Word::Known(status)) => ended(context, *status),
    }
}

fn foreign(word: &str) -> (Line, Line) {
    let sentence = if word.is_empty() {
        Line::new("The stored status is an empty text.")
    } else {
        Line::new("The server sent the word ").code(word).words(". Runstate does not know it.")
    };
    (sentence, Line::new("It is shown and exported exactly as it came."))
}

fn ended(context: &Context<'_>, status: SessionStatus) -> (Line, Line) {
    let session = context.session;
    if let Some(reaped) = session.reaped {
        return housekeeping(status, reaped);
    }
    if session.known_health() == Some(SessionHealth::Zombie) {
        let meta = Line::new("The server found one older than 1 h.");
        return (Line::new("Ended, but a lock file is still held."), meta.next(artifacts(session)));
    }
    let (sentence, meta) = match status {
        SessionStatus::Running => running(context),
        SessionStatus::Completed => (finished(session), summary(session, status)),
        SessionStatus::CompletedEmpty => {
            (Line::new("Ended without a commit, an artifact or an answer."), Line::new("Exit code 1."))
        }
        SessionStatus::Failed => (failed(session), Line::default()),
        SessionStatus::TimedOut => {
            (Line::new(&timeout_text(&session.row.timeout)), Line::new("Exit code 124."))
        }
        SessionStatus::Aborted => (aborted(session), summary(session, status)),
        SessionStatus::Cancelled => (Line::new("Cancelled."), summary(session, status)),
    };
    (sentence, meta.next(artifacts(session)))
}

/// What the server wrote on its own says nothing of how the run ended.
fn housekeeping(status: SessionStatus, reaped: Reaped) -> (Line, Line) {
    let sentence = Line::new("The server's housekeeping wrote ").code(status.as_str()).words(".");
    let meta = match reaped {
        Reaped::Phantom => "The row said running and its process was gone. How the run ended is not known.",
        Reaped::MirrorIdle => "The mirrored transcript went quiet. It may go on.",
        Reaped::NoStatus => "The row had no status and no live process. How the run ended is not known.",
    };
    (sentence, Line::new(meta))
}

fn finished(session: &SessionInspection) -> Line {
    let row = &session.row;
    let lasted = row.ended_at.at().zip(row.started_at).map(|(end, start)| (end.0 - start.0) * 1000.0);
    match lasted {
        Some(ms) if ms.is_finite() && ms >= 0.0 && !row.ended_at_is_approximate => {
            Line::new(&concat(&["Finished in ", &format::duration(ms), "."]))
        }
        Some(_) | None => Line::new("Finished."),
    }
}

fn failed(session: &SessionInspection) -> Line {
    let row = &session.row;
    let text = row.reason_summary.as_deref().or(row.error.as_deref()).map(str::trim_ascii);
    match text {
        Some(text) if !text.is_empty() => close_sentence("Failed: ", text),
        Some(_) | None => Line::new("Failed."),
    }
}

/// Who aborted it, where the reason says so. `aborted` alone does not: ADR-0033's state service writes it too.
fn aborted(session: &SessionInspection) -> Line {
    Line::new(match session.row.reason_code.as_deref() {
        Some("run.aborted.user" | "run.cancelled.sigint") => "Aborted by its user.",
        Some("system.health.process_dead_no_terminal") => "Aborted: its process ended without a status.",
        Some(_) | None => "Aborted.",
    })
}

/// The server's words for the reason, where they say more than the status.
fn summary(session: &SessionInspection, status: SessionStatus) -> Line {
    let row = &session.row;
    let usual =
        status == SessionStatus::Completed && row.reason_code.as_deref() == Some(default_reason(status));
    match row.reason_summary.as_deref().map(str::trim_ascii) {
        Some(text) if !usual && !text.is_empty() => close_sentence("", text),
        Some(_) | None => Line::default(),
    }
}

fn close_sentence(start: &str, text: &str) -> Line {
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    Line::new(&concat(&[start, text, end]))
}

/// `3 of 5 expected artifacts are there.`, and which required ones are not.
fn artifacts(session: &SessionInspection) -> Line {
    let contract = &session.row.contract;
    let line = match (contract.produced, contract.expected) {
        (Some(produced), Some(expected)) => Line::new(&concat(&[
            &format::count(produced as f64),
            " of ",
            &format::count(expected as f64),
            if expected == 1 { " expected artifact is there." } else { " expected artifacts are there." },
        ])),
        (_, _) => Line::default(),
    };
    if contract.missing.is_empty() {
        return line;
    }
    let missing: Vec<&str> = contract.missing.iter().map(String::as_str).collect();
    line.next(name_list("Missing: ", &missing))
}

/// Up to three names, the rest as a number.
pub(super) fn name_list(start: &str, names: &[&str]) -> Line {
    const NAMED: usize = 3;
    let mut line = Line::new(start);
    for (place, name) in names.iter().take(NAMED).enumerate() {
        line = if place > 0 { line.words(", ") } else { line }.code(name);
    }
    let more = names.len().saturating_sub(NAMED);
    let line = if more > 0 { line.words(&concat(&[" and ", &more.to_string(), " more"])) } else { line };
    line.words(".")
}
