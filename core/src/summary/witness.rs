//! Notes about disagreeing witnesses and hidden facts.

use super::Span;
use super::line::Line;
use super::tense::Tense;
use crate::format;
use crate::run::{Hidden, Retry, WitnessComparison, WitnessSource};
use crate::smithers::wire::NodeState;
use crate::text::concat;

/// The note that witnesses disagree; `None` if no witness contradicts the shown one.
///
/// ```
/// use runstate::summary::{disagreement, text};
/// use runstate::evidence::Evidence;
/// use runstate::run::{Witness, WitnessSource, compare_witnesses};
/// use runstate::smithers::wire::{RunState, RunStateView};
///
/// let says = |source, state: RunState| Witness::new(source, RunStateView::from_state(state), Evidence::default());
/// let server = says(WitnessSource::Server, RunState::Running);
/// let rows = says(WitnessSource::Rows, RunState::Stale);
/// assert_eq!(
///     text(&disagreement(&compare_witnesses([&server, &rows])).unwrap()),
///     "Sources disagree. The server says running, the rows say stale. Shown: the rows, the only one with an age."
/// );
/// ```
pub fn disagreement(comparison: &WitnessComparison<'_>) -> Option<Vec<Span>> {
    let shown = comparison.shown.filter(|_| !comparison.contradicting().is_empty())?;
    let mut line = Line::new("Sources disagree. ");
    for (place, witness) in comparison.witnesses.iter().enumerate() {
        let words = match (place, witness.source) {
            (0, WitnessSource::Server) => "The server says ",
            (0, WitnessSource::Rows) => "The rows say ",
            (0, WitnessSource::Snapshot) => "The snapshot says ",
            (0, WitnessSource::Events) => "The events say ",
            (_, WitnessSource::Server) => ", the server says ",
            (_, WitnessSource::Rows) => ", the rows say ",
            (_, WitnessSource::Snapshot) => ", the snapshot says ",
            (_, WitnessSource::Events) => ", the events say ",
        };
        line = line.words(words).code(witness.view.state.as_str());
        // The times are shown only if they differ.
        if let Some(at) =
            witness.at.filter(|_| comparison.witnesses.iter().any(|other| other.at != witness.at))
        {
            line = line.words(" at ").time(at, at);
        }
    }
    let name = match shown.source {
        WitnessSource::Server => "the server",
        WitnessSource::Rows => "the rows",
        WitnessSource::Snapshot => "the snapshot",
        WitnessSource::Events => "the events",
    };
    Some(line.words(". Shown: ").words(name).words(", ").words(comparison.reason()).words(".").into_spans())
}

/// `3 sources agree`; `None` for a single witness and for a contradiction. Witnesses with less information, or with an
/// earlier state, neither agree nor contradict.
///
/// ```
/// use runstate::summary::agreement;
/// use runstate::evidence::Evidence;
/// use runstate::run::{Witness, WitnessSource, compare_witnesses};
/// use runstate::smithers::wire::{RunState, RunStateView};
///
/// let says = |source, state: RunState| Witness::new(source, RunStateView::from_state(state), Evidence::default());
/// let both = |server, rows| {
///     agreement(&compare_witnesses(&[says(WitnessSource::Server, server), says(WitnessSource::Rows, rows)]))
/// };
/// assert_eq!(both(RunState::Failed, RunState::Failed).as_deref(), Some("2 sources agree"));
/// assert_eq!(both(RunState::Succeeded, RunState::Failed), None);
/// assert_eq!(both(RunState::Orphaned, RunState::Stale).as_deref(), Some("2 sources, no contradiction"));
/// ```
pub fn agreement(comparison: &WitnessComparison<'_>) -> Option<String> {
    let witnesses = &comparison.witnesses;
    let [first, .., _] = witnesses.as_slice() else { return None };
    let same = witnesses.iter().all(|witness| witness.view.state == first.view.state);
    let words = if same { " sources agree" } else { " sources, no contradiction" };
    comparison.contradicting().is_empty().then(|| concat(&[&witnesses.len().to_string(), words]))
}

