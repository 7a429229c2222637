//! Reads the arguments of `deriveRunState` and `computeRunState` from a JavaScript-shaped value.
//!
//! Read is what the run's status asks for, as the released functions do: a value that the answer does not rest on is
//! not judged. What the contract's types exclude is refused with the place, what was expected and what was found. In
//! lists of rows, a column of another type is passed over, as the released reader does, so that the other rows count.
//!
//! The caller says how its values are looked at ([`Source`]): the WebAssembly module does so for
//! JavaScript's, this one for `serde_json`'s.
//!
//! ```
//! use runstate::smithers::input::{
//!     DeriveInput, Options, read_approvals, read_attempts, read_compute_options, read_derive_input, read_nodes,
//!     read_run, read_sandboxes,
//! };
//! use runstate::smithers::{InvalidInput, Kind, Source, derive_run_state};
//! use runstate::time::Millis;
//! use serde_json::{Value, json};
//!
//! struct Js(Option<Value>);
//!
//! impl Source for Js {
//!     fn kind(&self) -> Kind {
//!         match &self.0 {
//!             None => Kind::Undefined,
//!             Some(Value::Null) => Kind::Null,
//!             Some(Value::Bool(value)) => Kind::Bool(*value),
//!             Some(Value::Number(value)) => Kind::Number(value.as_f64().unwrap_or(f64::NAN)),
//!             Some(Value::String(value)) => Kind::Text(value.clone()),
//!             Some(Value::Array(_)) => Kind::List,
//!             Some(Value::Object(_)) => Kind::Object,
//!         }
//!     }
//!     fn field(&self, name: &str) -> Self {
//!         Js(self.0.as_ref().and_then(|value| value.get(name)).cloned())
//!     }
//!     fn items(&self) -> Vec<Self> {
//!         self.0.iter().filter_map(Value::as_array).flatten().cloned().map(|item| Js(Some(item))).collect()
//!     }
//! }
//!
//! // The whole argument of `deriveRunState`, then the answer.
//! let argument = Js(Some(json!({"run": {"runId": "r1", "status": "finished"}, "now": 1_700_000_000_000_f64})));
//! let input = read_derive_input(&argument)?;
//! let view = derive_run_state(&input.signals(Millis(0.0), None)).unwrap().view;
//! assert_eq!((view.state.as_str(), view.computed_at.as_deref()), ("succeeded", Some("2023-11-14T22:13:20.000Z")));
//!
//! // A value that the answer rests on is refused with its place.
//! let row = Js(Some(json!({"runId": "r1", "status": "running", "heartbeatAtMs": "soon"})));
//! let refused: InvalidInput = read_run(&row).unwrap_err();
//! assert_eq!(refused.path, "run.heartbeatAtMs");
//!
//! // Row by row, as `computeRunState` asks for them.
//! let row = read_run(&Js(Some(json!({"runId": "r1", "status": "waiting-timer"}))))?;
//! assert_eq!(read_compute_options(&Js(None), &row)?, Options::default());
//! assert_eq!(read_nodes(&Js(Some(json!([{"nodeId": "nap", "state": "waiting-timer"}]))))?[0].node_id, "nap");
//! assert_eq!(read_approvals(&Js(Some(json!([]))))?, []);
//! assert_eq!(read_attempts(&Js(Some(json!([{"state": 7}]))))?[0].state, None);
//! assert!(read_sandboxes(&Js(Some(json!("none")))).is_err());
//! assert_eq!(DeriveInput::new(row).options, Options::default());
//! # Ok::<(), InvalidInput>(())
//! ```

use super::derive::DeriveRunStateInput;
use super::pending::{OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};
use super::value::{InvalidInput, Kind, Place, Source, list, number, text};
use super::{ApprovalRow, AttemptRow, NodeRow, RunRow, RunStatus, SandboxRow};
use crate::time::Millis;
use crate::word::Word;

/// The argument of `deriveRunState`, read.
///
/// See [the module](self) for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct DeriveInput {
    /// The run; the fields that the derivation does not read are left out.
    pub run: RunRow,
    /// The oldest approval that nobody has decided.
    pub pending_approval: Option<PendingApproval>,
    /// The timer that fires next.
    pub pending_timer: Option<PendingTimer>,
    /// The event that the run waits for.
    pub pending_event: Option<PendingEvent>,
    /// Why the run is parked when no node waits for an event.
    pub parked_event_block: Option<ParkedEventBlock>,
    /// The last reports of the active sandboxes.
    pub sandbox_heartbeats: Option<Vec<f64>>,
    /// The options.
    pub options: Options,
}

