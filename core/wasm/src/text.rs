//! Text across the boundary without loss.
//!
//! JavaScript strings may hold lone surrogates, Rust text may not. Such a code unit crosses as an escape character
//! followed by a private-use character, and the escape itself as two of them, so that every string has exactly one
//! form on the other side and comes back as it was.

use std::cell::RefCell;

use js_sys::JsString;
use wasm_bindgen::{JsCast, JsValue};

/// The last private-use character of plane 16.
const ESCAPE: char = '\u{10FFFD}';
const ESCAPE_UNITS: [u16; 2] = [0xDBFF, 0xDFFD];
/// Lone surrogates U+D800–U+DFFF stand for themselves from here on.
const PRIVATE: u16 = 0xE000;
const SURROGATES: u16 = 0xD800;

/// Reads a string; one that is not well-formed, or holds the escape, is escaped. `None` for any other value.
pub(crate) fn read(value: &JsValue) -> Option<String> {
    let plain = value.as_string()?;
    // A lone surrogate has become U+FFFD by now; without one of the two characters nothing was lost.
    if !plain.contains(['\u{FFFD}', ESCAPE]) {
        return Some(plain);
    }
    let string: &JsString = value.unchecked_ref();
    Some(escape(&string.iter().collect::<Vec<u16>>()))
}

/// Writes text that may hold escapes.
pub(crate) fn to_js(text: &str) -> JsValue {
    // One character of several bytes would be searched for as text, by a searcher of 6 kB.
    if text.is_ascii() || !text.contains([ESCAPE]) {
        return JsValue::from_str(text);
    }
    let pieces = unescape(text);
    // `String.fromCharCode` takes its units as arguments, and engines bound how many.
    let pieces = pieces.chunks(8192).map(JsString::from_char_code);
    pieces.reduce(|start, rest| start.concat(&rest)).map_or_else(|| JsValue::from_str(""), JsValue::from)
}

thread_local! {
    static WORDS: RefCell<Vec<(Box<str>, JsValue)>> = const { RefCell::new(Vec::new()) };
}

/// A property's name, or a word that is one of few. It is made once: making a short string costs more than the rest
/// of reading a property.
pub(crate) fn word(word: &str) -> JsValue {
    WORDS.with_borrow_mut(|words| match words.binary_search_by(|(known, _)| known.as_ref().cmp(word)) {
        Ok(place) => words[place].1.clone(),
        Err(place) => {
            let made = JsValue::from_str(word);
            words.insert(place, (word.into(), made.clone()));
            made
        }
    })
}

/// A number as JavaScript writes it. Rust's own way of writing floats would be a tenth of the module.
pub(crate) fn number(number: f64) -> String {
    String::from(JsValue::from_f64(number).unchecked_into::<js_sys::Object>().to_js_string())
}

/// Any value as JavaScript writes it in a template string; a value that has no text is named by its type.
pub(crate) fn in_words(value: &JsValue) -> JsString {
    match value.dyn_ref::<JsString>() {
        Some(text) => text.clone(),
        None => {
            value.as_f64().map_or_else(|| value.js_typeof().unchecked_into(), |n| JsString::from(number(n)))
        }
    }
}

fn escape(units: &[u16]) -> String {
    let mut text = String::with_capacity(units.len());
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(ESCAPE) => text.extend([ESCAPE, ESCAPE]),
            Ok(character) => text.push(character),
            Err(lone) => {
                let stand_in = u32::from(lone.unpaired_surrogate() - SURROGATES + PRIVATE);
                text.push(ESCAPE);
                text.extend(char::from_u32(stand_in));
            }
        }
    }
    text
}

fn unescape(text: &str) -> Vec<u16> {
    let mut units = Vec::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != ESCAPE {
            units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
            continue;
        }
        // An escape that stands for nothing was made on this side, by an escape inside JSON text.
        match characters.clone().next() {
            Some(ESCAPE) => {
                characters.next();
                units.extend(ESCAPE_UNITS);
            }
            Some(stand_in @ '\u{E000}'..='\u{E7FF}') => {
                characters.next();
                units.push((stand_in as u32 - u32::from(PRIVATE - SURROGATES)) as u16);
            }
            Some(_) | None => units.extend(ESCAPE_UNITS),
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::{escape, unescape};

    #[test]
    fn every_string_comes_back_as_it_was() {
        let strings: [&[u16]; 7] = [
            &[],
            &[0],
            &[0x61, 0xD800],
            &[0xDFFF, 0xD800, 0x61],
            &[0xD83D, 0xDE80],
            &[0xDBFF, 0xDFFD],
            &[0xDBFF, 0xDFFD, 0xE000, 0xFFFD, 0xD800],
        ];
        for units in strings {
            assert_eq!(unescape(&escape(units)), units);
        }
    }

    #[test]
    fn no_two_strings_share_a_form() {
        assert_ne!(escape(&[0xD800]), escape(&[0xDBFF, 0xDFFD, 0xE000]));
        assert_ne!(escape(&[0xD800]), escape(&[0xFFFD]));
    }
}
