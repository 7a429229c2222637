//! Secrets in HTTP headers that a text quotes.

use super::keys::is_header;
use super::patterns::{REDACTED, is_name, looks_secret};
use super::value::{is_bare, is_quote, is_space, quoted};
use super::walk::Walk;

/// Prefixes of secrets, in lower case; each ends with a space.
const SCHEMES: [&[u8]; 5] =
    [b"bearer ", b"authorization: basic ", b"authorization: token ", b"x-api-key: ", b"x-smithers-key: "];

/// Words after `bearer` that are no token.
const NO_TOKENS: [&str; 8] =
    ["auth", "authentication", "authorization", "credentials", "header", "scheme", "token", "tokens"];

/// The schemes of `authorization` after which one word is the secret.
const ONE_WORD_SCHEMES: [&str; 3] = ["basic", "bearer", "token"];

/// Maximum length of a word that is examined, bytes.
const MAX_WORD: usize = 256;

/// The secret after `Bearer ` or another prefix.
pub(super) fn after_scheme(walk: Walk<'_>, place: usize) -> Option<(usize, usize)> {
    let before = walk.text.as_bytes().get(walk.from..=place)?;
    let ends = |header: &&[u8]| {
        let end = before.len().checked_sub(header.len()).and_then(|at| before.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(header))
    };
    if !SCHEMES.iter().any(ends) {
        return None;
    }
    let begin = place + 1;
    if walk.byte(begin) == Some(b'`') {
        // A command in ticks has spaces, a secret has none.
        let end = walk.over(begin + 1, |byte| byte != b'`' && !is_space(byte));
        return (walk.byte(end) == Some(b'`')).then_some((begin + 1, end));
    }
    let end = walk.over(begin, is_bare);
    let word = walk.slice(begin, end).trim_end_matches(['.', ':']);
    (!NO_TOKENS.iter().any(|of| of.eq_ignore_ascii_case(word))).then_some((begin, end))
}

/// The line after a header's name and `:`, as far as it is secret: cookies, and what `authorization` says after its scheme.
pub(super) fn after_header(walk: Walk<'_>, place: usize) -> Option<(usize, usize)> {
    let name = walk.back(place, is_name);
    if !is_header(walk.slice(name, place)) {
        return None;
    }
    let begin = walk.over(place + 1, |byte| byte == b' ');
    if let Some(found) = earlier_redaction(walk, begin).or_else(|| quoted(walk, begin)) {
        return Some(found);
    }
    let quote = walk.byte_before(name).filter(|byte| is_quote(*byte));
    let word = word_end(walk, begin);
    let first = walk.slice(begin, word);
    match walk.byte(word) {
        Some(b'=') => Some((begin, line_end(walk, begin, quote))),
        Some(b' ') if ONE_WORD_SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(first)) => None,
        Some(b' ') if earlier_redaction(walk, word + 1).is_some() => earlier_redaction(walk, word + 1),
        // Parameters have names; prose has none.
        Some(b' ') if walk.byte(word_end(walk, word + 1)) == Some(b'=') => {
            Some((word + 1, line_end(walk, word + 1, quote)))
        }
        _ => looks_secret(first).then(|| (begin, walk.over(begin, is_bare))),
    }
}

/// An earlier redaction.
fn earlier_redaction(walk: Walk<'_>, at: usize) -> Option<(usize, usize)> {
    walk.rest(at).starts_with(REDACTED).then_some((at, at + REDACTED.len()))
}

/// Where a word ends: with white space or `=`, or where it is too long to be read further.
fn word_end(walk: Walk<'_>, begin: usize) -> usize {
    let mut at = begin;
    while at < begin + MAX_WORD && walk.byte(at).is_some_and(|byte| !is_space(byte) && byte != b'=') {
        at += 1;
    }
    at
}

/// Where a header's line ends: at the quote that it stands in, or with the line, that of a text inside a text among them.
fn line_end(walk: Walk<'_>, begin: usize, quote: Option<u8>) -> usize {
    let mut at = begin;
    while let Some(byte) = walk.byte(at).filter(|byte| !matches!(byte, b'\n' | b'\r') && Some(*byte) != quote)
    {
        let next = walk.byte(at + 1);
        let escape =
            byte == b'\\' && (matches!(next, Some(b'n' | b'r' | b'\\')) || quote.is_some() && next == quote);
        if escape {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::export::patterns::tests::secrets;

    #[test]
    fn the_rest_of_a_header_is_a_secret() {
        for (text, expected) in [
            ("Cookie: sid=a; b=c\nHost: x", vec!["sid=a; b=c"]),
            ("< set-cookie: sid=a; Path=/\r\n< x", vec!["sid=a; Path=/"]),
            ("curl -H 'Cookie: sid=a' http://h", vec!["sid=a"]),
            ("headers { cookie: 'sid=a' }", vec!["sid=a"]),
            ("Authorization: a1b2c3d4", vec!["a1b2c3d4"]),
            (
                "Authorization: Digest username=\"u\", response=\"s\"\nx",
                vec!["username=\"u\", response=\"s\""],
            ),
            (
                "-H \"Authorization: AWS4-HMAC-SHA256 Credential=A, Signature=s\" x",
                vec!["Credential=A, Signature=s"],
            ),
            (r#"\"Cookie: a=b\" z"#, vec!["a=b"]),
            (r"Cookie: a=b\nHost: x", vec!["a=b"]),
            ("Proxy-Authorization: Basic dXNlcg==", vec!["dXNlcg=="]),
            ("Cookie: [redacted]\nx", vec!["[redacted]"]),
            ("Authorization: Digest [redacted]", vec!["[redacted]"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "Authorization: required",
            "authorization: see the manual of the server",
            "the cookie: none was sent",
            "Cookie:",
            "Set-Cookie:\nsid",
            "cookies: a=b",
            "Content-Type: a=b",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
