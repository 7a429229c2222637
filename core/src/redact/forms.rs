//! Secrets that are recognised by their own characters, without a name: `ghp_…`, `AKIA…`.

use super::form::Form;
use super::rules::FORMS;
use super::scanner::Scanner;

/// The forms with one first byte: their range, and whether one of them has its anchor inside the secret.
#[derive(Clone, Copy)]
struct Group {
    begin: usize,
    end: usize,
    is_around: bool,
}

/// For each byte, the forms that begin with it.
const BY_FIRST_BYTE: [Group; 256] = by_first_byte();

const fn by_first_byte() -> [Group; 256] {
    let mut groups = [Group { begin: 0, end: 0, is_around: false }; 256];
    let mut at = 0;
    while at < FORMS.len() {
        let first = FORMS[at].anchor.as_bytes()[0].to_ascii_lowercase();
        let mut group = Group { begin: at, end: at, is_around: false };
        while at < FORMS.len() && FORMS[at].anchor.as_bytes()[0].to_ascii_lowercase() == first {
            group.is_around = group.is_around || FORMS[at].before.is_some();
            at += 1;
            group.end = at;
        }
        groups[first as usize] = group;
        groups[first.to_ascii_uppercase() as usize] = group;
    }
    groups
}

/// For each byte, the bytes after it in the anchors that begin with it, without regard to case. An anchor of one byte can be
/// followed by any.
const SECOND_BYTES: [u128; 256] = second_bytes();

const fn second_bytes() -> [u128; 256] {
    let mut bytes = [0; 256];
    let mut at = 0;
    while at < FORMS.len() {
        let anchor = FORMS[at].anchor.as_bytes();
        let next = if anchor.len() > 1 {
            1 << anchor[1].to_ascii_lowercase() | 1 << anchor[1].to_ascii_uppercase()
        } else {
            u128::MAX
        };
        bytes[anchor[0].to_ascii_lowercase() as usize] |= next;
        bytes[anchor[0].to_ascii_uppercase() as usize] |= next;
        at += 1;
    }
    bytes
}

/// Whether an anchor can begin with the byte at `place`: a quick test.
pub(super) fn begins_form(scanner: Scanner<'_>, place: usize, byte: u8) -> bool {
    let next = SECOND_BYTES[usize::from(byte)];
    next != 0 && scanner.byte(place + 1).is_some_and(|byte| byte < 128 && next & 1 << byte != 0)
}

/// The secret with an anchor at `place`. A text before the secret that names its kind is kept.
pub(super) fn secret_by_form(scanner: Scanner<'_>, place: usize, byte: u8) -> Option<(usize, usize)> {
    if !begins_form(scanner, place, byte) {
        return None;
    }
    let group = BY_FIRST_BYTE.get(usize::from(byte)).filter(|group| group.end > 0)?;
    let alone = begins_word(scanner, place);
    if !alone && !group.is_around {
        return None;
    }
    let forms = FORMS.get(group.begin..group.end)?;
    let fits = |form: &&Form| alone || form.before.is_some();
    forms.iter().filter(fits).find_map(|form| form.find(scanner, place))
}

/// Whether a word can begin at this position: not after a letter, but after an escaped line end and `%3D`.
fn begins_word(scanner: Scanner<'_>, place: usize) -> bool {
    let before = |distance| place.checked_sub(distance).and_then(|at| scanner.byte(at));
    match scanner.byte_before(place) {
        Some(b'n' | b'r' | b't') if before(2) == Some(b'\\') => true,
        Some(byte) => !byte.is_ascii_alphanumeric() || before(3) == Some(b'%') && byte.is_ascii_hexdigit(),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{BY_FIRST_BYTE, FORMS};
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn the_forms_are_sorted_by_their_first_letters() {
        assert!(FORMS.len() > 100);
        for (at, form) in FORMS.iter().enumerate() {
            let group = BY_FIRST_BYTE[usize::from(form.anchor.as_bytes()[0])];
            assert!((group.begin..group.end).contains(&at), "{}", form.anchor);
        }
    }

    #[test]
    fn text_with_a_known_form_is_a_secret() {
        for (text, expected) in [
            ("sk-proj-abcdefghijklmnop0123 invalid", vec!["abcdefghijklmnop0123"]),
            ("key sk-ant-api03-abcdefghijklmnop.", vec!["api03-abcdefghijklmnop"]),
            ("(ghp_abcdefghijklmnopqrstuvwxyz0123456789)", vec!["abcdefghijklmnopqrstuvwxyz0123456789"]),
            ("AKIAIOSFODNN7EXAMPLE", vec!["IOSFODNN7EXAMPLE"]),
            (
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEFghi123",
                vec!["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEFghi123"],
            ),
            ("https://h/?t%3Dghp_abcdefghijklmnopqrst0123", vec!["abcdefghijklmnopqrst0123"]),
            ("x\\nghp_abcdefghijklmnopqrst0123", vec!["abcdefghijklmnopqrst0123"]),
            ("AB~8Q~0123456789abcdefghijABCDEFGHIJ.~_", vec!["AB~8Q~0123456789abcdefghijABCDEFGHIJ.~_"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
    }

    #[test]
    fn an_anchor_alone_is_no_secret() {
        for text in [
            "sk-learn",
            "sk-learn-contrib-1234567890",
            "sk-this-is-a-very-long-name-of-a-node",
            "task-0123456789012345678",
            "ghp_short1",
            "eyJ1",
            "eyJ0eXBlIjoiY3Vyc29yIiwiYWZ0ZXIiOiI0MiJ9",
            "AKIA",
            "risk-abcdefghijklmnop0123",
            "4b1d0f7c6aa1c0ffee00112233445566778899aabbccddeeff00112233445566",
            "see tests.abcdefghijklmnopqrstuvwx and others.",
            "at s.getOwnPropertyDescriptorsOfIt (a.js:1:2)",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
