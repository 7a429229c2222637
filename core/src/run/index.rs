//! An index of a run's nodes and attempts by id, since a linear search for each node of a long list is too slow.

use crate::run::{RunInspection, Target};
use crate::smithers::wire::{AttemptSummary, TaskKind, summarize_attempts};
use crate::sorted_index::SortedIndex;
use crate::tree::{Node, NodeIndex, split_iteration};

/// A run's nodes and attempts by id.
pub(crate) struct Index<'a> {
    run: &'a RunInspection,
    /// The tree's nodes in reading order, and both of their ids: the task's and that of the properties.
    nodes: Vec<NodeIndex>,
    ids: SortedIndex<'a>,
    attempts: SortedIndex<'a>,
}

impl<'a> Index<'a> {
    pub(crate) fn new(run: &'a RunInspection) -> Self {
        let tree = run.tree.as_ref();
        let nodes: Vec<NodeIndex> = tree.into_iter().flat_map(|tree| tree.preorder(tree.root())).collect();
        let ids = nodes.iter().zip(0..).flat_map(|(node, place)| {
            let node = tree.map(|tree| tree.node(*node));
            let task = node.and_then(|node| node.task.as_ref()).map(|task| &*task.node_id);
            [task, node.and_then(Node::props_id)].into_iter().flatten().map(move |id| (id, place))
        });
        let ids = SortedIndex::new(ids);
        let attempts = run.attempts.iter().zip(0..).map(|(attempt, place)| (&*attempt.node_id, place));
        Self { run, nodes, ids, attempts: SortedIndex::new(attempts) }
    }

    /// The node that [`Tree::find_node`](crate::tree::Tree::find_node) finds.
    pub(crate) fn node(&self, node_id: &str, iteration: Option<u32>) -> Option<&'a Node> {
        let tree = self.run.tree.as_ref()?;
        let rounds = split_iteration(node_id).into_iter().flat_map(|(name, _)| self.ids.get(name));
        let places = self.ids.get(node_id).chain(rounds);
        let among = places.filter_map(|place| self.nodes.get(place).copied());
        Some(tree.node(tree.find_among(among, node_id, iteration)?))
    }

    /// Whether a failed node is an approval that was denied: it is not tried again.
    pub(crate) fn is_denied(&self, node_id: &str, iteration: u32) -> bool {
        let is_this = |target: &Target| target.node_id == node_id && target.iteration == iteration;
        let task = self.node(node_id, Some(iteration)).and_then(|node| node.task.as_ref());
        let kind = task.and_then(|task| task.kind.as_ref()?.known());
        kind == Some(TaskKind::Approval) || self.run.denied.iter().any(is_this)
    }

    /// The attempts in one iteration of a node, as far as they were read.
    pub(crate) fn attempts(&self, node_id: &str, iteration: u32) -> AttemptSummary<'a> {
        let attempts = self.attempts.get(node_id).filter_map(|place| self.run.attempts.get(place));
        summarize_attempts(attempts, iteration)
    }
}

#[cfg(test)]
mod tests {
    use super::Index;
    use crate::json::Slice;
    use crate::run::RunInspection;
    use crate::smithers::wire::read_attempt;
    use crate::tree::Tree;

    #[test]
    fn nodes_are_those_that_the_tree_finds() {
        let tree = Tree::from_json(
            r#"{"id":1,"type":"loop","name":"l","props":{"id":"a"},"children":[
                {"id":2,"type":"task","name":"t","task":{"nodeId":"a","iteration":0}},
                {"id":3,"type":"task","name":"t","task":{"nodeId":"a","iteration":1}},
                {"id":4,"type":"task","name":"t","props":{"id":"d"},"task":{"nodeId":"b"}},
                {"id":5,"type":"timer","name":"t","props":{"id":"nap"}},
                {"id":6,"type":"task","name":"t","task":{"nodeId":"nap","iteration":3}},
                {"id":7,"type":"task","name":"t","task":{"nodeId":"b","iteration":2}},
                {"id":8,"type":"loop","name":"t","props":{"id":"a::7"}}]}"#,
        );
        let run = RunInspection { tree: Some(tree.unwrap()), ..RunInspection::default() };
        let (index, tree) = (Index::new(&run), run.tree.as_ref().unwrap());
        for id in ["a", "a::1", "a::7", "a::9", "b", "b::2", "d", "nap", "nap::3", "l", ""] {
            for iteration in [None, Some(0), Some(1), Some(2), Some(3)] {
                let found = index.node(id, iteration).map(|node| node.id);
                let expected = tree.find_node(id, iteration).map(|place| tree.node(place).id);
                assert_eq!(found, expected, "{id:?} {iteration:?}");
            }
        }
        assert!(Index::new(&RunInspection::default()).node("a", None).is_none());
    }

    #[test]
    fn attempts_belong_to_one_iteration_of_one_node() {
        let rows = r#"[{"nodeId":"a","attempt":1,"state":"failed","metaJson":"{\"retries\":2}"},
            {"nodeId":"b","attempt":1,"state":"failed"},{"nodeId":"a","iteration":1,"attempt":1,"state":"failed"},
            {"nodeId":"a","attempt":2,"state":"failed"},{"nodeId":"a","attempt":3,"state":"in-progress"}]"#;
        let run = RunInspection {
            attempts: Slice::new(rows).read_items(read_attempt).unwrap(),
            ..RunInspection::default()
        };
        let index = Index::new(&run);
        let shown = |id, iteration| {
            let attempts = index.attempts(id, iteration);
            (attempts.running.and_then(|running| running.attempt), attempts.failed, attempts.max_attempts)
        };
        assert_eq!(shown("a", 0), (Some(3), 2, Some(3)));
        assert_eq!(shown("a", 1), (None, 1, None));
        assert_eq!(shown("b", 0), (None, 1, None));
        assert_eq!(shown("c", 0), (None, 0, None));
    }
}
