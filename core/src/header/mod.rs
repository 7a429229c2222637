//! The snapshot header as values: what a surface writes down, whichever system the run is of.
//!
//! A header is plain words and moments. It is made where the run is known and drawn where there is a screen; between the
//! two it may travel as JSON ([`Header::to_json`], [`Header::from_json`]).

mod read;
mod smithers;
mod write;

use std::borrow::Cow;

use crate::answer::{Answer, AnswerPill, Part};
use crate::evidence::{Evidence, Value};
use crate::format;
use crate::pill::Taxonomy;
use crate::time::Millis;

pub use smithers::{of_run, of_run_by};

/// A name from our own tables, or one that was read back.
pub type Name = Cow<'static, str>;

/// Everything that the snapshot header says at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// What a heading calls the run: its workflow, else its id.
    pub name: String,
    /// The word of the state as it stands on the wire, where there is one.
    pub state: Option<String>,
    /// What it waits for, as a word.
    pub blocked: Option<String>,
    /// What is wrong with it, as a word.
    pub unhealthy: Option<String>,
    /// What stands above the state's pill: `Run state`, `Status`, `State`.
    pub label: Name,
    /// The vocabulary of the state's pill.
    pub taxonomy: Taxonomy,
    /// The state, the sentence, and why.
    pub answer: Answer,
    /// What is said besides the state, each with a pill: health, delivery, phase.
    pub axes: Vec<Axis>,
    /// What can be done now, the most pressing first.
    pub actions: Vec<NextAction>,
    /// Who is asked about.
    pub fields: Vec<Field>,
    /// The inputs of the verdict.
    pub evidence: Vec<EvidenceLine>,
    /// How fresh all of this is.
    pub freshness: AnswerPill,
}

/// A pill beside the state's.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The name for tools: `health`, `delivery`.
    pub field: Name,
    /// The name for people.
    pub label: Name,
    /// The vocabulary of the word.
    pub taxonomy: Taxonomy,
    /// The pill.
    pub pill: AnswerPill,
}

/// Something that a person can do.
#[derive(Clone, Debug, PartialEq)]
pub struct NextAction {
    /// What it is, as a word for tools: `approve`, `resume`, `wait`.
    pub kind: Name,
    /// The action as a sentence.
    pub sentence: Vec<Part>,
    /// The command that does it, ready to copy.
    pub command: Option<String>,
    /// The Gateway's call that does it: method and parameters.
    pub call: Option<String>,
}

/// One field of the identity line. A field that is not known is not there.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name for tools: `runId`, `workflow`.
    pub field: Name,
    /// The name for people.
    pub label: Name,
    /// What it says.
    pub value: FieldValue,
}

/// What a field of the identity line says.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// An id that a person copies; its middle gives way where space is short.
    Id(String),
    /// Words.
    Text(String),
    /// A word from the wire, verbatim.
    Code(String),
    /// A moment.
    Time {
        /// Its exact form, where it is a moment at all.
        iso: Option<String>,
        /// What to write.
        text: String,
    },
}

/// One input of the verdict, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceLine {
    /// The input.
    pub name: Name,
    /// What it said.
    pub value: String,
    /// Whether that is a word from the wire.
    pub code: bool,
    /// How old it was when the verdict was made; empty where it has no age.
    pub age: String,
    /// The age beyond which the rule decides otherwise; empty where there is none.
    pub limit: String,
    /// Whether it decided.
    pub decisive: bool,
    /// What was read.
    pub read_from: String,
    /// When that was, in words.
    pub read_at: Option<String>,
}

impl Field {
    /// A field of words, where they are known.
    pub fn text(field: &'static str, label: &'static str, text: Option<String>) -> Option<Self> {
        Some(Self { field: field.into(), label: label.into(), value: FieldValue::Text(text?) })
    }

    /// A word from the wire, where there is one.
    pub fn code(field: &'static str, label: &'static str, word: Option<String>) -> Option<Self> {
        Some(Self { field: field.into(), label: label.into(), value: FieldValue::Code(word?) })
    }

    /// An id to copy, where there is one.
    pub fn id(field: &'static str, label: &'static str, id: Option<String>) -> Option<Self> {
        Some(Self { field: field.into(), label: label.into(), value: FieldValue::Id(id?) })
    }

    /// A moment, where it is known; `now` decides whether its date is written.
    pub fn time(field: &'static str, label: &'static str, at: Option<Millis>, now: Millis) -> Option<Self> {
        let at = at?;
        let value = FieldValue::Time { iso: at.to_iso().ok(), text: format::moment(at, now) };
        Some(Self { field: field.into(), label: label.into(), value })
    }
}

/// The inputs of a verdict in words. Ages count from when the verdict was made: they are what it was decided on.
pub fn evidence_lines(evidence: &Evidence, now: Millis) -> Vec<EvidenceLine> {
    let then = evidence.read_at.unwrap_or(now);
    let read_at = evidence.read_at.map(|at| format::moment(at, then));
    evidence
        .inputs
        .iter()
        .map(|input| {
            let (value, code) = match &input.value {
                Value::Absent => ("none".to_owned(), false),
                Value::Word(word) => (word.clone(), true),
                Value::Time(at) => (at.to_iso().unwrap_or_else(|_| "not a time".into()), false),
                Value::Text(text) => (text.clone(), false),
            };
            EvidenceLine {
                name: input.name.into(),
                value,
                code,
                age: input.at.map(|at| format::age(then.since(at))).unwrap_or_default(),
                limit: input.limit_ms.map(format::age).unwrap_or_default(),
                decisive: input.decisive,
                read_from: evidence.read_from.clone(),
                read_at: read_at.clone(),
            }
        })
        .collect()
}
