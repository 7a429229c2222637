//! Event logs that a person adds to the events of a live run.

use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::viewer::{Link, LogQuery, Place};

use super::sessions::Sessions;
use crate::session::protocol::{Answer, Call, InputFile};

impl Sessions {
    /// Adds the event log of the live run on screen to its events; opens anything else as one document called `name`.
    pub(crate) fn open_or_add(&self, files: Vec<InputFile>, name: String) {
        let answer = match &*files {
            [file] if self.shows_live_run() => self.session.call(Call::AddEvents(file.clone())),
            _ => None,
        };
        let Some(answer) = answer else { return self.open(files, name, Place::default()) };
        let sessions = *self;
        spawn_local(async move {
            let answer = answer.await;
            // A removed panel opens nothing.
            if sessions.opened.try_get_untracked().is_none() {
                return;
            }
            match answer {
                Ok(Answer::AddEvents(sentence)) => {
                    // The worker shows all of them.
                    sessions.log_query.show(LogQuery::default());
                    sessions.state.chosen_events.set(Some(true));
                    sessions.announcements.announce(sentence);
                }
                Ok(_) | Err(_) => sessions.open(files, name, Place::default()),
            }
        });
    }

    fn shows_live_run(&self) -> bool {
        let is_live_run = self.data.status.with_untracked(|status| match status.link {
            Link::Connecting { .. } | Link::Connected | Link::Lost => status.run.is_some(),
            Link::Document | Link::Traffic(_) => false,
        });
        is_live_run && !self.state.is_choosing_source()
    }
}
