//! What an event on a recorded WebSocket tells (protocol section 3.5).

use super::{Collector, Context, NodeEvent, Statement, named};
use crate::frame::{DevToolsEvent, DevToolsMessage, read_refusal};
use crate::ingest::partial;
use crate::json::{ReadError, Slice, fields};
use crate::run::RunInspection;
use crate::run::said;
use crate::smithers::wire::{Boundary, NodeState, RunStateView};
use crate::text::concat;
use crate::word::Word;

impl Collector {
    /// Takes in an event. Ticks and what is about no run are passed over.
    pub(super) fn event(&mut self, event: &str, payload: Slice<'_>, context: Context<'_>) {
        let told = match event {
            "devtools.event" => self.devtools(payload, context),
            "devtools.error" | "run.error" => stream_error(payload).map(Some),
            "run.gap_resync" => gap(payload),
            "run.event" => enveloped(payload, context),
            _ => about_run(event, payload, context),
        };
        match told {
            Ok(Some(statement)) => self.tell(context.at, statement),
            Ok(None) => {}
            Err(error) => self.unread(payload.whole(), &error, context),
        }
    }

    /// A delta, or a snapshot: of one that cannot be read whole what can be read.
    fn devtools(&mut self, payload: Slice<'_>, context: Context<'_>) -> Result<Option<Statement>, ReadError> {
        let [event] = fields(payload, ["event"])?;
        let [kind, snapshot] = fields(payload.need("event", event)?, ["kind", "snapshot"])?;
        let is_snapshot = kind.and_then(Slice::text).as_deref() == Some("snapshot");
        let Some(snapshot) = snapshot.filter(|_| is_snapshot) else {
            let message = DevToolsMessage::parse(payload.json())
                .map_err(|error| ReadError { offset: error.offset + payload.begin(), ..error })?;
            let DevToolsMessage { run_id, event, .. } = message;
            return Ok(match event {
                DevToolsEvent::Delta(delta) => Some(Statement::Delta { run_id, delta }),
                // It is read below.
                DevToolsEvent::Snapshot(_) => None,
            });
        };
        let (run, problems) = partial::read(snapshot, "runState of the snapshot")?;
        for problem in problems {
            self.note(context.problem("", None, &problem));
        }
        Ok(Some(Statement::Snapshot { run: Box::new(run), old: false }))
    }
}

fn stream_error(payload: Slice<'_>) -> Result<Statement, ReadError> {
    let [error] = fields(payload, ["error"])?;
    Ok(Statement::Refused(read_refusal(error.unwrap_or(payload), Some("streamDevTools"))))
}

/// The server says that events were lost, and what the run is doing now.
fn gap(payload: Slice<'_>) -> Result<Option<Statement>, ReadError> {
    let [view] = fields(payload, ["runState"])?;
    let Some(view) = view.filter(|view| view.is_object()) else { return Ok(None) };
    let view = RunStateView::read(view)?;
    Ok(Some(Statement::Run(Box::new(RunInspection {
        run_id: Some(view.run_id.clone()),
        verdict: said(view, None, "run.gap_resync"),
        ..RunInspection::default()
    }))))
}

fn enveloped(payload: Slice<'_>, context: Context<'_>) -> Result<Option<Statement>, ReadError> {
    let [event, inner] = fields(payload, ["event", "payload"])?;
    match (event.and_then(Slice::text), inner) {
        (Some(event), Some(inner)) => about_run(&event, inner, context),
        (_, _) => Ok(None),
    }
}

fn about_run(event: &str, payload: Slice<'_>, context: Context<'_>) -> Result<Option<Statement>, ReadError> {
    if event == "run.side_effect_boundary_crossed" {
        let [run_id] = fields(payload, ["runId"])?;
        let run_id = payload.need("runId", run_id)?.read_text()?;
        return Ok(Boundary::read(payload.json()).map(|boundary| Statement::Crossed { run_id, boundary }));
    }
    let read_from = || context.name.map_or_else(|| named(event), |name| concat(&[event, " in ", name]));
    let state = node_state(event);
    if state.is_none() && !matches!(event, "run.completed" | "run.time_travel_jumped") {
        return Ok(None);
    }
    let [run_id, status, node_id, iteration, attempt, approved] =
        fields(payload, ["runId", "status", "nodeId", "iteration", "attempt", "approved"])?;
    let run_id = payload.need("runId", run_id)?.read_text()?;
    let Some(state) = state else {
        return Ok(Some(match event {
            "run.completed" => Statement::Ended {
                run_id,
                status: payload.need("status", status)?.read_text()?,
                read_from: read_from(),
            },
            _ => Statement::Jumped { run_id },
        }));
    };
    // A no ends the node.
    let denied = event == "approval.decided" && approved.map(Slice::json) == Some("false");
    let state = if denied { NodeState::Failed } else { state };
    let node = NodeEvent {
        node_id: payload.need("nodeId", node_id)?.read_text()?,
        iteration: iteration.map(Slice::read_small).transpose()?,
        state: Word::Known(state),
        attempt: attempt.map(Slice::read_small).transpose()?.filter(|_| event != "node.retrying"),
        retrying: event == "node.retrying",
        event: event.to_owned(),
        read_from: read_from(),
    };
    Ok(Some(Statement::Node { run_id, node }))
}

/// The state that an event puts its node into.
fn node_state(event: &str) -> Option<NodeState> {
    Some(match event {
        // A yes lets the node begin.
        "node.pending" | "approval.decided" => NodeState::Pending,
        "node.started" => NodeState::InProgress,
        "node.finished" => NodeState::Finished,
        // `node.retrying` announces the wait: the server's own row stays `failed` until the next start.
        "node.failed" | "node.retrying" => NodeState::Failed,
        "node.skipped" => NodeState::Skipped,
        "node.cancelled" => NodeState::Cancelled,
        "node.waiting_approval" | "approval.requested" => NodeState::WaitingApproval,
        "node.waiting_timer" => NodeState::WaitingTimer,
        _ => return None,
    })
}
