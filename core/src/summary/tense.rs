//! The tense and the relative times of sentences, for all three systems.

use super::line::Line;
use super::{Answer, AnswerPill, Sentences, ShortAnswer};
use crate::clock::Reading;
use crate::format;
use crate::freshness::Freshness;
use crate::pill::{Pill, Tone};
use crate::text::concat;
use crate::time::Millis;

/// When the state on screen was current.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Period {
    /// It is current, or it is final.
    Now,
    /// It was current at this time; the connection is back, and the state is being read again.
    Resyncing(Millis),
    /// It was current at this time; the connection is lost.
    Lost(Millis),
    /// It was current at this time, and was not observed again since.
    Observed(Millis),
    /// The state was current at the time of recording, if that time is known.
    Recorded(Option<Millis>),
}

/// The tense of all sentences about a state, and the time to which they refer.
#[derive(Clone, Copy)]
pub(crate) struct Tense<'a> {
    pub(crate) period: Period,
    pub(crate) freshness: &'a Freshness,
    pub(crate) now: Millis,
    /// The error of `now`.
    error_ms: f64,
}

/// A state in the words of its system.
pub(crate) struct Description<'a> {
    /// The pill and the word of the state, if there is one.
    pub(crate) pill: Option<(Pill, &'a str)>,
    /// Whether a note needs attention, which raises a calm tone to a warning.
    pub(crate) needs_attention: bool,
    pub(crate) sentences: Sentences,
    pub(crate) because: Line,
    pub(crate) notes: Vec<Line>,
}

/// Ages are shown in whole seconds, so a smaller error changes nothing.
const AGE_ERROR_MS: f64 = 1_000.0;

impl<'a> Tense<'a> {
    /// The tense of a state; `document_time` is the document's own time, for a recording without one.
    pub(crate) fn new(
        freshness: &'a Freshness,
        has_ended: bool,
        document_time: Option<Millis>,
        clock: impl Into<Reading>,
    ) -> Self {
        let period = match freshness {
            _ if has_ended => Period::Now,
            Freshness::Live { .. } | Freshness::Late { .. } | Freshness::Connecting => Period::Now,
            Freshness::Resyncing { as_of } => Period::Resyncing(*as_of),
            Freshness::Lost { as_of, .. } => Period::Lost(*as_of),
            Freshness::Refused { as_of } => Period::Observed(*as_of),
            Freshness::Traffic { old_state, .. } => old_state.map_or(Period::Now, Period::Observed),
            Freshness::Recorded { at } => Period::Recorded(at.or(document_time)),
        };
        let Reading { now, error_ms } = clock.into();
        Self { period, freshness, now, error_ms }
    }

    /// The time from which ages count; NaN if it is unknown, as with an unbounded clock error.
    pub(crate) fn reference_time(&self) -> Millis {
        let at = match self.period {
            Period::Now => Some(self.now),
            Period::Resyncing(at) | Period::Lost(at) | Period::Observed(at) => Some(at),
            Period::Recorded(at) => at,
        };
        at.filter(|at| *at != self.now || self.error_ms.is_finite()).unwrap_or(Millis(f64::NAN))
    }

    /// The current time with its error.
    pub(crate) fn clock(&self) -> Reading {
        Reading { now: self.now, error_ms: self.error_ms }
    }

    /// Whether the reference time is unknown, so that nothing can count as late.
    pub(crate) fn time_is_unknown(&self) -> bool {
        !self.reference_time().0.is_finite()
    }

    pub(crate) fn is_past(&self) -> bool {
        self.period != Period::Now
    }

