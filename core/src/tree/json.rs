//! Reads and writes trees as JSON, without recursion: a tree can have 257 levels, and stacks are small in WebAssembly.

use std::sync::Arc;

use super::member_order::{CHILDREN, KEYS, MemberOrder, MemberOrderBuilder};
use super::node::{Props, read_props, read_task};
use super::node_json::{write_end, write_start};
use super::{MAX_DEPTH, MAX_NODES, Node, NodeId, NodeIndex, Tree};
use crate::json::{ReadError, ReadErrorKind, Reader, Slice, Token, Writer, optional};
use crate::text::concat;
use crate::word::Word;

/// A node with its descendants, not in a tree; the root is first.
#[derive(Clone, Debug)]
pub struct Subtree {
    nodes: Vec<Node>,
    height: u32,
}

impl Subtree {
    /// The nodes in reading order; indices count from the first.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn new(nodes: Vec<Node>, height: u32) -> Self {
        Self { nodes, height }
    }

    pub(super) fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// The depth of the deepest node.
    pub(super) fn height(&self) -> u32 {
        self.height
    }
}

/// A node whose object is not yet read completely.
struct OpenNode {
    index: NodeIndex,
    begin: usize,
    /// The number of objects and lists around it.
    nesting: usize,
    members: MemberOrderBuilder,
}

struct Builder<'a> {
    slice: Slice<'a>,
    reader: Reader<'a>,
    nodes: Vec<Node>,
    open: Vec<OpenNode>,
    orders: Vec<Arc<str>>,
}

/// Reads a node with its descendants.
pub(crate) fn read_subtree(slice: Slice<'_>) -> Result<Subtree, ReadError> {
    let mut builder =
        Builder { slice, reader: slice.reader(), nodes: Vec::new(), open: Vec::new(), orders: Vec::new() };
    loop {
        if let Err(error) = builder.step() {
            builder.omit_node(error)?;
        }
        if builder.open.is_empty() {
            let height = builder.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
            return Ok(Subtree { nodes: builder.nodes, height });
        }
    }
}

