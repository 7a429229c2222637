//! Exports of the document or run on screen: for the person, for the host page, and for a printout.

use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::ingest::DocumentError;
use runstate::viewer::{PlaceView, RunList, Screen};
use wasm_bindgen::JsValue;

use super::announcements::Announcements;
use super::current_session::CurrentSession;
use super::data::SessionData;
use super::host_page::HostEvent;
use super::panel::Panel;
use super::screen_state::ScreenState;
use crate::browser::{download, page};
use crate::problem::Problem;
use crate::session::CallError;
use crate::session::protocol::{Answer, Call, ExportRequest, ExportedFile, Printout};

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

/// The exports and the printout of the screen.
#[derive(Clone, Copy)]
pub(crate) struct Exports {
    /// The state of the export form.
    pub(crate) form: ReadSignal<Export>,
    set_form: WriteSignal<Export>,
    /// Whether the screen has content to export.
    pub(crate) can_export: Memo<bool>,
    set_printout: WriteSignal<Printout>,
    panel: Panel,
    session: CurrentSession,
    announcements: Announcements,
    shows_node: RwSignal<bool>,
    place_view: Memo<Option<PlaceView>>,
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
            let can_export = || {
                let has_runs = runs.with(|runs| runs.as_ref().is_some_and(RunList::has_rows));
                status.with(|status| status.can_export(has_runs))
            };
            state.screen.get() != Screen::Nothing && can_export()
        };
        Self {
            form,
            set_form,
            can_export: Memo::new(can_export),
            set_printout: data.set_printout,
            panel,
            session,
            announcements,
            shows_node: state.shows_node,
            place_view: state.place_view,
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
        self.set_form.set(Export::Writing);
        spawn_local(self.write(self.request(redact, JsValue::NULL)));
    }

    /// Writes the same export as a self-contained page.
    pub(crate) fn write_page(self, redact: Vec<String>) {
        self.set_form.set(Export::Writing);
        spawn_local(async move {
            match page::single_file().await {
                Ok(single_file) => self.write(self.request(redact, single_file)).await,
                Err(problem) => self.fail(problem),
            }
        });
    }

    fn request(self, redact: Vec<String>, single_file: JsValue) -> ExportRequest {
        ExportRequest {
            redact,
            shows_node: self.shows_node.get_untracked(),
            shows_events: self.place_view.get_untracked().map(|view| view == PlaceView::Events),
            single_file,
        }
    }

    async fn write(self, request: ExportRequest) {
        self.session.problem.set(None);
        let Some(answer) = self.session.call(Call::Export(request)) else {
            return self.fail(DocumentError::closed().into());
        };
        match answer.await {
            Ok(Answer::Export(file)) => self.save(&file),
            Err(CallError::Refused(problem)) => self.fail(problem),
            // Whatever ended the session has closed the form.
            Err(CallError::Ended)
            | Ok(Answer::Printout(_) | Answer::CopyValue(_) | Answer::CopyEvents(_) | Answer::AddEvents(_)) =>
                {}
        }
    }

    fn fail(self, problem: Problem) {
        self.set_form.set(Export::Open);
        self.session.problem.report(problem);
    }

    /// Writes one redacted file for the host page. Returns whether the screen has content to export.
    pub(crate) fn write_for_host_page(self, redact: Vec<String>) -> bool {
        let request = self.request(redact, JsValue::NULL);
        let answer = self.can_export.get_untracked().then(|| self.session.call(Call::Export(request)));
        let Some(answer) = answer.flatten() else { return false };
        spawn_local(async move {
            let event = match answer.await {
                Ok(Answer::Export(ExportedFile { name, bytes, summary: _ })) => {
                    HostEvent::Export { name, bytes }
                }
                Err(error) => HostEvent::ExportFailed(error.into()),
                Ok(
                    Answer::Printout(_) | Answer::CopyValue(_) | Answer::CopyEvents(_) | Answer::AddEvents(_),
                ) => return,
            };
            // A removed panel reports nothing.
            if self.form.try_get_untracked().is_some() {
                self.panel.report(event);
            }
        });
        true
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
        match self.session.call(Call::Printout) {
            Some(answer) => spawn_local(async move {
                if self.keep_printout(answer.await) {
                    page::print();
                }
            }),
            None => page::print(),
        }
    }

    /// Requests the rows and events in advance, because printing from the browser's menu cannot wait.
    pub(crate) fn request_printout(self) {
        if let Some(answer) = self.session.call(Call::Printout) {
            spawn_local(async move {
                self.keep_printout(answer.await);
            });
        }
    }

    /// Keeps the rows and events of a printout. Returns whether the session sent them.
    fn keep_printout(self, answer: Result<Answer, CallError>) -> bool {
        match answer {
            Ok(Answer::Printout(printout)) => self.set_printout.try_set(printout).is_none(),
            Ok(Answer::Export(_) | Answer::CopyValue(_) | Answer::CopyEvents(_) | Answer::AddEvents(_))
            | Err(CallError::Refused(_) | CallError::Ended) => false,
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
            let service_worker = false;
            let entry = Entry::Answer {
                at,
                started: at,
                url,
                method,
                request,
                status: Some(200),
                body,
                service_worker,
            };
            let mut viewer = Viewer::new(TrafficSource::default());
            viewer.traffic().expect("traffic").take(&[entry]);
            assert!(!store_with(&mut viewer).sessions.exports.can_export.get_untracked(), "the list");
            viewer.traffic().expect("traffic").choose(0, "r1");
            assert!(store_with(&mut viewer).sessions.exports.can_export.get_untracked(), "the run");
        });
    }
}
