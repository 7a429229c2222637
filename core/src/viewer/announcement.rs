//! Announcements for screen readers. A changed state is announced once it has been stable for half a second, with at most
//! one announcement in five seconds. Ages and countdowns are never announced.

use super::attention::{Attention, attention};
use super::row_detail::RowDetail;
use crate::freshness::Freshness;
use crate::ingest::ListRow;
use crate::pill::Tone;
use crate::run::RunInspection;
use crate::smithers::wire::RunState;
use crate::summary::{AnswerPill, pill_of};
use crate::time::Millis;

/// A change is announced once it has been stable for this long, milliseconds; healthy runs flicker for up to 200 ms
/// between steps.
const STABLE_MS: f64 = 500.0;
/// Minimum time between two announcements, milliseconds.
const PAUSE_MS: f64 = 5_000.0;

/// The kind of a state, which determines whether its change is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum AnnouncementKind {
    /// Not announced, unless it follows `Stale`.
    Ordinary,
    /// The run waits.
    Waiting,
    /// The known state is too old, or the engine sends no heartbeat.
    Stale,
    /// Ended with an error.
    Failed,
    /// Ended otherwise.
    Ended,
}

/// The text of an announcement, and the kind of its state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct Announcement {
    /// Its kind.
    pub kind: AnnouncementKind,
    /// The text without the run's name: `waiting for approval at review-gate`.
    pub words: String,
}

impl Announcement {
    /// The text for a run; a lost feed or a refusal replaces a state that may be outdated.
    pub(crate) fn from_run(run: &RunInspection, freshness: &Freshness) -> Self {
        let Some(view) = run.view() else {
            return Self { kind: AnnouncementKind::Ordinary, words: String::new() };
        };
        let state = view.state.known();
        let label = pill_of(run, view).label.to_ascii_lowercase();
        let loss = match freshness {
            Freshness::Lost { .. } => Some("feed lost"),
            Freshness::Refused { .. } => Some("refused by the server"),
            Freshness::Live { .. }
            | Freshness::Connecting
            | Freshness::Resyncing { .. }
            | Freshness::Late { .. }
            | Freshness::Traffic { .. }
            | Freshness::Recorded { .. } => None,
        };
        if let (Some(loss), false) = (loss, state.is_some_and(RunState::is_terminal)) {
            return Self { kind: AnnouncementKind::Stale, words: format!("{loss}, was {label}") };
        }
        let place = view.blocked.as_ref().and_then(|reason| reason.node_id());
        let words = place.map_or_else(|| label.clone(), |node_id| format!("{label} at {node_id}"));
        Self { kind: state.map_or(AnnouncementKind::Ordinary, kind), words }
    }

    /// The name of a run of lionagi and the text for it, by its pill and its group in the list.
    pub(super) fn from_row(row: ListRow, detail: RowDetail) -> Option<(String, Self)> {
        let shown = detail.pill?;
        let attention = attention(row.taxonomy, shown.value(), detail.blocked, detail.qualifier.as_ref());
        let AnswerPill::Pill { pill, .. } = shown else { return None };
        let kind = match attention {
            Attention::Ended if pill.tone == Tone::Error => AnnouncementKind::Failed,
            Attention::Ended => AnnouncementKind::Ended,
            Attention::NeedsYou if pill.tone == Tone::Review => AnnouncementKind::Waiting,
            Attention::NeedsYou => AnnouncementKind::Stale,
            Attention::Active | Attention::Unknown => AnnouncementKind::Ordinary,
        };
        Some((row.name, Self { kind, words: pill.label.to_ascii_lowercase() }))
    }
}

fn kind(state: RunState) -> AnnouncementKind {
    match state {
        RunState::Running | RunState::Unknown => AnnouncementKind::Ordinary,
        RunState::WaitingApproval
        | RunState::WaitingEvent
        | RunState::WaitingTimer
        | RunState::WaitingQuota
        | RunState::Paused => AnnouncementKind::Waiting,
        RunState::Recovering | RunState::Stale | RunState::Orphaned => AnnouncementKind::Stale,
        RunState::Failed => AnnouncementKind::Failed,
        RunState::Cancelled | RunState::Succeeded => AnnouncementKind::Ended,
    }
}

