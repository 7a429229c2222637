//! A source that shows a document.

use super::row_detail::RowDetail;
use super::run_data::RunData;
use super::run_facts::RunFacts;
use super::run_log::RunLog;
use super::viewer_source::{ViewerSource, add_clock};
use super::{NoTree, Screen, Status};
use crate::header::Header;
use crate::ingest::{Document, DocumentRun, Incoming, ListRow, RunEvent};
use crate::lionagi::derive::legacy_chip;
use crate::problem::{Problem, Problems};
use crate::refusal::Refusal;
use crate::run::lionagi::LionagiInspection;
use crate::summary;
use crate::summary::{Answer, AnswerPill};
use crate::text::concat;
use crate::time::Millis;

/// Why a log that is being read has no events yet.
const BEING_READ: &str = "The events are listed once the log has been read to its end.";

/// A document, and the chosen row of its list.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
/// use runstate::viewer::{DocumentSource, Screen, Update, Viewer};
///
/// let row = br#"{"runId":"r1","status":"failed"}"#;
/// let document = open(&[File { name: None, bytes: row }], Millis(0.0))?;
/// let mut viewer = Viewer::new(DocumentSource::new(document, "getRun.json"));
/// let updates = viewer.updates(Millis(0.0));
/// assert!(matches!(&updates[0], Update::Status(status) if status.screen == Screen::Run));
/// assert!(viewer.updates(Millis(0.0)).is_empty(), "nothing changed");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Debug)]
pub struct DocumentSource {
    load_state: LoadState,
    name: String,
    chosen: Option<ChosenRun>,
    /// The last bytes of a log have been read, and that has not been announced yet.
    just_ended: bool,
}

/// The run that was chosen.
#[derive(Debug)]
struct ChosenRun {
    run_id: String,
    /// Its row in the list; `None` for the only run of the document, and for a run that the document does not have.
    row: Option<usize>,
}

#[derive(Debug)]
enum LoadState {
    Document(Box<Document>),
    /// An event log that is being read, and the reason why its rest cannot be read.
    Reading(Box<Incoming>, Option<String>),
}

impl DocumentSource {
    /// Shows a document. `name` is its file name or a substitute.
    pub fn new(document: Document, name: impl Into<String>) -> Self {
        Self::with(LoadState::Document(Box::new(document)), name.into())
    }

    /// Shows an event log while it is read; its state is known only at its end.
    ///
    /// ```
    /// use runstate::ingest::Incoming;
    /// use runstate::time::Millis;
    /// use runstate::viewer::{DocumentSource, Update, Viewer};
    ///
    /// let event = |number: u32| format!("{{\"type\":\"FrameCommitted\",\"runId\":\"r\",\"timestampMs\":{number}}}\n");
    /// let (first, rest) = ((0..20).map(event).collect::<String>(), " ".repeat(20_000_000));
    /// let (size, now) = ((first.len() + rest.len()) as u64, Millis(1_000.0));
    ///
    /// let log = Incoming::begin(None, first.as_bytes(), size, now).unwrap();
    /// let mut viewer = Viewer::new(DocumentSource::reading(log, "events.ndjson"));
    /// assert!(!viewer.document().unwrap().push(rest.as_bytes()), "no more bytes are expected");
    /// let last = viewer.updates(now).pop();
    /// assert!(matches!(last, Some(Update::Announce(text)) if text.starts_with("events.ndjson has been read")));
    /// ```
    pub fn reading(log: Incoming, name: impl Into<String>) -> Self {
        Self::with(LoadState::Reading(Box::new(log), None), name.into())
    }

    fn with(load_state: LoadState, name: String) -> Self {
        Self { load_state, name, chosen: None, just_ended: false }
    }

