//! Chooses the witness that is shown, and finds those that contradict it.

use super::{Witness, WitnessSource};
use crate::smithers::wire::RunState;

/// All witnesses, and the one that is shown.
///
/// ```
/// use runstate::evidence::Evidence;
/// use runstate::smithers::wire::RunState;
/// use runstate::run::{Witness, WitnessSource, weigh};
///
/// let says = |source, state: RunState| Witness { source, state: state.into(), at: None, evidence: Evidence::default() };
/// let testimony =
///     weigh(vec![says(WitnessSource::Rows, RunState::Failed), says(WitnessSource::Server, RunState::Succeeded)]);
/// assert_eq!(testimony.witnesses().len(), 2);
/// assert_eq!(testimony.shown().unwrap().state.as_str(), "succeeded");
/// assert_eq!(testimony.because(), "the Gateway's own answer");
/// // The disagreement is not hidden.
/// assert_eq!(testimony.against()[0].state.as_str(), "failed");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Testimony {
    witnesses: Vec<Witness>,
    shown: Option<usize>,
}

impl Testimony {
    /// Shows the first witness.
    pub(super) fn show_first(witnesses: Vec<Witness>) -> Self {
        let shown = (!witnesses.is_empty()).then_some(0);
        Self { witnesses, shown }
    }

    /// All witnesses, in the order given.
    pub fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }

    /// The one whose state is shown; `None` where there is no witness.
    pub fn shown(&self) -> Option<&Witness> {
        self.witnesses.get(self.shown?)
    }

    /// The witnesses that contradict the one that is shown.
    pub fn against(&self) -> Vec<&Witness> {
        let Some(shown) = self.shown() else { return Vec::new() };
        self.witnesses.iter().filter(|witness| !agrees(shown, witness)).collect()
    }

    /// Why this one is shown, as the end of a sentence.
    pub fn because(&self) -> &'static str {
        let overruled =
            self.shown().is_some_and(|shown| self.witnesses.iter().any(|w| w.source < shown.source));
        match self.shown().map(|shown| shown.source) {
            Some(WitnessSource::Rows) if overruled => "the only one with an age",
            Some(WitnessSource::Events) if overruled => "the newest",
            Some(WitnessSource::Server) => "the Gateway's own answer",
            Some(WitnessSource::Rows) => "derived from the run's row",
            Some(WitnessSource::Snapshot) => "the header of the tree",
            Some(WitnessSource::Events) => "nothing else was read",
            None => "nobody says anything",
        }
    }
}

/// Weighs what the witnesses say: the most trusted source is shown, of two from one source the newer.
///
/// Two things are stronger than a source's rank. A sign of life that is too old: a server that says `running` over a row
/// whose heartbeat had expired when it looked has no evidence for it. And time: an end that is written later than anything
/// else that was read is the end, and what happened after the server answered is what happens now.
///
/// ```
/// use runstate::evidence::Evidence;
/// use runstate::smithers::wire::RunState;
/// use runstate::run::{Witness, WitnessSource, weigh};
/// use runstate::time::Millis;
///
/// let says = |source, state: RunState, at| {
///     Witness { source, state: state.into(), at: Some(Millis(at)), evidence: Evidence::default() }
/// };
/// let server = says(WitnessSource::Server, RunState::Succeeded, 9_000.0);
/// let stream = says(WitnessSource::Snapshot, RunState::Running, 5_000.0);
/// let testimony = weigh(vec![stream, server]);
/// assert_eq!(testimony.shown().unwrap().source, WitnessSource::Server);
/// assert!(testimony.against().is_empty(), "the stream's header is from before the end");
/// ```
pub fn weigh(witnesses: Vec<Witness>) -> Testimony {
    let mut shown: Option<usize> = None;
    for (place, witness) in witnesses.iter().enumerate() {
        if shown.is_none_or(|best| witnesses.get(best).is_some_and(|best| is_better(witness, best))) {
            shown = Some(place);
        }
    }
    let best = shown.and_then(|place| witnesses.get(place));
    let expired = |witness: &Witness| {
        witness.source == WitnessSource::Rows
            && matches!(witness.state.known(), Some(RunState::Stale | RunState::Orphaned))
            && !best.is_some_and(|best| is_before(witness, best))
    };
    if let Some(best) = best
        && best.source == WitnessSource::Server
        && best.state.known() == Some(RunState::Running)
        && let Some(rows) = witnesses.iter().position(expired)
    {
        shown = Some(rows);
    }
    if let Some(place) = shown
        && let Some(later) = later_events(&witnesses, place)
    {
        shown = Some(later);
    }
    Testimony { witnesses, shown }
}

/// The witness of events that is later than the one that would be shown.
fn later_events(witnesses: &[Witness], shown: usize) -> Option<usize> {
    let best = witnesses.get(shown).filter(|best| best.source != WitnessSource::Events)?;
    let newest = |a: usize, b: usize| if is_before(&witnesses[a], &witnesses[b]) { b } else { a };
    let events = (0..witnesses.len()).filter(|place| witnesses[*place].source == WitnessSource::Events);
    let place = events.reduce(newest)?;
    let latest = &witnesses[place];
    if latest.state == best.state {
        return None;
    }
    let is_end = latest.state.known().is_some_and(RunState::is_terminal);
    let all_before = || {
        let others = witnesses.iter().filter(|other| other.source != WitnessSource::Events);
        others.filter(|other| other.state != latest.state).all(|other| is_before(other, latest))
    };
    let later = if is_end {
        all_before() || best.state.known() == Some(RunState::Unknown)
    } else {
        // After an end the server sends everything again (protocol section 5, item 6).
        let ended = best.state.known().is_some_and(RunState::is_terminal);
        let answered = matches!(best.source, WitnessSource::Server | WitnessSource::Snapshot);
        answered && !ended && is_before(best, latest)
    };
    later.then_some(place)
}

fn is_better(witness: &Witness, best: &Witness) -> bool {
    witness.source < best.source || witness.source == best.source && is_before(best, witness)
}

/// Whether one is known to be older than the other.
fn is_before(witness: &Witness, other: &Witness) -> bool {
    matches!((witness.at, other.at), (Some(at), Some(later)) if at < later)
}

/// Whether both states can be true.
fn agrees(shown: &Witness, other: &Witness) -> bool {
    let (Some(state), Some(said)) = (shown.state.known(), other.state.known()) else {
        return shown.state == other.state;
    };
    // An end is for ever, unless the run was opened again: that is worth telling. Anything else was true once.
    state == said
        || said == RunState::Unknown
        || (is_before(other, shown) && !said.is_terminal())
        || liveness(shown.source, state, other.source, said)
}

/// Whether two states of a run whose row says `running` are compatible: the Gateway may probe the owner's process and see a
/// supervisor, rows have ages, events have neither.
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
