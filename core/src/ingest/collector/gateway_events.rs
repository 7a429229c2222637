//! Derives the state of a run from recorded pushed events.

use super::{NodeEvent, RunStateEvent};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::json::{Slice, fields};
use crate::run::{RunInspection, Witness, WitnessSource};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked, RunRow, RunState, RunStateView};
use crate::text::{concat, json};
use crate::time::Millis;
use crate::word::Word;

/// The recorded events of one run, in the order of their arrival.
#[derive(Clone, Default)]
pub(super) struct PushedEvents {
    /// The state according to the first `run.completed`.
    end: Option<ImpliedState>,
    /// The state according to a later event about the run that is not an end.
    state: Option<ImpliedState>,
    last: Option<Last>,
    /// The nodes whose failed attempt will be retried.
    retrying: Vec<String>,
    /// Whether events arrived after the server's last answer.
    news: bool,
}

/// The last event of a node.
#[derive(Clone)]
struct Last {
    event: String,
    read_from: String,
    at: Option<Millis>,
}

/// The state that events imply.
#[derive(Clone)]
pub(super) struct ImpliedState {
    pub(super) verdict: Option<Witness>,
    pub(super) continued: bool,
}

impl PushedEvents {
    /// Marks the events as older than the server's answer.
    pub(super) fn mark_as_older(&mut self) {
        self.news = false;
    }

    pub(super) fn has_news(&self) -> bool {
        self.news
    }

    /// Whether the last event is the end.
    pub(super) fn ended(&self) -> bool {
        self.news && self.end.is_some()
    }

    /// Records an event about a node, which revokes an earlier end.
    pub(super) fn record(&mut self, event: &NodeEvent, at: Option<Millis>) {
        (self.end, self.state) = (None, None);
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
        let run = RunInspection::from_row(&row, read_from, at);
        let verdict = run.verdict.map(|Witness { view, mut evidence, .. }| {
            evidence.inputs.iter_mut().for_each(|input| input.name = Signal::RunCompletedStatus);
            Witness::new(WitnessSource::Events, view, evidence)
        });
        self.news = true;
        self.end = Some(ImpliedState { verdict, continued: run.continued });
    }

    /// Records an event about the run's state. An end is valid until the nodes work again, any other state until the
    /// next event about the run or its nodes.
    pub(super) fn change_state(&mut self, run_id: &str, change: RunStateEvent, at: Option<Millis>) {
        let RunStateEvent { state, continued, event, read_from } = change;
        let is_end = state.known().is_some_and(RunState::is_terminal);
        let view = RunStateView {
            run_id: run_id.to_owned(),
            computed_at: at.and_then(|at| at.to_iso().ok()),
            ..RunStateView::from_state(state)
        };
        let verdict = Some(event_verdict(Signal::LastRunEvent, event, read_from, at, view));
        let implied = Some(ImpliedState { verdict, continued });
        (self.end, self.state) = if is_end { (implied, None) } else { (None, implied) };
        self.news = true;
    }

    /// Returns the implied state with the current states of the nodes; `None` if no event implies a state.
    pub(super) fn implied_state(&self, run: &RunInspection) -> Option<ImpliedState> {
        if let Some(implied) = self.end.as_ref().or(self.state.as_ref()) {
            return Some(implied.clone());
        }
        let last = self.last.as_ref()?;
        let (state, blocked) = self.state_by_nodes(run)?;
        let view = RunStateView {
            run_id: run.run_id.clone().unwrap_or_default(),
            computed_at: last.at.and_then(|at| at.to_iso().ok()),
            blocked,
            ..RunStateView::from_state(state)
        };
        let Last { event, read_from, at } = last.clone();
        let verdict = Some(event_verdict(Signal::LastNodeEvent, event, read_from, at, view));
        Some(ImpliedState { verdict, continued: false })
    }

    /// Derives the state from the nodes: running if a node works, waiting if a node waits and no node works. Otherwise
    /// the nodes imply nothing, because a run may be parked without an event (protocol section 3.5).
    fn state_by_nodes(&self, run: &RunInspection) -> Option<(RunState, Option<ReasonBlocked>)> {
        let busy = |state: &Word<NodeState>| state.known() == Some(NodeState::InProgress);
        if !self.retrying.is_empty() || run.nodes.iter().any(|node| busy(&node.state)) {
            return Some((RunState::Running, None));
        }
        let parks = |node: &&NodeStatus| !waits_without_parking(run, node);
        let waits = run.nodes.iter().filter(parks);
        let waits = waits.filter_map(|node| Some((node.state.known()?.waiting_run_state()?, node)));
        let first = waits.reduce(|first, next| if (next.0 as u8) < first.0 as u8 { next } else { first });
        let (state, node) = first?;
        let request = node.updated_at.filter(|_| state == RunState::WaitingApproval);
        let blocked = request
            .and_then(|at| at.to_iso().ok())
            .map(|requested_at| ReasonBlocked::Approval { node_id: node.node_id.clone(), requested_at });
        Some((state, blocked))
    }
}

/// Returns the state that one event implies.
fn event_verdict(
    signal: Signal,
    event: String,
    read_from: String,
    at: Option<Millis>,
    view: RunStateView,
) -> Witness {
    let input = Input { name: signal, value: Value::Word(event), at, limit_ms: None, decisive: true };
    let evidence = Evidence { inputs: vec![input], read_from, read_at: at };
    Witness::new(WitnessSource::Events, view, evidence)
}

/// Whether the run does not park for this waiting node (protocol section 5, quirk 14).
fn waits_without_parking(run: &RunInspection, node: &NodeStatus) -> bool {
    let props = run.tree.as_ref().and_then(|tree| {
        let found = tree.find_node(&node.node_id, Some(node.iteration));
        let found = found.or_else(|| tree.find_node(&node.node_id, None))?;
        let [supplements] = fields(Slice::of_text(tree.node(found).props()).ok()?, ["waitAsync"]).ok()?;
        supplements.map(|supplements| supplements.json() == "true")
    });
    props == Some(true)
}
