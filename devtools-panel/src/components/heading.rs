//! Keyboard focus on the heading of a screen.

use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::store::ScreenState;

/// A reference for the heading of a screen. The heading takes the focus when it is drawn if the person requested the
/// screen, or if the heading of the previous screen had the focus, which would otherwise be lost.
pub(crate) fn heading_focus<E>() -> NodeRef<E>
where
    E: ElementType + 'static,
    E::Output: JsCast + Clone + AsRef<HtmlElement> + 'static,
{
    let state = expect_context::<ScreenState>();
    let heading = NodeRef::<E>::new();
    heading.on_load(move |heading: E::Output| {
        if state.take_heading_focus() {
            let heading: &HtmlElement = heading.as_ref();
            // Focusing can only fail on an element that is no longer on the page.
            let _ = heading.focus();
        }
    });
    on_cleanup(move || {
        let had_focus = heading.try_get_untracked().flatten().is_some_and(|heading| has_focus(&heading));
        if had_focus {
            state.request_heading_focus();
        }
    });
    heading
}

fn has_focus(element: &impl AsRef<HtmlElement>) -> bool {
    element.as_ref().matches(":focus").unwrap_or(false)
}
