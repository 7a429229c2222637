//! Exports of the document or run on screen: for the person, for the host page, and for a printout.

use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::ingest::{DocumentError, RunEvent};
use runstate::viewer::{Screen, TreeRow};
use wasm_bindgen::JsValue;

use super::Store;
use super::host_page::HostEvent;
use crate::browser::{download, page};
use crate::problem::Problem;
use crate::session::protocol::{Command, ExportRequest, ExportedFile};

/// The state of the export form.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Export {
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
pub(super) enum ExportRequester {
    Person,
    HostPage,
}

impl Store {
    /// Whether the screen has content to export; reactive.
    pub(crate) fn can_export(self) -> bool {
        self.screen() != Screen::Nothing && self.status(|status| self.runs(|runs| status.can_export(runs)))
    }

    /// The state of the export form.
    pub(crate) fn export(self) -> Export {
        self.export.get()
    }

    /// Opens the export form.
    pub(crate) fn open_export(self) {
        self.export.set(Export::Open);
    }

    /// Opens the export form, or closes it in any other state.
    pub(crate) fn toggle_export(self) {
        self.export.update(|export| {
            *export = match export {
                Export::Closed => Export::Open,
                Export::Open | Export::Writing | Export::Saved(_) => Export::Closed,
            };
        });
    }

    /// Writes one redacted file, also without the values of the keys in `redact`.
    pub(crate) fn write_export(self, redact: Vec<String>) {
        self.request_export(ExportRequest { redact, single_file: JsValue::NULL });
    }

    /// Writes the same export as a self-contained page.
    pub(crate) fn write_page(self, redact: Vec<String>) {
        self.export.set(Export::Writing);
        spawn_local(async move {
            match page::single_file().await {
                Ok(single_file) => self.request_export(ExportRequest { redact, single_file }),
                Err(problem) => self.fail_export(problem),
            }
        });
    }

    fn request_export(self, request: ExportRequest) {
        if self.request(&Command::Export(request)) {
            self.problem.set(None);
            self.export.set(Export::Writing);
            self.sessions.update_value(|sessions| sessions.exports.push_back(ExportRequester::Person));
        } else {
            self.export.set(Export::Open);
        }
    }

    fn fail_export(self, problem: Problem) {
        self.export.set(Export::Open);
        self.problem.set(Some(problem));
    }

    /// Writes one redacted file for the host page. Returns whether the screen has content to export.
    pub(crate) fn export_for_host_page(self, redact: Vec<String>) -> bool {
        let request = ExportRequest { redact, single_file: JsValue::NULL };
        let is_sent = untrack(|| self.can_export()) && self.send(&Command::Export(request));
        if is_sent {
            self.sessions.update_value(|sessions| sessions.exports.push_back(ExportRequester::HostPage));
        }
        is_sent
    }

    /// Delivers an export or its error to the requester.
    pub(super) fn deliver(self, exported: Result<ExportedFile, Problem>) {
        let requester = self.sessions.try_update_value(|sessions| sessions.exports.pop_front()).flatten();
        match (requester, exported) {
            (Some(ExportRequester::HostPage), Ok(ExportedFile { name, bytes, summary: _ })) => {
                self.report(HostEvent::Export { name, bytes });
            }
            (Some(ExportRequester::HostPage), Err(problem)) => {
                self.report(HostEvent::ExportFailed(problem));
            }
            (Some(ExportRequester::Person) | None, Ok(file)) => self.save(&file),
            (Some(ExportRequester::Person) | None, Err(problem)) => self.fail_export(problem),
        }
    }

    /// Fails all pending exports when the session ends.
    pub(super) fn fail_exports(self) {
        let pending = self.sessions.try_update_value(|sessions| std::mem::take(&mut sessions.exports));
        let host_page_exports =
            pending.into_iter().flatten().filter(|requester| *requester == ExportRequester::HostPage);
        host_page_exports.for_each(|_| {
            self.report(HostEvent::ExportFailed(DocumentError::closed().into()));
        });
    }

    fn save(self, ExportedFile { name, bytes, summary }: &ExportedFile) {
        match download::save_file(name, bytes) {
            Ok(()) => {
                let text = format!("Saved {name}. {summary}");
                self.announce(text.clone());
                self.export.set(Export::Saved(text));
            }
            Err(problem) => self.fail_export(problem),
        }
    }

    /// Requests the rows and events that are not on screen, then prints.
    pub(crate) fn print(self) {
        if self.send(&Command::Printout) {
            self.prints_when_complete.set_value(true);
        } else {
            page::print();
        }
    }

    /// Requests the rows and events in advance, because printing from the browser's menu cannot wait.
    pub(crate) fn request_printout(self) {
        self.send(&Command::Printout);
    }

    pub(super) fn on_printout(self, rows: Vec<TreeRow>, events: Vec<RunEvent>) {
        self.data.all_rows.set(rows);
        self.data.last_events.set(events);
        if self.prints_when_complete.get_value() {
            self.prints_when_complete.set_value(false);
            page::print();
        }
    }
}

#[cfg(test)]
mod tests {
    use leptos::prelude::*;
    use runstate::ingest::traffic::Entry;
    use runstate::time::Millis;
    use runstate::viewer::{TrafficSource, Viewer};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::Store;

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
            assert!(!store_with(&mut viewer).can_export(), "the list");
            viewer.traffic().expect("traffic").choose(0, "r1");
            assert!(store_with(&mut viewer).can_export(), "the run");
        });
    }
}
