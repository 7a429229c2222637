//! Where the value of a name begins and ends: behind a tag of YAML, the prefix of a text, a call such as `Some(`, or the signs of
//! Markdown.

use super::scanner::{MAX_WORD, Scanner, is_blank, is_quote, is_space, is_unquoted};

/// Calls that return their text, or a wrapper of it.
const WRAPPERS: [&str; 19] = [
    "some",
    "option",
    "ok",
    "just",
    "from",
    "new",
    "of",
    "str",
    "string",
    "bytes",
    "secret",
    "secretstr",
    "secretstring",
    "atob",
    "btoa",
    "b64encode",
    "b64decode",
    "valueof",
    "quote",
];

/// Letters before the quotation mark of a text: `b'…'`, `f"…"`, `N'…'`, `@"…"`.
const PREFIXES: &[u8] = b"bBfFrRuULN@$";

/// Operators before the value that is used if there is no other one.
const FALLBACKS: [&str; 4] = ["??", "||", " or ", "|| "];

/// Maximum number of tags of a value.
const MAX_TAGS: usize = 2;

/// Maximum number of calls around a text.
const MAX_CALLS: usize = 3;

/// The beginning of the value at `at`: its quotation mark, or its first letter.
pub(super) fn value_begin(scanner: Scanner<'_>, at: usize) -> usize {
    let mut at = literal_block(scanner, skip_tags(scanner, at));
    for _ in 0..MAX_CALLS {
        at = skip_call(scanner, at);
    }
    third_quote(scanner, skip_prefix(scanner, at))
}

/// The beginning of the value at `at` in Markdown, where `**` ends the bold text that began before the name.
pub(super) fn marked_value_begin(scanner: Scanner<'_>, at: usize) -> usize {
    let end = scanner.within(at, 3, |byte| byte == b'*');
    value_begin(scanner, if end > at { scanner.skip_blanks(end) } else { at })
}

/// The beginning of the text in quotes that is used if the value at `value` is absent: `process.env.TOKEN ?? "…"`.
pub(super) fn fallback(scanner: Scanner<'_>, value: usize) -> Option<usize> {
    let end = scanner.within(value, MAX_WORD, |byte| !matches!(byte, b'\n' | b';' | b'{'));
    let line = scanner.slice(value, scanner.text.floor_char_boundary(end));
    FALLBACKS.iter().find_map(|operator| {
        let quote = scanner.skip_blanks(value + line.find(operator)? + operator.len());
        scanner.byte(quote).is_some_and(is_quote).then_some(quote)
    })
}

/// The end of a value without quotes. `;` and `&` belong to it if no other assignment or command follows them.
pub(super) fn unquoted_end(scanner: Scanner<'_>, value: usize, in_query: bool) -> usize {
    let mut end = scanner.skip_while(value, is_unquoted);
    while let Some(sign) = scanner.byte(end).filter(|sign| matches!(sign, b';' | b'&') && !in_query) {
        let part = end + 1;
        let next = scanner.within(part, MAX_WORD, |byte| is_unquoted(byte) && byte != b'=');
        let text = scanner.slice(part, next);
        let is_word = text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let belongs = !text.is_empty()
            && !text.starts_with(['#', '-', '/', '$', '|'])
            && (!is_word || scanner.byte(next) == Some(sign))
            && scanner
                .byte(next)
                .is_none_or(|byte| is_space(byte) || is_quote(byte) || byte == sign || byte == b')');
        if !belongs {
            break;
        }
        end = next;
    }
    end
}

/// The end of tags and anchors of YAML: `!!str`, `&name`.
fn skip_tags(scanner: Scanner<'_>, mut at: usize) -> usize {
    for _ in 0..MAX_TAGS {
        let end = scanner.within(at, MAX_WORD, |byte| !is_space(byte));
        let next = scanner.skip_while(end, is_blank);
        let is_tag = matches!(scanner.byte(at), Some(b'!' | b'&'))
            && next > end
            && end > at + 1
            && scanner.byte(next).is_some_and(|byte| !is_space(byte));
        if !is_tag {
            break;
        }
        at = next;
    }
    at
}

