//! The functions for lionagi, which map rows and signals to words. A row may have any columns, so it reaches the core
//! as JSON.

use runstate::json::ReadError;
use runstate::lionagi::derive;
use runstate::lionagi::derive::json_api;
use runstate::lionagi::wire::StoredStatus;
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{json, read, refused};
use crate::error::Error;
use crate::evidence::Evidence;
use crate::output::{parse_own, read_own, typed};
use crate::session::NormalizedState;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("lionagi.d.ts");

/// The health of a session.
#[derive(Serialize, Deserialize, Tsify)]
pub struct HealthVerdict {
    #[tsify(type = "SessionHealth")]
    health: String,
    /// How bad it is, from 0 to 5.
    severity: f64,
    /// How many seconds the session may be silent.
    threshold: f64,
    evidence: Evidence,
}

/// How much attention a session needs.
#[derive(Serialize, Deserialize, Tsify)]
pub struct SeverityVerdict {
    #[tsify(type = "Severity")]
    severity: String,
    #[tsify(type = "SeverityTone")]
    tone: String,
}

/// The health of a session, as `classify_session_health` decides it. Times are seconds since 1970.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = classifyHealth)]
pub fn classify_health(
    #[wasm_bindgen(unchecked_param_type = "LionagiSession")] session: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "HealthProbe")] probe: &JsValue,
) -> Result<Ts<HealthVerdict>, Error> {
    let answer = with_signals([session, probe], ["session", "probe"], json_api::classify_health_json)?;
    typed(&read_own::<HealthVerdict>(&answer)?)
}

/// The worst of several healths, as `worst_health` decides it; `healthy` where there are none.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = worstHealth, unchecked_return_type = "SessionHealth")]
pub fn worst_health(
    #[wasm_bindgen(unchecked_param_type = "readonly SessionHealth[]")] list: &JsValue,
) -> Result<JsValue, Error> {
    let answer = json_api::worst_health_json(&json(list, "list")?).map_err(|error| unread("list", &error))?;
    parse_own(&answer)
}

/// Status and health in one word: `stale running`; `legacy` for a status of `null`, `null` where the row has no status.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = effectiveState, unchecked_return_type = "string | null")]
pub fn effective_state(
    #[wasm_bindgen(unchecked_param_type = "LionagiSession")] session: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "LionagiSignals")] signals: &JsValue,
) -> Result<JsValue, Error> {
    parse_own(&with_signals([session, signals], ["session", "signals"], json_api::effective_state_json)?)
}

/// A session on the axes of ADR-0033.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = normalizeState)]
pub fn normalize_state(
    #[wasm_bindgen(unchecked_param_type = "LionagiSession")] row: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "LionagiSignals")] signals: &JsValue,
) -> Result<Ts<NormalizedState>, Error> {
    let answer = with_signals([row, signals], ["row", "signals"], json_api::normalize_state_json)?;
    typed(&read_own::<NormalizedState>(&answer)?)
}

/// Severity and tone by the cascade of ADR-0033; words that are not known are ignored.
///
/// # Errors
/// `INVALID_INPUT`.
#[wasm_bindgen(js_name = deriveSeverity)]
pub fn derive_severity(
    #[wasm_bindgen(unchecked_param_type = "SeverityAxes")] axes: &JsValue,
) -> Result<Ts<SeverityVerdict>, Error> {
    let answer =
        json_api::derive_severity_json(&json(axes, "axes")?).map_err(|error| unread("axes", &error))?;
    typed(&read_own::<SeverityVerdict>(&answer)?)
}

/// Whether a status may follow another by ADR-0025; `completed_empty`, which the ADR does not define, may follow
/// `running` as in the releases. Nothing follows `null`, a row without a status.
///
/// # Errors
/// `INVALID_INPUT` where one is not text.
#[wasm_bindgen(js_name = canTransition)]
pub fn can_transition(
    #[wasm_bindgen(unchecked_param_type = "string | null")] from: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] to: &JsValue,
) -> Result<bool, Error> {
    let (from, to) = (status(from, "from")?, read::<String>(to, "to")?);
    Ok(from.is_some_and(|from| derive::can_transition(&from, &to)))
}

/// The exit code that belongs to a status; `null` while it runs and for words that are not known.
///
/// # Errors
/// `INVALID_INPUT` where it is neither text nor `null`.
#[wasm_bindgen(js_name = exitCode, unchecked_return_type = "number | null")]
pub fn exit_code(
    #[wasm_bindgen(js_name = status, unchecked_param_type = "string | null")] word: &JsValue,
) -> Result<JsValue, Error> {
    let status = StoredStatus::new(status(word, "status")?.as_deref());
    Ok(derive::exit_code(&status).map_or(JsValue::NULL, JsValue::from))
}

/// A status; `null` is a row without one, and `undefined` is a mistake.
fn status(word: &JsValue, path: &str) -> Result<Option<String>, Error> {
    if word.is_undefined() { Err(refused(path, "a text or null", word)) } else { read(word, path) }
}

/// Calls the core with a row and the signals that complete it.
fn with_signals(
    [row, signals]: [&JsValue; 2],
    [row_path, signals_path]: [&str; 2],
    call: fn(&str, &str) -> Result<String, ReadError>,
) -> Result<String, Error> {
    const NONE: &str = "{}";
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