/// A hidden fact as one sentence.
pub(crate) fn hidden_note(hidden: &Hidden, tense: &Tense<'_>) -> Vec<Span> {
    let past = tense.is_past();
    match hidden {
        Hidden::Waiting { state, nodes, count } => {
            let start = if past { "Was also waiting for " } else { "Also waiting for " };
            let ids: Vec<&str> = nodes.iter().map(|(node_id, _)| node_id.as_str()).collect();
            let line = Line::new(start).words(wait_object(*state)).words(" at ");
            match &**nodes {
                [(node_id, iteration)] => line.node_iteration(node_id, *iteration),
                _ => node_names_or_count(line, &ids, *count),
            }
        }
        Hidden::Retrying { nodes, count } => retrying(nodes, *count, past),
        Hidden::ToleratedFailures { count: 1, keys } if keys.is_empty() => {
            Line::new("1 failure was tolerated")
        }
        Hidden::ToleratedFailures { count, keys } => {
            let ids: Vec<&str> =
                keys.iter().map(|key| key.rsplit_once("::").map_or(&**key, |(node_id, _)| node_id)).collect();
            let line = Line::new(&format::count(*count as f64));
            let line =
                line.words(if *count == 1 { " failure was tolerated" } else { " failures were tolerated" });
            if ids.is_empty() { line } else { line.words(": ").node_list_of(&ids, *count as usize) }
        }
        Hidden::Continued => Line::new("The work goes on in another run"),
        Hidden::CancelRequested { at } => {
            Line::new("A request to cancel it was recorded ").append(tense.since(*at))
        }
        Hidden::PauseRequested { at } => {
            Line::new("A request to pause it was recorded ").append(tense.since(*at))
        }
        Hidden::EndRecorded { at } => {
            Line::new("An end is recorded, ").append(tense.since(*at)).words(", but the run did not end")
        }
        Hidden::UnfinishedNodes { nodes, count, unread_lines } => {
            let ids: Vec<&str> = nodes.iter().map(|(node_id, _)| node_id.as_str()).collect();
            let verb = if *count == 1 { " was" } else { " were" };
            let line = match &**nodes {
                [(node_id, iteration)] => Line::default().node_iteration(node_id, *iteration),
                _ => node_names_or_count(Line::default(), &ids, *count),
            };
            let line = line.words(verb);
            match unread_lines {
                None => line.words(" still in progress when the run ended"),
                Some(lines) => {
                    line.words(" in progress by the last event that was read; ").words(lost(*lines))
                }
            }
        }
    }
    .words(".")
    .into_spans()
}

/// Why the events of a log do not say everything. Without a number: an export omits lines that could not be read.
fn lost(lines: u64) -> &'static str {
    if lines == 0 { "later events are missing" } else { "some lines could not be read" }
}

fn wait_object(state: NodeState) -> &'static str {
    match state {
        NodeState::WaitingApproval => "a decision",
        NodeState::WaitingEvent => "an event",
        NodeState::WaitingTimer => "a timer",
        NodeState::WaitingQuota => "provider quota",
        NodeState::WaitingBound => "a bound value",
        NodeState::BoundStale => "a bound value that changed",
        NodeState::Pending
        | NodeState::InProgress
        | NodeState::Finished
        | NodeState::Failed
        | NodeState::Cancelled
        | NodeState::Skipped => "nothing",
    }
}

fn retrying(nodes: &[Retry], count: usize, past: bool) -> Line {
    let ([node], true) = (nodes, count == 1) else {
        let ids: Vec<&str> = nodes.iter().map(|node| node.node_id.as_str()).collect();
        let line = node_names_or_count(Line::default(), &ids, count);
        return line.words(if past {
            " had failed and could be tried again"
        } else {
            " failed and may be tried again"
        });
    };
    let line = Line::default().node_iteration(&node.node_id, node.iteration);
    match (node.attempt, node.attempts_left) {
        (Some(attempt), Some(_)) => {
            let verb = if past { " had failed at attempt " } else { " failed at attempt " };
            let rest = if past { " and was waiting for the next" } else { " and waits for the next" };
            let most = node.max_attempts.map(|most| format!(" of {most}")).unwrap_or_default();
            line.words(verb).words(&format!("{attempt}{most}")).words(rest)
        }
        (_, _) => line.words(if past {
            " had failed and could be tried again"
        } else {
            " failed and may be tried again"
        }),
    }
}

/// The names of the nodes, or only their number.
fn node_names_or_count(line: Line, ids: &[&str], count: usize) -> Line {
    match (ids, count) {
        ([], 1) => line.words("1 node"),
        ([], many) => line.words(&format!("{} nodes", format::count(many as f64))),
        (ids, many) => line.node_list_of(ids, many),
    }
}
