//! The content of a document by system, and the rows of its lists.

use crate::conductor::derive::ConductorRun;
use crate::freshness::Freshness;
use crate::header::Header;
use crate::header::lionagi::{session_header, session_short_answer};
use crate::lionagi::derive::EffectiveState;
use crate::lionagi::wire::{Play, Seconds, Show, StoredStatus};
use crate::pill::Taxonomy;
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::run::{Inspection, RunInspection};
use crate::summary::ShortAnswer;
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

/// Returns the header of lionagi's content, or of one of its rows: sessions, then shows, then plays.
pub(super) fn lionagi_header(
    inspection: &LionagiInspection,
    row: Option<usize>,
    now: Millis,
) -> Option<Header> {
    let LionagiInspection { session, sessions, shows, plays, .. } = inspection;
    let session = match row {
        Some(row) => sessions.get(row),
        None => session.as_ref(),
    };
    if row.is_none() && session.is_none() {
        return inspection.counts_header(now);
    }
    if let Some(session) = session {
        return Some(session_header(session, &Freshness::Recorded { at: None }, now));
    }
    let row = row?.checked_sub(sessions.len())?;
    match shows.get(row) {
        Some(show) => Some(show.header(now)),
        None => Some(plays.get(row.checked_sub(shows.len())?)?.header(now)),
    }
}

/// Returns the pill and the sentence of [`lionagi_header`], for content with a session or for one of its rows.
pub(super) fn lionagi_short_answer(
    inspection: &LionagiInspection,
    row: Option<usize>,
    now: Millis,
) -> Option<ShortAnswer> {
    let LionagiInspection { session, sessions, shows, plays, .. } = inspection;
    let session = match row {
        Some(row) => sessions.get(row),
        None => session.as_ref(),
    };
    if let Some(session) = session {
        return Some(session_short_answer(session, &Freshness::Recorded { at: None }, now));
    }
    let row = row?.checked_sub(sessions.len())?;
    match shows.get(row) {
        Some(show) => Some(show.short_answer(now)),
        None => Some(plays.get(row.checked_sub(shows.len())?)?.short_answer(now)),
    }
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

pub(super) fn conductor_row(run: &ConductorRun) -> ListRow {
    let id = run.run_id.clone().unwrap_or_default();
    ListRow {
        name: run.workflow_id.clone().unwrap_or_else(|| id.clone()),
        id,
        taxonomy: Taxonomy::Conductor,
        state: Some(run.display_state().to_owned()),
        at: run.started_at,
        is_legacy: false,
    }
}

pub(super) fn show_row(show: &Show) -> ListRow {
    ListRow {
        id: show.topic.clone(),
        name: show.topic.clone(),
        taxonomy: Taxonomy::Show,
        state: show.status.as_ref().map(|status| status.as_str().to_owned()),
        at: show.updated_at.map(Seconds::to_millis),
        is_legacy: false,
    }
}

pub(super) fn play_row(play: &Play) -> ListRow {
    ListRow {
        id: play.id(),
        name: play.name.clone(),
        taxonomy: Taxonomy::Play,
        state: play.status.as_ref().map(|status| status.as_str().to_owned()),
        at: play.started_at.map(Seconds::to_millis),
        is_legacy: false,
    }
}

pub(super) fn smithers_run(inspection: &Inspection, row: Option<usize>) -> Option<&RunInspection> {
    match row {
        Some(row) => inspection.runs.get(row),
        None => inspection.run.as_ref(),
    }
}

/// Returns the only run, or a row of several.
pub(super) fn conductor_run(runs: &[ConductorRun], row: Option<usize>) -> Option<&ConductorRun> {
    match (row, runs) {
        (None, [run]) => Some(run),
        (None, _) => None,
        (Some(row), _) => runs.get(row),
    }
}

pub(super) fn session_row(session: &SessionInspection) -> ListRow {
    let id = session.row.session_id.clone().unwrap_or_default();
    let effective = session.effective.as_ref();
    ListRow {
        name: session.name().map_or_else(|| id.clone(), str::to_owned),
        id,
        taxonomy: effective.map_or(Taxonomy::Session, EffectiveState::taxonomy),
        state: effective.map(|effective| effective.word.to_string()),
        at: session.row.started_at.or(session.row.created_at).map(Seconds::to_millis),
        is_legacy: session.row.status == StoredStatus::Legacy,
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
