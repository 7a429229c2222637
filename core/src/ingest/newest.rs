//! Of two answers about one run, the newer one: by the moments that they hold, never by the order of files.

use crate::evidence::{Input, Signal, Value};
use crate::run::WitnessSource;
use crate::run::{RunInspection, Verdict};
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;
use crate::word::Word;

/// The newest moment that an answer holds: it cannot be older. What we derived ourselves is as old as what it was derived
/// from.
pub(super) fn moment(run: &RunInspection) -> Option<Millis> {
    let said = match &run.verdict {
        Verdict::Said { view, .. } => view.said_at(),
        Verdict::Derived { .. } | Verdict::Absent => None,
    };
    let settled = run.witnesses.iter().find(|witness| witness.source == WitnessSource::Server);
    let told = [said, settled.and_then(|witness| witness.at), run.last_stamp()];
    told.into_iter().flatten().reduce(|a, b| if b > a { b } else { a })
}

/// When a command printed what it derived itself.
pub(super) fn printed(run: &RunInspection) -> Option<Millis> {
    run.verdict.view().and_then(RunStateView::said_at)
}

/// Whether two answers say different states.
pub(super) fn differ(one: &RunInspection, other: &RunInspection) -> bool {
    let states = state(&one.verdict).zip(state(&other.verdict));
    states.is_some_and(|(one, other)| one != other)
}

/// Whether the run has ended by this answer.
pub(super) fn ended(run: &RunInspection) -> bool {
    state(&run.verdict).and_then(Word::known).is_some_and(RunState::is_terminal)
}

/// Which of two rows of one list is shown: the newer one; else the one that has ended, for a run ends after it ran. The
/// second value says whether their moments decided.
pub(super) fn second_counts(first: &RunInspection, second: &RunInspection) -> (bool, bool) {
    match (moment(first), moment(second)) {
        (Some(first), Some(second)) if first != second => (second > first, true),
        (_, _) => (ended(second) && !ended(first), false),
    }
}

/// Takes back what was derived from a field that is not there, where the text ends before it can have come. What the server
/// said stands, and so does an end; so does a wait, where nothing that follows its field can say that it is over.
pub(super) fn doubt(run: &mut RunInspection, waits_may_be_over: bool) {
    let Verdict::Derived { view, evidence } = &mut run.verdict else { return };
    // A run is taken to be at work where nothing speaks against it, too.
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

/// The state that a verdict says.
pub(super) fn state(verdict: &Verdict) -> Option<&Word<RunState>> {
    verdict.view().map(|view: &RunStateView| &view.state)
}
