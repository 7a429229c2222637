//! What the events that a Gateway pushed say of one run.

use super::NodeEvent;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::json::{Slice, fields};
use crate::run::{RunInspection, Verdict};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked, RunRow, RunState, RunStateView};
use crate::text::{concat, json};
use crate::time::Millis;
use crate::word::Word;

/// The events of one run, in the order of their arrival.
#[derive(Default)]
pub(super) struct Pushed {
    /// What the first `run.completed` said.
    end: Option<ImpliedState>,
    last: Option<Last>,
    /// Nodes that failed and will be tried again.
    retrying: Vec<String>,
    /// Something was told after the server's last answer.
    news: bool,
}

/// The last event of a node.
struct Last {
    event: String,
    read_from: String,
    at: Option<Millis>,
}

/// The state that events imply.
#[derive(Clone)]
pub(super) struct ImpliedState {
    pub(super) verdict: Verdict,
    pub(super) continued: bool,
}

impl Pushed {
    /// The server said what the run is doing: what was pushed before is older.
    pub(super) fn answered(&mut self) {
        self.news = false;
    }

    pub(super) fn is_news(&self) -> bool {
        self.news
    }

    /// Whether the last thing that was told is the end.
    pub(super) fn ended(&self) -> bool {
        self.news && self.end.is_some()
    }

    /// Takes in an event about a node. An end that was told before an answer with another state is over.
    pub(super) fn heard(&mut self, event: &NodeEvent, at: Option<Millis>) {
        self.end = None;
        self.news = true;
        self.retrying.retain(|known| *known != event.node_id);
        if event.retrying {
            self.retrying.push(event.node_id.clone());
        }
        self.last = Some(Last { event: event.event.clone(), read_from: event.read_from.clone(), at });
    }

    pub(super) fn end(&mut self, run_id: &str, status: &str, read_from: &str, at: Millis) {
        if self.end.is_some() {
            return;
        }
        let row = concat(&["{\"runId\":", &json(run_id), ",\"status\":", &json(status), "}"]);
        let Ok(row) = RunRow::read(Slice::new(&row)) else { return };
        let told = RunInspection::from_row(&row, read_from, at);
        let verdict = match told.verdict {
            Verdict::Derived { view, mut evidence } => {
                evidence.inputs.iter_mut().for_each(|input| input.name = Signal::RunCompletedStatus);
                Verdict::Derived { view, evidence }
            }
            verdict @ (Verdict::Absent | Verdict::Said { .. }) => verdict,
        };
        self.news = true;
        self.end = Some(ImpliedState { verdict, continued: told.continued });
    }

    /// What was told, over the nodes as they are now; `None` where no event says anything.
    pub(super) fn told(&self, run: &RunInspection) -> Option<ImpliedState> {
        if self.end.is_some() {
            return self.end.clone();
        }
        let last = self.last.as_ref()?;
        let (state, blocked) = self.implied(run)?;
        let input = Input {
            name: Signal::LastNodeEvent,
            value: Value::Word(last.event.clone()),
            at: last.at,
            limit_ms: None,
            decisive: true,
        };
        let view = RunStateView {
            run_id: run.run_id.clone().unwrap_or_default(),
            computed_at: last.at.and_then(|at| at.to_iso().ok()),
            state: state.into(),
            blocked,
            unhealthy: None,
        };
        let evidence = Evidence { inputs: vec![input], read_from: last.read_from.clone(), read_at: last.at };
        let verdict = Verdict::Derived { view, evidence };
        Some(ImpliedState { verdict, continued: false })
    }

    /// Somebody is at work, or somebody waits and nobody is. Where neither is seen nothing is implied: a run may be parked
    /// without an event (protocol section 3.5).
    fn implied(&self, run: &RunInspection) -> Option<(RunState, Option<ReasonBlocked>)> {
        let busy = |state: &Word<NodeState>| state.known() == Some(NodeState::InProgress);
        if !self.retrying.is_empty() || run.nodes.iter().any(|node| busy(&node.state)) {
            return Some((RunState::Running, None));
        }
        let parks = |node: &&NodeStatus| !waits_beside(run, node);
        let waits = run.nodes.iter().filter(parks);
        let waits = waits.filter_map(|node| Some((node.state.known()?.holds_up()?, node)));
        let first = waits.reduce(|first, next| if (next.0 as u8) < first.0 as u8 { next } else { first });
        let (state, node) = first?;
        let asked = node.updated_at.filter(|_| state == RunState::WaitingApproval);
        let blocked = asked
            .and_then(|at| at.to_iso().ok())
            .map(|requested_at| ReasonBlocked::Approval { node_id: node.node_id.clone(), requested_at });
        Some((state, blocked))
    }
}

/// Whether the run does not park for a node that waits (protocol section 5, quirk 14).
fn waits_beside(run: &RunInspection, node: &NodeStatus) -> bool {
    let props = run.tree.as_ref().and_then(|tree| {
        let found = tree.find_node(&node.node_id, Some(node.iteration));
        let found = found.or_else(|| tree.find_node(&node.node_id, None))?;
        let [beside] = fields(Slice::of_text(tree.node(found).props()).ok()?, ["waitAsync"]).ok()?;
        beside.map(|beside| beside.json() == "true")
    });
    props == Some(true)
}