/// The beginning of the text in the call at `at`, if that is a wrapper.
fn skip_call(scanner: Scanner<'_>, at: usize) -> usize {
    let end = scanner
        .within(at, MAX_WORD, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.'));
    let name = scanner.slice(at, end).rsplit([':', '.']).next().unwrap_or_default();
    if scanner.byte(end) != Some(b'(') {
        return at;
    }
    let text = scanner.skip_while(end + 1, is_space);
    // Parentheses alone are around texts in quotes.
    let is_alone = || end == at && scanner.byte(text).is_some_and(is_quote);
    let is_wrapper = WRAPPERS.iter().any(|of| of.eq_ignore_ascii_case(name)) || is_alone();
    if is_wrapper { text } else { at }
}

/// The quotation mark after the prefix at `at`; else `at`.
fn skip_prefix(scanner: Scanner<'_>, at: usize) -> usize {
    let end = scanner.within(at, 2, |byte| PREFIXES.contains(&byte));
    let hash = scanner.within(end, 2, |byte| byte == b'#' && end > at);
    let slashes = scanner.within(hash, 7, |byte| byte == b'\\');
    if scanner.byte(slashes).is_some_and(is_quote) { hash } else { at }
}

/// The last of three quotes, which begin a text of several lines in some languages; else `at`.
fn third_quote(scanner: Scanner<'_>, at: usize) -> usize {
    let is_triple = ["\"\"\"", "'''", "```"].iter().any(|quotes| scanner.rest(at).starts_with(quotes));
    if is_triple { at + 2 } else { at }
}

/// The beginning of the text after `|` or `>` and a line end, as in YAML; else `value`.
fn literal_block(scanner: Scanner<'_>, value: usize) -> usize {
    if !matches!(scanner.byte(value), Some(b'|' | b'>')) {
        return value;
    }
    let line = scanner.skip_blanks(scanner.within(value + 1, 2, |byte| matches!(byte, b'-' | b'+')));
    let ends_line = matches!(scanner.byte(line), Some(b'\n' | b'\r'));
    if ends_line { scanner.skip_while(line, is_space) } else { value }
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn a_value_is_found_behind_what_stands_before_it() {
        for (text, expected) in [
            ("password = b'hunter2', secret = rb\"a b\"", vec!["hunter2", "a b"]),
            ("api_key: f'abc def', password = @\"a b\"", vec!["abc def", "a b"]),
            ("let password = r#\"a b\"#;", vec!["a b"]),
            ("PASSWORD=$'a b'", vec!["a b"]),
            ("token: !!str abc123", vec!["abc123"]),
            ("password: !!binary |\n  aDF1bnRlcjI=", vec!["aDF1bnRlcjI="]),
            ("password: &db hunter2\nother: *db", vec!["hunter2"]),
            ("api_key: !Sub 'a b'", vec!["a b"]),
            ("password: Some(\"hunter2\")", vec!["hunter2"]),
            ("api_key = Some(String::from(\"a b\"))", vec!["a b"]),
            ("secret = SecretString::new(\"a b\".into())", vec!["a b"]),
            ("api_key = Buffer.from('a b')", vec!["a b"]),
            ("password = SecretStr(b'hunter')", vec!["hunter"]),
            ("**Password:** hunter2", vec!["hunter2"]),
            ("- **API key**: abc123\n* **Token:** `a1b2c3`", vec!["abc123", "a1b2c3"]),
            ("**Password:** correcthorse\n", vec!["correcthorse"]),
            ("AWS Secret Access Key [None]: abc123", vec!["abc123"]),
            ("Password (empty for none): hunter2", vec!["hunter2"]),
            ("'password': hunter2, `token`: abc123", vec!["hunter2", "abc123"]),
            ("token = process.env.TOKEN ?? \"a b\"", vec!["a b"]),
            ("const apiKey = env.API_KEY || 'hunter'", vec!["hunter"]),
            ("password = os.environ.get('P') or \"hunter\"", vec!["hunter"]),
            ("password=${PASSWORD:-hunter2} token=${TOKEN:=abc123}", vec!["hunter2", "abc123"]),
            ("password -> hunter2, token->a-1b-2c", vec!["hunter2", "a-1b-2c"]),
            ("token \u{2192} a1b2c3d4, password=> x1y2z3", vec!["a1b2c3d4", "x1y2z3"]),
            ("secret -> 'a b'", vec!["a b"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "password = getpass(\"Enter it: \"), token = get(\"config2\")",
            "token: !!str",
            "password: !vault |\n",
            "password: &db\n  user: mira",
            "**Password:** required\n**Token:** the parser of step2a",
            "**Note:** abc123",
            "Usage [None]: abc123, tokens[12]: abc123",
            "the tokens (12): abc123",
            "token = process.env.TOKEN ?? ''",
            "token = a || b1",
            "export API_KEY=${API_KEY:-none} ${TOKEN:+set1}",
            "fn token() -> Token2, (token) -> node12",
            "a token -> the value, parse -> abc123",
            "$this->token->value1",
            "case Token -> tokens[0].value",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn separators_and_doubled_quotes_belong_to_a_value_that_continues() {
        for (text, expected) in [
            ("password=ab;c1 x", vec!["ab;c1"]),
            ("PASSWORD=ab&cd12", vec!["ab&cd12"]),
            ("Pwd=hunter;two;Encrypt=true", vec!["hunter;two"]),
            ("password='it''s' x", vec!["it''s"]),
            ("password: \"a\"\"b\"", vec!["a\"\"b"]),
            ("secret: 'a''b''c', x", vec!["a''b''c"]),
            ("secret=a1&b2&c3", vec!["a1&b2&c3"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for (text, expected) in [
            ("password=abc;ls -la", vec!["abc"]),
            ("?token=abc&debug1&x=1", vec!["abc"]),
            ("password=abc&amp;x=1", vec!["abc"]),
            ("Pwd=hunter2;Encrypt=true", vec!["hunter2"]),
            ("password=abc&&x1", vec!["abc"]),
            ("password='', x", vec![]),
            ("password='a', ''", vec!["a"]),
            ("token=a1; b2", vec!["a1"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
    }
}