impl Builder<'_> {
    /// Reads one token. `key` reads the values of a node, so the remaining ones begin and end nodes and lists of nodes.
    fn step(&mut self) -> Result<(), ReadError> {
        match self.reader.token()? {
            Token::ObjectStart => self.begin(),
            Token::Key(key) => self.key(&key.decode()),
            Token::ObjectEnd => self.end(),
            Token::ArrayEnd => Ok(()),
            other @ (Token::ArrayStart | Token::String(_) | Token::Number(_) | Token::Bool | Token::Null) => {
                let error = self.refuse("a node (an object)", other);
                if self.open.is_empty() {
                    return Err(error);
                }
                if matches!(other, Token::ArrayStart) {
                    self.reader.skip_checked_rest();
                }
                self.lose_node(error)
            }
        }
    }

    /// Goes on behind a node that cannot be read, without it and what is under it. The root is not omitted.
    fn omit_node(&mut self, error: ReadError) -> Result<(), ReadError> {
        if self.open.len() < 2 {
            return Err(error);
        }
        self.lose_node(error)?;
        let Some(OpenNode { index, begin, nesting, .. }) = self.open.pop() else { return Ok(()) };
        let parent = self.nodes.get(index.slot()).and_then(|node| node.parent);
        self.nodes.truncate(index.slot());
        if let Some(parent) = parent {
            self.nodes[parent.slot()].children.pop();
        }
        self.reader.rewind(begin, nesting);
        self.reader.skip_value().map(drop)
    }

    /// Records that a node is omitted; the error itself if the tree is read strictly.
    fn lose_node(&self, error: ReadError) -> Result<(), ReadError> {
        if !self.slice.is_tolerant() || error.kind != ReadErrorKind::Invalid {
            return Err(error);
        }
        let end = " The node is omitted with what is under it, so the tree and its counts are incomplete.";
        self.slice.lose(ReadError { message: concat(&[&error.message, end]), ..error })
    }

    fn refuse(&self, expected: &str, found: Token<'_>) -> ReadError {
        let message = concat(&["Expected ", expected, ", found ", &found.describe(), "."]);
        ReadError::invalid(self.reader.start(), message)
    }

    fn begin(&mut self) -> Result<(), ReadError> {
        let depth = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        let (begin, nesting) = (self.reader.start(), self.reader.nesting() - 1);
        if depth > MAX_DEPTH {
            let message = format!("The tree is deeper than {MAX_DEPTH} levels below its root.");
            return Err(ReadError::new(ReadErrorKind::TooDeep, begin, message));
        }
        if self.nodes.len() >= MAX_NODES {
            let message = format!("The tree has more than {MAX_NODES} nodes.");
            return Err(ReadError::new(ReadErrorKind::TooLarge, begin, message));
        }
        let index = NodeIndex::new(self.nodes.len());
        let parent = self.open.last().map(|open| open.index);
        if let Some(parent) = parent {
            self.nodes[parent.slot()].children.push(index);
        }
        self.nodes.push(Node {
            id: NodeId(0),
            node_type: Word::new(""),
            name: String::new(),
            task: None,
            depth,
            parent,
            children: Vec::new(),
            status: None,
            props: Props::default(),
            own_title: None,
            member_order: MemberOrder::default(),
        });
        self.open.push(OpenNode { index, begin, nesting, members: MemberOrderBuilder::default() });
        Ok(())
    }

    fn key(&mut self, name: &str) -> Result<(), ReadError> {
        let at = self.reader.start();
        // Keys occur only inside a node.
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        let Some(place) = KEYS.iter().position(|key| *key == name) else {
            let (_, end) = self.reader.skip_value()?;
            open.members.add_other(self.slice.part((at, end)).json());
            return Ok(());
        };
        if !open.members.add(place) {
            let message = concat(&["The key \"", name, "\" occurs twice."]);
            return Err(ReadError::new(ReadErrorKind::DuplicateKey, at, message));
        }
        if place == CHILDREN {
            return match self.reader.token()? {
                Token::ArrayStart => Ok(()),
                other => {
                    let error = self.refuse("a list of nodes", other);
                    if matches!(other, Token::ObjectStart) {
                        self.reader.skip_checked_rest();
                    }
                    self.slice.lose(error)
                }
            };
        }
        let slot = open.index.slot();
        let value = self.slice.part(self.reader.skip_value()?);
        set(&mut self.nodes[slot], name, value)
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if let Some((open, missing)) = self.open.last().and_then(|open| Some((open, open.members.missing()?)))
        {
            let message = concat(&["The node has no \"", missing, "\"."]);
            return Err(ReadError::invalid(open.begin, message));
        }
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.nodes[open.index.slot()].member_order = open.members.finish(&mut self.orders);
        Ok(())
    }
}

/// Sets the field of a node that the key names.
fn set(node: &mut Node, key: &str, value: Slice<'_>) -> Result<(), ReadError> {
    let text = |what| value.text().ok_or_else(|| value.expected(what));
    match key {
        "id" => node.id = read_id(value)?,
        "type" => node.node_type = Word::new(&text("a node type as text")?),
        "name" => node.name = text("a name as text")?,
        "props" if value.is_object() => node.props = read_props(value)?,
        "props" => return value.lose(value.expected("an object of properties")),
        "task" => node.task = optional(Some(value), read_task)?,
        "depth" => {
            let depth =
                |value: Slice<'_>| value.read_small().map_err(|_| value.expected("a depth as a number"));
            node.depth = optional(Some(value), depth)?.unwrap_or(node.depth);
        }
        _ => {}
    }
    Ok(())
}

/// Reads a node's id: a whole number that JavaScript can represent exactly.
pub(crate) fn read_id(value: Slice<'_>) -> Result<NodeId, ReadError> {
    const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
    match value.number() {
        Some(number) if number.fract() == 0.0 && number.abs() <= MAX_SAFE => Ok(NodeId(number as i64)),
        _ => Err(value.expected("a node id as a whole number up to 2^53")),
    }
}

impl Tree {
    /// The tree in the form of the wire: properties, tasks and unknown members verbatim, all in their original order,
    /// without the server's rows.
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

fn write(nodes: &[Node], root: NodeIndex, out: &mut Writer) {
    write_start(&nodes[root.slot()], out);
    let mut open = vec![(root, 0)];
    while let Some((index, next)) = open.last_mut() {
        let node = &nodes[index.slot()];
        if let Some(child) = node.children.get(*next).copied() {
            *next += 1;
            write_start(&nodes[child.slot()], out);
            open.push((child, 0));
        } else {
            write_end(node, out);
            open.pop();
        }
    }
}
