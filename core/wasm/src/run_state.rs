//! `deriveRunState`, and the way from its input to an answer that `computeRunState` shares.

use std::cell::RefCell;

use js_sys::{Date, Function};
use runstate::smithers::derive_run_state;
use runstate::smithers::input::{DeriveInput, read_derive_input};
use runstate::time::Millis;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::invalid_time;
use crate::source::Js;
use crate::view::view_to_js;

/// What a run is doing, from rows in memory.
///
/// # Errors
/// `INVALID_INPUT` where the input is not what its type says, `INVALID_TIME` where `toISOString` throws, and whatever
/// `isOwnerPidAlive` throws.
#[wasm_bindgen(js_name = deriveRunState, skip_typescript)]
pub fn derive(input: &JsValue) -> Result<JsValue, JsValue> {
    let source = Js::new(input);
    let input = source.read(read_derive_input)?;
    answer(&input, source.function("isOwnerPidAlive", "input.isOwnerPidAlive")?.as_ref())
}

/// The answer for an input; `probe` is the caller's `isOwnerPidAlive`.
pub(crate) fn answer(input: &DeriveInput, probe: Option<&Function>) -> Result<JsValue, JsValue> {
    let thrown = RefCell::new(None);
    let is_alive = |pid: f64| probe.is_none_or(|probe| ask(probe, pid, &thrown));
    let derivation = derive_run_state(
        &input.signals(Millis(Date::now()), if probe.is_some() { Some(&is_alive) } else { None }),
    );
    match (thrown.take(), derivation) {
        (Some(thrown), _) => Err(thrown),
        (None, Ok(derivation)) => Ok(view_to_js(&derivation.view)),
        (None, Err(error)) => Err(invalid_time(error)),
    }
}

/// Asks the caller's probe; what it throws is kept, to be thrown on instead of an answer.
fn ask(probe: &Function, pid: f64, thrown: &RefCell<Option<JsValue>>) -> bool {
    match probe.call1(&JsValue::UNDEFINED, &pid.into()) {
        Ok(alive) => alive.is_truthy(),
        Err(error) => {
            thrown.replace(Some(error));
            true
        }
    }
}
