//! The form of a kind of secrets.

use super::scanner::{Scanner, is_name};

/// The number of bytes after an anchor that decide whether they are a secret.
const MAX_EXAMINED: usize = 64;

/// The characters of a part of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Hex,
    /// Upper case and digits.
    Upper,
    Alphanumeric,
    /// Also `_` and `-`.
    Word,
    /// Also `.` and `~`.
    Dotted,
    /// Base64 in both alphabets.
    Base64,
    /// All of these, and the separators of credentials.
    Token,
}

impl Class {
    fn contains(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Word => is_name(byte),
            Self::Dotted => is_name(byte) || b".~".contains(&byte),
            Self::Base64 => is_name(byte) || b"+/=".contains(&byte),
            Self::Token => is_name(byte) || b".~+/=%|:@$".contains(&byte),
        }
    }
}

/// A form of secrets: a text, and how many characters of a class are at least before and after it. Case does not matter.
pub(super) struct Form {
    pub(super) anchor: &'static str,
    pub(super) before: Option<(Class, usize)>,
    pub(super) after: (Class, usize),
}

impl Form {
    /// A secret that begins with `anchor`.
    pub(super) const fn after(anchor: &'static str, class: Class, least: usize) -> Self {
        Self { anchor, before: None, after: (class, least) }
    }

    /// A secret with `anchor` inside.
    pub(super) const fn around(
        before: Class,
        least_before: usize,
        anchor: &'static str,
        after: Class,
        least_after: usize,
    ) -> Self {
        Self { anchor, before: Some((before, least_before)), after: (after, least_after) }
    }

    /// The range of the secret of this form, if its anchor is at `place`. An anchor that begins the secret is kept: it names the
    /// kind.
    pub(super) fn find(&self, scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
        let begin = place + self.anchor.len();
        let text = scanner.text.as_bytes().get(place..begin)?;
        if !text.eq_ignore_ascii_case(self.anchor.as_bytes()) {
            return None;
        }
        let (class, least) = self.after;
        let examined = scanner.within(begin, least.max(MAX_EXAMINED), |byte| class.contains(byte));
        let is_secret = examined >= begin + least
            && (self.before.is_some() || self.is_random(scanner.slice(begin, examined)))
            && !is_digest(self.anchor, scanner.slice(begin, examined));
        if !is_secret {
            return None;
        }
        let start = match self.before {
            None => begin,
            Some(before) => start_before(scanner, place, before)?,
        };
        let end = scanner.skip_while(begin, |byte| class.contains(byte) || is_name(byte));
        Some((start, scanner.skip_back_to(begin + least, end, |byte| matches!(byte, b'.' | b':'))))
    }

    /// Whether a text after the anchor is not made of words: it has a digit. After an anchor that is no word itself, capitals
    /// between small letters are enough, or no separator.
    fn is_random(&self, text: &str) -> bool {
        let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
        let is_certain = self.anchor.len() > 2;
        has(u8::is_ascii_digit)
            || match self.after.0 {
                Class::Hex | Class::Upper => true,
                Class::Alphanumeric => is_certain,
                Class::Word | Class::Dotted | Class::Base64 | Class::Token => {
                    is_certain && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
                }
            }
    }
}

/// The start of the characters of a class before an anchor, if there are enough.
fn start_before(scanner: Scanner<'_>, anchor: usize, (class, least): (Class, usize)) -> Option<usize> {
    let examined = scanner.within_back(anchor, least, |byte| class.contains(byte));
    let start = || scanner.skip_back(examined, |byte| class.contains(byte) || is_name(byte));
    (examined + least <= anchor).then(start)
}

/// Whether anchor and text are part of a hash.
fn is_digest(anchor: &str, text: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex(anchor) && is_hex(text)
}
