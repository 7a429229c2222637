//! `deriveRunStates`: derives the states of many rows in one call.

use runstate::smithers::derive::{DeriveRunStateInput, OwnerProbe, derive_run_state_view};
use runstate::smithers::wire::{RunRow, RunStateView, read_rows};
use runstate::time::InvalidTime;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::text;
use crate::derive::{clock, with_probe};
use crate::error::Error;
use crate::names::refuse_seconds;
use crate::output::parse_own;
use crate::run_row::{ComputeRunStateOptions, Options};

/// Returns the state of each run of a JSON array of run rows, or of NDJSON with one row per line, in the order of the rows.
/// The rule is that of `deriveRunState`. This is faster than one call per row: the rows do not become JavaScript
/// objects, and all views are passed to JavaScript as one JSON text.
///
/// # Errors
/// `INVALID_INPUT` with the line and column for text that cannot be read, or if an option does not match its type;
/// `INVALID_TIME` for a time that no `Date` can represent. An exception of `isOwnerPidAlive` is rethrown.
#[wasm_bindgen(js_name = deriveRunStates, unchecked_return_type = "RunStateView[]")]
pub fn derive_run_states(
    #[wasm_bindgen(unchecked_param_type = "Content")] rows: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "ComputeRunStateOptions")] options: &JsValue,
) -> Result<JsValue, Error> {
    let text = text(rows, "rows")?;
    let given = ComputeRunStateOptions::read(options)?;
    let (options, probe) = (given.check_all("options")?, given.probe("options")?);
    let rows = read_rows(&text)
        .map_err(|error| Error::unreadable("rows", &error.message, Some((&text, error.offset))))?;
    for (place, row) in rows.iter().enumerate() {
        refuse_seconds(row.heartbeat_at_ms, &format!("rows[{place}].heartbeatAtMs"))?;
        refuse_seconds(row.started_at_ms, &format!("rows[{place}].startedAtMs"))?;
    }
    let views = with_probe(probe.as_ref(), |probe| derive(&rows, options, probe))?;
    parse_own(&serde_json::to_string(&views?)?)
}

fn derive(
    rows: &[RunRow],
    options: Options,
    is_owner_pid_alive: Option<OwnerProbe<'_>>,
) -> Result<Vec<RunStateView>, InvalidTime> {
    let view = |row| {
        let mut input = DeriveRunStateInput::new(row, clock(options));
        input.stale_threshold_ms = options.stale_threshold_ms;
        input.timer_overdue_grace_ms = options.timer_overdue_grace_ms;
        input.clock_error_ms = options.error_ms;
        input.is_owner_pid_alive = is_owner_pid_alive;
        derive_run_state_view(&input)
    };
    rows.iter().map(view).collect()
}
