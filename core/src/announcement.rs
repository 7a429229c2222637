//! When to speak, and what: changes of the derived state only, held back, never an age or a ticking number.

use std::collections::BTreeMap;

use crate::freshness::Freshness;
use crate::inspection::RunInspection;
use crate::pill::{Taxonomy, pill};
use crate::smithers::RunState;
use crate::time::Millis;

/// A change is spoken once it has held for this long; healthy runs flicker for up to 200 ms between steps.
const HOLD_MS: f64 = 500.0;
/// At most one utterance in this time.
const PAUSE_MS: f64 = 5_000.0;

/// What kind of state a run is in, as far as speaking goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing that must be said.
    Ordinary,
    /// Something or somebody must act first.
    Waiting,
    /// What is known is too old, or nobody reports.
    Stale,
    /// Ended with an error.
    Failed,
    /// Ended otherwise.
    Ended,
}

/// A state in full words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Its kind.
    pub standing: Standing,
    /// The words, without the run's name: `waiting for approval at review-gate`.
    pub words: String,
}

impl Said {
    /// What there is to say of a run; a lost feed is said in place of a state that may no longer hold.
    pub fn of(run: &RunInspection, freshness: &Freshness) -> Self {
        let Some(view) = run.verdict.view() else {
            return Self { standing: Standing::Ordinary, words: String::new() };
        };
        let state = view.state.known();
        let label = pill(Taxonomy::Run, view.state.as_str()).label.to_ascii_lowercase();
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

/// Decides when the one polite announcer of a panel speaks.
///
/// Feed it every state with [`Announcer::observe`], then ask [`Announcer::due`] at [`Announcer::wake_at`]. Not asking
/// silences it; the first question afterwards gets one summary.
///
/// ```
/// use runstate::announcement::{Announcer, Said, Standing};
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
    runs: BTreeMap<String, Run>,
    spoke_at: Option<Millis>,
}

/// What listeners believe of a run, and what it has been since.
#[derive(Debug)]
struct Run {
    settled: Said,
    pending: Option<(Said, Millis)>,
}

impl Announcer {
    /// Takes note of a run's state. The first one of a run is never spoken; one that is undone in time neither.
    pub fn observe(&mut self, run_label: &str, said: &Said, now: Millis) {
        let Some(run) = self.runs.get_mut(run_label) else {
            self.runs.insert(run_label.into(), Run { settled: said.clone(), pending: None });
            return;
        };
        if run.settled == *said {
            run.pending = None;
        } else if run.pending.as_ref().is_none_or(|(pending, _)| pending != said) {
            run.pending = Some((said.clone(), now));
        }
    }

    /// What to speak now, if anything. Each utterance is given once.
    pub fn due(&mut self, now: Millis) -> Option<String> {
        let may_speak = self.spoke_at.is_none_or(|spoke_at| now.since(spoke_at) >= PAUSE_MS);
        let mut spoken: Vec<(&str, Said)> = Vec::new();
        for (label, run) in &mut self.runs {
            let speaks = run.speaks();
            match run.pending.take() {
                Some((said, since)) if now.since(since) >= HOLD_MS && (may_speak || !speaks) => {
                    run.settled = said.clone();
                    if speaks {
                        spoken.push((label, said));
                    }
                }
                pending => run.pending = pending,
            }
        }
        let text = utterance(&spoken)?;
        self.spoke_at = Some(now);
        Some(text)
    }

    /// When to ask next; `None` while nothing is held back.
    pub fn wake_at(&self) -> Option<Millis> {
        let next_allowed = self.spoke_at.map_or(f64::NEG_INFINITY, |spoke_at| spoke_at.0 + PAUSE_MS);
        self.runs
            .values()
            .filter_map(|run| {
                let (_, since) = run.pending.as_ref()?;
                let held = since.0 + HOLD_MS;
                Some(if run.speaks() { held.max(next_allowed) } else { held })
            })
            .reduce(f64::min)
            .map(Millis)
    }
}

impl Run {
    /// Whether the change that is held back is one to speak: into anything that matters, or out of stale.
    fn speaks(&self) -> bool {
        self.pending.as_ref().is_some_and(|(said, _)| {
            !said.words.is_empty()
                && match said.standing {
                    Standing::Ordinary => self.settled.standing == Standing::Stale,
                    Standing::Waiting | Standing::Stale | Standing::Failed | Standing::Ended => true,
                }
        })
    }
}

/// One change in full, several as a count.
fn utterance(changes: &[(&str, Said)]) -> Option<String> {
    match changes {
        [] => None,
        [(label, said)] => Some(format!("Run {label}: {}", said.words)),
        _ => {
            let of = |standing| changes.iter().filter(|(_, said)| said.standing == standing).count();
            let mut text = format!("{} runs changed", changes.len());
            let counts = [
                (of(Standing::Failed), "failed"),
                (of(Standing::Waiting), "waiting"),
                (of(Standing::Stale), "stale"),
                (of(Standing::Ended), "ended"),
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
