//! A key goes to the search field of the pane.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::keys::{Shortcut, SingleKeys};

/// The panes with a search field, the most specific first.
const PANES: [&str; 3] = ["tree", "log", "runs"];

/// Moves the focus to the search field of the pane that has the focus, or of the first pane that is on screen, if the key
/// was pressed.
pub(crate) fn on_search_key(panel: &Element, event: &KeyboardEvent, single_keys: SingleKeys) {
    if !single_keys.is_pressed(Shortcut::Search, event) {
        return;
    }
    let focused = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let own = focused.and_then(|focused| focused.closest("[data-pane]").ok()?);
    let others = PANES.iter().filter_map(|name| panel.query_selector(&format!("[data-pane={name}]")).ok()?);
    if let Some(field) = own.into_iter().chain(others).find_map(|pane| search_field(&pane)) {
        event.prevent_default();
        // Focusing can only fail on an element that is no longer on the page.
        let _ = field.focus();
    }
}

/// The search field of a pane that is on screen.
fn search_field(pane: &Element) -> Option<HtmlElement> {
    let field = pane.query_selector("input[type=search]").ok()??;
    field.dyn_into::<HtmlElement>().ok().filter(|field| field.client_height() > 0)
}
