//! The sentence, the notes and the pill for each state.

use super::Context;
use super::Sentences;
use super::line::Line;
use super::waiting::{blocked, outcome, quota_sentence, wait_is_over, without_reason, without_request};
use super::witness::{disagreement, hidden_note};
use super::{Span, end, freshness, liveness};
use crate::evidence::{Signal, Value};
use crate::format;
use crate::log::Settled;
use crate::pill::{Icon, Pill, Taxonomy, Tone, pill};
use crate::run::RunInspection;
use crate::run::nodes::{Place, count, in_state};
use crate::run::{Hidden, hidden};
use crate::smithers::wire::{NodeState, ReasonBlocked, ReasonUnhealthy, RunState, RunStateView, RunStatus};
use crate::word::{Vocabulary, Word};

/// The sentence about the run and the additional facts.
pub(super) fn sentences(context: &Context) -> Sentences {
    let state = match &context.view.state {
        Word::Known(state) => *state,
        Word::Foreign(word) => return foreign(word),
    };
    match state {
        RunState::Running => running(context),
        RunState::WaitingApproval if context.run.waits_without_request() => without_request(context),
        RunState::WaitingApproval => waiting(context, NodeState::WaitingApproval, "a decision"),
        RunState::WaitingEvent => waiting(context, NodeState::WaitingEvent, "an event"),
        RunState::WaitingTimer => {
            if let Some(ReasonUnhealthy::TimerOverdue { wake_at, .. }) = &context.view.unhealthy {
                liveness::overdue(context, wake_at)
            } else {
                waiting(context, NodeState::WaitingTimer, "a timer")
            }
        }
        RunState::WaitingQuota => match &context.view.blocked {
            Some(reason) => blocked(context, reason),
            None => (quota_sentence(context), Line::default()),
        },
        RunState::Paused => (
            Line::new(context.tense.pick("Paused. Nothing runs until it is resumed.", "Was paused.")),
            Line::default(),
        ),
        RunState::Recovering => liveness::recovering(context),
        RunState::Stale => liveness::stale(context),
        RunState::Orphaned => liveness::orphaned(context),
        RunState::Failed => end::failed(context),
        RunState::Cancelled => end::cancelled(context),
        RunState::Succeeded => end::succeeded(context),
        RunState::Unknown => unknown(context),
    }
}

/// Facts that the sentence about the state omits.
pub(super) struct Notes {
    /// The notes.
    pub(super) lines: Vec<Line>,
    /// Whether a note needs attention, which raises a calm tone to a warning.
    pub(super) needs_attention: bool,
    /// Everything that the state hides, with its sentences.
    pub(super) hidden: Vec<(Hidden, Vec<Span>)>,
}

/// The notes on a state: reasons that the sentence does not mention, contradicting witnesses, and hidden facts.
pub(super) fn notes(context: &Context) -> Notes {
    let state = context.view.state.known();
    let mut notes = Vec::new();
    if let Some(reason) = context.view.blocked.as_ref().filter(|_| !mentions_blocked(context, state)) {
        let (sentence, meta) = blocked(context, reason);
        notes.push(sentence.add_sentence(meta));
    }
    if let Some(reason) = context.view.unhealthy.as_ref().filter(|reason| !mentions_unhealthy(state, reason))
    {
        notes.push(liveness::unhealthy(context, reason));
    }
    notes.extend(disagreement(&context.run.compare_witnesses()).map(Line::from_spans));
    let mut needs_attention = !notes.is_empty();
    let mut all = Vec::new();
    for hidden in hidden(context.run) {
        let sentence = hidden_note(&hidden, &context.tense);
        if !is_in_sentence(&hidden, state) {
            needs_attention |= needs_person(&hidden);
            notes.push(Line::from_spans(sentence.clone()));
        }
        all.push((hidden, sentence));
    }
    if freshness::clock_is_ahead(context).is_none() {
        notes.extend(freshness::time_ahead(
            "The latest recorded time",
            context.run.last_stamp(),
            context.tense.clock(),
        ));
    }
    notes.extend(context.run.caveats.iter().map(|caveat| Line::new(caveat)));
    Notes { lines: notes, needs_attention, hidden: all }
}

