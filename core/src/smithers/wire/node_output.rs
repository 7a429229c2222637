//! The answer of `getNodeOutput` (protocol section 3.3).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::word::Word;

crate::vocabulary! {
    /// The status of a node's output.
    ///
    /// ```
    /// use runstate::{smithers::wire::NodeOutputStatus, word::Vocabulary};
    ///
    /// assert_eq!(NodeOutputStatus::WORDS, ["produced", "pending", "failed"]);
    /// ```
    pub enum NodeOutputStatus ("status of an output") {
        /// The output exists.
        Produced = "produced",
        /// The output does not exist yet.
        Pending = "pending",
        /// The node failed without output.
        Failed = "failed",
    }
}

crate::vocabulary! {
    /// The type of an output field.
    ///
    /// ```
    /// use runstate::{smithers::wire::OutputFieldType, word::Vocabulary};
    ///
    /// // The server's own word for a state it did not know, not a word that Runstate does not know.
    /// assert_eq!(OutputFieldType::from_word("unknown"), Some(OutputFieldType::Unknown));
    /// ```
    pub enum OutputFieldType ("field type") {
        /// Text.
        String = "string",
        /// A number.
        Number = "number",
        /// A truth value.
        Boolean = "boolean",
        /// An object.
        Object = "object",
        /// A list.
        Array = "array",
        /// Null.
        Null = "null",
        /// The server itself did not know.
        Unknown = "unknown",
    }
}

/// A field of an output.
///
/// ```
/// use runstate::smithers::wire::OutputField;
///
/// let json = r#"{"name":"verdict","type":"date","optional":false,"nullable":true}"#;
/// let field: OutputField = serde_json::from_str(json)?;
/// assert_eq!(field.field_type.as_str(), "date"); // an unknown type is kept
/// assert_eq!(serde_json::to_string(&field)?, json);
/// assert!(serde_json::from_str::<OutputField>(r#"{"name":"verdict"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OutputField {
    /// Its name.
    pub name: String,
    /// The type of its value.
    #[serde(rename = "type")]
    pub field_type: Word<OutputFieldType>,
    /// Whether it may be missing.
    pub optional: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The values that it may have.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The shape of an output.
///
/// ```
/// use runstate::smithers::wire::{OutputFieldType, OutputSchema};
///
/// let json = r#"{"fields":[{"name":"verdict","type":"string","optional":false,"nullable":true,"enum":["yes","no"]}]}"#;
/// let schema: OutputSchema = serde_json::from_str(json)?;
/// assert_eq!(schema.fields[0].field_type.known(), Some(OutputFieldType::String));
/// assert_eq!(schema.fields[0].values.as_ref().map(Vec::len), Some(2));
/// assert_eq!(serde_json::to_string(&schema)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OutputSchema {
    /// Its fields.
    pub fields: Vec<OutputField>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The reason for a missing output.
///
/// ```
/// use runstate::smithers::wire::NodeOutputError;
///
/// let error: NodeOutputError = serde_json::from_str(r#"{"message":"exit code 2","attempt":3}"#)?;
/// assert_eq!((&error.code, error.attempt), (&None, Some(3)));
/// assert_eq!(serde_json::to_string(&error)?, r#"{"message":"exit code 2","attempt":3}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeOutputError {
    /// The class that was thrown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The code, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The message.
    pub message: String,
    /// The number of the attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The output of a node.
///
/// ```
/// use runstate::smithers::wire::{NodeOutputResponse, NodeOutputStatus};
///
/// let json = r#"{"status":"produced","row":{"text":"ok"},"schema":null}"#;
/// let output: NodeOutputResponse = serde_json::from_str(json)?;
/// assert_eq!(output.status.known(), Some(NodeOutputStatus::Produced));
/// // Null fields are omitted.
/// assert_eq!(serde_json::to_string(&output)?, r#"{"status":"produced","row":{"text":"ok"}}"#);
/// assert_eq!(output.row.unwrap()["text"], "ok");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeOutputResponse {
    /// The status of the output.
    pub status: Word<NodeOutputStatus>,
    /// The output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<Value>,
    /// Its schema, if the server knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<OutputSchema>,
    /// The partial output of a failed node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<Value>,
    /// The reason for a missing output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<NodeOutputError>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}
