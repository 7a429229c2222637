//! Decides which of two answers about one run is newer: by the times in them, never by the order of the files.

use crate::evidence::{Input, Signal, Value};
use crate::run::{RunInspection, Witness};
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;
use crate::word::Word;

/// Returns the latest time in an answer; the answer cannot be older. A derived state is as old as its inputs.
pub(super) fn latest_time(run: &RunInspection) -> Option<Millis> {
    let answer = run.all_witnesses().find(|witness| !witness.is_derived());
    let times = [answer.and_then(|witness| witness.at), run.last_stamp()];
    times.into_iter().flatten().reduce(|a, b| if b > a { b } else { a })
}

/// Returns the time at which a command printed a state that it derived.
pub(super) fn printed_at(run: &RunInspection) -> Option<Millis> {
    run.view().and_then(RunStateView::computed_time)
}

/// Whether two answers have different states.
pub(super) fn states_differ(one: &RunInspection, other: &RunInspection) -> bool {
    one.view().zip(other.view()).is_some_and(|(one, other)| one.state != other.state)
}

/// Whether the run has ended according to this answer.
pub(super) fn has_ended(run: &RunInspection) -> bool {
    run.known_state().is_some_and(RunState::is_terminal)
}

/// Whether the second of two rows of one list is shown: the newer one, else the one that has ended, because a run ends
/// after it ran. The second value tells whether their times decided.
pub(super) fn is_second_shown(first: &RunInspection, second: &RunInspection) -> (bool, bool) {
    match (latest_time(first), latest_time(second)) {
        (Some(first), Some(second)) if first != second => (second > first, true),
        (_, _) => (has_ended(second) && !has_ended(first), false),
    }
}

/// Removes a state that was derived from the absence of a field if the text is truncated before the field. The server's
/// own state stays, and so does an end. A wait stays, too, unless a later field could end it.
pub(super) fn remove_unsure_state(run: &mut RunInspection, waits_may_be_over: bool) {
    let derived = run.verdict.as_mut().filter(|verdict| verdict.is_derived());
    let Some(Witness { view, evidence, .. }) = derived else { return };
    // A run without other signs is also derived as running.
    let from_silence =
        [RunState::Running, RunState::Stale, RunState::Orphaned, RunState::Recovering, RunState::Unknown];
    let doubted =
        |state: RunState| from_silence.contains(&state) || waits_may_be_over && !state.is_terminal();
    if !view.state.known().is_some_and(doubted) {
        return;
    }
    (view.state, view.blocked, view.unhealthy) = (Word::Known(RunState::Unknown), None, None);
    evidence.inputs.iter_mut().for_each(|input| input.decisive = false);
    let value = Value::Text("cut off".to_owned());
    evidence.inputs.push(Input { name: Signal::RestOfRow, value, at: None, limit_ms: None, decisive: true });
    run.row = None;
}
