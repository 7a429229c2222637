//! Private keys that are blocks of lines: PEM, OpenSSH, PGP, `PuTTY`. The lines can be in one text, or in one text each.

use memchr::memmem;

use super::scanner::{Scanner, is_quote};
use super::values::looks_secret;

/// The first line of a private key in PEM, and the start of its last line.
const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_KIND: &str = "PRIVATE KEY";
const KEY_DASHES: &str = "-----";
const KEY_END: &str = "-----END ";

/// The line before the lines of a key of `PuTTY`, and the line after them.
const PUTTY_BEGIN: &str = "Private-Lines: ";
const PUTTY_END: &str = "Private-MAC: ";

/// Maximum length of the name of a kind of keys, and of the lines of a key of `PuTTY`, bytes.
const MAX_KIND: usize = 100;
const MAX_PUTTY: usize = 10_000;

/// Minimum length of a word of base64 that is a part of a key wherever it stands, and if it has no digit, bytes.
const MIN_WORD: usize = 16;
const MIN_LETTERS: usize = 40;

/// Maximum number of words between two lines of a key, which other events and the beginnings of lines have.
const MAX_OTHERS: u32 = 200;

/// The lines of a private key of which the last one was not read yet.
#[derive(Clone, Copy, Default)]
pub(super) struct KeyLines {
    is_open: bool,
    /// Whether the word before is a part of the key.
    continues: bool,
    /// The number of other words since a part of the key.
    others: u32,
    /// The position of the next word.
    at: usize,
}

impl KeyLines {
    pub(super) fn is_open(self) -> bool {
        self.is_open
    }

    /// The position of the next word that can be a part of the key.
    pub(super) fn place(self) -> usize {
        if self.is_open { self.at } else { usize::MAX }
    }

    /// The same lines at the beginning of another text.
    pub(super) fn in_next_text(self) -> Self {
        Self { at: 0, ..self }
    }

    /// Enters a secret that something else found.
    pub(super) fn add_secret(&mut self) {
        (self.continues, self.others) = (true, 0);
    }

    /// Reads a first or a last line at `place`. Returns the lines between them if both are in this text.
    pub(super) fn read_line(&mut self, scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
        let rest = scanner.rest(place);
        if rest.starts_with(KEY_END) {
            self.is_open = false;
            return None;
        }
        let (begin, end) = if rest.starts_with(KEY_BEGIN) {
            let begin = end_of_first_line(scanner, place + KEY_BEGIN.len())?;
            let next = scanner.rest(begin).find(KEY_DASHES).map(|at| begin + at);
            (begin, next.filter(|next| scanner.rest(*next).starts_with(KEY_END)))
        } else if rest.starts_with(PUTTY_BEGIN) {
            let number = place + PUTTY_BEGIN.len();
            let begin = scanner.within(number, MAX_KIND, |byte| byte.is_ascii_digit());
            let least = scanner.text.floor_char_boundary(begin + MAX_PUTTY);
            (begin, scanner.slice(begin, least).find(PUTTY_END).map(|at| begin + at))
        } else {
            return None;
        };
        if let Some(end) = end {
            return has_key(scanner.slice(begin, end)).then_some((begin, end));
        }
        *self = Self { is_open: true, continues: true, others: 0, at: begin };
        None
    }

    /// The word at `place`, if it is a part of the key.
    pub(super) fn word_at(&mut self, scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
        let is_inside = place > self.at && scanner.byte(place - 1).is_some_and(is_base64);
        let from = if is_inside { scanner.skip_while(place, is_base64) } else { place };
        let begin = scanner.skip_while(from, |byte| !is_base64(byte));
        self.at = begin;
        if begin > place || begin == scanner.text.len() {
            return None;
        }
        let end = scanner.skip_while(begin, is_base64);
        self.at = end;
        // The letter of an escaped line end.
        let is_escape = scanner.byte_before(begin) == Some(b'\\') && scanner.byte(begin) == Some(b'n');
        let begin = begin + usize::from(is_escape);
        let word = scanner.slice(begin, end);
        let is_part = is_key_word(word) || self.continues && is_last_word(scanner, begin, end);
        self.continues = is_part;
        self.others = if is_part { 0 } else { self.others + 1 };
        self.is_open = self.others < MAX_OTHERS;
        is_part.then_some((begin, end))
    }
}

