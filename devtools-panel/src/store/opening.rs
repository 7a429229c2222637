//! The source that is being opened.

use leptos::prelude::*;

use super::Store;

/// The progress of opening a source, which decides whether the screen stays blank. `name` is the name of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Opening {
    /// No source is being opened.
    #[default]
    Nothing,
    /// The page opens a source automatically. The screen stays blank.
    Automatic { name: Option<String> },
    /// The person or the host page requested a source. The screen stays unchanged.
    Requested { name: Option<String> },
    /// The session was accepted, and its first status follows. The screen stays blank.
    Accepted,
}

impl Store {
    /// Keeps the screen blank while the next source is opened automatically.
    pub(crate) fn start_blank(self) {
        self.opening.set(Opening::Automatic { name: None });
    }

    /// Records that a source is being opened; `name` is the name of a document.
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

    /// Shows the screen, because the content has arrived or will not arrive.
    pub(super) fn end_blank(self) {
        if untrack(|| self.is_blank()) {
            self.opening.set(Opening::Nothing);
        }
    }

    /// Whether the screen stays blank until the content that is being opened arrives; reactive.
    pub(crate) fn is_blank(self) -> bool {
        self.opening.with(|opening| match opening {
            Opening::Automatic { .. } | Opening::Accepted => true,
            Opening::Nothing | Opening::Requested { .. } => false,
        })
    }

    /// The name of the document that is being opened; reactive.
    pub(crate) fn opening_name(self) -> Option<String> {
        self.opening.with(|opening| match opening {
            Opening::Automatic { name } | Opening::Requested { name } => name.clone(),
            Opening::Nothing | Opening::Accepted => None,
        })
    }
}
