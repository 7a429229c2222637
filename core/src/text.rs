//! Building, quoting, cutting and searching text.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2_iter;

/// Concatenates texts.
pub(crate) fn concat(parts: &[&str]) -> String {
    parts.concat()
}

/// Joins texts with a separator.
pub(crate) fn join(parts: &[&str], separator: &str) -> String {
    parts.join(separator)
}

/// A range of a text. A range outside of the text, or through a character, is a mistake of the caller; the result is
/// empty then.
pub(crate) fn slice(text: &str, range: Range<usize>) -> &str {
    let found = text.get(range.clone());
    debug_assert!(found.is_some(), "{range:?} is no range of a text of {} bytes", text.len());
    found.unwrap_or_default()
}

/// The text without a byte order mark in front of it.
pub(crate) fn after_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The bytes of a text without a byte order mark in front of them.
pub(crate) fn bytes_after_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The first 64 KiB of a text, up to the first invalid byte.
pub(crate) fn head(bytes: &[u8]) -> &str {
    const HEAD: usize = 64 * 1024;
    let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    std::str::from_utf8(head).unwrap_or_else(|error| {
        head.get(..error.valid_up_to()).and_then(|head| std::str::from_utf8(head).ok()).unwrap_or_default()
    })
}

/// Whether a character is not seen: it controls a terminal, has no width or no outline, or changes the direction of text.
pub(crate) fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            // Soft hyphen, and the joiner of graphemes.
            '\u{ad}' | '\u{34f}'
            // The Arabic mark of direction.
            | '\u{61c}'
            // Blank letters of Hangul and Khmer, the Mongolian vowel separator, blank Braille.
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
            // Spaces without width, marks and changes of direction, separators of lines, invisible operators.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            // Variation selectors, the byte order mark, annotations.
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            // Controls of shorthand and of music, tags, further variation selectors, and what is reserved for such characters.
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text in quotes, with invisible characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_invisible(letter) => out.extend(letter.escape_unicode()),
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// The text as a JSON string, with the escapes that JavaScript writes.
pub(crate) fn json(text: &str) -> String {
    // The writing of a text cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// The text as a JSON string in which invisible characters are escaped: what a person copies shows what it contains.
pub(crate) fn visible_json(text: &str) -> String {
    let mut out = String::new();
    for letter in json(text).chars() {
        if is_invisible(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                out.push_str("\\u");
                out.extend(
                    [12, 8, 4, 0]
                        .iter()
                        .filter_map(|shift| char::from_digit(u32::from(*unit >> shift & 15), 16)),
                );
            }
        } else {
            out.push(letter);
        }
    }
    out
}

/// Returns the bytes without an incomplete character at the end.
pub(crate) fn whole_characters(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        Ok(_) | Err(_) => bytes,
    }
}

/// The maximum length of an escape sequence that is searched for its end.
const MAX_ESCAPE: usize = 512;

/// The length of the escape sequence of a terminal with which the bytes begin; 0 if there is none.
pub(crate) fn escape_sequence_length(bytes: &[u8]) -> usize {
    match bytes {
        [0x1b, b'[', parameters @ ..] => {
            let rest = parameters.iter().take(MAX_ESCAPE);
            let length = rest.take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
            let has_end = matches!(parameters.get(length), Some(0x40..=0x7e));
            2 + length + usize::from(has_end)
        }
        // A command for the terminal, such as its title, ends with BEL.
        [0x1b, b']', command @ ..] => {
            let end = command.iter().take(MAX_ESCAPE).position(|byte| matches!(byte, 7 | b'\n'));
            end.map_or(2, |end| 2 + end + usize::from(command[end] == 7))
        }
        [0x1b, other, ..] if other.is_ascii() => 2,
        [0x1b, ..] => 1,
        _ => 0,
    }
}

/// The text without escape sequences of a terminal, such as colours.
pub(crate) fn without_escape_sequences(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('\u{1b}') {
        let (before, sequence) = rest.split_at(at);
        out.push_str(before);
        rest = sequence.get(escape_sequence_length(sequence.as_bytes())..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Whether the bytes contain `wanted`, ignoring the case of ASCII letters; `wanted` must be in lower case.
pub(crate) fn contains_ignoring_case(bytes: &[u8], wanted: &[u8]) -> bool {
    let Some((first, rest)) = wanted.split_first() else { return true };
    memchr2_iter(*first, first.to_ascii_uppercase(), bytes).any(|found| {
        let follows = bytes.get(found + 1..found + wanted.len());
        follows.is_some_and(|follows| follows.eq_ignore_ascii_case(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::{contains_ignoring_case, is_invisible, quoted, slice, without_escape_sequences};

    #[test]
    fn text_is_quoted_as_the_standard_library_quotes_it() {
        for text in ["", "a", "a\"b\\c", "\n\r\t", "\u{1}\u{7f}\u{85}", "ü日本🚀", "\u{feff}\u{200b}\u{202e}"]
        {
            assert_eq!(quoted(text), format!("{text:?}"));
        }
    }

    #[test]
    fn characters_that_are_not_seen_are_escaped() {
        let letters =
            "\u{61c}\u{ad}\u{34f}\u{180e}\u{2800}\u{3164}\u{fe0f}\u{e0041}\u{202e}\u{200b}\u{1b}\u{85}";
        assert!(letters.chars().all(is_invisible));
        let escapes: String = letters.chars().map(|letter| letter.escape_unicode().to_string()).collect();
        assert_eq!(quoted(letters), format!("\"{escapes}\""));
        assert!(!"aä日🚀 \u{a0}\u{3000}-.א\u{5d0}\u{301}".chars().any(is_invisible));
    }

    #[test]
    fn texts_are_found_without_regard_to_case() {
        let line = "{\"type\":\"NodeFailed\",\"nodeId\":\"Bauen-ü\"}".as_bytes();
        for wanted in ["", "nodefailed", "bauen-ü", "}", "{", "d\",\"n"] {
            assert!(contains_ignoring_case(line, wanted.as_bytes()), "{wanted}");
        }
        for wanted in ["nodefailed2", "ö", "}}", "  "] {
            assert!(!contains_ignoring_case(line, wanted.as_bytes()), "{wanted}");
        }
    }

    #[test]
    fn escape_sequences_are_removed() {
        for (text, shown) in [
            ("\u{1b}[31mFAILED\u{1b}[0m tests/x.py", "FAILED tests/x.py"),
            ("\u{1b}[38;5;9mred", "red"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("a\u{1b}(Bb", "aBb"),
            ("cut \u{1b}[", "cut "),
            ("end \u{1b}", "end "),
            ("\u{1b}ü", "ü"),
            ("[31m stays", "[31m stays"),
        ] {
            assert_eq!(without_escape_sequences(text), shown, "{text:?}");
        }
    }

    #[test]
    fn a_slice_is_the_range_of_a_text() {
        assert_eq!((slice("süß", 1..3), slice("süß", 5..5)), ("ü", ""));
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic = "2..3 is no range of a text of 5 bytes"]
    fn a_range_through_a_character_is_a_mistake() {
        slice("süß", 2..3);
    }
}
