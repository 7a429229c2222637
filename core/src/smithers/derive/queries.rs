//! The rows that the rule needs for a run's status, in order: the queries of `computeRunState` without I/O, for callers
//! with a synchronous or an asynchronous database.

use super::pending::{ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};
use crate::smithers::wire::{
    ApprovalRow, AttemptRow, NodeRow, NodeState, RunRow, RunStatus, SandboxRow, SandboxStatus,
};
use crate::smithers::wire::{read_event, read_timer};
use crate::word::Word;

/// A query to the database about the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Query<'a> {
    /// `listPendingApprovals(runId)`.
    PendingApprovals,
    /// `listNodes(runId)`.
    Nodes,
    /// `listAttempts(runId, nodeId, iteration)`.
    Attempts {
        /// The node.
        node_id: &'a str,
        /// The round of a loop.
        iteration: f64,
    },
    /// `listSandboxes(runId)`, if the database has it.
    Sandboxes,
}

/// The rows that answer a [`Query`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum QueryAnswer {
    /// To [`Query::PendingApprovals`].
    Approvals(Vec<ApprovalRow>),
    /// To [`Query::Nodes`].
    Nodes(Vec<NodeRow>),
    /// To [`Query::Attempts`], the newest attempt first.
    Attempts(Vec<AttemptRow>),
    /// To [`Query::Sandboxes`]; `None` if the database lacks the table.
    Sandboxes(Option<Vec<SandboxRow>>),
}

/// The data of the rows, as input of [`derive_run_state`](super::derive_run_state).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PendingSignals {
    /// The oldest pending approval.
    pub pending_approval: Option<PendingApproval>,
    /// The timer that fires next.
    pub pending_timer: Option<PendingTimer>,
    /// The event of the first node that waits for one.
    pub pending_event: Option<PendingEvent>,
    /// Why the run is parked when no node waits for an event.
    pub parked_event_block: Option<ParkedEventBlock>,
    /// The last reports of the active sandboxes.
    pub sandbox_heartbeats: Option<Vec<f64>>,
}

/// Requests the rows that a run's status needs, one query at a time.
///
/// ```
/// use runstate::smithers::derive::{QueryAnswer, RowQueries, Query};
/// use runstate::smithers::wire::{ApprovalRow, RunRow};
///
/// let row: RunRow = serde_json::from_str(r#"{"runId":"r1","status":"waiting-approval"}"#)?;
/// let mut queries = RowQueries::new(&row);
/// assert_eq!(queries.query(), Some(Query::PendingApprovals));
/// queries.answer(QueryAnswer::Approvals(vec![ApprovalRow::new("ask", Some(5.0))]));
/// assert_eq!(queries.query(), None);
/// assert_eq!(queries.finish().pending_approval.map(|approval| approval.node_id), Some("ask".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug)]
pub struct RowQueries {
    step: Step,
    found: PendingSignals,
}

#[derive(Debug)]
enum Step {
    Approvals,
    TimerNodes,
    /// The waiting nodes with unread attempts, the next one last.
    TimerAttempts(Vec<NodeRow>),
    EventNodes,
    EventAttempts(NodeRow),
    ParkedNodes,
    Sandboxes,
    Done,
}

impl RowQueries {
    /// Starts with the first query for the run's status, if any.
    pub fn new(run: &RunRow) -> Self {
        Self::for_status(run.status.as_ref())
    }

    /// Like [`new`](Self::new), given only the status.
    ///
    /// ```
    /// use runstate::smithers::derive::{RowQueries, Query};
    /// use runstate::word::Word;
    ///
    /// assert_eq!(RowQueries::for_status(Some(&Word::new("waiting-timer"))).query(), Some(Query::Nodes));
    /// // A run that has ended needs no other row.
    /// assert_eq!(RowQueries::for_status(Some(&Word::new("failed"))).query(), None);
    /// ```
    pub fn for_status(status: Option<&Word<RunStatus>>) -> Self {
        let step = match status.and_then(Word::known) {
            Some(RunStatus::WaitingApproval) => Step::Approvals,
            Some(RunStatus::WaitingTimer) => Step::TimerNodes,
            Some(RunStatus::WaitingEvent) => Step::EventNodes,
            Some(RunStatus::Running) => Step::Sandboxes,
            Some(
                RunStatus::WaitingQuota
                | RunStatus::Paused
                | RunStatus::Finished
                | RunStatus::Continued
                | RunStatus::Failed
                | RunStatus::Cancelled,
            )
            | None => Step::Done,
        };
        Self { step, found: PendingSignals::default() }
    }

