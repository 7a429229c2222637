//! What a value looks like: a secret, or the place of one.

use super::keys::names_secret;
use super::replacement::{REDACTED_START, is_redacted};

/// Words in the place of a secret that say why there is none.
const WORDS: [&str; 40] = [
    "absent",
    "available",
    "configured",
    "denied",
    "disabled",
    "empty",
    "enabled",
    "eof",
    "exists",
    "expected",
    "expired",
    "false",
    "forbidden",
    "hidden",
    "identifier",
    "incorrect",
    "invalid",
    "masked",
    "mismatch",
    "missing",
    "n/a",
    "nan",
    "nil",
    "none",
    "null",
    "optional",
    "present",
    "provided",
    "rejected",
    "required",
    "revoked",
    "string",
    "supported",
    "true",
    "unavailable",
    "unchanged",
    "undefined",
    "unknown",
    "unset",
    "wrong",
];

/// Names of encodings and algorithms, which have digits as secrets have.
const ALGORITHMS: [&str; 20] = [
    "aes128",
    "aes192",
    "aes256",
    "argon2",
    "argon2i",
    "argon2id",
    "base32",
    "base58",
    "base62",
    "base64",
    "base64url",
    "ed25519",
    "oauth2",
    "pbkdf2",
    "rsa2048",
    "rsa4096",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
];

/// The beginnings of expressions that read a secret from elsewhere.
const EXPRESSIONS: [&str; 13] = [
    "config.",
    "env(",
    "env.",
    "getenv(",
    "import.meta.env",
    "os.environ",
    "os.getenv",
    "process.env",
    "secrets.",
    "self.",
    "std::env",
    "this.",
    "vars.",
];

/// The beginnings of patterns that search for a secret: `s/PASSWORD=.*//`.
const PATTERNS: [&str; 7] = [".*", ".+", "[^", r"\S+", r"\S*", r"\w+", r"\w*"];

/// The beginnings of texts that ask for a secret: `your-api-key`, `REPLACE_ME`.
const REQUESTS: [&str; 8] = ["add", "dummy", "enter", "example", "insert", "placeholder", "replace", "your"];

/// The last names of expressions: `response.data`, `tokens[0].value`.
const LAST_NAMES: [&str; 8] = ["data", "id", "kind", "length", "name", "text", "type", "value"];

/// Minimum and maximum number of digits of a code.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=10;

/// Maximum length of a placeholder, bytes.
const MAX_PLACEHOLDER: usize = 120;

/// Minimum length of a password after a name that can also have other values, and of a secret of letters alone, bytes.
pub(super) const MIN_LETTERS: usize = 6;

/// Minimum length of a secret without a name of its own, bytes.
const LONG: usize = 12;

/// Minimum length of a text that looks random, bytes.
const RANDOM: usize = 16;

/// Minimum length of base64 with `/`, but without `+` and `=`; shorter texts with `/` are paths.
const BASE64: usize = 32;

/// Whether an unquoted word looks like a secret: it contains a digit and a letter, is not a path, and was not redacted before.
pub(super) fn looks_secret(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    let is_base64 = || {
        let has_both_cases = || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
        let has_sign = word.contains(['+', '=']);
        word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte))
            && (has_sign && (word.len() >= LONG || has_both_cases())
                || word.len() >= BASE64 && has_both_cases())
    };
    word.len() > 5
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && (!word.contains('/') || is_base64())
        && !word.contains(REDACTED_START)
        && !is_placeholder(word)
}

/// Whether a word of a sentence or a cell is a secret, not a word of a language with a number: neither `12characters` nor
/// `sha256-hashed`, `v1.2.3` or `node-12`.
pub(super) fn looks_secret_in_prose(word: &str) -> bool {
    let has_digit = |part: &str| part.bytes().any(|byte| byte.is_ascii_digit());
    let is_number_with_unit = || {
        let unit = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        unit.len() < word.len() && unit.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let is_compound = || word.contains('-') && word.split('-').filter(|part| has_digit(part)).count() < 2;
    let has_blank = word.contains(|letter: char| letter.is_whitespace());
    looks_secret(word)
        && !has_blank
        && (is_random(word) || !word.contains('.') && !is_number_with_unit() && !is_compound())
}

/// Whether a word after a name of a secret is one: it looks like one, or is a long number.
pub(super) fn fits_name(word: &str) -> bool {
    looks_secret(word) || word.len() >= LONG && is_number(word)
}

/// Whether a text after the name of a code is one.
pub(super) fn is_code(text: &str) -> bool {
    DIGITS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        || looks_secret_in_prose(text)
}

/// Whether a value is not a secret but the place of one, or says why there is none: `${TOKEN}`, `undefined`, `****`. These are
/// the texts that gitleaks allows, and expressions that read a secret.
pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim_ascii();
    if value.is_empty() || value.starts_with("{{") || value.starts_with("${") {
        return true;
    }
    // What is left of a value after a part of it was redacted was no secret before either.
    if value.contains(REDACTED_START) && !is_redacted(value) {
        return true;
    }
    if value.len() > MAX_PLACEHOLDER {
        return false;
    }
    let inside = |begin, end| value.strip_prefix(begin).and_then(|rest: &str| rest.strip_suffix(end));
    let word = value.trim_end_matches(['.', ':', '!']);
    WORDS.iter().chain(&ALGORITHMS).any(|of| of.eq_ignore_ascii_case(word))
        || is_one_letter(value)
        || EXPRESSIONS.iter().chain(&PATTERNS).any(|start| value.starts_with(start))
        || value.starts_with("$(")
        || value.strip_prefix('$').is_some_and(|name| is_variable(name) || is_number(name))
        || inside("%", "%").is_some_and(is_variable)
        || inside("@", "@").is_some_and(is_variable)
        || inside("{", "}").is_some_and(|name| name.is_empty() || is_variable(name) || is_number(name))
        || inside("<", ">").is_some_and(|name| !name.bytes().any(|byte| byte.is_ascii_digit()))
        || is_request(value)
        || matches!(value.as_bytes(), [b'%', b'a'..=b'z' | b'A'..=b'Z'])
}

