//! Compares the witnesses of a run: which is shown, why, and which contradict it.

use super::{Witness, WitnessSource};
use crate::run::newest::is_later;
use crate::smithers::wire::RunState;
use crate::word::Word;

/// Witnesses, and the shown one among them.
///
/// ```
/// use runstate::evidence::Evidence;
/// use runstate::run::{Witness, WitnessSource, compare_witnesses};
/// use runstate::smithers::wire::{RunState, RunStateView};
///
/// let says = |source, state: RunState| Witness::new(source, RunStateView::from_state(state), Evidence::default());
/// let witnesses = [says(WitnessSource::Rows, RunState::Failed), says(WitnessSource::Server, RunState::Succeeded)];
/// let comparison = compare_witnesses(&witnesses);
/// assert_eq!(comparison.shown.unwrap().view.state.as_str(), "succeeded");
/// assert_eq!(comparison.reason(), "the Gateway's own response");
/// // The disagreement is not hidden.
/// assert_eq!(comparison.contradicting()[0].view.state.as_str(), "failed");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WitnessComparison<'a> {
    /// All witnesses, in the order given.
    pub witnesses: Vec<&'a Witness>,
    /// The witness whose state is shown; `None` if there are no witnesses.
    pub shown: Option<&'a Witness>,
}

impl<'a> WitnessComparison<'a> {
    /// The witnesses that contradict the shown one.
    pub fn contradicting(&self) -> Vec<&'a Witness> {
        let Some(shown) = self.shown else { return Vec::new() };
        self.witnesses.iter().copied().filter(|witness| !agrees(shown, witness)).collect()
    }

    /// The reason why the witness is shown, as the end of a sentence.
    pub fn reason(&self) -> &'static str {
        let Some(shown) = self.shown else { return "there are no witnesses" };
        let overruled = self.witnesses.iter().any(|witness| witness.source < shown.source);
        match shown.source {
            WitnessSource::Rows if overruled => "the only one with an age",
            WitnessSource::Events if overruled => "the newest",
            WitnessSource::Server => "the Gateway's own response",
            WitnessSource::Rows => "derived from the run's row",
            WitnessSource::Snapshot => "the header of the tree",
            WitnessSource::Events => "nothing else was read",
        }
    }
}

/// Selects the shown witness: the highest rank, then the newest.
///
/// Two rules take precedence over the rank of a source. If the server answers `running` although the row's heartbeat had
/// expired by then, the row is shown: the server has no evidence for its answer. If the events are later than all other
/// data and end the run, or are later than the server's answer, the events are shown.
///
/// ```
/// use runstate::evidence::Evidence;
/// use runstate::run::{Witness, WitnessSource, compare_witnesses};
/// use runstate::smithers::wire::{RunState, RunStateView};
/// use runstate::time::Millis;
///
/// let says = |source, state: RunState, at| {
///     let mut witness = Witness::new(source, RunStateView::from_state(state), Evidence::default());
///     witness.at = Some(Millis(at));
///     witness
/// };
/// let server = says(WitnessSource::Server, RunState::Succeeded, 9_000.0);
/// let stream = says(WitnessSource::Snapshot, RunState::Running, 5_000.0);
/// let comparison = compare_witnesses([&stream, &server]);
/// assert_eq!(comparison.shown.unwrap().source, WitnessSource::Server);
/// assert!(comparison.contradicting().is_empty(), "the stream's header is from before the end");
/// ```
pub fn compare_witnesses<'a>(witnesses: impl IntoIterator<Item = &'a Witness>) -> WitnessComparison<'a> {
    let witnesses: Vec<&Witness> = witnesses.into_iter().collect();
    let best = witnesses.iter().copied().reduce(|best, next| if is_better(next, best) { next } else { best });
    let shown = best.map(|best| {
        let best = expired_row(&witnesses, best).unwrap_or(best);
        later_events(&witnesses, best).unwrap_or(best)
    });
    WitnessComparison { witnesses, shown }
}

