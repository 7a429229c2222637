//! What was told of a session outside of its row, such as an admin event, beside the row: it is of one moment and no sign of
//! life, and the row is the fuller word.

use super::later::written;
use super::row::completed;
use super::session::{differ, lasting, said_status, whole};
use crate::evidence::{Input, Signal};
use crate::lionagi::wire::{LionagiRecognised, Seconds, SessionRow, StoredStatus};
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;

/// Which of the two is shown. Where the other says otherwise and is not merely older, it is said why both are told.
enum Shown {
    Row(Option<&'static str>),
    Told(Option<&'static str>),
}

pub(super) fn is_told(session: &SessionInspection) -> bool {
    session.source == LionagiRecognised::SessionPart
}

/// A row, and what was told beside it.
pub(super) fn beside(row: SessionInspection, mut told: SessionInspection, now: Millis) -> SessionInspection {
    let inputs = told_inputs(&told);
    let disagreements = |first: &SessionInspection, second: &SessionInspection, why: Option<&'static str>| {
        let found = why.and_then(|why| differ("status", said_status(first), said_status(second), Some(why)));
        first.disagreements.iter().cloned().chain(found).collect()
    };
    let mut joined = match shown(&row, &told, now) {
        Shown::Row(why) => {
            let disagreements = disagreements(&row, &told, why);
            let second = second_to(&row, told.row);
            whole(row, second, told.stream, disagreements, now)
        }
        Shown::Told(why) => {
            let disagreements = disagreements(&told, &row, why);
            let (asked, heard) = (row.evidence.read_at.unwrap_or(now), told.evidence.read_at.unwrap_or(now));
            told.evidence.read_at = Some(if asked > heard { asked } else { heard });
            told.row.updated_at = None;
            whole(told, lasting(row.row), row.stream, disagreements, now)
        }
    };
    joined.evidence.inputs.extend(inputs);
    joined
}

/// One thing told twice, or two things: of two statuses the later one counts.
pub(super) fn told_twice(one: SessionInspection, other: SessionInspection, now: Millis) -> SessionInspection {
    let says = |told: &SessionInspection| {
        let status = told.row.status.shown().map(str::to_owned);
        (status.is_some(), told.row.updated_at, status)
    };
    let (first, second) = if says(&other) > says(&one) { (other, one) } else { (one, other) };
    let at = first.row.updated_at;
    let same_moment = at == second.row.updated_at;
    let found = same_moment.then(|| differ("status", said_status(&first), said_status(&second), None));
    let disagreements: Vec<_> = first.disagreements.iter().cloned().chain(found.flatten()).collect();
    let (mut inputs, more) = (told_inputs(&first), told_inputs(&second));
    inputs.extend(more.into_iter().filter(|input| !told_inputs(&first).contains(input)));
    let (asked, heard) = (first.evidence.read_at.unwrap_or(now), second.evidence.read_at.unwrap_or(now));
    let row = SessionRow { updated_at: None, ..first.row };
    let second = SessionRow { updated_at: None, ..lasting(second.row) };
    let moment = if asked > heard { asked } else { heard };
    let read_from = &first.evidence.read_from;
    let mut joined = SessionInspection::from_row(
        completed(row, second),
        LionagiRecognised::SessionPart,
        read_from,
        moment,
    );
    joined.row.updated_at = at;
    joined.disagreements.extend(disagreements);
    joined.evidence.inputs.extend(inputs);
    joined
}

fn shown(row: &SessionInspection, told: &SessionInspection, now: Millis) -> Shown {
    if told.row.status == StoredStatus::Absent || told.row.status == row.row.status {
        return Shown::Row(None);
    }
    if matches!(row.source, LionagiRecognised::SignalStream | LionagiRecognised::MessageStream) {
        // A stream without an end is older than what says more.
        return match said_status(row) {
            None => Shown::Told(None),
            Some(_) => Shown::Row(Some("Nothing tells which is later.")),
        };
    }
    if row.row.status == StoredStatus::Absent {
        return Shown::Row(None);
    }
    let at = told.row.updated_at.map(|at| at.0);
    let answered = row.evidence.read_at.filter(|at| *at != now).map(|at| Seconds::from(at).0);
    match (at, written(row), answered) {
        (Some(at), Some(written), _) if at <= written => Shown::Row(None),
        (Some(at), _, Some(answered)) if at > answered => Shown::Told(None),
        (Some(_), Some(_), None) => Shown::Told(Some(
            "It came after the last write of the row, and nothing tells when the row was read.",
        )),
        (Some(_), Some(_), Some(_)) => {
            Shown::Row(Some("The row was read afterwards, and its last write is from before."))
        }
        // What was before is no disagreement.
        (Some(_), None, Some(_)) => Shown::Row(None),
        (Some(_), None, None) | (None, _, _) => Shown::Row(Some("Nothing tells which is later.")),
    }
}

/// What the row takes over: never the moment, and the reason of the same status alone.
fn second_to(row: &SessionInspection, told: SessionRow) -> SessionRow {
    let later = told.updated_at.map(|at| at.0) > written(row);
    let same = told.status == row.row.status && later && !row.row.tells_reason;
    let told = if same { told } else { lasting(told) };
    SessionRow { updated_at: None, ..told }
}

fn told_inputs(told: &SessionInspection) -> Vec<Input> {
    told.evidence.inputs.iter().filter(|input| input.name != Signal::SessionStatus).cloned().collect()
}
