//! Decides whether a run with the status `running` is really running (seed 000: fresh, stale, orphaned or unknown).

use super::derivation::{DeriveRunStateInput, Finding, RunSignals};
use super::inputs::{Recorder, absent, decisive, decisive_if, optional_moment, owner, text};
use crate::evidence::Signal;
use crate::smithers::wire::owner_pid;
use crate::smithers::wire::{ReasonUnhealthy, RunState};
use crate::time::{InvalidTime, Millis};

/// The last sign of life: the later of heartbeat and start time, so that a run without a first heartbeat is not stale.
/// Milliseconds since 1970; `None` if there is none.
///
/// The later of the two inputs is decisive, or both if both are missing.
pub(crate) fn last_alive(run: &RunSignals, threshold: f64, recorder: &mut impl Recorder) -> Option<f64> {
    let (heartbeat, started) = (run.heartbeat_at_ms, run.started_at_ms);
    let last_alive = js_max(heartbeat.unwrap_or(0.0), started.unwrap_or(0.0));
    let none = last_alive == 0.0;
    let start_counts = heartbeat.is_none_or(|at| at < last_alive || (last_alive.is_nan() && !at.is_nan()));
    for (name, at, counts) in
        [(Signal::EngineHeartbeat, heartbeat, !start_counts), (Signal::StartTime, started, start_counts)]
    {
        recorder.record(|| decisive_if(none || counts, optional_moment(name, at, Some(threshold))));
    }
    (!none).then_some(last_alive)
}

/// Decides by the age of the last sign of life.
pub(crate) fn classify_running(
    input: &DeriveRunStateInput,
    recorder: &mut impl Recorder,
) -> Result<Finding, InvalidTime> {
    let threshold = input.threshold();
    let Some(last_alive) = last_alive(&input.run, threshold, recorder) else {
        return Ok(RunState::Unknown.into());
    };
    if input.now.0 - last_alive <= threshold {
        return Ok(fresh(input, recorder));
    }
    let last_heartbeat_at = Millis(last_alive).to_iso()?;
    let unhealthy = Some(ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at });
    Ok(Finding { unhealthy, ..owner_state(input, recorder).into() })
}

/// A fresh run is running. In 0.32 it is also unhealthy if a sandbox is silent (protocol section 4).
fn fresh(input: &DeriveRunStateInput, recorder: &mut impl Recorder) -> Finding {
    let mut finding = Finding::from(RunState::Running);
    let heartbeats = input.sandbox_heartbeats.as_deref().unwrap_or_default();
    let Some(oldest) = heartbeats.iter().copied().reduce(f64::min) else {
        return finding;
    };
    let silent = heartbeats.iter().any(|at| input.now.0 - at > input.threshold());
    let threshold = Some(input.threshold());
    recorder
        .record(|| decisive_if(silent, optional_moment(Signal::SandboxHeartbeat, Some(oldest), threshold)));
    finding.unhealthy = silent.then_some(ReasonUnhealthy::SandboxUnreachable);
    finding
}

/// `orphaned` without an owner or with a dead owner, else `stale`.
fn owner_state(input: &DeriveRunStateInput, recorder: &mut impl Recorder) -> RunState {
    let Some(id) = input.run.runtime_owner_id.filter(|id| !id.is_empty()) else {
        recorder.record(|| decisive(owner(None)));
        return RunState::Orphaned;
    };
    let Some(is_alive) = input.is_owner_pid_alive else {
        recorder.record(|| decisive(owner(Some(id))));
        recorder.record(|| absent(Signal::OwnerProcess));
        return RunState::Stale;
    };
    let Some(pid) = owner_pid(id) else {
        recorder.record(|| decisive(owner(Some(id))));
        recorder.record(|| text(Signal::OwnerProcess, "the owner names no process id".to_owned()));
        return RunState::Stale;
    };
    let (state, process) =
        if is_alive(pid) { (RunState::Stale, "alive") } else { (RunState::Orphaned, "not alive") };
    recorder.record(|| owner(Some(id)));
    recorder.record(|| decisive(text(Signal::OwnerProcess, process.to_owned())));
    state
}

/// `Math.max`: NaN if either number is NaN.
fn js_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