/// The numbers that say how to derive.
///
/// See [the module](self) for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// The moment of the answer; the caller's clock when `None`.
    pub now: Option<f64>,
    /// The age beyond which a sign of life is old, milliseconds.
    pub stale_threshold_ms: Option<f64>,
    /// How long a timer may be overdue before that is said, milliseconds.
    pub timer_overdue_grace_ms: Option<f64>,
    /// How far `now` may be off, milliseconds; `None` where nobody asks, and then nothing is doubted.
    pub error_ms: Option<f64>,
}

impl DeriveInput {
    /// The run alone, every option at its default.
    ///
    /// See [the module](self) for an example.
    pub fn new(run: RunRow) -> Self {
        Self {
            run,
            pending_approval: None,
            pending_timer: None,
            pending_event: None,
            parked_event_block: None,
            sandbox_heartbeats: None,
            options: Options::default(),
        }
    }

    /// The input of [`derive_run_state`](super::derive_run_state); `clock` counts where the argument had no `now`.
    ///
    /// See [the module](self) for an example.
    pub fn signals<'a>(
        &'a self,
        clock: Millis,
        is_owner_pid_alive: Option<OwnerProbe<'a>>,
    ) -> DeriveRunStateInput<'a> {
        DeriveRunStateInput {
            run: (&self.run).into(),
            pending_approval: self.pending_approval.clone(),
            pending_timer: self.pending_timer.clone(),
            pending_event: self.pending_event.clone(),
            now: self.options.now.map_or(clock, Millis),
            stale_threshold_ms: self.options.stale_threshold_ms,
            read_from: None,
            parked_event_block: self.parked_event_block.clone(),
            sandbox_heartbeats: self.sandbox_heartbeats.clone(),
            timer_overdue_grace_ms: self.options.timer_overdue_grace_ms,
            is_owner_pid_alive,
        }
    }
}

/// Reads the argument of `deriveRunState`.
///
/// See [the module](self) for an example.
///
/// # Errors
/// [`InvalidInput`] for the first value that the answer rests on and that the contract's types exclude.
pub fn read_derive_input<S: Source>(input: &S) -> Result<DeriveInput, InvalidInput> {
    let input = Place::object(input, "input")?;
    let run = read_run(&input.field("run"))?;
    let status = known_status(&run);
    let options = options(&input, status)?;
    let mut found = DeriveInput { options, ..DeriveInput::new(run) };
    match status {
        Some(RunStatus::WaitingApproval) => {
            found.pending_approval = optional_object(&input, "pendingApproval", pending_approval)?;
        }
        Some(RunStatus::WaitingTimer) => {
            found.pending_timer = optional_object(&input, "pendingTimer", pending_timer)?;
        }
        Some(RunStatus::WaitingEvent) => {
            found.pending_event = optional_object(&input, "pendingEvent", pending_event)?;
            if found.pending_event.is_none() {
                found.parked_event_block = optional_object(&input, "parkedEventBlock", parked_event_block)?;
            }
        }
        Some(RunStatus::Running) => found.sandbox_heartbeats = sandbox_heartbeats(&input)?,
        Some(
            RunStatus::WaitingQuota
            | RunStatus::Paused
            | RunStatus::Finished
            | RunStatus::Continued
            | RunStatus::Failed
            | RunStatus::Cancelled,
        )
        | None => {}
    }
    Ok(found)
}

/// Reads a run row; of its fields those that its status asks for.
///
/// A status that is no text is an unknown word, as in the released package: the state is `unknown`.
///
/// See [the module](self) for an example.
///
/// # Errors
/// [`InvalidInput`] for the first value that the answer rests on and that the contract's types exclude.
pub fn read_run<S: Source>(run: &S) -> Result<RunRow, InvalidInput> {
    let place = Place::object(run, "run")?;
    let mut run = bare_row(place.text("runId")?);
    run.status = match place.field("status").kind() {
        Kind::Undefined | Kind::Null => None,
        Kind::Text(status) => Some(Word::new(&status)),
        other @ (Kind::Bool(_) | Kind::Number(_) | Kind::List | Kind::Object | Kind::Other) => {
            Some(Word::Foreign(other.to_string().into()))
        }
    };
    if known_status(&run) == Some(RunStatus::Running) {
        run.started_at_ms = place.optional_number("startedAtMs")?;
        run.heartbeat_at_ms = place.optional_number("heartbeatAtMs")?;
        run.runtime_owner_id = place.optional_text("runtimeOwnerId")?;
    }
    if known_status(&run) == Some(RunStatus::WaitingQuota) {
        run.error_json = place.optional_text("errorJson")?;
    }
    Ok(run)
}