/// Whether the lines of a private key may begin in a text.
pub(super) fn may_begin(text: &str) -> bool {
    [KEY_BEGIN, PUTTY_BEGIN].iter().any(|begin| memmem::find(text.as_bytes(), begin.as_bytes()).is_some())
}

fn end_of_first_line(scanner: Scanner<'_>, place: usize) -> Option<usize> {
    let kind = scanner
        .within(place, MAX_KIND, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' ');
    let begin = kind + KEY_DASHES.len();
    (scanner.slice(place, kind).contains(KEY_KIND) && scanner.slice(kind, begin) == KEY_DASHES)
        .then_some(begin)
}

/// Whether there is a key between a first and a last line: a sentence can name both.
fn has_key(text: &str) -> bool {
    text.split(|sign: char| !sign.is_ascii() || !is_base64(sign as u8))
        .any(|word| is_key_word(word) || looks_secret(word))
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)
}

/// Whether a word is a part of a key wherever it stands: long, with capitals, small letters and digits.
fn is_key_word(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    word.len() >= MIN_WORD
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && (has(u8::is_ascii_digit) || word.len() >= MIN_LETTERS)
}

/// Whether a word is the short last line of a key: it is alone on its line, and no word of a language.
fn is_last_word(scanner: Scanner<'_>, begin: usize, end: usize) -> bool {
    let is_end =
        |byte: Option<u8>| byte.is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b'\\') || is_quote(byte));
    let begins = begin == 0 || is_end(scanner.byte(begin - 1)) || scanner.is_preceded_by(begin, "\\n");
    let word = scanner.slice(begin, end);
    let is_sign = |byte: u8| byte.is_ascii_digit() || b"+/=".contains(&byte);
    let is_mixed = word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
        && word.bytes().any(|byte| byte.is_ascii_lowercase());
    begins && is_end(scanner.byte(end)) && word.len() > 1 && (word.bytes().any(is_sign) || is_mixed)
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    /// A line of a key.
    const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw";

    #[test]
    fn the_lines_of_a_private_key_are_a_secret() {
        for (text, expected) in [
            (
                "x\n-----BEGIN RSA PRIVATE KEY-----\nab1cde\ncd=\n-----END RSA PRIVATE KEY-----\ny",
                vec!["\nab1cde\ncd=\n"],
            ),
            (
                "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nab1cde\n=cd\n-----END PGP PRIVATE KEY BLOCK-----",
                vec!["\n\nab1cde\n=cd\n"],
            ),
            ("Public-Lines: 1\nab\nPrivate-Lines: 2\nab1cde\nef\nPrivate-MAC: 12", vec!["\nab1cde\nef\n"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for (text, expected) in [
            (format!("-----BEGIN PRIVATE KEY-----\\n{LINE}\\nab1\\n"), vec![LINE, "ab1"]),
            (format!("-----BEGIN PRIVATE KEY-----\n{LINE}\naBc=\nDone\n{LINE}"), vec![LINE, "aBc=", LINE]),
            (
                format!("12:00 -----BEGIN PRIVATE KEY-----\n12:01 {LINE}\n12:02 {LINE}\n12:03 done in 3 s"),
                vec![LINE, LINE],
            ),
            (
                format!(
                    "data: {{\"text\":\"-----BEGIN PRIVATE KEY-----\"}}\n\ndata: {{\"text\":\"{LINE}\"}}\n\n"
                ),
                vec![LINE],
            ),
            (
                format!("-----BEGIN PRIVATE KEY-----\n{LINE}\n-----END PRIVATE KEY-----\n{LINE}"),
                vec![format!("\n{LINE}\n").leak() as &str],
            ),
        ] {
            assert_eq!(secrets(&text), expected, "{text}");
        }
        for text in [
            "-----BEGIN CERTIFICATE-----\nab1cde\n-----END CERTIFICATE-----",
            "-----BEGIN PGP PUBLIC KEY BLOCK-----\nab1cde\n-----END PGP PUBLIC KEY BLOCK-----",
            "-----BEGIN PRIVATE KEY",
            "-----BEGIN the private key",
            "Expected -----BEGIN PRIVATE KEY----- at line 1, found nothing. The run of node-12 stopped.",
            "It begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY-----\nfailed\nError: TypeError at parseKey (src/key2.ts:12:3)\n",
            "-----BEGIN PRIVATE KEY-----\ncommit 174789f4c2d4a0e5b1c6d7e8f90123456789abcd",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
