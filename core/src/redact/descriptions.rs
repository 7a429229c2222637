//! Objects and lists under the key of a secret that only describe it: its JSON schema, or what is wrong with it.

use super::replacement::REDACTED_START;
use super::values::looks_secret;
use crate::json::{Slice, Token};

/// The members of schemas and errors. Members with a value of the secret, such as `default` and `example`, are not among them.
const MEMBERS: [&str; 38] = [
    "$ref",
    "additionalproperties",
    "allof",
    "anyof",
    "code",
    "count",
    "deprecated",
    "description",
    "detail",
    "error",
    "errors",
    "exclusivemaximum",
    "exclusiveminimum",
    "expected",
    "field",
    "format",
    "items",
    "kind",
    "level",
    "maximum",
    "maxlength",
    "message",
    "minimum",
    "minlength",
    "multipleof",
    "nullable",
    "oneof",
    "path",
    "pattern",
    "properties",
    "readonly",
    "reason",
    "received",
    "required",
    "status",
    "title",
    "type",
    "writeonly",
];

/// The members of which one is there. `type` is one if it is the name of a type.
const CERTAIN: [&str; 10] =
    ["$ref", "allof", "anyof", "description", "error", "errors", "message", "oneof", "properties", "reason"];

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// Words of sentences about a secret.
const WORDS: [&str; 22] = [
    "be",
    "blank",
    "cannot",
    "can't",
    "characters",
    "contain",
    "empty",
    "expected",
    "has",
    "have",
    "invalid",
    "is",
    "may",
    "missing",
    "must",
    "needs",
    "not",
    "required",
    "should",
    "too",
    "wrong",
    "was",
];

/// Maximum depth of a description.
const MAX_DEPTH: usize = 8;

/// An open object or list.
struct OpenDescription {
    /// Whether the keys or the items are names, as in `properties` and `required`.
    has_names: bool,
    is_list: bool,
    is_certain: bool,
}

/// Whether an object or a list describes a secret and does not contain it.
pub(super) fn is_description(value: Slice<'_>) -> bool {
    let mut reader = value.reader();
    let (mut open, mut key): (Vec<OpenDescription>, String) = (Vec::new(), String::new());
    loop {
        let Ok(Some(token)) = reader.next() else { return false };
        let is_item = open.last().is_some_and(|level| level.is_list);
        let fits = match token {
            Token::Key(text) => {
                key = text.decode().to_ascii_lowercase();
                let Some(level) = open.last_mut() else { return false };
                level.is_certain |= CERTAIN.contains(&key.as_str());
                level.has_names || MEMBERS.contains(&key.as_str())
            }
            Token::String(text) => {
                let text = text.decode();
                let is_type = TYPES.contains(&text.as_ref());
                if let Some(level) = open.last_mut() {
                    level.is_certain |= key == "type" && is_type;
                }
                match (is_item, open.last().is_some_and(|level| level.has_names)) {
                    (true, has_names) => has_names || is_type || is_sentence(&text),
                    (false, has_names) => !has_names && is_word_or_sentence(&text),
                }
            }
            Token::ObjectStart | Token::ArrayStart => {
                let is_list = matches!(token, Token::ArrayStart);
                let has_names = match key.as_str() {
                    "properties" => !is_list,
                    "required" | "path" => is_list,
                    _ => false,
                };
                open.push(OpenDescription { has_names, is_list, is_certain: is_list || has_names });
                key.clear();
                open.len() <= MAX_DEPTH
            }
            Token::ObjectEnd | Token::ArrayEnd => {
                let is_certain = open.pop().is_some_and(|level| level.is_certain);
                if open.is_empty() {
                    return is_certain;
                }
                is_certain
            }
            Token::Number(_) => !is_item,
            Token::Bool | Token::Null => true,
        };
        if !fits {
            return false;
        }
    }
}

/// Whether a text is a sentence about a secret. A redacted one was.
fn is_sentence(text: &str) -> bool {
    text.contains(REDACTED_START)
        || text.contains(' ')
            && text.split([' ', ',', '.']).any(|word| WORDS.iter().any(|of| of.eq_ignore_ascii_case(word)))
}

fn is_word_or_sentence(text: &str) -> bool {
    text.contains(' ') || !looks_secret(text)
}

#[cfg(test)]
mod tests {
    use super::is_description;
    use crate::json::Slice;

    #[test]
    fn schemas_and_errors_are_distinguished_from_secrets() {
        for text in [
            r#"{"type":"string"}"#,
            r#"{"type":["string","null"],"minLength":8,"description":"The token of a user"}"#,
            r##"{"$ref":"#/definitions/token"}"##,
            r#"{"type":"object","properties":{"value":{"type":"string"}},"required":["value"]}"#,
            r#"{"message":"is too short","code":"too_short","minimum":8}"#,
            r#"["is required","must have 8 characters"]"#,
            r#"[{"message":"expired","path":["a is b"]}]"#,
            r#"{"error":"[redacted]"}"#,
            "[]",
        ] {
            assert!(is_description(Slice::from_text(text).unwrap()), "{text}");
        }
        for text in [
            r#"{"value":"x"}"#,
            r#"{"type":"bearer"}"#,
            r#"{"type":"string","default":"hunter"}"#,
            r#"{"code":"a1b2c3d4"}"#,
            r#"{"message":"a1b2c3d4"}"#,
            r#"["hunter"]"#,
            r#"["correct horse battery"]"#,
            "[123456]",
            "{}",
            r#"{"properties":{"a":"hunter2"}}"#,
            r#"{"token":{"type":"string"}}"#,
        ] {
            assert!(!is_description(Slice::from_text(text).unwrap()), "{text}");
        }
    }
}
