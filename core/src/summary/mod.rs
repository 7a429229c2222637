//! The text under a state: the run's activity, its start, and the source. An [`Answer`] has six parts, in reading order:
//! tone, pill, sentence, additional facts, reason, and notes. Sentences are lists of [`Span`]s, so that a surface can make
//! links of nodes and update times; [`text`] returns only the text.
//!
//! The tense follows the freshness: a live state is described in the present, a recorded one in the past.
//!
//! ```
//! use runstate::summary::{answer, text};
//! use runstate::freshness::Freshness;
//! use runstate::run::RunInspection;
//! use runstate::smithers::wire::read_run;
//! use runstate::time::Millis;
//!
//! let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000,"runtimeOwnerId":"pid:41"}"#)?;
//! let now = Millis(1_700_000_041_000.0);
//! let shown = answer(&RunInspection::from_row(&row, "listRuns", now), &Freshness::Live { read_at: now }, now);
//! assert_eq!(text(&shown.sentence), "The engine has not reported for 41 s. It may still be working.");
//! assert_eq!(
//!     text(&shown.because),
//!     "Why: last heartbeat 41 s ago, limit 30 s, owner pid:41 (listRuns, 22:14:01Z)"
//! );
//! # Ok::<(), runstate::json::ReadError>(())
//! ```

mod because;
mod end;
mod freshness;
pub(crate) mod line;
mod liveness;
mod state;
pub(crate) mod tense;
mod waiting;
mod witness;

#[cfg(test)]
mod tests;

pub(crate) use because::SHOWN_VERBATIM;
pub(crate) use freshness::{clock_note, freshness_pill, time_ahead};
pub(crate) use state::pill_of;
#[cfg(test)]
pub(crate) use witness::hidden_note;
pub use witness::{agreement, disagreement};

use serde::{Deserialize, Serialize};

pub(crate) use end::{failed_node, first_line};
pub(crate) use line::Line;
use tense::{Description, Tense};

use crate::clock::Reading;
use crate::freshness::Freshness;
use crate::pill::{Pill, Tone};
use crate::run::{Hidden, RunInspection};
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;

/// The sentence about a state, and one with additional facts.
pub(crate) type Sentences = (Line, Line);

/// A run, its state, and the tense of the sentences about it.
struct Context<'a> {
    run: &'a RunInspection,
    view: &'a RunStateView,
    tense: Tense<'a>,
}

impl<'a> Context<'a> {
    fn new(run: &'a RunInspection, view: &'a RunStateView, freshness: &'a Freshness, clock: Reading) -> Self {
        let has_ended = view.state.known().is_some_and(RunState::is_terminal);
        Self { run, view, tense: Tense::new(freshness, has_ended, view.computed_time(), clock) }
    }
}

/// A part of a sentence.
///
/// ```
/// use runstate::summary::{Span, text};
///
/// let sentence = [
///     Span::Text { text: "Waiting for a decision at ".into() },
///     Span::Node { node_id: "gate".into(), text: "gate".into() },
///     Span::Text { text: ".".into() },
/// ];
/// assert_eq!(text(&sentence), "Waiting for a decision at gate.");
/// assert_eq!(sentence[1].text(), "gate"); // what a surface makes a link of
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Span {
    /// Plain text.
    Text {
        /// The text to show.
        text: String,
    },
    /// A node, to which a surface can link.
    Node {
        /// The node's id.
        node_id: String,
        /// The text to show.
        text: String,
    },
    /// A word from the wire, verbatim.
    Code {
        /// The word.
        text: String,
    },
    /// A time.
    Time {
        /// The time.
        at: Millis,
        /// The text to show, zone included.
        text: String,
    },
    /// The duration until a time.
    Until {
        /// The time.
        at: Millis,
        /// The text to show: `12 min 03 s`.
        text: String,
    },
}

/// The text about a run, which a surface shows first.
///
/// ```
/// use runstate::summary::{answer, text};
/// use runstate::freshness::Freshness;
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"waiting-approval","runState":{"runId":"r1","state":"waiting-approval",
///     "computedAt":"2026-11-21T14:06:08.000Z",
///     "blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#)?;
/// let now = Millis::parse_iso("2026-11-21T14:06:08Z").unwrap();
/// let shown = answer(&RunInspection::from_row(&row, "runs.get", now), &Freshness::Live { read_at: now }, now);
/// assert_eq!(shown.pill.value(), Some("waiting-approval"));
/// assert_eq!(text(&shown.sentence), "Waiting for a decision at gate.");
/// assert!(text(&shown.because).contains("runs.get"), "{}", text(&shown.because));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Answer {
    /// The tone of the whole answer. It can differ from the pill's: over old data the pill is neutral.
    pub tone: Tone,
    /// The run state.
    pub pill: AnswerPill,
    /// The state as a sentence.
    pub sentence: Vec<Span>,
    /// Additional facts: start, end, remedy.
    pub meta: Vec<Span>,
    /// The reason for the state, in one line.
    pub because: Vec<Span>,
    /// Notes on facts that the state hides.
    pub notes: Vec<Vec<Span>>,
}

