//! Reads the arguments of `deriveRunState` and `computeRunState` from a JavaScript-shaped value.
//!
//! What the contract's types exclude is refused with the place, what was expected and what was found. In lists of
//! rows, a column of another type is passed over as the released reader does, so that the other rows still count.

use super::derive::{
    DeriveRunStateInput, OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer,
};
use super::value::{InvalidInput, Kind, Place, Source, list, number, text};
use super::{ApprovalRow, AttemptRow, NodeRow, RunRow, SandboxRow};
use crate::time::Millis;
use crate::word::Word;

/// The argument of `deriveRunState`, read.
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// The moment of the answer; the caller's clock when `None`.
    pub now: Option<f64>,
    /// The age beyond which a sign of life is old, milliseconds.
    pub stale_threshold_ms: Option<f64>,
    /// How long a timer may be overdue before that is said, milliseconds.
    pub timer_overdue_grace_ms: Option<f64>,
}

impl DeriveInput {
    /// The input of [`derive_run_state`](super::derive_run_state); `clock` counts where the argument had no `now`.
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
/// # Errors
/// [`InvalidInput`] for the first value that the contract's types exclude.
pub fn read_derive_input<S: Source>(input: &S) -> Result<DeriveInput, InvalidInput> {
    let input = Place::object(input, "input")?;
    Ok(DeriveInput {
        run: read_run(&input.field("run"))?,
        pending_approval: optional_object(&input, "pendingApproval", |found| {
            Ok(PendingApproval {
                node_id: found.text("nodeId")?,
                requested_at_ms: found.number("requestedAtMs")?,
            })
        })?,
        pending_timer: optional_object(&input, "pendingTimer", |found| {
            Ok(PendingTimer { node_id: found.text("nodeId")?, fires_at_ms: found.number("firesAtMs")? })
        })?,
        pending_event: optional_object(&input, "pendingEvent", |found| {
            Ok(PendingEvent {
                node_id: found.text("nodeId")?,
                correlation_key: found.text("correlationKey")?,
            })
        })?,
        parked_event_block: optional_object(&input, "parkedEventBlock", parked_event_block)?,
        sandbox_heartbeats: sandbox_heartbeats(&input)?,
        options: options(&input)?,
    })
}

/// Reads a run row; of its fields those that the derivation reads.
///
/// # Errors
/// [`InvalidInput`] for the first value that the contract's types exclude.
pub fn read_run<S: Source>(run: &S) -> Result<RunRow, InvalidInput> {
    let run = Place::object(run, "run")?;
    Ok(RunRow {
        run_id: run.text("runId")?,
        status: run.optional_text("status")?.map(|status| Word::new(&status)),
        parent_run_id: None,
        workflow_name: None,
        workflow_key: None,
        created_at_ms: None,
        started_at_ms: run.optional_number("startedAtMs")?,
        finished_at_ms: None,
        heartbeat_at_ms: run.optional_number("heartbeatAtMs")?,
        runtime_owner_id: run.optional_text("runtimeOwnerId")?,
        error_json: run.optional_text("errorJson")?,
        cancel_requested_at_ms: None,
        pause_requested_at_ms: None,
        summary: None,
        run_state: None,
        failed_children: None,
        failed_child_keys: None,
    })
}

/// Reads the options of `computeRunState`; nothing at all is every default.
///
/// # Errors
/// [`InvalidInput`] for the first value that the contract's types exclude.
pub fn read_compute_options<S: Source>(value: &S) -> Result<Options, InvalidInput> {
    if value.kind() == Kind::Undefined {
        return Ok(Options::default());
    }
    options(&Place::object(value, "options")?)
}

/// Reads the answer of `listPendingApprovals`.
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
/// # Errors
/// [`InvalidInput`] where it is no list of attempts.
pub fn read_attempts<S: Source>(rows: &S) -> Result<Vec<AttemptRow>, InvalidInput> {
    rows_of(rows, "listAttempts", |row| {
        Ok(AttemptRow { state: row.loose_text("state"), meta_json: row.loose_text("metaJson") })
    })
}

/// Reads the answer of `listSandboxes`; an element that is nothing is a sandbox of which nothing is known.
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

fn options<S: Source>(place: &Place<S>) -> Result<Options, InvalidInput> {
    Ok(Options {
        now: place.option("now")?,
        stale_threshold_ms: place.option("staleThresholdMs")?,
        timer_overdue_grace_ms: place.option("timerOverdueGraceMs")?,
    })
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
    let row = |(index, item): (usize, S)| read(&Place::object(&item, &format!("{name}[{index}]"))?);
    list(rows, name)?.into_iter().enumerate().map(row).collect()
}
