//! The sentences about a session.

use super::{Context, stream};
use crate::format;
use crate::lionagi::derive::{Health, Reaper, UNCOUNTED_MESSAGES, default_reason_code, last_activity};
use crate::lionagi::wire::{
    InvocationKind, LionagiDocumentKind, ReasonCode, Seconds, SessionHealth, SessionStatus, StoredStatus,
    timeout_text,
};
use crate::run::lionagi::SessionInspection;
use crate::summary::{Line, Sentences};
use crate::text::concat;
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// The sentence about the state of the session, and an additional one.
pub(super) fn sentences(context: &Context<'_>) -> Sentences {
    let session = context.session;
    if let (Some(stream), LionagiDocumentKind::MessageStream | LionagiDocumentKind::SignalStream) =
        (&session.stream, session.source)
    {
        return stream::sentences(context, stream);
    }
    let (sentence, meta) = by_status(context);
    (sentence, meta.add_sentence(stream::nodes(session)))
}

fn by_status(context: &Context<'_>) -> Sentences {
    match &context.session.row.status {
        StoredStatus::Absent => {
            (Line::new("This document has no ").code("status").words(" field."), Line::default())
        }
        StoredStatus::Legacy => (
            Line::new("Created before the current status vocabulary."),
            Line::new("Excluded from live operational metrics."),
        ),
        StoredStatus::Word(Word::Foreign(word)) => unknown_status(word),
        StoredStatus::Word(Word::Known(SessionStatus::Running)) => running(context),
        StoredStatus::Word(Word::Known(status)) => ended(context, *status),
    }
}

fn unknown_status(word: &str) -> Sentences {
    let empty = Line::new("The stored status is an empty text.");
    let unknown = Line::unknown_word("The server sent the word ", word);
    let sentence = if word.is_empty() { empty } else { unknown };
    (sentence, Line::new("It is shown and exported exactly as it came."))
}

