//! What is known of a session's health, and by whom.

use super::health::classify;
use super::{HealthVerdict, Probe, last_activity, threshold_for_kind};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::lionagi::wire::{Seconds, SessionHealth, SessionRow, SessionStatus};
use crate::word::Word;

/// What is known beside the row. What is not known is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// The moment to count silence from.
    pub now: Option<Seconds>,
    /// Whether the process lives.
    pub process_alive: Option<bool>,
    /// Whether there are artifacts; else the row's path tells, as it does for `/api/runs`.
    pub has_artifacts: Option<bool>,
    /// Whether a lock is held for too long.
    pub has_stale_locks: Option<bool>,
}

/// A session's health, by the server or by us.
#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// The health.
    pub word: Word<SessionHealth>,
    /// Whether the server said it; else we classified the row.
    pub said: bool,
    /// Whether the process lives, told or concluded; `None` where nobody knows.
    pub process_alive: Option<bool>,
    /// How long a session of this kind may be quiet.
    pub threshold: Seconds,
    /// What it rests on.
    pub evidence: Evidence,
}

/// The health of a session: what the signals tell, else what the server said, else our own classification.
///
/// `None` where nothing is known: a session that ended, and nobody looked for locks; a row without status or without any
/// sign of work; no moment to count silence from.
///
/// ```
/// use runstate::lionagi::wire::{Seconds, read_session};
/// use runstate::lionagi::derive::{Signals, health_of};
///
/// let row = read_session(r#"{"status":"running","last_message_at":1716270000.0,"message_count":3,"effective_health":"idle"}"#)?;
/// let said = health_of(&row, &Signals::default()).unwrap();
/// assert_eq!((said.word.as_str(), said.said), ("idle", true));
///
/// // Whoever asked the operating system knows better than the row.
/// let now = Some(Seconds(1_716_300_000.0));
/// let probed = health_of(&row, &Signals { now, process_alive: Some(false), ..Signals::default() }).unwrap();
/// assert_eq!((probed.word.as_str(), probed.said), ("stale", false));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn health_of(row: &SessionRow, signals: &Signals) -> Option<Health> {
    let process_alive = signals.process_alive.or(row.process_alive);
    let told = signals.process_alive.is_some() || signals.has_stale_locks.is_some();
    if let (Some(word), false) = (&row.health, told) {
        return Some(stated_health(row, word, signals.now));
    }
    let ended = row.status.is_falsy() || row.status.is_terminal();
    if row.status.shown().is_none() || ended && signals.has_stale_locks.is_none() {
        return None;
    }
    // An invocation's health is the worst of its sessions', which are not in its row.
    if !told && row.session_count.is_some() {
        return None;
    }
    let probe = Probe {
        now: signals.now?,
        process_alive,
        has_artifacts: signals.has_artifacts.unwrap_or(row.artifacts_path.is_some()),
        has_stale_locks: signals.has_stale_locks.unwrap_or(false),
    };
    // lionagi counts a missing number of messages as 0, so a row without that column becomes `orphaned`. Where nobody gave a
    // signal, what is not told is not counted.
    let counted = told || row.message_count.is_some();
    let empty = counted && !probe.has_artifacts && row.message_count.unwrap_or(0) == 0;
    if !told && !empty && last_activity(row).0 == 0.0 {
        return None;
    }
    let HealthVerdict { health, threshold, evidence, .. } = classify(row, &probe, empty);
    Some(Health { word: Word::Known(health), said: false, process_alive, threshold, evidence })
}

/// The server's word. Studio's list does not say what it knows of the process; its rules do: `unresponsive` is said of a
/// process that lives, and `stale` within the limit only of one that is confirmed dead.
fn stated_health(row: &SessionRow, word: &Word<SessionHealth>, now: Option<Seconds>) -> Health {
    let threshold = threshold_for_kind(row.invocation_kind.as_ref());
    let last = Some(last_activity(row)).filter(|last| last.0 != 0.0);
    let idle = row.idle.or_else(|| Some(Seconds(now?.0 - last?.0)));
    let within =
        row.status.known() != Some(SessionStatus::Running) || idle.is_some_and(|idle| idle.0 <= threshold.0);
    let process_alive = row.process_alive.or(match word.known() {
        Some(SessionHealth::Unresponsive) => Some(true),
        Some(SessionHealth::Stale) if within => Some(false),
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
        inputs: inputs_of(row, word, process_alive, last, threshold),
        read_from: String::new(),
        read_at: now.map(Seconds::to_millis),
    };
    Health { word: word.clone(), said: true, process_alive, threshold, evidence }
}

/// What the server's word rests on, as far as its rules tell.
fn inputs_of(
    row: &SessionRow,
    word: &Word<SessionHealth>,
    process_alive: Option<bool>,
    last: Option<Seconds>,
    threshold: Seconds,
) -> Vec<Input> {
    let concluded = if row.process_alive.is_some() { Signal::Process } else { Signal::ConcludedProcess };
    let text = |alive: bool| Value::Text(if alive { "alive" } else { "not alive" }.to_owned());
    vec![
        Input {
            name: Signal::StudioAnswer,
            value: Value::Word(word.as_str().to_owned()),
            at: None,
            limit_ms: None,
            decisive: true,
        },
        Input {
            name: concluded,
            value: process_alive.map_or(Value::Absent, text),
            at: None,
            limit_ms: None,
            decisive: process_alive.is_some() && decides_by_process(word.known()),
        },
        Input {
            name: Signal::LastActivity,
            value: last.map_or(Value::Absent, |last| Value::Time(last.to_millis())),
            at: last.map(Seconds::to_millis),
            limit_ms: Some(threshold.0 * 1000.0),
            decisive: last.is_some() && decides_by_silence(word.known()),
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

fn decides_by_silence(health: Option<SessionHealth>) -> bool {
    match health {
        Some(
            SessionHealth::Healthy | SessionHealth::Idle | SessionHealth::Unresponsive | SessionHealth::Stale,
        ) => true,
        Some(SessionHealth::Orphaned | SessionHealth::Zombie) | None => false,
    }
}
