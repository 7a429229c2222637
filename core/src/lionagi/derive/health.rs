//! The health of a session: lionagi's `classify_session_health` (ADR-0024 as 0.36 decides it).

use crate::format;
use std::cmp::Ordering;

use super::{IDLE_THRESHOLD, threshold_for_kind};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::lionagi::wire::{Seconds, SessionHealth, SessionRow, SessionStatus, StoredStatus};

/// What the caller found out about a session's process and files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The moment to count silence from.
    pub now: Seconds,
    /// Whether the process lives; `None` where nobody could tell.
    pub process_alive: Option<bool>,
    /// Whether there are artifacts.
    pub has_artifacts: bool,
    /// Whether a lock is held for too long.
    pub has_stale_locks: bool,
}

/// A session's health and what it rests on.
///
/// ```
/// use runstate::lionagi::derive::{Probe, classify_session_health};
/// use runstate::lionagi::wire::{Seconds, read_session};
///
/// let session = read_session(r#"{"status":"running","last_message_at":1716270000.0,"message_count":212}"#)?;
/// let now = Seconds(1_716_300_000.0);
/// let probe = Probe { now, process_alive: Some(true), has_artifacts: true, has_stale_locks: false };
/// let verdict = classify_session_health(&session, &probe);
/// assert_eq!((verdict.severity, verdict.threshold), (2, Seconds(21_600.0)));
/// // Alive, and silent for longer than an agent may be: that is what decided.
/// assert!(verdict.evidence.inputs.iter().any(|input| input.decisive));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HealthVerdict {
    /// The health.
    pub health: SessionHealth,
    /// How bad it is, from 0 (`healthy`) to 5 (`zombie`).
    pub severity: u8,
    /// How long a session of this kind may be quiet.
    pub threshold: Seconds,
    /// The inputs; `read_from` is the caller's to fill in.
    pub evidence: Evidence,
}

impl SessionHealth {
    /// How bad it is, from 0 (`healthy`) to 5 (`zombie`).
    ///
    /// ```
    /// use runstate::lionagi::wire::SessionHealth;
    ///
    /// assert_eq!((SessionHealth::Healthy.severity(), SessionHealth::Zombie.severity()), (0, 5));
    /// ```
    pub fn severity(self) -> u8 {
        match self {
            Self::Healthy => 0,
            Self::Idle => 1,
            Self::Unresponsive => 2,
            Self::Stale => 3,
            Self::Orphaned => 4,
            Self::Zombie => 5,
        }
    }
}

/// Which inputs decided.
#[derive(Clone, Copy, PartialEq)]
enum Decided {
    /// The status alone.
    Status,
    /// The status and a lock.
    Lock,
    /// The process, and that there is nothing else.
    Empty,
    /// The process and its silence.
    Silence,
}

/// Classifies a session.
///
/// The first rule that applies decides. Ended (or no status at all): `zombie` with a stale lock, else `healthy`. Not known
/// to live, without artifact and message: `orphaned` at any age. Confirmed dead: `stale`, however fresh its last message.
/// Silent beyond the limit: `unresponsive` when it lives, `stale` when nobody knows. Silent for more than an hour: `idle`.
/// Only the exact word `running` can pass the limit.
///
/// ```
/// use runstate::lionagi::derive::{Probe, classify_session_health};
/// use runstate::lionagi::wire::{Seconds, SessionHealth, read_session};
///
/// let session = read_session(
///     r#"{"status":"running","invocation_kind":"flow","last_message_at":1716270000.0,"message_count":212}"#,
/// )?;
/// let now = Seconds(1_716_300_000.0);
/// let probe = Probe { now, process_alive: Some(false), has_artifacts: true, has_stale_locks: false };
/// assert_eq!(classify_session_health(&session, &probe).health, SessionHealth::Stale);
/// let probe = Probe { process_alive: None, ..probe };
/// assert_eq!(classify_session_health(&session, &probe).health, SessionHealth::Idle);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn classify_session_health(session: &SessionRow, probe: &Probe) -> HealthVerdict {
    let empty = !probe.has_artifacts && session.message_count.unwrap_or(0) == 0;
    classify(session, probe, empty)
}

/// The same where the caller knows better whether there is neither artifact nor message.
pub(crate) fn classify(session: &SessionRow, probe: &Probe, empty: bool) -> HealthVerdict {
    let threshold = threshold_for_kind(session.invocation_kind.as_ref());
    let (health, decided) = decide(session, probe, threshold, empty);
    HealthVerdict {
        health,
        severity: health.severity(),
        threshold,
        evidence: Evidence {
            inputs: inputs(session, probe, threshold, decided),
            read_from: String::new(),
            read_at: Some(probe.now.to_millis()),
        },
    }
}

