//! Secrets in HTTP headers, in addresses and in `curl -u`.

use super::keys::{is_header, names_secret};
use super::scanner::{Scanner, earlier_redaction, is_name, is_quote, is_space, is_unquoted, quoted_range};
use super::token_prefixes::looks_secret;

/// Text before a secret, in lower case; each ends with a space.
const SCHEMES: [&[u8]; 5] =
    [b"bearer ", b"authorization: basic ", b"authorization: token ", b"x-api-key: ", b"x-smithers-key: "];

/// Words after `bearer` that are not tokens.
const NO_TOKENS: [&str; 8] =
    ["auth", "authentication", "authorization", "credentials", "header", "scheme", "token", "tokens"];

/// Schemes of `authorization` that are followed by a single word, the secret.
const ONE_WORD_SCHEMES: [&str; 3] = ["basic", "bearer", "token"];

/// Maximum length of an examined word, bytes.
const MAX_WORD: usize = 256;

/// Maximum distance between `curl` and `-u`, bytes.
const COMMAND: usize = 200;

/// The secret after `Bearer ` or another scheme.
pub(super) fn secret_after_scheme(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let before = scanner.text.as_bytes().get(scanner.start..=place)?;
    let ends = |header: &&[u8]| {
        let end = before.len().checked_sub(header.len()).and_then(|at| before.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(header))
    };
    if !SCHEMES.iter().any(ends) {
        return None;
    }
    let begin = place + 1;
    if scanner.byte(begin) == Some(b'`') {
        // A command in backticks contains spaces, a secret does not.
        let end = scanner.skip_while(begin + 1, |byte| byte != b'`' && !is_space(byte));
        return (scanner.byte(end) == Some(b'`')).then_some((begin + 1, end));
    }
    let end = scanner.skip_while(begin, is_unquoted);
    let word = scanner.slice(begin, end).trim_end_matches(['.', ':']);
    (!NO_TOKENS.iter().any(|of| of.eq_ignore_ascii_case(word))).then_some((begin, end))
}

/// The secret part of a header's value: cookies, and the text after the scheme of `authorization`.
pub(super) fn header_value(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let name = scanner.skip_back(place, is_name);
    if !is_header(scanner.slice(name, place)) {
        return None;
    }
    let begin = scanner.skip_while(place + 1, |byte| byte == b' ');
    if let Some(found) = earlier_redaction(scanner, begin).or_else(|| quoted_range(scanner, begin)) {
        return Some(found);
    }
    let quote = scanner.byte_before(name).filter(|byte| is_quote(*byte));
    let word = word_end(scanner, begin);
    let first = scanner.slice(begin, word);
    match scanner.byte(word) {
        Some(b'=') => Some((begin, line_end(scanner, begin, quote))),
        Some(b' ') if ONE_WORD_SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(first)) => None,
        Some(b' ') if earlier_redaction(scanner, word + 1).is_some() => earlier_redaction(scanner, word + 1),
        // Credentials have named parameters, prose does not.
        Some(b' ') if scanner.byte(word_end(scanner, word + 1)) == Some(b'=') => {
            Some((word + 1, line_end(scanner, word + 1, quote)))
        }
        _ => looks_secret(first).then(|| (begin, scanner.skip_while(begin, is_unquoted))),
    }
}

/// The end of a word: white space, `=`, or the maximum length.
fn word_end(scanner: Scanner<'_>, begin: usize) -> usize {
    let mut at = begin;
    while at < begin + MAX_WORD && scanner.byte(at).is_some_and(|byte| !is_space(byte) && byte != b'=') {
        at += 1;
    }
    at
}

/// The end of a header's line: the enclosing quote or the end of the line, which can be escaped.
fn line_end(scanner: Scanner<'_>, begin: usize, quote: Option<u8>) -> usize {
    let mut at = begin;
    while let Some(byte) =
        scanner.byte(at).filter(|byte| !matches!(byte, b'\n' | b'\r') && Some(*byte) != quote)
    {
        let next = scanner.byte(at + 1);
        let escape =
            byte == b'\\' && (matches!(next, Some(b'n' | b'r' | b'\\')) || quote.is_some() && next == quote);
        if escape {
            break;
        }
        at += 1;
    }
    at
}

/// Whether a URL parameter is a signature: it grants access to everybody who has the URL.
pub(super) fn is_signature(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "sig" || name.ends_with("signature")
}

/// The value after `token%3D`, a parameter of a URL inside a URL.
pub(super) fn encoded_parameter(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let is = |at: usize, code: &str| scanner.slice(at, at + code.len()).eq_ignore_ascii_case(code);
    let begin = place + "%3D".len();
    if !is(place, "%3D") || !names_secret(scanner.slice(scanner.skip_back(place, is_name), place)) {
        return None;
    }
    let mut end = begin;
    while scanner.byte(end).is_some_and(is_unquoted) && !is(end, "%26") && !is(end, "%23") {
        end += 1;
    }
    Some((begin, end))
}

/// The password after `-u name:` of curl. For other commands, `-u 1000:1000` is a user and a group.
pub(super) fn curl_password(scanner: Scanner<'_>, option: &str, place: usize) -> Option<(usize, usize)> {
    if !matches!(option, "-u" | "--user" | "--proxy-user") {
        return None;
    }
    let before = scanner.text.as_bytes().get(place.saturating_sub(COMMAND)..place)?;
    let is_curl = before.windows(b"curl ".len()).any(|word| word == b"curl ");
    let begin = scanner.skip_while(place + 1, |byte| is_unquoted(byte) && byte != b':') + 1;
    let end = scanner.skip_while(begin, is_unquoted);
    let is_there = scanner.byte(begin - 1) == Some(b':') && !scanner.rest(begin).starts_with("//");
    let range = earlier_redaction(scanner, begin).unwrap_or((begin, end));
    (is_curl && is_there).then_some(range)
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

    #[test]
    fn credentials_in_addresses_and_commands_are_secrets() {
        for (text, expected) in [
            ("https://b/k?X-Amz-Signature=ab&x=1", vec!["ab"]),
            ("https://b/k?sv=1&sig=ab%2F", vec!["ab%2F"]),
            ("?next=https%3A%2F%2Fx%3Ftoken%3Dab%2Bc%26y%3D1", vec!["ab%2Bc"]),
            ("https://h/?r=%3Fapi_key%3dk", vec!["k"]),
            ("curl -s -u bob:pw https://x", vec!["pw"]),
            ("curl --user bob:[redacted] https://x", vec!["[redacted]"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "sig=9, signature=f(x)",
            "fn signature=(a) at https://h/x",
            "?next=https%3A%2F%2Fx%3Fpage%3D2",
            "100%3D of token",
            "docker run -u 1000:1000 image",
            "curl -u bob https://x",
            "curl -u https://x",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
