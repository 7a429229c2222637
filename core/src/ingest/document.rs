//! Defines the opened document, made of one file or several.

use std::sync::OnceLock;

use super::collector::LogRuns;
use super::content::{Content, ListRow, System};
use super::document_run::DocumentRun;
use super::relatives;
use super::trees::{NodeStates, SystemTree, conductor_tree, lionagi_tree};
use crate::conductor::derive::ConductorRun;
use crate::header::Header;
use crate::lionagi::wire::LionagiDocumentKind;
use crate::log::EventLog;
use crate::problem::Problems;
use crate::refusal::Refusal;
use crate::run::lionagi::LionagiInspection;
use crate::run::{DocumentKind, Inspection, RunInspection};
use crate::time::Millis;
use crate::tree::Tree;
use crate::word::Vocabulary;

/// An opened document of any system.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::{System, open};
/// use runstate::time::Millis;
///
/// let log = concat!(
///     r#"{"type":"RunStarted","runId":"r1","timestampMs":1000}"#, "\n",
///     "oops\n",
///     r#"{"type":"RunFailed","runId":"r1","error":{"message":"disk is full"},"timestampMs":2000}"#, "\n",
/// );
/// let mut document = open(&[File { name: Some("events.ndjson"), bytes: log.as_bytes() }], Millis(9_000.0))?;
/// assert_eq!((document.system(), document.kind()), (System::Smithers, "event-log"));
/// assert!(document.refusal().is_none());
/// // The broken line is named, and the rest loads.
/// assert_eq!(document.problems().texts(), ["events.ndjson, line 2, column 1: Expected a value, found `o`."]);
/// let run = document.smithers().unwrap().run.as_ref().unwrap();
/// assert_eq!(run.view().unwrap().state.as_str(), "failed");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Debug)]
pub struct Document {
    content: Content,
    logs: Vec<EventLog>,
    /// The runs of these logs, if nothing else is known about them: the rows of the list.
    log_runs: LogRuns,
    problems: Problems,
    trees: Trees,
}

/// The trees that are made of the runs, each when it is first shown.
type Trees = OnceLock<Vec<OnceLock<Option<Box<SystemTree>>>>>;

impl From<Inspection> for Document {
    fn from(inspection: Inspection) -> Self {
        Self::new(Content::Smithers(Box::new(inspection)))
    }
}

impl Document {
    /// Makes a document with the problems that the system's own reader found.
    pub(super) fn new(mut content: Content) -> Self {
        let mut problems = Problems::default();
        match &mut content {
            Content::Smithers(inspection) => {
                relatives::add_notes(&mut inspection.runs);
                problems.append_all(std::mem::take(&mut inspection.problems));
            }
            Content::Lionagi(inspection) => problems.append_all(std::mem::take(&mut inspection.problems)),
            Content::Conductor(runs) => {
                for run in runs {
                    problems.append_all(std::mem::take(&mut run.problems));
                }
            }
        }
        Self { content, logs: Vec::new(), log_runs: LogRuns::default(), problems, trees: OnceLock::new() }
    }

    /// Adds the rows of runs that are only in event logs.
    pub(super) fn add_log_runs(&mut self, runs: LogRuns) {
        self.log_runs = runs;
    }

    /// Adds the event logs among the files, and the problems found before those of the content.
    pub(super) fn with(self, logs: Vec<EventLog>, mut problems: Problems) -> Self {
        problems.append_all(self.problems);
        Self { logs, problems, ..self }
    }

    /// Returns the document's system. Of files of several systems, the one with a run in view is opened; the problems
    /// name the others.
    pub fn system(&self) -> System {
        match &self.content {
            Content::Smithers(_) => System::Smithers,
            Content::Lionagi(_) => System::Lionagi,
            Content::Conductor(_) => System::Conductor,
        }
    }

    /// Returns the run or list of Smithers, without the runs of a list that are only in event logs: see
    /// [`smithers_run`](Self::smithers_run); `None` for the other systems.
    pub fn smithers(&self) -> Option<&Inspection> {
        let Content::Smithers(inspection) = &self.content else { return None };
        Some(inspection)
    }