/// The row whose heartbeat had expired when the server answered `running`.
fn expired_row<'a>(witnesses: &[&'a Witness], best: &Witness) -> Option<&'a Witness> {
    let says_running =
        best.source == WitnessSource::Server && best.view.state.known() == Some(RunState::Running);
    witnesses.iter().copied().filter(|_| says_running).find(|witness| {
        witness.source == WitnessSource::Rows
            && matches!(witness.view.state.known(), Some(RunState::Stale | RunState::Orphaned))
            && !is_before(witness, best)
    })
}

/// The events' witness, if it is later than the otherwise shown one.
fn later_events<'a>(witnesses: &[&'a Witness], best: &Witness) -> Option<&'a Witness> {
    if best.source == WitnessSource::Events {
        return None;
    }
    let (events, others): (Vec<&Witness>, Vec<&Witness>) =
        witnesses.iter().partition(|witness| witness.source == WitnessSource::Events);
    let latest = events.into_iter().reduce(|a, b| if is_before(a, b) { b } else { a })?;
    if latest.view.state == best.view.state {
        return None;
    }
    let is_end = |witness: &Witness| witness.view.state.known().is_some_and(RunState::is_terminal);
    let is_later = if is_end(latest) {
        let mut differing = others.iter().filter(|other| other.view.state != latest.view.state);
        best.view.state.known() == Some(RunState::Unknown) || differing.all(|other| is_before(other, latest))
    } else {
        // After an end the server sends everything again (protocol section 5, item 6).
        !best.is_derived() && !is_end(best) && is_before(best, latest)
    };
    is_later.then_some(latest)
}

fn is_better(witness: &Witness, best: &Witness) -> bool {
    witness.source < best.source || witness.source == best.source && is_before(best, witness)
}

/// Whether one is known to be older than the other.
fn is_before(witness: &Witness, other: &Witness) -> bool {
    is_later(other.at, witness.at)
}

/// Whether both states can be true.
fn agrees(shown: &Witness, other: &Witness) -> bool {
    let (Some(state), Some(said)) = (shown.view.state.known(), other.view.state.known()) else {
        return shown.view.state == other.view.state || refines(&shown.view.state, &other.view.state);
    };
    // An end is final unless the run was reopened, which deserves a note. Any other state was true at its time.
    state == said
        || said == RunState::Unknown
        || (is_before(other, shown) && !said.is_terminal())
        || liveness(shown.source, state, other.source, said)
}

/// Whether one of two words is the other one with an addition: `succeeded-with-failures` and `succeeded`.
fn refines(state: &Word<RunState>, said: &Word<RunState>) -> bool {
    let (state, said) = (state.as_str(), said.as_str());
    let has_addition =
        |word: &str, base| word.strip_prefix(base).is_some_and(|rest| rest.starts_with(['-', '_']));
    has_addition(state, said) || has_addition(said, state)
}

/// Whether two states of a run whose row says `running` are compatible. The Gateway may probe the owner's process and see a
/// supervisor; rows have ages; events have neither.
fn liveness(source: WitnessSource, state: RunState, other: WitnessSource, said: RunState) -> bool {
    if !is_state_of_running_row(state) || !is_state_of_running_row(said) {
        return false;
    }
    match (source, other) {
        (WitnessSource::Events, _) => state == RunState::Running,
        (_, WitnessSource::Events) => said == RunState::Running,
        (_, _) => state != RunState::Running && said != RunState::Running,
    }
}

/// Whether a row that says `running` can have this state.
fn is_state_of_running_row(state: RunState) -> bool {
    match state {
        RunState::Running
        | RunState::Stale
        | RunState::Orphaned
        | RunState::Recovering
        | RunState::Unknown => true,
        RunState::WaitingApproval
        | RunState::WaitingEvent
        | RunState::WaitingTimer
        | RunState::WaitingQuota
        | RunState::Paused
        | RunState::Failed
        | RunState::Cancelled
        | RunState::Succeeded => false,
    }
}
