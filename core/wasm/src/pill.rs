//! `pill`: a word from the wire as label, spoken label, tone and icon.

use runstate::pill::{Taxonomy, pill as core_pill};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::read::At;
use crate::write::Writer;

/// How a word of a taxonomy is shown and spoken.
///
/// # Errors
/// `INVALID_INPUT` for a taxonomy that does not exist, and for a word that is not text.
#[wasm_bindgen(skip_typescript)]
pub fn pill(taxonomy: &JsValue, word: &JsValue) -> Result<JsValue, JsValue> {
    let at = At::argument(taxonomy, "taxonomy");
    let taxonomy = Taxonomy::from_word(&at.text()?).ok_or_else(|| at.refuse(&taxonomies()))?;
    let pill = core_pill(taxonomy, &At::argument(word, "word").text()?);
    let mut object = Writer::new();
    object.text("label", &pill.label);
    object.text("spoken", &pill.spoken);
    object.text("tone", pill.tone.as_str());
    object.text("icon", pill.icon.as_str());
    object.flag("known", pill.known);
    object.flag("dotted", pill.dotted);
    Ok(object.finish())
}

fn taxonomies() -> String {
    let names: Vec<&str> = Taxonomy::ALL.iter().map(|taxonomy| taxonomy.as_str()).collect();
    format!("one of {}", names.join(", "))
}