/// Whether a text after a name such as `pass` is a password: neither a count nor a path nor a sentence.
pub(super) fn is_password(text: &str) -> bool {
    text.len() >= MIN_LETTERS && !is_number(text) && !text.contains([' ', '/', '\\']) && !is_placeholder(text)
}

/// Whether a text under any key of an object such as `tokens`, or before the host of an address, is a secret.
pub(super) fn is_group_secret(text: &str) -> bool {
    text.len() >= LONG && looks_secret(text)
}

/// Whether a text looks random: capitals, small letters and digits, without what addresses, versions and paths have.
pub(super) fn is_random(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
    text.len() >= RANDOM
        && looks_secret(text)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte))
}

/// Whether a value is a number of few digits, which counts tokens or is a line.
pub(super) fn is_small_number(value: &str) -> bool {
    value.len() < 6 && is_number(value)
}

fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is the name of a variable: capitals or small letters alone, with `_`, a number at the end or between parts in
/// capitals, or the name of a secret.
fn is_variable(name: &str) -> bool {
    let all = |is: fn(&u8) -> bool| name.bytes().all(|byte| byte == b'_' || is(&byte));
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let is_numbered = || name.contains('_') && name.bytes().all(|byte| byte == b'_' || is_upper(&byte));
    !name.is_empty()
        && (all(u8::is_ascii_uppercase)
            || all(u8::is_ascii_lowercase)
            || is_identifier(name) && (is_numbered() || names_secret(name).is_some()))
}

/// Whether a text asks for a secret: it begins with a verb or `your`, and is of words alone.
fn is_request(value: &str) -> bool {
    let is_begin = |begin: &&&str| value.get(..begin.len()).is_some_and(|of| of.eq_ignore_ascii_case(begin));
    let Some(begin) = REQUESTS.iter().find(is_begin) else { return false };
    let rest = &value[begin.len()..];
    let is_word = |byte: u8| byte.is_ascii_alphabetic() || b"-_ .".contains(&byte);
    rest.starts_with(|sign: char| "-_ ".contains(sign) || sign.is_ascii_uppercase())
        && rest.bytes().all(is_word)
}

/// Whether an unquoted value is an expression of a program: `tokens[0].value`, `getToken2(`, `this.token2`.
pub(super) fn is_expression(word: &str) -> bool {
    let word = word.trim_end_matches([';', '!']);
    let end = word.find(|sign: char| !sign.is_ascii_alphanumeric() && !"_$".contains(sign));
    let Some((name, rest)) = end.and_then(|end| word.split_at_checked(end)) else { return false };
    // A number is at the end of a name.
    let letters = name.trim_end_matches(|sign: char| sign.is_ascii_digit());
    if !is_identifier(name) || letters.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let is_index = |text: &str| {
        let inside = text.split([']', '"', '\'']).next().unwrap_or_default();
        let after = text.get(inside.len() + 1..).unwrap_or_default();
        inside.len() < text.len()
            && (is_number(inside) || is_identifier(inside))
            && (after.is_empty() || after.starts_with(|sign: char| ".[(?!)".contains(sign)))
    };
    let is_path = |text: &str| {
        let last = text.rsplit(['.', '?']).next().unwrap_or_default();
        text.split(['.', '?']).all(|part| part.is_empty() || is_identifier(part))
            && (LAST_NAMES.contains(&last) || names_secret(last).is_some())
    };
    match rest.as_bytes() {
        [b'(' | b'['] | [b'[', b']', ..] => true,
        [b'(', ..] => {
            rest[1..].starts_with(|sign: char| sign.is_ascii_alphanumeric() || "_$)&*".contains(sign))
        }
        [b'[', ..] => is_index(&rest[1..]),
        [b':', b':', ..] => is_identifier(&rest[2..]) || rest.contains('('),
        [b'-', b'>', ..] => is_identifier(&rest[2..]),
        [b'.' | b'?', ..] => is_path(&rest[1..]),
        _ => false,
    }
}

/// Whether a text can be the name of a variable of a program.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_ascii_alphabetic() || "_$".contains(sign))
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

/// Whether a text repeats one letter: `xxxx`, `****`.
fn is_one_letter(value: &str) -> bool {
    let mut bytes = value.bytes();
    let first = bytes.next();
    value.len() > 2
        && first.is_some_and(|byte| byte.is_ascii_alphabetic() || b"*.-_#".contains(&byte))
        && bytes.all(|byte| Some(byte.to_ascii_lowercase()) == first.map(|byte| byte.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests;
