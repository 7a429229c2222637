//! Exports of what is on screen, for a person, for the page around the panel and on paper.

use leptos::prelude::*;
use leptos::task::spawn_local;
use runstate::ingest::{DocumentError, RunEvent};
use runstate::viewer::TreeRow;
use wasm_bindgen::JsValue;

use super::Store;
use crate::components::can_export;
use crate::embed::Report;
use crate::host;
use crate::session::protocol::{Command, ExportRequest, ExportedFile, Problem};

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
    /// The file was saved; what was left out of it, in words.
    Saved(String),
}

/// Who asked for an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportFor {
    Person,
    Page,
}

impl Store {
    /// Writes what is on screen as one file, without secrets and the values of `redact`.
    pub fn write_export(self, redact: Vec<String>) {
        self.request_export(ExportRequest { redact, single_file: JsValue::NULL });
    }

    /// The same as a page that opens by itself.
    pub fn write_page(self, redact: Vec<String>) {
        self.export.set(Export::Writing);
        spawn_local(async move {
            match host::single_file().await {
                Ok(single_file) => self.request_export(ExportRequest { redact, single_file }),
                Err(problem) => self.fail_export(problem),
            }
        });
    }

    fn request_export(self, request: ExportRequest) {
        if self.request(&Command::Export(request)) {
            self.problem.set(None);
            self.export.set(Export::Writing);
            self.sessions.update_value(|sessions| sessions.exports.push_back(ExportFor::Person));
        } else {
            self.export.set(Export::Open);
        }
    }

    fn fail_export(self, problem: Problem) {
        self.export.set(Export::Open);
        self.problem.set(Some(problem));
    }

    /// Writes what is on screen as one file for the page around the panel. Returns whether there is anything.
    pub(crate) fn export_for_page(self, redact: Vec<String>) -> bool {
        let request = ExportRequest { redact, single_file: JsValue::NULL };
        let is_sent = untrack(|| can_export(self)) && self.send(&Command::Export(request));
        if is_sent {
            self.sessions.update_value(|sessions| sessions.exports.push_back(ExportFor::Page));
        }
        is_sent
    }

    /// Gives an export, or why there is none, to whoever asked for it.
    pub(super) fn hand_over(self, exported: Result<ExportedFile, Problem>) {
        let asked = self.sessions.try_update_value(|sessions| sessions.exports.pop_front()).flatten();
        match (asked, exported) {
            (Some(ExportFor::Page), Ok(ExportedFile { name, bytes, summary: _ })) => {
                self.report(&Report::Export { name: &name, bytes });
            }
            (Some(ExportFor::Page), Err(problem)) => {
                self.report(&Report::ExportFailed(&problem));
            }
            (Some(ExportFor::Person) | None, Ok(file)) => self.save(&file),
            (Some(ExportFor::Person) | None, Err(problem)) => self.fail_export(problem),
        }
    }

    /// The session that writes the exports ends.
    pub(super) fn fail_exports(self) {
        let asked = self.sessions.try_update_value(|sessions| std::mem::take(&mut sessions.exports));
        let of_page = asked.into_iter().flatten().filter(|asked| *asked == ExportFor::Page);
        of_page.for_each(|_| {
            self.report(&Report::ExportFailed(&DocumentError::gone().into()));
        });
    }

    fn save(self, ExportedFile { name, bytes, summary }: &ExportedFile) {
        match host::save_file(name, bytes) {
            Ok(()) => {
                let text = format!("Saved {name}. {summary}");
                self.announcement.set(text.clone());
                self.export.set(Export::Saved(text));
            }
            Err(problem) => self.fail_export(problem),
        }
    }

    /// Prints the run on screen with all its nodes and its last events: what is not on screen comes first.
    pub fn print(self) {
        if self.send(&Command::Printout) {
            self.prints_when_complete.set_value(true);
        } else {
            host::print();
        }
    }

    /// Requests what a printout shows before somebody prints: what the browser's own menu prints cannot wait for it.
    pub(crate) fn request_printout(self) {
        self.send(&Command::Printout);
    }

    pub(super) fn take_printout(self, rows: Vec<TreeRow>, events: Vec<RunEvent>) {
        self.all_rows.set(rows);
        self.last_events.set(events);
        if self.prints_when_complete.get_value() {
            self.prints_when_complete.set_value(false);
            host::print();
        }
    }
}
