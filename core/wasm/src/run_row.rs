//! The rows and signals that a run state is derived from. As upstream, only the fields that the status requires are
//! checked.

use js_sys::{Array, Function};
use runstate::smithers::derive;
use runstate::smithers::derive::DeriveRunStateInput;
use runstate::smithers::wire;
use runstate::smithers::wire::RunStatus;
use runstate::time::Millis;
use runstate::word::Word;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{Unchecked, read_object, read_options, refused};
use crate::error::Error;
use crate::names::{fields, refuse_misspelt, refuse_seconds, refuse_unknown};

/// The columns of a run row that the rule reads; a row may have others. Times are milliseconds since 1970.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    #[tsify(type = "string")]
    run_id: Unchecked,
    #[serde(default)]
    #[tsify(type = "string | null")]
    status: Unchecked,
    #[serde(default)]
    #[tsify(type = "number | null")]
    started_at_ms: Unchecked,
    #[serde(default)]
    #[tsify(type = "number | null")]
    heartbeat_at_ms: Unchecked,
    #[serde(default)]
    #[tsify(type = "string | null")]
    runtime_owner_id: Unchecked,
    /// JSON text; for a run in `waiting-quota`, the quota's numbers.
    #[serde(default)]
    #[tsify(type = "string | null")]
    error_json: Unchecked,
}

/// The options of a derivation. An option may be absent, but not `null`.
#[derive(Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct ComputeRunStateOptions {
    /// The time for which the state is derived, in milliseconds since 1970; by default the local clock's.
    #[tsify(type = "number")]
    now: Unchecked,
    /// The age in milliseconds beyond which a heartbeat is stale, by default 30 000.
    #[tsify(type = "number")]
    stale_threshold_ms: Unchecked,
    /// The milliseconds after which a timer that did not fire is reported as `timer-overdue`; without it, none is.
    #[tsify(type = "number")]
    timer_overdue_grace_ms: Unchecked,
    /// The maximum error of `now` in milliseconds; `Infinity` if it is not bounded. If an age may be on either side of its
    /// limit because of the error, the state is `unknown`. An error up to 5000 has no effect, because any two clocks may
    /// differ by as much.
    #[tsify(type = "number")]
    error_ms: Unchecked,
    /// Returns whether the owner's process is alive. Without it, a run with an owner is never `orphaned`.
    #[tsify(type = "(pid: number) => boolean")]
    is_owner_pid_alive: Unchecked,
}

/// The run row with the signals that the caller has read: what the run waits for, and the heartbeats of its sandboxes.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RunSignals {
    #[tsify(type = "RunRow")]
    run: Unchecked,
    #[serde(default)]
    #[tsify(type = "PendingApproval | null")]
    pending_approval: Unchecked,
    #[serde(default)]
    #[tsify(type = "PendingTimer | null")]
    pending_timer: Unchecked,
    #[serde(default)]
    #[tsify(type = "PendingEvent | null")]
    pending_event: Unchecked,
    #[serde(default)]
    #[tsify(type = "ParkedEventBlock | null")]
    parked_event_block: Unchecked,
    /// The last heartbeats of the active sandboxes, in milliseconds since 1970.
    #[serde(default)]
    #[tsify(type = "readonly number[]")]
    sandbox_heartbeats: Unchecked,
}

/// A pending approval. `requestedAtMs` is in milliseconds since 1970.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PendingApproval {
    node_id: String,
    requested_at_ms: f64,
}

/// The timer that fires next. `firesAtMs` is in milliseconds since 1970.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PendingTimer {
    node_id: String,
    fires_at_ms: f64,
}

/// The event that the run waits for.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PendingEvent {
    node_id: String,
    correlation_key: String,
}

/// The reason why a run waits for an event although no node does.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ParkedEventBlock {
    kind: ParkedKind,
    /// Required for `approval-decided-resume-required`.
    #[serde(default)]
    #[tsify(type = "string")]
    node_id: Unchecked,
}

/// The kinds of `ParkedEventBlock`.
#[derive(Clone, Copy, Deserialize, Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
pub enum ParkedKind {
    ApprovalDecidedResumeRequired,
    ExternalTrigger,
}

