//! Controls that are one tab stop: arrow keys, Home and End move the focus between them (roving tabindex of the WAI-ARIA
//! patterns). A selection field may be the last of them: the arrow keys up and down still change its value.

use leptos::html;
use leptos::prelude::*;
use leptos_use::{
    UseMutationObserverOptions, use_event_listener, use_mutation_observer_with_options, use_resize_observer,
};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::keyboard::has_modifier;

/// A reference for the element that contains the controls. The tab stop is the control that had the focus last, while it
/// is visible, otherwise the first one.
pub(crate) fn roving() -> NodeRef<html::Div> {
    let container = NodeRef::<html::Div>::new();
    let current = StoredValue::new_local(None::<HtmlElement>);
    let update = move || set_tab_stop(&visible_controls(container), current.get_value().as_ref());
    let _ = use_event_listener(container, leptos::ev::focusin, move |event| {
        let focused = event.target().and_then(|target| target.dyn_into().ok());
        current.set_value(focused.filter(|focused| visible_controls(container).contains(focused)));
        update();
    });
    let _ = use_event_listener(container, leptos::ev::keydown, move |event| {
        let controls = visible_controls(container);
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let from = target.and_then(|target| controls.iter().position(|control| *control == target));
        if let Some(next) = from.and_then(|from| next_control(&event, from, controls.len())) {
            event.prevent_default();
            // Focusing can only fail on an element that is no longer on the page.
            let _ = controls[next].focus();
        }
    });
    // Controls come and go with the content and, by the style sheet, with the width and with what is pressed.
    let options = UseMutationObserverOptions::default().child_list(true).subtree(true).attributes(true);
    let options = options.attribute_filter(vec!["aria-pressed".to_owned(), "data-open".to_owned()]);
    let _ = use_mutation_observer_with_options(container, move |_, _| update(), options);
    let _ = use_resize_observer(container, move |_, _| update());
    container
}

fn visible_controls(container: NodeRef<html::Div>) -> Vec<HtmlElement> {
    let controls =
        container.get_untracked().and_then(|container| container.query_selector_all("button, select").ok());
    let Some(controls) = controls else { return Vec::new() };
    let controls = (0..controls.length()).filter_map(|index| controls.get(index)?.dyn_into().ok());
    controls.filter(|control: &HtmlElement| control.offset_height() > 0).collect()
}

fn set_tab_stop(controls: &[HtmlElement], current: Option<&HtmlElement>) {
    let stop = current.filter(|current| controls.contains(current)).or(controls.first());
    for control in controls {
        control.set_tab_index(if Some(control) == stop { 0 } else { -1 });
    }
}

/// The control that a key moves to; `None` for other keys, and for shortcuts of the browser such as Alt+Left.
fn next_control(event: &KeyboardEvent, from: usize, count: usize) -> Option<usize> {
    if has_modifier(event) {
        return None;
    }
    match event.key().as_str() {
        "ArrowRight" => Some((from + 1) % count),
        "ArrowLeft" => Some((from + count - 1) % count),
        "Home" => Some(0),
        "End" => Some(count - 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::{KeyboardEvent, KeyboardEventInit};

    use super::next_control;

    fn key_event(options: &KeyboardEventInit, key: &str) -> KeyboardEvent {
        options.set_key(key);
        KeyboardEvent::new_with_keyboard_event_init_dict("keydown", options).expect("an event")
    }

    #[wasm_bindgen_test]
    fn arrow_keys_wrap_around_the_visible_controls() {
        let cases = [
            ("ArrowRight", 0, Some(1)),
            ("ArrowRight", 2, Some(0)),
            ("ArrowLeft", 0, Some(2)),
            ("ArrowLeft", 2, Some(1)),
            ("Home", 2, Some(0)),
            ("End", 0, Some(2)),
            ("Tab", 0, None),
            ("ArrowDown", 0, None),
        ];
        for (key, from, expected) in cases {
            let event = key_event(&KeyboardEventInit::new(), key);
            assert_eq!(next_control(&event, from, 3), expected, "{key} from {from}");
        }
    }

    #[wasm_bindgen_test]
    fn shortcuts_of_the_browser_do_not_move_the_focus() {
        let modifiers: [fn(&KeyboardEventInit, bool); 3] = [
            KeyboardEventInit::set_alt_key,
            KeyboardEventInit::set_ctrl_key,
            KeyboardEventInit::set_meta_key,
        ];
        for set_modifier in modifiers {
            for key in ["ArrowLeft", "ArrowRight", "Home", "End"] {
                let options = KeyboardEventInit::new();
                set_modifier(&options, true);
                assert_eq!(next_control(&key_event(&options, key), 1, 2), None, "{key}");
            }
        }
    }
}
