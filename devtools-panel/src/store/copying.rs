//! Copying a text for a person.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::format;
use runstate::viewer::{EventChoice, EventCopy};

use super::announcements::Announcements;
use super::current_session::CurrentSession;
use super::last_problem::LastProblem;
use crate::browser::clipboard;
use crate::problem::Problem;
use crate::session::CallError;
use crate::session::protocol::{Answer, Call};

/// How long a button confirms that it has copied, ms.
const CONFIRM_MS: u32 = 2_000;
const CONFIRMATION: &str = "Copied.";

/// The longest text that a problem contains, bytes.
const MAX_SHOWN: usize = 2_000;

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
                self.confirm(text, CONFIRMATION).await;
            } else {
                self.refuse(&text);
            }
        });
    }

    /// Copies events that the session writes.
    pub(crate) fn copy_events(self, events: EventChoice, session: CurrentSession) {
        let Some(answer) = session.call(Call::CopyEvents(events)) else { return };
        spawn_local(async move {
            match answer.await {
                Ok(Answer::CopyEvents(copy)) if copy.lines == 0 => {
                    self.announcements.announce("There is no event to copy.");
                }
                Ok(Answer::CopyEvents(copy)) if clipboard::copy(&copy.text).await => {
                    let said = copy_message(&copy);
                    self.confirm(said.clone(), &said).await;
                }
                Ok(Answer::CopyEvents(copy)) => self.refuse(&copy.text),
                Err(CallError::Refused(problem)) => self.problem.report(problem),
                Err(CallError::Ended)
                | Ok(Answer::Export(_) | Answer::Printout(_) | Answer::CopyValue(_) | Answer::AddEvents(_)) =>
                    {}
            }
        });
    }

    /// Shows a text that the browser does not copy, unless it is too long to be selected.
    fn refuse(self, text: &str) {
        let problem = if text.len() > MAX_SHOWN {
            self.announcements.announce("The text was not copied.");
            Problem::new("NOT_COPIED", "The browser refused to copy the text.")
                .with_hint("Allow this page to use the clipboard, or export the document.")
        } else {
            self.announcements.announce("The text was not copied. The error on screen contains it.");
            Problem::new("NOT_COPIED", format!("The browser refused to copy this text: {text}"))
                .with_hint("Select the text and copy it with the keyboard.")
        };
        self.problem.report(problem);
    }

    /// Confirms a copy for a while; `text` says which one.
    async fn confirm(self, text: String, said: &str) {
        self.set_copied.set(Some(text.clone()));
        self.announcements.announce(said);
        TimeoutFuture::new(CONFIRM_MS).await;
        // The panel may be gone, or confirm another copy. The announcement is cleared so that it can be repeated.
        if self.copied.try_get_untracked().flatten().is_some_and(|copied| copied == text) {
            self.set_copied.set(None);
            if self.announcements.text.with_untracked(|announced| announced == said) {
                self.announcements.announce("");
            }
        }
    }
}

/// What was copied, as sentences.
fn copy_message(copy: &EventCopy) -> String {
    let count = |count: f64, one: &str, many: &str| {
        if count == 1.0 { format!("1 {one}") } else { format!("{} {many}", format::count(count)) }
    };
    let mut text = format!("Copied {}.", count(copy.lines as f64, "event", "events"));
    if copy.redacted > 0 {
        let secrets = count(copy.redacted as f64, "secret or path was", "secrets and paths were");
        text = format!("{text} {secrets} redacted.");
    }
    if copy.is_cut {
        text = format!("{text} Later events were left out: a copy has at most 50 MB.");
    }
    text
}
