//! `weigh`: what several sources say of one run, and whose state is to be shown.

use runstate::evidence::Evidence;
use runstate::smithers::{InvalidInput, Source as _, Witness, WitnessSource, weigh as core_weigh};
use runstate::time::Millis;
use runstate::word::{Vocabulary as _, Word};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::account::testimony_to_js;
use crate::error::invalid_input;
use crate::source::{Js, refused};

/// Weighs what witnesses say; who is shown and who contradicts are the caller's own objects.
///
/// # Errors
/// `INVALID_INPUT` where an argument is not what its type says.
#[wasm_bindgen(skip_typescript)]
pub fn weigh(witnesses: &JsValue) -> Result<JsValue, JsValue> {
    let source = Js::new(witnesses);
    if source.list().is_none() {
        return Err(invalid_input(&refused("witnesses", "a list", &source)));
    }
    let objects: Vec<JsValue> = js_sys::Array::from(witnesses).iter().collect();
    let read = |(place, object)| Js::new(object).read(|object| witness(object, place));
    let witnesses = objects.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    Ok(testimony_to_js(&core_weigh(witnesses), &objects))
}

fn witness(object: &Js, place: usize) -> Result<Witness, InvalidInput> {
    let path = |name: &str| ["witnesses[", &place.to_string(), "]", name].concat();
    if !object.is_object() {
        return Err(refused(&path(""), "an object", object));
    }
    let said_by = object.field("source");
    let source = object.option_text("source", &path(".source"))?;
    let Some(source) = source.and_then(|word| WitnessSource::from_word(&word)) else {
        return Err(refused(&path(".source"), "\"server\", \"rows\", \"snapshot\" or \"events\"", &said_by));
    };
    let Some(state) = object.option_text("state", &path(".state"))? else {
        return Err(refused(&path(".state"), "a text", &object.field("state")));
    };
    let at = object.option_number("atMs", &path(".atMs"))?.map(Millis);
    Ok(Witness { source, state: Word::new(&state), at, evidence: Evidence::default() })
}
