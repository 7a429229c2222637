//! The light and the dark theme.

use leptos::prelude::*;
use web_sys::Element;

use super::devtools;

/// Switches between light and dark, starting from the current theme: the whole page, or only an embedded panel. The developer
/// tools keep the choice.
pub(crate) fn toggle_theme(button: &Element) {
    let embedded = button.closest("[data-embedded]").ok().flatten();
    let Some(root) = embedded.or_else(|| document().document_element()) else { return };
    let is_dark = root.get_attribute("data-theme").map_or_else(|| is_dark(&root), |theme| theme == "dark");
    let theme = if is_dark { "light" } else { "dark" };
    // Setting an attribute with a constant name cannot fail.
    let _ = root.set_attribute("data-theme", theme);
    if devtools::is_available() {
        devtools::keep_theme(theme);
    }
}

/// Whether an element is shown dark: by its colour scheme, which an element of a host page inherits, or by the system's
/// preference if the scheme allows both.
fn is_dark(element: &Element) -> bool {
    let style = window().get_computed_style(element).ok().flatten();
    let scheme = style.and_then(|style| style.get_property_value("color-scheme").ok()).unwrap_or_default();
    match (scheme.contains("light"), scheme.contains("dark")) {
        (true, true) => window()
            .match_media("(prefers-color-scheme: dark)")
            .ok()
            .flatten()
            .is_some_and(|query| query.matches()),
        (_, is_dark) => is_dark,
    }
}
