//! Facts that a run's state hides (protocol section 5, quirks 14 and 15).

use crate::run::RunInspection;
use crate::run::index::Index;
use crate::run::nodes::{Place, count, in_state};
use crate::smithers::wire::{NodeState, RunState};
use crate::time::Millis;
use crate::tree::Node;
use crate::word::Vocabulary;

/// A fact that the state hides.
///
/// `succeeded` alone hides that another run continues the work.
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::run::{Hidden, hidden};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"continued"}"#)?;
/// let run = RunInspection::from_row(&row, "listRuns", Millis(0.0));
/// assert_eq!(run.view().unwrap().state.as_str(), "succeeded");
/// assert_eq!(hidden(&run), [Hidden::Continued]);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Hidden {
    /// Waiting nodes that the state does not mention.
    Waiting {
        /// The state in which they wait.
        state: NodeState,
        /// The nodes, each with its iteration; empty if only their number is known.
        nodes: Vec<(String, u32)>,
        /// The number of nodes.
        count: usize,
    },
    /// The Gateway reports a node as `failed` while the run continues: it may only wait for its next attempt.
    Retrying {
        /// The nodes; empty if only their number is known.
        nodes: Vec<Retry>,
        /// The number of nodes.
        count: usize,
    },
    /// The run succeeded despite failures.
    ToleratedFailures {
        /// The number of failures.
        count: u64,
        /// The known keys, `node::iteration`.
        keys: Vec<String>,
    },
    /// The run succeeded, and another run continues its work.
    Continued,
    /// The run goes on, although a request to cancel it was recorded.
    CancelRequested {
        /// The time of the request.
        at: Millis,
    },
    /// The run goes on, although a request to pause it was recorded.
    PauseRequested {
        /// The time of the request.
        at: Millis,
    },
    /// The run goes on, although its row has the time of an end.
    EndRecorded {
        /// The time of that end.
        at: Millis,
    },
    /// The run has ended, and nodes are still recorded as in progress.
    UnfinishedNodes {
        /// The nodes, each with its iteration; empty if only their number is known.
        nodes: Vec<(String, u32)>,
        /// The number of nodes.
        count: usize,
        /// If the log lacks events that may say how they ended: the number of its lines that could not be read.
        unread_lines: Option<u64>,
    },
}

/// A node between two attempts.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Retry {
    /// The node.
    pub node_id: String,
    /// The iteration of a loop.
    pub iteration: u32,
    /// The number of attempts so far.
    pub attempt: Option<u32>,
    /// The maximum number of attempts; `None` if unknown, or if the node was retried by hand.
    pub max_attempts: Option<u32>,
    /// The number of attempts that may follow; `None` if unknown.
    pub attempts_left: Option<u32>,
}

/// Returns the facts that the run's state hides, from its nodes.
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::run::{Hidden, hidden};
/// use runstate::smithers::wire::{NodeState, read_node_states, read_run};
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1000}"#)?;
/// let mut run = RunInspection::from_row(&row, "runs.get", Millis(2000.0));
/// run.nodes = read_node_states(r#"[{"nodeId":"gate","state":"waiting-approval"}]"#)?.into();
/// let gate = Hidden::Waiting { state: NodeState::WaitingApproval, nodes: vec![("gate".into(), 0)], count: 1 };
/// assert_eq!(hidden(&run), [gate]);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn hidden(run: &RunInspection) -> Vec<Hidden> {
    match run.known_state() {
        Some(RunState::Succeeded) => failures(run)
            .into_iter()
            .chain(run.continued.then_some(Hidden::Continued))
            .chain(unfinished(run))
            .collect(),
        Some(RunState::Failed | RunState::Cancelled) => unfinished(run).into_iter().collect(),
        // A word that Runstate does not know may name an end: only what the server itself counts is certain.
        None if run.failed_child_count > 0 || !run.failed_children.is_empty() => {
            failures(run).into_iter().collect()
        }
        None => Vec::new(),
        Some(
            state @ (RunState::Running
            | RunState::WaitingApproval
            | RunState::WaitingEvent
            | RunState::WaitingTimer
            | RunState::WaitingQuota
            | RunState::Paused
            | RunState::Recovering
            | RunState::Stale
            | RunState::Orphaned
            | RunState::Unknown),
        ) => hidden_by_work(run, state),
    }
}

