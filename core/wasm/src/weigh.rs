//! `weigh`: decides which of several sources to believe about the state of one run.

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
const TYPES: &str = include_str!("weigh.d.ts");

/// What one source reports about a run.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Witness {
    #[tsify(type = "WitnessSource")]
    source: WitnessSource,
    #[tsify(type = "RunState | (string & {})")]
    state: String,
    /// As of when, on the server's clock, milliseconds since 1970.
    #[serde(default)]
    #[tsify(type = "number")]
    at_ms: Unchecked,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct Testimony {
    witnesses: Json,
    shown: Option<Json>,
    because: &'static str,
    against: Vec<Json>,
    note: Option<String>,
    agreement: Option<String>,
}

/// Weighs what several sources report about one run.
///
/// # Errors
/// `INVALID_INPUT` if the argument does not match its type.
#[wasm_bindgen(skip_typescript)]
pub fn weigh(witnesses: &JsValue) -> Result<JsValue, Error> {
    if !Array::is_array(witnesses) {
        return Err(refused("witnesses", "a list", witnesses));
    }
    let objects: Vec<JsValue> = Array::from(witnesses).to_vec();
    let read = |(place, object)| witness(object, &format!("witnesses[{place}]"));
    let read_all: Vec<run::Witness> = objects.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let comparison = run::choose_verdict(&read_all);
    let place = |wanted: &run::Witness| read_all.iter().position(|found| std::ptr::eq(found, wanted));
    let object = |wanted: &run::Witness| Some(Json::from(objects.get(place(wanted)?)?.clone()));
    Ok(to_js(&Testimony {
        witnesses: Json::from(JsValue::from(objects.iter().collect::<Array>())),
        shown: comparison.shown.and_then(object),
        because: comparison.because(),
        against: comparison.against().into_iter().filter_map(object).collect(),
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
