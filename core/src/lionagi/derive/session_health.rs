//! A session's health as the server reports it, or as Runstate classifies it.

use super::health::classify;
use super::{HealthVerdict, Probe, last_activity, stale_threshold};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::json::record;
use crate::lionagi::wire::{Seconds, SessionHealth, SessionRow, SessionStatus};
use crate::word::Word;

record! {
    /// The caller's information about a session in addition to its row; `None` if unknown.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    pub(crate) struct Signals {
        /// The current time.
        pub now: Option<Seconds>,
        /// Whether the process is alive.
        pub process_alive: Option<bool>,
        /// Whether artifacts exist. Without it, the row's `artifacts_path` decides, as in `/api/runs`.
        pub has_artifacts: Option<bool>,
        /// Whether a lock is older than its limit.
        pub has_stale_locks: Option<bool>,
    }
}

/// A session's health with its origin and evidence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Health {
    /// The health.
    pub word: Word<SessionHealth>,
    /// Whether the server reported it. Otherwise Runstate classified the row.
    pub reported: bool,
    /// Whether the process is alive, as reported or inferred; `None` if that is not known.
    pub process_alive: Option<bool>,
    /// The time for which a session of this kind may be inactive.
    pub threshold: Seconds,
    /// Its inputs.
    pub evidence: Evidence,
}

/// The health of a session. If `signals` describe the process or its locks, the row is classified with them.
/// Otherwise it is the health that the server reported; without that, a classification of the row alone.
///
/// `None` if the health cannot be known: the session has ended and `signals` do not mention locks, the row has neither
/// status nor activity, or `signals` have no current time.
pub(crate) fn session_health(row: &SessionRow, signals: &Signals) -> Option<Health> {
    let process_alive = signals.process_alive.or(row.process_alive);
    let probed = signals.process_alive.is_some() || signals.has_stale_locks.is_some();
    if let (Some(word), false) = (&row.health, probed) {
        return Some(reported_health(row, word, signals.now));
    }
    let ended = row.status.is_falsy() || row.status.is_terminal();
    if row.status.label().is_none() || ended && signals.has_stale_locks.is_none() {
        return None;
    }
    // An invocation's health is the worst health of its sessions, which its row does not contain.
    if !probed && row.session_count.is_some() {
        return None;
    }
    let probe = Probe {
        now: signals.now?,
        process_alive,
        has_artifacts: signals.has_artifacts.unwrap_or(row.artifacts_path.is_some()),
        has_stale_locks: signals.has_stale_locks.unwrap_or(false),
    };
    // lionagi counts missing messages as 0, so a row without that column would be `orphaned`. Without signals, the column is
    // required.
    let counted = probed || row.message_count.is_some();
    let no_output = counted && !probe.has_artifacts && row.message_count.unwrap_or(0) == 0;
    if !probed && !no_output && last_activity(row).0 == 0.0 {
        return None;
    }
    let HealthVerdict { health, threshold, evidence, .. } = classify(row, &probe, no_output);
    Some(Health { word: Word::Known(health), reported: false, process_alive, threshold, evidence })
}

/// The health that the server reported. Studio's list has no field for the process, but its rules imply its state:
/// `unresponsive` requires a live process, and `stale` within the threshold requires a dead one.
fn reported_health(row: &SessionRow, word: &Word<SessionHealth>, now: Option<Seconds>) -> Health {
    let threshold = stale_threshold(row.invocation_kind.as_ref());
    let last = Some(last_activity(row)).filter(|last| last.0 != 0.0);
    let idle = row.idle.or_else(|| Some(Seconds(now?.0 - last?.0)));
    let within_threshold =
        row.status.known() != Some(SessionStatus::Running) || idle.is_some_and(|idle| idle.0 <= threshold.0);
    let process_alive = row.process_alive.or(match word.known() {
        Some(SessionHealth::Unresponsive) => Some(true),
        Some(SessionHealth::Stale) if within_threshold => Some(false),
        Some(
            SessionHealth::Healthy
            | SessionHealth::Idle
            | SessionHealth::Stale
            | SessionHealth::Orphaned
            | SessionHealth::Zombie,
        )
        | None => None,
    });
    let evidence = Evidence {
        inputs: reported_inputs(row, word, process_alive, last, threshold),
        read_from: String::new(),
        read_at: now.map(Seconds::to_millis),
    };
    Health { word: word.clone(), reported: true, process_alive, threshold, evidence }
}

/// The inputs of a reported health, as the server's rules imply them.
fn reported_inputs(
    row: &SessionRow,
    word: &Word<SessionHealth>,
    process_alive: Option<bool>,
    last: Option<Seconds>,
    threshold: Seconds,
) -> Vec<Input> {
    let process = if row.process_alive.is_some() { Signal::Process } else { Signal::ConcludedProcess };
    let text = |alive: bool| Value::Text(if alive { "alive" } else { "not alive" }.to_owned());
    vec![
        Input::new(Signal::StudioAnswer, Value::Word(word.as_str().to_owned()), true),
        Input::new(
            process,
            process_alive.map_or(Value::Absent, text),
            process_alive.is_some() && decides_by_process(word.known()),
        ),
        Input {
            at: last.map(Seconds::to_millis),
            limit_ms: Some(threshold.0 * 1000.0),
            ..Input::new(
                Signal::LastActivity,
                last.map_or(Value::Absent, |last| Value::Time(last.to_millis())),
                last.is_some() && decides_by_inactivity(word.known()),
            )
        },
    ]
}

fn decides_by_process(health: Option<SessionHealth>) -> bool {
    match health {
        Some(SessionHealth::Unresponsive | SessionHealth::Stale) => true,
        Some(
            SessionHealth::Healthy | SessionHealth::Idle | SessionHealth::Orphaned | SessionHealth::Zombie,
        )
        | None => false,
    }
}

fn decides_by_inactivity(health: Option<SessionHealth>) -> bool {
    match health {
        Some(
            SessionHealth::Healthy | SessionHealth::Idle | SessionHealth::Unresponsive | SessionHealth::Stale,
        ) => true,
        Some(SessionHealth::Orphaned | SessionHealth::Zombie) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::lionagi::derive::{Signals, session_health};
    use crate::lionagi::wire::{Seconds, read_session};

    #[test]
    fn the_callers_signals_override_the_server() {
        let row = read_session(r#"{"status":"running","last_message_at":1716270000.0,"message_count":3,"effective_health":"idle"}"#).unwrap();
        let health = session_health(&row, &Signals::default()).unwrap();
        assert_eq!((health.word.as_str(), health.reported), ("idle", true));

        // The caller knows that the process is dead.
        let now = Some(Seconds(1_716_300_000.0));
        let health =
            session_health(&row, &Signals { now, process_alive: Some(false), ..Signals::default() }).unwrap();
        assert_eq!((health.word.as_str(), health.reported), ("stale", false));
    }
}
