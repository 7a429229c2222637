//! The node pane: what is known about the selected node.

mod approval;
mod attempts;
mod body;
mod calls;
mod conductor;
mod lionagi;
mod long_text;
mod messages;
mod output;
mod props;
mod request;
mod shown_value;
mod smithers;
mod styled;
#[cfg(test)]
mod tests;
mod text_list;
mod value;
mod window;

use std::ops::Range;
use std::sync::Arc;

pub use attempts::{AttemptText, NodeAttempt};
pub use calls::NodeCall;
pub use long_text::{TextLine, TextWindow};
pub use messages::NodeMessage;
pub use output::SchemaField;
pub use styled::{StyledSpan, TextStyle};
pub use value::{ValueKind, ValueRow, ValueWindow};
pub use window::{
    Iterations, KnownIteration, NodeAction, NodeBody, NodeCopy, NodeProp, NodeRequest, NodeTab, NodeWindow,
};

use self::body::{ReadAnswer, tabs};
use self::output::Output;
use self::shown_value::{ShownValue, ValueSource};
use self::smithers::Found;
use super::FIRST_ROWS;

use super::focus::{Focus, NodeKey, Selection};
use super::log::NodeEvents;
use super::missing::{Missing, Origin};
use super::pane::Pane;
use super::run_data::RunData;
use super::run_facts::RunFacts;
use super::run_view::{DetailRequest, RunView, second};
use crate::conductor::derive::ConductorRun;
use crate::gateway::Rows;
use crate::ingest::System;
use crate::json::ReadError;
use crate::log::AgentCalls;
use crate::pill::Taxonomy;
use crate::run::RunInspection;
use crate::run::lionagi::LionagiInspection;
use crate::smithers::wire::Attempt;
use crate::time::Millis;

/// A node, and the version of the log.
type LogPart = (NodeKey, Option<u64>);

/// The detail of the selected node. A node that leaves the tree keeps its last one.
#[derive(Debug)]
pub(super) struct NodePane {
    tab: NodeTab,
    visible: Range<usize>,
    /// The number of actions so far.
    actions: u64,
    last: Option<Last>,
    /// The value of the part on screen.
    value: Option<ShownValue>,
    /// The last answers that were read.
    attempts: Option<ReadAnswer<Result<Rows<Attempt>, ReadError>>>,
    output: Option<ReadAnswer<Output>>,
    events: NodeEvents,
    /// The calls and the attempts of a node, and what they were read from.
    calls: Option<(LogPart, AgentCalls)>,
    logged_attempts: Option<(LogPart, Arc<[Attempt]>)>,
    /// Whether the window says how old an answer is.
    has_age: bool,
}

impl Default for NodePane {
    fn default() -> Self {
        Self {
            tab: NodeTab::default(),
            visible: 0..FIRST_ROWS,
            actions: 0,
            last: None,
            value: None,
            attempts: None,
            output: None,
            events: NodeEvents::default(),
            calls: None,
            logged_attempts: None,
            has_age: false,
        }
    }
}

/// The detail of the selected node with its events, whichever part of it is on screen.
pub(super) fn detail_with_events(view: &mut RunView<'_>) -> Option<NodeWindow> {
    NodePane { tab: NodeTab::Events, ..NodePane::default() }.window(view)
}

/// The last detail of a node.
#[derive(Debug)]
struct Last {
    selection: Selection,
    window: NodeWindow,
    /// That the node left the tree.
    left: Option<Missing>,
}

/// What the detail of a node is made of, besides the run.
struct Context<'a> {
    data: RunData<'a>,
    selection: &'a Selection,
    origin: Origin,
    system: System,
    /// The clock of the times of the run.
    now: Millis,
}

impl Pane for NodePane {
    type Action = NodeAction;
    type Window = NodeWindow;
    /// The actions, the source, the focus, the second up to which the nodes are known, their age, and the second if an answer
    /// shows its age.
    type Version = (u64, u64, Focus, Option<f64>, Option<String>, Option<f64>);

    fn act(&mut self, action: NodeAction, view: &mut RunView<'_>) {
        self.actions += 1;
        match &action {
            NodeAction::Tab(tab) => self.tab = *tab,
            NodeAction::Show { first, count } => self.visible = *first..first.saturating_add(*count),
            NodeAction::AskAgain => view.requests.push(DetailRequest::AskAgain),
            NodeAction::Select { .. }
            | NodeAction::Toggle { .. }
            | NodeAction::Move { .. }
            | NodeAction::First
            | NodeAction::Last
            | NodeAction::Expand
            | NodeAction::Collapse
            | NodeAction::OpenText { .. }
            | NodeAction::CloseText => {
                if let Some(value) = &mut self.value {
                    value.act(&action);
                }
            }
        }
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        let RunData { known_until, age, .. } = view.run();
        let shown_age = self.has_age.then(|| second(view.now));
        (self.actions, view.source_version, view.focus.clone(), known_until.map(second), age, shown_age)
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<NodeWindow> {
        let selection = view.focus.selection.clone()?;
        self.has_age = false;
        let facts = view.facts()?;
        let context = Context {
            data: view.run(),
            selection: &selection,
            origin: view.source.origin(),
            system: facts.system(),
            now: view.run_now(),
        };
        let (found, frame) = match facts {
            RunFacts::Smithers(run) => (self.smithers(run, &context, view), run.frame_no),
            RunFacts::Conductor(run) => (self.conductor(run, &context, view), None),
            RunFacts::Lionagi(found) => (self.lionagi(found, &context, view), None),
        };
        let Some(window) = found else { return self.gone(&context, frame) };
        self.last = Some(Last { selection: selection.clone(), window: window.clone(), left: None });
        Some(window)
    }

    fn reset(&mut self) {
        let Self { tab, visible, actions, .. } = std::mem::take(self);
        (self.tab, self.visible, self.actions) = (tab, visible, actions);
    }
}

impl NodePane {
    /// A copy from the value on screen, without secrets; `None` if there is nothing to copy.
    pub(super) fn copy(&self, what: NodeCopy) -> Option<String> {
        self.value.as_ref()?.copy(what)
    }