fn failures(run: &RunInspection) -> Option<Hidden> {
    let count = run.tolerated_failures();
    (count > 0).then(|| Hidden::ToleratedFailures { count, keys: run.failed_children.clone() })
}

/// The nodes that are in progress although the run has ended.
fn unfinished(run: &RunInspection) -> Option<Hidden> {
    let nodes = in_state(run, NodeState::InProgress);
    let nodes: Vec<(String, u32)> = nodes.iter().map(|node| (node.id.to_owned(), node.iteration)).collect();
    let count = nodes.len().max(count(run, NodeState::InProgress));
    let unread_lines = run.nodes.unread_lines;
    (count > 0).then_some(Hidden::UnfinishedNodes { nodes, count, unread_lines })
}

/// The requests and the end that the row of a run records although it goes on.
fn recorded_in_row(run: &RunInspection) -> Vec<Hidden> {
    let row = run.row.as_ref();
    let valid = |at: &Millis| at.0.is_finite() && at.0 > 0.0;
    let cancel = row.and_then(|row| row.cancel_requested_at).filter(valid);
    let pause = row.and_then(|row| row.pause_requested_at).filter(valid);
    // A run that was resumed keeps the time of its former end until it ends again.
    let end = run.finished_at.filter(valid).filter(|end| run.started_at.is_none_or(|start| start <= *end));
    [
        cancel.map(|at| Hidden::CancelRequested { at }),
        pause.map(|at| Hidden::PauseRequested { at }),
        end.map(|at| Hidden::EndRecorded { at }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn hidden_by_work(run: &RunInspection, state: RunState) -> Vec<Hidden> {
    const WAITING: [NodeState; 6] = [
        NodeState::WaitingApproval,
        NodeState::WaitingEvent,
        NodeState::WaitingTimer,
        NodeState::WaitingQuota,
        NodeState::WaitingBound,
        NodeState::BoundStale,
    ];
    let mut found: Vec<Hidden> = WAITING.into_iter().filter_map(|what| waiting(run, state, what)).collect();
    // Without an engine there is no retry.
    if !matches!(state, RunState::Stale | RunState::Orphaned | RunState::Unknown | RunState::Paused) {
        found.extend(retrying(run));
    }
    let mut recorded = recorded_in_row(run);
    // A paused run has what was requested.
    recorded.retain(|hidden| state != RunState::Paused || !matches!(hidden, Hidden::PauseRequested { .. }));
    found.extend(recorded);
    found
}

fn waiting(run: &RunInspection, state: RunState, what: NodeState) -> Option<Hidden> {
    let is_shown_state = what.waiting_run_state() == Some(state);
    let named = run.view().and_then(|view| view.blocked.as_ref()?.node_id());
    let all = in_state(run, what);
    // Without a node in the reason, the sentence names all of them.
    let shown = |node: &&Place<'_>| !(is_shown_state && named.is_none_or(|named| named == node.id));
    let mut nodes: Vec<(String, u32)> =
        all.iter().filter(shown).map(|node| (node.id.to_owned(), node.iteration)).collect();
    if run.nodes.is_empty() && run.tree.is_none() {
        // If no node is known, `smithers why` may name the waiting ones; its words are those of the nodes.
        let waits = run.reported_blockers.iter().filter(|blocker| blocker.kind.as_str() == what.as_str());
        let others = waits.filter_map(|blocker| blocker.node.as_ref());
        let others =
            others.filter(|node| !(is_shown_state && named.is_none_or(|named| named == node.node_id)));
        nodes.extend(others.map(|node| (node.node_id.clone(), node.iteration)));
    }
    let count = if all.is_empty() && nodes.is_empty() {
        count(run, what).saturating_sub(usize::from(is_shown_state))
    } else {
        nodes.len()
    };
    (count > 0).then_some(Hidden::Waiting { state: what, nodes, count })
}

fn retrying(run: &RunInspection) -> Option<Hidden> {
    let all = in_state(run, NodeState::Failed);
    let total = count(run, NodeState::Failed);
    if all.is_empty() {
        return (total > 0).then_some(Hidden::Retrying { nodes: Vec::new(), count: total });
    }
    let index = Index::new(run);
    let failed = all.iter().filter(|node| !index.is_denied(node.id, node.iteration));
    let nodes: Vec<Retry> = failed.map(|node| retry(&index, node)).filter(Retry::may_come).collect();
    if nodes.is_empty() { None } else { Some(Hidden::Retrying { count: nodes.len(), nodes }) }
}

/// The attempts of a failed node; only the tree has the maximum.
pub(crate) fn retry(index: &Index<'_>, node: &Place<'_>) -> Retry {
    let in_tree = index.node(node.id, Some(node.iteration));
    let attempts = index.attempts(node.id, node.iteration);
    let attempt = node.attempts.or_else(|| in_tree.and_then(Node::attempt));
    let most = in_tree.and_then(Node::max_attempts).or(attempts.max_attempts);
    let attempts_left = attempts.left(attempt, most);
    Retry {
        node_id: node.id.to_owned(),
        iteration: node.iteration,
        attempt,
        // Only if the number of the last attempt is that of the failures.
        max_attempts: most.filter(|most| {
            attempt.zip(attempts_left).is_some_and(|(last, left)| last.checked_add(left) == Some(*most))
        }),
        attempts_left,
    }
}

impl Retry {
    /// Whether another attempt is possible.
    pub(crate) fn may_come(&self) -> bool {
        self.attempts_left != Some(0)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_last_attempt_is_not_retried() {
        use crate::run::Retry;
        let retry = Retry {
            node_id: "build".into(),
            iteration: 0,
            attempt: Some(1),
            max_attempts: Some(3),
            attempts_left: Some(2),
        };
        assert!(retry.may_come());
        assert!(!Retry { attempts_left: Some(0), ..retry }.may_come());
    }

    #[test]
    fn a_retry_by_hand_counts_the_attempts_again() {
        use super::hidden;
        use crate::freshness::Freshness;
        use crate::json::Slice;
        use crate::run::{Hidden, RunInspection};
        use crate::smithers::wire::{read_attempt, read_node_states, read_run};
        use crate::summary::tense::Tense;
        use crate::summary::{hidden_note, text};
        use crate::time::Millis;
        let note = |last: u32, attempts: &str| {
            let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1000}"#).unwrap();
            let mut run = RunInspection::from_row(&row, "runs.get", Millis(2000.0));
            let node = format!(r#"[{{"nodeId":"boom","state":"failed","lastAttempt":{last}}}]"#);
            run.nodes = read_node_states(&node).unwrap().into();
            let tree = r#"{"id":1,"type":"task","name":"t","task":{"nodeId":"boom","maxAttempts":2}}"#;
            run.tree = Some(crate::tree::Tree::from_json(tree).unwrap());
            let rows: Vec<String> = (1..)
                .zip(attempts.split_whitespace())
                .map(|(number, state)| format!(r#"{{"nodeId":"boom","attempt":{number},"state":"{state}"}}"#))
                .collect();
            let rows = format!("[{}]", rows.join(","));
            run.attempts = Slice::new(&rows).read_items(read_attempt).unwrap();
            let found = hidden(&run).into_iter().find(|fact| matches!(fact, Hidden::Retrying { .. }));
            let live = Freshness::Live { read_at: Millis(2000.0) };
            let tense = Tense::new(&live, false, None, Millis(2000.0));
            found.map(|fact| text(&hidden_note(&fact, &tense)))
        };
        let waits = |attempt: &str| Some(format!("boom failed at attempt {attempt} and waits for the next."));
        let reset = "cancelled cancelled";
        assert_eq!(note(1, ""), waits("1 of 2"));
        assert_eq!(note(1, "failed"), waits("1 of 2"));
        assert_eq!(note(2, "failed failed"), None);
        assert_eq!(note(3, &format!("{reset} failed")), waits("3"));
        assert_eq!(note(4, &format!("{reset} failed failed")), None);
        // A killed attempt does not count either.
        assert_eq!(note(2, "cancelled failed"), waits("2"));
        // The rows are older than the last attempt, or not known.
        let may = Some("boom failed and may be tried again.".to_owned());
        assert_eq!(note(3, &format!("{reset} in-progress")), may);
        assert_eq!(note(4, ""), may);
    }
}
