//! Writes a tree as JSON.

use super::member_order::{begin, end};
use super::{Node, NodeIndex, Subtree, Tree};
use crate::json::Writer;

impl Tree {
    /// The tree as the wire writes it: properties, tasks and members that the contract does not name exactly as they came, all in
    /// the order in which they came, without the server's rows.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let json = r#"{"id":1,"type":"timer","name":"timer","props":{"id":"nap"},"children":[],"depth":0,"since":{"v":7}}"#;
    /// assert_eq!(Tree::from_json(json)?.to_json(), json);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        write(&self.nodes, self.root(), out);
    }

    /// A copy of a node with its descendants, without the server's rows.
    pub(crate) fn subtree(&self, index: NodeIndex) -> Subtree {
        let mut nodes: Vec<Node> = Vec::new();
        let mut height = 0;
        let mut open = vec![(index, None::<NodeIndex>, 0)];
        while let Some((index, parent, level)) = open.pop() {
            let node = self.node(index);
            let place = NodeIndex::new(nodes.len());
            if let Some(parent) = parent {
                nodes[parent.slot()].children.push(place);
            }
            height = level.max(height);
            let children = Vec::with_capacity(node.children.len());
            nodes.push(Node { parent, children, status: None, ..node.clone_alone() });
            open.extend(node.children.iter().rev().map(|child| (*child, Some(place), level + 1)));
        }
        Subtree::new(nodes, height)
    }
}

impl Subtree {
    pub(crate) fn write(&self, out: &mut Writer) {
        write(self.nodes(), NodeIndex::new(0), out);
    }
}

/// Writes without recursion: a tree may be 257 levels deep, a stack may be small.
fn write(nodes: &[Node], root: NodeIndex, out: &mut Writer) {
    begin(&nodes[root.slot()], out);
    let mut open = vec![(root, 0)];
    while let Some((index, next)) = open.last_mut() {
        let node = &nodes[index.slot()];
        if let Some(child) = node.children.get(*next).copied() {
            *next += 1;
            begin(&nodes[child.slot()], out);
            open.push((child, 0));
        } else {
            end(node, out);
            open.pop();
        }
    }
}
