//! Sentences about waiting runs.

use super::end::first_words;
use super::line::Line;
use super::{Context, Sentences};
use crate::format;
use crate::log::{Settled, WaitOutcome};
use crate::number::Number;
use crate::run::nodes::{Place, in_state, named};
use crate::smithers::wire::{NodeState, ProviderCode, ReasonBlocked};
use crate::time::Millis;
use crate::tree::Node;
use crate::word::Word;

/// The reason for waiting, as the server names it.
pub(super) fn blocked(context: &Context, reason: &ReasonBlocked) -> Sentences {
    match reason {
        ReasonBlocked::Approval { node_id, requested_at } => {
            let node = named(context.run, node_id, NodeState::WaitingApproval);
            let asked = Millis::parse_iso(requested_at)
                .map(|at| Line::new("Asked ").append(context.tense.since(at)).words("."));
            (decision(context, &node), question(context, &node).add_sentence(asked.unwrap_or_default()))
        }
        ReasonBlocked::Event { node_id, correlation_key } => event(context, node_id, correlation_key),
        ReasonBlocked::Timer { node_id, wake_at } => timer(context, node_id, wake_at),
        ReasonBlocked::Provider { node_id, code } => provider(context, node_id, code),
        ReasonBlocked::Tool { node_id, tool_name, code } => {
            (tool(context, node_id, tool_name, code), Line::default())
        }
        ReasonBlocked::ApprovalDecidedResumeRequired { node_id } => {
            let rest = if context.run.reason_is_new {
                // The engine usually goes on within a second.
                context.tense.pick(" is decided.", " was decided.")
            } else {
                context.tense.pick(
                    " is decided. The run must be resumed to go on.",
                    " was decided. The run had to be resumed to go on.",
                )
            };
            (Line::new("The approval at ").node(node_id).words(rest), Line::default())
        }
        ReasonBlocked::ExternalTrigger => (
            Line::new(context.tense.pick(
                "Waiting for something outside to start the run again.",
                "Was waiting for something outside to start the run again.",
            )),
            Line::new("No node of the run is ready to go on."),
        ),
        ReasonBlocked::Quota { quota_blocked_count, reset_at_ms } => {
            (quota_sentence(context), quota_meta(context, *quota_blocked_count, *reset_at_ms))
        }
        ReasonBlocked::Foreign(foreign) => (
            Line::unknown_word(
                context.tense.pick("The server gives the reason ", "The server gave the reason "),
                foreign.kind(),
            ),
            Line::default(),
        ),
    }
}

/// A run that waits without a reason from the server.
pub(super) fn without_reason(context: &Context, state: NodeState, what: &str) -> Sentences {
    let start = context.tense.pick("Waiting for ", "Was waiting for ");
    let line = at_nodes(Line::new(start).words(what), context, state);
    (line.words("."), Line::new("Since when is not known."))
}

/// A run whose wait has ended, and that had not gone on when the log did.
pub(super) fn wait_is_over(context: &Context, settled: &Settled) -> Sentences {
    let rest = if settled.is_last { "; the run had not gone on when the log ended." } else { "." };
    let at = settled.at.filter(|at| at.0.is_finite());
    let since = at.map(|at| Line::new("That was ").append(context.tense.since(at)).words("."));
    (outcome(settled).words(rest), since.unwrap_or_default())
}

/// How a wait ended, without the end of the sentence.
pub(super) fn outcome(settled: &Settled) -> Line {
    let (start, end) = match settled.outcome {
        WaitOutcome::Approved => ("Approved at ", ""),
        WaitOutcome::AutoApproved => ("Approved by a policy at ", ""),
        WaitOutcome::Denied => ("Denied at ", ""),
        WaitOutcome::Fired => ("The timer at ", " has fired"),
        WaitOutcome::TimerCancelled => ("The timer at ", " was cancelled"),
    };
    Line::new(start).node_iteration(&settled.node_id, settled.iteration).words(end)
}

/// A run that waits for a decision which nobody is asked for.
pub(super) fn without_request(context: &Context) -> Sentences {
    let line = Line::new(context.tense.pick("Waiting", "Was waiting"));
    let line = at_nodes(line, context, NodeState::WaitingApproval);
    let rest = context.tense.pick(", but no decision is pending.", ", but no decision was pending.");
    let advice = context.tense.pick(
        "The Gateway lists no request of this run. If that stays so, only cancelling the run ends the wait.",
        "The Gateway listed no request of this run. If that stays so, only cancelling the run ends the wait.",
    );
    (line.words(rest), Line::new(advice))
}

/// Adds the nodes in a state.
fn at_nodes(line: Line, context: &Context, state: NodeState) -> Line {
    let nodes = in_state(context.run, state);
    let ids: Vec<&str> = nodes.iter().map(|node| node.id).collect();
    match &*nodes {
        [] => line,
        [node] => line.words(" at ").place(node),
        _ => line.words(" at ").node_list(&ids),
    }
}

pub(super) fn quota_sentence(context: &Context) -> Line {
    let line = Line::new(context.tense.pick("Waiting for provider quota", "Was waiting for provider quota"));
    let nodes = in_state(context.run, NodeState::WaitingQuota);
    let ids: Vec<&str> = nodes.iter().map(|node| node.id).collect();
    if ids.is_empty() { line.words(".") } else { line.words(" at ").node_list(&ids).words(".") }
}

fn decision(context: &Context, node: &Place<'_>) -> Line {
    let start = context.tense.pick("Waiting for a decision at ", "Was waiting for a decision at ");
    Line::new(start).place(node).words(".")
}