/// The pill of a state.
///
/// While the feed is lost, the pill also shows the age of its word.
///
/// ```
/// use runstate::summary::{AnswerPill, answer};
/// use runstate::freshness::Freshness;
/// use runstate::run::RunInspection;
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":10000}"#)?;
/// let run = RunInspection::from_row(&row, "runs.get", Millis(10_000.0));
/// let lost = Freshness::Lost { as_of: Millis(10_000.0), attempt: 1, retry_at: None, silence_limit_ms: None };
/// let AnswerPill::Pill { value, as_of, .. } = answer(&run, &lost, Millis(57_000.0)).pill else { unreachable!() };
/// assert_eq!((&*value, as_of.as_deref()), ("running", Some("as of 47 s ago")));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AnswerPill {
    /// The document has no run state and no data to derive one.
    Absent,
    /// There is a state.
    Pill {
        /// Label, tone and icon.
        pill: Pill,
        /// The word, verbatim.
        value: String,
        /// The age of the word (`as of 47 s ago`, `on 18 Nov`), if it is not current.
        #[serde(skip_serializing_if = "Option::is_none")]
        as_of: Option<String>,
    },
}

/// The pill and the sentence of an [`Answer`]: all that a row of a list shows of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ShortAnswer {
    pub(crate) pill: AnswerPill,
    pub(crate) sentence: Vec<Span>,
}

impl From<Answer> for ShortAnswer {
    fn from(Answer { pill, sentence, .. }: Answer) -> Self {
        Self { pill, sentence }
    }
}

/// The answer for a run. `clock` is the server's time.
///
/// ```
/// use runstate::summary::{answer, text};
/// use runstate::freshness::Freshness;
/// use runstate::run::RunInspection;
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let run = RunInspection::default();
/// let shown = answer(&run, &Freshness::Live { read_at: now }, now);
/// assert_eq!(text(&shown.sentence), "This snapshot has no runState field.");
/// ```
///
/// With a [`Reading`] whose error is known, countdowns show the error; ages show it from one second.
///
/// ```
/// use runstate::summary::{answer, text};
/// use runstate::clock::Reading;
/// use runstate::ingest::inspect;
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let json = br#"{"runId":"r","computedAt":"2026-11-21T14:06:08.031Z","state":"waiting-timer",
///     "blocked":{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:18:13.000Z"}}"#;
/// let now = Millis::parse_iso("2026-11-21T14:06:10.000Z").unwrap();
/// let run = inspect(json, None, now)?.run.unwrap();
/// let shown = answer(&run, &Freshness::Live { read_at: now }, Reading::new(now, 190.0));
/// assert_eq!(text(&shown.meta), "Wakes in 12 min 03 s (± 0.2 s).");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn answer(run: &RunInspection, freshness: &Freshness, clock: impl Into<Reading>) -> Answer {
    answer_with_hidden(run, freshness, clock.into()).0
}

/// The answer, and all facts that the state hides, each with its sentence. The notes of the answer contain only the facts
/// that its other sentences omit.
pub(crate) fn answer_with_hidden(
    run: &RunInspection,
    freshness: &Freshness,
    clock: Reading,
) -> (Answer, Vec<(Hidden, Vec<Span>)>) {
    let (Some(view), Some(evidence)) = (run.view(), run.evidence()) else {
        return (no_state_answer(freshness, clock.now), Vec::new());
    };
    let context = Context::new(run, view, freshness, clock);
    let state::Notes { lines, needs_attention, hidden } = state::notes(&context);
    let description = Description {
        pill: Some((pill_of(run, view), view.state.as_str())),
        needs_attention,
        sentences: state::sentences(&context),
        because: because::because(&context, evidence),
        notes: lines,
    };
    (context.tense.answer("snapshot", description), hidden)
}

/// The pill and the sentence of the [`answer`] for a run.
pub(crate) fn short_answer(
    run: &RunInspection,
    freshness: &Freshness,
    clock: impl Into<Reading>,
) -> ShortAnswer {
    let clock = clock.into();
    let (Some(view), Some(_)) = (run.view(), run.evidence()) else {
        return no_state_answer(freshness, clock.now).into();
    };
    let context = Context::new(run, view, freshness, clock);
    let pill = Some((pill_of(run, view), view.state.as_str()));
    context.tense.short_answer("snapshot", pill, state::sentences(&context))
}

/// The answer for a run without a state and without data to derive one, which differs from `unknown`.
fn no_state_answer(freshness: &Freshness, now: Millis) -> Answer {
    let (sentence, meta, because) = if matches!(freshness, Freshness::Connecting) {
        (Line::new("Connecting. No data has arrived yet."), Line::default(), Line::default())
    } else {
        let sentence = Line::new("This snapshot has no ").code("runState").words(" field.");
        let meta = Line::new("Older servers do not send it, and a file that ends early may have lost it.");
        (sentence, meta, because::no_verdict())
    };
    Answer {
        tone: Tone::Neutral,
        pill: AnswerPill::Absent,
        sentence: sentence.into_spans(),
        meta: tense::reconnecting(freshness, now).unwrap_or(meta).into_spans(),
        because: because.into_spans(),
        notes: Vec::new(),
    }
}

/// The text of a sentence.
pub fn text(parts: &[Span]) -> String {
    parts.iter().map(Span::text).collect()
}

impl AnswerPill {
    /// The word, if there is one.
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Absent => None,
            Self::Pill { value, .. } => Some(value),
        }
    }
}

impl Span {
    /// The text of the span.
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text }
            | Self::Code { text }
            | Self::Node { text, .. }
            | Self::Time { text, .. }
            | Self::Until { text, .. } => text,
        }
    }
}
