//! `deriveRunStates`: many rows in one text, many views in one answer.

use js_sys::{Date, Function};
use runstate::smithers::input::Options;
use runstate::smithers::{DeriveRunStateInput, RowSignals, derive_run_state_view, read_row_signals};
use runstate::time::Millis;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::document;
use crate::error::{invalid_time, unread};
use crate::run_state::Probe;
use crate::source::Js;
use crate::write::value_of;

/// What each run of a JSON array, or of NDJSON lines, is doing; the views in the order of the rows.
///
/// # Errors
/// `INVALID_INPUT` with the place in the text, `INVALID_TIME` as `deriveRunState`, and what `isOwnerPidAlive` throws.
#[wasm_bindgen(js_name = deriveRunStates, skip_typescript)]
pub fn derive_all(bytes: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let text = document(bytes, "rows")?;
    let source = Js::new(options);
    let found = source.read(|options| {
        if options.is_undefined() {
            return Ok(Options::default());
        }
        Ok(Options {
            now: options.option_number("now", "options.now")?,
            stale_threshold_ms: options.option_number("staleThresholdMs", "options.staleThresholdMs")?,
            timer_overdue_grace_ms: options
                .option_number("timerOverdueGraceMs", "options.timerOverdueGraceMs")?,
        })
    })?;
    let probe = if source.is_undefined() {
        None
    } else {
        source.function("isOwnerPidAlive", "options.isOwnerPidAlive")?
    };
    let rows = read_row_signals(&text)
        .map_err(|error| unread("rows", &error.message, Some((&text, error.offset))))?;
    views(&rows, found, probe.as_ref()).map(|json| value_of(&json))
}

fn views(rows: &[RowSignals], options: Options, probe: Option<&Function>) -> Result<String, JsValue> {
    let now = Millis(options.now.unwrap_or_else(Date::now));
    let probe = Probe::new(probe);
    let mut views = String::from("[");
    for run in rows {
        let input = DeriveRunStateInput {
            stale_threshold_ms: options.stale_threshold_ms,
            timer_overdue_grace_ms: options.timer_overdue_grace_ms,
            ..DeriveRunStateInput::new(run, now)
        };
        let view = probe.during(|is_owner_pid_alive| {
            derive_run_state_view(&DeriveRunStateInput { is_owner_pid_alive, ..input })
        })?;
        if views.len() > 1 {
            views.push(',');
        }
        view.map_err(invalid_time)?.write_json(&mut views);
    }
    views.push(']');
    Ok(views)
}
