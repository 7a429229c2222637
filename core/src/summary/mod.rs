//! The answer in words: what the run is doing, since when, and how we know. An [`Answer`] has six parts, in the order in
//! which they are read: the tone, the pill with the state's word, the sentence, what there is to add, why it is said, and
//! what stands beside the state and must not be missed. Sentences are lists of [`Span`]s, so that a surface can make links
//! of nodes and let moments tick; [`text`] gives their words alone.
//!
//! The tense follows the freshness: what a live feed says holds now, what a document says held when it was written.
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
//! let shown = answer(&RunInspection::from_row(&row, "listRuns", now), &Freshness::Live { last_frame_at: now }, now);
//! assert_eq!(text(&shown.sentence), "The engine has not reported for 41 s. It may still be working.");
//! assert_eq!(
//!     text(&shown.because),
//!     "stale because last heartbeat 41 s ago, limit 30 s, owner pid:41, read from listRuns at 22:14:01Z"
//! );
//! # Ok::<(), runstate::json::ReadError>(())
//! ```

mod because;
mod clock;
mod context;
mod ended;
mod fresh;
pub(crate) mod line;
mod liveness;
mod state;
pub(crate) mod tense;
mod waiting;
mod witness;

#[cfg(test)]
mod tests;

pub use clock::clock_note;
pub use fresh::freshness_pill;
pub(crate) use state::pill_of;
pub use witness::{agreement, disagreement, hidden_note};

use serde::{Deserialize, Serialize};

use context::Context;
pub(crate) use line::Line;

use crate::clock::Reading;
use crate::freshness::Freshness;
use crate::pill::{Pill, Tone};
use crate::run::RunInspection;
use crate::run::{Hidden, Testimony, testimony};
use crate::time::Millis;

/// A piece of a sentence.
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
    /// Words.
    Text {
        /// What to write.
        text: String,
    },
    /// A node that a reader can go to.
    Node {
        /// The node's id.
        node_id: String,
        /// What to write.
        text: String,
    },
    /// A word from the wire, verbatim.
    Code {
        /// The word.
        text: String,
    },
    /// A moment.
    Time {
        /// The moment.
        at: Millis,
        /// What to write, zone included.
        text: String,
    },
    /// How long until a moment that is still to come.
    Until {
        /// The moment.
        at: Millis,
        /// What to write: `12 min 03 s`.
        text: String,
    },
}

/// The first thing a reader sees.
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
/// let shown = answer(&RunInspection::from_row(&row, "runs.get", now), &Freshness::Live { last_frame_at: now }, now);
/// assert_eq!(shown.pill.value(), Some("waiting-approval"));
/// assert_eq!(text(&shown.sentence), "Waiting for a decision at gate.");
/// assert!(text(&shown.because).contains("runs.get"), "{}", text(&shown.because));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The tone of the whole answer. Not always the pill's: over old data the pill is neutral.
    pub tone: Tone,
    /// The run state.
    pub pill: AnswerPill,
    /// What the run is doing, as a sentence.
    pub sentence: Vec<Span>,
    /// What there is to add: since when, until when, what to do.
    pub meta: Vec<Span>,
    /// Why we say so, in one line.
    pub because: Vec<Span>,
    /// What stands beside the state and must not be missed.
    pub notes: Vec<Vec<Span>>,
}

/// The run state's pill.
///
/// Over a lost feed the word never stands alone.
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
    /// The document has no run state, and nothing to derive one from.
    Absent,
    /// There is a state.
    Pill {
        /// How it looks and sounds.
        pill: Pill,
        /// The word itself, verbatim.
        value: String,
        /// How old it is (`as of 47 s ago`, `on 18 Nov`): a word over old data never stands alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        as_of: Option<String>,
    },
}

