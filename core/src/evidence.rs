//! The evidence of a verdict: which inputs, how old, against which limit, read from where. A verdict that cannot be checked
//! is an opinion. So each one carries what it was made of, and a surface shows it when somebody asks why. The evidence
//! stands beside the verdict from the moment of the decision; nothing is looked up again afterwards. See [`Evidence`] for an
//! example.

use crate::time::Millis;

/// What a verdict rests on. Ages are not stored: they are the reader's server-anchored now minus [`Input::at`].
///
/// ```
/// use runstate::evidence::{Evidence, Input, Value};
/// use runstate::time::Millis;
///
/// let heartbeat = Input {
///     name: "engine heartbeat",
///     value: Value::Time(Millis(10_000.0)),
///     at: Some(Millis(10_000.0)),
///     limit_ms: Some(30_000.0),
///     decisive: true,
/// };
/// let evidence = Evidence { inputs: vec![heartbeat], read_from: "runs.get".into(), read_at: Some(Millis(57_000.0)) };
/// // Why "stale": the input that decided is older than its limit.
/// let why = evidence.inputs.iter().find(|input| input.decisive).unwrap();
/// let age = evidence.read_at.unwrap().since(why.at.unwrap());
/// assert!(age > why.limit_ms.unwrap());
/// ```
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
///
/// The owner of a run that nobody owns: the signal is missing, and that is what decided.
///
/// ```
/// use runstate::evidence::{Input, Value};
///
/// let owner = Input { name: "owner", value: Value::Absent, at: None, limit_ms: None, decisive: true };
/// assert_eq!(owner.value, Value::Absent);
/// ```
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
///
/// A missing signal and an empty text are two things.
///
/// ```
/// use runstate::evidence::Value;
///
/// assert_ne!(Value::Absent, Value::Text(String::new()));
/// ```
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
