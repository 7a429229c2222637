//! Shortens long texts.

/// Characters of a long name that are kept at either end.
const NAME_END_LEN: usize = 48;

/// Characters that are kept at either end of a text that would fill more than a screen.
const TEXT_END_LEN: usize = 1_000;

/// Characters that are kept at either end of a text that has its own scroll bar.
const LONG_TEXT_END_LEN: usize = 7_000;

/// Replaces the middle of a very long name by an ellipsis. An id may have hundreds of characters, a path thousands of
/// steps.
pub(crate) fn middle_cut(text: &str) -> String {
    cut(text, NAME_END_LEN)
}

/// Replaces the middle of a text by an ellipsis if it would fill more than a screen.
pub(crate) fn bounded(text: &str) -> String {
    cut(text, TEXT_END_LEN)
}

/// Replaces the middle of a text by an ellipsis if it would make the page slow.
pub(crate) fn long_text(text: &str) -> String {
    cut(text, LONG_TEXT_END_LEN)
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

    use super::{bounded, middle_cut};

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
    fn no_text_is_longer_than_a_screen() {
        assert_eq!(bounded(&"x".repeat(1_000_000)).chars().count(), 2_001);
    }
}