    /// Adds the next bytes of a log that is being read. Returns whether more bytes are expected.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let LoadState::Reading(log, None) = &mut self.load_state else { return false };
        log.push(bytes);
        if !log.is_whole() {
            return true;
        }
        if let Some(document) = log.finish() {
            self.load_state = LoadState::Document(Box::new(document));
            self.just_ended = true;
        }
        false
    }

    /// Notes that the rest of the log cannot be read; the part read so far stays on screen.
    pub fn break_off(&mut self) {
        if let LoadState::Reading(log, problem) = &mut self.load_state {
            *problem = Some(log.break_off());
        }
    }

    /// Shows a row of the list, or the list again.
    pub fn choose(&mut self, row: Option<usize>) {
        let run_id = |row| self.row(row).map(|row| row.id).unwrap_or_default();
        self.chosen = row.map(|row| ChosenRun { run_id: run_id(row), row: Some(row) });
    }

    /// Shows the run with this id, the first one of several. If the document has none, the screen is a refusal.
    ///
    /// ```
    /// use runstate::file::File;
    /// use runstate::ingest::open;
    /// use runstate::time::Millis;
    /// use runstate::viewer::{DocumentSource, Screen, Update, Viewer};
    ///
    /// let list = br#"[{"runId":"a","status":"finished"},{"runId":"b","status":"failed"}]"#;
    /// let document = open(&[File { name: None, bytes: list }], Millis(0.0))?;
    /// let mut source = DocumentSource::new(document, "list.json");
    /// source.choose_run("b");
    /// assert_eq!(source.chosen(), Some(1));
    /// source.choose_run("c");
    /// let updates = Viewer::new(source).updates(Millis(0.0));
    /// assert!(updates.iter().any(|update| matches!(update, Update::Status(status) if status.screen == Screen::Refusal)));
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn choose_run(&mut self, run_id: &str) {
        let row = self.rows().iter().position(|row| row.id == run_id);
        self.chosen = Some(ChosenRun { run_id: run_id.to_owned(), row });
    }

    /// The id of the run that was chosen, if the document does not have it.
    fn missing_run(&self) -> Option<&str> {
        let run_id = &self.chosen.as_ref().filter(|chosen| chosen.row.is_none())?.run_id;
        let is_only_run = match &self.load_state {
            LoadState::Document(document) => document.run_id() == Some(run_id),
            LoadState::Reading(log, _) => log.run_id().as_ref() == Some(run_id),
        };
        (!is_only_run).then_some(run_id)
    }

    /// The row of the list that is on screen.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen.as_ref()?.row
    }

    /// Whether the header of the run on screen says a problem as one of its notes.
    fn is_note(&self, document: &Document, problem: &Problem) -> bool {
        let run = document.smithers_run(self.chosen()).filter(|_| self.screen() == Screen::Run);
        run.is_some_and(|run| {
            let run_id = run.run_id.as_deref().unwrap_or_default();
            run.caveats.iter().any(|caveat| problem.message == concat(&[run_id, ": ", caveat]))
        })
    }

    fn document(&self) -> Option<&Document> {
        match &self.load_state {
            LoadState::Document(document) => Some(document),
            LoadState::Reading(..) => None,
        }
    }
}

