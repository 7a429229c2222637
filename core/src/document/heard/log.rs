//! Event logs among the pieces: what they say of their runs.

use super::{Context, Heard, Statement};
use crate::inspection::{NodeStatus, RunInspection, Verdict};
use crate::json::{ReadError, Slice, fields, items};
use crate::log::{Caveat, EventLog, LogNode, LogView};
use crate::smithers::{Attempt, NodeState, RunStateView};
use crate::text::concat;
use crate::word::Word;

impl Heard {
    /// Takes in an event log.
    pub(super) fn log(&mut self, bytes: &[u8], context: Context<'_>) {
        let mut log = EventLog::new();
        log.push(bytes);
        self.add_log(log, context);
    }

    /// Takes in a list of events, as the REST interface answers it.
    pub(super) fn events(&mut self, list: Slice<'_>, context: Context<'_>) -> Result<(), ReadError> {
        let mut log = EventLog::new();
        for event in items(list)? {
            log.push_value(event?.json());
        }
        self.add_log(log, context);
        Ok(())
    }

    fn add_log(&mut self, mut log: EventLog, context: Context<'_>) {
        log.finish();
        for problem in log.problems() {
            let place = format!("line {}, column {}", problem.line, problem.column);
            let place = [context.name, context.part, Some(&place)];
            self.note(super::place(&place, &problem.message));
        }
        let view = log.view(context.clock.now);
        let others: Vec<String> = view.other_runs.iter().map(|run| run.run_id.clone()).collect();
        for run_id in view.run_id.into_iter().chain(others) {
            let Some(view) = log.view_of(&run_id, context.clock.now) else { continue };
            for caveat in &view.caveats {
                if let Some(message) = in_words(caveat) {
                    let message = concat(&[&run_id, ": ", &message]);
                    self.note(super::place(&[context.name, context.part], &message));
                }
            }
            let nodes = log.nodes(&run_id);
            let attempts = nodes.iter().filter_map(attempt).collect();
            let nodes = nodes.into_iter().map(of_node).collect();
            let as_of = view.as_of;
            let read_from =
                context.name.map_or_else(|| "event log".to_owned(), |name| concat(&["event log ", name]));
            let run = RunInspection { nodes, attempts, ..of_view(view, read_from) };
            self.tell(as_of, Statement::Logged(Box::new(run)));
        }
        self.logs.push(log);
    }
}

/// What must be known to rely on the state. Lines that were not read are named each.
fn in_words(caveat: &Caveat) -> Option<String> {
    Some(match caveat {
        Caveat::Lost { events, gaps } => {
            format!("Events are missing: {events}, in {gaps} places. The state may be another by now.")
        }
        Caveat::AfterTheEnd { events } => {
            format!("Events after the run's end: {events}. Nothing says that it was resumed.")
        }
        Caveat::NoStart => "The log does not begin with the run's start.".to_owned(),
        Caveat::Unread { .. } | Caveat::Repeated { .. } | Caveat::FromNodes | Caveat::EndMayBeMissing => {
            return None;
        }
    })
}

/// Whether this is a list of events.
pub(super) fn is_events(first: Slice<'_>) -> Result<bool, ReadError> {
    let [kind, event, at] = fields(first, ["type", "event", "timestampMs"])?;
    Ok(kind.or(event).is_some() && at.is_some())
}

fn of_view(view: LogView, read_from: String) -> RunInspection {
    let run_id = view.run_id.unwrap_or_default();
    let computed_at = view.as_of.and_then(|at| at.to_iso().ok());
    let mut evidence = view.evidence;
    evidence.read_from = read_from;
    let verdict = computed_at.map_or(Verdict::Absent, |computed_at| Verdict::Derived {
        view: RunStateView {
            run_id: run_id.clone(),
            computed_at: Some(computed_at),
            state: view.state,
            blocked: view.blocked,
            unhealthy: None,
        },
        evidence,
    });
    RunInspection {
        run_id: Some(run_id),
        workflow: view.workflow,
        started_at: view.started_at,
        finished_at: view.ended_at,
        verdict,
        summary: view.nodes.into_iter().map(|(state, count)| (Word::Known(state), count)).collect(),
        error: view.error,
        failed_children: view.failed_children,
        continued: view.continued_as.is_some(),
        boundary: view.boundary,
        ..RunInspection::default()
    }
}

/// The attempt that is under way, with its last heartbeat. How long it may be silent is not in a log.
fn attempt(node: &LogNode) -> Option<Attempt> {
    (node.state == NodeState::InProgress && !node.retrying).then(|| Attempt {
        node_id: node.node_id.clone(),
        iteration: node.iteration,
        attempt: node.attempt,
        state: Word::Known(node.state),
        started_at: node.started_at,
        // A heartbeat of an attempt before says nothing of this one.
        heartbeat_at: node.heartbeat_at.filter(|beat| node.started_at.is_none_or(|start| *beat >= start)),
        heartbeat_timeout_ms: None,
        retries: None,
    })
}

fn of_node(node: LogNode) -> NodeStatus {
    NodeStatus {
        node_id: node.node_id,
        iteration: node.iteration,
        state: Word::Known(node.state),
        last_attempt: node.attempt,
        label: None,
        updated_at: Some(node.changed_at),
        started_at: node.started_at,
        finished_at: node.ended_at,
    }
}
