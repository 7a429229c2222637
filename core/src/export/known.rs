//! Secrets that are known by how they begin, wherever they stand.

use super::marks::REDACTED;
use super::walk::Walk;

/// How a JSON web token begins.
const WEB_TOKEN: &str = "eyJ";

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

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use crate::export::marks::tests::secrets;

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
            "risk-abcdefghijklmnop0123",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
