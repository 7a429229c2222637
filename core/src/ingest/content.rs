//! Gives the content of a document the same interface for every system.

use super::ListRow;
use crate::conductor::derive::ConductorRun;
use crate::freshness::Freshness;
use crate::header;
use crate::header::conductor;
use crate::header::{Header, smithers_header};
use crate::lionagi;
use crate::lionagi::derive::EffectiveState;
use crate::lionagi::wire::Play;
use crate::lionagi::wire::Seconds;
use crate::lionagi::wire::Show;
use crate::lionagi::wire::StoredStatus;
use crate::pill::Taxonomy;
use crate::problem::Problems;
use crate::refusal::Refusal;
use crate::run;
use crate::run::lionagi::SessionInspection;
use crate::run::{DocumentKind, Inspection, RunInspection};
use crate::summary::AnswerPill;
use crate::text::concat;
use crate::time::Millis;
use crate::tree::Tree;
use crate::word::Vocabulary;

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

/// The content of a document by system.
#[derive(Debug)]
pub(super) enum Content {
    /// A Smithers run or a list of them.
    Smithers(Box<Inspection>),
    /// A session, or a list of them.
    Lionagi(Box<run::lionagi::LionagiInspection>),
    /// Run directories or parts of them; at least one.
    Conductor(Vec<ConductorRun>),
}

impl Content {
    pub(super) fn system(&self) -> System {
        match self {
            Self::Smithers(_) => System::Smithers,
            Self::Lionagi(_) => System::Lionagi,
            Self::Conductor(_) => System::Conductor,
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Smithers(inspection) => DocumentKind::as_str(inspection.kind),
            Self::Lionagi(inspection) => lionagi::wire::LionagiDocumentKind::as_str(inspection.kind),
            Self::Conductor(runs) if runs.len() > 1 => "conductor-runs",
            Self::Conductor(_) => "conductor-run",
        }
    }

    /// Removes and returns the problems that the system's own reader found.
    pub(super) fn take_problems(&mut self) -> Problems {
        match self {
            Self::Smithers(inspection) => std::mem::take(&mut inspection.problems),
            Self::Lionagi(inspection) => std::mem::take(&mut inspection.problems),
            Self::Conductor(runs) => {
                let mut all = Problems::default();
                for run in runs {
                    all.append_all(std::mem::take(&mut run.problems));
                }
                all
            }
        }
    }

    pub(super) fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Smithers(inspection) => inspection.refusal.as_ref(),
            Self::Lionagi(inspection) => inspection.refusal.as_ref(),
            Self::Conductor(_) => None,
        }
    }

    pub(super) fn has_run(&self) -> bool {
        match self {
            Self::Smithers(inspection) => inspection.run.is_some(),
            Self::Lionagi(inspection) => inspection.session.is_some(),
            Self::Conductor(runs) => runs.len() == 1,
        }
    }

    pub(super) fn rows(&self) -> Vec<ListRow> {
        if self.has_run() {
            return Vec::new();
        }
        match self {
            Self::Smithers(inspection) => inspection.runs.iter().map(ListRow::from_run).collect(),
            Self::Lionagi(inspection) => {
                let sessions = inspection.sessions.iter().map(session_row);
                let shows = inspection.shows.iter().map(show_row);
                sessions.chain(shows).chain(inspection.plays.iter().map(play_row)).collect()
            }
            Self::Conductor(runs) => runs.iter().map(conductor_row).collect(),
        }
    }

    pub(super) fn header(&self, row: Option<usize>, now: Millis) -> Option<Header> {
        match self {
            Self::Smithers(inspection) => {
                let run = smithers_run(inspection, row)?;
                Some(smithers_header(run, &Freshness::recorded(run), now))
            }
            Self::Lionagi(inspection) => lionagi_header(inspection, row, now),
            Self::Conductor(runs) => {
                let run = match (row, runs.as_slice()) {
                    (None, [run]) => run,
                    (None, _) => return None,
                    (Some(row), _) => runs.get(row)?,
                };
                Some(conductor::run_header(run, &Freshness::Recorded { at: run.status_written_at() }, now))
            }
        }
    }

    /// Returns the pill of a row, as in its header at the time of reading.
    pub(super) fn row_pill(&self, row: usize) -> Option<AnswerPill> {
        let read_at = match self {
            Self::Smithers(_) => return None,
            Self::Lionagi(inspection) => {
                let session = inspection.sessions.get(row);
                session.and_then(|session| session.evidence.read_at).unwrap_or(Millis(0.0))
            }
            Self::Conductor(runs) => runs.get(row)?.evidence.read_at?,
        };
        Some(self.header(Some(row), read_at)?.answer.pill)
    }

    /// Returns the time at which the run, or a row of the list, was recorded.
    pub(super) fn recorded_at(&self, row: Option<usize>) -> Option<Millis> {
        match self {
            Self::Smithers(inspection) => smithers_run(inspection, row)?.view()?.computed_time(),
            Self::Lionagi(_) | Self::Conductor(_) => None,
        }
    }

    pub(super) fn tree(&self, row: Option<usize>) -> Option<&Tree> {
        match self {
            Self::Smithers(inspection) => smithers_run(inspection, row)?.tree.as_ref(),
            Self::Lionagi(_) | Self::Conductor(_) => None,
        }
    }
}

/// Returns the header of lionagi's content, or of one of its rows: sessions, then shows, then plays.
fn lionagi_header(
    inspection: &run::lionagi::LionagiInspection,
    row: Option<usize>,
    now: Millis,
) -> Option<Header> {
    let run::lionagi::LionagiInspection { session, sessions, shows, plays, .. } = inspection;
    let session = match row {
        Some(row) => sessions.get(row),
        None => session.as_ref(),
    };
    if row.is_none() && session.is_none() {
        return inspection.counts_header(now);
    }
    if let Some(session) = session {
        return Some(header::lionagi::session_header(session, &Freshness::Recorded { at: None }, now));
    }
    let row = row?.checked_sub(sessions.len())?;
    match shows.get(row) {
        Some(show) => Some(show.header(now)),
        None => Some(plays.get(row.checked_sub(shows.len())?)?.header(now)),
    }
}

fn conductor_row(run: &ConductorRun) -> ListRow {
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

fn show_row(show: &Show) -> ListRow {
    ListRow {
        id: show.topic.clone(),
        name: show.topic.clone(),
        taxonomy: Taxonomy::Show,
        state: show.status.as_ref().map(|status| status.as_str().to_owned()),
        at: show.updated_at.map(Seconds::to_millis),
        is_legacy: false,
    }
}

fn play_row(play: &Play) -> ListRow {
    ListRow {
        id: concat(&[&play.topic, " / ", &play.name]),
        name: play.name.clone(),
        taxonomy: Taxonomy::Play,
        state: play.status.as_ref().map(|status| status.as_str().to_owned()),
        at: play.started_at.map(Seconds::to_millis),
        is_legacy: false,
    }
}

fn smithers_run(inspection: &Inspection, row: Option<usize>) -> Option<&RunInspection> {
    match row {
        Some(row) => inspection.runs.get(row),
        None => inspection.run.as_ref(),
    }
}

fn session_row(session: &SessionInspection) -> ListRow {
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
