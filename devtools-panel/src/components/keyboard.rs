//! The keys of lists and trees. The list itself keeps the focus and names its active row by `aria-activedescendant`.

use web_sys::KeyboardEvent;

/// The meaning of a key in a list or tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListKey {
    /// Moves by this many rows; negative numbers move up.
    Move(i32),
    /// Moves to the first row.
    First,
    /// Moves to the last row.
    Last,
    /// Opens the active row.
    Open,
    /// Expands the active row, or moves to its first child.
    Expand,
    /// Collapses the active row, or moves to its parent.
    Collapse,
    /// Expands the active row and all its siblings.
    ExpandSiblings,
    /// Searches for rows that begin with a letter.
    Letter(char),
}

impl ListKey {
    /// The meaning of a key; `None` for keys that the browser handles. `page` is the number of rows of a page.
    pub(crate) fn of(event: &KeyboardEvent, page: usize) -> Option<Self> {
        if has_modifier(event) { None } else { Self::from_name(&event.key(), page) }
    }

    pub(super) fn from_name(key: &str, page: usize) -> Option<Self> {
        let page = i32::try_from(page).unwrap_or(i32::MAX);
        Some(match key {
            "ArrowDown" => Self::Move(1),
            "ArrowUp" => Self::Move(-1),
            "PageDown" => Self::Move(page),
            "PageUp" => Self::Move(-page),
            "Home" => Self::First,
            "End" => Self::Last,
            "Enter" | " " => Self::Open,
            "ArrowRight" => Self::Expand,
            "ArrowLeft" => Self::Collapse,
            "*" => Self::ExpandSiblings,
            key => Self::Letter(single_letter(key)?),
        })
    }

    /// The row that the key moves to, from a row of a list of `total` rows; `None` for keys that do not move.
    pub(crate) fn target(self, from: usize, total: usize) -> Option<usize> {
        let last = total.checked_sub(1)?;
        match self {
            Self::Move(by) => Some(from.saturating_add_signed(by as isize).min(last)),
            Self::First => Some(0),
            Self::Last => Some(last),
            Self::Open | Self::Expand | Self::Collapse | Self::ExpandSiblings | Self::Letter(_) => None,
        }
    }
}

/// The letter of a key that types one. `/` goes to the search field, `?` opens the list of keys.
fn single_letter(key: &str) -> Option<char> {
    let mut letters = key.chars();
    letters.next().filter(|letter| letters.next().is_none() && !matches!(letter, '/' | '?'))
}

/// Whether a key is pressed together with Ctrl, Meta or Alt: such keys belong to the browser and the system.
pub(crate) fn has_modifier(event: &KeyboardEvent) -> bool {
    event.ctrl_key() || event.meta_key() || event.alt_key()
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::{KeyboardEvent, KeyboardEventInit};

    use super::ListKey;

    #[wasm_bindgen_test]
    fn keys_mean_what_the_aria_patterns_say() {
        let cases = [
            ("ArrowDown", Some(ListKey::Move(1))),
            ("ArrowUp", Some(ListKey::Move(-1))),
            ("PageDown", Some(ListKey::Move(9))),
            ("PageUp", Some(ListKey::Move(-9))),
            ("Home", Some(ListKey::First)),
            ("End", Some(ListKey::Last)),
            ("Enter", Some(ListKey::Open)),
            (" ", Some(ListKey::Open)),
            ("ArrowRight", Some(ListKey::Expand)),
            ("ArrowLeft", Some(ListKey::Collapse)),
            ("*", Some(ListKey::ExpandSiblings)),
            ("g", Some(ListKey::Letter('g'))),
            ("ä", Some(ListKey::Letter('ä'))),
            ("_", Some(ListKey::Letter('_'))),
            ("/", None),
            ("?", None),
            ("Tab", None),
            ("F6", None),
            ("", None),
        ];
        for (key, expected) in cases {
            assert_eq!(ListKey::from_name(key, 9), expected, "{key:?}");
        }
    }

    #[wasm_bindgen_test]
    fn shortcuts_of_the_browser_mean_nothing() {
        let modifiers: [fn(&KeyboardEventInit, bool); 3] = [
            KeyboardEventInit::set_alt_key,
            KeyboardEventInit::set_ctrl_key,
            KeyboardEventInit::set_meta_key,
        ];
        for set_modifier in modifiers {
            for key in ["ArrowLeft", "Home", "f"] {
                let options = KeyboardEventInit::new();
                options.set_key(key);
                set_modifier(&options, true);
                let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &options);
                assert_eq!(ListKey::of(&event.expect("an event"), 9), None, "{key}");
            }
        }
    }

    #[wasm_bindgen_test]
    fn keys_stay_within_the_rows() {
        let cases = [
            (ListKey::Move(1), 8, Some(9)),
            (ListKey::Move(1), 9, Some(9)),
            (ListKey::Move(-1), 0, Some(0)),
            (ListKey::Move(6), 5, Some(9)),
            (ListKey::Move(-6), 3, Some(0)),
            (ListKey::Last, 2, Some(9)),
            (ListKey::First, 7, Some(0)),
            (ListKey::Open, 3, None),
            (ListKey::Letter('a'), 3, None),
        ];
        for (key, from, expected) in cases {
            assert_eq!(key.target(from, 10), expected, "{key:?} from {from}");
        }
        assert_eq!(ListKey::First.target(0, 0), None, "there is no row");
    }
}
