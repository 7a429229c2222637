//! The health of a session: lionagi's `classify_session_health` (ADR-0024, as lionagi 0.36 implements it).

use serde::Serialize;

use crate::evidence::{Evidence, Input, Signal, Value};
use crate::format;
use crate::lionagi::wire::{InvocationKind, Seconds, SessionHealth, SessionRow, SessionStatus, StoredStatus};
use crate::word::Word;

/// A running session without activity for longer than this is `idle` (ADR-0024).
const IDLE_THRESHOLD: Seconds = Seconds(3_600.0);

/// The time for which a session of this kind may be inactive before it is `stale` or `unresponsive`: 6 hours, or 12 if it
/// runs several agents. Unknown kinds have 6 hours.
pub(crate) fn stale_threshold(kind: Option<&Word<InvocationKind>>) -> Seconds {
    match kind.and_then(Word::known) {
        Some(InvocationKind::Agent | InvocationKind::Play) | None => Seconds(21_600.0),
        Some(
            InvocationKind::Flow | InvocationKind::Fanout | InvocationKind::ShowPlay | InvocationKind::Engine,
        ) => Seconds(43_200.0),
    }
}

/// The caller's information about a session's process and files.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub(crate) struct Probe {
    /// The current time.
    pub now: Seconds,
    /// Whether the process is alive; `None` if that is not known.
    pub process_alive: Option<bool>,
    /// Whether artifacts exist.
    pub has_artifacts: bool,
    /// Whether a lock is older than its limit.
    pub has_stale_locks: bool,
}

/// The health of a session.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct HealthVerdict {
    /// The health.
    pub health: SessionHealth,
    /// The rank of the health, from 0 (best) to 5 (worst).
    pub severity: u8,
    /// The seconds after which a silent session is no longer healthy.
    #[cfg_attr(test, tsify(type = "number"))]
    pub threshold: Seconds,
    /// The inputs of the health. Their source is the caller's.
    pub evidence: Evidence,
}

impl SessionHealth {
    /// How bad it is, from 0 (`healthy`) to 5 (`zombie`).
    pub(crate) fn severity(self) -> u8 {
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

/// The decisive inputs.
#[derive(Clone, Copy, PartialEq)]
enum Cause {
    /// The status.
    Status,
    /// The status and a lock.
    Lock,
    /// The process, and the absence of artifacts and messages.
    NoOutput,
    /// The process and the time since its last activity.
    Inactivity,
}

/// Classifies a session.
///
/// The first rule that applies decides:
/// 1. The session has ended, or has no status: `zombie` with a stale lock, `healthy` without.
/// 2. The process is not known to be alive, and there are neither artifacts nor messages: `orphaned`.
/// 3. The process is dead: `stale`, however recent its last message.
/// 4. Inactive for longer than the threshold: `unresponsive` if the process is alive, `stale` if that is not known. This
///    applies to the status `running` only.
/// 5. Inactive for more than an hour: `idle`.
pub(crate) fn classify_session_health(session: &SessionRow, probe: &Probe) -> HealthVerdict {
    let no_output = !probe.has_artifacts && session.message_count.unwrap_or(0) == 0;
    classify(session, probe, no_output)
}

/// [`classify_session_health`] for a caller that decides whether the session has neither artifacts nor messages.
pub(super) fn classify(session: &SessionRow, probe: &Probe, no_output: bool) -> HealthVerdict {
    let threshold = stale_threshold(session.invocation_kind.as_ref());
    let (health, cause) = decide(session, probe, threshold, no_output);
    HealthVerdict {
        health,
        severity: health.severity(),
        threshold,
        evidence: Evidence {
            inputs: inputs(session, probe, threshold, cause),
            read_from: String::new(),
            read_at: Some(probe.now.to_millis()),
        },
    }
}

/// The worst of several healths; `healthy` for an empty list.
pub(crate) fn worst_health(healths: &[SessionHealth]) -> SessionHealth {
    healths.iter().copied().max_by_key(|health| health.severity()).unwrap_or(SessionHealth::Healthy)
}

/// The time of the last activity: the first of three columns with a value other than NULL and 0; otherwise 0.
pub(crate) fn last_activity(session: &SessionRow) -> Seconds {
    let columns = [session.last_message_at, session.updated_at, session.started_at];
    columns.into_iter().flatten().find(|at| at.0 != 0.0).unwrap_or(Seconds(0.0))
}

fn decide(
    session: &SessionRow,
    probe: &Probe,
    threshold: Seconds,
    no_output: bool,
) -> (SessionHealth, Cause) {
    if session.status.is_falsy() || session.status.is_terminal() {
        return if probe.has_stale_locks {
            (SessionHealth::Zombie, Cause::Lock)
        } else {
            (SessionHealth::Healthy, Cause::Status)
        };
    }
    let inactive = probe.now.0 - last_activity(session).0;
    let overdue = session.status.known() == Some(SessionStatus::Running) && inactive > threshold.0;
    let idle = inactive > IDLE_THRESHOLD.0;
    let health = match probe.process_alive {
        None | Some(false) if no_output => return (SessionHealth::Orphaned, Cause::NoOutput),
        Some(false) => SessionHealth::Stale,
        Some(true) if overdue => SessionHealth::Unresponsive,
        None if overdue => SessionHealth::Stale,
        Some(true) | None if idle => SessionHealth::Idle,
        Some(true) | None => SessionHealth::Healthy,
    };
    (health, Cause::Inactivity)
}

fn inputs(session: &SessionRow, probe: &Probe, threshold: Seconds, cause: Cause) -> Vec<Input> {
    let text = |text: &str| Value::Text(text.to_owned());
    let status = match &session.status {
        StoredStatus::Absent => Value::Absent,
        StoredStatus::Legacy => text("NULL"),
        StoredStatus::Word(word) => Value::Word(word.as_str().to_owned()),
    };
    let process =
        probe.process_alive.map_or(Value::Absent, |alive| text(if alive { "alive" } else { "not alive" }));
    let last = last_activity(session);
    let at = (last.0 != 0.0).then(|| last.to_millis());
    // The threshold applies to the status `running` only; other sessions that have not ended are idle after an hour.
    let limit =
        if session.status.known() == Some(SessionStatus::Running) { threshold } else { IDLE_THRESHOLD };
    vec![
        Input::new(Signal::SessionStatus, status, matches!(cause, Cause::Status | Cause::Lock)),
        Input::new(Signal::Process, process, matches!(cause, Cause::NoOutput | Cause::Inactivity)),
        Input {
            at,
            limit_ms: Some(limit.0 * 1000.0),
            ..Input::new(
                Signal::LastActivity,
                at.map_or(Value::Absent, Value::Time),
                cause == Cause::Inactivity,
            )
        },
        Input::new(
            Signal::Artifacts,
            text(if probe.has_artifacts { "present" } else { "none" }),
            cause == Cause::NoOutput,
        ),
        Input::new(Signal::Messages, messages(session), cause == Cause::NoOutput),
        Input::new(
            Signal::StaleLock,
            text(if probe.has_stale_locks { "held" } else { "none" }),
            cause == Cause::Lock,
        ),
    ]
}

fn messages(session: &SessionRow) -> Value {
    session.message_count.map_or(Value::Absent, |count| Value::Text(format::count(count as f64)))
}
