//! Secrets in HTTP headers and in addresses.

use super::keys::{is_header, names_secret};
use super::replacement::redaction_length;
use super::scanner::{MAX_WORD, Scanner, is_blank, is_quote, is_space, is_unquoted, quoted_range};
use super::values::{is_placeholder, looks_secret};

/// Words after `bearer` that are not tokens.
const NO_TOKENS: [&str; 20] = [
    "and",
    "auth",
    "authentication",
    "authorization",
    "credentials",
    "for",
    "from",
    "header",
    "in",
    "is",
    "must",
    "not",
    "of",
    "or",
    "scheme",
    "that",
    "token",
    "tokens",
    "was",
    "with",
];

/// Schemes of `authorization` that are followed by a single word, the secret.
const ONE_WORD_SCHEMES: [&str; 8] =
    ["apikey", "api-key", "basic", "bearer", "key", "negotiate", "ntlm", "token"];

/// Parameters of addresses whose values are secrets, but only with a digit and a letter: `?code=404`.
const PARAMETERS: [&str; 5] = ["auth", "code", "key", "sid", "ticket"];

/// A blank that does not end a line.
const HARD_BLANK: char = '\u{a0}';

/// Headers whose value is the secret alone.
const KEY_HEADERS: [&str; 4] =
    ["ocp-apim-subscription-key", "x-api-key", "x-functions-key", "x-smithers-key"];

/// A value of a parameter of this length with a digit is a secret, bytes.
const LONG: usize = 24;

/// The secret after `Bearer` and the white space at `place`, which follows `word`.
pub(super) fn secret_after_scheme(scanner: Scanner<'_>, place: usize, word: &str) -> Option<(usize, usize)> {
    if !word.eq_ignore_ascii_case("bearer") {
        return None;
    }
    let hard_blank = if scanner.rest(place).starts_with(HARD_BLANK) { HARD_BLANK.len_utf8() } else { 0 };
    let begin = skip_line_end(scanner, scanner.skip_while(place + hard_blank, is_space));
    if scanner.byte(begin) == Some(b'`') {
        // A command in backticks contains spaces, a secret does not.
        let end = scanner.within(begin + 1, MAX_WORD, |byte| byte != b'`' && !is_space(byte));
        return (scanner.byte(end) == Some(b'`')).then_some((begin + 1, end));
    }
    let word = scanner.word(begin).trim_end_matches(['.', ':']);
    // Another parameter follows: `token_type=bearer expires_in=3600`.
    let is_parameter = || {
        let name = word.split('=').next().unwrap_or_default();
        // `Bearer realm="…"`, but not the end of a quoted header with base64: `"Bearer YWJj="`.
        let is_quoted = name.len() + 1 == word.len()
            && scanner.byte(begin + word.len()).is_some_and(is_quote)
            && scanner.byte(begin + word.len() + 1).is_some_and(|byte| byte.is_ascii_alphanumeric());
        (name.len() < word.trim_end_matches('=').len() || is_quoted)
            && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase())
    };
    let is_next = scanner.slice(place, begin).contains(['\n', '\r']) && !looks_secret(word);
    let is_word =
        begin == place || NO_TOKENS.iter().any(|of| of.eq_ignore_ascii_case(word)) || is_placeholder(word);
    (!is_word && !is_next && !is_parameter()).then(|| (begin, scanner.skip_while(begin, is_unquoted)))
}

/// The secret part of a header's value: cookies, and the text after the scheme of `authorization`.
pub(super) fn header_value(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let header = scanner.name_before(place);
    if !is_header(header) {
        return None;
    }
    let begin = scanner.skip_blanks(place + 1);
    let quote = scanner.byte_before(place - header.len()).filter(|byte| is_quote(*byte));
    if quote.is_some() && scanner.byte(begin) == quote {
        return None;
    }
    if let Some((begin, end)) = quoted_range(scanner, begin) {
        return (!is_placeholder(scanner.slice(begin, end))).then_some((begin, end));
    }
    if KEY_HEADERS.iter().any(|of| of.eq_ignore_ascii_case(header)) {
        return (!is_placeholder(scanner.word(begin)))
            .then(|| (begin, scanner.skip_while(begin, is_unquoted)));
    }
    // An earlier redaction is found as such.
    if redaction_length(scanner.rest(begin)).is_some() {
        return None;
    }
    let word_end = |begin| word_end(scanner, begin, quote);
    let word = word_end(begin);
    let first = scanner.slice(begin, word);
    let next = skip_line_end(scanner, scanner.skip_blanks(word));
    let second = word_end(next);
    match scanner.byte(word) {
        Some(b'=') if word > begin => Some((begin, line_end(scanner, begin, quote))),
        // What follows is redacted already.
        Some(byte) if is_blank(byte) && redaction_length(scanner.rest(next)).is_some() => None,
        // Credentials have named parameters, prose does not.
        Some(byte) if is_blank(byte) && is_parameter(scanner, second) => {
            Some((next, line_end(scanner, next, quote)))
        }
        Some(byte)
            if is_blank(byte) && ONE_WORD_SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(first)) =>
        {
            let secret = scanner.word(next);
            (!is_placeholder(secret)).then(|| (next, scanner.skip_while(next, is_unquoted)))
        }
        Some(byte) if is_blank(byte) && looks_secret(scanner.word(next)) => {
            Some((next, scanner.skip_while(next, is_unquoted)))
        }
        _ => looks_secret(first).then(|| (begin, scanner.skip_while(begin, is_unquoted))),
    }
}