impl RunRow {
    /// Reads the row as the core does.
    pub(crate) fn read(row: &JsValue) -> Result<wire::RunRow, Error> {
        let found = read_object::<Self>(row, "run")?;
        refuse_misspelt(row, "run", fields::<Self>())?;
        found.check()
    }

    /// The row as the core reads it; a status that is not text is an unknown word, as in the upstream package.
    fn check(&self) -> Result<wire::RunRow, Error> {
        let status = self.status.value();
        let mut row = wire::RunRow::default();
        row.run_id = self.run_id.read("run.runId")?;
        row.status = match status.as_string() {
            Some(word) => Some(Word::new(&word)),
            None if status.is_undefined() || status.is_null() => None,
            None => Some(Word::Foreign("not a text".into())),
        };
        match known(&row) {
            Some(RunStatus::Running) => {
                row.started_at_ms = self.started_at_ms.read("run.startedAtMs")?;
                row.heartbeat_at_ms = self.heartbeat_at_ms.read("run.heartbeatAtMs")?;
                refuse_seconds(row.started_at_ms, "run.startedAtMs")?;
                refuse_seconds(row.heartbeat_at_ms, "run.heartbeatAtMs")?;
                row.runtime_owner_id = self.runtime_owner_id.read("run.runtimeOwnerId")?;
            }
            Some(RunStatus::WaitingQuota) => row.error_json = self.error_json.read("run.errorJson")?,
            Some(_) | None => {}
        }
        Ok(row)
    }
}

/// The status of a row, if Runstate knows it.
pub(crate) fn known(row: &wire::RunRow) -> Option<RunStatus> {
    row.status.as_ref().and_then(Word::known)
}

/// The options that the derivation of one run uses.
#[derive(Clone, Copy, Default)]
pub(crate) struct Options {
    pub(crate) now: Option<Millis>,
    pub(crate) stale_threshold_ms: Option<f64>,
    pub(crate) timer_overdue_grace_ms: Option<f64>,
    pub(crate) error_ms: Option<f64>,
}

impl ComputeRunStateOptions {
    /// Reads the options of a function that takes only these.
    pub(crate) fn read(options: &JsValue) -> Result<Self, Error> {
        let found = read_options(options, "options")?;
        refuse_unknown(options, "options", &[fields::<Self>()])?;
        Ok(found)
    }

    /// The options that a run with this status uses; `path` is the name of the argument.
    pub(crate) fn check(&self, path: &str, status: Option<RunStatus>) -> Result<Options, Error> {
        let mut options = Options { now: self.now(path)?, ..Options::default() };
        if matches!(status, Some(RunStatus::Running | RunStatus::WaitingTimer)) {
            options.error_ms = self.error_ms(path)?;
        }
        if status == Some(RunStatus::Running) {
            options.stale_threshold_ms = self.stale_threshold_ms(path)?;
        }
        if status == Some(RunStatus::WaitingTimer) {
            options.timer_overdue_grace_ms = self.timer_overdue_grace_ms(path)?;
        }
        Ok(options)
    }

    /// All options, for rows of any status.
    pub(crate) fn check_all(&self, path: &str) -> Result<Options, Error> {
        Ok(Options {
            now: self.now(path)?,
            stale_threshold_ms: self.stale_threshold_ms(path)?,
            timer_overdue_grace_ms: self.timer_overdue_grace_ms(path)?,
            error_ms: self.error_ms(path)?,
        })
    }

    /// The caller's `isOwnerPidAlive`.
    pub(crate) fn probe(&self, path: &str) -> Result<Option<Function>, Error> {
        let value = self.is_owner_pid_alive.value();
        match value.dyn_ref::<Function>() {
            None if value.is_undefined() => Ok(None),
            Some(function) => Ok(Some(function.clone())),
            None => Err(refused(&format!("{path}.isOwnerPidAlive"), "a function or nothing", value)),
        }
    }

    fn now(&self, path: &str) -> Result<Option<Millis>, Error> {
        let path = format!("{path}.now");
        let now: Option<f64> = self.now.optional(&path)?;
        refuse_seconds(now, &path)?;
        Ok(now.map(Millis))
    }

