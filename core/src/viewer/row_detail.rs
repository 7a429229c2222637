//! The details of a row in the list of runs besides its name and the word of its state.

use crate::freshness::Freshness;
use crate::ingest::DocumentRun;
use crate::lionagi::derive::{EffectiveState, Qualifier};
use crate::lionagi::wire::{Play, Seconds};
use crate::pill::BlockedKind;
use crate::run::RunInspection;
use crate::run::lionagi::SessionInspection;
use crate::smithers::wire::{ReasonBlocked, ReasonUnhealthy, RunState, RunStateView};
use crate::summary;
use crate::summary::{AnswerPill, ShortAnswer};
use crate::time::Millis;
use crate::word::Vocabulary;

/// The details of a row at one time, besides its name and the word of its state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowDetail {
    /// The pill, if it differs from that of the word.
    pub(super) pill: Option<AnswerPill>,
    /// The reason for the run's state, as a sentence; empty if unknown.
    pub(super) reason: String,
    /// The kind of a Smithers run's blocker.
    pub(super) blocked: Option<BlockedKind>,
    /// The addition of a session's state to its status.
    pub(super) qualifier: Option<Qualifier>,
    /// Since when it has waited, been silent or been over.
    pub(super) since: Option<Millis>,
    /// What happened at that time.
    pub(super) since_event: Option<SinceEvent>,
    /// The latest known time of the run.
    pub(super) updated_at: Option<Millis>,
}

/// What happened at the time that a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SinceEvent {
    /// A person was asked for a decision.
    Asked,
    /// The last sign of the engine or of the session.
    LastSeen,
    /// The run ended.
    Ended,
}

impl SinceEvent {
    /// The word before the age.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::LastSeen => "last seen",
            Self::Ended => "ended",
        }
    }
}

impl RowDetail {
    /// The detail of a Smithers run that is observed while it runs.
    pub(super) fn from_run(run: &RunInspection, freshness: &Freshness, now: Millis) -> Self {
        Self::run_times(run).with_answer(summary::short_answer(run, freshness, now))
    }

    /// The detail of a row of a document's list.
    pub(super) fn from_row(run: DocumentRun<'_>, now: Millis) -> Self {
        Self::times(run).with_answer(run.short_answer(now))
    }

    /// The detail of the one run that a document is about.
    pub(super) fn from_only_run(run: DocumentRun<'_>, now: Millis) -> Self {
        let qualifier = if let DocumentRun::Session(session) = run { qualifier(session) } else { None };
        Self { qualifier, ..Self::default() }.with_answer(run.short_answer(now))
    }

    fn with_answer(self, ShortAnswer { pill, sentence }: ShortAnswer) -> Self {
        Self { reason: summary::text(&sentence), pill: Some(pill), ..self }
    }

    /// Converts the times to another clock, by an offset in milliseconds.
    pub(super) fn moved_by(self, ms: f64) -> Self {
        let moved = |at: Option<Millis>| at.map(|at| Millis(at.0 + ms));
        Self { since: moved(self.since), updated_at: moved(self.updated_at), ..self }
    }

    fn times(run: DocumentRun<'_>) -> Self {
        match run {
            DocumentRun::Smithers(run) => Self::run_times(run),
            DocumentRun::Session(session) => Self::session_times(session),
            DocumentRun::Show(show) => {
                let updated_at = show.updated_at.map(Seconds::to_millis);
                let since_event = Some(SinceEvent::LastSeen);
                Self { since: updated_at, since_event, updated_at, ..Self::default() }
            }
            DocumentRun::Play(play) => Self::play_times(play),
            DocumentRun::Conductor(run) => {
                let updated_at = run.status_written_at();
                let since_event =
                    if run.ended_at.is_some() { SinceEvent::Ended } else { SinceEvent::LastSeen };
                let since = run.ended_at.or(updated_at);
                Self { since, since_event: Some(since_event), updated_at, ..Self::default() }
            }
        }
    }

    fn run_times(run: &RunInspection) -> Self {
        let view = run.view();
        let ended = run.finished_at.map(|at| (at, SinceEvent::Ended));
        let (since, since_event) = view.and_then(since).or(ended).unzip();
        Self {
            blocked: view
                .and_then(|view| view.blocked.as_ref())
                .and_then(|reason| BlockedKind::from_word(reason.kind())),
            since,
            since_event,
            updated_at: run.last_stamp(),
            ..Self::default()
        }
    }

    fn session_times(session: &SessionInspection) -> Self {
        let row = &session.row;
        let last_activity = row.last_message_at.or(row.updated_at).map(Seconds::to_millis);
        let ended_at = row.ended_at.at().map(Seconds::to_millis);
        let is_silent = session.effective.as_ref().is_some_and(EffectiveState::is_compound);
        let silent = last_activity.filter(|_| is_silent).map(|at| (at, SinceEvent::LastSeen));
        let (since, since_event) = ended_at.map(|at| (at, SinceEvent::Ended)).or(silent).unzip();
        Self {
            since,
            since_event,
            qualifier: qualifier(session),
            updated_at: row.updated_at.map(Seconds::to_millis).or(last_activity),
            ..Self::default()
        }
    }

    fn play_times(play: &Play) -> Self {
        let updated_at = play.updated_at.map(Seconds::to_millis);
        let since_event = Some(SinceEvent::Ended);
        Self { since: play.ended_at.map(Seconds::to_millis), since_event, updated_at, ..Self::default() }
    }
}

/// What the word of the session's state adds to its status.
fn qualifier(session: &SessionInspection) -> Option<Qualifier> {
    session.effective.as_ref()?.qualifier.clone()
}

/// Since when a run has waited for a decision or been silent.
fn since(view: &RunStateView) -> Option<(Millis, SinceEvent)> {
    let asked = match view.blocked.as_ref() {
        Some(ReasonBlocked::Approval { requested_at, .. }) => Some((requested_at, SinceEvent::Asked)),
        Some(_) | None => None,
    };
    let silent = match view.unhealthy.as_ref() {
        Some(ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at }) => {
            Some((last_heartbeat_at, SinceEvent::LastSeen))
        }
        Some(_) | None => None,
    };
    let is_over = view.state.known().is_some_and(RunState::is_terminal);
    let (at, event) = asked.or(silent).filter(|_| !is_over)?;
    Some((Millis::parse_iso(at)?, event))
}
