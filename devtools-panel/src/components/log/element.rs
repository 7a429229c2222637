//! The element of the list of events.

use leptos::html;
use leptos::prelude::*;

/// The list of events, provided by the panel so that the detail of a node can give the focus back to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct LogElement(pub(super) NodeRef<html::Div>);

impl LogElement {
    /// Moves the focus to the list.
    pub(crate) fn focus(self) {
        if let Some(list) = self.0.get_untracked() {
            // Focusing can only fail on an element that is no longer on the page.
            let _ = list.focus();
        }
    }
}
