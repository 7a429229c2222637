//! The rendered workflow: markup and tasks of one frame (seed 002).

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Entries, TaskDescriptor};
use crate::json::Reader;

/// How deep markup may nest. Smithers trees have 256 levels at most; each level takes some of a small stack.
pub(crate) const MAX_XML_DEPTH: usize = 260;

/// A piece of markup.
///
/// By itself `serde_json` reads 128 nested values; [`from_json`](Self::from_json) reads 260 levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum XmlNode {
    /// An element.
    Element(XmlElement),
    /// Text between elements.
    Text(XmlText),
}

/// An element of the rendered workflow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct XmlElement {
    /// Its name: `Task`, or `smithers:task` as the released software writes it.
    pub tag: String,
    /// Its attributes.
    pub props: Entries,
    /// The child nodes.
    pub children: Vec<XmlNode>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Text between elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct XmlText {
    /// The text.
    pub text: String,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The workflow as it was rendered for a frame.
///
/// ```
/// use runstate::smithers::wire::{GraphSnapshot, XmlNode};
///
/// let graph = GraphSnapshot::from_json(
///     r#"{"runId":"r","frameNo":1,"tasks":[],"xml":{"kind":"element","tag":"Workflow","props":{"name":"w"},"children":[]}}"#,
/// )?;
/// assert_eq!(GraphSnapshot::from_json(&serde_json::to_string(&graph)?)?, graph);
/// let Some(XmlNode::Element(root)) = graph.xml else { unreachable!() };
/// assert_eq!(root.props.0["name"], "w");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GraphSnapshot {
    /// The run.
    pub run_id: String,
    /// The frame.
    pub frame_no: u32,
    /// The markup; `None` if nothing was rendered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xml: Option<XmlNode>,
    /// The tasks in their order.
    pub tasks: Vec<TaskDescriptor>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl XmlNode {
    /// Reads markup from the `xmlJson` of frames.
    ///
    /// ```
    /// use runstate::smithers::wire::XmlNode;
    ///
    /// let json = r#"{"kind":"element","tag":"Task","props":{"id":"build"},"children":[{"kind":"text","text":"Build it."}]}"#;
    /// let node = XmlNode::from_json(json)?;
    /// assert_eq!(serde_json::to_string(&node)?, json);
    /// let XmlNode::Element(task) = node else { unreachable!() };
    /// let [XmlNode::Text(text)] = &task.children[..] else { unreachable!() };
    /// assert_eq!(text.text, "Build it.");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`serde_json::Error`] for text that is not JSON, for values that are neither an element nor text, and for more
    /// than 260 levels.
    pub fn from_json(json: &str) -> serde_json::Result<Self> {
        // Each level is an object and the list of its children; the innermost element has attributes or an empty list.
        read_nested(json, 2 * MAX_XML_DEPTH)
    }
}

impl GraphSnapshot {
    /// Reads a frame, its markup to 260 levels.
    ///
    /// See [`GraphSnapshot`] for an example.
    ///
    /// # Errors
    /// [`serde_json::Error`] for text that is not JSON, for a field that is missing or of another kind, and for markup
    /// that nests deeper.
    pub fn from_json(json: &str) -> serde_json::Result<Self> {
        read_nested(json, 2 * MAX_XML_DEPTH + 1)
    }
}

/// Reads JSON that nests deeper than `serde_json` allows by itself, and no deeper than this.
fn read_nested<T: DeserializeOwned>(json: &str, max_nesting: usize) -> serde_json::Result<T> {
    let mut reader = Reader::new(json, 0);
    loop {
        match reader.next() {
            Ok(Some(_)) if reader.nesting() > max_nesting => {
                return Err(serde_json::Error::custom("the markup nests deeper than Runstate reads"));
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            // serde_json describes the error, within its own nesting limit.
            Err(_) => return serde_json::from_str(json),
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.disable_recursion_limit();
    let read = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(read)
}

#[cfg(test)]
mod tests {
    use crate::smithers::wire::{MAX_XML_DEPTH, XmlNode};

    #[test]
    fn markup_that_nests_too_deep_is_refused() {
        let open = r#"{"kind":"element","tag":"Sequence","props":{},"children":["#;
        let nested = |levels| XmlNode::from_json(&(open.repeat(levels) + &"]}".repeat(levels)));
        assert!(nested(MAX_XML_DEPTH).is_ok());
        assert!(nested(MAX_XML_DEPTH + 1).is_err());
    }
}
