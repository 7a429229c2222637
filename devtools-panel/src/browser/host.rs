//! The kind of page that contains the panel.

use leptos::prelude::*;

/// The kind of page that contains the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// The panel's own page.
    Dashboard,
    /// A panel of the browser's developer tools.
    DevTools,
    /// A single file from disk.
    File,
    /// An element of a host page.
    Embedded,
}

impl Host {
    /// Reads the page's `data-host`.
    pub(crate) fn from_page() -> Self {
        let name = document().document_element().and_then(|root| root.get_attribute("data-host"));
        match name.as_deref() {
            Some("devtools") => Self::DevTools,
            Some("file") => Self::File,
            Some(_) | None => Self::Dashboard,
        }
    }

    /// Whether the panel uses the page's title, fragment and clipboard events.
    pub(crate) fn owns_page(self) -> bool {
        self != Self::Embedded
    }

    /// Whether the panel can print its page. Developer tools cannot print.
    pub(crate) fn can_print(self) -> bool {
        match self {
            Self::Dashboard | Self::File => true,
            Self::DevTools | Self::Embedded => false,
        }
    }
}