/// Reads the options of `computeRunState` for this run; nothing at all is every default.
///
/// See [the module](self) for an example.
///
/// # Errors
/// [`InvalidInput`] for the first value that the answer rests on and that the contract's types exclude.
pub fn read_compute_options<S: Source>(value: &S, run: &RunRow) -> Result<Options, InvalidInput> {
    if value.kind() == Kind::Undefined {
        return Ok(Options::default());
    }
    options(&Place::object(value, "options")?, known_status(run))
}

/// Reads how far `now` may be off, from the field `errorMs`: infinite where nothing bounds it.
///
/// ```
/// # use runstate::smithers::{InvalidInput, Kind, Source, input::read_error_ms};
/// # struct Js(f64);
/// # impl Source for Js {
/// #     fn kind(&self) -> Kind { Kind::Number(self.0) }
/// #     fn field(&self, _: &str) -> Self { Self(self.0) }
/// #     fn items(&self) -> Vec<Self> { Vec::new() }
/// # }
/// assert_eq!(read_error_ms(&Js(40_000.0), "options")?, Some(40_000.0));
/// assert_eq!(read_error_ms(&Js(f64::INFINITY), "options")?, Some(f64::INFINITY));
/// assert_eq!(read_error_ms(&Js(-1.0), "options").unwrap_err().path, "options.errorMs");
/// # Ok::<(), InvalidInput>(())
/// ```
///
/// # Errors
/// [`InvalidInput`] where it is neither left out nor a number from 0.
pub fn read_error_ms<S: Source>(options: &S, path: &str) -> Result<Option<f64>, InvalidInput> {
    let place = Place::new(options, path);
    let error_ms = place.option("errorMs")?;
    if error_ms.is_none_or(|error_ms| error_ms >= 0.0) {
        return Ok(error_ms);
    }
    Err(place.refuse("errorMs", "a number from 0", &place.field("errorMs").kind()))
}

/// Reads the answer of `listPendingApprovals`.
///
/// See [the module](self) for an example.
///
/// # Errors
/// [`InvalidInput`] where it is no list of approvals.
pub fn read_approvals<S: Source>(rows: &S) -> Result<Vec<ApprovalRow>, InvalidInput> {
    rows_of(rows, "listPendingApprovals", |row| {
        let requested_at_ms = row.loose_number("requestedAtMs");
        // An approval without a time is passed over, so nothing else of it matters.
        let node_id = if requested_at_ms.is_some() { row.text("nodeId")? } else { String::new() };
        Ok(ApprovalRow { node_id, requested_at_ms })
    })
}

/// Reads the answer of `listNodes`.
///
/// See [the module](self) for an example.
///
/// # Errors
/// [`InvalidInput`] where it is no list of nodes.
pub fn read_nodes<S: Source>(rows: &S) -> Result<Vec<NodeRow>, InvalidInput> {
    rows_of(rows, "listNodes", |row| {
        Ok(NodeRow {
            node_id: row.text("nodeId")?,
            iteration: row.optional_number("iteration")?,
            state: row.loose_text("state"),
        })
    })
}

/// Reads the answer of `listAttempts`.
///
/// See [the module](self) for an example.
///
/// # Errors
/// [`InvalidInput`] where it is no list of attempts.
pub fn read_attempts<S: Source>(rows: &S) -> Result<Vec<AttemptRow>, InvalidInput> {
    rows_of(rows, "listAttempts", |row| {
        Ok(AttemptRow { state: row.loose_text("state"), meta_json: row.loose_text("metaJson") })
    })
}