    /// The next query; `None` after the last one.
    pub fn query(&self) -> Option<Query<'_>> {
        match &self.step {
            Step::Approvals => Some(Query::PendingApprovals),
            Step::TimerNodes | Step::EventNodes | Step::ParkedNodes => Some(Query::Nodes),
            Step::TimerAttempts(nodes) => nodes.last().map(attempts_query),
            Step::EventAttempts(node) => Some(attempts_query(node)),
            Step::Sandboxes => Some(Query::Sandboxes),
            Step::Done => None,
        }
    }

    /// Takes the answer to [`query`](Self::query). An answer to another query is ignored.
    pub fn answer(&mut self, answer: QueryAnswer) {
        let step = std::mem::replace(&mut self.step, Step::Done);
        self.step = match (step, answer) {
            (Step::Approvals, QueryAnswer::Approvals(rows)) => {
                self.found.pending_approval = oldest_approval(rows);
                Step::Done
            }
            (Step::TimerNodes, QueryAnswer::Nodes(rows)) => {
                next_timer(in_state(rows, NodeState::WaitingTimer).rev().collect())
            }
            (Step::TimerAttempts(mut nodes), QueryAnswer::Attempts(rows)) => {
                if let Some(node) = nodes.pop() {
                    self.take_timer(node, &rows);
                }
                next_timer(nodes)
            }
            (Step::EventNodes, QueryAnswer::Nodes(rows)) => {
                let waiting = in_state(rows, NodeState::WaitingEvent).next();
                waiting.map_or(Step::ParkedNodes, Step::EventAttempts)
            }
            (Step::EventAttempts(node), QueryAnswer::Attempts(rows)) => {
                self.take_event(node, &rows);
                Step::Done
            }
            (Step::ParkedNodes, QueryAnswer::Nodes(rows)) => {
                self.found.parked_event_block = Some(parked_event_block(rows));
                Step::Done
            }
            (Step::Sandboxes, QueryAnswer::Sandboxes(rows)) => {
                self.found.sandbox_heartbeats = rows.map(active_heartbeats);
                Step::Done
            }
            (
                step,
                QueryAnswer::Approvals(_)
                | QueryAnswer::Nodes(_)
                | QueryAnswer::Attempts(_)
                | QueryAnswer::Sandboxes(_),
            ) => step,
        };
    }

    /// The data of all answers.
    pub fn finish(self) -> PendingSignals {
        self.found
    }

    fn take_event(&mut self, node: NodeRow, attempts: &[AttemptRow]) {
        let meta = waiting_meta(attempts, NodeState::WaitingEvent);
        let correlation_key = meta.and_then(read_event).unwrap_or_default();
        self.found.pending_event = Some(PendingEvent { node_id: node.node_id, correlation_key });
    }

    fn take_timer(&mut self, node: NodeRow, attempts: &[AttemptRow]) {
        let Some(fires_at_ms) = waiting_meta(attempts, NodeState::WaitingTimer).and_then(read_timer) else {
            return;
        };
        if self.found.pending_timer.as_ref().is_none_or(|found| fires_at_ms < found.fires_at_ms) {
            self.found.pending_timer = Some(PendingTimer { node_id: node.node_id, fires_at_ms });
        }
    }
}

fn attempts_query(node: &NodeRow) -> Query<'_> {
    Query::Attempts { node_id: &node.node_id, iteration: node.iteration.unwrap_or(0.0) }
}

fn in_state(nodes: Vec<NodeRow>, state: NodeState) -> impl DoubleEndedIterator<Item = NodeRow> {
    nodes.into_iter().filter(move |node| is_in(node.state.as_ref(), state))
}

fn next_timer(nodes: Vec<NodeRow>) -> Step {
    if nodes.is_empty() { Step::Done } else { Step::TimerAttempts(nodes) }
}

/// The first of the oldest approvals. As in the released reader, a time of NaN is kept if it comes first.
fn oldest_approval(rows: Vec<ApprovalRow>) -> Option<PendingApproval> {
    let mut oldest: Option<PendingApproval> = None;
    for row in rows {
        let Some(requested_at_ms) = row.requested_at_ms else { continue };
        if oldest.as_ref().is_none_or(|found| requested_at_ms < found.requested_at_ms) {
            oldest = Some(PendingApproval { node_id: row.node_id, requested_at_ms });
        }
    }
    oldest
}

/// The `metaJson` of the waiting attempt, else of the first one.
fn waiting_meta(attempts: &[AttemptRow], state: NodeState) -> Option<&str> {
    let waiting = attempts.iter().find(|attempt| is_in(attempt.state.as_ref(), state));
    waiting.or(attempts.first())?.meta_json.as_deref()
}

fn parked_event_block(nodes: Vec<NodeRow>) -> ParkedEventBlock {
    let pending = nodes.into_iter().find(|node| is_in(node.state.as_ref(), NodeState::Pending));
    pending.map_or(ParkedEventBlock::ExternalTrigger, |node| {
        ParkedEventBlock::ApprovalDecidedResumeRequired { node_id: node.node_id }
    })
}

fn active_heartbeats(rows: Vec<SandboxRow>) -> Vec<f64> {
    rows.into_iter()
        .filter(|sandbox| sandbox.status.as_ref().is_some_and(|status| !has_ended(status)))
        .filter_map(|sandbox| sandbox.heartbeat_at_ms)
        .collect()
}

/// Whether a sandbox ended; the vocabulary has the ends alone.
fn has_ended(status: &Word<SandboxStatus>) -> bool {
    match status.known() {
        Some(SandboxStatus::Finished | SandboxStatus::Failed | SandboxStatus::Cancelled) => true,
        None => false,
    }
}

fn is_in(state: Option<&Word<NodeState>>, expected: NodeState) -> bool {
    state.and_then(Word::known) == Some(expected)
}
