//! `pill`: the label, spoken label, tone and icon of a state word.

use runstate::pill::{self as core, Taxonomy};
use runstate::word::Vocabulary;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{read, refused};
use crate::error::Error;
use crate::output::typed;

/// The label of a state word, for the screen and for screen readers.
#[derive(Serialize, Tsify)]
pub struct Pill {
    /// The text on the pill; an unknown word is in quotes.
    label: String,
    /// The sentence for screen readers.
    spoken: String,
    #[tsify(type = "Tone")]
    tone: &'static str,
    /// The name of a Lucide icon.
    icon: &'static str,
    /// Whether the word is in the vocabulary.
    known: bool,
    /// Whether the border is dotted: the word is older than the vocabulary.
    dotted: bool,
}

impl From<&core::Pill> for Pill {
    fn from(pill: &core::Pill) -> Self {
        Self {
            label: pill.label.to_string(),
            spoken: pill.spoken.clone(),
            tone: pill.tone.as_str(),
            icon: pill.icon.as_str(),
            known: pill.known,
            dotted: pill.dotted,
        }
    }
}

/// Returns the label, tone and icon of a state word of a taxonomy. An unknown word is not an error: its pill is neutral.
///
/// # Errors
/// `INVALID_INPUT` for an unknown taxonomy, and for a word that is not text.
#[wasm_bindgen]
pub fn pill(
    #[wasm_bindgen(unchecked_param_type = "Taxonomy")] taxonomy: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] word: &JsValue,
) -> Result<Ts<Pill>, Error> {
    let known = taxonomy.as_string().and_then(|word| Taxonomy::from_word(&word));
    let taxonomy = known.ok_or_else(|| {
        let words: Vec<String> = Taxonomy::WORDS.iter().map(|word| format!("\"{word}\"")).collect();
        refused("taxonomy", &format!("one of {}", words.join(", ")), taxonomy)
    })?;
    typed(&Pill::from(&core::pill(taxonomy, &read::<String>(word, "word")?)))
}
