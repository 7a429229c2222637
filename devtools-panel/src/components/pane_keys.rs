//! F6 goes to the next pane, Shift and F6 to the one before.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::keyboard::has_modifier;

/// The key.
pub(super) const PANE_KEY: &str = "F6";

/// A pane with what takes the focus: the first of these elements that is on screen.
struct PaneTargets {
    name: &'static str,
    targets: &'static [&'static str],
}

/// The panes in their order on the page.
const PANES: [PaneTargets; 4] = [
    PaneTargets { name: "runs", targets: &[".run-lists", "input"] },
    PaneTargets { name: "tree", targets: &["[role=tree]", "input"] },
    PaneTargets { name: "node", targets: &["h2"] },
    PaneTargets { name: "log", targets: &["[role=grid]", "input"] },
];

impl PaneTargets {
    fn selector(&self) -> String {
        format!("[data-pane={}]", self.name)
    }

    /// Whether the pane contains an element.
    fn contains(&self, element: &Element) -> bool {
        element.closest(&self.selector()).ok().flatten().is_some()
    }

    /// What takes the focus; `None` if the pane is not on screen.
    fn target(&self, panel: &Element) -> Option<HtmlElement> {
        let pane = panel.query_selector(&self.selector()).ok()??;
        let found = self.targets.iter().filter_map(|target| pane.query_selector(target).ok()?);
        let mut shown = found.filter(|element| element.get_bounding_client_rect().height() > 0.0);
        shown.next()?.dyn_into().ok()
    }
}

/// Moves the focus to the next pane of a panel that is on screen if the key was pressed.
pub(crate) fn on_pane_key(panel: &Element, event: &KeyboardEvent) {
    if event.key() != PANE_KEY || has_modifier(event) {
        return;
    }
    let focused = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let current =
        PANES.iter().position(|pane| focused.as_ref().is_some_and(|focused| pane.contains(focused)));
    let count = PANES.len();
    let place = |step: usize| match (event.shift_key(), current) {
        (false, current) => (current.unwrap_or(count - 1) + step) % count,
        (true, current) => (current.unwrap_or(0) + count - step) % count,
    };
    let mut others = (1..count).chain(current.is_none().then_some(count));
    if let Some(target) = others.find_map(|step| PANES[place(step)].target(panel)) {
        event.prevent_default();
        // Focusing can only fail on an element that is no longer on the page.
        let _ = target.focus();
    }
}
