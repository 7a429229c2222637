//! Decodes UTF-16, which Windows PowerShell writes if the output of a command is redirected to a file.

use super::{DocumentError, SAVE_AS_UTF8};
use crate::error_code::ErrorCode;

/// Decodes the text to UTF-8 without its byte order mark; `None` if the bytes are not UTF-16. Half a unit at the end is
/// ignored.
///
/// Without a mark, UTF-16 is recognised by the zero bytes next to its first two characters; neither JSON nor a log
/// begins that way.
pub(super) fn to_utf8(bytes: &[u8]) -> Result<Option<String>, DocumentError> {
    let (skip, unit): (usize, fn([u8; 2]) -> u16) = match bytes {
        [0xff, 0xfe, ..] => (2, u16::from_le_bytes),
        [0xfe, 0xff, ..] => (2, u16::from_be_bytes),
        [1..=255, 0, 1..=255, 0, ..] => (0, u16::from_le_bytes),
        [0, 1..=255, 0, 1..=255, ..] => (0, u16::from_be_bytes),
        _ => return Ok(None),
    };
    let (pairs, _) = bytes.get(skip..).unwrap_or_default().as_chunks::<2>();
    let mut text = String::with_capacity(pairs.len());
    for found in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match found {
            Ok(found) => text.push(found),
            Err(half) => {
                let message = format!(
                    "The text is not UTF-16: found 0x{:04X}, half of a surrogate pair, alone.",
                    half.unpaired_surrogate()
                );
                return Err(DocumentError::at(ErrorCode::InvalidUtf8, message, text.len())
                    .hint(SAVE_AS_UTF8)
                    .place(&text));
            }
        }
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::to_utf8;
    use crate::error_code::ErrorCode;

    fn units(text: &str, mark: bool, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let mark = mark.then_some(0xfeff);
        mark.into_iter().chain(text.encode_utf16()).flat_map(order).collect()
    }

    #[test]
    fn both_orders_with_and_without_a_mark() {
        let text = "{\"ü\":\"🚀\"}\r\n";
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            for mark in [true, false] {
                let mut bytes = units(text, mark, order);
                assert_eq!(to_utf8(&bytes).unwrap().as_deref(), Some(text));
                bytes.push(0);
                assert_eq!(to_utf8(&bytes).unwrap().as_deref(), Some(text), "half a unit is not read");
            }
        }
    }

    #[test]
    fn other_texts_are_not_touched() {
        for bytes in
            [&b""[..], b"{}", b"\xef\xbb\xbf{}", b"{\0", b"\0\0\0\0", b"{\0\0\0", b"\x1f\x8b\x08\0\0\0"]
        {
            assert_eq!(to_utf8(bytes).unwrap(), None, "{bytes:?}");
        }
        assert_eq!(to_utf8(&[0xff, 0xfe]).unwrap().as_deref(), Some(""));
    }

    #[test]
    fn half_a_pair_is_refused_with_its_place() {
        for half in [0xd83d_u16, 0xde80] {
            let mut bytes = units("{\n\"ü", true, u16::to_le_bytes);
            bytes.extend(half.to_le_bytes());
            bytes.extend([b'"', 0]);
            let error = to_utf8(&bytes).unwrap_err();
            let place = error.position.unwrap();
            assert_eq!((error.code, place.line, place.column), (ErrorCode::InvalidUtf8, 2, 3));
        }
    }
}
