//! Announcements for screen readers. A changed state is announced once it has been stable for half a second, and at most one
//! announcement is made in five seconds. Ages and countdowns are never announced. See [`Announcer`] for an example.

use crate::freshness::Freshness;
use crate::run::RunInspection;
use crate::smithers::wire::RunState;
use crate::summary::pill_of;
use crate::time::Millis;

/// A change is announced once it has been stable for this long, milliseconds; healthy runs flicker for up to 200 ms between steps.
const STABLE_MS: f64 = 500.0;
/// Minimum time between two announcements, milliseconds.
const PAUSE_MS: f64 = 5_000.0;

/// The kind of a state, which decides whether its change is announced.
///
/// ```
/// use runstate::viewer::announcement::{Said, Standing};
/// use runstate::freshness::Freshness;
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
/// let run = RunInspection::from_row(&row, "runs.get", Millis(0.0));
/// let lost = Freshness::Lost { as_of: Millis(0.0), attempt: 1, retry_at: None, silence_limit_ms: None };
/// assert_eq!(Said::of(&run, &Freshness::Connecting).standing, Standing::Waiting);
/// // The last known state may be outdated.
/// assert_eq!(Said::of(&run, &lost).standing, Standing::Stale);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not announced, unless it follows `Stale`.
    Ordinary,
    /// The run waits.
    Waiting,
    /// The known state is too old, or the engine does not report.
    Stale,
    /// Ended with an error.
    Failed,
    /// Ended otherwise.
    Ended,
}

/// The text of an announcement, and the kind of its state.
///
/// ```
/// use runstate::viewer::announcement::{Said, Standing};
///
/// let said = Said { standing: Standing::Failed, words: "failed".into() };
/// assert_ne!(said, Said { standing: Standing::Ended, ..said.clone() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its kind.
    pub standing: Standing,
    /// The words, without the run's name: `waiting for approval at review-gate`.
    pub words: String,
}

impl Said {
    /// The text for a run; a lost feed replaces a state that may be outdated.
    ///
    /// ```
    /// use runstate::viewer::announcement::Said;
    /// use runstate::freshness::Freshness;
    /// use runstate::run::RunInspection;
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
    /// let run = RunInspection::from_row(&row, "runs.get", Millis(0.0));
    /// let lost = Freshness::Lost { as_of: Millis(0.0), attempt: 1, retry_at: None, silence_limit_ms: None };
    /// assert_eq!(Said::of(&run, &Freshness::Live { heard_at: Millis(0.0) }).words, "waiting for timer");
    /// assert_eq!(Said::of(&run, &lost).words, "feed lost, was waiting for timer");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn of(run: &RunInspection, freshness: &Freshness) -> Self {
        let Some(view) = run.verdict.view() else {
            return Self { standing: Standing::Ordinary, words: String::new() };
        };
        let state = view.state.known();
        let label = pill_of(run, view).label.to_ascii_lowercase();
        if matches!(freshness, Freshness::Lost { .. }) && !state.is_some_and(RunState::is_terminal) {
            return Self { standing: Standing::Stale, words: format!("feed lost, was {label}") };
        }
        let place = view.blocked.as_ref().and_then(|reason| reason.node_id());
        let words = place.map_or_else(|| label.clone(), |node_id| format!("{label} at {node_id}"));
        Self { standing: state.map_or(Standing::Ordinary, standing), words }
    }
}

fn standing(state: RunState) -> Standing {
    match state {
        RunState::Running | RunState::Unknown => Standing::Ordinary,
        RunState::WaitingApproval
        | RunState::WaitingEvent
        | RunState::WaitingTimer
        | RunState::WaitingQuota
        | RunState::Paused => Standing::Waiting,
        RunState::Recovering | RunState::Stale | RunState::Orphaned => Standing::Stale,
        RunState::Failed => Standing::Failed,
        RunState::Cancelled | RunState::Succeeded => Standing::Ended,
    }
}

