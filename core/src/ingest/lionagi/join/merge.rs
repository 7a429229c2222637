//! Joins the row of a session with facts from outside of the row, such as an admin event. A fact is about one moment
//! and is not a sign of life; the row contains more.

use std::cmp::Ordering;

use super::later::{last_write, order};
use super::row::merge_rows;
use super::session::{differ, join_rows, joined_session, lasting_columns, reported_status};
use crate::evidence::{Input, Signal};
use crate::lionagi::derive::Question;
use crate::lionagi::wire::{LionagiDocumentKind, Seconds, SessionRow, StoredStatus};
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;

/// The one of the two that is shown; `because` if the other one differs and is not just older.
enum Choice {
    Row(Option<&'static str>),
    Fact(Option<&'static str>),
}

/// Joins two documents about one session.
pub(super) fn join_documents(
    one: SessionInspection,
    other: SessionInspection,
    now: Millis,
) -> SessionInspection {
    let has_branches =
        |session: &SessionInspection| session.detail.as_ref().is_some_and(|detail| detail.branches.is_some());
    // The later detail counts, unless it has no branches.
    let rank = |session: &SessionInspection| (has_branches(session), session.detail.is_some());
    let is_other = match rank(&one).cmp(&rank(&other)) {
        Ordering::Less => true,
        Ordering::Equal => order(&one, &other, now) == Ordering::Less,
        Ordering::Greater => false,
    };
    let detail = if is_other { other.detail.clone() } else { one.detail.clone() };
    let joined = match (is_fact(&one), is_fact(&other)) {
        (false, false) => join_rows(one, other, now),
        (false, true) => join_fact(one, other, now),
        (true, false) => join_fact(other, one, now),
        (true, true) => join_facts(one, other, now),
    };
    SessionInspection { detail, ..joined }
}

fn is_fact(session: &SessionInspection) -> bool {
    session.source == LionagiDocumentKind::SessionPart
}

/// Joins a row with a fact.
fn join_fact(row: SessionInspection, mut fact: SessionInspection, now: Millis) -> SessionInspection {
    let inputs = take_fact_inputs(&mut fact);
    let disagreements = |first: &SessionInspection, second: &SessionInspection, why: Option<&'static str>| {
        let found = why.and_then(|why| {
            differ(Question::Status, reported_status(first), reported_status(second), Some(why))
        });
        first.disagreements.iter().cloned().chain(found).collect()
    };
    let mut joined = match choose(&row, &fact, now) {
        Choice::Row(why) => {
            let disagreements = disagreements(&row, &fact, why);
            let second = additional_columns(&row, fact.row);
            joined_session(row, second, fact.stream, disagreements, now)
        }
        Choice::Fact(why) => {
            let disagreements = disagreements(&fact, &row, why);
            let (first_read, second_read) =
                (row.evidence.read_at.unwrap_or(now), fact.evidence.read_at.unwrap_or(now));
            fact.evidence.read_at = Some(if first_read > second_read { first_read } else { second_read });
            fact.row.updated_at = None;
            joined_session(fact, lasting_columns(row.row), row.stream, disagreements, now)
        }
    };
    joined.evidence.inputs.extend(inputs);
    joined
}

/// Joins two facts: the later of two statuses counts.
fn join_facts(one: SessionInspection, other: SessionInspection, now: Millis) -> SessionInspection {
    let says = |fact: &SessionInspection| {
        let status = fact.row.status.label().map(str::to_owned);
        (status.is_some(), fact.row.updated_at, status)
    };
    let (mut first, mut second) = if says(&other) > says(&one) { (other, one) } else { (one, other) };
    let at = first.row.updated_at;
    let same_moment = at == second.row.updated_at;
    let found = same_moment
        .then(|| differ(Question::Status, reported_status(&first), reported_status(&second), None));
    let disagreements: Vec<_> = first.disagreements.iter().cloned().chain(found.flatten()).collect();
    let (mut inputs, mut more) = (take_fact_inputs(&mut first), take_fact_inputs(&mut second));
    more.retain(|input| !inputs.contains(input));
    inputs.append(&mut more);
    let (first_read, second_read) =
        (first.evidence.read_at.unwrap_or(now), second.evidence.read_at.unwrap_or(now));
    let row = SessionRow { updated_at: None, ..first.row };
    let second = SessionRow { updated_at: None, ..lasting_columns(second.row) };
    let moment = if first_read > second_read { first_read } else { second_read };
    let read_from = &first.evidence.read_from;
    let mut joined = SessionInspection::from_row(
        merge_rows(row, second),
        LionagiDocumentKind::SessionPart,
        read_from,
        moment,
    );
    joined.row.updated_at = at;
    joined.disagreements.extend(disagreements);
    joined.evidence.inputs.extend(inputs);
    joined
}

fn choose(row: &SessionInspection, fact: &SessionInspection, now: Millis) -> Choice {
    if fact.row.status == StoredStatus::Absent || fact.row.status == row.row.status {
        return Choice::Row(None);
    }
    if matches!(row.source, LionagiDocumentKind::SignalStream | LionagiDocumentKind::MessageStream) {
        // A stream without an end is older than a document with one.
        return match reported_status(row) {
            None => Choice::Fact(None),
            Some(_) => Choice::Row(Some("Which is later is not recorded.")),
        };
    }
    if row.row.status == StoredStatus::Absent {
        return Choice::Row(None);
    }
    let at = fact.row.updated_at.map(|at| at.0);
    let answered = row.evidence.read_at.filter(|at| *at != now).map(|at| Seconds::from(at).0);
    match (at, last_write(row), answered) {
        (Some(at), Some(last_write), _) if at <= last_write => Choice::Row(None),
        (Some(at), _, Some(answered)) if at > answered => Choice::Fact(None),
        (Some(_), Some(_), None) => Choice::Fact(Some(
            "It came after the last change of the session, and when that was read is not recorded.",
        )),
        (Some(_), Some(_), Some(_)) => {
            Choice::Row(Some("The session was read afterwards, and its last change is from before."))
        }
        // An earlier status is not a disagreement.
        (Some(_), None, Some(_)) => Choice::Row(None),
        (Some(_), None, None) | (None, _, _) => Choice::Row(Some("Which is later is not recorded.")),
    }
}

/// Adds the columns that the row does not have: never the time, and the reason only if the status is the same.
fn additional_columns(row: &SessionInspection, fact: SessionRow) -> SessionRow {
    let later = fact.updated_at.map(|at| at.0) > last_write(row);
    let same = fact.status == row.row.status && later && !row.row.has_reason_column;
    let fact = if same { fact } else { lasting_columns(fact) };
    SessionRow { updated_at: None, ..fact }
}

/// Takes the inputs of a fact other than its status. Joining two sessions derives the evidence again, without the
/// inputs of either.
fn take_fact_inputs(fact: &mut SessionInspection) -> Vec<Input> {
    let mut inputs = std::mem::take(&mut fact.evidence.inputs);
    inputs.retain(|input| input.name != Signal::SessionStatus);
    inputs
}
