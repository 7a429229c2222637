//! Joins two documents about one session: the answer that is shown and the one that disagrees.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::later::{last_sent, order, rank};
use super::row::merge_rows;
use crate::evidence::Evidence;
use crate::lionagi::derive::{Disagreement, Question, ReportedValue, UNCOUNTED_MESSAGES};
use crate::lionagi::wire::{End, LionagiDocumentKind, SessionRow, SessionStatus, Stream, StreamMessage};
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;

/// Joins two rows of a session.
pub(super) fn join_rows(one: SessionInspection, other: SessionInspection, now: Millis) -> SessionInspection {
    match order(&one, &other, now) {
        Ordering::Greater => return join_later(one, other.row, other.stream, now),
        Ordering::Less => return join_later(other, one.row, one.stream, now),
        Ordering::Equal => {}
    }
    // The later of two recordings of the same signals contains more.
    let signals = [&one, &other].iter().all(|session| session.source == LionagiDocumentKind::SignalStream);
    let swap =
        if signals { last_sent(&other) > last_sent(&one) } else { rank(one.source) > rank(other.source) };
    let (first, second) = if swap { (other, one) } else { (one, other) };
    let mut found = Vec::new();
    found.extend(differ(Question::Status, reported_status(&first), reported_status(&second), None));
    found.extend(differ(
        Question::Health,
        reported_health(&first),
        reported_health(&second),
        Some(why(first.source, second.source)),
    ));
    let mut disagreements = first.disagreements.clone();
    disagreements.extend(second.disagreements);
    disagreements.extend(found);
    joined_session(first, second.row, second.stream, disagreements, now)
}

/// Joins two documents of different times: the earlier row adds only columns that do not change.
fn join_later(
    later: SessionInspection,
    earlier: SessionRow,
    stream: Option<Stream>,
    now: Millis,
) -> SessionInspection {
    let disagreements = later.disagreements.clone();
    joined_session(later, lasting_columns(earlier), stream, disagreements, now)
}

/// Returns the columns of a row that are also valid at a later time.
pub(super) fn lasting_columns(earlier: SessionRow) -> SessionRow {
    SessionRow {
        health: None,
        process_alive: None,
        idle: None,
        ended_at: End::Absent,
        ended_at_is_approximate: false,
        reason_code: None,
        reason_summary: None,
        has_reason_column: false,
        error: None,
        ..earlier
    }
}

/// Returns the shown session with the additions of the other row and stream.
pub(super) fn joined_session(
    first: SessionInspection,
    second: SessionRow,
    stream: Option<Stream>,
    disagreements: Vec<Disagreement>,
    now: Millis,
) -> SessionInspection {
    let stream = streams(first.stream, stream);
    let Evidence { read_from, read_at, .. } = first.evidence;
    let row = merge_rows(first.row, second);
    let mut joined = SessionInspection::from_row(row, first.source, &read_from, read_at.unwrap_or(now));
    joined.stream = stream;
    for disagreement in disagreements {
        if !joined.disagreements.contains(&disagreement) {
            joined.disagreements.push(disagreement);
        }
    }
    joined
}

/// Joins two streams of a session.
fn streams(first: Option<Stream>, second: Option<Stream>) -> Option<Stream> {
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (first, second) => return first.or(second),
    };
    let (last_signals, dropped_signals) = if first.last_signals.is_empty() {
        (second.last_signals, second.dropped_signals)
    } else {
        (first.last_signals, first.dropped_signals)
    };
    Some(Stream {
        done: first.done || second.done,
        run_signal: first.run_signal.or(second.run_signal),
        last_at: if second.last_at > first.last_at { second.last_at } else { first.last_at },
        nodes: if first.nodes.is_empty() { second.nodes } else { first.nodes },
        last_signals,
        dropped_signals,
        messages: joined_messages(first.messages, second.messages),
    })
}

/// Joins the messages of two streams: the second may be a later part of the same.
fn joined_messages(first: Vec<StreamMessage>, second: Vec<StreamMessage>) -> Vec<StreamMessage> {
    let known: HashSet<String> = first.iter().filter_map(|streamed| streamed.message.id.clone()).collect();
    let is_new = |streamed: &StreamMessage| streamed.message.id.as_ref().is_none_or(|id| !known.contains(id));
    let new = second.into_iter().filter(is_new);
    first.into_iter().chain(new).collect()
}

/// Returns the status for comparison. Signals without an end are older than a document with one and do not disagree.
pub(super) fn reported_status(session: &SessionInspection) -> Option<ReportedValue> {
    let signals = session.source == LionagiDocumentKind::SignalStream;
    if signals && session.row.status.known() == Some(SessionStatus::Running) {
        return None;
    }
    let value = session.row.status.label()?.to_owned();
    Some(ReportedValue { value, read_from: session.evidence.read_from.clone() })
}

fn reported_health(session: &SessionInspection) -> Option<ReportedValue> {
    let health = session.health.as_ref().filter(|health| health.reported)?;
    Some(ReportedValue {
        value: health.word.as_str().to_owned(),
        read_from: session.evidence.read_from.clone(),
    })
}

pub(super) fn differ(
    question: Question,
    first: Option<ReportedValue>,
    second: Option<ReportedValue>,
    explanation: Option<&'static str>,
) -> Option<Disagreement> {
    let (first, second) = (first?, second?);
    (first.value != second.value).then(|| Disagreement {
        question,
        answers: vec![first, second],
        explanation,
    })
}

/// Returns the reason why two routes classify the same session differently (protocol section 2).
fn why(first: LionagiDocumentKind, second: LionagiDocumentKind) -> &'static str {
    let either = |kind: LionagiDocumentKind| first == kind || second == kind;
    if either(LionagiDocumentKind::Invocation) || either(LionagiDocumentKind::InvocationList) {
        UNCOUNTED_MESSAGES
    } else if either(LionagiDocumentKind::AdminHealth) {
        "Admin health looks for artifacts and locks on disk; the list takes an artifact path for artifacts and never looks for locks."
    } else {
        "The two were read at different moments."
    }
}
