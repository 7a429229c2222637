//! The content of a document by system, and the rows of its lists.

use crate::conductor::derive::ConductorRun;
use crate::pill::Taxonomy;
use crate::run::lionagi::LionagiInspection;
use crate::run::{Inspection, RunInspection};
use crate::time::Millis;

crate::vocabulary! {
    /// The systems whose runs Runstate reads.
    ///
    /// ```
    /// use runstate::file::File;
    /// use runstate::ingest::{System, open};
    /// use runstate::time::Millis;
    ///
    /// let status = br#"{"run_id":"20261121T204038Z","lifecycle_state":"running","updated_at":"2026-11-21T20:40:39Z"}"#;
    /// let document = open(&[File { name: Some("status.json"), bytes: status }], Millis(0.0))?;
    /// assert_eq!(document.system(), System::Conductor);
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub enum System ("system") {
        /// Workflows of agents, run by the Smithers orchestrator.
        Smithers = "smithers",
        /// Sessions of agents, run by lionagi.
        Lionagi = "lionagi",
        /// Headless workflow runs of tnh-conductor.
        Conductor = "tnh-conductor",
    }
}

impl System {
    /// The name as its project writes it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Smithers => "Smithers",
            Self::Lionagi => "lionagi",
            Self::Conductor => "tnh-conductor",
        }
    }
}

/// The content of a document by system.
#[derive(Debug)]
pub(super) enum Content {
    /// A Smithers run or a list of them.
    Smithers(Box<Inspection>),
    /// A session, or a list of them.
    Lionagi(Box<LionagiInspection>),
    /// Run directories or parts of them; at least one.
    Conductor(Vec<ConductorRun>),
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
