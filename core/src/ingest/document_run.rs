//! One run of a document, of whichever system, as a row of its list and on its own.

use super::content::{Content, ListRow};
use crate::conductor::derive::ConductorRun;
use crate::freshness::Freshness;
use crate::header::lionagi::{session_header, session_short_answer};
use crate::header::{Header, conductor, smithers_header};
use crate::lionagi::derive::EffectiveState;
use crate::lionagi::wire::{Play, Seconds, Show, StoredStatus};
use crate::pill::Taxonomy;
use crate::run::RunInspection;
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::smithers::wire::RunStateView;
use crate::summary::{AnswerPill, ShortAnswer, short_answer};
use crate::time::Millis;

/// A run, or what stands in a list beside runs.
#[derive(Clone, Copy)]
pub(crate) enum DocumentRun<'a> {
    Smithers(&'a RunInspection),
    /// A session or an invocation of lionagi.
    Session(&'a SessionInspection),
    Show(&'a Show),
    Play(&'a Play),
    Conductor(&'a ConductorRun),
}

impl Content {
    /// Returns the run in view, or that in a row of the list: of lionagi, sessions come first, then shows, then plays.
    pub(super) fn run(&self, row: Option<usize>) -> Option<DocumentRun<'_>> {
        match (self, row) {
            (Self::Smithers(found), None) => found.run.as_ref().map(DocumentRun::Smithers),
            (Self::Smithers(found), Some(row)) => found.runs.get(row).map(DocumentRun::Smithers),
            (Self::Lionagi(found), None) => found.session.as_ref().map(DocumentRun::Session),
            (Self::Lionagi(found), Some(row)) => lionagi_run(found, row),
            (Self::Conductor(runs), None) => match &**runs {
                [run] => Some(DocumentRun::Conductor(run)),
                _ => None,
            },
            (Self::Conductor(runs), Some(row)) => runs.get(row).map(DocumentRun::Conductor),
        }
    }

    /// Returns the number of rows of the list.
    pub(super) fn row_count(&self) -> usize {
        match self {
            Self::Smithers(found) => found.runs.len(),
            Self::Lionagi(found) => found.sessions.len() + found.shows.len() + found.plays.len(),
            Self::Conductor(runs) => runs.len(),
        }
    }
}

fn lionagi_run(found: &LionagiInspection, row: usize) -> Option<DocumentRun<'_>> {
    if let Some(session) = found.sessions.get(row) {
        return Some(DocumentRun::Session(session));
    }
    let row = row - found.sessions.len();
    match found.shows.get(row) {
        Some(show) => Some(DocumentRun::Show(show)),
        None => found.plays.get(row - found.shows.len()).map(DocumentRun::Play),
    }
}

impl ListRow {
    /// The row of a run in the list.
    pub(super) fn new(run: DocumentRun<'_>) -> Self {
        match run {
            DocumentRun::Smithers(run) => Self::from_run(run),
            DocumentRun::Session(session) => session_row(session),
            DocumentRun::Show(show) => Self {
                id: show.topic.clone(),
                name: show.topic.clone(),
                taxonomy: Taxonomy::Show,
                state: show.status.as_ref().map(|status| status.as_str().to_owned()),
                at: show.updated_at.map(Seconds::to_millis),
                is_legacy: false,
            },
            DocumentRun::Play(play) => Self {
                id: play.id(),
                name: play.name.clone(),
                taxonomy: Taxonomy::Play,
                state: play.status.as_ref().map(|status| status.as_str().to_owned()),
                at: play.started_at.map(Seconds::to_millis),
                is_legacy: false,
            },
            DocumentRun::Conductor(run) => {
                let id = run.run_id.clone().unwrap_or_default();
                Self {
                    name: run.workflow_id.clone().unwrap_or_else(|| id.clone()),
                    id,
                    taxonomy: Taxonomy::Conductor,
                    state: Some(run.display_state().to_owned()),
                    at: run.started_at,
                    is_legacy: false,
                }
            }
        }
    }
}

impl DocumentRun<'_> {
    /// Its header.
    pub(super) fn header(self, now: Millis) -> Header {
        let recorded = Freshness::Recorded { at: self.recorded_at() };
        match self {
            Self::Smithers(run) => smithers_header(run, &recorded, now),
            Self::Session(session) => session_header(session, &recorded, now),
            Self::Show(show) => show.header(now),
            Self::Play(play) => play.header(now),
            Self::Conductor(run) => conductor::run_header(run, &recorded, now),
        }
    }

    /// The pill and the sentence of its header.
    pub(crate) fn short_answer(self, now: Millis) -> ShortAnswer {
        let recorded = Freshness::Recorded { at: self.recorded_at() };
        match self {
            Self::Smithers(run) => short_answer(run, &recorded, now),
            Self::Session(session) => session_short_answer(session, &recorded, now),
            Self::Show(show) => show.short_answer(now),
            Self::Play(play) => play.short_answer(now),
            Self::Conductor(run) => conductor::run_short_answer(run, &recorded, now),
        }
    }

    /// The pill of its row, as in its header; `None` for runs of Smithers, whose pill follows from the state.
    pub(crate) fn row_pill(self) -> Option<AnswerPill> {
        let read_at = match self {
            Self::Smithers(_) => return None,
            Self::Session(session) => session.evidence.read_at.unwrap_or(Millis(0.0)),
            Self::Show(_) | Self::Play(_) => Millis(0.0),
            Self::Conductor(run) => run.evidence.read_at?,
        };
        Some(self.short_answer(read_at).pill)
    }

    /// The time at which it was recorded; `None` if the document does not contain it, and for lionagi.
    pub(super) fn recorded_at(self) -> Option<Millis> {
        match self {
            Self::Smithers(run) => run.view().and_then(RunStateView::computed_time),
            Self::Session(_) | Self::Show(_) | Self::Play(_) => None,
            Self::Conductor(run) => run.status_written_at(),
        }
    }
}

/// The row of a session.
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
