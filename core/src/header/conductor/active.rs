//! Sentences about a run that has not ended.

use super::Context;
use crate::conductor::derive::{Gate, PlannerDecision};
use crate::conductor::wire::{Opcode, Phase, is_clean_outcome};
use crate::format;
use crate::number::Number;
use crate::summary::{Line, Sentences};
use crate::time::Millis;
use crate::word::Word;

/// Shorter ages are shown in milliseconds: a run is between two steps for about 50 ms.
const SHORT_MS: f64 = 1000.0;

/// A run before its first step, in a step, or between two.
pub(super) fn running(context: &Context<'_>) -> Sentences {
    let run = context.run;
    if let Some(decision) = &run.decision {
        let chosen =
            run.updated_at.map(|at| Line::new("Route chosen ").append(since(context, at)).words("."));
        return (between_steps(decision), chosen.unwrap_or_default());
    }
    let initial = run.phase == Phase::Initial;
    let (verb, preposition) = if initial {
        (context.tense.pick("Starting", "Was starting"), " at ")
    } else {
        (context.tense.pick("Running", "Was running"), " ")
    };
    let Some(step) = run.source.current_step_id.as_deref() else {
        return (Line::new(verb).words("."), Line::default());
    };
    let visit = run.visits.iter().rfind(|visit| visit.step_id == step && visit.failed.is_none());
    let attempt = visit.map_or(1, |visit| visit.attempt);
    let line = Line::new(verb).words(preposition).node(step);
    let line =
        if attempt > 1 { line.words(", attempt ").words(&Number(attempt.into()).to_text()) } else { line };
    let started = if initial {
        run.started_at.map(|at| ("Begun ", at))
    } else {
        visit.and_then(|visit| Some(("Started ", visit.started_at.as_ref()?.at?)))
    };
    let started = started.map(|(word, at)| Line::new(word).append(since(context, at)).words("."));
    (line.words("."), started.unwrap_or_default().add_sentence(worker(context)))
}

/// `Step a ended with error. Next: b.`
fn between_steps(decision: &PlannerDecision) -> Line {
    let line = match &decision.step_id {
        Some(step) => outcome(Line::new("Step ").node(step), decision.status.as_deref()).words(". "),
        None => Line::default(),
    };
    line.words("Next: ").node(&decision.next_step_id).words(".")
}

/// Adds ` ended with OUTCOME`. An unknown word is formatted as code.
pub(super) fn outcome(line: Line, outcome: Option<&str>) -> Line {
    match outcome {
        None => line.words(" ended"),
        Some(word) if is_clean_outcome(word).is_some() => line.words(" ended with ").words(word),
        Some(word) => line.words(" ended with ").code(word),
    }
}

/// The agent of the step, or its unknown opcode.
fn worker(context: &Context<'_>) -> Line {
    let source = &context.run.source;
    match source.active_opcode.as_ref() {
        Some(Word::Known(Opcode::RunAgent)) => match &source.runner_family {
            Some(family) => Line::new("The agent is ").code(family.as_str()).words("."),
            None => Line::default(),
        },
        Some(Word::Foreign(word)) => {
            Line::new("The opcode ").code(word).words(" is a word that Runstate does not know.")
        }
        Some(Word::Known(
            Opcode::RunValidation | Opcode::Evaluate | Opcode::Gate | Opcode::Rollback | Opcode::Stop,
        ))
        | None => Line::default(),
    }
}

/// A run at a gate.
pub(super) fn waiting(context: &Context<'_>) -> Sentences {
    let start = context.tense.pick("Waiting for a decision at ", "Was waiting for a decision at ");
    let gate = context.run.blocked.as_ref();
    let line = match gate.and_then(|gate| gate.node_id.as_deref()) {
        Some(step) => Line::new(start).words("gate ").node(step),
        None => Line::new(start).words("a gate"),
    };
    (line.words("."), gate.map(|gate| request(context, gate)).unwrap_or_default())
}

/// The time of the gate's request, its kind, and its time limit.
fn request(context: &Context<'_>, gate: &Gate) -> Line {
    let asked = match gate.requested {
        Some(at) if gate.approximate => {
            Line::new("Asked about ").append(since(context, at)).words(", by the time of the status.")
        }
        Some(at) => Line::new("Asked ").append(since(context, at)).words("."),
        None => Line::default(),
    };
    let Some(request) = &gate.request else { return asked };
    let kind = request.gate.as_deref().map(|kind| Line::new("Gate kind ").words(kind));
    let limit = match request.timeout_seconds {
        Some(seconds) => {
            let seconds = Number(seconds).to_text();
            Line::new("time limit ").words(&seconds).words(" s, kept by the approver.")
        }
        None => Line::new("no time limit."),
    };
    asked.add_sentence(kind.unwrap_or_else(|| Line::new("Gate of no named kind")).words(", ").append(limit))
}

/// A run whose status is too old.
pub(super) fn stale(context: &Context<'_>) -> Sentences {
    let run = context.run;
    let age = run.updated_at.zip(run.evidence.read_at).map(|(at, read)| format::age(read.since(at)));
    let line = Line::new(
        context.tense.pick("The run has not written its status", "The run had not written its status"),
    );
    let line = match age {
        Some(age) => line.words(" for ").words(&age),
        None => line,
    };
    let line = line.words(
        context
            .tense
            .pick(". It may still be working.", " when it was read. It may still have been working."),
    );
    let last = match (&run.decision, &run.source.current_step_id) {
        (Some(decision), _) => between_steps(decision),
        (None, Some(step)) if run.phase == Phase::Initial => {
            Line::new("Nothing has begun; first: ").node(step).words(".")
        }
        (None, Some(step)) => Line::new("Last seen in ").node(step).words("."),
        (None, None) => Line::default(),
    };
    (line, last)
}

/// `22 min ago, 13:44:10Z`; ages below a second in milliseconds.
pub(super) fn since(context: &Context<'_>, at: Millis) -> Line {
    let now = context.tense.now;
    let age = now.since(at);
    let line = if (0.0..SHORT_MS).contains(&age) {
        Line::new(&format::duration(age)).words(" ago")
    } else {
        Line::new(&format::ago(age))
    };
    line.words(", ").time(at, now)
}
