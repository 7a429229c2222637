//! Secrets that are known by how they begin, wherever they stand.

use super::patterns::REDACTED;
use super::walk::Walk;

/// How a JSON web token begins.
const WEB_TOKEN: &str = "eyJ";

/// The first line of a private key in PEM, and how its last begins.
const KEY_BEGIN: &str = "-----BEGIN ";
const KEY_KIND: &str = "PRIVATE KEY";
const KEY_DASHES: &str = "-----";
const KEY_END: &str = "-----END ";

/// How the secrets of services begin, and how many characters follow at least.
const KNOWN: [(&str, usize); 12] = [
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

/// What follows a known beginning at `place`. The beginning stays, so that the place is found again.
pub(super) fn known(walk: Walk<'_>, place: usize) -> Option<(usize, usize)> {
    let rest = walk.rest(place);
    if rest.starts_with(KEY_BEGIN) {
        return private_key(walk, place + KEY_BEGIN.len());
    }
    let (name, least) = KNOWN.iter().find(|(name, _)| rest.starts_with(name))?;
    if walk.byte_before(place).is_some_and(is_part) {
        return None;
    }
    let begin = place + name.len();
    if walk.rest(begin).starts_with(REDACTED) {
        return Some((begin, begin + REDACTED.len()));
    }
    let end = walk.over(begin, |byte| is_part(byte) || byte == b'.');
    let end = walk.back_to(begin, end, |byte| byte == b'.');
    let body = walk.slice(begin, end);
    // Any JSON in base64 begins like a web token, whose three parts have points between them.
    let is_token = *name != WEB_TOKEN || body.matches('.').count() == 2;
    let has_digit = body.bytes().any(|byte| byte.is_ascii_digit());
    (end >= begin + least && has_digit && is_token).then_some((begin, end))
}

/// What stands between the first line of a private key and its last; without that it goes on to the text's end.
fn private_key(walk: Walk<'_>, place: usize) -> Option<(usize, usize)> {
    let kind = walk.over(place, |byte| byte.is_ascii_uppercase() || byte == b' ');
    let begin = kind + KEY_DASHES.len();
    if !walk.slice(place, kind).ends_with(KEY_KIND) || walk.slice(kind, begin) != KEY_DASHES {
        return None;
    }
    let rest = walk.rest(begin);
    Some((begin, begin + rest.find(KEY_END).unwrap_or(rest.len())))
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use crate::export::patterns::tests::secrets;

    #[test]
    fn what_begins_like_a_secret_is_one() {
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
    fn what_only_begins_so_is_none() {
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
