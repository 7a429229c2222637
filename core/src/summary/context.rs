//! What every sentence needs to know: the run, and the moment that it speaks of.

use super::line::Line;
use super::tense::Tense;
use crate::clock::Reading;
use crate::format;
use crate::freshness::Freshness;
use crate::run::RunInspection;
use crate::run::Testimony;
use crate::smithers::wire::{RunState, RunStateView};
use crate::text::concat;
use crate::time::Millis;

/// A run, and the moment that the sentences about it speak of.
pub(super) struct Context<'a> {
    pub(super) run: &'a RunInspection,
    pub(super) view: &'a RunStateView,
    /// What all say of the run.
    pub(super) testimony: &'a Testimony,
    pub(super) freshness: &'a Freshness,
    pub(super) now: Millis,
    pub(super) tense: Tense,
    /// How far `now` can be off.
    error_ms: f64,
}

/// Ages are told in whole seconds: a smaller error changes nothing that is read.
const AGE_ERROR_MS: f64 = 1_000.0;

impl<'a> Context<'a> {
    pub(super) fn new(
        run: &'a RunInspection,
        view: &'a RunStateView,
        testimony: &'a Testimony,
        freshness: &'a Freshness,
        clock: Reading,
    ) -> Self {
        let ended = view.state.known().is_some_and(RunState::is_terminal);
        let tense = Tense::new(freshness, ended, view.said_at());
        Self { run, view, testimony, freshness, now: clock.now, tense, error_ms: clock.error_ms }
    }

    /// The moment from which ages count; not a time where nobody knows, as on a clock that nothing bounds.
    pub(super) fn then(&self) -> Millis {
        let at = self.tense.then(self.now);
        if at == self.now && !self.error_ms.is_finite() { Millis(f64::NAN) } else { at }
    }

    /// Whether nobody knows when what is shown held, so that nothing can be told to be late.
    pub(super) fn when_is_unknown(&self) -> bool {
        !self.then().0.is_finite()
    }

    pub(super) fn past(&self) -> bool {
        self.tense.is_past()
    }

    /// One of two wordings: of what is, or of what was.
    pub(super) fn pick(&self, now: &'static str, past: &'static str) -> &'static str {
        self.tense.pick(now, past)
    }

    /// `4 min 12 s ago` or `4 min 12 s before the recording`, then the moment.
    pub(super) fn since(&self, at: Millis) -> Line {
        let age = self.then().since(at);
        let words = match self.tense {
            _ if !age.is_finite() => return Line::new("at ").time(at, self.now),
            Tense::Now => concat(&[&format::ago(age), &self.age_error()]),
            past => past.age(age),
        };
        Line::new(&words).words(", ").time(at, self.now)
    }

    /// `in 12 min 03 s` or `12 min 03 s after the recording`; `None` when the moment had come.
    pub(super) fn until(&self, at: Millis) -> Option<Line> {
        let left = at.since(self.then());
        if !left.is_finite() || left <= 0.0 {
            return None;
        }
        let left = format::countdown(left);
        Some(match self.tense {
            Tense::Now => Line::new("in ").until(at, &left).words(&self.error(0.0)),
            Tense::Resyncing(_) | Tense::Lost(_) => Line::new(&format!("{left} after that")),
            Tense::Recorded(_) => Line::new(&format!("{left} after the recording")),
        })
    }

    /// ` for 41 s`, or nothing where no age can be told.
    pub(super) fn lasting(&self, since: Option<Millis>) -> String {
        match since.map(|at| self.then().since(at)) {
            Some(age) if age.is_finite() && age >= 0.0 => {
                concat(&[" for ", &format::age(age), &self.age_error()])
            }
            Some(_) | None => String::new(),
        }
    }

    /// ` (± 2 s)` after an age, where the clock can be off by so much that the age would read otherwise.
    pub(super) fn age_error(&self) -> String {
        self.error(AGE_ERROR_MS)
    }

    /// How far the clock can be off, where that is known and at least so much. What was is not counted on a clock.
    fn error(&self, least_ms: f64) -> String {
        match format::error_bar(self.error_ms) {
            Some(bar) if !self.past() && self.error_ms >= least_ms => concat(&[" (", &bar, ")"]),
            Some(_) | None => String::new(),
        }
    }
}
