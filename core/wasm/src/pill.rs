//! `pill`: the label, spoken label, tone and icon of a state word.

use runstate::pill::{self as core, Taxonomy};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{read, refused};
use crate::error::Error;
use crate::output::to_js;

/// Returns the label, tone and icon of a state word of a taxonomy. An unknown word is not an error: its pill is neutral.
///
/// # Errors
/// `INVALID_INPUT` for an unknown taxonomy, and for a word that is not text.
#[wasm_bindgen(unchecked_return_type = "Pill")]
pub fn pill(
    #[wasm_bindgen(unchecked_param_type = "Taxonomy")] taxonomy: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] word: &JsValue,
) -> Result<JsValue, Error> {
    let known = taxonomy.as_string().and_then(|word| Taxonomy::from_word(&word));
    let taxonomy = known.ok_or_else(|| {
        let words: Vec<String> = Taxonomy::WORDS.iter().map(|word| format!("\"{word}\"")).collect();
        refused("taxonomy", &format!("one of {}", words.join(", ")), taxonomy)
    })?;
    Ok(to_js(&core::pill(taxonomy, &read::<String>(word, "word")?))?)
}