/// Decides when a panel's live region announces a change.
///
/// Hand in every state with [`Announcer::observe`], and call [`Announcer::due`] regularly. Changes collect while it is not
/// called; the next call returns one summary.
#[derive(Debug, Default)]
pub(crate) struct Announcer {
    /// By label.
    runs: Vec<(String, Run)>,
    announced_at: Option<Millis>,
}

/// The announced state of a run, and a pending one.
#[derive(Debug)]
struct Run {
    settled: Announcement,
    pending: Option<(Announcement, Millis)>,
}

impl Announcer {
    /// Adds a run's state. The first state is never announced, nor one that is reverted in time.
    pub(crate) fn observe(&mut self, run_label: &str, announcement: &Announcement, now: Millis) {
        let at = match self.runs.iter().position(|(label, _)| label.as_str() >= run_label) {
            Some(at) if self.runs.get(at).is_some_and(|(label, _)| label == run_label) => at,
            other => {
                let run = Run { settled: announcement.clone(), pending: None };
                self.runs.insert(other.unwrap_or(self.runs.len()), (run_label.into(), run));
                return;
            }
        };
        let Some((_, run)) = self.runs.get_mut(at) else { return };
        if run.settled == *announcement {
            run.pending = None;
        } else if run.pending.as_ref().is_none_or(|(pending, _)| pending != announcement) {
            run.pending = Some((announcement.clone(), now));
        }
    }

    /// The text to announce now; each is returned once.
    pub(crate) fn due(&mut self, now: Millis) -> Option<String> {
        let is_allowed = self.announced_at.is_none_or(|announced_at| now.since(announced_at) >= PAUSE_MS);
        let mut spoken: Vec<(&str, Announcement)> = Vec::new();
        for (label, run) in &mut self.runs {
            let is_announced = run.is_announced();
            match run.pending.take() {
                Some((announcement, since))
                    if now.since(since) >= STABLE_MS && (is_allowed || !is_announced) =>
                {
                    run.settled = announcement.clone();
                    if is_announced {
                        spoken.push((label, announcement));
                    }
                }
                pending => run.pending = pending,
            }
        }
        let text = announcement_text(&spoken)?;
        self.announced_at = Some(now);
        Some(text)
    }
}

impl Run {
    /// Whether the pending change is announced: a change to any kind except `Ordinary`, or from `Stale`.
    fn is_announced(&self) -> bool {
        self.pending.as_ref().is_some_and(|(announcement, _)| {
            !announcement.words.is_empty()
                && match announcement.kind {
                    AnnouncementKind::Ordinary => self.settled.kind == AnnouncementKind::Stale,
                    AnnouncementKind::Waiting
                    | AnnouncementKind::Stale
                    | AnnouncementKind::Failed
                    | AnnouncementKind::Ended => true,
                }
        })
    }
}

/// The text of one change, or the counts of several.
fn announcement_text(changes: &[(&str, Announcement)]) -> Option<String> {
    match changes {
        [] => None,
        [(label, announcement)] => Some(format!("Run {label}: {}", announcement.words)),
        _ => {
            let count = |kind| changes.iter().filter(|(_, announcement)| announcement.kind == kind).count();
            let mut text = format!("{} runs changed", changes.len());
            let counts = [
                (count(AnnouncementKind::Failed), "failed"),
                (count(AnnouncementKind::Waiting), "waiting"),
                (count(AnnouncementKind::Stale), "stale"),
                (count(AnnouncementKind::Ended), "ended"),
            ];
            for (number, word) in counts.into_iter().filter(|(number, _)| *number > 0) {
                text.push_str(", ");
                text.push_str(&number.to_string());
                text.push(' ');
                text.push_str(word);
            }
            Some(text)
        }
    }
}

#[cfg(test)]
mod tests;
