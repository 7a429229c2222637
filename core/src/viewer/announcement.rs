//! Announcements for screen readers. A changed state is announced once it has been stable for half a second, with at most
//! one announcement in five seconds. Ages and countdowns are never announced.

use crate::freshness::Freshness;
use crate::run::RunInspection;
use crate::smithers::wire::RunState;
use crate::summary::pill_of;
use crate::time::Millis;

/// A change is announced once it has been stable for this long, milliseconds; healthy runs flicker for up to 200 ms
/// between steps.
const STABLE_MS: f64 = 500.0;
/// Minimum time between two announcements, milliseconds.
const PAUSE_MS: f64 = 5_000.0;

/// The kind of a state, which determines whether its change is announced.
///
/// ```
/// use runstate::viewer::announcement::{Announcement, AnnouncementKind};
/// use runstate::freshness::Freshness;
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
/// let run = RunInspection::from_row(&row, "runs.get", Millis(0.0));
/// let lost = Freshness::Lost { as_of: Millis(0.0), attempt: 1, retry_at: None, silence_limit_ms: None };
/// assert_eq!(Announcement::from_run(&run, &Freshness::Connecting).kind, AnnouncementKind::Waiting);
/// // The last known state may be outdated.
/// assert_eq!(Announcement::from_run(&run, &lost).kind, AnnouncementKind::Stale);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnnouncementKind {
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
pub struct Announcement {
    /// Its kind.
    pub kind: AnnouncementKind,
    /// The text without the run's name: `waiting for approval at review-gate`.
    pub words: String,
}

