//! The evidence of a verdict: which inputs, how old, against which limit, read from where.

use crate::time::Millis;

/// What a verdict rests on. Ages are not stored: they are the reader's server-anchored now minus [`Input::at`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The inputs in the order in which the rule reads them.
    pub inputs: Vec<Input>,
    /// What was read: an RPC method (`runs.get`), a document part (`runState` of the snapshot), a file name.
    pub read_from: String,
    /// When it was read or computed, on the server's clock.
    pub read_at: Option<Millis>,
}

/// One input of a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The input's name in words: `engine heartbeat`, `run row status`, `owner`, `pending approval`.
    pub name: &'static str,
    /// What it said.
    pub value: Value,
    /// The moment its age counts from, if it has one.
    pub at: Option<Millis>,
    /// The age beyond which the rule decides otherwise, milliseconds.
    pub limit_ms: Option<f64>,
    /// Whether this input decided.
    pub decisive: bool,
}

/// What an input said.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: the signal is missing.
    Absent,
    /// A word from the wire, verbatim.
    Word(String),
    /// A moment.
    Time(Millis),
    /// Anything else, in words.
    Text(String),
}
