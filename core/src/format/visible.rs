//! Texts of others, made visible.

use std::borrow::Cow;

use crate::text::{self, without_escape_sequences};

/// Whether a character is not seen: it controls a terminal, has no width or no outline, or changes the direction of text.
///
/// ```
/// use runstate::format::is_invisible;
///
/// assert!("\u{202e}\u{200b}\u{3164}\n".chars().all(is_invisible));
/// assert!(!"a \u{a0}".chars().any(is_invisible));
/// ```
pub fn is_invisible(letter: char) -> bool {
    text::is_invisible(letter)
}

/// Returns a text as it is shown: without colour codes of terminals, and with escapes such as `\u{202e}` for characters that are not
/// seen or that change the direction of text. Line ends and tabs stay.
///
/// ```
/// use runstate::format::visible;
///
/// assert_eq!(visible("\u{1b}[31mfailed\u{1b}[0m"), "failed");
/// assert_eq!(visible("run-\u{202e}1"), r"run-\u{202e}1");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_escaped = |letter| is_invisible(letter) && letter != '\n' && letter != '\t';
    let text = without_escape_sequences(text);
    if !text.contains(is_escaped) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_escaped(letter) {
            out.extend(letter.escape_unicode());
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// Returns a name as it is shown: a blank one is "(blank)" with its code points, so that it can be told from another.
///
/// ```
/// use runstate::format::visible_name;
///
/// assert_eq!(visible_name(" \u{a0}"), "(blank: U+0020 U+00A0)");
/// assert_eq!(visible_name("deploy"), "deploy");
/// ```
pub fn visible_name(text: &str) -> Cow<'_, str> {
    if text.is_empty() || !text.trim().is_empty() {
        return visible(text);
    }
    let points: Vec<_> =
        text.chars().take(MAX_POINTS).map(|letter| format!("U+{:04X}", u32::from(letter))).collect();
    let more = if text.chars().nth(MAX_POINTS).is_some() { " …" } else { "" };
    Cow::Owned(format!("(blank: {}{more})", points.join(" ")))
}

/// Maximum number of code points of a blank name that are shown.
const MAX_POINTS: usize = 8;

#[cfg(test)]
mod tests {
    use super::{visible, visible_name};

    #[test]
    fn what_is_not_seen_is_escaped_and_codes_of_terminals_are_left_out() {
        for (text, shown) in [
            ("", ""),
            ("a\nb\tc", "a\nb\tc"),
            ("ü日本🚀 א", "ü日本🚀 א"),
            ("a\u{200b}b\u{3164}", r"a\u{200b}b\u{3164}"),
            ("a\u{1bca0}b\u{e0080}c\u{fff0}", r"a\u{1bca0}b\u{e0080}c\u{fff0}"),
            ("\u{1b}[1;31mno\u{1b}[0m such \u{1b}[2Kfile", "no such file"),
            ("\u{9b}31mred", r"\u{9b}31mred"),
        ] {
            assert_eq!(visible(text), shown, "{text:?}");
        }
    }

    #[test]
    fn a_blank_name_shows_its_code_points() {
        assert_eq!(visible_name(""), "", "an absent name is none");
        assert_eq!(visible_name("\u{2003}"), "(blank: U+2003)");
        assert_eq!(
            visible_name(&" ".repeat(9)),
            "(blank: U+0020 U+0020 U+0020 U+0020 U+0020 U+0020 U+0020 U+0020 …)"
        );
        assert_eq!(visible_name(" a "), " a ");
    }
}
