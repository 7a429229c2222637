//! Defines the opened document, made of one file or several.

use super::content::{Content, System};
use crate::conductor::derive::ConductorRun;
use crate::header::Header;
use crate::log::EventLog;
use crate::pill::Taxonomy;
use crate::problem::Problems;
use crate::refusal::Refusal;
use crate::run::lionagi;
use crate::run::{Inspection, RunInspection};
use crate::summary::AnswerPill;
use crate::time::Millis;
use crate::tree::Tree;

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
    problems: Problems,
}

/// One run of a list.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let list = br#"[{"runId":"r2","workflowName":"build","status":"failed"},{"runId":"r1","status":"finished"}]"#;
/// let document = open(&[File { name: None, bytes: list }], Millis(0.0))?;
/// let rows = document.rows();
/// assert_eq!((&*rows[0].name, rows[0].state.as_deref()), ("build", Some("failed")));
/// assert_eq!((&*rows[1].name, rows[1].state.as_deref()), ("r1", Some("succeeded")));
/// assert!(document.header(None, Millis(0.0)).is_none(), "nobody chose one yet");
/// assert_eq!(document.header(Some(1), Millis(0.0)).unwrap().name, "r1");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ListRow {
    /// The run's id.
    pub id: String,
    /// The run's display name.
    pub name: String,
    /// The vocabulary to which the state belongs.
    pub taxonomy: Taxonomy,
    /// The state's word, if the run has a state.
    pub state: Option<String>,
    /// The run's start time.
    pub at: Option<Millis>,
    /// Whether the run is a session from before the status vocabulary.
    pub(crate) is_legacy: bool,
}

impl From<Inspection> for Document {
    fn from(inspection: Inspection) -> Self {
        Self::new(Content::Smithers(Box::new(inspection)), Vec::new(), Problems::default())
    }
}

impl Document {
    pub(super) fn new(mut content: Content, logs: Vec<EventLog>, mut problems: Problems) -> Self {
        problems.append_all(content.take_problems());
        Self { content, logs, problems }
    }

    /// Returns the document's system. Of files of several systems, the one with a run in view is opened; the problems
    /// name the others.
    pub fn system(&self) -> System {
        self.content.system()
    }

    /// Returns the run or list of Smithers; `None` for the other systems.
    pub fn smithers(&self) -> Option<&Inspection> {
        match &self.content {
            Content::Smithers(inspection) => Some(inspection),
            Content::Lionagi(_) | Content::Conductor(_) => None,
        }
    }

    /// Returns the run or list of Smithers with the problems of the document; `None` for the other systems.
    pub(super) fn into_smithers(self) -> Option<Inspection> {
        match self.content {
            Content::Smithers(inspection) => Some(Inspection { problems: self.problems, ..*inspection }),
            Content::Lionagi(_) | Content::Conductor(_) => None,
        }
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
    pub fn lionagi(&self) -> Option<&lionagi::LionagiInspection> {
        match &self.content {
            Content::Lionagi(inspection) => Some(inspection),
            Content::Smithers(_) | Content::Conductor(_) => None,
        }
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
        match &self.content {
            Content::Conductor(runs) => runs,
            Content::Smithers(_) | Content::Lionagi(_) => &[],
        }
    }

    /// Returns the kind of the document as a word.
    pub fn kind(&self) -> &'static str {
        self.content.kind()
    }

    /// Returns the parts that could not be read, each with its position.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Returns the error response if the document is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.content.refusal()
    }

    /// Whether the document is about one run, so that its header needs no selection.
    pub(crate) fn has_run(&self) -> bool {
        self.content.has_run()
    }

    /// Returns the runs of a list; empty if one run is in view.
    pub fn rows(&self) -> Vec<ListRow> {
        self.content.rows()
    }

    /// Returns the header of the run, or of a row of the list; `None` if the row does not exist.
    pub fn header(&self, row: Option<usize>, now: Millis) -> Option<Header> {
        self.content.header(row, now)
    }

    /// Returns the pill of a row of the list, as in its header; `None` for rows of Smithers, whose pill follows from
    /// the state.
    pub(crate) fn row_pill(&self, row: usize) -> Option<AnswerPill> {
        self.content.row_pill(row)
    }

    /// Returns the time at which the run, or a row of the list, was recorded; `None` if the document does not contain
    /// it, and for runs without a tree.
    pub(crate) fn recorded_at(&self, row: Option<usize>) -> Option<Millis> {
        self.content.recorded_at(row)
    }

    /// Returns the tree of the run, or of a row of the list.
    pub fn tree(&self, row: Option<usize>) -> Option<&Tree> {
        self.content.tree(row)
    }

    /// Returns the event logs among the files.
    pub(crate) fn logs(&mut self) -> &mut [EventLog] {
        &mut self.logs
    }
}

impl ListRow {
    /// Makes the row of a Smithers run.
    pub(crate) fn from_run(run: &RunInspection) -> Self {
        let id = run.run_id.clone().unwrap_or_default();
        Self {
            name: run.workflow.clone().unwrap_or_else(|| id.clone()),
            id,
            taxonomy: Taxonomy::Run,
            state: run.view().map(|view| view.state.as_str().to_owned()),
            at: run.started_at.or(run.created_at),
            is_legacy: false,
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_run_as_a_document() -> Result<(), Box<dyn std::error::Error>> {
        use crate::ingest::ListRow;
        use crate::run::RunInspection;
        use crate::smithers::wire::read_run;
        use crate::time::Millis;
        let row = read_run(r#"{"runId":"r1","status":"running","startedAtMs":1700000000000}"#)?;
        let row = ListRow::from_run(&RunInspection::from_row(&row, "listRuns", Millis(1_700_000_000_500.0)));
        assert_eq!((&*row.name, row.at), ("r1", Some(Millis(1_700_000_000_000.0))));
        Ok(())
    }
}
