//! JSON text between its quotes, decoded only where it is needed.

use std::borrow::Cow;

use crate::text::slice;

/// The raw content of a JSON string. The reader has checked its escapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    pub(crate) fn new(escaped: &'a str) -> Self {
        Self(escaped)
    }

    /// The text as it was written, with its escapes.
    pub(crate) fn raw(self) -> &'a str {
        self.0
    }

    /// Decodes the text. An unpaired surrogate, which JavaScript can write and Rust cannot store, becomes U+FFFD: the
    /// Gateway cuts prompts at 4,000 UTF-16 units (protocol section 3.4), which can halve an emoji.
    pub(crate) fn decode(self) -> Cow<'a, str> {
        if !self.0.contains('\\') {
            return Cow::Borrowed(self.0);
        }
        let mut out = String::with_capacity(self.0.len());
        let mut rest = self.0;
        while let Some((plain, _)) = rest.split_once('\\') {
            out.push_str(plain);
            let escape = slice(rest, plain.len()..rest.len());
            let (found, length) = unescape(escape);
            out.push(found);
            rest = slice(escape, length..escape.len());
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// The beginning, for an error message.
    pub(crate) fn start(self) -> String {
        cut(&self.decode()).to_owned()
    }
}

/// The first 40 bytes at most, cut between characters.
pub(crate) fn cut(text: &str) -> &str {
    let mut end = text.len().min(40);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    slice(text, 0..end)
}

/// The character of the escape at the start of this text, and the escape's length in bytes.
fn unescape(escape: &str) -> (char, usize) {
    match escape.as_bytes().get(1) {
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'n') => ('\n', 2),
        Some(b'r') => ('\r', 2),
        Some(b't') => ('\t', 2),
        Some(b'u') => unescape_unicode(escape),
        Some(other) => (char::from(*other), 2),
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

fn unescape_unicode(escape: &str) -> (char, usize) {
    let first = unit(escape);
    if let (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) =
        (first, escape.get(6..).and_then(unit))
    {
        let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (first.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

/// The UTF-16 unit of a `\uXXXX` at the start of the text.
fn unit(escape: &str) -> Option<u32> {
    u32::from_str_radix(escape.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn escapes_are_decoded() {
        for (escaped, plain) in [
            ("plain", "plain"),
            (r#"a\"b\\c\/d"#, "a\"b\\c/d"),
            (r"\b\f\n\r\t", "\u{8}\u{c}\n\r\t"),
            (r"\u00fc\ud83d\ude80!", "ü🚀!"),
            (r"x\ud83d", "x\u{fffd}"),
            (r"\ud83dy", "\u{fffd}y"),
            (r"\ude80\ud83d\ude80", "\u{fffd}🚀"),
        ] {
            assert_eq!(Text::new(escaped).decode(), plain, "{escaped}");
        }
    }
}
