//! The announcements to screen readers.

use leptos::prelude::*;

/// The text of the panel's live region.
#[derive(Clone, Copy)]
pub(crate) struct Announcements {
    /// The last announcement.
    pub(crate) text: ReadSignal<String>,
    set_text: WriteSignal<String>,
}

impl Announcements {
    pub(super) fn new() -> Self {
        let (text, set_text) = signal(String::new());
        Self { text, set_text }
    }

    /// Announces a text. It replaces the previous one.
    pub(crate) fn announce(self, text: impl Into<String>) {
        self.set_text.set(text.into());
    }
}
