//! `pill`: the label, spoken label, tone and icon of a word from the wire.

use runstate::pill::{self as core, Taxonomy};
use runstate::word::Vocabulary;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::read;
use crate::error::Error;
use crate::output::typed;

/// How a word is shown and spoken.
#[derive(Serialize, Tsify)]
pub struct Pill {
    /// The text on the pill; a word that is not known stands in quotes.
    label: String,
    /// The whole sentence for screen readers.
    spoken: String,
    #[tsify(type = "Tone")]
    tone: &'static str,
    /// The name of a Lucide icon.
    icon: &'static str,
    /// Whether the word is in the vocabulary.
    known: bool,
    /// Whether the border is dotted: a word from before the vocabulary.
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

/// How a word of a taxonomy is shown and spoken.
///
/// # Errors
/// `INVALID_INPUT` for a taxonomy that does not exist, and for a word that is not text.
#[wasm_bindgen]
pub fn pill(
    #[wasm_bindgen(unchecked_param_type = "Taxonomy")] taxonomy: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] word: &JsValue,
) -> Result<Ts<Pill>, Error> {
    let taxonomy: Taxonomy = read(taxonomy, "taxonomy")?;
    typed(&Pill::from(&core::pill(taxonomy, &read::<String>(word, "word")?)))
}
