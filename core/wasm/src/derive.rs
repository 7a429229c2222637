//! `deriveRunState` and `explainRunState`: derive the state of a run from rows in memory.

use runstate::evidence::Evidence;
use runstate::smithers::derive;
use runstate::smithers::derive::Derivation;
use std::cell::RefCell;

use js_sys::{Date, Function};
use runstate::smithers::derive::OwnerProbe;
use runstate::time::Millis;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::read_object;
use crate::error::Error;
use crate::names::{fields, refuse_misspelt};
use crate::output::typed;
use crate::run_row::{ComputeRunStateOptions, Options, RunSignals, known};
use crate::view::RunStateView;

/// The state of a run with the evidence for it.
#[derive(Serialize, Tsify)]
pub struct ExplainedRunState {
    view: RunStateView,
    evidence: Evidence,
}

/// Returns the state of a run, derived from its row and signals by the rule of seed 000. Same argument and result as
/// `deriveRunState` of `@smithers-orchestrator/db/runState`.
///
/// # Errors
/// `INVALID_INPUT` if the input does not match its type, `INVALID_TIME` for a time that no `Date` can represent. An
/// exception of `isOwnerPidAlive` is rethrown.
#[wasm_bindgen(js_name = deriveRunState)]
pub fn derive_run_state(
    #[wasm_bindgen(unchecked_param_type = "DeriveRunStateInput")] input: &JsValue,
) -> Result<Ts<RunStateView>, Error> {
    typed(&RunStateView::from(derivation(input)?.view))
}

/// Returns the state as `deriveRunState` does, with its evidence: the inputs of the rule with their ages and limits.
///
/// # Errors
/// Those of `deriveRunState`.
#[wasm_bindgen(js_name = explainRunState)]
pub fn explain_run_state(
    #[wasm_bindgen(unchecked_param_type = "DeriveRunStateInput")] input: &JsValue,
) -> Result<Ts<ExplainedRunState>, Error> {
    let Derivation { view, evidence, .. } = derivation(input)?;
    typed(&ExplainedRunState { view: view.into(), evidence })
}

fn derivation(input: &JsValue) -> Result<Derivation, Error> {
    let signals: RunSignals = read_object(input, "input")?;
    let names = [fields::<RunSignals>(), fields::<ComputeRunStateOptions>()].concat();
    refuse_misspelt(input, "input", &names)?;
    let options: ComputeRunStateOptions = read_object(input, "input")?;
    let row = signals.row()?;
    let checked = options.check("input", known(&row))?;
    let mut input = derive::DeriveRunStateInput::new(&row, clock(checked));
    signals.add_to(&mut input, known(&row))?;
    derive(input, checked, options.probe("input")?.as_ref())
}

/// The time for which a state is derived: `now`, else the local clock's.
pub(crate) fn clock(options: Options) -> Millis {
    options.now.unwrap_or_else(|| Millis(Date::now()))
}

/// Derives a state; with `errorMs`, the state is `unknown` if the clock error makes it undecidable.
pub(crate) fn derive(
    input: derive::DeriveRunStateInput<'_>,
    options: Options,
    probe: Option<&Function>,
) -> Result<Derivation, Error> {
    let derived = with_probe(probe, |is_owner_pid_alive| {
        let mut input = input;
        input.stale_threshold_ms = options.stale_threshold_ms;
        input.timer_overdue_grace_ms = options.timer_overdue_grace_ms;
        input.clock_error_ms = options.error_ms;
        input.is_owner_pid_alive = is_owner_pid_alive;
        derive::derive_run_state(&input)
    })?;
    Ok(derived?)
}

/// Derives with the caller's `isOwnerPidAlive`; its exceptions are rethrown. After that every owner counts as
/// alive, so that the derivation ends soon.
pub(crate) fn with_probe<T>(
    probe: Option<&Function>,
    derive: impl FnOnce(Option<OwnerProbe<'_>>) -> T,
) -> Result<T, Error> {
    let Some(probe) = probe else { return Ok(derive(None)) };
    let thrown = RefCell::new(None);
    let ask = |pid: f64| {
        if thrown.borrow().is_some() {
            return true;
        }
        let answer = probe.call1(&JsValue::UNDEFINED, &pid.into());
        match answer {
            Ok(alive) => alive.is_truthy(),
            Err(error) => {
                thrown.replace(Some(error));
                true
            }
        }
    };
    let derived = derive(Some(&ask));
    thrown.take().map_or(Ok(derived), |error| Err(error.into()))
}
