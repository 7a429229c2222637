//! The functions of lionagi: rows and signals in, words out.

use runstate::json::ReadError;
use runstate::lionagi::{StoredStatus, calls};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::json;
use crate::error::unread;
use crate::source::Js;
use crate::write::value_of;

/// One argument.
fn one(value: &JsValue, path: &str, call: fn(&str) -> Result<String, ReadError>) -> Result<JsValue, JsValue> {
    let answer = call(&json(value, path)?).map_err(|error| unread(path, &error.message, None))?;
    Ok(value_of(&answer))
}

/// A row and what is known beside it; nothing beside it when left out.
fn two(
    row: &JsValue,
    beside: &JsValue,
    paths: [&str; 2],
    call: fn(&str, &str) -> Result<String, ReadError>,
) -> Result<JsValue, JsValue> {
    let given = json(row, paths[0])?;
    let beside = if beside.is_undefined() { "{}".to_owned() } else { json(beside, paths[1])? };
    // Which of the two it was: the row alone is read first, and a probe of nothing refuses nothing.
    let read = call(&given, &beside).map_err(|error| {
        let path = if calls::effective_state(&given, "{}").is_err() { paths[0] } else { paths[1] };
        unread(path, &error.message, None)
    })?;
    Ok(value_of(&read))
}

/// `classify_session_health`.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = classifyHealth, skip_typescript)]
pub fn classify_health(session: &JsValue, probe: &JsValue) -> Result<JsValue, JsValue> {
    two(session, probe, ["session", "probe"], calls::classify_health)
}

/// `worst_health`.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = worstHealth, skip_typescript)]
pub fn worst_health(list: &JsValue) -> Result<JsValue, JsValue> {
    one(list, "list", calls::worst_health)
}

/// What is shown in one pill; `null` where the session has no status.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = effectiveState, skip_typescript)]
pub fn effective_state(session: &JsValue, signals: &JsValue) -> Result<JsValue, JsValue> {
    two(session, signals, ["session", "signals"], calls::effective_state)
}

/// The projection onto ADR-0033's axes.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = normalizeState, skip_typescript)]
pub fn normalize_state(row: &JsValue, signals: &JsValue) -> Result<JsValue, JsValue> {
    two(row, signals, ["row", "signals"], calls::normalize_state)
}

/// Severity and tone by ADR-0033's cascade.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = deriveSeverity, skip_typescript)]
pub fn derive_severity(axes: &JsValue) -> Result<JsValue, JsValue> {
    one(axes, "axes", calls::derive_severity)
}

/// Whether ADR-0025 lets a status follow another; from NULL nothing follows.
///
/// # Errors
/// `INVALID_INPUT` where one is no text.
#[wasm_bindgen(js_name = canTransition, skip_typescript)]
pub fn can_transition(from: &JsValue, to: &JsValue) -> Result<bool, JsValue> {
    let to = Js::new(to).text("to")?;
    if from.is_null() {
        return Ok(false);
    }
    Ok(runstate::lionagi::can_transition(&Js::new(from).text("from")?, &to))
}

/// The exit code that belongs to a status; `null` where none does.
///
/// # Errors
/// `INVALID_INPUT` where it is neither text nor `null`.
#[wasm_bindgen(js_name = exitCode, skip_typescript)]
pub fn exit_code(status: &JsValue) -> Result<JsValue, JsValue> {
    let status = if status.is_null() { None } else { Some(Js::new(status).text("status")?) };
    let code = runstate::lionagi::exit_code(&StoredStatus::new(status.as_deref()));
    Ok(code.map_or(JsValue::NULL, JsValue::from))
}
