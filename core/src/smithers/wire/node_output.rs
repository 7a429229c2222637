//! What `getNodeOutput` answers (protocol section 3.3).

use super::field::Json;
use super::record::record;
use crate::word::Word;

crate::vocabulary! {
    /// How far a node's output is.
    ///
    /// ```
    /// use runstate::smithers::wire::NodeOutputStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(NodeOutputStatus::WORDS, ["produced", "pending", "failed"]);
    /// ```
    pub enum NodeOutputStatus ("status of an output") {
        /// It is there.
        Produced = "produced",
        /// It is not there yet.
        Pending = "pending",
        /// It will not come: the node failed.
        Failed = "failed",
    }
}

crate::vocabulary! {
    /// What stands in a field of an output.
    ///
    /// ```
    /// use runstate::smithers::wire::OutputFieldType;
    /// use runstate::word::Vocabulary;
    ///
    /// // The server's own word for what it could not tell, not one that Runstate does not know.
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
        /// Nothing.
        Null = "null",
        /// The server itself could not tell.
        Unknown = "unknown",
    }
}

record! {
    /// A field of an output.
    ///
    /// ```
    /// use runstate::smithers::wire::OutputField;
    ///
    /// let json = r#"{"name":"verdict","type":"date","optional":false,"nullable":true}"#;
    /// let field = OutputField::from_json(json)?;
    /// assert_eq!(field.field_type.as_str(), "date"); // a type that nobody knows is kept
    /// assert_eq!(field.to_json(), json);
    /// assert!(OutputField::from_json(r#"{"name":"verdict"}"#).is_err());
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct OutputField {
        /// Its name.
        name: String = "name",
        /// What stands in it.
        field_type: Word<OutputFieldType> = "type",
        /// Whether it may be missing.
        optional: bool = "optional",
        /// Whether it may be null.
        nullable: bool = "nullable",
        /// What it is for.
        description: Option<String> = "description",
        /// The values that it may have.
        values: Option<Vec<Json>> = "enum",
    }
}

record! {
    /// The shape of an output.
    ///
    /// ```
    /// use runstate::smithers::wire::{OutputFieldType, OutputSchema};
    ///
    /// let json = r#"{"fields":[{"name":"verdict","type":"string","optional":false,"nullable":true,"enum":["yes","no"]}]}"#;
    /// let schema = OutputSchema::from_json(json)?;
    /// assert_eq!(schema.fields[0].field_type.known(), Some(OutputFieldType::String));
    /// assert_eq!(schema.fields[0].values.as_ref().map(Vec::len), Some(2));
    /// assert_eq!(schema.to_json(), json);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct OutputSchema {
        /// Its fields.
        fields: Vec<OutputField> = "fields",
    }
}

record! {
    /// Why there is no output.
    ///
    /// ```
    /// use runstate::smithers::wire::NodeOutputError;
    ///
    /// let error = NodeOutputError::from_json(r#"{"message":"exit code 2","attempt":3}"#)?;
    /// assert_eq!((&error.code, error.attempt), (&None, Some(3)));
    /// assert_eq!(error.to_json(), r#"{"message":"exit code 2","attempt":3}"#);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct NodeOutputError {
        /// The class that was thrown.
        name: Option<String> = "name",
        /// The code, where it has one.
        code: Option<String> = "code",
        /// What happened.
        message: String = "message",
        /// In which attempt.
        attempt: Option<u32> = "attempt",
    }
}

record! {
    /// The output of a node.
    ///
    /// ```
    /// use runstate::smithers::wire::{NodeOutputResponse, NodeOutputStatus};
    ///
    /// let output = NodeOutputResponse::from_json(r#"{"status":"produced","row":{"text":"ok"},"schema":null}"#)?;
    /// assert_eq!(output.status.known(), Some(NodeOutputStatus::Produced));
    /// assert_eq!(output.to_json(), r#"{"status":"produced","row":{"text":"ok"}}"#); // what is not there is left out
    /// assert_eq!(output.row.unwrap().as_str(), r#"{"text":"ok"}"#);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct NodeOutputResponse {
        /// How far it is.
        status: Word<NodeOutputStatus> = "status",
        /// The output.
        row: Option<Json> = "row",
        /// Its shape, where the server knows it.
        schema: Option<OutputSchema> = "schema",
        /// What there was before the node failed.
        partial: Option<Json> = "partial",
        /// Why there is none.
        error: Option<NodeOutputError> = "error",
    }
}