    /// One of two wordings: present or past.
    pub(crate) fn pick(&self, now: &'static str, past: &'static str) -> &'static str {
        if self.is_past() { past } else { now }
    }

    /// `4 s ago`, `4 s before that`, `4 s before the recording`; `at 14:06:08Z` if the age is unknown.
    pub(crate) fn age(&self, at: Millis) -> Line {
        let age = self.reference_time().since(at);
        match self.period {
            _ if !age.is_finite() => Line::new("at ").time(at, self.now),
            Period::Now => Line::new(&format::ago(age)).words(&self.age_error()),
            Period::Resyncing(_) | Period::Lost(_) | Period::Observed(_) => {
                Line::new(&format::before(age, "that"))
            }
            Period::Recorded(_) => Line::new(&format::before(age, "the recording")),
        }
    }

    /// `4 min 12 s ago` or `4 min 12 s before the recording`, then the time itself.
    pub(crate) fn since(&self, at: Millis) -> Line {
        let line = self.age(at);
        let reference = self.reference_time();
        // The date is that of the recording, which the pill names.
        let day = if matches!(self.period, Period::Recorded(_)) { reference } else { self.now };
        if reference.since(at).is_finite() { line.words(", ").time(at, day) } else { line }
    }

    /// `in 12 min 03 s` or `12 min 03 s after the recording`; `None` if the time has come.
    pub(crate) fn until(&self, at: Millis) -> Option<Line> {
        let left = at.since(self.reference_time());
        if !left.is_finite() || left <= 0.0 {
            return None;
        }
        let left = format::countdown(left);
        Some(match self.period {
            Period::Now => Line::new("in ").until(at, &left).words(&self.error(0.0)),
            Period::Resyncing(_) | Period::Lost(_) | Period::Observed(_) => {
                Line::new(&format!("{left} after that"))
            }
            Period::Recorded(_) => Line::new(&format!("{left} after the recording")),
        })
    }

    /// ` for 41 s`; empty if the age is unknown.
    pub(crate) fn for_duration(&self, since: Option<Millis>) -> String {
        match since.map(|at| self.reference_time().since(at)) {
            Some(age) if age.is_finite() && age >= 0.0 => {
                concat(&[" for ", &format::age(age), &self.age_error()])
            }
            Some(_) | None => String::new(),
        }
    }

    /// ` (± 2 s)` after an age, if the clock's error can change the age as shown.
    pub(crate) fn age_error(&self) -> String {
        self.error(AGE_ERROR_MS)
    }

    /// The clock's error, if it is known and at least `least_ms`. The past does not depend on the clock.
    fn error(&self, least_ms: f64) -> String {
        match format::error_bar(self.error_ms) {
            Some(bar) if !self.is_past() && self.error_ms >= least_ms => concat(&[" (", &bar, ")"]),
            Some(_) | None => String::new(),
        }
    }

    /// The words after a state that may be out of date.
    fn as_of(&self) -> Option<String> {
        match self.period {
            Period::Now => None,
            Period::Resyncing(at) | Period::Lost(at) | Period::Observed(at) => {
                Some(format!("as of {}", format::ago(self.now.since(at))))
            }
            Period::Recorded(None) => Some("as recorded".to_owned()),
            Period::Recorded(Some(at)) => Some(format::as_of(at, self.now)),
        }
    }

    /// The tone of an answer. A lost connection counts more than the state; a resync needs no action.
    fn tone(&self, tone: Tone) -> Tone {
        match self.period {
            Period::Lost(_) => Tone::Stale,
            Period::Resyncing(_) | Period::Observed(_) => Tone::Neutral,
            Period::Now | Period::Recorded(_) => tone,
        }
    }

    /// The pill of a state. Over data that may be out of date, it is neutral.
    pub(crate) fn pill(&self, pill: Pill, word: &str) -> AnswerPill {
        let pill = match self.period {
            Period::Resyncing(_) | Period::Lost(_) | Period::Observed(_) => {
                Pill { tone: Tone::Neutral, ..pill }
            }
            Period::Now | Period::Recorded(_) => pill,
        };
        AnswerPill::Pill { pill, value: word.to_owned(), as_of: self.as_of() }
    }

    /// The text about a state; `subject` is what a resync reads.
    pub(crate) fn answer(&self, subject: &str, description: Description<'_>) -> Answer {
        let Description { pill, needs_attention, sentences, because, notes } = description;
        let tone = pill.as_ref().map_or(Tone::Neutral, |(pill, _)| pill.tone);
        let (sentence, meta) = self.explain(subject, sentences);
        Answer {
            tone: self.tone(if needs_attention { raise_to_warning(tone) } else { tone }),
            pill: pill.map_or(AnswerPill::Absent, |(pill, word)| self.pill(pill, word)),
            sentence: sentence.into_spans(),
            meta: meta.into_spans(),
            because: because.into_spans(),
            notes: notes.into_iter().map(Line::into_spans).collect(),
        }
    }

    /// The pill and the sentence alone; `subject` is what a resync reads.
    pub(crate) fn short_answer(
        &self,
        subject: &str,
        pill: Option<(Pill, &str)>,
        sentences: Sentences,
    ) -> ShortAnswer {
        ShortAnswer {
            pill: pill.map_or(AnswerPill::Absent, |(pill, word)| self.pill(pill, word)),
            sentence: self.explain(subject, sentences).0.into_spans(),
        }
    }

    /// Adds to a sentence why it is in the past.
    fn explain(&self, subject: &str, (sentence, meta): Sentences) -> Sentences {
        let now = self.now;
        match self.period {
            Period::Now | Period::Recorded(_) => (sentence, meta),
            Period::Resyncing(as_of) => {
                let ago = format::ago(now.since(as_of));
                let last = Line::new("Last update ").words(&ago).words(", ").time(as_of, now).words(".");
                (sentence.add_sentence(Line::new(&format!("Reading the current {subject}."))), last)
            }
            Period::Observed(as_of) => {
                let ago = format::ago(now.since(as_of));
                let last = Line::new("Seen ").words(&ago).words(", ").time(as_of, now);
                (sentence, last.words(", and not since."))
            }
            Period::Lost(as_of) => {
                let silent = format!("Nothing has arrived for {}.", format::age(now.since(as_of)));
                let last = Line::new("Last update at ").time(as_of, now).words(".");
                let meta = reconnecting(self.freshness, now).unwrap_or_default().add_sentence(last);
                (sentence.add_sentence(Line::new(&silent)), meta)
            }
        }
    }
}

/// Raises a calm tone to a warning.
fn raise_to_warning(tone: Tone) -> Tone {
    match tone {
        Tone::Success | Tone::Running | Tone::Neutral => Tone::Warning,
        Tone::Error | Tone::Warning | Tone::Stale | Tone::Review => tone,
    }
}

/// The next reconnection; `None` unless the connection is lost.
pub(super) fn reconnecting(freshness: &Freshness, now: Millis) -> Option<Line> {
    match freshness {
        Freshness::Lost { attempt, retry_at: Some(at), .. } => {
            let left = format::countdown(at.since(now));
            Some(Line::new(&format!("Reconnecting: try {attempt} in {left}.")))
        }
        Freshness::Lost { attempt, retry_at: None, .. } => {
            Some(Line::new(&format!("Not connected: try {attempt}.")))
        }
        Freshness::Live { .. }
        | Freshness::Late { .. }
        | Freshness::Connecting
        | Freshness::Resyncing { .. }
        | Freshness::Refused { .. }
        | Freshness::Traffic { .. }
        | Freshness::Recorded { .. } => None,
    }
}
