//! The functions for lionagi, which derive words from rows and signals (seed 001). A row may have any columns, so it is
//! passed to the core as JSON.

use js_sys::{Object, Reflect};
use runstate::json::ReadError;
use runstate::lionagi::derive;
use runstate::lionagi::derive::json_api;
use runstate::lionagi::wire::StoredStatus;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{json, read, refused};
use crate::error::Error;
use crate::names::{refuse_milliseconds, refuse_misspelt};
use crate::output::to_js;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("lionagi.d.ts");

/// Returns the health of a session by the rule of lionagi's `classify_session_health`. Times are seconds since 1970.
///
/// # Errors
/// `INVALID_INPUT` if an argument does not match its type.
#[wasm_bindgen(js_name = classifyHealth, unchecked_return_type = "HealthVerdict")]
pub fn classify_health(
    #[wasm_bindgen(unchecked_param_type = "LionagiSession")] session: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "HealthProbe")] probe: &JsValue,
) -> Result<JsValue, Error> {
    let verdict = with_signals([session, probe], ["session", "probe"], json_api::classify_health_json)?;
    Ok(to_js(&verdict)?)
}

/// Returns the worst of several healths by the rule of lionagi's `worst_health`; `healthy` for an empty list.
///
/// # Errors
/// `INVALID_INPUT` if the argument is not a list of known words.
#[wasm_bindgen(js_name = worstHealth, unchecked_return_type = "SessionHealth")]
pub fn worst_health(
    #[wasm_bindgen(unchecked_param_type = "readonly SessionHealth[]")] list: &JsValue,
) -> Result<JsValue, Error> {
    let worst = json_api::worst_health_json(&json(list, "list")?).map_err(|error| unread("list", &error))?;
    Ok(to_js(&worst)?)
}

/// Returns the state of a session as one text that combines status and health, such as `stale running`; `legacy` if the
/// status is `null`, and `null` if the row has no status.
///
/// # Errors
/// `INVALID_INPUT` if an argument does not match its type.
#[wasm_bindgen(js_name = effectiveState, unchecked_return_type = "string | null")]
pub fn effective_state(
    #[wasm_bindgen(unchecked_param_type = "LionagiSession")] session: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "LionagiSignals")] signals: &JsValue,
) -> Result<JsValue, Error> {
    let state = with_signals([session, signals], ["session", "signals"], json_api::effective_state_json)?;
    Ok(to_js(&state)?)
}

/// Returns the normalized state of a session by ADR-0033: lifecycle, outcome, health, delivery and severity. `evaluated_at`
/// is in seconds since 1970.
///
/// # Errors
/// `INVALID_INPUT` if an argument does not match its type.
#[wasm_bindgen(js_name = normalizeState, unchecked_return_type = "NormalizedState")]
pub fn normalize_state(
    #[wasm_bindgen(unchecked_param_type = "LionagiSession")] row: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "LionagiSignals")] signals: &JsValue,
) -> Result<JsValue, Error> {
    let state = with_signals([row, signals], ["row", "signals"], json_api::normalize_state_json)?;
    Ok(to_js(&state)?)
}

/// Returns severity and tone by the rules of ADR-0033, which apply in order; unknown words are ignored.
///
/// # Errors
/// `INVALID_INPUT` if the argument does not match its type.
#[wasm_bindgen(js_name = deriveSeverity, unchecked_return_type = "SeverityVerdict")]
pub fn derive_severity(
    #[wasm_bindgen(unchecked_param_type = "SeverityAxes")] axes: &JsValue,
) -> Result<JsValue, Error> {
    let verdict =
        json_api::derive_severity_json(&json(axes, "axes")?).map_err(|error| unread("axes", &error))?;
    Ok(to_js(&verdict)?)
}

/// Returns whether ADR-0025 allows the transition between two statuses. `completed_empty`, which the ADR does not define,
/// may follow `running`, as in lionagi's releases. `null`, a row without a status, has no transitions.
///
/// # Errors
/// `INVALID_INPUT` if `from` is neither text nor `null`, or `to` is not text.
#[wasm_bindgen(js_name = canTransition)]
pub fn can_transition(
    #[wasm_bindgen(unchecked_param_type = "string | null")] from: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] to: &JsValue,
) -> Result<bool, Error> {
    let (from, to) = (status(from, "from")?, read::<String>(to, "to")?);
    Ok(from.is_some_and(|from| derive::can_transition(&from, &to)))
}

/// Returns the exit code of a status; `null` for `running` and for unknown words.
///
/// # Errors
/// `INVALID_INPUT` if the status is neither text nor `null`.
#[wasm_bindgen(js_name = exitCode, unchecked_return_type = "number | null")]
pub fn exit_code(
    #[wasm_bindgen(js_name = status, unchecked_param_type = "string | null")] word: &JsValue,
) -> Result<JsValue, Error> {
    let status = StoredStatus::new(status(word, "status")?.as_deref());
    Ok(derive::exit_code(&status).map_or(JsValue::NULL, JsValue::from))
}

/// A status; `null` stands for a row without one, `undefined` is refused.
fn status(word: &JsValue, path: &str) -> Result<Option<String>, Error> {
    if word.is_undefined() { Err(refused(path, "a text or null", word)) } else { read(word, path) }
}

/// The columns of a session's row that the rules read, and the signals besides.
const ROW: [&str; 7] = [
    "status",
    "invocation_kind",
    "message_count",
    "last_message_at",
    "updated_at",
    "started_at",
    "effective_health",
];
const SIGNALS: [&str; 5] = ["now", "processAlive", "hasArtifacts", "hasStaleLocks", "health"];

/// Refuses times in milliseconds: `now`, and columns such as `updated_at`.
fn refuse_times(value: &JsValue, path: &str) -> Result<(), Error> {
    if !value.is_object() {
        return Ok(());
    }
    for name in Object::keys(value.unchecked_ref::<Object>()).iter().filter_map(|name| name.as_string()) {
        if name == "now" || name.ends_with("_at") {
            let time = Reflect::get(value, &name.as_str().into())?;
            refuse_milliseconds(&time, &format!("{path}.{name}"))?;
        }
    }
    Ok(())
}

/// Calls the core with a row and the signals that complete it.
fn with_signals<T>(
    [row, signals]: [&JsValue; 2],
    [row_path, signals_path]: [&str; 2],
    call: fn(&str, &str) -> Result<T, ReadError>,
) -> Result<T, Error> {
    const NONE: &str = "{}";
    refuse_times(row, row_path)?;
    refuse_times(signals, signals_path)?;
    refuse_misspelt(row, row_path, &ROW)?;
    refuse_misspelt(signals, signals_path, &SIGNALS)?;
    let row = json(row, row_path)?;
    let signals = if signals.is_undefined() { NONE.to_owned() } else { json(signals, signals_path)? };
    call(&row, &signals).map_err(|error| {
        let row_is_wrong = json_api::effective_state_json(&row, NONE).is_err();
        unread(if row_is_wrong { row_path } else { signals_path }, &error)
    })
}

fn unread(path: &str, error: &ReadError) -> Error {
    Error::unreadable(path, &error.message, None)
}