    /// Returns the run or list of Smithers with the problems of the document; `None` for the other systems.
    pub(super) fn into_smithers(self) -> Option<Inspection> {
        let Content::Smithers(inspection) = self.content else { return None };
        let logged = (0..self.log_runs.len()).filter_map(|row| self.log_runs.run(row, &self.logs));
        let runs = inspection.runs.into_iter().chain(logged).collect();
        Some(Inspection { problems: self.problems, runs, ..*inspection })
    }

    /// Returns the sessions of lionagi; `None` for the other systems.
    ///
    /// ```
    /// use runstate::file::File;
    /// use runstate::ingest::open;
    /// use runstate::time::Millis;
    ///
    /// let session = br#"{"session_id":"s1","status":"completed_empty","invocation_kind":"agent"}"#;
    /// let document = open(&[File { name: None, bytes: session }], Millis(0.0))?;
    /// assert_eq!(document.lionagi().unwrap().session.as_ref().unwrap().name(), Some("s1"));
    /// assert!(document.smithers().is_none() && document.conductor_runs().is_empty());
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn lionagi(&self) -> Option<&LionagiInspection> {
        let Content::Lionagi(inspection) = &self.content else { return None };
        Some(inspection)
    }

    /// Returns the runs of tnh-conductor, one for each run directory among the files; empty for the other systems.
    ///
    /// ```
    /// use runstate::file::File;
    /// use runstate::ingest::open;
    /// use runstate::time::Millis;
    ///
    /// let status = |id: &str| format!(r#"{{"run_id":"{id}","lifecycle_state":"running"}}"#);
    /// let (one, other) = (status("20261121T204038Z"), status("20261121T210000Z"));
    /// let files = [
    ///     File { name: Some("20261121T204038Z/status.json"), bytes: one.as_bytes() },
    ///     File { name: Some("20261121T210000Z/status.json"), bytes: other.as_bytes() },
    /// ];
    /// let document = open(&files, Millis(1_795_296_000_000.0))?;
    /// assert_eq!((document.conductor_runs().len(), document.rows().len()), (2, 2));
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn conductor_runs(&self) -> &[ConductorRun] {
        let Content::Conductor(runs) = &self.content else { return &[] };
        runs
    }

