//! Reads rendered markup as a tree (seed 002); the row of a frame and a `GraphSnapshot` contain such markup.

use std::collections::BTreeMap;

use crate::json::{ReadError, ReadErrorKind, Slice, Writer, fields, items, optional};
use crate::smithers::wire::{MAX_XML_DEPTH, NodeType};
use crate::tree::Tree;
use crate::word::Vocabulary;

/// The state of the conversion.
struct Markup<'a> {
    out: Writer,
    /// The planned task of each id, from `TaskDescriptor`s or a frame's index of tasks.
    tasks: BTreeMap<String, u64>,
    rows: Vec<Slice<'a>>,
    nodes: u32,
}

/// Returns the tree of an element. Its nodes are numbered because the wire format has no ids for them, and they have no
/// states.
pub(super) fn tree(root: Slice<'_>, tasks: Option<Slice<'_>>) -> Result<Tree, ReadError> {
    let rows = tasks.map_or_else(|| Ok(Vec::new()), |tasks| tasks.read_items(Ok))?;
    let mut markup = Markup { out: Writer::default(), tasks: BTreeMap::new(), rows, nodes: 0 };
    for (place, row) in (0..).zip(&markup.rows) {
        let [node_id] = fields(*row, ["nodeId"])?;
        markup.tasks.insert(row.need("nodeId", node_id)?.read_text()?, place);
    }
    markup.element(root, 0)?;
    Tree::from_json(&markup.out.finish()).map_err(|error| root.refuse(error.message))
}

impl Markup<'_> {
    fn element(&mut self, slice: Slice<'_>, depth: usize) -> Result<(), ReadError> {
        if depth >= MAX_XML_DEPTH {
            let message = "The markup nests deeper than Runstate reads.";
            return Err(ReadError::new(ReadErrorKind::TooDeep, slice.begin(), message));
        }
        let [kind, tag, props, children] = fields(slice, ["kind", "tag", "props", "children"])?;
        let kind = slice.need("kind", kind)?;
        match kind.read_text()?.as_str() {
            // The text between tags is not a node.
            "text" if depth > 0 => return Ok(()),
            "element" => {}
            _ => return Err(kind.expected("\"element\" or \"text\"")),
        }
        let tag = slice.need("tag", tag)?.read_text()?.to_ascii_lowercase();
        let tag = tag.strip_prefix("smithers:").unwrap_or(&tag);
        let props = slice.need("props", props)?;
        let [id, name] = fields(props, ["id", "name"])?;
        let name = name.and_then(Slice::text).filter(|_| tag == "workflow");
        self.nodes += 1;
        self.out.raw("{");
        self.out.key("id").number(f64::from(self.nodes));
        self.out.key("type").text(type_of(tag));
        self.out.key("name").text(name.as_deref().unwrap_or(tag));
        self.out.key("props").raw(props.json());
        // The Gateway assigns a task only to nodes of that type.
        let id = id.and_then(Slice::text).filter(|_| tag == "task");
        if let Some(place) = id.and_then(|id| self.tasks.get(&id)) {
            let row = self.rows[*place as usize];
            self.task(row)?;
        }
        self.out.key("children").raw("[");
        for child in items(slice.need("children", children)?)? {
            self.element(child?, depth + 1)?;
        }
        self.out.close("]}");
        Ok(())
    }

    fn task(&mut self, row: Slice<'_>) -> Result<(), ReadError> {
        let [node_id, kind, iteration, label] = fields(row, ["nodeId", "kind", "iteration", "label"])?;
        self.out.key("task").raw("{");
        for (name, value) in [("nodeId", node_id), ("kind", kind), ("label", label)] {
            if let Some(text) = optional(value, Slice::read_text)? {
                self.out.key(name).text(&text);
            }
        }
        if let Some(iteration) = optional(iteration, Slice::read_small)? {
            self.out.key("iteration").number(f64::from(iteration));
        }
        self.out.close("}");
        Ok(())
    }
}

/// Returns the type that the Gateway assigns to a tag (protocol section 3.4).
fn type_of(tag: &str) -> &str {
    match tag {
        "ralph" => NodeType::Loop.as_str(),
        "try-catch-finally" => NodeType::TryCatch.as_str(),
        _ => NodeType::from_word(tag).unwrap_or(NodeType::Unknown).as_str(),
    }
}
