//! Private keys that are blocks of lines: PEM, OpenSSH, PGP, `PuTTY`.

use super::scanner::Scanner;

/// The first line of a private key in PEM, and the start of its last line.
const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_KIND: &str = "PRIVATE KEY";
const KEY_DASHES: &str = "-----";
const KEY_END: &str = "-----END ";

/// The line before the lines of a key of `PuTTY`, and the line after them.
const PUTTY_BEGIN: &str = "Private-Lines: ";
const PUTTY_END: &str = "Private-MAC: ";

/// Maximum length of the name of a kind of keys, bytes.
const MAX_KIND: usize = 100;

/// The text between the first and the last line of a private key; without a last line, the rest of the text.
pub(super) fn private_key(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let rest = scanner.rest(place);
    let (begin, last_line) = if rest.starts_with(KEY_BEGIN) {
        (end_of_first_line(scanner, place + KEY_BEGIN.len())?, KEY_END)
    } else if rest.starts_with(PUTTY_BEGIN) {
        let number = place + PUTTY_BEGIN.len();
        (scanner.within(number, MAX_KIND, |byte| byte.is_ascii_digit()), PUTTY_END)
    } else {
        return None;
    };
    let rest = scanner.rest(begin);
    Some((begin, begin + rest.find(last_line).unwrap_or(rest.len())))
}

/// Whether a text has the first line of a private key, but not the last one.
pub(super) fn begins_private_key(text: &str) -> bool {
    let Some((_, rest)) = text.rsplit_once(KEY_BEGIN) else { return false };
    rest.contains(KEY_KIND) && !rest.contains(KEY_END)
}

/// Whether a text has the last line of a private key.
pub(super) fn ends_private_key(text: &str) -> bool {
    text.contains(KEY_END)
}

fn end_of_first_line(scanner: Scanner<'_>, place: usize) -> Option<usize> {
    let kind = scanner
        .within(place, MAX_KIND, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ');
    let begin = kind + KEY_DASHES.len();
    (scanner.slice(place, kind).contains(KEY_KIND) && scanner.slice(kind, begin) == KEY_DASHES)
        .then_some(begin)
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn the_lines_of_a_private_key_are_a_secret() {
        for (text, expected) in [
            (
                "x\n-----BEGIN RSA PRIVATE KEY-----\nab\ncd=\n-----END RSA PRIVATE KEY-----\ny",
                vec!["\nab\ncd=\n"],
            ),
            ("-----BEGIN PRIVATE KEY-----\\nab", vec!["\\nab"]),
            (
                "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nab\n=cd\n-----END PGP PRIVATE KEY BLOCK-----",
                vec!["\n\nab\n=cd\n"],
            ),
            ("Public-Lines: 1\nab\nPrivate-Lines: 2\ncd\nef\nPrivate-MAC: 12", vec!["\ncd\nef\n"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "-----BEGIN CERTIFICATE-----\nab\n-----END CERTIFICATE-----",
            "-----BEGIN PGP PUBLIC KEY BLOCK-----\nab\n-----END PGP PUBLIC KEY BLOCK-----",
            "-----BEGIN PRIVATE KEY",
            "-----BEGIN the private key",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
