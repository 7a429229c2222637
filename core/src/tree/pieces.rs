//! A tree as texts of bounded size, for whoever must not be held up by a large one.

use super::shape::{begin, end};
use super::{NodeIndex, Subtree, Tree, read_subtree};
use crate::json::{ReadError, Slice, Writer, items};
use crate::smithers::write_node_states;

impl Tree {
    /// The tree as JSON texts, at most `limit` nodes each: the first for [`Tree::from_json`], each further one for
    /// [`Tree::add_piece`], in order. A further one is a list of nodes, each after its parent's place in reading order.
    ///
    /// ```
    /// use runstate::tree::Tree;
    ///
    /// let text = r#"{"id":1,"type":"workflow","name":"demo","props":{},"depth":0,"children":[
    ///     {"id":2,"type":"timer","name":"timer","props":{"id":"nap"},"children":[],"depth":1}]}"#;
    /// let tree = Tree::from_json(text)?;
    /// let pieces = tree.pieces(1);
    /// let mut copy = Tree::from_json(&pieces[0])?;
    /// copy.add_piece(&pieces[1])?;
    /// assert_eq!((pieces.len(), copy.pieces(9)), (2, tree.pieces(9)));
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn pieces(&self, limit: usize) -> Vec<String> {
        let order: Vec<NodeIndex> = self.preorder(self.root).collect();
        let mut places = vec![0; self.nodes.len()];
        for (place, index) in order.iter().enumerate() {
            places[index.slot()] = place;
        }
        let mut chunks = order.chunks(limit.max(1));
        let mut pieces = vec![self.first_piece(chunks.next().unwrap_or_default())];
        pieces.extend(chunks.map(|chunk| self.next_piece(chunk, &places)));
        pieces
    }

    /// Adds a further piece of [`Tree::pieces`]. Between the pieces nothing else may change the tree.
    ///
    /// See [`Tree::pieces`] for an example.
    ///
    /// # Errors
    /// [`ReadError`] where the text is no piece of this tree; what stands before the place is then added.
    pub fn add_piece(&mut self, piece: &str) -> Result<(), ReadError> {
        let mut parts = items(Slice::of_text(piece)?)?;
        while let Some(parent) = parts.next() {
            let parent = parent?;
            let Some(node) = parts.next() else { return Err(parent.expected("a parent's place and a node")) };
            let place = NodeIndex::new(parent.read_small()? as usize);
            if place.slot() >= self.nodes.len() {
                return Err(parent.expected("the place of a node that came before"));
            }
            self.append(place, &read_subtree(node?)?);
        }
        Ok(())
    }

    fn append(&mut self, parent: NodeIndex, subtree: &Subtree) {
        // A tree that only grows has no free slots: nodes stand in the order in which they came.
        let added = self.insert(subtree);
        self.node_mut(added).parent = Some(parent);
        self.node_mut(parent).children.push(added);
        self.recount(Some(parent), &self.counted(added));
    }

    /// The rows that were joined onto the nodes, as `listNodeStates` writes them.
    pub(crate) fn joined_rows(&self) -> String {
        let rows = self.preorder(self.root).filter_map(|index| self.node(index).status.clone());
        write_node_states(&rows.collect::<Vec<_>>())
    }

    /// The first nodes in reading order, nested: a node's parent is always among those before it.
    fn first_piece(&self, nodes: &[NodeIndex]) -> String {
        let mut out = Writer::default();
        let mut open: Vec<NodeIndex> = Vec::new();
        for index in nodes {
            while open.last().copied() != self.node(*index).parent
                && let Some(done) = open.pop()
            {
                end(self.node(done), &mut out);
            }
            begin(self.node(*index), &mut out);
            open.push(*index);
        }
        for done in open.into_iter().rev() {
            end(self.node(done), &mut out);
        }
        out.finish()
    }

    fn next_piece(&self, nodes: &[NodeIndex], places: &[usize]) -> String {
        let mut out = Writer::default();
        out.list(nodes, |out, index| {
            let parent = self.node(*index).parent.unwrap_or(self.root);
            out.number(places[parent.slot()] as f64);
            begin(self.node(*index), out);
            end(self.node(*index), out);
        });
        out.finish()
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
    fn an_id_that_stands_twice_keeps_its_places() {
        let text = r#"{"id":1,"type":"workflow","name":"w","props":{},"depth":0,"children":[
            {"id":2,"type":"sequence","name":"a","props":{},"depth":1,"children":[]},
            {"id":2,"type":"sequence","name":"b","props":{},"depth":1,"children":[
                {"id":3,"type":"sequence","name":"c","props":{},"depth":2,"children":[]}]}]}"#;
        let tree = Tree::from_json(text).unwrap();
        let pieces = tree.pieces(1);
        let mut copy = Tree::from_json(&pieces[0]).unwrap();
        pieces[1..].iter().for_each(|piece| copy.add_piece(piece).unwrap());
        assert_eq!(copy.pieces(9), tree.pieces(9));
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
        let node = r#"{"id":9,"type":"task","name":"t","props":{},"depth":1,"children":[]}"#;
        for text in ["", "{}", "[0]", "[0,{}]", &format!("[99,{node}]"), &format!("[{node},0]")] {
            assert!(tree.add_piece(text).is_err(), "{text}");
        }
    }
}
