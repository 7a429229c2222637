//! `deriveRunState`, and the way from its input to an answer that `computeRunState` shares.

use std::cell::RefCell;

use js_sys::{Date, Function};
use runstate::smithers::input::{DeriveInput, read_derive_input};
use runstate::smithers::{
    Derivation, OwnerProbe, derive_run_state, derive_run_state_by_clock, derive_run_state_view,
};
use runstate::time::Millis;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::invalid_time;
use crate::evidence::evidence_to_js;
use crate::source::Js;
use crate::view::view_to_js;
use crate::write::{Writer, list};

/// What a run is doing, from rows in memory.
///
/// # Errors
/// `INVALID_INPUT` where the input is not what its type says, `INVALID_TIME` where `toISOString` throws, and whatever
/// `isOwnerPidAlive` throws.
#[cfg(feature = "derive")]
#[wasm_bindgen(js_name = deriveRunState, skip_typescript)]
pub fn derive(input: &JsValue) -> Result<JsValue, JsValue> {
    let source = Js::new(input);
    let input = source.read(read_derive_input)?;
    answer(&input, source.function("isOwnerPidAlive", "input.isOwnerPidAlive")?.as_ref())
}

/// The same with what it rests on.
///
/// # Errors
/// As `deriveRunState`.
#[cfg(feature = "derive")]
#[wasm_bindgen(js_name = explainRunState, skip_typescript)]
pub fn explain(input: &JsValue) -> Result<JsValue, JsValue> {
    let source = Js::new(input);
    let input = source.read(read_derive_input)?;
    let probe = source.function("isOwnerPidAlive", "input.isOwnerPidAlive")?;
    let derived = derivation(&input, probe.as_ref())?;
    let mut object = Writer::new();
    object.value("view", &view_to_js(&derived.view));
    object.value("evidence", &evidence_to_js(&derived.evidence));
    Ok(object.finish())
}

/// The answer with its evidence, doubted where the caller says how far the clock may be off.
fn derivation(input: &DeriveInput, probe: Option<&Function>) -> Result<Derivation, JsValue> {
    let now = Millis(Date::now());
    let derived = Probe::new(probe).during(|alive| {
        let signals = input.signals(now, alive);
        match input.options.error_ms {
            Some(error_ms) => derive_run_state_by_clock(&signals, error_ms),
            None => derive_run_state(&signals),
        }
    })?;
    derived.map_err(invalid_time)
}

/// The answer for an input; `probe` is the caller's `isOwnerPidAlive`.
pub(crate) fn answer(input: &DeriveInput, probe: Option<&Function>) -> Result<JsValue, JsValue> {
    if input.options.error_ms.is_some() {
        return derivation(input, probe).map(|derived| view_to_js(&derived.view));
    }
    let now = Millis(Date::now());
    let view = Probe::new(probe).during(|alive| derive_run_state_view(&input.signals(now, alive)))?;
    Ok(view_to_js(&view.map_err(invalid_time)?))
}

/// The caller's `isOwnerPidAlive`.
pub(crate) struct Probe<'a> {
    call: Option<&'a Function>,
    thrown: RefCell<Option<JsValue>>,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(call: Option<&'a Function>) -> Self {
        Self { call, thrown: RefCell::new(None) }
    }

    /// Derives with the probe; what it throws is thrown on instead of an answer.
    pub(crate) fn during<T>(&self, derive: impl FnOnce(Option<OwnerProbe<'_>>) -> T) -> Result<T, JsValue> {
        let ask = |pid: f64| self.call.is_none_or(|call| self.ask(call, pid));
        let derived = derive(if self.call.is_some() { Some(&ask) } else { None });
        self.thrown.take().map_or(Ok(derived), Err)
    }

    /// Whether the probe threw while a derivation went on.
    #[cfg(feature = "rows")]
    pub(crate) fn has_thrown(&self) -> bool {
        self.thrown.borrow().is_some()
    }

    fn ask(&self, call: &Function, pid: f64) -> bool {
        match call.call1(&JsValue::UNDEFINED, &pid.into()) {
            Ok(alive) => alive.is_truthy(),
            Err(error) => {
                // So that it comes out as it was thrown, whatever it looks like.
                let mut own = Writer::new();
                own.value("thrownByCaller", &list([error].into_iter()));
                self.thrown.replace(Some(own.finish()));
                true
            }
        }
    }
}
