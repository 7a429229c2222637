//! `pill`: a word from the wire as label, spoken label, tone and icon.

use js_sys::Object;
use runstate::pill::{Taxonomy, pill as core_pill};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{invalid_input, set};
use crate::read::{Refused, from_js};
use crate::text;

/// How a word of a taxonomy is shown and spoken.
///
/// # Errors
/// `INVALID_INPUT` for a taxonomy that does not exist, and for a word that is not text.
#[wasm_bindgen(skip_typescript)]
pub fn pill(taxonomy: &JsValue, word: &JsValue) -> Result<JsValue, JsValue> {
    let name: String = from_js(taxonomy, "taxonomy").map_err(invalid_input)?;
    let word: String = from_js(word, "word").map_err(invalid_input)?;
    let known = Taxonomy::from_word(&name).ok_or_else(|| invalid_input(unknown_taxonomy(&name)))?;
    let pill = core_pill(known, &word);
    let object = Object::new();
    set(&object, "label", &text::to_js(&pill.label));
    set(&object, "spoken", &text::to_js(&pill.spoken));
    set(&object, "tone", &pill.tone.as_str().into());
    set(&object, "icon", &pill.icon.as_str().into());
    set(&object, "known", &pill.known.into());
    set(&object, "dotted", &pill.dotted.into());
    Ok(object.into())
}

fn unknown_taxonomy(found: &str) -> Refused {
    let names: Vec<&str> = Taxonomy::ALL.iter().map(|taxonomy| taxonomy.as_str()).collect();
    let message = format!("expected one of {}, found the text {}", names.join(", "), text::quoted(found));
    Refused::at("taxonomy", message)
}
