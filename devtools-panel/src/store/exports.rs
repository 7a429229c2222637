//! Exports of the document or run on screen: for the person, for the host page, and for a printout.

use std::collections::VecDeque;

use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::ingest::DocumentError;
use runstate::viewer::Screen;
use wasm_bindgen::JsValue;

use super::announcements::Announcements;
use super::current_session::CurrentSession;
use super::data::SessionData;
use super::host_page::HostEvent;
use super::panel::Panel;
use super::screen_state::ScreenState;
use crate::browser::{download, page};
use crate::problem::Problem;
use crate::session::protocol::{Command, ExportRequest, ExportedFile};

/// The state of the export form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Export {
    /// The form is closed.
    #[default]
    Closed,
    /// The form is open.
    Open,
    /// The worker writes the file.
    Writing,
    /// The file was saved; contains the redacted and omitted parts, in words.
    Saved(String),
}

/// Who requested an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExportRequester {
    Person,
    HostPage,
}

/// The exports and the printout of the screen.
#[derive(Clone, Copy)]
pub(crate) struct Exports {
    /// The state of the export form.
    pub(crate) form: ReadSignal<Export>,
    set_form: WriteSignal<Export>,
    /// Whether the screen has content to export.
    pub(crate) can_export: Memo<bool>,
    /// The requesters of the exports that the session writes, in order.
    pending: StoredValue<VecDeque<ExportRequester>>,
    /// Whether the page is printed once all rows and the last events have arrived.
    prints_when_complete: StoredValue<bool>,
    panel: Panel,
    session: CurrentSession,
    announcements: Announcements,
}

impl Exports {
    pub(super) fn new(
        panel: Panel,
        session: CurrentSession,
        announcements: Announcements,
        data: SessionData,
        state: ScreenState,
    ) -> Self {
        let (form, set_form) = signal(Export::Closed);
        let can_export = move |_: Option<&bool>| {
            let SessionData { status, runs, .. } = data;
            let can_export = || status.with(|status| runs.with(|runs| status.can_export(runs.as_ref())));
            state.screen.get() != Screen::Nothing && can_export()
        };
        Self {
            form,
            set_form,
            can_export: Memo::new(can_export),
            pending: StoredValue::new(VecDeque::new()),
            prints_when_complete: StoredValue::new(false),
            panel,
            session,
            announcements,
        }
    }

    /// Opens the export form.
    pub(crate) fn open(self) {
        self.set_form.set(Export::Open);
    }

    /// Closes the export form.
    pub(super) fn close(self) {
        self.set_form.set(Export::Closed);
    }

    /// Opens the export form, or closes it in any other state.
    pub(crate) fn toggle(self) {
        self.set_form.update(|form| {
            *form = match form {
                Export::Closed => Export::Open,
                Export::Open | Export::Writing | Export::Saved(_) => Export::Closed,
            };
        });
    }

    /// Writes one redacted file, also without the values of the keys in `redact`.
    pub(crate) fn write_file(self, redact: Vec<String>) {
        self.request(ExportRequest { redact, single_file: JsValue::NULL });
    }

    /// Writes the same export as a self-contained page.
    pub(crate) fn write_page(self, redact: Vec<String>) {
        self.set_form.set(Export::Writing);
        spawn_local(async move {
            match page::single_file().await {
                Ok(single_file) => self.request(ExportRequest { redact, single_file }),
                Err(problem) => self.fail(problem),
            }
        });
    }

    fn request(self, request: ExportRequest) {
        if self.session.request(&Command::Export(request)) {
            self.session.problem.set(None);
            self.set_form.set(Export::Writing);
            self.pending.update_value(|pending| pending.push_back(ExportRequester::Person));
        } else {
            self.set_form.set(Export::Open);
        }
    }

    fn fail(self, problem: Problem) {
        self.set_form.set(Export::Open);
        self.session.problem.report(problem);
    }

