//! Reads the arguments of `deriveRunState` and `computeRunState` from a JavaScript-shaped value.
//!
//! Reads only the fields that the run's status needs, as the released functions do: other values are not
//! validated. A value outside the contract's types is refused with its path, the expected and the found type. In
//! lists of rows, a column of another type is skipped, as in the released reader, so that the other rows are used.
//!
//! [`ValueSource`] abstracts from the caller's values.

mod options;
mod pending;
mod rows;
mod run;
mod value;

use runstate::smithers::derive::{
    DeriveRunStateInput, OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer,
};
pub use value::{InvalidInput, Kind, ValueSource};

use options::options;
pub use options::{InputOptions, read_compute_options, read_error_ms};
use pending::{
    optional_object, parked_event_block, pending_approval, pending_event, pending_timer, sandbox_heartbeats,
};
pub use rows::{read_approvals, read_attempts, read_nodes, read_sandboxes};
pub use run::read_run;
use runstate::smithers::wire::{RunRow, RunStatus};
use runstate::time::Millis;
use runstate::word::Word;
use value::Place;

/// The argument of `deriveRunState`, read.
#[derive(Clone, Debug, PartialEq)]
pub struct DeriveInput {
    /// The run; fields that the derivation does not read are omitted.
    pub run: RunRow,
    /// The oldest pending approval.
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
    pub options: InputOptions,
}

impl DeriveInput {
    /// Only the run, every option at its default.
    pub fn new(run: RunRow) -> Self {
        Self {
            run,
            pending_approval: None,
            pending_timer: None,
            pending_event: None,
            parked_event_block: None,
            sandbox_heartbeats: None,
            options: InputOptions::default(),
        }
    }

    /// The input of [`derive_run_state`](runstate::smithers::derive::derive_run_state); `clock` is used if the argument
    /// had no `now`.
    pub fn signals<'a>(
        &'a self,
        clock: Millis,
        is_owner_pid_alive: Option<OwnerProbe<'a>>,
    ) -> DeriveRunStateInput<'a> {
        let mut input = DeriveRunStateInput::new(&self.run, self.options.now.map_or(clock, Millis));
        input.pending_approval.clone_from(&self.pending_approval);
        input.pending_timer.clone_from(&self.pending_timer);
        input.pending_event.clone_from(&self.pending_event);
        input.stale_threshold_ms = self.options.stale_threshold_ms;
        input.parked_event_block.clone_from(&self.parked_event_block);
        input.sandbox_heartbeats.clone_from(&self.sandbox_heartbeats);
        input.timer_overdue_grace_ms = self.options.timer_overdue_grace_ms;
        input.is_owner_pid_alive = is_owner_pid_alive;
        input
    }
}

/// Reads the argument of `deriveRunState`.
///
/// # Errors
/// [`InvalidInput`] for the first value that the answer rests on and that the contract's types exclude.
pub fn read_derive_input<S: ValueSource>(input: &S) -> Result<DeriveInput, InvalidInput> {
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

fn known_status(run: &RunRow) -> Option<RunStatus> {
    run.status.as_ref().and_then(Word::known)
}