/// Whether the sentence about a success already contains the fact.
fn is_in_sentence(hidden: &Hidden, state: Option<RunState>) -> bool {
    match hidden {
        Hidden::ToleratedFailures { .. } => state == Some(RunState::Succeeded),
        Hidden::Continued => true,
        Hidden::Waiting { .. }
        | Hidden::Retrying { .. }
        | Hidden::CancelRequested { .. }
        | Hidden::PauseRequested { .. }
        | Hidden::EndRecorded { .. }
        | Hidden::UnfinishedNodes { .. } => false,
    }
}

/// Whether a person must act. A timer or an event next to other work needs no person.
fn needs_person(hidden: &Hidden) -> bool {
    match hidden {
        Hidden::Waiting { state, .. } => *state == NodeState::WaitingApproval,
        Hidden::EndRecorded { .. } => true,
        Hidden::Retrying { .. }
        | Hidden::ToleratedFailures { .. }
        | Hidden::Continued
        | Hidden::CancelRequested { .. }
        | Hidden::PauseRequested { .. }
        | Hidden::UnfinishedNodes { .. } => false,
    }
}

/// The pill of a state. A reason that is more specific than the state changes the label, never the value.
pub(crate) fn pill_of(run: &RunInspection, view: &RunStateView) -> Pill {
    let base = pill(Taxonomy::Run, view.state.as_str());
    let reworded = |label: &'static str, icon: Icon| Pill {
        tone: Tone::Warning,
        icon,
        ..base.clone().with_label(Taxonomy::Run, label)
    };
    match (view.state.known(), &view.blocked) {
        (Some(RunState::Succeeded), _) if run.tolerated_failures() > 0 => {
            reworded("Succeeded, with failures", Icon::TriangleAlert)
        }
        (
            Some(
                RunState::WaitingApproval
                | RunState::WaitingEvent
                | RunState::WaitingTimer
                | RunState::WaitingQuota,
            ),
            Some(reason),
        ) => match reason {
            ReasonBlocked::ApprovalDecidedResumeRequired { .. } if run.reason_is_new => base,
            ReasonBlocked::ApprovalDecidedResumeRequired { .. } => {
                reworded("Waiting for resume", Icon::StepForward)
            }
            ReasonBlocked::Provider { .. } => reworded("Waiting for provider", Icon::CloudOff),
            ReasonBlocked::Tool { .. } => reworded("Waiting for tool", Icon::Wrench),
            ReasonBlocked::Approval { .. }
            | ReasonBlocked::Event { .. }
            | ReasonBlocked::Timer { .. }
            | ReasonBlocked::ExternalTrigger
            | ReasonBlocked::Quota { .. }
            | ReasonBlocked::Foreign(_) => base,
        },
        (_, _) => base,
    }
}

fn mentions_blocked(context: &Context, state: Option<RunState>) -> bool {
    // The sentence about an overdue timer names the node of the reason.
    let overdue = matches!(context.view.unhealthy, Some(ReasonUnhealthy::TimerOverdue { .. }));
    let timer = matches!(context.view.blocked, Some(ReasonBlocked::Timer { .. }));
    match state {
        Some(RunState::WaitingApproval | RunState::WaitingEvent | RunState::WaitingQuota) => true,
        Some(RunState::WaitingTimer) => !overdue || timer,
        Some(RunState::Stale) => overdue && timer,
        Some(
            RunState::Running
            | RunState::Paused
            | RunState::Recovering
            | RunState::Orphaned
            | RunState::Failed
            | RunState::Cancelled
            | RunState::Succeeded
            | RunState::Unknown,
        )
        | None => false,
    }
}

fn mentions_unhealthy(state: Option<RunState>, reason: &ReasonUnhealthy) -> bool {
    match state {
        Some(RunState::Stale | RunState::Orphaned | RunState::Recovering) => true,
        Some(RunState::WaitingTimer) => matches!(reason, ReasonUnhealthy::TimerOverdue { .. }),
        Some(
            RunState::Running
            | RunState::WaitingApproval
            | RunState::WaitingEvent
            | RunState::WaitingQuota
            | RunState::Paused
            | RunState::Failed
            | RunState::Cancelled
            | RunState::Succeeded
            | RunState::Unknown,
        )
        | None => false,
    }
}

