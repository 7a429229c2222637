//! Decides which of two documents about a session is later and which source is closer to the session.

use std::cmp::Ordering;

use crate::lionagi::wire::{LionagiDocumentKind, Seconds};
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;

/// Returns the order of two documents in time; `Equal` if it is unknown. If a route has the time of its response but
/// not that of the row's last write, its response contains nothing that was written after the response.
pub(super) fn order(one: &SessionInspection, other: &SessionInspection, now: Millis) -> Ordering {
    let response_time = |session: &SessionInspection| {
        let at = session.evidence.read_at.filter(|at| *at != now);
        at.map(|at| Seconds::from(at).0)
    };
    let is_later = |write: f64, response: Option<f64>| response.is_some_and(|response| write > response);
    let (ours, theirs) = (response_time(one), response_time(other));
    let by_row = match (last_write(one), last_write(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (Some(one), None) if is_later(one, theirs) => Ordering::Greater,
        (None, Some(other)) if is_later(other, ours) => Ordering::Less,
        (_, _) => Ordering::Equal,
    };
    // The same route was requested again.
    let again = || match (ours, theirs) {
        (Some(ours), Some(theirs)) if rank(one.source) == rank(other.source) => ours.total_cmp(&theirs),
        (_, _) => Ordering::Equal,
    };
    by_row.then_with(again)
}

/// Returns the rank of a source by its closeness to a session, the closest first.
pub(super) fn rank(source: LionagiDocumentKind) -> u8 {
    match source {
        LionagiDocumentKind::AdminHealth => 0,
        LionagiDocumentKind::Session | LionagiDocumentKind::SessionList => 1,
        LionagiDocumentKind::Doctor => 2,
        LionagiDocumentKind::AgentStatus | LionagiDocumentKind::Lifecycle => 3,
        LionagiDocumentKind::Invocation | LionagiDocumentKind::InvocationList => 4,
        LionagiDocumentKind::SignalStream | LionagiDocumentKind::SessionPart => 5,
        LionagiDocumentKind::MessageStream => 6,
        LionagiDocumentKind::Show
        | LionagiDocumentKind::ShowList
        | LionagiDocumentKind::PlayList
        | LionagiDocumentKind::Stats
        | LionagiDocumentKind::ErrorResponse => 7,
    }
}

/// Returns the time of the row's last write, if known.
pub(super) fn last_write(session: &SessionInspection) -> Option<f64> {
    // A stream is not a row: it began earlier and may continue.
    if matches!(session.source, LionagiDocumentKind::SignalStream | LionagiDocumentKind::MessageStream) {
        return None;
    }
    let moments = [session.row.updated_at, session.row.ended_at.at()];
    moments.into_iter().flatten().map(|at| at.0).reduce(f64::max)
}

pub(super) fn last_sent(session: &SessionInspection) -> Option<Seconds> {
    session.stream.as_ref().and_then(|stream| stream.last_at)
}
