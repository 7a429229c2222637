//! The rendered workflow: markup and tasks of one frame (seed 002).

use super::TaskDescriptor;
use super::field::{Entries, Field, object};
use super::record::record;
use crate::json::{ReadError, ReadErrorKind, Slice, fields, items};
use crate::text::{concat, join, json};

/// How deep markup may nest. Smithers trees have 256 levels at most; each level takes some of a small stack.
///
/// ```
/// use runstate::smithers::wire::{MAX_XML_DEPTH, XmlNode};
///
/// let open = r#"{"kind":"element","tag":"Sequence","props":{},"children":["#;
/// let levels = MAX_XML_DEPTH + 1;
/// assert!(XmlNode::from_json(&(open.repeat(levels) + &"]}".repeat(levels))).is_err());
/// ```
pub const MAX_XML_DEPTH: usize = 260;

/// A piece of markup.
#[derive(Clone, Debug, PartialEq)]
pub enum XmlNode {
    /// An element.
    Element(XmlElement),
    /// Text between elements.
    Text(String),
}

/// An element of the rendered workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct XmlElement {
    /// Its name: `Task`, or `smithers:task` as the released software writes it.
    pub tag: String,
    /// Its attributes, in the order of the text.
    pub props: Entries<String>,
    /// What is inside it.
    pub children: Vec<XmlNode>,
}

record! {
    /// The workflow as it was rendered for a frame.
    ///
    /// ```
    /// use runstate::smithers::wire::{GraphSnapshot, XmlNode};
    ///
    /// let graph = GraphSnapshot::from_json(
    ///     r#"{"runId":"r","frameNo":1,"tasks":[],"xml":{"kind":"element","tag":"Workflow","props":{"name":"w"},"children":[]}}"#,
    /// )?;
    /// assert_eq!(GraphSnapshot::from_json(&graph.to_json())?, graph);
    /// let Some(XmlNode::Element(root)) = graph.xml else { unreachable!() };
    /// assert_eq!(root.props.get("name").map(String::as_str), Some("w"));
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct GraphSnapshot {
        /// The run.
        run_id: String = "runId",
        /// The frame.
        frame_no: u32 = "frameNo",
        /// The markup; `None` where nothing was rendered.
        xml: Option<XmlNode> = "xml",
        /// The tasks in their order.
        tasks: Vec<TaskDescriptor> = "tasks",
    }
}

impl XmlNode {
    /// Reads markup, as frames hold it in `xmlJson`.
    ///
    /// ```
    /// use runstate::smithers::wire::XmlNode;
    ///
    /// let json = r#"{"kind":"element","tag":"Task","props":{"id":"build"},"children":[{"kind":"text","text":"Build it."}]}"#;
    /// let XmlNode::Element(task) = XmlNode::from_json(json)? else { unreachable!() };
    /// assert_eq!(task.children, [XmlNode::Text("Build it.".into())]);
    /// assert_eq!(XmlNode::Element(task).to_json(), json);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] for text that is not JSON, for what is neither an element nor text, and for more than [`MAX_XML_DEPTH`] levels.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        read(Slice::of_text(json)?, 0)
    }

    /// The markup as JSON.
    pub fn to_json(&self) -> String {
        match self {
            Self::Text(text) => concat(&["{\"kind\":\"text\",\"text\":", &json(text), "}"]),
            Self::Element(element) => {
                let children: Vec<String> = element.children.iter().map(Self::to_json).collect();
                let parts: Vec<&str> = children.iter().map(String::as_str).collect();
                object(&[
                    ("kind", "\"element\"".to_owned()),
                    ("tag", json(&element.tag)),
                    ("props", element.props.write().unwrap_or_default()),
                    ("children", concat(&["[", &join(&parts, ","), "]"])),
                ])
            }
        }
    }
}

impl Field for XmlNode {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        read(slice, 0)
    }

    fn write(&self) -> Option<String> {
        Some(self.to_json())
    }
}

fn read(slice: Slice<'_>, depth: usize) -> Result<XmlNode, ReadError> {
    if depth >= MAX_XML_DEPTH {
        let message = "The markup nests deeper than Runstate reads.";
        return Err(ReadError::new(ReadErrorKind::TooDeep, slice.begin(), message));
    }
    let [kind, text, tag, props, children] = fields(slice, ["kind", "text", "tag", "props", "children"])?;
    let kind = slice.need("kind", kind)?;
    match kind.read_text()?.as_str() {
        "text" => Ok(XmlNode::Text(slice.need("text", text)?.read_text()?)),
        "element" => {
            let tag = slice.need("tag", tag)?.read_text()?;
            let props = Entries::read(slice.need("props", props)?)?;
            let mut inside = Vec::new();
            for child in items(slice.need("children", children)?)? {
                inside.push(read(child?, depth + 1)?);
            }
            Ok(XmlNode::Element(XmlElement { tag, props, children: inside }))
        }
        _ => Err(kind.expected("\"element\" or \"text\"")),
    }
}
