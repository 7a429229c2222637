//! The source that is being opened.

use leptos::prelude::*;

use super::Store;

/// Whether a source is being opened, and what the screen shows meanwhile. `name` is the name of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Opening {
    /// No source is being opened.
    #[default]
    Nothing,
    /// The page opens it without being asked. The screen stays blank.
    Automatic { name: Option<String> },
    /// The person or the host page asked for it. The screen stays as it is.
    Requested { name: Option<String> },
    /// The session was accepted, and its first status follows. The screen stays blank.
    Accepted,
}

impl Store {
    /// Keeps the screen blank while the next source is opened, which nobody asked for.
    pub(crate) fn start_blank(self) {
        self.opening.set(Opening::Automatic { name: None });
    }

    /// A source is being opened; `name` is the name of a document.
    pub(super) fn set_opening(self, name: Option<String>) {
        self.opening.update(|opening| {
            *opening = match opening {
                Opening::Automatic { .. } => Opening::Automatic { name },
                Opening::Nothing | Opening::Requested { .. } | Opening::Accepted => {
                    Opening::Requested { name }
                }
            };
        });
    }

    /// Shows the screen: the content is there, or will not come.
    pub(super) fn end_blank(self) {
        if untrack(|| self.is_blank()) {
            self.opening.set(Opening::Nothing);
        }
    }

    /// Whether the screen stays blank until the content that is being opened arrives; reactive.
    #[must_use]
    pub(crate) fn is_blank(self) -> bool {
        self.opening.with(|opening| match opening {
            Opening::Automatic { .. } | Opening::Accepted => true,
            Opening::Nothing | Opening::Requested { .. } => false,
        })
    }

    /// The name of the document that is being opened; reactive.
    #[must_use]
    pub(crate) fn opening_name(self) -> Option<String> {
        self.opening.with(|opening| match opening {
            Opening::Automatic { name } | Opening::Requested { name } => name.clone(),
            Opening::Nothing | Opening::Accepted => None,
        })
    }
}
