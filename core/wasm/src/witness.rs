//! `compareWitnesses`: selects the shown one of several witnesses of a run's state.

use js_sys::Array;
use runstate::evidence::Evidence;
use runstate::run;
use runstate::run::WitnessSource;
use runstate::smithers::wire::RunStateView;
use runstate::summary::{agreement, disagreement, text};
use runstate::time::Millis;
use runstate::word::Word;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{Unchecked, read, refused};
use crate::error::Error;
use crate::output::{Json, to_js};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("witness.d.ts");

/// The state of a run according to one source.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Witness {
    #[tsify(type = "WitnessSource")]
    source: WitnessSource,
    #[tsify(type = "RunState | (string & {})")]
    state: String,
    /// The time that the state refers to, on the server's clock, in milliseconds since 1970.
    #[serde(default)]
    #[tsify(type = "number")]
    at_ms: Unchecked,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct WitnessComparison {
    witnesses: Json,
    shown: Option<Json>,
    reason: &'static str,
    contradicting: Vec<Json>,
    note: Option<String>,
    agreement: Option<String>,
}

/// Returns which witness of a run's state is shown, why, and which witnesses contradict it. `shown` and `contradicting` are
/// the objects that were passed. The rule is `runstate::run::compare_witnesses`.
///
/// # Errors
/// `INVALID_INPUT` if the argument does not match its type.
#[wasm_bindgen(js_name = compareWitnesses, skip_typescript)]
pub fn compare_witnesses(witnesses: &JsValue) -> Result<JsValue, Error> {
    if !Array::is_array(witnesses) {
        return Err(refused("witnesses", "a list", witnesses));
    }
    let objects: Vec<JsValue> = Array::from(witnesses).to_vec();
    let read = |(place, object)| witness(object, &format!("witnesses[{place}]"));
    let read_all: Vec<run::Witness> = objects.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let comparison = run::compare_witnesses(&read_all);
    let place = |wanted: &run::Witness| read_all.iter().position(|found| std::ptr::eq(found, wanted));
    let object = |wanted: &run::Witness| Some(Json::from(objects.get(place(wanted)?)?.clone()));
    Ok(to_js(&WitnessComparison {
        witnesses: Json::from(JsValue::from(objects.iter().collect::<Array>())),
        shown: comparison.shown.and_then(object),
        reason: comparison.reason(),
        contradicting: comparison.contradicting().into_iter().filter_map(object).collect(),
        note: disagreement(&comparison).map(|note| text(&note)),
        agreement: agreement(&comparison),
    })?)
}

fn witness(object: &JsValue, path: &str) -> Result<run::Witness, Error> {
    if !object.is_object() {
        return Err(refused(path, "an object", object));
    }
    let witness: Witness = read(object, path)?;
    let at: Option<f64> = witness.at_ms.optional(&format!("{path}.atMs"))?;
    let view = RunStateView::from_state(Word::new(&witness.state));
    let mut found = run::Witness::new(witness.source, view, Evidence::default());
    found.at = at.map(Millis);
    Ok(found)
}
