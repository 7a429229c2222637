//! The first classifier that lionagi shipped, as servers up to 0.26 answer.

use super::{DEFAULT_STALE_THRESHOLD, IDLE_THRESHOLD, Probe, last_activity, threshold_for_kind};
use crate::lionagi::wire::{InvocationKind, SessionHealth, SessionRow, SessionStatus};
use crate::word::Word;

/// Classifies a session as lionagi 0.26 did.
///
/// It took a process of which nothing is known for a dead one, so that every row without a process number went stale. It
/// knew no `completed_empty`, gave an engine the limit of an agent, and held every status that it did not know to the
/// limit. Not to be used for a verdict; it explains what an old server says.
///
/// ```
/// use runstate::lionagi::derive::{Probe, classify_session_health_0_26};
/// use runstate::lionagi::wire::{Seconds, SessionHealth, read_session};
///
/// let session = read_session(r#"{"status":"running","last_message_at":1716299999.0,"message_count":3}"#)?;
/// let now = Seconds(1_716_300_000.0);
/// let probe = Probe { now, process_alive: None, has_artifacts: true, has_stale_locks: false };
/// assert_eq!(classify_session_health_0_26(&session, &probe), SessionHealth::Stale);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn classify_session_health_0_26(session: &SessionRow, probe: &Probe) -> SessionHealth {
    let status = session.status.known();
    let ended = session.status.is_terminal() && status != Some(SessionStatus::CompletedEmpty);
    if session.status.is_falsy() || ended {
        return if probe.has_stale_locks { SessionHealth::Zombie } else { SessionHealth::Healthy };
    }
    if probe.process_alive != Some(true) {
        let empty = !probe.has_artifacts && session.message_count.unwrap_or(0) == 0;
        return if empty { SessionHealth::Orphaned } else { SessionHealth::Stale };
    }
    let kind = session.invocation_kind.as_ref();
    let engine = kind.and_then(Word::known) == Some(InvocationKind::Engine);
    let threshold = if engine { DEFAULT_STALE_THRESHOLD } else { threshold_for_kind(kind) };
    let idle = probe.now.0 - last_activity(session).0;
    if idle > threshold.0 {
        SessionHealth::Unresponsive
    } else if idle > IDLE_THRESHOLD.0 {
        SessionHealth::Idle
    } else {
        SessionHealth::Healthy
    }
}
