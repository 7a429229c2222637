//! The element of the tree, so that links can move the focus to it.

use leptos::html;
use leptos::prelude::*;

/// The element of the tree, provided by the panel so that links can move the focus to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct TreeElement(pub(super) NodeRef<html::Div>);

impl TreeElement {
    /// Moves the focus to the tree.
    pub(crate) fn focus(self) {
        if let Some(tree) = self.0.get_untracked() {
            // Focusing can only fail on an element that is no longer on the page.
            let _ = tree.focus();
        }
    }
}