    /// Writes one redacted file for the host page. Returns whether the screen has content to export.
    pub(crate) fn write_for_host_page(self, redact: Vec<String>) -> bool {
        let request = ExportRequest { redact, single_file: JsValue::NULL };
        let is_sent = self.can_export.get_untracked() && self.session.send(&Command::Export(request));
        if is_sent {
            self.pending.update_value(|pending| pending.push_back(ExportRequester::HostPage));
        }
        is_sent
    }

    /// Delivers an export or its error to the requester.
    pub(super) fn deliver(self, exported: Result<ExportedFile, Problem>) {
        let requester = self.pending.try_update_value(VecDeque::pop_front).flatten();
        match (requester, exported) {
            (Some(ExportRequester::HostPage), Ok(ExportedFile { name, bytes, summary: _ })) => {
                self.panel.report(HostEvent::Export { name, bytes });
            }
            (Some(ExportRequester::HostPage), Err(problem)) => {
                self.panel.report(HostEvent::ExportFailed(problem));
            }
            (Some(ExportRequester::Person) | None, Ok(file)) => self.save(&file),
            (Some(ExportRequester::Person) | None, Err(problem)) => self.fail(problem),
        }
    }

    /// Fails all pending exports when the session ends.
    pub(super) fn fail_pending(self) {
        let pending = self.pending.try_update_value(std::mem::take);
        let host_page_exports =
            pending.into_iter().flatten().filter(|requester| *requester == ExportRequester::HostPage);
        host_page_exports.for_each(|_| {
            self.panel.report(HostEvent::ExportFailed(DocumentError::closed().into()));
        });
    }

    fn save(self, ExportedFile { name, bytes, summary }: &ExportedFile) {
        match download::save_file(name, bytes) {
            Ok(()) => {
                let text = format!("Saved {name}. {summary}");
                self.announcements.announce(text.clone());
                self.set_form.set(Export::Saved(text));
            }
            Err(problem) => self.fail(problem),
        }
    }

    /// Requests the rows and events that are not on screen, then prints.
    pub(crate) fn print(self) {
        if self.session.send(&Command::Printout) {
            self.prints_when_complete.set_value(true);
        } else {
            page::print();
        }
    }

    /// Requests the rows and events in advance, because printing from the browser's menu cannot wait.
    pub(crate) fn request_printout(self) {
        self.session.send(&Command::Printout);
    }

    /// Prints if a person waits for the rows and events, which have arrived.
    pub(super) fn complete_printout(self) {
        if self.prints_when_complete.get_value() {
            self.prints_when_complete.set_value(false);
            page::print();
        }
    }

    /// Prints no more when the session ends.
    pub(super) fn cancel_printout(self) {
        self.prints_when_complete.set_value(false);
    }
}

#[cfg(test)]
mod tests {
    use leptos::prelude::*;
    use runstate::ingest::traffic::Entry;
    use runstate::time::Millis;
    use runstate::viewer::{TrafficSource, Viewer};
    use wasm_bindgen_test::wasm_bindgen_test;

    use crate::store::Store;

    /// A store with the updates of a source.
    fn store_with(viewer: &mut Viewer) -> Store {
        let store = Store::new();
        for update in viewer.updates(Millis(1_700_000_000_000.0)) {
            store.apply(update);
        }
        store
    }

    #[wasm_bindgen_test]
    fn traffic_exports_a_run_but_not_the_list() {
        Owner::new().with(|| {
            let at = Millis(1_700_000_000_000.0);
            let (url, method) = ("http://127.0.0.1:7331/rpc".to_owned(), "POST".to_owned());
            let request = Some(r#"{"method":"listRuns"}"#.to_owned());
            let body =
                r#"{"ok":true,"apiVersion":"v1","payload":[{"runId":"r1","status":"failed"}]}"#.to_owned();
            let entry = Entry::Answer { at, started: at, url, method, request, status: Some(200), body };
            let mut viewer = Viewer::new(TrafficSource::default());
            viewer.traffic().expect("traffic").take(&[entry]);
            assert!(!store_with(&mut viewer).sessions.exports.can_export.get_untracked(), "the list");
            viewer.traffic().expect("traffic").choose(0, "r1");
            assert!(store_with(&mut viewer).sessions.exports.can_export.get_untracked(), "the run");
        });
    }
}