    fn stale_threshold_ms(&self, path: &str) -> Result<Option<f64>, Error> {
        self.stale_threshold_ms.optional(&format!("{path}.staleThresholdMs"))
    }

    fn timer_overdue_grace_ms(&self, path: &str) -> Result<Option<f64>, Error> {
        self.timer_overdue_grace_ms.optional(&format!("{path}.timerOverdueGraceMs"))
    }

    fn error_ms(&self, path: &str) -> Result<Option<f64>, Error> {
        error_ms(&self.error_ms, path)
    }
}

/// The maximum error of `now` in milliseconds: a number from 0, or infinite.
pub(crate) fn error_ms(value: &Unchecked, path: &str) -> Result<Option<f64>, Error> {
    let path = format!("{path}.errorMs");
    let found: Option<f64> = value.optional(&path)?;
    if found.is_none_or(|error_ms| error_ms >= 0.0) {
        return Ok(found);
    }
    Err(refused(&path, "a number from 0", value.value()))
}

impl RunSignals {
    pub(crate) fn row(&self) -> Result<wire::RunRow, Error> {
        RunRow::read(self.run.value())
    }

    /// Adds the signals that the run's status requires.
    pub(crate) fn add_to(
        &self,
        input: &mut DeriveRunStateInput<'_>,
        status: Option<RunStatus>,
    ) -> Result<(), Error> {
        match status {
            Some(RunStatus::WaitingApproval) => {
                let approval: Option<PendingApproval> = signal(&self.pending_approval, "pendingApproval")?;
                let asked_at = approval.as_ref().map(|found| found.requested_at_ms);
                refuse_seconds(asked_at, "pendingApproval.requestedAtMs")?;
                input.pending_approval =
                    approval.map(|found| derive::PendingApproval::new(found.node_id, found.requested_at_ms));
            }
            Some(RunStatus::WaitingTimer) => {
                let timer: Option<PendingTimer> = signal(&self.pending_timer, "pendingTimer")?;
                let fires_at = timer.as_ref().map(|found| found.fires_at_ms);
                refuse_seconds(fires_at, "pendingTimer.firesAtMs")?;
                input.pending_timer =
                    timer.map(|found| derive::PendingTimer::new(found.node_id, found.fires_at_ms));
            }
            Some(RunStatus::WaitingEvent) => {
                let event: Option<PendingEvent> = signal(&self.pending_event, "pendingEvent")?;
                input.pending_event =
                    event.map(|found| derive::PendingEvent::new(found.node_id, found.correlation_key));
                if input.pending_event.is_none() {
                    let parked: Option<ParkedEventBlock> =
                        signal(&self.parked_event_block, "parkedEventBlock")?;
                    input.parked_event_block = parked.map(|parked| parked.check()).transpose()?;
                }
            }
            Some(RunStatus::Running) => {
                let heartbeats: Option<Vec<Unchecked>> =
                    self.sandbox_heartbeats.optional("input.sandboxHeartbeats")?;
                input.sandbox_heartbeats =
                    heartbeats.map(|all| all.iter().filter_map(|at| at.value().as_f64()).collect());
            }
            Some(_) | None => {}
        }
        Ok(())
    }
}

/// Reads a signal: an object; `null` or `undefined` if there is none.
fn signal<T: DeserializeOwned>(value: &Unchecked, name: &str) -> Result<Option<T>, Error> {
    let found = value.value();
    if found.is_undefined() || found.is_null() {
        return Ok(None);
    }
    if !found.is_object() || Array::is_array(found) {
        return Err(refused(&format!("input.{name}"), "an object or null", found));
    }
    refuse_misspelt(found, name, fields::<T>())?;
    value.read(name).map(Some)
}

impl ParkedEventBlock {
    fn check(&self) -> Result<derive::ParkedEventBlock, Error> {
        Ok(match self.kind {
            ParkedKind::ExternalTrigger => derive::ParkedEventBlock::ExternalTrigger,
            ParkedKind::ApprovalDecidedResumeRequired => {
                derive::ParkedEventBlock::ApprovalDecidedResumeRequired {
                    node_id: self.node_id.read("parkedEventBlock.nodeId")?,
                }
            }
        })
    }
}
