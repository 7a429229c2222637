//! The answer in words: what the run is doing, since when, and how we know.

mod fresh;

pub use fresh::freshness_pill;

use crate::freshness::Freshness;
use crate::inspection::RunInspection;
use crate::pill::{Pill, Taxonomy, Tone, pill};
use crate::time::Millis;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Words.
    Text(String),
    /// A node that a reader can go to.
    Node {
        /// The node's id.
        node_id: String,
        /// What to write.
        text: String,
    },
    /// A word from the wire, verbatim.
    Code(String),
    /// A moment.
    Time {
        /// The moment.
        at: Millis,
        /// What to write, zone included.
        text: String,
    },
}

/// The first thing a reader sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The tone of the whole answer. Not always the pill's: over old data the pill is neutral.
    pub tone: Tone,
    /// The run state.
    pub pill: AnswerPill,
    /// What the run is doing, as a sentence.
    pub sentence: Vec<Part>,
    /// What there is to add: since when, until when, what to do.
    pub meta: Vec<Part>,
    /// Why we say so, in one line.
    pub because: Vec<Part>,
    /// What stands beside the state and must not be missed.
    pub notes: Vec<Vec<Part>>,
}

/// The run state's pill.
#[derive(Clone, Debug, PartialEq)]
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
        as_of: Option<String>,
    },
}

/// The answer for a run. `now` is the server-anchored now.
pub fn answer(run: &RunInspection, freshness: &Freshness, now: Millis) -> Answer {
    let _ = (freshness, now);
    let Some(view) = run.verdict.view() else {
        return Answer {
            tone: Tone::Neutral,
            pill: AnswerPill::Absent,
            sentence: Vec::new(),
            meta: Vec::new(),
            because: Vec::new(),
            notes: Vec::new(),
        };
    };
    let value = view.state.as_str();
    let pill = pill(Taxonomy::Run, value);
    let sentence = vec![Part::Text(format!("{}.", pill.label))];
    Answer {
        tone: pill.tone,
        pill: AnswerPill::Pill { pill, value: value.into(), as_of: None },
        sentence,
        meta: Vec::new(),
        because: Vec::new(),
        notes: Vec::new(),
    }
}

/// The words of a sentence, without its links.
pub fn text(parts: &[Part]) -> String {
    parts.iter().map(Part::text).collect()
}

impl Part {
    /// What is written.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Code(text) | Self::Node { text, .. } | Self::Time { text, .. } => text,
        }
    }
}
