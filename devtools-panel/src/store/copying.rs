//! Copying a text for a person.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::announcements::Announcements;
use super::last_problem::LastProblem;
use crate::browser::clipboard;
use crate::problem::Problem;

/// How long a button confirms that it has copied, ms.
const CONFIRM_MS: u32 = 2_000;
const CONFIRMATION: &str = "Copied.";

/// Copies texts for a person.
#[derive(Clone, Copy)]
pub(crate) struct Copying {
    /// The last copied text, while its button confirms it.
    pub(crate) copied: ReadSignal<Option<String>>,
    set_copied: WriteSignal<Option<String>>,
    announcements: Announcements,
    problem: LastProblem,
}

impl Copying {
    pub(super) fn new(announcements: Announcements, problem: LastProblem) -> Self {
        let (copied, set_copied) = signal(None);
        Self { copied, set_copied, announcements, problem }
    }

    /// Copies a text. Its button and the live region confirm it; if the browser refuses, the panel shows the text.
    pub(crate) fn copy(self, text: String) {
        spawn_local(async move {
            if clipboard::copy(&text).await {
                self.confirm(text).await;
            } else {
                self.announcements.announce("The text was not copied. The error on screen contains it.");
                let problem =
                    Problem::new("NOT_COPIED", format!("The browser refused to copy this text: {text}"));
                self.problem.report(problem.with_hint("Select the text and copy it with the keyboard."));
            }
        });
    }

    async fn confirm(self, text: String) {
        self.set_copied.set(Some(text.clone()));
        self.announcements.announce(CONFIRMATION);
        TimeoutFuture::new(CONFIRM_MS).await;
        // The panel may be gone, or confirm another copy. The announcement is cleared so that it can be repeated.
        if self.copied.try_get_untracked().flatten().is_some_and(|copied| copied == text) {
            self.set_copied.set(None);
            if self.announcements.text.with_untracked(|announced| announced == CONFIRMATION) {
                self.announcements.announce("");
            }
        }
    }
}