impl ViewerSource for DocumentSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn screen(&self) -> Screen {
        if self.missing_run().is_some() {
            return Screen::Refusal;
        }
        let Some(document) = self.document() else { return Screen::Run };
        let only_counts = || document.lionagi().is_some_and(LionagiInspection::has_only_counts);
        if document.has_run() || self.chosen().is_some() || only_counts() {
            Screen::Run
        } else if document.refusal().is_some() {
            Screen::Refusal
        } else {
            Screen::Runs
        }
    }

    fn status(&self, _: Millis) -> Status {
        let status = match &self.load_state {
            LoadState::Document(document) => {
                let problems = document.problems().without(|problem| self.is_note(document, problem));
                Status::with_problems(document.refusal(), &problems)
            }
            LoadState::Reading(_, problem) => {
                let problem = problem.clone().map(Problem::new).map(Problems::from);
                Status::with_problems(None, &problem.unwrap_or_default())
            }
        };
        let not_found = |id| Refusal::new("RUN_NOT_FOUND", concat(&["Run not found: ", id]));
        Status {
            screen: self.screen(),
            source: self.name.clone(),
            run: self.chosen.as_ref().map(|chosen| chosen.run_id.clone()),
            has_list: self.chosen().is_some() || self.missing_run().is_some(),
            refusal: self.missing_run().map(not_found).or(status.refusal),
            ..status
        }
    }

    fn no_tree(&self, _: Millis) -> NoTree {
        self.document().map_or_else(NoTree::in_event_log, NoTree::in_document)
    }

    fn rows(&self) -> Vec<ListRow> {
        self.document().map(Document::rows).unwrap_or_default()
    }

    fn legacy_label(&self) -> Option<String> {
        self.document()?.lionagi().and_then(|found| legacy_chip(found.legacy_sessions()))
    }

    fn row_detail(&self, row: usize, now: Millis) -> RowDetail {
        let detail_of =
            |run: DocumentRun<'_>| RowDetail { pill: run.row_pill(), ..RowDetail::from_row(run, now) };
        self.document().and_then(|document| document.read_run(Some(row), detail_of)).unwrap_or_default()
    }

    fn header(&self, now: Millis) -> Option<Header> {
        if self.missing_run().is_some() {
            return None;
        }
        let mut header = match &self.load_state {
            LoadState::Document(document) => document.header(self.chosen(), now)?,
            LoadState::Reading(log, _) => log.header(now),
        };
        add_clock(&mut header, Some("as recorded".to_owned()));
        Some(header)
    }

    fn run(&self, _: Millis) -> RunData<'_> {
        let Some(document) = self.document().filter(|_| self.missing_run().is_none()) else {
            return RunData::default();
        };
        RunData {
            tree: document.tree(self.chosen()),
            states: document.node_states(self.chosen()),
            known_until: document.recorded_at(self.chosen()),
            age: None,
        }
    }

    fn log(&self) -> Option<RunLog<'_>> {
        if self.screen() != Screen::Run {
            return None;
        }
        let Some(document) = self.document() else { return Some(RunLog::Absent(BEING_READ)) };
        let run_id = self.chosen.as_ref().map(|chosen| &*chosen.run_id).or(document.run_id());
        Some(RunLog::of_document(document, self.chosen(), run_id.unwrap_or_default()))
    }

    fn facts(&self) -> Option<RunFacts<'_>> {
        let document = self.document().filter(|_| self.missing_run().is_none())?;
        RunFacts::of_document(document, self.chosen())
    }

    // A document changes by itself only when the end of a log is reached.
    fn announcement(&mut self, now: Millis) -> Option<String> {
        if !std::mem::take(&mut self.just_ended) {
            return None;
        }
        let read = format!("{} has been read to its end.", self.name);
        match self.header(now)?.answer {
            Answer { pill: AnswerPill::Pill { pill, .. }, sentence, .. } => {
                Some(format!("{read} {}. {}", pill.spoken, summary::text(&sentence)))
            }
            Answer { pill: AnswerPill::Absent, .. } => Some(read),
        }
    }

    fn rows_on_screen(&self) -> Vec<usize> {
        self.chosen().into_iter().collect()
    }

    fn last_events(&mut self) -> Vec<RunEvent> {
        match &mut self.load_state {
            LoadState::Document(document) => {
                document.last_events(self.chosen.as_ref().and_then(|chosen| chosen.row))
            }
            LoadState::Reading(..) => Vec::new(),
        }
    }

    fn shown_run(&self) -> Option<String> {
        let missing = || self.missing_run().map(|id| concat(&["no ", id]));
        self.chosen().map(|row| row.to_string()).or_else(missing)
    }

    fn list_version(&self) -> u64 {
        u64::from(self.document().is_some())
    }
}
