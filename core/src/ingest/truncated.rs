//! Removes states that a truncated document does not support.

use crate::evidence::{Input, Signal, Value};
use crate::run::{RunInspection, Witness};
use crate::smithers::wire::RunState;
use crate::word::Word;

/// Removes a state that was derived from the absence of a field if the text is truncated before the field. The server's
/// own state stays, and so does an end. A wait stays, too, unless a later field could end it.
pub(super) fn remove_unsure_state(run: &mut RunInspection, waits_may_be_over: bool) {
    let derived = run.verdict.as_mut().filter(|verdict| verdict.is_derived());
    let Some(Witness { view, evidence, .. }) = derived else { return };
    // A run without other signs is also derived as running.
    let from_silence =
        [RunState::Running, RunState::Stale, RunState::Orphaned, RunState::Recovering, RunState::Unknown];
    let is_unsure =
        |state: RunState| from_silence.contains(&state) || waits_may_be_over && !state.is_terminal();
    if !view.state.known().is_some_and(is_unsure) {
        return;
    }
    (view.state, view.blocked, view.unhealthy) = (Word::Known(RunState::Unknown), None, None);
    evidence.inputs.iter_mut().for_each(|input| input.decisive = false);
    let value = Value::Text("cut off".to_owned());
    evidence.inputs.push(Input::new(Signal::RestOfRow, value, true));
    run.row = None;
}
