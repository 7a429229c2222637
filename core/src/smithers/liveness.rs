//! Whether a run whose status is `running` really runs (seed 000: fresh, stale, orphaned or unknown).

use super::derive::{DeriveRunStateInput, Finding, RunSignals};
use super::facts::{absent, decisive, optional_moment, owner, text};
use super::owner::owner_pid;
use super::{ReasonUnhealthy, RunState};
use crate::evidence::Input;
use crate::time::{InvalidTime, Millis};

/// The input that says whether the owner's process was found, and what it says then.
pub(super) const OWNER_PROCESS: &str = "owner process";
pub(super) const ALIVE: &str = "alive";

/// The last sign of life and the inputs that it comes from.
pub(super) struct SignsOfLife {
    /// The later of heartbeat and start time, milliseconds since 1970; `None` where there is no sign at all.
    pub(super) last_alive: Option<f64>,
    /// Heartbeat and start time; the one that counts is decisive, both where none does.
    pub(super) inputs: Vec<Input>,
}

/// The later of heartbeat and start time, so that a run that has not reported yet is not stale.
pub(super) fn signs_of_life(run: &RunSignals, threshold: f64) -> SignsOfLife {
    let (heartbeat, started) = (run.heartbeat_at_ms, run.started_at_ms);
    let mut inputs = vec![
        optional_moment("engine heartbeat", heartbeat, Some(threshold)),
        optional_moment("start time", started, Some(threshold)),
    ];
    let last_alive = js_max(heartbeat.unwrap_or(0.0), started.unwrap_or(0.0));
    if last_alive == 0.0 {
        for input in &mut inputs {
            input.decisive = true;
        }
        return SignsOfLife { last_alive: None, inputs };
    }
    let of_start = heartbeat.is_none_or(|at| at < last_alive || (last_alive.is_nan() && !at.is_nan()));
    inputs[usize::from(of_start)].decisive = true;
    SignsOfLife { last_alive: Some(last_alive), inputs }
}

/// Decides by the age of the last sign of life.
pub(super) fn classify_running(input: &DeriveRunStateInput) -> Result<Finding, InvalidTime> {
    let threshold = input.threshold();
    let SignsOfLife { last_alive, mut inputs } = signs_of_life(&input.run, threshold);
    let Some(last_alive) = last_alive else {
        return Ok(Finding::new(RunState::Unknown, inputs));
    };
    if input.now.0 - last_alive <= threshold {
        return Ok(fresh(input, inputs));
    }
    let last_heartbeat_at = Millis(last_alive).to_iso()?;
    let (state, owners) = owned(input);
    inputs.extend(owners);
    let mut finding = Finding::new(state, inputs);
    finding.unhealthy = Some(ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at });
    Ok(finding)
}

/// A fresh run is running; 0.32 adds that a sandbox of it went silent (protocol section 4).
fn fresh(input: &DeriveRunStateInput, inputs: Vec<Input>) -> Finding {
    let mut finding = Finding::new(RunState::Running, inputs);
    let heartbeats = input.sandbox_heartbeats.as_deref().unwrap_or_default();
    let Some(oldest) = heartbeats.iter().copied().reduce(f64::min) else {
        return finding;
    };
    let mut sandbox = optional_moment("sandbox heartbeat", Some(oldest), Some(input.threshold()));
    if heartbeats.iter().any(|at| input.now.0 - at > input.threshold()) {
        sandbox.decisive = true;
        finding.unhealthy = Some(ReasonUnhealthy::SandboxUnreachable);
    }
    finding.inputs.push(sandbox);
    finding
}

/// `orphaned` without an owner or with one that is known to be dead, else `stale`.
fn owned(input: &DeriveRunStateInput) -> (RunState, Vec<Input>) {
    let Some(id) = input.run.runtime_owner_id.filter(|id| !id.is_empty()) else {
        return (RunState::Orphaned, vec![decisive(owner(None))]);
    };
    let Some(is_alive) = input.is_owner_pid_alive else {
        return (RunState::Stale, vec![decisive(owner(Some(id))), absent(OWNER_PROCESS)]);
    };
    let (state, process) = match owner_pid(id) {
        None => {
            let told = text(OWNER_PROCESS, "the owner names no process id".to_owned());
            return (RunState::Stale, vec![decisive(owner(Some(id))), told]);
        }
        Some(pid) if is_alive(pid) => (RunState::Stale, ALIVE),
        Some(_) => (RunState::Orphaned, "not alive"),
    };
    (state, vec![owner(Some(id)), decisive(text(OWNER_PROCESS, process.to_owned()))])
}

/// `Math.max` of two: not a number when either is not.
fn js_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