/// The answer for a run. `now` is the server-anchored now.
///
/// ```
/// use runstate::summary::{answer, text};
/// use runstate::freshness::Freshness;
/// use runstate::run::RunInspection;
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let run = RunInspection::default();
/// let shown = answer(&run, &Freshness::Live { last_frame_at: now }, now);
/// assert_eq!(text(&shown.sentence), "This snapshot has no runState field.");
/// ```
pub fn answer(run: &RunInspection, freshness: &Freshness, now: Millis) -> Answer {
    answer_by(run, freshness, Reading::exact(now))
}

/// The answer for a run by a clock that is only known so far: beside a countdown stands how far it can be off, and beside an
/// age where that is a second or more.
///
/// ```
/// use runstate::summary::{answer_by, text};
/// use runstate::clock::Reading;
/// use runstate::ingest::inspect;
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let json = br#"{"runId":"r","computedAt":"2026-11-21T14:06:08.031Z","state":"waiting-timer",
///     "blocked":{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:18:13.000Z"}}"#;
/// let now = Millis::parse_iso("2026-11-21T14:06:10.000Z").unwrap();
/// let run = inspect(json, None, now)?.run.unwrap();
/// let shown = answer_by(&run, &Freshness::Live { last_frame_at: now }, Reading { now, error_ms: 190.0 });
/// assert_eq!(text(&shown.meta), "Wakes in 12 min 03 s (± 0.2 s).");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn answer_by(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Answer {
    of_testimony(run, &testimony(run), freshness, clock).0
}

/// The answer where everybody who says something of the run was weighed already, and everything that the state
/// hides, each with its sentence; of those the notes have what no other sentence of the answer tells.
pub(crate) fn of_testimony(
    run: &RunInspection,
    testimony: &Testimony,
    freshness: &Freshness,
    clock: Reading,
) -> (Answer, Vec<(Hidden, Vec<Span>)>) {
    let (Some(view), Some(evidence)) = (run.verdict.view(), run.verdict.evidence()) else {
        return (absent(run, freshness, clock.now), Vec::new());
    };
    let context = Context::new(run, view, testimony, freshness, clock);
    let (sentence, meta) = state::sentences(&context);
    let (sentence, meta) = context.tense.explain(freshness, "snapshot", context.now, (sentence, meta));
    let state::SideNotes { notes, raises, hidden } = state::notes(&context);
    let pill = pill_of(run, view);
    let tone = context.tense.tone(if raises { state::raised(pill.tone) } else { pill.tone });
    let answer = Answer {
        tone,
        pill: AnswerPill::Pill {
            pill: context.tense.faded(pill),
            value: view.state.as_str().into(),
            as_of: context.tense.as_of(context.now),
        },
        sentence: sentence.parts(),
        meta: meta.parts(),
        because: because::because(&context, evidence).parts(),
        notes: notes.into_iter().map(Line::parts).collect(),
    };
    (answer, hidden)
}

/// No run state, and nothing to derive one from: not the same as `unknown`.
fn absent(run: &RunInspection, freshness: &Freshness, now: Millis) -> Answer {
    let (sentence, meta, because) = if matches!(freshness, Freshness::Connecting) {
        (Line::new("Connecting. Nothing has been heard yet."), Line::default(), Line::default())
    } else {
        let sentence = Line::new("This snapshot has no ").code("runState").words(" field.");
        let meta = Line::new("Older servers do not send it.");
        let meta = if run.tree.is_some() { meta.words(" The tree below is complete.") } else { meta };
        (sentence, meta, because::no_verdict())
    };
    Answer {
        tone: Tone::Neutral,
        pill: AnswerPill::Absent,
        sentence: sentence.parts(),
        meta: tense::reconnecting(freshness, now).unwrap_or(meta).parts(),
        because: because.parts(),
        notes: Vec::new(),
    }
}

/// The words of a sentence, without its links.
pub fn text(parts: &[Span]) -> String {
    parts.iter().map(Span::text).collect()
}

impl AnswerPill {
    /// The word itself, where there is one.
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Absent => None,
            Self::Pill { value, .. } => Some(value),
        }
    }
}

impl Span {
    /// What is written.
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
