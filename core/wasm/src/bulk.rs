//! `deriveRunStates`: many rows in one text, many views in one answer.

use js_sys::{Date, Function};
use runstate::smithers::input::{Options, read_error_ms};
use runstate::smithers::{DeriveRunStateInput, RowSignals, RunStateViews, read_row_signals};
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
            error_ms: read_error_ms(options, "options")?,
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
    let Some(first) = rows.first() else { return Ok("[]".to_owned()) };
    let now = Millis(options.now.unwrap_or_else(Date::now));
    let probe = Probe::new(probe);
    let mut views = RunStateViews::default();
    let written = probe.during(|is_owner_pid_alive| {
        let mut input = DeriveRunStateInput {
            stale_threshold_ms: options.stale_threshold_ms,
            timer_overdue_grace_ms: options.timer_overdue_grace_ms,
            is_owner_pid_alive,
            ..DeriveRunStateInput::new(first, now)
        };
        for run in rows {
            input.run = run.into();
            match options.error_ms {
                Some(error_ms) => views.push_by_clock(&input, error_ms)?,
                None => views.push(&input)?,
            }
            if probe.has_thrown() {
                break;
            }
        }
        Ok(())
    });
    written?.map_err(invalid_time)?;
    Ok(views.finish())
}
