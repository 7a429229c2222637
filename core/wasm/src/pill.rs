//! `pill`: a word from the wire as label, spoken label, tone and icon.

use runstate::pill::{Pill, Taxonomy, pill as core_pill};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::invalid_input;
use crate::source::{Js, refused};
use crate::write::Writer;

/// How a word of a taxonomy is shown and spoken.
///
/// # Errors
/// `INVALID_INPUT` for a taxonomy that does not exist, and for a word that is not text.
#[cfg(feature = "derive")]
#[wasm_bindgen(skip_typescript)]
pub fn pill(taxonomy: &JsValue, word: &JsValue) -> Result<JsValue, JsValue> {
    let taxonomy = Js::new(taxonomy);
    let name = taxonomy.text("taxonomy")?;
    let Some(known) = Taxonomy::from_word(&name) else {
        return Err(invalid_input(&refused("taxonomy", "the name of a taxonomy", &taxonomy)));
    };
    let pill = core_pill(known, &Js::new(word).text("word")?);
    let mut object = Writer::new();
    write_pill(&mut object, &pill);
    Ok(object.finish())
}

/// Writes how a word is shown and spoken.
pub(crate) fn write_pill(object: &mut Writer, pill: &Pill) {
    object.text("label", &pill.label);
    object.text("spoken", &pill.spoken);
    object.word("tone", pill.tone.as_str());
    object.word("icon", pill.icon.as_str());
    object.flag("known", pill.known);
    object.flag("dotted", pill.dotted);
}