/// Reads the answer of `listSandboxes`; an element that is nothing is a sandbox of which nothing is known.
///
/// See [the module](self) for an example.
///
/// # Errors
/// [`InvalidInput`] where it is no list.
pub fn read_sandboxes<S: Source>(rows: &S) -> Result<Vec<SandboxRow>, InvalidInput> {
    let items = list(rows, "listSandboxes")?;
    let row = |item: S| {
        if item.kind() != Kind::Object {
            return SandboxRow::default();
        }
        SandboxRow {
            status: text(item.field("status").kind()),
            heartbeat_at_ms: number(&item.field("heartbeatAtMs").kind()),
        }
    };
    Ok(items.into_iter().map(row).collect())
}

fn known_status(run: &RunRow) -> Option<RunStatus> {
    run.status.as_ref().and_then(Word::known)
}

fn bare_row(run_id: String) -> RunRow {
    RunRow {
        run_id,
        status: None,
        parent_run_id: None,
        workflow_name: None,
        workflow_key: None,
        created_at_ms: None,
        started_at_ms: None,
        finished_at_ms: None,
        heartbeat_at_ms: None,
        runtime_owner_id: None,
        error_json: None,
        cancel_requested_at_ms: None,
        pause_requested_at_ms: None,
        summary: None,
        run_state: None,
        failed_children: None,
        failed_child_keys: None,
    }
}

fn options<S: Source>(place: &Place<S>, status: Option<RunStatus>) -> Result<Options, InvalidInput> {
    let mut options = Options { now: place.option("now")?, ..Options::default() };
    if matches!(status, Some(RunStatus::Running | RunStatus::WaitingTimer)) {
        options.error_ms = read_error_ms(place.value(), place.path())?;
    }
    if status == Some(RunStatus::Running) {
        options.stale_threshold_ms = place.option("staleThresholdMs")?;
    }
    if status == Some(RunStatus::WaitingTimer) {
        options.timer_overdue_grace_ms = place.option("timerOverdueGraceMs")?;
    }
    Ok(options)
}

fn pending_approval<S: Source>(found: &Place<S>) -> Result<PendingApproval, InvalidInput> {
    Ok(PendingApproval { node_id: found.text("nodeId")?, requested_at_ms: found.number("requestedAtMs")? })
}

fn pending_timer<S: Source>(found: &Place<S>) -> Result<PendingTimer, InvalidInput> {
    Ok(PendingTimer { node_id: found.text("nodeId")?, fires_at_ms: found.number("firesAtMs")? })
}

fn pending_event<S: Source>(found: &Place<S>) -> Result<PendingEvent, InvalidInput> {
    Ok(PendingEvent { node_id: found.text("nodeId")?, correlation_key: found.text("correlationKey")? })
}

fn parked_event_block<S: Source>(found: &Place<S>) -> Result<ParkedEventBlock, InvalidInput> {
    match found.text("kind")?.as_str() {
        "external-trigger" => Ok(ParkedEventBlock::ExternalTrigger),
        "approval-decided-resume-required" => {
            Ok(ParkedEventBlock::ApprovalDecidedResumeRequired { node_id: found.text("nodeId")? })
        }
        _ => {
            let expected = "\"approval-decided-resume-required\" or \"external-trigger\"";
            Err(found.refuse("kind", expected, &found.field("kind").kind()))
        }
    }
}

fn sandbox_heartbeats<S: Source>(input: &Place<S>) -> Result<Option<Vec<f64>>, InvalidInput> {
    let value = input.field("sandboxHeartbeats");
    if value.kind() == Kind::Undefined {
        return Ok(None);
    }
    let numbers =
        list(&value, "input.sandboxHeartbeats")?.into_iter().filter_map(|item| number(&item.kind()));
    Ok(Some(numbers.collect()))
}

fn optional_object<S: Source, T>(
    input: &Place<S>,
    name: &str,
    read: impl FnOnce(&Place<S>) -> Result<T, InvalidInput>,
) -> Result<Option<T>, InvalidInput> {
    let value = input.field(name);
    match value.kind() {
        Kind::Undefined | Kind::Null => Ok(None),
        Kind::Object => read(&Place::new(&value, name)).map(Some),
        other => Err(input.refuse(name, "an object or null", &other)),
    }
}

fn rows_of<S: Source, T>(
    rows: &S,
    name: &str,
    read: impl Fn(&Place<S>) -> Result<T, InvalidInput>,
) -> Result<Vec<T>, InvalidInput> {
    let mut found = Vec::new();
    for (index, item) in list(rows, name)?.iter().enumerate() {
        found.push(read(&Place::object(item, &format!("{name}[{index}]"))?)?);
    }
    Ok(found)
}
