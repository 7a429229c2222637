//! Equality of JSON texts: the deep equality of their `JSON.parse` results.

use crate::json::{ReadError, Slice, Token};
use crate::number::{Number, read};
use crate::text::{json, slice};

/// Whether two JSON texts are equal except for the order of keys, white space, and the notation of numbers and texts.
///
/// Negative zero is not equal to zero, as in `Object.is`. Lone surrogates cannot be distinguished after decoding, so
/// texts with one are compared in their notation.
pub(crate) fn json_eq(a: &str, b: &str) -> bool {
    a == b || canonical(a).is_ok_and(|a| canonical(b).is_ok_and(|b| a == b))
}

enum Container {
    List(Vec<String>),
    Object { members: Vec<(String, String)>, key: String },
}

/// A canonical text of the value.
fn canonical(text: &str) -> Result<String, ReadError> {
    let mut reader = Slice::new(text).reader();
    let mut open: Vec<Container> = Vec::new();
    loop {
        let value = match reader.token()? {
            Token::ObjectStart => {
                open.push(Container::Object { members: Vec::new(), key: String::new() });
                continue;
            }
            Token::ArrayStart => {
                open.push(Container::List(Vec::new()));
                continue;
            }
            Token::Key(name) => {
                if let Some(Container::Object { key, .. }) = open.last_mut() {
                    *key = string_text(&name.decode(), text.get(reader.start()..reader.at()));
                }
                continue;
            }
            Token::ObjectEnd | Token::ArrayEnd => open.pop().map(container_text).unwrap_or_default(),
            Token::String(value) => string_text(&value.decode(), text.get(reader.start()..reader.at())),
            Token::Number(digits) => match read(digits) {
                Some(number) if number == 0.0 && number.is_sign_negative() => "-0".to_owned(),
                Some(number) => Number(number).to_text(),
                None => digits.to_owned(),
            },
            Token::Bool | Token::Null => slice(text, reader.start()..reader.at()).to_owned(),
        };
        match open.last_mut() {
            None => return Ok(value),
            Some(Container::List(items)) => items.push(value),
            Some(Container::Object { members, key }) => members.push((std::mem::take(key), value)),
        }
    }
}

fn string_text(decoded: &str, raw: Option<&str>) -> String {
    match raw {
        Some(raw) if decoded.contains('\u{fffd}') => {
            raw.trim_end_matches([':', ' ', '\n', '\r', '\t']).to_owned()
        }
        Some(_) | None => json(decoded),
    }
}

fn container_text(open: Container) -> String {
    match open {
        Container::List(items) => format!("[{}]", items.join(",")),
        Container::Object { mut members, .. } => {
            // The last of equal keys counts, as in JavaScript; a stable sort keeps it last.
            members.sort_by(|a, b| a.0.cmp(&b.0));
            let last = |place: usize| members.get(place + 1).is_none_or(|next| next.0 != members[place].0);
            let kept = (0..members.len()).filter(|place| last(*place));
            let texts: Vec<String> =
                kept.map(|place| members[place].0.clone() + ":" + &members[place].1).collect();
            format!("{{{}}}", texts.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::json_eq;

    #[test]
    fn spelling_does_not_matter() {
        for (a, b) in [
            (r#"{"a":1,"b":[1,2]}"#, r#"{ "b" : [1.0, 2e0], "a":1 }"#),
            (r#""ü""#, r#""\u00fc""#),
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
            ("1e400", "2e400"),
            ("[]", "[ ]"),
            ("123456789012345680000", "123456789012345678901"),
            (r#"{"\u0061":null}"#, r#"{"a":null}"#),
            (r#""\ud83d""#, r#""\ud83d""#),
        ] {
            assert!(json_eq(a, b), "{a} {b}");
        }
    }

    #[test]
    fn meaning_does() {
        for (a, b) in [
            ("1", "2"),
            ("0", "-0"),
            ("1", "\"1\""),
            ("null", "{}"),
            ("[]", "{}"),
            ("[1,2]", "[2,1]"),
            (r#"{"a":1}"#, r#"{"a":1,"b":1}"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":1}"#),
            (r#"["a,b"]"#, r#"["a","b"]"#),
            (r#"{"a":{"b":1}}"#, r#"{"a":{"b":2}}"#),
            (r#""\ud83d""#, r#""\ud83e""#),
            ("true", "false"),
            ("broken", "{}"),
            ("{", "{}"),
        ] {
            assert!(!json_eq(a, b), "{a} {b}");
        }
    }
}
