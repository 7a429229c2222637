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
struct Open {
    index: NodeIndex,
    begin: usize,
    members: MemberOrderBuilder,
}

struct Builder<'a> {
    slice: Slice<'a>,
    reader: Reader<'a>,
    nodes: Vec<Node>,
    open: Vec<Open>,
    height: u32,
    orders: Vec<Arc<str>>,
}

/// Reads a node with its descendants.
pub(crate) fn read_subtree(slice: Slice<'_>) -> Result<Subtree, ReadError> {
    let mut builder = Builder {
        slice,
        reader: slice.reader(),
        nodes: Vec::new(),
        open: Vec::new(),
        height: 0,
        orders: Vec::new(),
    };
    loop {
        // `key` reads the values of a node, so the remaining tokens begin and end nodes and lists of nodes.
        match builder.reader.token()? {
            Token::ObjectStart => builder.begin()?,
            Token::Key(key) => builder.key(&key.decode())?,
            Token::ObjectEnd => {
                builder.end()?;
                if builder.open.is_empty() {
                    return Ok(Subtree { nodes: builder.nodes, height: builder.height });
                }
            }
            Token::ArrayEnd => {}
            other @ (Token::ArrayStart | Token::String(_) | Token::Number(_) | Token::Bool | Token::Null) => {
                return Err(builder.refuse("a node (an object)", other));
            }
        }
    }
}

impl Builder<'_> {
    fn refuse(&self, expected: &str, found: Token<'_>) -> ReadError {
        let message = concat(&["Expected ", expected, ", found ", &found.describe(), "."]);
        ReadError::invalid(self.reader.start(), message)
    }

    fn begin(&mut self) -> Result<(), ReadError> {
        let depth = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        let begin = self.reader.start();
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
            member_order: MemberOrder::default(),
        });
        self.height = self.height.max(depth);
        self.open.push(Open { index, begin, members: MemberOrderBuilder::default() });
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
        let Some(open) = self.open.pop() else { return Ok(()) };
        if let Some(missing) = open.members.missing() {
            let message = concat(&["The node has no \"", missing, "\"."]);
            return Err(ReadError::invalid(open.begin, message));
        }
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