/// The question of an approval, and what it is about: the label of its node, else the title of the request, and its summary.
fn question(context: &Context, node: &Place<'_>) -> Line {
    let tree = context.run.tree.as_ref();
    let found = tree.and_then(|tree| Some(tree.node(tree.find_node(node.id, Some(node.iteration))?)));
    let request = context.run.approval_at(node);
    // Without a title, Smithers makes one of the workflow's key and the node: `human:ask`.
    let is_made = |title: &str| title.rsplit_once(':').is_some_and(|(_, id)| id == node.id);
    let title = request.and_then(|request| request.title.as_deref()).filter(|title| !is_made(title));
    let label = found.and_then(Node::label).or(title).filter(|label| *label != node.id);
    let question = label.and_then(first_words).map(|label| Line::new(&format!("“{label}”")));
    let about = request.and_then(|request| first_words(request.summary.as_deref()?));
    let about = about.map(|about| {
        let end = if about.ends_with(['.', '!', '?', '…']) { "" } else { "." };
        Line::new(&format!("{about}{end}"))
    });
    question.unwrap_or_default().add_sentence(about.unwrap_or_default())
}

fn event(context: &Context, node_id: &str, key: &str) -> Sentences {
    let node = named(context.run, node_id, NodeState::WaitingEvent);
    let line = if key.is_empty() {
        Line::new(context.tense.pick("Waiting for an event at ", "Was waiting for an event at "))
    } else {
        let start = context.tense.pick("Waiting for event ", "Was waiting for event ");
        Line::new(start).code(key).words(" at ")
    };
    let since = node.started_at.or(node.updated_at);
    let meta = since.filter(|_| !context.tense.is_past()).map(|at| {
        let waited = context.tense.for_duration(Some(at));
        let start =
            Line::new("Waiting").words(&waited).words(if waited.is_empty() { " since " } else { ", since " });
        start.time(at, context.tense.now).words(".")
    });
    (line.place(&node).words("."), meta.unwrap_or_default())
}

fn timer(context: &Context, node_id: &str, wake_at: &str) -> Sentences {
    let node = named(context.run, node_id, NodeState::WaitingTimer);
    let line = Line::new(context.tense.pick("Sleeping at ", "Was sleeping at ")).place(&node);
    let Some(at) = Millis::parse_iso(wake_at) else {
        return (
            line.words("."),
            Line::new("The wake-up time is ").code(wake_at).words(", which is not a time."),
        );
    };
    (line.words(" until ").time(at, context.tense.now).words("."), wake_time(context, at))
}

/// When a timer wakes its node, or should have.
pub(super) fn wake_time(context: &Context, at: Millis) -> Line {
    match context.tense.until(at) {
        Some(left) => Line::new(context.tense.pick("Wakes ", "Was to wake ")).append(left).words("."),
        None if context.tense.time_is_unknown() => {
            Line::new(context.tense.pick("Wakes at ", "Was to wake at "))
                .time(at, context.tense.now)
                .words(".")
        }
        None => Line::new("Should have woken ").append(context.tense.since(at)).words("."),
    }
}

fn provider(context: &Context, node_id: &str, code: &Word<ProviderCode>) -> Sentences {
    let start =
        match code {
            Word::Known(ProviderCode::Auth) => Line::new(context.tense.pick(
                "The provider refused the credentials at ",
                "The provider had refused the credentials at ",
            )),
            Word::Known(ProviderCode::RateLimit) => Line::new(context.tense.pick(
                "The provider's rate limit is reached at ",
                "The provider's rate limit was reached at ",
            )),
            Word::Known(ProviderCode::Timeout) => Line::new(
                context.tense.pick("The provider did not respond at ", "The provider had not responded at "),
            ),
            Word::Foreign(code) => {
                Line::new(context.tense.pick("The provider responds with ", "The provider responded with "))
                    .code(code)
                    .words(" at ")
            }
        };
    let advice = match code {
        Word::Known(ProviderCode::Auth) => ". Renew the credentials, then resume.",
        Word::Foreign(_) => ". Runstate does not know it.",
        Word::Known(ProviderCode::RateLimit | ProviderCode::Timeout) => ".",
    };
    (start.node(node_id).words("."), Line::new("Code ").code(code.as_str()).words(advice))
}

fn tool(context: &Context, node_id: &str, tool_name: &str, code: &str) -> Line {
    let blocked = context.tense.pick(" is blocked at ", " was blocked at ");
    let line = Line::new("Tool ").code(tool_name).words(blocked).node(node_id);
    line.words(" with code ").code(code).words(".")
}

fn quota_meta(context: &Context, blocked: Number, reset_at_ms: Option<Number>) -> Line {
    let reset = reset_at_ms.map(|at| Millis(at.0)).map(|at| match context.tense.until(at) {
        Some(left) => Line::new(context.tense.pick("Resets ", "Was to reset "))
            .append(left)
            .words(", ")
            .time(at, context.tense.now)
            .words("."),
        None if context.tense.time_is_unknown() => {
            Line::new(context.tense.pick("Resets at ", "Was to reset at "))
                .time(at, context.tense.now)
                .words(".")
        }
        None => Line::new("Should have reset ").append(context.tense.since(at)).words("."),
    });
    let blocked = match blocked.0 {
        1.0 => Line::new(context.tense.pick("1 node is held back.", "1 node was held back.")),
        many => Line::new(&format!(
            "{} nodes {} held back.",
            format::count(many),
            context.tense.pick("are", "were")
        )),
    };
    reset.unwrap_or_default().add_sentence(blocked)
}