/// Decides when a panel's live region announces a change.
///
/// Hand in every state with [`Announcer::observe`], and call [`Announcer::due`] at [`Announcer::wake_at`]. Changes collect
/// while it is not called; the next call returns one summary.
///
/// ```
/// use runstate::viewer::announcement::{Announcer, Said, Standing};
/// use runstate::time::Millis;
///
/// let mut announcer = Announcer::default();
/// let running = Said { standing: Standing::Ordinary, words: "running".into() };
/// let waiting = Said { standing: Standing::Waiting, words: "waiting for approval at review-gate".into() };
/// announcer.observe("build-42", &running, Millis(0.0));
/// announcer.observe("build-42", &waiting, Millis(1000.0));
/// assert_eq!(announcer.due(Millis(1400.0)), None);
/// let spoken = announcer.due(announcer.wake_at().unwrap());
/// assert_eq!(spoken.as_deref(), Some("Run build-42: waiting for approval at review-gate"));
/// ```
#[derive(Debug, Default)]
pub struct Announcer {
    /// By label.
    runs: Vec<(String, Run)>,
    announced_at: Option<Millis>,
}

/// The announced state of a run, and a pending one.
#[derive(Debug)]
struct Run {
    settled: Said,
    pending: Option<(Said, Millis)>,
}

impl Announcer {
    /// Adds a run's state. The first one is never announced, nor one that is reverted in time.
    pub fn observe(&mut self, run_label: &str, said: &Said, now: Millis) {
        let at = match self.runs.iter().position(|(label, _)| label.as_str() >= run_label) {
            Some(at) if self.runs.get(at).is_some_and(|(label, _)| label == run_label) => at,
            other => {
                let run = Run { settled: said.clone(), pending: None };
                self.runs.insert(other.unwrap_or(self.runs.len()), (run_label.into(), run));
                return;
            }
        };
        let Some((_, run)) = self.runs.get_mut(at) else { return };
        if run.settled == *said {
            run.pending = None;
        } else if run.pending.as_ref().is_none_or(|(pending, _)| pending != said) {
            run.pending = Some((said.clone(), now));
        }
    }

    /// The text to announce now; each is returned once.
    pub fn due(&mut self, now: Millis) -> Option<String> {
        let is_allowed = self.announced_at.is_none_or(|announced_at| now.since(announced_at) >= PAUSE_MS);
        let mut spoken: Vec<(&str, Said)> = Vec::new();
        for (label, run) in &mut self.runs {
            let is_announced = run.is_announced();
            match run.pending.take() {
                Some((said, since)) if now.since(since) >= STABLE_MS && (is_allowed || !is_announced) => {
                    run.settled = said.clone();
                    if is_announced {
                        spoken.push((label, said));
                    }
                }
                pending => run.pending = pending,
            }
        }
        let text = utterance(&spoken)?;
        self.announced_at = Some(now);
        Some(text)
    }

    /// When to call [`Announcer::due`] next; `None` while no change is pending.
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
    /// Whether the pending change is announced: to anything but `Ordinary`, or from `Stale`.
    fn is_announced(&self) -> bool {
        self.pending.as_ref().is_some_and(|(said, _)| {
            !said.words.is_empty()
                && match said.standing {
                    Standing::Ordinary => self.settled.standing == Standing::Stale,
                    Standing::Waiting | Standing::Stale | Standing::Failed | Standing::Ended => true,
                }
        })
    }
}

