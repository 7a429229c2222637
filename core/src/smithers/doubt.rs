//! What a derivation is worth when the clock is not sure: an age that cannot be told decides nothing.

use super::derive::{Derivation, DeriveRunStateInput, derive_run_state};
use super::facts::{decisive, text};
use super::{ReasonUnhealthy, RunState, RunStateView};
use crate::clock::{MARGIN_MS, Reading};
use crate::evidence::Input;
use crate::format;
use crate::time::{InvalidTime, Millis};
use crate::word::Word;

/// The name of the input that says how far the clock may be off.
pub const SERVER_CLOCK: &str = "server clock";

/// Derives what a run is doing by a clock that may be off.
///
/// Where the answer is another at the one end of the error bar than at the other, and the bar is longer than
/// [`MARGIN_MS`], there is no answer: the state is `unknown`, and the evidence names the clock. Where only what is wrong
/// differs (a timer that may be overdue), only that is left out. A sign of life from the future says that the clocks
/// disagree, whatever their error bars say. [`derive_run_state`] itself stays what the released package answers.
///
/// # Errors
/// [`InvalidTime`] where [`derive_run_state`] says so.
///
/// ```
/// use runstate::clock::Reading;
/// use runstate::smithers::{DeriveRunStateInput, RunState, derive_run_state_by_clock, read_run};
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000}"#).unwrap();
/// let state = |error_ms| {
///     let now = Millis(1_700_000_020_000.0);
///     let derived = derive_run_state_by_clock(&DeriveRunStateInput::new(&row, now), error_ms)?;
///     Ok::<_, runstate::time::InvalidTime>(derived.view.state.known())
/// };
/// assert_eq!(state(2_000.0)?, Some(RunState::Running));
/// assert_eq!(state(40_000.0)?, Some(RunState::Unknown));
/// # Ok::<(), runstate::time::InvalidTime>(())
/// ```
pub fn derive_run_state_by_clock(
    input: &DeriveRunStateInput,
    error_ms: f64,
) -> Result<Derivation, InvalidTime> {
    let mut derived = derive_run_state(input)?;
    let reading = Reading { now: input.now, error_ms };
    if from_the_future(&mut derived, reading) {
        withdraw(&mut derived.view);
        return Ok(derived);
    }
    if reading.is_sure() {
        return Ok(derived);
    }
    let (earliest, latest) = reading.bounds();
    let mut certain = true;
    for now in [earliest, latest] {
        let other = derive_run_state(&DeriveRunStateInput { now, ..input.clone() })?;
        if other.view.state != derived.view.state {
            withdraw(&mut derived.view);
            certain = false;
        } else if kind(&other.view) != kind(&derived.view) {
            derived.view.unhealthy = None;
            certain = false;
        }
    }
    if !certain {
        derived.evidence.inputs.push(clock(error_ms));
    }
    Ok(derived)
}

fn kind(view: &RunStateView) -> Option<&str> {
    view.unhealthy.as_ref().map(ReasonUnhealthy::kind)
}

/// No state is named, and so nothing is wrong with it.
fn withdraw(view: &mut RunStateView) {
    view.state = Word::Known(RunState::Unknown);
    view.unhealthy = None;
}

/// Whether the sign of life that decided lies ahead of every moment that it may be now. Its limit is the margin then.
fn from_the_future(derived: &mut Derivation, reading: Reading) -> bool {
    let (_, latest) = reading.bounds();
    let ahead = |at: Millis| at.0 > latest.0.max(reading.now.0 + MARGIN_MS);
    let sign = |input: &&mut Input| {
        input.decisive
            && matches!(input.name, "engine heartbeat" | "start time")
            && input.at.is_some_and(ahead)
    };
    match derived.evidence.inputs.iter_mut().find(sign) {
        Some(input) => {
            input.limit_ms = Some(MARGIN_MS);
            true
        }
        None => false,
    }
}

fn clock(error_ms: f64) -> Input {
    let words = if error_ms.is_finite() {
        format!("off by up to {}", format::age(error_ms))
    } else {
        "off by nobody knows how much".to_owned()
    };
    Input { limit_ms: Some(MARGIN_MS), ..decisive(text(SERVER_CLOCK, words)) }
}
