//! A tree as texts of bounded size, for whoever must not be held up by a large one.

use super::{NodeIndex, Tree};
use crate::json::Writer;
use crate::smithers::{Delta, InvalidDelta, write_node_states};

impl Tree {
    /// The tree as JSON texts, at most `limit` nodes each: the first for [`Tree::from_json`], each further one a delta
    /// for [`Tree::add_piece`], in order.
    ///
    /// A tree in which an id stands twice is one piece, because a delta could not say which of the two it means.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let text = r#"{"id":1,"type":"workflow","name":"demo","props":{},"depth":0,"children":[
    ///     {"id":2,"type":"timer","name":"timer","props":{"id":"nap"},"children":[],"depth":1}]}"#;
    /// let tree = Tree::from_json(text)?;
    /// let pieces = tree.pieces(1);
    /// let mut copy = Tree::from_json(&pieces[0])?;
    /// copy.add_piece(&pieces[1]).unwrap();
    /// assert_eq!((pieces.len(), copy.pieces(9)), (2, tree.pieces(9)));
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn pieces(&self, limit: usize) -> Vec<String> {
        let order: Vec<NodeIndex> = self.preorder(self.root).collect();
        let limit = if self.ids().duplicates { order.len() } else { limit.max(1) };
        let mut chunks = order.chunks(limit);
        let first = chunks.next().unwrap_or_default();
        let mut pieces = vec![self.first_piece(first)];
        pieces.extend(chunks.map(|chunk| self.next_piece(chunk)));
        pieces
    }

    /// Adds a further piece of [`Tree::pieces`].
    ///
    /// # Errors
    /// [`InvalidDelta`] where the text is no delta, or not one of this tree.
    pub fn add_piece(&mut self, piece: &str) -> Result<(), InvalidDelta> {
        self.apply(&Delta::from_json(piece)?)
    }

    /// The rows that were joined onto the nodes, as `listNodeStates` writes them.
    pub fn joined_rows(&self) -> String {
        let rows = self.preorder(self.root).filter_map(|index| self.node(index).status.clone());
        write_node_states(&rows.collect::<Vec<_>>())
    }

    /// The first nodes in reading order, nested: a node's parent is always among those before it.
    fn first_piece(&self, nodes: &[NodeIndex]) -> String {
        let mut out = Writer::default();
        let mut open: Vec<NodeIndex> = Vec::new();
        for index in nodes {
            while open.last().copied() != self.node(*index).parent && open.pop().is_some() {
                out.close("]}");
            }
            self.write_node(&mut out, *index);
            open.push(*index);
        }
        for _ in open {
            out.close("]}");
        }
        out.finish()
    }

    fn next_piece(&self, nodes: &[NodeIndex]) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.key("version").number(1.0);
            out.key("baseSeq").number(0.0);
            out.key("seq").number(0.0);
            out.key("ops").list(nodes, |out, index| {
                let parent = self.node(*index).parent.unwrap_or(self.root);
                out.object(|out| {
                    out.key("op").text("addNode");
                    out.key("parentId").raw(&self.node(parent).id.0.to_string());
                    // Nodes come in reading order, so the end of the list is the place.
                    out.key("index").number(f64::from(u32::MAX));
                    out.key("node");
                    self.write_node(out, *index);
                    out.close("]}");
                });
            });
        });
        out.finish()
    }

    /// A node up to and with the bracket that opens its children.
    fn write_node(&self, out: &mut Writer, index: NodeIndex) {
        let node = self.node(index);
        out.raw("{");
        out.key("id").raw(&node.id.0.to_string());
        out.key("type").text(node.node_type.as_str());
        out.key("name").text(&node.name);
        out.key("props").raw(node.props());
        if let Some(task) = &node.task {
            out.key("task").raw(task.json());
        }
        out.key("depth").number(f64::from(node.depth));
        out.key("children").raw("[");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smithers::read_node_states;

    fn sample() -> Tree {
        let leaf = |id: u32, depth: u32| {
            format!(
                r#"{{"id":{id},"type":"task","name":"t\"{id}","props":{{"id":"n{id}"}},"depth":{depth},"task":{{"nodeId":"n{id}","iteration":0}},"children":[]}}"#
            )
        };
        let text = format!(
            r#"{{"id":1,"type":"workflow","name":"w","props":{{}},"depth":0,"children":[
                {{"id":2,"type":"sequence","name":"s","props":{{}},"depth":1,"children":[{},{}]}},{},
                {{"id":6,"type":"sequence","name":"s","props":{{}},"depth":1,"children":[{}]}}]}}"#,
            leaf(3, 2),
            leaf(4, 2),
            leaf(5, 1),
            leaf(7, 2)
        );
        Tree::from_json(&text).unwrap()
    }

    #[test]
    fn pieces_of_any_size_make_the_same_tree() {
        let tree = sample();
        let whole = tree.pieces(1000);
        assert_eq!(whole.len(), 1);
        for limit in 1..9 {
            let pieces = tree.pieces(limit);
            assert_eq!(pieces.len(), 7_usize.div_ceil(limit));
            let mut copy = Tree::from_json(&pieces[0]).unwrap();
            for piece in &pieces[1..] {
                copy.add_piece(piece).unwrap();
            }
            assert_eq!(copy.pieces(1000), whole, "{limit}");
        }
    }

    #[test]
    fn an_id_that_stands_twice_keeps_the_tree_in_one_piece() {
        let text = r#"{"id":1,"type":"workflow","name":"w","props":{},"depth":0,"children":[
            {"id":2,"type":"sequence","name":"s","props":{},"depth":1,"children":[]},
            {"id":2,"type":"sequence","name":"s","props":{},"depth":1,"children":[]}]}"#;
        assert_eq!(Tree::from_json(text).unwrap().pieces(1).len(), 1);
    }

    #[test]
    fn rows_that_were_joined_read_back() {
        let mut tree = sample();
        let rows = read_node_states(
            r#"[{"nodeId":"n3","iteration":0,"state":"failed","lastAttempt":2,"label":"L","updatedAtMs":5,"startedAtMs":3.5,"finishedAtMs":4},
                {"nodeId":"n7","iteration":0,"state":"no such word"}]"#,
        )
        .unwrap();
        tree.join(&rows);
        assert_eq!(read_node_states(&tree.joined_rows()).unwrap(), rows);
    }

    #[test]
    fn what_is_no_piece_is_refused() {
        let mut tree = sample();
        for text in [
            "",
            "{}",
            r#"{"version":1,"baseSeq":0,"seq":0,"ops":[{"op":"addNode","parentId":99,"index":0,"node":{"id":9,"type":"task","name":"t","props":{},"depth":1,"children":[]}}]}"#,
        ] {
            assert!(tree.add_piece(text).is_err(), "{text}");
        }
    }
}