fn waiting(context: &Context, node_state: NodeState, what: &str) -> Sentences {
    match (&context.view.blocked, settled(context)) {
        (Some(reason), _) => blocked(context, reason),
        (None, Some(settled)) => wait_is_over(context, settled),
        (None, None) => without_reason(context, node_state, what),
    }
}

/// The event that ended the wait, if the state is that of a log.
fn settled<'a>(context: &Context<'a>) -> Option<&'a Settled> {
    context.run.verdict.as_ref()?.settled.as_deref()
}

fn running(context: &Context) -> Sentences {
    let nodes = in_state(context.run, NodeState::InProgress);
    let line = Line::new(context.tense.pick("Running", "Was running"));
    let ids: Vec<&str> = nodes.iter().map(|node| node.id).collect();
    let is_listed = !context.run.nodes.is_empty() || !context.run.summary.is_empty();
    let line = match (&*nodes, count(context.run, NodeState::InProgress)) {
        ([], 0) if is_listed => return (line.words(", between nodes."), last_outcome(context)),
        ([], 0) => line.words("."),
        ([], 1) => line.words(" 1 node."),
        ([], many) => line.words(&format!(" {} nodes.", format::count(many as f64))),
        ([node], _) => line.words(" ").place(node).words("."),
        (many, _) => {
            line.words(&format!(" {} nodes: ", format::count(many.len() as f64))).node_list(&ids).words(".")
        }
    };
    (line, newest_start(context, &nodes).add_sentence(last_outcome(context)))
}

/// What a log of a run at work ends with.
fn last_outcome(context: &Context) -> Line {
    settled(context).map(|settled| outcome(settled).words(".")).unwrap_or_default()
}

fn newest_start(context: &Context, nodes: &[Place]) -> Line {
    let starts = nodes.iter().filter_map(|node| node.started_at).filter(|at| at.0.is_finite());
    let Some(newest) = starts.reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
        return Line::default();
    };
    let start = if nodes.len() > 1 { "Newest started " } else { "Started " };
    Line::new(start).append(context.tense.since(newest)).words(".")
}

fn foreign(word: &str) -> Sentences {
    (
        Line::unknown_word("The server sent the word ", word),
        Line::new("It is shown and exported exactly as it came."),
    )
}

fn unknown(context: &Context) -> Sentences {
    if let Some(sentences) = freshness::clock_is_ahead(context) {
        return sentences;
    }
    let sentence =
        context.tense.pick("Not enough is known to name a state.", "Not enough was known to name a state.");
    (Line::new(sentence), missing_signals(context))
}

/// The missing signals, as far as the evidence shows them.
fn missing_signals(context: &Context) -> Line {
    let Some(evidence) = context.run.evidence() else {
        return Line::default();
    };
    let status = evidence.inputs.iter().find(|input| input.name == Signal::RunRowStatus);
    let missing_inputs: Vec<&str> = evidence
        .inputs
        .iter()
        .filter(|input| input.value == Value::Absent && input.name != Signal::RunRowStatus)
        .map(|input| input.name.as_str())
        .collect();
    let missing_inputs = match &*missing_inputs {
        [] => String::new(),
        [one] => format!("no {one}"),
        [first @ .., last] => format!("no {} or {last}", first.join(", ")),
    };
    match status.map(|input| &input.value) {
        Some(Value::Absent) => Line::new("The server stored no status."),
        Some(Value::Word(word) | Value::Text(word)) if word.is_empty() => {
            Line::new("The stored status is an empty text.")
        }
        Some(Value::Word(word) | Value::Text(word)) => {
            let line = Line::new("The stored status is ").code(word);
            if RunStatus::from_word(word).is_none() {
                match format::look_alike(word, |known| RunStatus::from_word(known).is_some()) {
                    Some(known) => line.words(&format!(", which only looks like {known}.")),
                    None => line.words(", a word that Runstate does not know."),
                }
            } else if missing_inputs.is_empty() {
                line.words(".")
            } else {
                line.words(&format!(", but has {missing_inputs}."))
            }
        }
        Some(Value::Time(_)) | None if missing_inputs.is_empty() => Line::default(),
        Some(Value::Time(_)) | None => Line::new(&format!("There is {missing_inputs}.")),
    }
}
