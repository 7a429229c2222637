//! `deriveRunState`, and what it shares with `computeRunState`: the run, the options and the answer.

use std::cell::RefCell;

use js_sys::{Date, Function};
use runstate::smithers::{
    DeriveRunStateInput, Gathered, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer, RunSignals,
    RunStatus, derive_run_state,
};
use runstate::time::Millis;
use runstate::word::Word;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::invalid_time;
use crate::read::At;
use crate::view::view_to_js;

/// What a run is doing, from rows in memory.
///
/// # Errors
/// `INVALID_INPUT` where the input is not what its type says, `INVALID_TIME` where `toISOString` throws, and whatever
/// `isOwnerPidAlive` throws.
#[wasm_bindgen(js_name = deriveRunState, skip_typescript)]
pub fn derive(input: &JsValue) -> Result<JsValue, JsValue> {
    let input = At::argument(input, "input");
    let run = Run::read(&input.field("run")?)?;
    let gathered = Gathered {
        pending_approval: input.field("pendingApproval")?.optional(approval)?,
        pending_timer: input.field("pendingTimer")?.optional(timer)?,
        pending_event: input.field("pendingEvent")?.optional(event)?,
        parked_event_block: input.field("parkedEventBlock")?.optional(parked)?,
        sandbox_heartbeats: input.field("sandboxHeartbeats")?.given(|list| list.each(|at| at.number()))?,
    };
    answer(&run, gathered, &Options::read(&input)?)
}

/// The answer for a run and what was gathered around it.
pub(crate) fn answer(run: &Run, gathered: Gathered, options: &Options) -> Result<JsValue, JsValue> {
    let thrown = RefCell::new(None);
    let probe = options.is_owner_pid_alive.as_ref();
    let is_alive = |pid: f64| probe.is_none_or(|probe| ask(probe, pid, &thrown));
    let derivation = derive_run_state(&DeriveRunStateInput {
        run: run.into(),
        pending_approval: gathered.pending_approval,
        pending_timer: gathered.pending_timer,
        pending_event: gathered.pending_event,
        now: Millis(options.now.unwrap_or_else(Date::now)),
        stale_threshold_ms: options.stale_threshold_ms,
        read_from: None,
        parked_event_block: gathered.parked_event_block,
        sandbox_heartbeats: gathered.sandbox_heartbeats,
        timer_overdue_grace_ms: options.timer_overdue_grace_ms,
        is_owner_pid_alive: probe.is_some().then_some(&is_alive),
    });
    match (thrown.take(), derivation) {
        (Some(thrown), _) => Err(thrown),
        (None, Ok(derivation)) => Ok(view_to_js(&derivation.view)),
        (None, Err(error)) => Err(invalid_time(error)),
    }
}

/// Asks the caller's probe; what it throws is kept, to be thrown on instead of an answer.
fn ask(probe: &Function, pid: f64, thrown: &RefCell<Option<JsValue>>) -> bool {
    match probe.call1(&JsValue::UNDEFINED, &pid.into()) {
        Ok(alive) => alive.is_truthy(),
        Err(error) => {
            thrown.replace(Some(error));
            true
        }
    }
}

/// The fields of a run's row that the derivation reads; the row may have any others.
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) status: Option<Word<RunStatus>>,
    started_at_ms: Option<f64>,
    heartbeat_at_ms: Option<f64>,
    runtime_owner_id: Option<String>,
    error_json: Option<String>,
}

impl Run {
    pub(crate) fn read(run: &At<'_>) -> Result<Self, JsValue> {
        Ok(Self {
            id: run.field("runId")?.text()?,
            status: run.field("status")?.optional(At::text)?.map(|status| Word::new(&status)),
            started_at_ms: run.field("startedAtMs")?.optional(At::number)?,
            heartbeat_at_ms: run.field("heartbeatAtMs")?.optional(At::number)?,
            runtime_owner_id: run.field("runtimeOwnerId")?.optional(At::text)?,
            error_json: run.field("errorJson")?.optional(At::text)?,
        })
    }
}

impl<'a> From<&'a Run> for RunSignals<'a> {
    fn from(run: &'a Run) -> Self {
        Self {
            run_id: &run.id,
            status: run.status.as_ref(),
            started_at_ms: run.started_at_ms,
            heartbeat_at_ms: run.heartbeat_at_ms,
            runtime_owner_id: run.runtime_owner_id.as_deref(),
            error_json: run.error_json.as_deref(),
        }
    }
}

/// What `deriveRunState` and `computeRunState` may be told. `null` is refused: upstream takes it for 0 here, which
/// nobody means.
pub(crate) struct Options {
    now: Option<f64>,
    stale_threshold_ms: Option<f64>,
    timer_overdue_grace_ms: Option<f64>,
    is_owner_pid_alive: Option<Function>,
}

impl Options {
    pub(crate) fn read(options: &At<'_>) -> Result<Self, JsValue> {
        Ok(Self {
            now: options.field("now")?.given(At::number)?,
            stale_threshold_ms: options.field("staleThresholdMs")?.given(At::number)?,
            timer_overdue_grace_ms: options.field("timerOverdueGraceMs")?.given(At::number)?,
            is_owner_pid_alive: options.field("isOwnerPidAlive")?.function()?,
        })
    }
}

fn approval(at: &At<'_>) -> Result<PendingApproval, JsValue> {
    let (node_id, requested_at_ms) = (at.field("nodeId")?.text()?, at.field("requestedAtMs")?.number()?);
    Ok(PendingApproval { node_id, requested_at_ms })
}

fn timer(at: &At<'_>) -> Result<PendingTimer, JsValue> {
    Ok(PendingTimer { node_id: at.field("nodeId")?.text()?, fires_at_ms: at.field("firesAtMs")?.number()? })
}

fn event(at: &At<'_>) -> Result<PendingEvent, JsValue> {
    let (node_id, correlation_key) = (at.field("nodeId")?.text()?, at.field("correlationKey")?.text()?);
    Ok(PendingEvent { node_id, correlation_key })
}

fn parked(at: &At<'_>) -> Result<ParkedEventBlock, JsValue> {
    let kind = at.field("kind")?;
    match kind.text()?.as_str() {
        "external-trigger" => Ok(ParkedEventBlock::ExternalTrigger),
        "approval-decided-resume-required" => {
            Ok(ParkedEventBlock::ApprovalDecidedResumeRequired { node_id: at.field("nodeId")?.text()? })
        }
        _ => Err(kind.refuse("approval-decided-resume-required or external-trigger")),
    }
}