impl Announcement {
    /// The text for a run; a lost feed replaces a state that may be outdated.
    ///
    /// ```
    /// use runstate::viewer::announcement::Announcement;
    /// use runstate::freshness::Freshness;
    /// use runstate::run::RunInspection;
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
    /// let run = RunInspection::from_row(&row, "runs.get", Millis(0.0));
    /// let lost = Freshness::Lost { as_of: Millis(0.0), attempt: 1, retry_at: None, silence_limit_ms: None };
    /// assert_eq!(Announcement::from_run(&run, &Freshness::Live { last_frame_at: Millis(0.0) }).words, "waiting for timer");
    /// assert_eq!(Announcement::from_run(&run, &lost).words, "feed lost, was waiting for timer");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn from_run(run: &RunInspection, freshness: &Freshness) -> Self {
        let Some(view) = run.view() else {
            return Self { kind: AnnouncementKind::Ordinary, words: String::new() };
        };
        let state = view.state.known();
        let label = pill_of(run, view).label.to_ascii_lowercase();
        if matches!(freshness, Freshness::Lost { .. }) && !state.is_some_and(RunState::is_terminal) {
            return Self { kind: AnnouncementKind::Stale, words: format!("feed lost, was {label}") };
        }
        let place = view.blocked.as_ref().and_then(|reason| reason.node_id());
        let words = place.map_or_else(|| label.clone(), |node_id| format!("{label} at {node_id}"));
        Self { kind: state.map_or(AnnouncementKind::Ordinary, kind), words }
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
/// Hand in every state with [`Announcer::observe`], and call [`Announcer::due`] at [`Announcer::wake_at`]. Changes collect
/// while it is not called; the next call returns one summary.
#[derive(Debug, Default)]
pub struct Announcer {
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
    pub fn observe(&mut self, run_label: &str, announcement: &Announcement, now: Millis) {
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
    pub fn due(&mut self, now: Millis) -> Option<String> {
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

    /// The time at which to call [`Announcer::due`] next; `None` while no change is pending.
    pub fn wake_at(&self) -> Option<Millis> {
        let next_allowed =
            self.announced_at.map_or(f64::NEG_INFINITY, |announced_at| announced_at.0 + PAUSE_MS);
        self.runs
            .iter()
            .filter_map(|(_, run)| {
                let (_, since) = run.pending.as_ref()?;
                let stable_at = since.0 + STABLE_MS;
                Some(if run.is_announced() { stable_at.max(next_allowed) } else { stable_at })
            })
            .reduce(f64::min)
            .map(Millis)
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
mod tests {
    use super::{Announcement, AnnouncementKind, Announcer};
    use crate::evidence::Evidence;
    use crate::freshness::Freshness;
    use crate::run::{RunInspection, Witness, WitnessSource};
    use crate::time::Millis;

    fn announcement(kind: AnnouncementKind, words: &str) -> Announcement {
        Announcement { kind, words: words.into() }
    }

    fn running() -> Announcement {
        announcement(AnnouncementKind::Ordinary, "running")
    }

    fn failed() -> Announcement {
        announcement(AnnouncementKind::Failed, "failed")
    }

    fn due(announcer: &mut Announcer, now: f64) -> Option<String> {
        announcer.due(Millis(now))
    }

    /// An announcer that has seen these runs at 0, each of them running.
    fn watching(labels: &[&str]) -> Announcer {
        let mut announcer = Announcer::default();
        for label in labels {
            announcer.observe(label, &running(), Millis(0.0));
        }
        announcer
    }

    #[test]
    fn the_first_state_of_a_run_is_not_announced() {
        let mut announcer = Announcer::default();
        announcer.observe("a", &failed(), Millis(0.0));
        assert_eq!((announcer.wake_at(), due(&mut announcer, 9_000.0)), (None, None));
    }

    #[test]
    fn a_flicker_is_dropped() {
        let mut announcer = watching(&["a"]);
        announcer.observe("a", &failed(), Millis(1_000.0));
        assert_eq!(announcer.wake_at(), Some(Millis(1_500.0)));
        announcer.observe("a", &running(), Millis(1_184.0));
        assert_eq!((announcer.wake_at(), due(&mut announcer, 9_000.0)), (None, None));
    }

    #[test]
    fn a_change_waits_from_its_first_observation_and_is_announced_once() {
        let mut announcer = watching(&["a"]);
        announcer.observe("a", &failed(), Millis(1_000.0));
        announcer.observe("a", &failed(), Millis(1_400.0));
        assert_eq!(due(&mut announcer, 1_499.0), None);
        assert_eq!(due(&mut announcer, 1_500.0).as_deref(), Some("Run a: failed"));
        announcer.observe("a", &failed(), Millis(9_000.0));
        assert_eq!((announcer.wake_at(), due(&mut announcer, 99_000.0)), (None, None));
    }

    #[test]
    fn only_relevant_changes_are_announced() {
        let spoken = |from: AnnouncementKind, to: AnnouncementKind| {
            let mut announcer = Announcer::default();
            announcer.observe("a", &announcement(from, "before"), Millis(0.0));
            announcer.observe("a", &announcement(to, "after"), Millis(1.0));
            due(&mut announcer, 1_000.0).is_some()
        };
        for to in [
            AnnouncementKind::Waiting,
            AnnouncementKind::Stale,
            AnnouncementKind::Failed,
            AnnouncementKind::Ended,
        ] {
            assert!(spoken(AnnouncementKind::Ordinary, to), "into {to:?}");
        }
        assert!(spoken(AnnouncementKind::Stale, AnnouncementKind::Ordinary), "out of stale");
        for from in [
            AnnouncementKind::Ordinary,
            AnnouncementKind::Waiting,
            AnnouncementKind::Failed,
            AnnouncementKind::Ended,
        ] {
            assert!(!spoken(from, AnnouncementKind::Ordinary), "out of {from:?}");
        }
    }

    #[test]
    fn five_seconds_lie_between_utterances() {
        let mut announcer = watching(&["a", "b"]);
        announcer.observe("a", &failed(), Millis(1_000.0));
        assert!(due(&mut announcer, 1_500.0).is_some());
        announcer.observe("b", &failed(), Millis(2_000.0));
        assert_eq!(announcer.wake_at(), Some(Millis(6_500.0)));
        assert_eq!(due(&mut announcer, 6_499.0), None);
        assert_eq!(due(&mut announcer, 6_500.0).as_deref(), Some("Run b: failed"));
    }

    #[test]
    fn a_silent_change_settles_without_waiting_for_its_turn() {
        let waiting = announcement(AnnouncementKind::Waiting, "waiting for approval at gate");
        let mut announcer = watching(&["a"]);
        announcer.observe("a", &waiting, Millis(0.0));
        assert!(due(&mut announcer, 500.0).is_some());
        announcer.observe("a", &running(), Millis(1_000.0));
        assert_eq!((announcer.wake_at(), due(&mut announcer, 1_500.0)), (Some(Millis(1_500.0)), None));
        announcer.observe("a", &waiting, Millis(2_000.0));
        assert!(due(&mut announcer, 5_500.0).is_some());
    }

    #[test]
    fn changes_between_calls_are_one_summary() {
        let mut announcer = watching(&["a", "b", "c", "d"]);
        announcer.observe("a", &failed(), Millis(1_000.0));
        announcer.observe("b", &announcement(AnnouncementKind::Ended, "succeeded"), Millis(2_000.0));
        announcer.observe("c", &announcement(AnnouncementKind::Waiting, "paused"), Millis(3_000.0));
        announcer.observe("d", &failed(), Millis(4_000.0));
        announcer.observe("d", &running(), Millis(5_000.0));
        assert_eq!(
            due(&mut announcer, 60_000.0).as_deref(),
            Some("3 runs changed, 1 failed, 1 waiting, 1 ended")
        );
        assert_eq!(due(&mut announcer, 99_000.0), None);
    }

    #[test]
    fn words_are_full_and_carry_no_age() {
        let run = |fields: &str| {
            let view = format!(r#"{{"runId":"r","computedAt":"2026-11-21T14:06:08.031Z",{fields}}}"#);
            let view = serde_json::from_str(&view).unwrap();
            RunInspection {
                verdict: Some(Witness::new(WitnessSource::Server, view, Evidence::default())),
                ..RunInspection::default()
            }
        };
        let now = Millis(0.0);
        let live = Freshness::Live { last_frame_at: now };
        let lost = Freshness::Lost { as_of: now, attempt: 1, retry_at: None, silence_limit_ms: None };
        let gate = run(
            r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:06:08.031Z"}"#,
        );
        let cases = [
            (&gate, &live, AnnouncementKind::Waiting, "waiting for approval at gate"),
            (&gate, &lost, AnnouncementKind::Stale, "feed lost, was waiting for approval"),
            (
                &run(
                    r#""state":"waiting-event","blocked":{"kind":"provider","nodeId":"patch","code":"auth"}"#,
                ),
                &live,
                AnnouncementKind::Waiting,
                "waiting for provider at patch",
            ),
            (&run(r#""state":"orphaned""#), &live, AnnouncementKind::Stale, "orphaned"),
            (&run(r#""state":"failed""#), &lost, AnnouncementKind::Failed, "failed"),
            (&run(r#""state":"hibernating""#), &live, AnnouncementKind::Ordinary, "“hibernating”"),
            (&RunInspection::default(), &lost, AnnouncementKind::Ordinary, ""),
        ];
        for (run, freshness, kind, words) in cases {
            assert_eq!(Announcement::from_run(run, freshness), announcement(kind, words));
        }
        let mut announcer = watching(&["a"]);
        announcer.observe("a", &announcement(AnnouncementKind::Stale, "stale"), Millis(1.0));
        assert!(due(&mut announcer, 501.0).is_some());
        announcer.observe("a", &announcement(AnnouncementKind::Ordinary, ""), Millis(10_000.0));
        assert_eq!(due(&mut announcer, 20_000.0), None, "nothing is said where nothing is known");
    }

    #[test]
    fn a_waiting_run_is_announced() {
        use crate::time::Millis;
        use crate::viewer::announcement::{Announcement, AnnouncementKind, Announcer};
        let mut announcer = Announcer::default();
        let running = Announcement { kind: AnnouncementKind::Ordinary, words: "running".into() };
        let waiting = Announcement {
            kind: AnnouncementKind::Waiting,
            words: "waiting for approval at review-gate".into(),
        };
        announcer.observe("build-42", &running, Millis(0.0));
        announcer.observe("build-42", &waiting, Millis(1000.0));
        assert_eq!(announcer.due(Millis(1400.0)), None);
        let spoken = announcer.due(announcer.wake_at().unwrap());
        assert_eq!(spoken.as_deref(), Some("Run build-42: waiting for approval at review-gate"));
    }
}
