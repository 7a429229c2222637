//! Records the inputs of a verdict as evidence.

use crate::evidence::{Input, Signal, Value};
use crate::number::Number;
use crate::smithers::wire::RunStatus;
use crate::time::Millis;
use crate::word::Word;

/// Records the inputs that a rule reads.
pub(crate) trait Recorder {
    fn record(&mut self, input: impl FnOnce() -> Input);
}

impl Recorder for Vec<Input> {
    fn record(&mut self, input: impl FnOnce() -> Input) {
        self.push(input());
    }
}

/// Records nothing.
pub(crate) struct NoRecorder;

impl Recorder for NoRecorder {
    fn record(&mut self, _: impl FnOnce() -> Input) {}
}

/// The status column.
pub(crate) fn status(status: Option<&Word<RunStatus>>) -> Input {
    let value = status.map_or(Value::Absent, |word| Value::Word(word.as_str().to_owned()));
    Input::new(Signal::RunRowStatus, value, false)
}

/// A signal that is missing.
pub(crate) fn absent(name: Signal) -> Input {
    Input::new(name, Value::Absent, false)
}

/// A time, from which an age counts. An invalid one is shown as text.
pub(crate) fn moment(name: Signal, at: Millis, limit_ms: Option<f64>) -> Input {
    if at.is_time() {
        Input { at: Some(at), limit_ms, ..Input::new(name, Value::Time(at), false) }
    } else {
        let value = Value::Text(format!("{}, which is not a time", Number(at.0).to_text()));
        Input { limit_ms, ..Input::new(name, value, false) }
    }
}

/// A time that may be missing.
pub(crate) fn optional_moment(name: Signal, at: Option<f64>, limit_ms: Option<f64>) -> Input {
    match at {
        Some(at) => moment(name, Millis(at), limit_ms),
        None => Input { limit_ms, ..absent(name) },
    }
}

/// Anything else, in words.
pub(crate) fn text(name: Signal, words: String) -> Input {
    Input::new(name, Value::Text(words), false)
}

/// The owner column; empty text is no owner.
pub(crate) fn owner(id: Option<&str>) -> Input {
    match id {
        Some(id) if !id.is_empty() => Input { value: Value::Word(id.to_owned()), ..absent(Signal::Owner) },
        Some(_) | None => absent(Signal::Owner),
    }
}

/// The event that a node waits for.
pub(crate) fn event(node_id: &str, correlation_key: &str) -> Input {
    let words = if correlation_key.is_empty() {
        format!("node {node_id} waits, its key is not known")
    } else {
        format!("node {node_id} waits for {correlation_key}")
    };
    text(Signal::Event, words)
}

/// The quota's numbers.
pub(crate) fn quota(blocked: Number, reset_at_ms: Option<Number>) -> Input {
    let reset = match reset_at_ms.map(|at| Millis(at.0).to_iso()) {
        Some(Ok(at)) => format!("resets at {at}"),
        Some(Err(_)) | None => "no reset time known".to_owned(),
    };
    text(Signal::Quota, format!("{} held back, {reset}", blocked.to_text()))
}

/// The input, marked as decisive.
pub(crate) fn decisive(input: Input) -> Input {
    decisive_if(true, input)
}

/// The input, marked as decisive if it is.
pub(crate) fn decisive_if(decisive: bool, input: Input) -> Input {
    Input { decisive, ..input }
}
