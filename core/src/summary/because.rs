//! The line that explains a state: the decisive inputs, their ages, limits and origins.

use super::Context;
use super::line::Line;
use super::tense::Period;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::format;
use crate::freshness::Freshness;
use crate::time::Millis;
use crate::word::Vocabulary;

/// The parts of the line, the same for all three systems: `Why: INPUT, limit LIMIT (SOURCE, TIME)`.
impl Line {
    /// Begins the line.
    pub(crate) fn why() -> Self {
        Self::new("Why: ")
    }

    /// Adds the inputs as `clause` writes them; the state's word if there are none.
    pub(crate) fn because<'a>(
        self,
        inputs: impl Iterator<Item = &'a Input>,
        word: &str,
        separator: &str,
        clause: impl Fn(&'a Input, Self) -> Self,
    ) -> Self {
        let mut inputs = inputs.peekable();
        if inputs.peek().is_none() {
            return self.words(word);
        }
        inputs.enumerate().fold(self, |line, (index, input)| {
            clause(input, if index == 0 { line } else { line.words(separator) })
        })
    }

    /// Adds the limit of an input's age, if it has one.
    pub(crate) fn limit(self, input: &Input) -> Self {
        match input.limit_ms {
            Some(limit) if limit.is_finite() => self.words(", limit ").words(&format::age(limit)),
            Some(_) | None => self,
        }
    }

    /// Adds the source, and the time of reading.
    pub(crate) fn read_from(self, source: &str, at: Option<Millis>, now: Millis) -> Self {
        if source.is_empty() {
            return self;
        }
        let line = self.words(" (").code(source);
        let line = match at {
            Some(at) => line.words(", ").time(at, now),
            None => line,
        };
        line.words(")")
    }
}

/// Why a word that Runstate does not know is the state.
pub(crate) const SHOWN_VERBATIM: &str = "the word is shown as it was sent";

/// The line of a Smithers run.
pub(super) fn because(context: &Context, evidence: &Evidence) -> Line {
    let now = context.tense.now;
    if context.view.state.known().is_none() {
        return Line::why().words(SHOWN_VERBATIM).read_from(&evidence.read_from, evidence.read_at, now);
    }
    let as_of = match context.tense.period {
        Period::Resyncing(at) | Period::Lost(at) | Period::Recorded(Some(at)) => Some(at),
        Period::Now | Period::Observed(_) | Period::Recorded(None) => None,
    };
    let line = match as_of {
        Some(at) => Line::new("Why, as of ").time(at, now).words(": "),
        None => Line::why(),
    };
    let decisive = evidence.inputs.iter().filter(|input| input.decisive);
    let line = line.because(decisive, context.view.state.as_str(), ", ", |input, line| {
        input_clause(context, input, line)
    });
    let second = |at: Millis| (at.0 / 1000.0).floor();
    let read_at = evidence.read_at.filter(|read_at| as_of.map(second) != Some(second(*read_at)));
    add_lost_feed(context, line.read_from(&evidence.read_from, read_at, now))
}

/// The line for a run without a verdict.
pub(super) fn no_verdict() -> Line {
    Line::why()
        .words("the snapshot has neither ")
        .code("runState")
        .words(" nor rows of the run to derive a state from")
}

fn input_clause(context: &Context, input: &Input, line: Line) -> Line {
    let line = match (&input.value, input.at) {
        (Value::Absent, _) if input.name == Signal::Owner => line.words("the run's row names no owner"),
        (Value::Absent, _) => line.words("no ").words(input.name.as_str()),
        (Value::Word(word), _) if input.name == Signal::RunRowStatus => {
            line.words("the run's row says ").code(word)
        }
        (Value::Word(word), _) if input.name == Signal::ServerAnswer => {
            line.words("the server says ").code(word)
        }
        (Value::Word(word), _) => line.words(input.name.as_str()).words(" ").code(word),
        (Value::Text(text), _) => line.words(input.name.as_str()).words(": ").words(text),
        (Value::Time(at), counted_from) => time_clause(context, input, counted_from.unwrap_or(*at), line),
    };
    // Before a timer is due, its grace period is irrelevant.
    let is_early =
        input.name == Signal::Timer && input.at.is_some_and(|at| context.tense.until(at).is_some());
    if is_early { line } else { line.limit(input) }
}

/// The name of an input in a sentence.
pub(super) fn input_name(input: &Input) -> &'static str {
    match input.name {
        Signal::EngineHeartbeat => "last heartbeat",
        name => name.as_str(),
    }
}

/// The time since a past event, or until a future one.
fn time_clause(context: &Context, input: &Input, at: Millis, line: Line) -> Line {
    let name = input_name(input);
    let age = context.tense.reference_time().since(at);
    if input.name == Signal::Timer && age.is_finite() {
        return match context.tense.until(at) {
            Some(left) => line.words("the timer is due ").append(left),
            None => line.words(&format!("the timer is {} overdue", format::age(age))),
        };
    }
    let line = line.words(name).words(" ");
    if !age.is_finite() {
        return line.words("at ").time(at, context.tense.now);
    }
    // The line starts with the time that is not now.
    line.words(&if context.tense.is_past() { format::before(age, "that") } else { format::ago(age) })
}

fn add_lost_feed(context: &Context, line: Line) -> Line {
    let (Period::Lost(at), Freshness::Lost { silence_limit_ms, .. }) =
        (context.tense.period, context.tense.freshness)
    else {
        return line;
    };
    let line = line.words("; feed lost: last frame ").words(&format::ago(context.tense.now.since(at)));
    match silence_limit_ms {
        Some(limit) => line.words(&format!(", limit {}", format::age(*limit))),
        None => line.words(", connection closed"),
    }
}
