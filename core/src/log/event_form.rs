//! The text of an event in its row, and the one form in which such texts are compared.

use std::borrow::Cow;

use memchr::memchr;

use super::scan::{EventForm, value_end};
use crate::json::{Reader, Slice, Token, Writer, fields};
use crate::text::slice;

/// The bytes up to the first newline.
pub(super) fn first_line(bytes: &[u8]) -> &[u8] {
    memchr(b'\n', bytes).and_then(|end| bytes.get(..end)).unwrap_or(bytes)
}

/// The value at the beginning of the bytes.
pub(super) fn first_value(bytes: &[u8]) -> &[u8] {
    value_end(bytes).and_then(|end| bytes.get(..end)).unwrap_or_else(|| deep_value(bytes))
}

/// The value at the beginning of the bytes, if it nests deeper than the fast scanner supports.
fn deep_value(bytes: &[u8]) -> &[u8] {
    let line = first_line(bytes);
    let text = std::str::from_utf8(line).unwrap_or_default();
    let end = Reader::new(text, 0).skip_value().map_or(0, |(_, end)| end);
    line.get(..end).unwrap_or_default()
}

/// The event that is a JSON text inside a row.
pub(super) fn escaped_event(row: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(row).ok()?;
    let [snake, camel] = fields(Slice::new(text), ["payload_json", "payloadJson"]).ok()?;
    snake.or(camel)?.text()
}

/// The event as `JSON.stringify` writes it: without blanks between its tokens, and with no escape that is not needed. The
/// order of the keys and the spelling of numbers stay: what formats a text changes neither.
pub(super) fn comparison_form(event: &[u8], form: EventForm) -> Cow<'_, [u8]> {
    let text = match form {
        EventForm::Compact => return Cow::Borrowed(event),
        EventForm::Formatted => std::str::from_utf8(event).ok().map(Cow::Borrowed),
        EventForm::Escaped => escaped_event(event).map(Cow::Owned),
    };
    let Some(text) = text else { return Cow::Borrowed(event) };
    let (mut reader, mut out) = (Reader::new(&text, 0), Writer::default());
    while let Ok(Some(token)) = reader.next() {
        match token {
            Token::ObjectStart => out.raw("{"),
            Token::ArrayStart => out.raw("["),
            Token::ObjectEnd => out.close("}"),
            Token::ArrayEnd => out.close("]"),
            Token::Key(key) => _ = out.key(&key.decode()),
            Token::String(value) => out.text(&value.decode()),
            Token::Number(_) | Token::Bool | Token::Null => {
                out.raw(slice(&text, reader.start()..reader.at()));
            }
        }
    }
    Cow::Owned(out.finish().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::{EventForm, comparison_form};

    #[test]
    fn an_event_has_one_form_however_it_is_formatted() {
        let compact = r#"{"a":[],"b":{},"c":[1,2.50,true,null,{"d":"ü\n \"x\": 1/2"}],"e\"":-1}"#;
        let formatted = [
            compact.to_owned(),
            "{ \"a\" : [ ] ,\r\n\t\"b\":{ }, \"c\" :[1, 2.50,true ,null,\n{\"d\": \"\\u00FC\\n \\\"x\\\": 1\\/2\"}],\n \"e\\\"\": -1}"
                .to_owned(),
        ];
        for text in formatted {
            assert_eq!(
                String::from_utf8_lossy(&comparison_form(text.as_bytes(), EventForm::Formatted)),
                compact
            );
            let row = format!("{{\"seq\": 1, \"payload_json\": {}}}", crate::text::json(&text));
            assert_eq!(
                String::from_utf8_lossy(&comparison_form(row.as_bytes(), EventForm::Escaped)),
                compact
            );
        }
    }
}