/// The next line, if the one that ends with the backslash at `at` continues; else `at`.
fn skip_line_end(scanner: Scanner<'_>, at: usize) -> usize {
    let continues = scanner.rest(at).starts_with("\\\n");
    if continues { scanner.skip_while(at + 1, is_space) } else { at }
}

/// Whether a name that ends here has a value: `response="…"`, but not the padding of base64.
fn is_parameter(scanner: Scanner<'_>, name: usize) -> bool {
    scanner.byte(name) == Some(b'=')
        && scanner.byte(name + 1).is_some_and(|byte| byte != b'=' && (is_quote(byte) || is_unquoted(byte)))
}

/// The end of a word: white space, `=`, the enclosing quote, or the maximum length.
fn word_end(scanner: Scanner<'_>, begin: usize, quote: Option<u8>) -> usize {
    scanner.within(begin, MAX_WORD, |byte| !is_space(byte) && byte != b'=' && Some(byte) != quote)
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

/// Whether the value of a URL parameter grants access: a signature, or a key of the form of a secret.
pub(super) fn is_secret_parameter(
    scanner: Scanner<'_>,
    begin: usize,
    name: &str,
    value: usize,
    in_address: bool,
) -> bool {
    let name = name.to_ascii_lowercase();
    if name == "sig" || name.ends_with("signature") {
        return in_address;
    }
    let in_query = in_address || matches!(scanner.byte_before(begin), Some(b'?' | b'&'));
    if in_query && PARAMETERS.contains(&name.as_str()) {
        let word = scanner.word(value);
        return looks_secret(word) || word.len() >= LONG && word.bytes().any(|byte| byte.is_ascii_digit());
    }
    name.ends_with("_auth") && looks_secret(scanner.word(value))
}

/// The value after `token%3D`, a parameter of a URL inside a URL.
pub(super) fn encoded_parameter(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let is = |at: usize, code: &str| scanner.slice(at, at + code.len()).eq_ignore_ascii_case(code);
    let code = if is(place, "%253D") { "%253D" } else { "%3D" };
    let begin = place + code.len();
    if !is(place, code) || names_secret(scanner.name_before(place)).is_none() {
        return None;
    }
    let mut end = begin;
    while scanner.byte(end).is_some_and(is_unquoted)
        && !is(end, "%26")
        && !is(end, "%2526")
        && !is(end, "%23")
    {
        end += 1;
    }
    Some((begin, end))
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

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
            ("Authorization: ApiKey abcdef", vec!["abcdef"]),
            ("\"Authorization: Bearer YWJj=\" z", vec!["YWJj="]),
            ("Ocp-Apim-Subscription-Key: abcdef", vec!["abcdef"]),
            ("curl -H 'x-functions-key: abcdef' h", vec!["abcdef"]),
            ("Authorization: Token token=\"abc\"", vec!["token=\"abc\""]),
            ("Bearer  a\tBearer\tb Bearer\u{a0}c Bearer\nd12345", vec!["a", "b", "c", "d12345"]),
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
            "token_type=bearer expires_in=3600",
            "bearer of bad news12",
            "Authorization: Bearer ${TOKEN}",
            "Authorization: Bearer undefined",
            "Cookie: \"none\"",
            "Bearer\nHost: x",
            "\"Cookie:=\" resd2a",
            "\"Authorization:\" resd2a",
            "WWW-Authenticate: Bearer error=\"invalid_token\"",
            "www-authenticate: Bearer realm=\"api1\", error_description='expired 2 h ago'",
            "Bearer $GITHUB_TOKEN2",
            "Cookie: =",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn credentials_in_addresses_are_secrets() {
        for (text, expected) in [
            ("https://b/k?X-Amz-Signature=ab&x=1", vec!["ab"]),
            ("https://b/k?sv=1&sig=ab%2F", vec!["ab%2F"]),
            ("?next=https%3A%2F%2Fx%3Ftoken%3Dab%2Bc%26y%3D1", vec!["ab%2Bc"]),
            ("https://h/?r=%3Fapi_key%3dk", vec!["k"]),
            ("https://h/cb?code=4/0AX4XfWhabcdefghijklmn", vec!["4/0AX4XfWhabcdefghijklmn"]),
            ("GET /maps?key=abc123&x=1", vec!["abc123"]),
            ("//registry.npmjs.org/:_auth=dXNlcjpwYXNz12", vec!["dXNlcjpwYXNz12"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "sig=9, signature=f(x)",
            "fn signature=(a) at https://h/x",
            "?next=https%3A%2F%2Fx%3Fpage%3D2",
            "100%3D of token",
            "https://h/?key=value&code=404",
            "?next=https%3A%2F%2Fx%3Ftoken%3D",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