/// The text of one change, or the counts of several.
fn utterance(changes: &[(&str, Said)]) -> Option<String> {
    match changes {
        [] => None,
        [(label, said)] => Some(format!("Run {label}: {}", said.words)),
        _ => {
            let count = |standing| changes.iter().filter(|(_, said)| said.standing == standing).count();
            let mut text = format!("{} runs changed", changes.len());
            let counts = [
                (count(Standing::Failed), "failed"),
                (count(Standing::Waiting), "waiting"),
                (count(Standing::Stale), "stale"),
                (count(Standing::Ended), "ended"),
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
    use super::{Announcer, Said, Standing};
    use crate::freshness::Freshness;
    use crate::run::{RunInspection, Verdict};
    use crate::time::Millis;

    fn said(standing: Standing, words: &str) -> Said {
        Said { standing, words: words.into() }
    }

    fn running() -> Said {
        said(Standing::Ordinary, "running")
    }

    fn failed() -> Said {
        said(Standing::Failed, "failed")
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
    fn the_first_sight_of_a_run_says_nothing() {
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
    fn a_change_is_held_from_its_first_sight_and_said_once() {
        let mut announcer = watching(&["a"]);
        announcer.observe("a", &failed(), Millis(1_000.0));
        announcer.observe("a", &failed(), Millis(1_400.0));
        assert_eq!(due(&mut announcer, 1_499.0), None);
        assert_eq!(due(&mut announcer, 1_500.0).as_deref(), Some("Run a: failed"));
        announcer.observe("a", &failed(), Millis(9_000.0));
        assert_eq!((announcer.wake_at(), due(&mut announcer, 99_000.0)), (None, None));
    }

    #[test]
    fn only_what_matters_is_said() {
        let spoken = |from: Standing, to: Standing| {
            let mut announcer = Announcer::default();
            announcer.observe("a", &said(from, "before"), Millis(0.0));
            announcer.observe("a", &said(to, "after"), Millis(1.0));
            due(&mut announcer, 1_000.0).is_some()
        };
        for to in [Standing::Waiting, Standing::Stale, Standing::Failed, Standing::Ended] {
            assert!(spoken(Standing::Ordinary, to), "into {to:?}");
        }
        assert!(spoken(Standing::Stale, Standing::Ordinary), "out of stale");
        for from in [Standing::Ordinary, Standing::Waiting, Standing::Failed, Standing::Ended] {
            assert!(!spoken(from, Standing::Ordinary), "out of {from:?}");
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
        let waiting = said(Standing::Waiting, "waiting for approval at gate");
        let mut announcer = watching(&["a"]);
        announcer.observe("a", &waiting, Millis(0.0));
        assert!(due(&mut announcer, 500.0).is_some());
        announcer.observe("a", &running(), Millis(1_000.0));
        assert_eq!((announcer.wake_at(), due(&mut announcer, 1_500.0)), (Some(Millis(1_500.0)), None));
        announcer.observe("a", &waiting, Millis(2_000.0));
        assert!(due(&mut announcer, 5_500.0).is_some());
    }

    #[test]
    fn what_came_while_nobody_asked_is_one_summary() {
        let mut announcer = watching(&["a", "b", "c", "d"]);
        announcer.observe("a", &failed(), Millis(1_000.0));
        announcer.observe("b", &said(Standing::Ended, "succeeded"), Millis(2_000.0));
        announcer.observe("c", &said(Standing::Waiting, "paused"), Millis(3_000.0));
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
                verdict: Verdict::Said { view, evidence: crate::evidence::Evidence::default() },
                ..RunInspection::default()
            }
        };
        let now = Millis(0.0);
        let live = Freshness::Live { heard_at: now };
        let lost = Freshness::Lost { as_of: now, attempt: 1, retry_at: None, silence_limit_ms: None };
        let gate = run(
            r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:06:08.031Z"}"#,
        );
        let cases = [
            (&gate, &live, Standing::Waiting, "waiting for approval at gate"),
            (&gate, &lost, Standing::Stale, "feed lost, was waiting for approval"),
            (
                &run(
                    r#""state":"waiting-event","blocked":{"kind":"provider","nodeId":"patch","code":"auth"}"#,
                ),
                &live,
                Standing::Waiting,
                "waiting for provider at patch",
            ),
            (&run(r#""state":"orphaned""#), &live, Standing::Stale, "orphaned"),
            (&run(r#""state":"failed""#), &lost, Standing::Failed, "failed"),
            (&run(r#""state":"hibernating""#), &live, Standing::Ordinary, "“hibernating”"),
            (&RunInspection::default(), &lost, Standing::Ordinary, ""),
        ];
        for (run, freshness, standing, words) in cases {
            assert_eq!(Said::of(run, freshness), said(standing, words));
        }
        let mut announcer = watching(&["a"]);
        announcer.observe("a", &said(Standing::Stale, "stale"), Millis(1.0));
        assert!(due(&mut announcer, 501.0).is_some());
        announcer.observe("a", &said(Standing::Ordinary, ""), Millis(10_000.0));
        assert_eq!(due(&mut announcer, 20_000.0), None, "nothing is said where nothing is known");
    }
}
