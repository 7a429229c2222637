//! The output of a node, as `getNodeOutput` answers it (protocol section 3.3).

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::json::{Slice, fields, items};
use crate::smithers::wire::{LongText, NodeOutputStatus};
use crate::viewer::missing::Missing;
use crate::word::Vocabulary;

/// A field that the output of a node has by its schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SchemaField {
    /// The name.
    pub name: String,
    /// The type, with what else the schema allows: `number or null, may be absent`.
    pub kind: String,
    /// Its description.
    pub description: Option<String>,
}

/// An answer about an output.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Output {
    /// The place of the value in the answer.
    pub(super) value: Option<Range<usize>>,
    /// Whether the value is what a failed node had written so far.
    pub(super) is_partial: bool,
    /// Why the node failed.
    pub(super) error: Option<LongText>,
    pub(super) schema: Vec<SchemaField>,
    /// Why there is no value.
    pub(super) missing: Option<Missing>,
}

/// Reads an answer whose grammar was checked.
pub(super) fn output(answer: &str) -> Output {
    let Ok([status, row, schema, partial, error]) =
        fields(Slice::new(answer), ["status", "row", "schema", "partial", "error"])
    else {
        return Output { missing: Some(Missing::UnreadableOutput), ..Output::default() };
    };
    let place = |value: Option<Slice<'_>>| {
        let value = value.filter(|value| value.json() != "null")?;
        Some(value.begin()..value.end())
    };
    let status = status.and_then(Slice::text);
    let status = status.as_deref().and_then(NodeOutputStatus::from_word);
    let (row, partial) = (place(row), place(partial));
    let is_partial = row.is_none() && partial.is_some();
    let value = row.or(partial);
    let missing = match (&value, status) {
        (Some(_), _) => None,
        (None, Some(NodeOutputStatus::Pending)) => Some(Missing::OutputYet),
        (None, Some(NodeOutputStatus::Failed)) => Some(Missing::FailedOutput),
        (None, Some(NodeOutputStatus::Produced) | None) => Some(Missing::UnreadableOutput),
    };
    Output {
        value,
        is_partial,
        error: error
            .filter(|error| error.json() != "null")
            .and_then(|error| LongText::from_error(error.json())),
        schema: schema.map(schema_fields).unwrap_or_default(),
        missing,
    }
}

fn schema_fields(schema: Slice<'_>) -> Vec<SchemaField> {
    let list = fields(schema, ["fields"]).ok().and_then(|[list]| items(list?).ok());
    list.into_iter().flatten().filter_map(|field| schema_field(field.ok()?)).collect()
}

fn schema_field(field: Slice<'_>) -> Option<SchemaField> {
    let [name, kind, optional, nullable, description] =
        fields(field, ["name", "type", "optional", "nullable", "description"]).ok()?;
    let is = |value: Option<Slice<'_>>| value.is_some_and(|value| value.json() == "true");
    let mut text = kind.and_then(Slice::text).unwrap_or_else(|| "unknown".to_owned());
    if is(nullable) {
        text.push_str(" or null");
    }
    if is(optional) {
        text.push_str(", may be absent");
    }
    Some(SchemaField { name: name?.text()?, kind: text, description: description.and_then(Slice::text) })
}

#[cfg(test)]
mod tests {
    use super::output;
    use crate::viewer::missing::Missing;

    const SCHEMA: &str = r#""schema":{"fields":[{"name":"text","type":"string","optional":false,"nullable":true},
        {"name":"n","type":"number","optional":true,"nullable":false,"description":"A number."},7,{"type":"x"}]}"#;

    #[test]
    fn a_value_has_its_place_and_its_schema() {
        let answer = format!(r#"{{"status":"produced","row":{{"n":9007199254740993}},{SCHEMA}}}"#);
        let found = output(&answer);
        assert_eq!(&answer[found.value.unwrap()], r#"{"n":9007199254740993}"#);
        assert_eq!((found.missing, found.error, found.is_partial), (None, None, false));
        let fields: Vec<_> = found.schema.iter().map(|field| (&*field.name, &*field.kind)).collect();
        assert_eq!(fields, [("text", "string or null"), ("n", "number, may be absent")]);
        assert_eq!(found.schema[1].description.as_deref(), Some("A number."));
    }

    #[test]
    fn no_value_has_its_reason() {
        for (answer, missing) in [
            (r#"{"status":"pending","row":null,"schema":null}"#, Missing::OutputYet),
            (r#"{"status":"failed","row":null,"partial":null,"error":null}"#, Missing::FailedOutput),
            (r#"{"status":"produced","row":null}"#, Missing::UnreadableOutput),
            (r#"{"status":"dreamed"}"#, Missing::UnreadableOutput),
            ("{}", Missing::UnreadableOutput),
            ("[]", Missing::UnreadableOutput),
            (r#"{"status":1,"status":2}"#, Missing::UnreadableOutput),
        ] {
            let found = output(answer);
            assert_eq!(
                (found.missing, found.value, found.schema),
                (Some(missing), None, Vec::new()),
                "{answer}"
            );
        }
    }

    #[test]
    fn a_failed_node_has_its_error_and_what_it_had_written() {
        let found = output(
            r#"{"status":"failed","row":null,"partial":{"n":1},"error":{"name":"Error","message":"tolerated 1","attempt":1}}"#,
        );
        assert!(found.is_partial && found.value.is_some() && found.missing.is_none());
        assert_eq!(found.error.map(|error| error.start).as_deref(), Some("tolerated 1"));
    }

    #[test]
    fn values_that_mean_nothing_are_values_too() {
        for value in ["{}", "[]", "\"\"", "false", "0"] {
            let answer = format!(r#"{{"status":"produced","row":{value}}}"#);
            assert_eq!(output(&answer).value.map(|place| &answer[place]), Some(value));
        }
    }
}
