//! Texts of others as they are shown: shortened, without colour codes, and with signs for characters that are not seen or that change
//! the direction of text. All of them are shown through this module; only attributes for tools and copied ids, commands and requests
//! have them as they are.

use std::borrow::Cow;
use std::ops::Range;

use runstate::format::{visible, visible_name};

/// Characters of a long name that are kept at either end.
const NAME_END_LEN: usize = 48;

/// Characters that are kept at either end of a text that would fill more than a screen.
const TEXT_END_LEN: usize = 1_000;

/// Characters that are kept at either end of a text that has its own scroll bar.
const LONG_TEXT_END_LEN: usize = 7_000;

/// A name as it is shown, with an ellipsis in the middle if it is very long. An id may have hundreds of characters, a path thousands
/// of steps. A blank name shows its code points.
pub(crate) fn middle_cut(text: &str) -> String {
    visible_name(&cut(text, NAME_END_LEN)).into_owned()
}

/// A text as it is shown, with an ellipsis in the middle if it would fill more than a screen.
pub(crate) fn bounded(text: &str) -> String {
    visible(&cut(text, TEXT_END_LEN)).into_owned()
}

/// An id as it is shown in full. A blank one shows its code points.
pub(crate) fn bounded_name(text: &str) -> String {
    visible_name(&cut(text, TEXT_END_LEN)).into_owned()
}

/// A text with its own scroll bar as it is shown, with an ellipsis in the middle if it would make the page slow.
pub(crate) fn long_text(text: &str) -> String {
    visible(&cut(text, LONG_TEXT_END_LEN)).into_owned()
}

/// A text as it is said where no element can isolate its direction: in a tooltip, an announcement or the title of the page.
pub(crate) fn plain_text(text: &str) -> String {
    isolated(&bounded(text)).into_owned()
}

/// A name as it is said where no element can isolate its direction. A blank one has its code points.
pub(crate) fn plain_name(text: &str) -> String {
    isolated(&bounded_name(text)).into_owned()
}

/// The text with characters around right-to-left words that keep them from reordering the words and numbers around them.
fn isolated(text: &str) -> Cow<'_, str> {
    const FIRST_STRONG_ISOLATE: &str = "\u{2068}";
    const POP_ISOLATE: &str = "\u{2069}";
    let words = right_to_left_words(text);
    if words.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut end) = (String::new(), 0);
    for word in words {
        out.extend([&text[end..word.start], FIRST_STRONG_ISOLATE, &text[word.clone()], POP_ISOLATE]);
        end = word.end;
    }
    out.push_str(&text[end..]);
    Cow::Owned(out)
}

/// The value of an attribute for tools: as it came, with an ellipsis in the middle if it is very long.
pub(crate) fn attribute(text: &str) -> String {
    cut(text, TEXT_END_LEN)
}

/// The places of words of scripts that run from right to left, with what stands only between such words.
pub(crate) fn right_to_left_words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    if text.is_ascii() {
        return words;
    }
    let mut is_open = false;
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        match words.last_mut().filter(|_| is_open) {
            Some(word) if is_right_to_left(letter) => word.end = end,
            None if is_right_to_left(letter) => words.push(at..end),
            Some(_) | None => {}
        }
        // A letter or a number of another script ends the sequence; blanks and signs do not.
        is_open = is_right_to_left(letter) || is_open && !letter.is_alphanumeric();
    }
    words
}

/// Whether a letter belongs to a script that runs from right to left: Hebrew, Arabic and their neighbours in Unicode, and their
/// presentation forms.
fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

fn cut(text: &str, end: usize) -> String {
    let (first, last) = (text.char_indices().nth(end), text.char_indices().rev().nth(end - 1));
    match (first, last) {
        (Some((first, _)), Some((last, _))) if first < last => {
            format!("{}…{}", &text[..first], &text[last..])
        }
        (_, _) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{
        attribute, bounded, bounded_name, long_text, middle_cut, plain_name, plain_text, right_to_left_words,
    };

    #[wasm_bindgen_test]
    fn words_from_right_to_left_are_found_with_what_is_between_them() {
        let words = |text: &'static str| -> Vec<&str> {
            right_to_left_words(text).into_iter().map(|place| &text[place]).collect()
        };
        assert_eq!(words("Waiting at gate, 3 of 5."), Vec::<&str>::new());
        assert_eq!(words("Waiting for é at \u{201c}gate\u{201d}"), Vec::<&str>::new());
        assert_eq!(words("Waiting at שער, 3 of 5."), ["שער"]);
        assert_eq!(words("שער ירוק (3) at بوابة"), ["שער ירוק", "بوابة"]);
        assert_eq!(words("א-ב c ד"), ["א-ב", "ד"]);
    }

    #[wasm_bindgen_test]
    fn words_from_right_to_left_are_isolated_where_there_are_no_elements() {
        for (text, said) in [
            ("Waiting at gate, 3 of 5.", "Waiting at gate, 3 of 5."),
            ("Waiting at שער, 3 of 5.", "Waiting at \u{2068}שער\u{2069}, 3 of 5."),
            ("שער ירוק (3)", "\u{2068}שער ירוק\u{2069} (3)"),
            // Characters of a stranger that would end the isolation are shown as signs.
            ("ש\u{2069}ע: 3", "\u{2068}ש\u{2069}\\u{2069}\u{2068}ע\u{2069}: 3"),
        ] {
            assert_eq!(plain_text(text), said);
            assert_eq!(plain_name(text), said);
        }
        assert_eq!(plain_name("\u{a0}"), "(blank: U+00A0)");
    }

    #[wasm_bindgen_test]
    fn a_name_keeps_both_ends() {
        let long = format!("{}–{}", "a".repeat(48), "z".repeat(48));
        assert_eq!(middle_cut(&long), format!("{}…{}", "a".repeat(48), "z".repeat(48)));
    }

    #[wasm_bindgen_test]
    fn a_short_name_stays_whole() {
        for name in ["", "gate", &"ä".repeat(96)] {
            assert_eq!(middle_cut(name), name);
        }
    }

    #[wasm_bindgen_test]
    fn what_is_not_seen_has_a_sign_wherever_it_is_shown() {
        let hostile = "\u{1b}[31mrun-\u{202e}1\u{200b}";
        for show in [middle_cut, bounded, bounded_name, long_text, plain_text, plain_name] {
            assert_eq!(show(hostile), r"run-\u{202e}1\u{200b}");
        }
        assert_eq!(attribute(hostile), hostile);
        assert_eq!(
            (middle_cut(" "), bounded_name(" ")),
            ("(blank: U+0020)".to_owned(), "(blank: U+0020)".to_owned())
        );
        assert_eq!(bounded(" "), " ", "the blank between two words");
    }

    #[wasm_bindgen_test]
    fn no_text_is_longer_than_a_screen() {
        assert_eq!(bounded(&"x".repeat(1_000_000)).chars().count(), 2_001);
    }
}
