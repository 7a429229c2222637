//! Secrets that are recognised by their own characters: well-known prefixes, and words with digits and letters.

use super::replacement::REDACTED;
use super::scanner::{Scanner, earlier_redaction, is_name};

/// The prefix of a JSON web token.
const WEB_TOKEN: &str = "eyJ";

/// The first line of a private key in PEM, and the start of its last line.
const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_KIND: &str = "PRIVATE KEY";
const KEY_DASHES: &str = "-----";
const KEY_END: &str = "-----END ";

/// Prefixes of secrets, and the minimum number of characters that follow.
pub const SECRET_PREFIXES: [(&str, usize); 12] = [
    ("AKIA", 16),
    ("AIza", 30),
    (WEB_TOKEN, 30),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("sk-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
];

/// The secret after a known prefix at `place`. The prefix is kept, so that a later export finds the secret again.
pub(super) fn token_after_prefix(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let rest = scanner.rest(place);
    if rest.starts_with(KEY_BEGIN) {
        return private_key(scanner, place + KEY_BEGIN.len());
    }
    let (name, least) = SECRET_PREFIXES.iter().find(|(name, _)| rest.starts_with(name))?;
    if scanner.byte_before(place).is_some_and(is_name) {
        return None;
    }
    let begin = place + name.len();
    if let Some(range) = earlier_redaction(scanner, begin) {
        return Some(range);
    }
    let end = scanner.skip_while(begin, |byte| is_name(byte) || byte == b'.');
    let end = scanner.skip_back_to(begin, end, |byte| byte == b'.');
    let body = scanner.slice(begin, end);
    // Any JSON in base64 has this prefix; a web token has three parts with dots between them.
    let is_token = *name != WEB_TOKEN || body.matches('.').count() == 2;
    let has_digit = body.bytes().any(|byte| byte.is_ascii_digit());
    (end >= begin + least && has_digit && is_token).then_some((begin, end))
}

/// The text between the first and the last line of a private key; without a last line, the rest of the text.
fn private_key(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let kind = scanner.skip_while(place, |byte| byte.is_ascii_uppercase() || byte == b' ');
    let begin = kind + KEY_DASHES.len();
    if !scanner.slice(place, kind).ends_with(KEY_KIND) || scanner.slice(kind, begin) != KEY_DASHES {
        return None;
    }
    let rest = scanner.rest(begin);
    Some((begin, begin + rest.find(KEY_END).unwrap_or(rest.len())))
}

/// Whether an unquoted word looks like a secret: it contains a digit and a letter, or is redacted.
pub(super) fn looks_secret(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    word == REDACTED
        || word.len() > 5 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && !word.contains('/')
}

#[cfg(test)]
mod tests {
    use crate::export::patterns::tests::secrets;

    #[test]
    fn text_with_a_known_prefix_is_a_secret() {
        for (text, expected) in [
            ("sk-proj-abcdefghijklmnop0123 invalid", vec!["proj-abcdefghijklmnop0123"]),
            ("key sk-ant-api03-abcdefghijklmnop.", vec!["ant-api03-abcdefghijklmnop"]),
            ("(ghp_abcdefghijklmnopqrstuvwxyz0123456789)", vec!["abcdefghijklmnopqrstuvwxyz0123456789"]),
            ("AKIAIOSFODNN7EXAMPLE", vec!["IOSFODNN7EXAMPLE"]),
            (
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEFghi123",
                vec!["hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEFghi123"],
            ),
            (
                "x\n-----BEGIN RSA PRIVATE KEY-----\nab\ncd=\n-----END RSA PRIVATE KEY-----\ny",
                vec!["\nab\ncd=\n"],
            ),
            ("-----BEGIN PRIVATE KEY-----\\nab", vec!["\\nab"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
    }

    #[test]
    fn a_prefix_alone_is_not_a_secret() {
        for text in [
            "sk-learn",
            "sk-this-is-a-very-long-name-of-a-node",
            "task-0123456789012345678",
            "ghp_short1",
            "eyJ1",
            "eyJ0eXBlIjoiY3Vyc29yIiwiYWZ0ZXIiOiI0MiJ9",
            "AKIA",
            "-----BEGIN CERTIFICATE-----\nab\n-----END CERTIFICATE-----",
            "-----BEGIN PRIVATE KEY",
            "risk-abcdefghijklmnop0123",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