fn ended(context: &Context<'_>, status: SessionStatus) -> Sentences {
    let session = context.session;
    if let Some(reaper) = session.reaper {
        return ended_by_reaper(status, reaper);
    }
    if session.known_health() == Some(SessionHealth::Zombie) {
        let meta = Line::new("The server found one older than 1 h.");
        return (Line::new("Ended, but a lock file is still held."), meta.add_sentence(artifacts(session)));
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
    (sentence, meta.add_sentence(artifacts(session)))
}

/// A status that the server's housekeeping wrote; the real end of the session is unknown.
fn ended_by_reaper(status: SessionStatus, reaper: Reaper) -> Sentences {
    let sentence = Line::new("The server's housekeeping wrote ").code(status.as_str()).words(".");
    let meta = match reaper {
        Reaper::Phantom => {
            "It was stored as running, and its process was gone. How the run ended is not known."
        }
        Reaper::MirrorIdle => "The mirrored transcript went quiet. It may go on.",
        Reaper::NoStatus => "It had no status and no live process. How the run ended is not known.",
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

/// The person who aborted it, if the reason names one. The status `aborted` does not prove that: ADR-0033's state
/// service writes it too.
fn aborted(session: &SessionInspection) -> Line {
    Line::new(match session.row.known_reason() {
        Some(ReasonCode::AbortedByUser | ReasonCode::Interrupted) => "Aborted by its user.",
        Some(ReasonCode::ProcessDead) => "Aborted: its process ended without a status.",
        Some(_) | None => "Aborted.",
    })
}

/// The server's reason, unless it repeats the status.
fn summary(session: &SessionInspection, status: SessionStatus) -> Line {
    let row = &session.row;
    let usual = status == SessionStatus::Completed && row.known_reason() == Some(default_reason_code(status));
    match row.reason_summary.as_deref().map(str::trim_ascii) {
        Some(text) if !usual && !text.is_empty() => close_sentence("", text),
        Some(_) | None => Line::default(),
    }
}

fn close_sentence(start: &str, text: &str) -> Line {
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    Line::new(&concat(&[start, text, end]))
}

/// `3 of 5 expected artifacts are there.`, followed by the missing ones.
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
    line.add_sentence(Line::new("Missing: ").list(&missing, missing.len(), Line::code).words("."))
}

fn running(context: &Context<'_>) -> Sentences {
    let Some(health) = &context.session.health else {
        let sentence = Line::new(context.tense.pick("The stored status is ", "The stored status was "))
            .code("running")
            .words(".");
        return (sentence, Line::new("Nothing more is known of its health."));
    };
    let known = match &health.word {
        Word::Known(known) => *known,
        Word::Foreign(word) => {
            return (Line::unknown_word("The server sent the health ", word), Line::default());
        }
    };
    match known {
        SessionHealth::Healthy => (working(context), Line::default()),
        SessionHealth::Idle => {
            let may = context.tense.pick("It may still be working.", "It may have been working.");
            (inactive_for(context).add_sentence(Line::new(may)), limit(context, health))
        }
        SessionHealth::Unresponsive => {
            let alive = context.tense.pick("The process is alive.", "The process was alive.");
            (inactive_for(context).add_sentence(Line::new(alive)), limit(context, health))
        }
        SessionHealth::Stale => stale(context, health),
        SessionHealth::Orphaned => orphaned(context, health),
        SessionHealth::Zombie => (Line::new("A lock file is held for too long."), Line::default()),
    }
}

/// The sentence states the conditions of `orphaned` if the document contains them; otherwise they are the server's finding.
fn orphaned(context: &Context<'_>, health: &Health) -> Sentences {
    let row = &context.session.row;
    if row.message_count.is_some_and(|count| count > 0) {
        return (Line::new("The server says ").code(health.word.as_str()).words("."), Line::default());
    }
    if row.message_count.is_none() || row.artifacts_path.is_some() {
        let uncounted = if row.session_count.is_some() { UNCOUNTED_MESSAGES } else { "" };
        let sentence = Line::new("The server found no process, no message and no artifact.");
        return (sentence, Line::new(uncounted));
    }
    let sentence = if health.process_alive == Some(false) {
        context.tense.pick(
            "There is no process, no message and no artifact.",
            "There was no process, no message and no artifact.",
        )
    } else {
        context.tense.pick(
            "There is no message and no artifact, and no process is known to live.",
            "There was no message and no artifact, and no process was known to live.",
        )
    };
    (Line::new(sentence), Line::default())
}

fn stale(context: &Context<'_>, health: &Health) -> Sentences {
    let dead = health.process_alive == Some(false);
    let process = match health.process_alive {
        Some(false) => context.tense.pick("The process is gone.", "The process was gone."),
        Some(true) => context.tense.pick("The process is alive.", "The process was alive."),
        None => context
            .tense
            .pick("Whether the process lives is not known.", "Whether the process lived is not known."),
    };
    let row = &context.session.row;
    let inactive = activity(context).map(|at| context.tense.reference_time().since(at) / 1000.0);
    let inactive = inactive.filter(|seconds| seconds.is_finite()).or(row.idle.map(|idle| idle.0));
    let within_limit = inactive.is_some_and(|seconds| seconds <= health.threshold.0);
    let rule = if dead && within_limit { "Confirmed dead counts before the limit." } else { "" };
    (
        inactive_for(context).add_sentence(Line::new(process)),
        limit(context, health).add_sentence(Line::new(rule)),
    )
}

/// The time of the last activity, if there is one.
fn activity(context: &Context<'_>) -> Option<Millis> {
    Some(last_activity(&context.session.row)).filter(|at| at.0 != 0.0).map(Seconds::to_millis)
}

fn working(context: &Context<'_>) -> Line {
    let line = Line::new(context.tense.pick("Working.", "Was working."));
    let Some(at) = activity(context) else { return line };
    let messages = context.session.row.last_message_at.is_some_and(|at| at.0 != 0.0);
    let what = if messages { " Last message " } else { " Last activity " };
    line.words(what).append(context.tense.age(at)).words(".")
}

fn inactive_for(context: &Context<'_>) -> Line {
    let Some(at) = activity(context) else { return Line::new("No activity is recorded.") };
    let age = context.tense.reference_time().since(at);
    if age.is_finite() && age >= 0.0 {
        return Line::new(&concat(&["No activity for ", &format::age(age), "."]));
    }
    Line::new("No activity since ").time(at, context.tense.now).words(".")
}

fn limit(context: &Context<'_>, health: &Health) -> Line {
    let kind = match context.session.row.invocation_kind.as_ref().and_then(Word::known) {
        Some(InvocationKind::Agent) => " for an agent",
        Some(InvocationKind::Play) => " for a play",
        Some(InvocationKind::Flow) => " for a flow",
        Some(InvocationKind::Fanout) => " for a fanout",
        Some(InvocationKind::ShowPlay) => " for a play of a show",
        Some(InvocationKind::Engine) => " for an engine",
        None => "",
    };
    Line::new(&concat(&["Limit", kind, ": ", &format::age(health.threshold.0 * 1000.0), "."]))
}
