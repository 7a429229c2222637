//! Arguments as text: what came as bytes, as text, or as a value that JSON can hold.

use js_sys::JSON;
use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::invalid_input;
use crate::error::unread;
use crate::source::{Js, refused};

const EXPECTED: &str = "a text, a Uint8Array or an ArrayBuffer";

/// The bytes of a document.
pub(crate) fn bytes(value: &JsValue, path: &str) -> Result<Vec<u8>, JsValue> {
    if let Some(text) = value.as_string() {
        return Ok(text.into_bytes());
    }
    if let Some(bytes) = value.dyn_ref::<Uint8Array>() {
        return Ok(bytes.to_vec());
    }
    if value.is_instance_of::<ArrayBuffer>() {
        return Ok(Uint8Array::new(value).to_vec());
    }
    Err(invalid_input(&refused(path, EXPECTED, &Js::new(value))))
}

/// How much of a chunk is copied at once.
const PIECE: u32 = 16 * 1024;

/// Hands over the bytes of a chunk, one piece after the other: room for a copy of the whole would be lost, because the memory of a
/// module never shrinks and what it has once is seldom of the size that is needed next.
pub(crate) fn in_pieces(value: &JsValue, path: &str, mut take: impl FnMut(&[u8])) -> Result<(), JsValue> {
    let array = match value.dyn_ref::<Uint8Array>() {
        Some(array) => array.clone(),
        None if value.is_instance_of::<ArrayBuffer>() => Uint8Array::new(value),
        None => {
            take(&bytes(value, path)?);
            return Ok(());
        }
    };
    let (mut room, mut begin) = ([0; PIECE as usize], 0);
    while begin < array.length() {
        let end = array.length().min(begin + PIECE);
        if let Some(piece) = room.get_mut(..(end - begin) as usize) {
            array.subarray(begin, end).copy_to(piece);
            take(piece);
        }
        begin = end;
    }
    Ok(())
}

/// The text of a document, without a byte order mark.
pub(crate) fn document(value: &JsValue, path: &str) -> Result<String, JsValue> {
    match String::from_utf8(bytes(value, path)?) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.remove(0);
            }
            Ok(text)
        }
        Err(error) => {
            let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            Err(unread(
                path,
                "The text is not UTF-8.",
                Some((&String::from_utf8_lossy(before), before.len())),
            ))
        }
    }
}

/// A value as JSON text. What JSON leaves out is left out: an absent property and `undefined` are one.
pub(crate) fn json(value: &JsValue, path: &str) -> Result<String, JsValue> {
    let no_json = || invalid_input(&refused(path, "a value that JSON can hold", &Js::new(value)));
    let text = JSON::stringify(value).map_err(|_| no_json())?;
    text.as_string().ok_or_else(no_json)
}
