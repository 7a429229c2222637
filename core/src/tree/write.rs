//! From the arena back to the wire.

use super::{Node, NodeIndex, Subtree, Tree};
use crate::json::Writer;

impl Tree {
    /// The tree as the wire writes it: properties and tasks exactly as they came, without the server's rows.
    ///
    /// Of a node only what the contract names is written: `id`, `type`, `name`, `props`, `task`, `children`, `depth`.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let json = r#"{"id":1,"type":"timer","name":"timer","props":{"id":"nap"},"children":[],"depth":0}"#;
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

    /// A copy of a node with all that is under it, without the server's rows.
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
        Subtree::of(nodes, height)
    }
}

impl Subtree {
    pub(crate) fn write(&self, out: &mut Writer) {
        write(self.nodes(), NodeIndex::new(0), out);
    }
}

/// Never recurses: a tree may be 257 levels deep, a stack may be small.
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
            out.close("]");
            out.key("depth").number(f64::from(node.depth));
            out.close("}");
            open.pop();
        }
    }
}

/// Everything of a node that stands before its first child, in upstream's order.
fn begin(node: &Node, out: &mut Writer) {
    out.raw("{");
    out.key("id").number(node.id.0 as f64);
    out.key("type").text(node.node_type.as_str());
    out.key("name").text(&node.name);
    out.key("props").raw(node.props());
    if let Some(task) = &node.task {
        out.key("task").raw(task.json());
    }
    out.key("children").raw("[");
}
