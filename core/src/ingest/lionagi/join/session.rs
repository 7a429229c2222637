//! What two documents tell of one session: the answer that is shown, and the one that disagrees.

use std::cmp::Ordering;

use super::later::{last_sent, order, rank};
use super::merge::{beside, is_told, told_twice};
use super::row::completed;
use crate::evidence::Evidence;
use crate::lionagi::derive::NOT_COUNTED;
use crate::lionagi::derive::{Disagreement, ReportedStatus};
use crate::lionagi::wire::{End, LionagiRecognised, SessionRow, SessionStatus, Stream};
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;

pub(super) fn joined(one: SessionInspection, other: SessionInspection, now: Millis) -> SessionInspection {
    match (is_told(&one), is_told(&other)) {
        (false, false) => rows(one, other, now),
        (false, true) => beside(one, other, now),
        (true, false) => beside(other, one, now),
        (true, true) => told_twice(one, other, now),
    }
}

fn rows(one: SessionInspection, other: SessionInspection, now: Millis) -> SessionInspection {
    match order(&one, &other, now) {
        Ordering::Greater => return followed(one, other.row, other.stream, now),
        Ordering::Less => return followed(other, one.row, one.stream, now),
        Ordering::Equal => {}
    }
    // Of two recordings of the same signals the later one knows more.
    let signals = [&one, &other].iter().all(|session| session.source == LionagiRecognised::SignalStream);
    let swap =
        if signals { last_sent(&other) > last_sent(&one) } else { rank(one.source) > rank(other.source) };
    let (first, second) = if swap { (other, one) } else { (one, other) };
    let mut found = Vec::new();
    found.extend(differ("status", said_status(&first), said_status(&second), None));
    found.extend(differ(
        "health",
        said_health(&first),
        said_health(&second),
        Some(why(first.source, second.source)),
    ));
    let mut disagreements = first.disagreements.clone();
    disagreements.extend(second.disagreements);
    disagreements.extend(found);
    whole(first, second.row, second.stream, disagreements, now)
}

/// A session at a later moment: what it was before is no second answer. The earlier row tells what does not change.
fn followed(
    later: SessionInspection,
    earlier: SessionRow,
    stream: Option<Stream>,
    now: Millis,
) -> SessionInspection {
    let disagreements = later.disagreements.clone();
    whole(later, lasting(earlier), stream, disagreements, now)
}

/// What of a row holds at a later moment too.
pub(super) fn lasting(earlier: SessionRow) -> SessionRow {
    SessionRow {
        health: None,
        process_alive: None,
        idle: None,
        ended_at: End::Absent,
        ended_at_is_approximate: false,
        reason_code: None,
        reason_summary: None,
        tells_reason: false,
        error: None,
        ..earlier
    }
}

/// What is shown, completed by the other row and stream.
pub(super) fn whole(
    first: SessionInspection,
    second: SessionRow,
    stream: Option<Stream>,
    disagreements: Vec<Disagreement>,
    now: Millis,
) -> SessionInspection {
    let stream = streams(first.stream, stream);
    let Evidence { read_from, read_at, .. } = first.evidence;
    let row = completed(first.row, second);
    let mut joined = SessionInspection::from_row(row, first.source, &read_from, read_at.unwrap_or(now));
    joined.stream = stream;
    for disagreement in disagreements {
        if !joined.disagreements.contains(&disagreement) {
            joined.disagreements.push(disagreement);
        }
    }
    joined
}

/// What both streams of a session tell together.
fn streams(first: Option<Stream>, second: Option<Stream>) -> Option<Stream> {
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (first, second) => return first.or(second),
    };
    Some(Stream {
        done: first.done || second.done,
        run_signal: first.run_signal.or(second.run_signal),
        last_at: if second.last_at > first.last_at { second.last_at } else { first.last_at },
        nodes: if first.nodes.is_empty() { second.nodes } else { first.nodes },
    })
}

/// Signals without an end are older than what says more: that is no disagreement.
pub(super) fn said_status(session: &SessionInspection) -> Option<ReportedStatus> {
    let signals = session.source == LionagiRecognised::SignalStream;
    if signals && session.row.status.known() == Some(SessionStatus::Running) {
        return None;
    }
    let said = session.row.status.shown()?.to_owned();
    Some(ReportedStatus { said, read_from: session.evidence.read_from.clone() })
}

fn said_health(session: &SessionInspection) -> Option<ReportedStatus> {
    let health = session.health.as_ref().filter(|health| health.said)?;
    Some(ReportedStatus {
        said: health.word.as_str().to_owned(),
        read_from: session.evidence.read_from.clone(),
    })
}

pub(super) fn differ(
    question: &'static str,
    first: Option<ReportedStatus>,
    second: Option<ReportedStatus>,
    why: Option<&'static str>,
) -> Option<Disagreement> {
    let (first, second) = (first?, second?);
    (first.said != second.said).then(|| Disagreement { question, answers: vec![first, second], why })
}

/// Why two routes classify the same session differently (protocol section 2).
fn why(first: LionagiRecognised, second: LionagiRecognised) -> &'static str {
    let either = |kind: LionagiRecognised| first == kind || second == kind;
    if either(LionagiRecognised::Invocation) || either(LionagiRecognised::InvocationList) {
        NOT_COUNTED
    } else if either(LionagiRecognised::AdminHealth) {
        "Admin health looks for artifacts and locks on disk; the list takes an artifact path for artifacts and never looks for locks."
    } else {
        "The two were read at different moments."
    }
}