    /// Returns the kind of the document as a word.
    pub fn kind(&self) -> &'static str {
        match &self.content {
            Content::Smithers(inspection) => DocumentKind::as_str(inspection.kind),
            Content::Lionagi(inspection) => LionagiDocumentKind::as_str(inspection.kind),
            Content::Conductor(runs) if runs.len() > 1 => "conductor-runs",
            Content::Conductor(_) => "conductor-run",
        }
    }

    /// Returns the parts that could not be read, each with its position.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Returns the error response if the document is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.content {
            Content::Smithers(inspection) => inspection.refusal.as_ref(),
            Content::Lionagi(inspection) => inspection.refusal.as_ref(),
            Content::Conductor(_) => None,
        }
    }

    /// Returns the run that needs no selection, or that of a row of the list.
    pub(crate) fn run(&self, row: Option<usize>) -> Option<DocumentRun<'_>> {
        let logged = || self.log_runs.open(row?, &self.logs).map(DocumentRun::Smithers);
        self.content.run(row).or_else(logged)
    }

    /// Reads the run that needs no selection, or that of a row of the list. Unlike [`run`](Self::run), it does not keep a run
    /// that it makes from a log: a list reads all.
    pub(crate) fn read_run<T>(
        &self,
        row: Option<usize>,
        read: impl FnOnce(DocumentRun<'_>) -> T,
    ) -> Option<T> {
        match row.and_then(|row| self.log_runs.run(row, &self.logs)) {
            Some(run) => Some(read(DocumentRun::Smithers(&run))),
            None => self.run(row).map(read),
        }
    }

    /// Returns the number of rows of the list.
    pub(crate) fn row_count(&self) -> usize {
        if self.has_run() { 0 } else { self.content.row_count() + self.log_runs.len() }
    }

    /// Whether the document is about one run, so that its header needs no selection.
    pub(crate) fn has_run(&self) -> bool {
        self.run(None).is_some()
    }

    /// Returns the id of the run whose header needs no selection; `None` for lists.
    pub(crate) fn run_id(&self) -> Option<&str> {
        match self.run(None)? {
            DocumentRun::Smithers(run) => run.run_id.as_deref(),
            DocumentRun::Session(session) => session.row.session_id.as_deref(),
            DocumentRun::Show(_) | DocumentRun::Play(_) => None,
            DocumentRun::Conductor(run) => run.run_id.as_deref(),
        }
    }

    /// Returns the runs of a list; empty if one run is in view.
    pub fn rows(&self) -> Vec<ListRow> {
        (0..self.row_count()).filter_map(|row| self.read_run(Some(row), ListRow::new)).collect()
    }

    /// Returns the header of the run, or of a row of the list; `None` if the row does not exist.
    pub fn header(&self, row: Option<usize>, now: Millis) -> Option<Header> {
        match (self.run(row), row) {
            (Some(run), _) => Some(run.header(now)),
            (None, None) => self.lionagi()?.counts_header(now),
            (None, Some(_)) => None,
        }
    }

    /// Returns the time at which the run, or a row of the list, was recorded; `None` if the document does not contain
    /// it, and for lionagi.
    pub(crate) fn recorded_at(&self, row: Option<usize>) -> Option<Millis> {
        self.run(row)?.recorded_at()
    }

    /// Returns the tree of the run, or of a row of the list.
    pub fn tree(&self, row: Option<usize>) -> Option<&Tree> {
        match self.smithers_run(row) {
            Some(run) => run.tree.as_ref(),
            None => self.system_tree(row).map(|system| &system.tree),
        }
    }

    /// Returns the states in that tree that are not in the words of Smithers.
    pub(crate) fn node_states(&self, row: Option<usize>) -> Option<&NodeStates> {
        self.system_tree(row).map(|system| &system.states)
    }

    fn system_tree(&self, row: Option<usize>) -> Option<&SystemTree> {
        let run = self.run(row)?;
        let trees = self
            .trees
            .get_or_init(|| std::iter::repeat_with(OnceLock::new).take(self.row_count().max(1)).collect());
        let tree = trees.get(row.unwrap_or(0))?.get_or_init(|| {
            let tree = match run {
                DocumentRun::Smithers(_) => None,
                DocumentRun::Session(_) | DocumentRun::Show(_) | DocumentRun::Play(_) => {
                    lionagi_tree(run, self.lionagi()?)
                }
                DocumentRun::Conductor(run) => conductor_tree(run),
            };
            tree.map(Box::new)
        });
        tree.as_deref()
    }

    /// Returns the run of Smithers, or that of a row of the list.
    pub fn smithers_run(&self, row: Option<usize>) -> Option<&RunInspection> {
        let DocumentRun::Smithers(run) = self.run(row)? else { return None };
        Some(run)
    }

    /// Reads each run of a list of Smithers, and keeps none that it makes from a log: there may be a hundred thousand.
    pub fn read_smithers_runs<T>(&self, read: impl Fn(&RunInspection) -> T) -> Vec<T> {
        let read = |run: DocumentRun<'_>| match run {
            DocumentRun::Smithers(run) => Some(read(run)),
            DocumentRun::Session(_)
            | DocumentRun::Show(_)
            | DocumentRun::Play(_)
            | DocumentRun::Conductor(_) => None,
        };
        (0..).map_while(|row| self.read_run(Some(row), read)?).collect()
    }

    /// Returns the event logs among the files; no two have events of the same run, except those of recorded sockets.
    pub(crate) fn event_logs(&self) -> &[EventLog] {
        &self.logs
    }

    /// Returns the event log if the document is nothing else.
    pub(crate) fn into_event_log(mut self) -> Option<EventLog> {
        let is_log = self.kind() == DocumentKind::EventLog.as_str();
        self.logs.pop().filter(|_| is_log && self.logs.is_empty())
    }

    /// Returns the run of tnh-conductor, or that of a row of the list.
    pub(crate) fn conductor_run(&self, row: Option<usize>) -> Option<&ConductorRun> {
        let DocumentRun::Conductor(run) = self.run(row)? else { return None };
        Some(run)
    }

    /// Returns the event logs among the files.
    pub(crate) fn logs(&mut self) -> &mut [EventLog] {
        &mut self.logs
    }
}
