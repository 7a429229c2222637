//! `deriveRunStates`: many rows in one text, many views in one answer.

use js_sys::{Date, Function};
use runstate::json::{ReadError, ReadErrorKind};
use runstate::smithers::input::{DeriveInput, Options};
use runstate::smithers::{RunRow, derive_run_state, read_run, read_runs};
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
    let rows = rows(&text)
        .map_err(|(error, line)| unread("rows", &error.message, Some((&text, line + error.offset))))?;
    views(rows, found, probe.as_ref()).map(|json| value_of(&json))
}

/// The rows; an error is counted from where its line begins.
fn rows(text: &str) -> Result<Vec<RunRow>, (ReadError, usize)> {
    if text.trim_ascii_start().starts_with('[') {
        let rows = read_runs(text).map_err(|error| (error, 0))?;
        // The list was read up to its end and no further.
        return if text.trim_ascii_end().ends_with(']') { Ok(rows) } else { Err((after_the_list(text), 0)) };
    }
    let mut begin = 0;
    let mut rows = Vec::new();
    for line in text.split('\n') {
        if !line.trim_ascii().is_empty() {
            rows.push(read_run(line).map_err(|error| (error, begin))?);
        }
        begin += line.len() + 1;
    }
    Ok(rows)
}

fn after_the_list(text: &str) -> ReadError {
    let message = "Expected the end of the text after the list.".to_owned();
    ReadError { kind: ReadErrorKind::Syntax, offset: text.trim_ascii_end().len(), message }
}

fn views(rows: Vec<RunRow>, options: Options, probe: Option<&Function>) -> Result<String, JsValue> {
    let now = Millis(options.now.unwrap_or_else(Date::now));
    let probe = Probe::new(probe);
    let mut views = String::from("[");
    for run in rows {
        let input = DeriveInput { options, ..DeriveInput::new(run) };
        let derivation = probe.during(|alive| derive_run_state(&input.signals(now, alive)))?;
        let view = derivation.map_err(invalid_time)?.view;
        if views.len() > 1 {
            views.push(',');
        }
        // A view holds texts and numbers, which JSON can always hold.
        views.push_str(&serde_json::to_string(&view).unwrap_or_default());
    }
    views.push(']');
    Ok(views)
}
