//! Opens sources, and sends commands to the session on screen.

use js_sys::JsString;
use leptos::prelude::*;
use runstate::ingest::DocumentError;
use runstate::viewer::{Screen, TreeAction};

use super::Store;
use super::opening::Opening;
use crate::session::protocol::{Command, InputFile, RunKey, Source};

impl Store {
    /// Connects to a Gateway. The caller has checked the address.
    pub(crate) fn connect(self, address: String, token: Option<String>, run_id: Option<String>) {
        self.last_gateway.set(Some((address.clone(), run_id.clone().unwrap_or_default())));
        self.start(None, &Source::Gateway { address, token, run_id });
    }

    /// Opens files, which together are one document called `name`.
    pub(crate) fn open(self, files: Vec<InputFile>, name: String) {
        self.start(Some(name.clone()), &Source::Files { files, name });
    }

    /// Opens the built-in recording.
    pub(crate) fn open_recording(self) {
        self.start(Some("the recording".to_owned()), &Source::Recording);
    }

    /// Opens the document inside an exported page.
    pub(crate) fn open_exported_page(self, page: JsString) {
        let page = InputFile { name: None, content: page.into() };
        self.start(Some("this file".to_owned()), &Source::ExportedPage(page));
    }

    /// Ends the session and clears its data.
    pub(crate) fn close(self) {
        self.fail_exports();
        self.sessions.update_value(|sessions| (sessions.current, sessions.candidate) = (None, None));
        self.opening.set(Opening::Nothing);
        self.choosing_source.set(false);
        self.clear();
        self.leave_run();
    }

    /// Shows a run of the list. A list beside a run stays and keeps the focus.
    pub(crate) fn choose(self, run: RunKey) {
        let replaces_list = untrack(|| self.status(|status| status.screen == Screen::Runs));
        if self.request(&Command::Choose(run)) {
            self.focus_heading.set(replaces_list);
            self.leave_run();
        }
    }

    /// Returns to the list of runs.
    pub(crate) fn list(self) {
        if self.request(&Command::List) {
            self.focus_heading.set(true);
            self.leave_run();
        }
    }

    /// Connects again with another token.
    pub(crate) fn authorize(self, token: String) {
        self.request(&Command::Authorize { token });
    }

    /// Connects again at once.
    pub(crate) fn reconnect(self) {
        self.request(&Command::Reconnect);
    }

    /// Performs an action on the tree.
    pub(crate) fn act_on_tree(self, action: TreeAction) {
        self.send(&Command::Tree(action));
    }

    /// Sends a command to the session on screen. Returns whether there is one.
    pub(crate) fn send(self, command: &Command) -> bool {
        self.sessions.with_value(|sessions| {
            let session = sessions.current.as_ref();
            session.inspect(|(_, session)| session.send(command)).is_some()
        })
    }

    /// Sends a command that a person waits for; reports a problem if the session's worker has stopped.
    pub(super) fn request(self, command: &Command) -> bool {
        let is_sent = self.send(command);
        if !is_sent {
            self.problem.set(Some(DocumentError::closed().into()));
        }
        is_sent
    }
}
