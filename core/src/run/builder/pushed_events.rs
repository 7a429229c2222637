//! Derives the state of a run from recorded pushed events.

use super::{NodeEvent, StateEvent};
use crate::evidence::{Input, Signal, Value};
use crate::json::{Slice, fields};
use crate::log::PushedEvent;
use crate::run::{EventState, ImpliedState, RunInspection, Witness};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked, RunState, RunStateView};
use crate::time::Millis;
use crate::word::Word;

/// The recorded events of one run, in the order of their arrival.
#[derive(Clone, Default)]
pub(super) struct PushedEvents {
    /// The state by the last event about the run itself, unless events of its nodes followed.
    state: EventState,
    /// The source of that event.
    read_from: String,
    /// The last event of a node.
    last_node_event: Option<LastNodeEvent>,
    /// The nodes whose failed attempt will be retried.
    retrying_nodes: Vec<String>,
    /// Whether events arrived after the server's last answer.
    news: bool,
}

/// The last event of a node.
#[derive(Clone)]
struct LastNodeEvent {
    event: String,
    read_from: String,
    at: Option<Millis>,
}

/// The state that events imply.
pub(super) struct EventVerdict {
    pub(super) verdict: Witness,
    pub(super) continued: bool,
}

impl StateEvent {
    /// Whether this is `run.completed`.
    pub(super) fn is_completion(&self) -> bool {
        matches!(self.event, PushedEvent::Completed(_))
    }
}

impl PushedEvents {
    /// Marks the events as older than the server's answer.
    pub(super) fn mark_as_older(&mut self) {
        self.news = false;
    }

    /// The times of the events.
    pub(super) fn times(&mut self) -> impl Iterator<Item = &mut Option<Millis>> {
        self.state.times().chain(self.last_node_event.as_mut().map(|event| &mut event.at))
    }

    pub(super) fn has_news(&self) -> bool {
        self.news
    }

    /// Whether the last event is the end.
    pub(super) fn is_at_end(&self) -> bool {
        self.news && self.has_end()
    }

    fn has_end(&self) -> bool {
        self.state.last().is_some_and(ImpliedState::is_end)
    }

    /// Records an event about a node, which revokes an earlier event about the run.
    pub(super) fn record(&mut self, event: &NodeEvent, at: Option<Millis>) {
        self.state = EventState::default();
        self.news = true;
        self.retrying_nodes.retain(|known| *known != event.node_id);
        if event.is_retrying {
            self.retrying_nodes.push(event.node_id.clone());
        }
        let (event, read_from) = (event.event.clone(), event.read_from.clone());
        self.last_node_event = Some(LastNodeEvent { event, read_from, at });
    }

    /// Records an event about the run's state. An end is valid until the nodes work again, any other state until the
    /// next event about the run or its nodes. A repeated `run.completed` changes nothing.
    pub(super) fn observe(&mut self, event: &StateEvent, at: Option<Millis>) {
        if !(event.is_completion() && self.has_end()) {
            self.state.observe(&event.event, &event.name, at);
            self.read_from.clone_from(&event.read_from);
            self.news = true;
        }
    }

    /// Returns the implied state with the current states of the nodes; `None` if no event implies a state.
    pub(super) fn implied_state(&self, run: &RunInspection) -> Option<EventVerdict> {
        let view = |state: Word<RunState>, at: Option<Millis>| RunStateView {
            run_id: run.run_id.clone().unwrap_or_default(),
            computed_at: at.and_then(|at| at.to_iso().ok()),
            ..RunStateView::from_state(state)
        };
        if let Some(ImpliedState { state, continued, status, event, last_at, .. }) = self.state.last() {
            let input = match status {
                Some(status) => input(Signal::RunCompletedStatus, status, None),
                None => input(Signal::LastRunEvent, event, *last_at),
            };
            let view = view(state.clone(), *last_at);
            let verdict = Witness::from_event(input, &self.read_from, *last_at, view);
            return Some(EventVerdict { verdict, continued: *continued });
        }
        let LastNodeEvent { event, read_from, at } = self.last_node_event.as_ref()?;
        let (state, blocked) = self.state_by_nodes(run)?;
        let view = RunStateView { blocked, ..view(state.into(), *at) };
        let input = input(Signal::LastNodeEvent, event, *at);
        Some(EventVerdict { verdict: Witness::from_event(input, read_from, *at, view), continued: false })
    }

    /// Derives the state from the nodes: running if a node works, waiting if a node waits and no node works. Otherwise
    /// the nodes imply nothing, because a run may be parked without an event (protocol section 3.5).
    fn state_by_nodes(&self, run: &RunInspection) -> Option<(RunState, Option<ReasonBlocked>)> {
        let busy = |state: &Word<NodeState>| state.known() == Some(NodeState::InProgress);
        if !self.retrying_nodes.is_empty() || run.nodes.iter().any(|node| busy(&node.state)) {
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

fn input(name: Signal, word: &str, at: Option<Millis>) -> Input {
    Input { at, ..Input::new(name, Value::Word(word.to_owned()), true) }
}

/// Whether the run does not park for this waiting node (protocol section 5, quirk 14).
fn waits_without_parking(run: &RunInspection, node: &NodeStatus) -> bool {
    let props = run.tree.as_ref().and_then(|tree| {
        let found = tree.find_node(&node.node_id, Some(node.iteration));
        let found = found.or_else(|| tree.find_node(&node.node_id, None))?;
        let [supplements] = fields(Slice::from_text(tree.node(found).props()).ok()?, ["waitAsync"]).ok()?;
        supplements.map(|supplements| supplements.json() == "true")
    });
    props == Some(true)
}
