//! Reads the events of a recorded WebSocket (protocol section 3.5).

use super::{Collector, Context, Statement, quoted_word};
use crate::frame::{DevToolsEvent, DevToolsMessage, read_refusal};
use crate::ingest::partial;
use crate::json::{ReadError, Slice, fields};
use crate::log::{ApprovalOutcome, Effect, PushedEvent};
use crate::run::{Fact, NodeEvent, RunInspection, StateEvent, server_witness};
use crate::smithers::wire::{Boundary, GatewayEvent, NodeState, RunStateView};
use crate::text::concat;
use crate::word::{Vocabulary, Word};

impl Collector {
    /// Reads an event. Ticks and events that are not about a run are ignored.
    pub(super) fn read_event(&mut self, event: &str, payload: Slice<'_>, context: Context<'_>) {
        let statement = match GatewayEvent::from_word(event) {
            Some(GatewayEvent::DevTools) => self.read_devtools_event(payload, context),
            Some(GatewayEvent::DevToolsError | GatewayEvent::RunError) => stream_error(payload).map(Some),
            Some(GatewayEvent::Gap) => read_gap(payload),
            Some(GatewayEvent::Run) => read_wrapped_event(payload, context),
            Some(GatewayEvent::Challenge | GatewayEvent::Tick | GatewayEvent::Heartbeat) => Ok(None),
            Some(GatewayEvent::RunCompleted | GatewayEvent::ApprovalDecided) | None => {
                read_run_event(event, payload, context)
            }
        };
        match statement {
            Ok(Some(statement)) => self.add(context.at, statement),
            Ok(None) => {}
            Err(error) => self.add_read_error(payload.whole(), &error, context),
        }
    }

    /// Reads a delta or a snapshot. A damaged snapshot is read as far as possible.
    fn read_devtools_event(
        &mut self,
        payload: Slice<'_>,
        context: Context<'_>,
    ) -> Result<Option<Statement>, ReadError> {
        let [event] = fields(payload, ["event"])?;
        let [kind, snapshot] = fields(payload.need("event", event)?, ["kind", "snapshot"])?;
        let is_snapshot = kind.and_then(Slice::text).as_deref() == Some("snapshot");
        let Some(snapshot) = snapshot.filter(|_| is_snapshot) else {
            let message = DevToolsMessage::parse(payload.json())
                .map_err(|error| ReadError { offset: error.offset + payload.begin(), ..error })?;
            let DevToolsMessage { run_id, event, .. } = message;
            return Ok(match event {
                DevToolsEvent::Delta(delta) => Some(Statement::Fact { run_id, fact: Fact::Delta(delta) }),
                // The snapshot is read below.
                DevToolsEvent::Snapshot(_) => None,
            });
        };
        let (run, problems) = partial::read(snapshot, "runState of the snapshot")?;
        self.problems.append(problems.in_file(context.name, context.part));
        let run_id = run.run_id.clone().unwrap_or_default();
        let fact = Fact::Snapshot { run: Box::new(run), old: false };
        Ok(Some(Statement::Fact { run_id, fact }))
    }
}

fn stream_error(payload: Slice<'_>) -> Result<Statement, ReadError> {
    let [error] = fields(payload, ["error"])?;
    Ok(Statement::Refusal(read_refusal(error.unwrap_or(payload), Some("streamDevTools"))))
}

/// Reads a gap: events were lost, and the event contains the current state.
fn read_gap(payload: Slice<'_>) -> Result<Option<Statement>, ReadError> {
    let [view] = fields(payload, ["runState"])?;
    let Some(view) = view.filter(|view| view.is_object()) else { return Ok(None) };
    let view = RunStateView::read(view)?;
    let run_id = view.run_id.clone();
    let run = RunInspection {
        run_id: Some(run_id.clone()),
        verdict: Some(server_witness(view, None, GatewayEvent::Gap.as_str())),
        ..RunInspection::default()
    };
    Ok(Some(Statement::Fact { run_id, fact: Fact::Answer(Box::new(run)) }))
}

fn read_wrapped_event(payload: Slice<'_>, context: Context<'_>) -> Result<Option<Statement>, ReadError> {
    let [event, inner] = fields(payload, ["event", "payload"])?;
    match (event.and_then(Slice::text), inner) {
        (Some(event), Some(inner)) => read_run_event(&event, inner, context),
        (_, _) => Ok(None),
    }
}

fn read_run_event(
    event: &str,
    payload: Slice<'_>,
    context: Context<'_>,
) -> Result<Option<Statement>, ReadError> {
    let read_from = || context.name.map_or_else(|| quoted_word(event), |name| concat(&[event, " in ", name]));
    let run_id = || {
        let [run_id] = fields(payload, ["runId"])?;
        payload.need("runId", run_id)?.read_text()
    };
    let effect = match PushedEvent::read(event, payload) {
        Some(PushedEvent::Completed(None)) => return Err(payload.refuse("Expected a `status` as text.")),
        Some(pushed @ (PushedEvent::Completed(Some(_)) | PushedEvent::RunState { .. })) => {
            let event = StateEvent { event: pushed, name: event.to_owned(), read_from: read_from() };
            return Ok(Some(Statement::Fact { run_id: run_id()?, fact: Fact::State(event) }));
        }
        Some(PushedEvent::TimeTravel) => {
            return Ok(Some(Statement::Fact { run_id: run_id()?, fact: Fact::Rewind }));
        }
        Some(PushedEvent::BoundaryCrossed) => {
            let run_id = run_id()?;
            return Ok(Boundary::read(payload.json())
                .map(|boundary| Statement::Fact { run_id, fact: Fact::Boundary(boundary) }));
        }
        Some(PushedEvent::Other(effect)) => effect,
        Some(PushedEvent::Gap | PushedEvent::NodesReset) | None => return Ok(None),
    };
    let Some(state) = node_state(effect) else { return Ok(None) };
    let [node_id, iteration, attempt] = fields(payload, ["nodeId", "iteration", "attempt"])?;
    let is_retrying = effect == Effect::Retrying;
    let node = NodeEvent {
        node_id: payload.need("nodeId", node_id)?.read_text()?,
        iteration: iteration.map(Slice::read_small).transpose()?,
        state: Word::Known(state),
        attempt: attempt.map(Slice::read_small).transpose()?.filter(|_| !is_retrying),
        is_retrying,
        event: event.to_owned(),
        read_from: read_from(),
    };
    Ok(Some(Statement::Fact { run_id: run_id()?, fact: Fact::Node(node) }))
}

/// Returns the state that the server's node list contains after the event.
fn node_state(effect: Effect) -> Option<NodeState> {
    if let Effect::ApprovalDecided(decision) = effect {
        // An approval lets the node begin; a denial ends it.
        return match decision {
            ApprovalOutcome::Granted => Some(NodeState::Pending),
            ApprovalOutcome::Denied => Some(NodeState::Failed),
            ApprovalOutcome::AutoApproved => None,
        };
    }
    // The server's row stays `failed` until the next attempt starts.
    if effect == Effect::Retrying { Some(NodeState::Failed) } else { effect.node_state() }
}
