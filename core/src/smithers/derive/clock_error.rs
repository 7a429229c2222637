//! Applies the known error of a clock: an uncertain age decides nothing.

use super::derivation::Derivation;
use super::inputs::{decisive, text};
use crate::clock::MARGIN_MS;
use crate::evidence::{Input, Signal, Value};
use crate::format;
use crate::smithers::wire::RunState;
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

/// Removes conclusions from an age whose limit is within the clock's error.
///
/// If an age may be on either side of its limit, and the error exceeds [`MARGIN_MS`], the state is `unknown`, and the
/// evidence names the clock. If only the health depends on the age (a timer that may be overdue), only the health is
/// removed. A sign of life from the future means that the clocks disagree, whatever the error, and one that is no time at all
/// has no age.
pub(super) fn remove_uncertain(derived: &mut Derivation, now: Millis, error_ms: f64) {
    let (view, inputs) = (&mut derived.view, &mut derived.evidence.inputs);
    let mut doubtful = false;
    for input in inputs.iter_mut() {
        let is_sign_of_life = matches!(input.name, Signal::EngineHeartbeat | Signal::StartTime);
        if is_sign_of_life && input.decisive && matches!(input.value, Value::Text(_)) {
            view.state = Word::Known(RunState::Unknown);
        }
        let (Some(at), Some(limit)) = (input.at, input.limit_ms) else { continue };
        let age = now.since(at);
        let ahead = -age > MARGIN_MS.max(error_ms);
        let open = error_ms > MARGIN_MS && (age - error_ms <= limit) != (age + error_ms <= limit);
        if is_sign_of_life && input.decisive && (ahead || open) {
            view.state = Word::Known(RunState::Unknown);
        } else if is_sign_of_life || !open {
            continue;
        }
        view.unhealthy = None;
        if ahead {
            // It is later than the latest possible `now`; the limit is the margin.
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
