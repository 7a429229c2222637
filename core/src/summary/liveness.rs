//! Sentences about a run without a current heartbeat.

use super::Context;
use super::Sentences;
use super::line::Line;
use super::waiting::wake_time;
use crate::evidence::{Signal, Value};
use crate::format;
use crate::run::nodes::in_state;
use crate::smithers::wire::{NodeState, ReasonBlocked, ReasonUnhealthy};
use crate::time::Millis;

/// The engine's heartbeat expired; the engine may still be working.
pub(super) fn stale(context: &Context) -> Sentences {
    match &context.view.unhealthy {
        Some(ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at }) => {
            let silent = silence(context, last_heartbeat_at);
            let rest = context.tense.pick(". It may still be working.", ". It may still have been working.");
            (silent.words(rest), last_node(context))
        }
        Some(ReasonUnhealthy::TimerOverdue { wake_at, .. }) => overdue(context, wake_at),
        Some(
            reason @ (ReasonUnhealthy::UiHeartbeatStale { .. }
            | ReasonUnhealthy::DbLock
            | ReasonUnhealthy::SandboxUnreachable
            | ReasonUnhealthy::SupervisorBackoff { .. }
            | ReasonUnhealthy::Foreign(_)),
        ) => (unhealthy(context, reason), last_node(context)),
        None => {
            let words = context.tense.pick(
                "The engine has not reported. It may still be working.",
                "The engine had not reported. It may still have been working.",
            );
            (Line::new(words), last_node(context))
        }
    }
}

/// The engine's heartbeat expired, and the owner is gone.
pub(super) fn orphaned(context: &Context) -> Sentences {
    let silent = match &context.view.unhealthy {
        Some(ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at }) => {
            silence(context, last_heartbeat_at)
        }
        Some(
            reason @ (ReasonUnhealthy::TimerOverdue { .. }
            | ReasonUnhealthy::UiHeartbeatStale { .. }
            | ReasonUnhealthy::DbLock
            | ReasonUnhealthy::SandboxUnreachable
            | ReasonUnhealthy::SupervisorBackoff { .. }
            | ReasonUnhealthy::Foreign(_)),
        ) => return (unhealthy(context, reason), last_node(context)),
        None => Line::new(context.tense.pick("The engine has not reported", "The engine had not reported")),
    };
    let owner = context
        .run
        .evidence()
        .and_then(|evidence| evidence.inputs.iter().find(|input| input.name == Signal::Owner));
    let rest = match owner.map(|input| &input.value) {
        Some(Value::Absent) => {
            context.tense.pick(" and no owner is registered.", " and no owner was registered.")
        }
        Some(Value::Word(_) | Value::Text(_) | Value::Time(_)) => {
            context.tense.pick(" and its owner is gone.", " and its owner was gone.")
        }
        None => context.tense.pick(" and no owner is there to go on.", " and no owner was there to go on."),
    };
    (silent.words(rest), last_node(context))
}

/// A supervisor takes the run over.
pub(super) fn recovering(context: &Context) -> Sentences {
    let line = Line::new(
        context.tense.pick("The supervisor is taking the run over", "The supervisor was taking the run over"),
    );
    match &context.view.unhealthy {
        Some(ReasonUnhealthy::SupervisorBackoff { attempt, next_at }) => {
            (line.words(&format!(": attempt {}.", format::count(attempt.0))), next_try(context, next_at))
        }
        Some(
            reason @ (ReasonUnhealthy::EngineHeartbeatStale { .. }
            | ReasonUnhealthy::TimerOverdue { .. }
            | ReasonUnhealthy::UiHeartbeatStale { .. }
            | ReasonUnhealthy::DbLock
            | ReasonUnhealthy::SandboxUnreachable
            | ReasonUnhealthy::Foreign(_)),
        ) => (line.words("."), unhealthy(context, reason)),
        None => (line.words("."), Line::default()),
    }
}

/// A timer is due and the run was not woken.
pub(super) fn overdue(context: &Context, wake_at: &str) -> Sentences {
    let reason = context.view.blocked.as_ref().and_then(ReasonBlocked::node_id);
    let node_id =
        reason.or_else(|| in_state(context.run, NodeState::WaitingTimer).first().map(|node| node.id));
    let start = node_id.map_or_else(|| Line::new("A timer"), |id| Line::new("The timer at ").node(id));
    let rest = context
        .tense
        .pick(" is overdue and nobody has woken the run.", " was overdue and nobody had woken the run.");
    let meta = Millis::parse_iso(wake_at).map(|at| wake_time(context, at));
    (start.words(rest), meta.unwrap_or_default())
}

/// The problem, as a separate sentence.
pub(super) fn unhealthy(context: &Context, reason: &ReasonUnhealthy) -> Line {
    match reason {
        ReasonUnhealthy::EngineHeartbeatStale { last_heartbeat_at } => {
            silence(context, last_heartbeat_at).words(".")
        }
        ReasonUnhealthy::TimerOverdue { wake_at, .. } => {
            let (sentence, meta) = overdue(context, wake_at);
            sentence.add_sentence(meta)
        }
        ReasonUnhealthy::UiHeartbeatStale { last_seen_at } => {
            let line = Line::new("The viewer that recorded this had lost its connection");
            match Millis::parse_iso(last_seen_at) {
                Some(at) => line.words("; its last update was at ").time(at, context.tense.now).words("."),
                None => line.words("."),
            }
        }
        ReasonUnhealthy::DbLock => {
            Line::new(context.tense.pick("The run's database is locked.", "The run's database was locked."))
        }
        ReasonUnhealthy::SandboxUnreachable => Line::new(
            context
                .tense
                .pick("A sandbox of the run does not respond.", "A sandbox of the run did not respond."),
        ),
        ReasonUnhealthy::SupervisorBackoff { attempt, next_at } => {
            let start = context
                .tense
                .pick("The supervisor waits before try ", "The supervisor was waiting before try ");
            let line = Line::new(start).words(&format!("{}.", format::count(attempt.0)));
            line.add_sentence(next_try(context, next_at))
        }
        ReasonUnhealthy::Foreign(foreign) => Line::new(
            context.tense.pick("The server says that the run is unhealthy: ", "The run was unhealthy: "),
        )
        .code(foreign.kind())
        .words(". Runstate does not know this kind."),
    }
}

fn silence(context: &Context, last_heartbeat_at: &str) -> Line {
    let start = context.tense.pick("The engine has not reported", "The engine had not reported");
    Line::new(start).words(&context.tense.for_duration(Millis::parse_iso(last_heartbeat_at)))
}

fn next_try(context: &Context, next_at: &str) -> Line {
    let Some(at) = Millis::parse_iso(next_at) else {
        return Line::default();
    };
    match context.tense.until(at) {
        Some(left) => {
            let start = context.tense.pick("Next try ", "The next try was ");
            Line::new(start).append(left).words(", ").time(at, context.tense.now).words(".")
        }
        None => Line::new("The next try was due ").append(context.tense.since(at)).words("."),
    }
}

/// The newest node that was in progress.
fn last_node(context: &Context) -> Line {
    let newest = in_state(context.run, NodeState::InProgress).into_iter().max_by(|a, b| {
        a.started_at
            .map(|at| at.0)
            .partial_cmp(&b.started_at.map(|at| at.0))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let Some(node) = newest else {
        return Line::default();
    };
    let line = Line::new("Last node: ").place(&node);
    match node.started_at {
        Some(at) => line.words(", started ").append(context.tense.since(at)).words("."),
        None => line.words("."),
    }
}