/// The worst of several healths; `healthy` where there are none.
///
/// ```
/// use runstate::lionagi::wire::SessionHealth;
/// use runstate::lionagi::derive::worst_health;
///
/// assert_eq!(worst_health(&[SessionHealth::Idle, SessionHealth::Orphaned]), SessionHealth::Orphaned);
/// assert_eq!(worst_health(&[]), SessionHealth::Healthy);
/// ```
pub fn worst_health(healths: &[SessionHealth]) -> SessionHealth {
    let mut worst = SessionHealth::Healthy;
    for health in healths {
        if health.severity().cmp(&worst.severity()) == Ordering::Greater {
            worst = *health;
        }
    }
    worst
}

/// The last sign of work: the first of three columns that holds neither NULL nor 0; 0 where none does.
///
/// ```
/// use runstate::lionagi::wire::{Seconds, read_session};
/// use runstate::lionagi::derive::last_activity;
///
/// let session = read_session(r#"{"last_message_at":null,"updated_at":0,"started_at":1716270000.0}"#)?;
/// assert_eq!(last_activity(&session), Seconds(1_716_270_000.0));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn last_activity(session: &SessionRow) -> Seconds {
    let columns = [session.last_message_at, session.updated_at, session.started_at];
    columns.into_iter().flatten().find(|at| at.0 != 0.0).unwrap_or(Seconds(0.0))
}

fn decide(session: &SessionRow, probe: &Probe, threshold: Seconds, empty: bool) -> (SessionHealth, Decided) {
    if session.status.is_falsy() || session.status.is_terminal() {
        return if probe.has_stale_locks {
            (SessionHealth::Zombie, Decided::Lock)
        } else {
            (SessionHealth::Healthy, Decided::Status)
        };
    }
    let idle = probe.now.0 - last_activity(session).0;
    let past = session.status.known() == Some(SessionStatus::Running) && idle > threshold.0;
    let quiet = idle > IDLE_THRESHOLD.0;
    let health = match probe.process_alive {
        None | Some(false) if empty => return (SessionHealth::Orphaned, Decided::Empty),
        Some(false) => SessionHealth::Stale,
        Some(true) if past => SessionHealth::Unresponsive,
        None if past => SessionHealth::Stale,
        Some(true) | None if quiet => SessionHealth::Idle,
        Some(true) | None => SessionHealth::Healthy,
    };
    (health, Decided::Silence)
}

fn inputs(session: &SessionRow, probe: &Probe, threshold: Seconds, decided: Decided) -> Vec<Input> {
    let text = |said: &str| Value::Text(said.to_owned());
    let plain = |name, value, decisive| Input { name, value, at: None, limit_ms: None, decisive };
    let status = match &session.status {
        StoredStatus::Absent => Value::Absent,
        StoredStatus::Legacy => text("NULL"),
        StoredStatus::Word(word) => Value::Word(word.as_str().to_owned()),
    };
    let process =
        probe.process_alive.map_or(Value::Absent, |alive| text(if alive { "alive" } else { "not alive" }));
    let last = last_activity(session);
    let at = (last.0 != 0.0).then(|| last.to_millis());
    // Only the word `running` has a limit; whatever else is not over counts as idle after an hour.
    let limit =
        if session.status.known() == Some(SessionStatus::Running) { threshold } else { IDLE_THRESHOLD };
    vec![
        plain(Signal::SessionStatus, status, matches!(decided, Decided::Status | Decided::Lock)),
        plain(Signal::Process, process, matches!(decided, Decided::Empty | Decided::Silence)),
        Input {
            name: Signal::LastActivity,
            value: at.map_or(Value::Absent, Value::Time),
            at,
            limit_ms: Some(limit.0 * 1000.0),
            decisive: decided == Decided::Silence,
        },
        plain(
            Signal::Artifacts,
            text(if probe.has_artifacts { "present" } else { "none" }),
            decided == Decided::Empty,
        ),
        plain(Signal::Messages, messages(session), decided == Decided::Empty),
        plain(
            Signal::StaleLock,
            text(if probe.has_stale_locks { "held" } else { "none" }),
            decided == Decided::Lock,
        ),
    ]
}

fn messages(session: &SessionRow) -> Value {
    session.message_count.map_or(Value::Absent, |count| Value::Text(format::count(count as f64)))
}
