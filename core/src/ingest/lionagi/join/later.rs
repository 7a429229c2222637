//! Which of two documents about a session tells of the later moment, and which one looked closer.

use std::cmp::Ordering;

use crate::lionagi::wire::{LionagiRecognised, Seconds};
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;

/// Whether one tells of a later moment than the other; `Equal` where that is not known. A route that says when it looked
/// and not when the row was written saw nothing that was written afterwards.
pub(super) fn order(one: &SessionInspection, other: &SessionInspection, now: Millis) -> Ordering {
    let looked = |session: &SessionInspection| {
        let at = session.evidence.read_at.filter(|at| *at != now);
        at.map(|at| Seconds::from(at).0)
    };
    let unseen = |written: f64, looked: Option<f64>| looked.is_some_and(|looked| written > looked);
    let (ours, theirs) = (looked(one), looked(other));
    let by_row = match (written(one), written(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (Some(one), None) if unseen(one, theirs) => Ordering::Greater,
        (None, Some(other)) if unseen(other, ours) => Ordering::Less,
        (_, _) => Ordering::Equal,
    };
    // The same route, asked again.
    let again = || match (ours, theirs) {
        (Some(ours), Some(theirs)) if rank(one.source) == rank(other.source) => ours.total_cmp(&theirs),
        (_, _) => Ordering::Equal,
    };
    by_row.then_with(again)
}

/// How close the source looked, the closest first.
pub(super) fn rank(source: LionagiRecognised) -> u8 {
    match source {
        LionagiRecognised::AdminHealth => 0,
        LionagiRecognised::Session | LionagiRecognised::SessionList => 1,
        LionagiRecognised::Doctor => 2,
        LionagiRecognised::AgentStatus | LionagiRecognised::Lifecycle => 3,
        LionagiRecognised::Invocation | LionagiRecognised::InvocationList => 4,
        LionagiRecognised::SignalStream | LionagiRecognised::SessionPart => 5,
        LionagiRecognised::MessageStream => 6,
        LionagiRecognised::Show
        | LionagiRecognised::ShowList
        | LionagiRecognised::PlayList
        | LionagiRecognised::Stats
        | LionagiRecognised::ErrorResponse => 7,
    }
}

/// The row's last write, where the row tells it.
pub(super) fn written(session: &SessionInspection) -> Option<f64> {
    // A stream is no row: what it tells began before and may go on after.
    if matches!(session.source, LionagiRecognised::SignalStream | LionagiRecognised::MessageStream) {
        return None;
    }
    let moments = [session.row.updated_at, session.row.ended_at.at()];
    moments.into_iter().flatten().map(|at| at.0).reduce(f64::max)
}

pub(super) fn last_sent(session: &SessionInspection) -> Option<Seconds> {
    session.stream.as_ref().and_then(|stream| stream.last_at)
}
