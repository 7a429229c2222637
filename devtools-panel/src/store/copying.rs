//! Copying a text for a person.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::Store;
use crate::browser::clipboard;
use crate::problem::Problem;

/// How long a button confirms that it has copied, ms.
const CONFIRM_MS: u32 = 2_000;
const CONFIRMATION: &str = "Copied.";

impl Store {
    /// Whether a button confirms that it has copied a text.
    pub(crate) fn is_copied(self, text: &str) -> bool {
        self.copied.with(|copied| copied.as_deref() == Some(text))
    }

    /// Copies a text. Its button and the live region confirm it; if the browser refuses, the panel shows the text.
    pub(crate) fn copy(self, text: String) {
        spawn_local(async move {
            if clipboard::copy(&text).await {
                self.confirm_copy(text).await;
            } else {
                self.announce("The text was not copied. The error on screen contains it.");
                let problem =
                    Problem::new("NOT_COPIED", format!("The browser refused to copy this text: {text}"));
                self.problem.set(Some(problem.with_hint("Select the text and copy it with the keyboard.")));
            }
        });
    }

    async fn confirm_copy(self, text: String) {
        self.copied.set(Some(text.clone()));
        self.announce(CONFIRMATION);
        TimeoutFuture::new(CONFIRM_MS).await;
        // The panel may be gone, or confirm another copy. The announcement is cleared so that it can be repeated.
        if self.copied.try_get_untracked().flatten().is_some_and(|copied| copied == text) {
            self.copied.set(None);
            if self.announcement.with_untracked(|announced| announced == CONFIRMATION) {
                self.announce("");
            }
        }
    }
}
