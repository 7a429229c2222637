//! What a derivation is worth when the clock is not sure: an age that cannot be told decides nothing.

use super::notes::{decisive, text};
use super::rule::{Derivation, DeriveRunStateInput, derive_run_state};
use crate::clock::MARGIN_MS;
use crate::evidence::{Input, Signal};
use crate::format;
use crate::smithers::wire::RunState;
use crate::text::concat;
use crate::time::{InvalidTime, Millis};
use crate::word::Word;

/// Derives what a run is doing by a clock that may be off.
///
/// Where an age may be on either side of its limit, and the error is more than [`MARGIN_MS`], there is no answer: the state is `unknown`, and the evidence names the clock. Where only what is wrong
/// differs (a timer that may be overdue), only that is left out. A sign of life from the future says that the clocks
/// disagree, whatever their error bars say. [`derive_run_state`] itself stays what the released package answers.
///
/// # Errors
/// [`InvalidTime`] where [`derive_run_state`] says so.
///
/// ```
/// use runstate::evidence::Signal;
/// use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state_by_clock};
/// use runstate::smithers::wire::{RunState, read_run};
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000}"#).unwrap();
/// let input = DeriveRunStateInput::new(&row, Millis(1_700_000_020_000.0));
/// let sure = derive_run_state_by_clock(&input, 2_000.0)?;
/// assert_eq!(sure.view.state.known(), Some(RunState::Running));
/// let unsure = derive_run_state_by_clock(&input, 40_000.0)?;
/// assert_eq!(unsure.view.state.known(), Some(RunState::Unknown));
/// assert!(unsure.evidence.inputs.iter().any(|input| input.name == Signal::ServerClock && input.decisive));
/// # Ok::<(), runstate::time::InvalidTime>(())
/// ```
pub fn derive_run_state_by_clock(
    input: &DeriveRunStateInput,
    error_ms: f64,
) -> Result<Derivation, InvalidTime> {
    let mut derived = derive_run_state(input)?;
    doubt(&mut derived, input.now, error_ms);
    Ok(derived)
}

/// Takes back what hangs on an age whose limit lies within the error bar.
fn doubt(derived: &mut Derivation, now: Millis, error_ms: f64) {
    let (view, inputs) = (&mut derived.view, &mut derived.evidence.inputs);
    let mut doubtful = false;
    for input in inputs.iter_mut() {
        let (Some(at), Some(limit)) = (input.at, input.limit_ms) else { continue };
        let age = now.since(at);
        let of_life = matches!(input.name, Signal::EngineHeartbeat | Signal::StartTime);
        let ahead = -age > MARGIN_MS.max(error_ms);
        let open = error_ms > MARGIN_MS && (age - error_ms <= limit) != (age + error_ms <= limit);
        if of_life && input.decisive && (ahead || open) {
            view.state = Word::Known(RunState::Unknown);
        } else if of_life || !open {
            continue;
        }
        view.unhealthy = None;
        if ahead {
            // It lies ahead of every moment that it may be now; the margin is the limit that it broke.
            input.limit_ms = Some(MARGIN_MS);
        }
        doubtful |= open;
    }
    if doubtful {
        inputs.push(clock(error_ms));
    }
}

fn clock(error_ms: f64) -> Input {
    let words = concat(&["± ", &format::age(error_ms)]);
    Input { limit_ms: Some(MARGIN_MS), ..decisive(text(Signal::ServerClock, words)) }
}
