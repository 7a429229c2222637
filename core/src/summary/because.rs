//! Why we say so, in one line: the state, the inputs that decided, their age and limit, and where they were read.

use super::context::Context;
use super::line::Line;
use super::tense::Tense;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::format;
use crate::freshness::Freshness;
use crate::time::Millis;
use crate::word::Vocabulary;

/// `STATE because INPUT AGE ago, limit LIMIT, read from SOURCE at TIME`.
pub(super) fn because(context: &Context, evidence: &Evidence) -> Line {
    if context.view.state.known().is_none() {
        return source(context, evidence, Line::new("shown verbatim"));
    }
    let mut line = Line::new(context.view.state.as_str());
    if let Tense::Resyncing(at) | Tense::Lost(at) | Tense::Recorded(Some(at)) = context.tense {
        line = line.words(" as of ").time(at, context.now);
    }
    for (index, input) in evidence.inputs.iter().filter(|input| input.decisive).enumerate() {
        line = line.words(if index == 0 { " because " } else { ", " });
        line = fact(context, input, line);
    }
    lost(context, source(context, evidence, line))
}

/// What the header says where there is no verdict.
pub(super) fn no_verdict() -> Line {
    Line::new("no verdict: the snapshot carries neither ")
        .code("runState")
        .words(" nor run rows to derive it from")
}

fn fact(context: &Context, input: &Input, line: Line) -> Line {
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
        (Value::Time(at), counted_from) => aged(context, input, counted_from.unwrap_or(*at), line),
    };
    match input.limit_ms {
        // A timer's grace says nothing before its time.
        Some(_) if input.name == Signal::Timer && input.at.is_some_and(|at| context.until(at).is_some()) => {
            line
        }
        Some(limit) if limit.is_finite() => line.words(&format!(", limit {}", format::age(limit))),
        Some(_) | None => line,
    }
}

/// What a sentence calls an input.
pub(super) fn name_of(input: &Input) -> &'static str {
    match input.name {
        Signal::EngineHeartbeat => "last heartbeat",
        name => name.as_str(),
    }
}

/// A moment: how long before, or how long until.
fn aged(context: &Context, input: &Input, at: Millis, line: Line) -> Line {
    let name = name_of(input);
    let age = context.then().since(at);
    if input.name == Signal::Timer && age.is_finite() {
        return match context.until(at) {
            Some(left) => line.words("the timer is due ").then(left),
            None => line.words(&format!("the timer is {} overdue", format::age(age))),
        };
    }
    let words = match context.tense {
        _ if !age.is_finite() => return line.words(name).words(" at ").time(at, context.now),
        Tense::Now => format::ago(age),
        Tense::Resyncing(_) | Tense::Lost(_) | Tense::Recorded(_) => format::before(age, "that"),
    };
    line.words(name).words(" ").words(&words)
}

fn source(context: &Context, evidence: &Evidence, line: Line) -> Line {
    if evidence.read_from.is_empty() {
        return line;
    }
    let line = line.words(", read from ").code(&evidence.read_from);
    match evidence.read_at {
        Some(at) => line.words(" at ").time(at, context.now),
        None => line,
    }
}

fn lost(context: &Context, line: Line) -> Line {
    let (Tense::Lost(at), Freshness::Lost { silence_limit_ms, .. }) = (context.tense, context.freshness)
    else {
        return line;
    };
    let line = line.words("; feed lost: last frame ").words(&format::ago(context.now.since(at)));
    match silence_limit_ms {
        Some(limit) => line.words(&format!(", limit {}", format::age(*limit))),
        None => line.words(", connection closed"),
    }
}
