//! The line that explains a state: the decisive inputs, their ages, limits and origins.

use super::Context;
use super::line::Line;
use super::tense::Period;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::format;
use crate::freshness::Freshness;
use crate::time::Millis;
use crate::word::Vocabulary;

/// The parts of the line, the same for all three systems: `STATE because INPUT, limit LIMIT, read from SOURCE at TIME`.
impl Line {
    /// Adds ` because `, and the inputs as `clause` writes them.
    pub(crate) fn because<'a>(
        self,
        inputs: impl Iterator<Item = &'a Input>,
        separator: &str,
        clause: impl Fn(&'a Input, Self) -> Self,
    ) -> Self {
        inputs.enumerate().fold(self, |line, (index, input)| {
            clause(input, line.words(if index == 0 { " because " } else { separator }))
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
        let line = self.words(", read from ").code(source);
        match at {
            Some(at) => line.words(" at ").time(at, now),
            None => line,
        }
    }
}

/// The line of a Smithers run.
pub(super) fn because(context: &Context, evidence: &Evidence) -> Line {
    let now = context.tense.now;
    if context.view.state.known().is_none() {
        return Line::new("shown verbatim").read_from(&evidence.read_from, evidence.read_at, now);
    }
    let mut line = Line::new(context.view.state.as_str());
    if let Period::Resyncing(at) | Period::Lost(at) | Period::Recorded(Some(at)) = context.tense.period {
        line = line.words(" as of ").time(at, now);
    }
    let decisive = evidence.inputs.iter().filter(|input| input.decisive);
    let line = line.because(decisive, ", ", |input, line| input_clause(context, input, line));
    add_lost_feed(context, line.read_from(&evidence.read_from, evidence.read_at, now))
}

/// The line for a run without a verdict.
pub(super) fn no_verdict() -> Line {
    Line::new("no verdict: the snapshot carries neither ")
        .code("runState")
        .words(" nor run rows to derive it from")
}

fn input_clause(context: &Context, input: &Input, line: Line) -> Line {
    let line = match (&input.value, input.at) {
        (Value::Absent, _) if input.name == Signal::Owner => line.words("the run row names no owner"),
        (Value::Absent, _) => line.words("no ").words(input.name.as_str()),
        (Value::Word(word), _) if input.name == Signal::RunRowStatus => {
            line.words("the run row says ").code(word)
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
