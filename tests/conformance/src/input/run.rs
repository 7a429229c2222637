//! The run's row.

use super::known_status;
use super::value::{InvalidInput, Kind, Place, ValueSource};
use runstate::smithers::wire::{RunRow, RunStatus};
use runstate::word::Word;

/// Reads a run row; of its fields those that its status asks for.
///
/// A status that is no text is an unknown word, as in the released package: the state is `unknown`.
///
/// # Errors
/// [`InvalidInput`] for the first value that the answer rests on and that the contract's types exclude.
pub fn read_run<S: ValueSource>(run: &S) -> Result<RunRow, InvalidInput> {
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

fn bare_row(run_id: String) -> RunRow {
    let mut row = RunRow::default();
    row.run_id = run_id;
    row
}