    /// The detail of a node of a Smithers run; `None` if the run does not have the node.
    fn smithers(
        &mut self,
        run: &RunInspection,
        context: &Context<'_>,
        view: &mut RunView<'_>,
    ) -> Option<NodeWindow> {
        let log = view.log();
        let is_logged = |key: &NodeKey| log.as_ref().is_some_and(|log| log.has_node(key));
        let mut found = Found::new(run, context, is_logged)?;
        if let (Some(log), Some(key)) = (&log, &context.selection.key) {
            let of = (key.clone(), log.version());
            let known = self.logged_attempts.take().filter(|(known, _)| *known == of);
            let known = known.unwrap_or_else(|| (of, log.attempts(key).into()));
            found.take_attempts(self.logged_attempts.insert(known).1.clone());
        }
        drop(log);
        let approval = self.read_approval(&mut found, view, context);
        let mut window = smithers::window(&found, context, approval.missing);
        window.missing.extend(approval.age.map(|missing| missing.sentence(context.origin, context.system)));
        window.tabs = tabs(&found);
        window.tab = if window.tabs.contains(&self.tab) { self.tab } else { NodeTab::Summary };
        window.body = self.body(window.tab, view, context, &found);
        Some(window)
    }

    /// The detail of a visit of a step of a tnh-conductor run; `None` if the run does not have it.
    fn conductor(
        &mut self,
        run: &ConductorRun,
        context: &Context<'_>,
        view: &RunView<'_>,
    ) -> Option<NodeWindow> {
        let (mut window, files) = conductor::window(run, context)?;
        window.tabs.extend(window.key.is_some().then_some(NodeTab::Events));
        window.tabs.extend((!files.is_empty()).then_some(NodeTab::Raw));
        window.tab = if window.tabs.contains(&self.tab) { self.tab } else { NodeTab::Summary };
        match window.tab {
            NodeTab::Events => window.body = self.events_body(view, context),
            NodeTab::Raw => {
                let source = ValueSource::new(NodeTab::Raw, context, "{}".to_owned(), files);
                self.show_raw(source, &mut window.body);
            }
            NodeTab::Summary | NodeTab::Attempts | NodeTab::Output | NodeTab::Messages | NodeTab::Calls => {}
        }
        Some(window)
    }

    /// The detail of a part of a document of lionagi; `None` if the tree does not have it.
    fn lionagi(
        &mut self,
        found: &LionagiInspection,
        context: &Context<'_>,
        view: &RunView<'_>,
    ) -> Option<NodeWindow> {
        let (mut window, subject) = lionagi::window(found, context)?;
        window.tab = if window.tabs.contains(&self.tab) { self.tab } else { NodeTab::Summary };
        match window.tab {
            NodeTab::Messages => window.body = subject.messages_body(context),
            NodeTab::Events => window.body = self.events_body(view, context),
            NodeTab::Raw => {
                let texts = subject.json().map(|json| ("session", json)).into_iter().collect();
                let source = ValueSource::new(NodeTab::Raw, context, "{}".to_owned(), texts);
                self.show_raw(source, &mut window.body);
            }
            NodeTab::Summary | NodeTab::Attempts | NodeTab::Output | NodeTab::Calls => {}
        }
        Some(window)
    }

    /// The last detail of a node that the source does not have; `None` while its tree has not arrived. `frame` is the
    /// frame on screen.
    fn gone(&mut self, context: &Context<'_>, frame: Option<f64>) -> Option<NodeWindow> {
        let Context { selection, data, origin, system, .. } = context;
        let last = self.last.as_mut().filter(|last| last.selection.is_same_node(selection));
        if *origin == Origin::Gateway && data.tree.is_none() {
            return last.map(|last| last.window.clone());
        }
        if let Some(last) = last {
            let left = last.left.get_or_insert(Missing::LeftTree { frame });
            let missing = vec![left.sentence(*origin, *system)];
            return Some(NodeWindow { missing, is_gone: true, ..last.window.clone() });
        }
        let key = selection.key.clone();
        let title = key.as_ref().map_or_else(|| "Node".to_owned(), |key| key.node_id.clone());
        let has_left = |id| data.tree.is_some_and(|tree| tree.find(id).is_none());
        let missing = if selection.node.is_some_and(has_left) {
            Missing::LeftTree { frame: None }
        } else {
            Missing::Node
        };
        let missing = vec![missing.sentence(*origin, *system)];
        Some(NodeWindow { missing, is_gone: true, ..NodeWindow::new(key, title, Taxonomy::Node) })
    }
}
