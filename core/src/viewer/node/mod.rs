//! The node pane: what is known about the selected node.

mod conductor;
mod props;
mod smithers;
#[cfg(test)]
mod tests;
mod window;

pub use window::{Iterations, NodeProp, NodeRequest, NodeWindow};

use super::focus::{Focus, Selection};
use super::missing::{Missing, Origin};
use super::pane::{NoAction, Pane};
use super::run_data::RunData;
use super::run_facts::RunFacts;
use super::run_view::{RunView, second};
use crate::pill::Taxonomy;
use crate::time::Millis;

/// The detail of the selected node. A node that leaves the tree keeps its last one.
#[derive(Debug, Default)]
pub(super) struct NodePane {
    last: Option<Last>,
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
    /// The clock of the times of the run.
    now: Millis,
}

impl Pane for NodePane {
    type Action = NoAction;
    type Window = NodeWindow;
    /// The source, the focus, the second up to which the nodes are known, and their age.
    type Version = (u64, Focus, Option<f64>, Option<String>);

    fn act(&mut self, action: NoAction, _: &mut RunView<'_>) {
        match action {}
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        let RunData { known_until, age, .. } = view.run();
        (view.source_version, view.focus.clone(), known_until.map(second), age)
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<NodeWindow> {
        let selection = view.focus.selection.as_ref()?;
        let context =
            Context { data: view.run(), selection, origin: view.source.origin(), now: view.run_now() };
        let (found, frame) = match view.facts()? {
            RunFacts::Smithers(run) => (smithers::window(run, &context), run.frame_no),
            RunFacts::Conductor(run) => (conductor::window(run, &context), None),
        };
        let Some(window) = found else { return self.gone(&context, frame) };
        self.last = Some(Last { selection: selection.clone(), window: window.clone(), left: None });
        Some(window)
    }

    fn reset(&mut self) {
        self.last = None;
    }
}

impl NodePane {
    /// The last detail of a node that the source does not have; `None` while its tree has not arrived. `frame` is the
    /// frame on screen.
    fn gone(&mut self, context: &Context<'_>, frame: Option<f64>) -> Option<NodeWindow> {
        let Context { selection, data, origin, .. } = context;
        let last = self.last.as_mut().filter(|last| last.selection.is_same_node(selection));
        if *origin == Origin::Gateway && data.tree.is_none() {
            return last.map(|last| last.window.clone());
        }
        if let Some(last) = last {
            let left = *last.left.get_or_insert(Missing::LeftTree { frame });
            let missing = vec![left.sentence(*origin)];
            return Some(NodeWindow { missing, is_gone: true, ..last.window.clone() });
        }
        let key = selection.key.clone();
        let title = key.as_ref().map_or_else(|| "Node".to_owned(), |key| key.node_id.clone());
        let missing = if selection.node.is_some() && data.tree.is_some() {
            Missing::LeftTree { frame: None }
        } else {
            Missing::Node
        };
        let missing = vec![missing.sentence(*origin)];
        Some(NodeWindow { missing, is_gone: true, ..NodeWindow::new(key, title, Taxonomy::Node) })
    }
}
