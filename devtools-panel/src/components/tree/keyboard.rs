//! The keyboard of the tree (WAI-ARIA tree pattern).

use runstate::viewer::TreeAction;
use web_sys::KeyboardEvent;

use super::super::keyboard::has_modifier;

/// The action of a key; `None` for keys that the browser handles. `page` is the number of rows of a page.
pub(super) fn key_action(event: &KeyboardEvent, page: usize) -> Option<TreeAction> {
    if has_modifier(event) { None } else { action(&event.key(), page) }
}

fn action(key: &str, page: usize) -> Option<TreeAction> {
    let page = i32::try_from(page).unwrap_or(i32::MAX);
    Some(match key {
        "ArrowDown" => TreeAction::Move { by: 1 },
        "ArrowUp" => TreeAction::Move { by: -1 },
        "PageDown" => TreeAction::Move { by: page },
        "PageUp" => TreeAction::Move { by: -page },
        "Home" => TreeAction::First,
        "End" => TreeAction::Last,
        "ArrowRight" => TreeAction::Expand,
        "ArrowLeft" => TreeAction::Collapse,
        "*" => TreeAction::ExpandSiblings,
        key => TreeAction::Find { letter: single_letter(key)? },
    })
}

fn single_letter(key: &str) -> Option<char> {
    let mut letters = key.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    (letter.is_ascii_alphanumeric() || !letter.is_ascii()).then_some(letter)
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{TreeAction, action};

    #[wasm_bindgen_test]
    fn keys_act_as_the_tree_pattern_says() {
        let cases = [
            ("ArrowDown", Some(TreeAction::Move { by: 1 })),
            ("ArrowUp", Some(TreeAction::Move { by: -1 })),
            ("PageDown", Some(TreeAction::Move { by: 9 })),
            ("PageUp", Some(TreeAction::Move { by: -9 })),
            ("Home", Some(TreeAction::First)),
            ("End", Some(TreeAction::Last)),
            ("ArrowRight", Some(TreeAction::Expand)),
            ("ArrowLeft", Some(TreeAction::Collapse)),
            ("*", Some(TreeAction::ExpandSiblings)),
            ("g", Some(TreeAction::Find { letter: 'g' })),
            ("ä", Some(TreeAction::Find { letter: 'ä' })),
            (" ", None),
            ("/", None),
            ("Tab", None),
            ("Enter", None),
            ("", None),
        ];
        for (key, expected) in cases {
            assert_eq!(action(key, 9), expected, "{key:?}");
        }
    }
}
