//! Secrets after their names: `password=…`, `token := …`, `<password>…</password>`, `setProperty("password", …)`.

use super::http::is_secret_parameter;
use super::keys::{Name, names_secret, names_token};
use super::scanner::{MAX_WORD, Scanner, is_blank, is_name, is_quote, is_space, is_unquoted, quoted_range};
use super::values::{MIN_LETTERS, fits_name, is_password, is_placeholder, is_small_number};
use crate::text::concat;

/// Types between a name and its operator: `let token: string = …`.
const TYPES: [&str; 5] = ["str", "string", "char", "text", "any"];

/// Elements of XML whose name is the text of the element before: `<key>password</key><string>…</string>`.
const VALUE_ELEMENTS: [&str; 2] = ["string", "value"];

/// The beginning of a text of an element that contains no elements.
const SECTION: &str = "<![CDATA[";

/// Maximum distance between the brackets of a tag, bytes.
const MAX_TAG: usize = 200;

/// The value after `password=`, also with blanks, another operator such as `:=`, or quotes.
pub(super) fn assigned_value(scanner: Scanner<'_>, place: usize, in_address: bool) -> Option<(usize, usize)> {
    let operator = scanner.within_back(place, 3, |byte| b":?.+|=".contains(&byte));
    let word = scanner.skip_blanks_back(operator);
    let name = assigned_name(scanner, word);
    let begin = scanner.within(place, 4, |byte| matches!(byte, b'=' | b'>'));
    let value = scanner.skip_blanks(begin);
    let is_parameter = || is_secret_parameter(scanner, word - name.len(), name, value, in_address);
    let kind = match kind_of_name(scanner, name, word) {
        Some(kind) => kind,
        None if is_parameter() => Name::Certain,
        None if is_value_of_secret(scanner, name, word, value) => Name::Certain,
        None => return None,
    };
    let value = third_quote(scanner, value);
    if let Some(begin) = text_in_quotes(scanner, value) {
        return secret_in_quotes(scanner, value, begin, kind);
    }
    // Colour codes can be between name and value, blanks not.
    let has_blanks = |begin, end| scanner.slice(begin, end).contains([' ', '\t']);
    let is_close =
        operator == place && begin == place + 1 && !has_blanks(word, place) && !has_blanks(begin, value);
    let secret = scanner.word(value);
    let is_secret =
        if is_close { is_value(secret, kind) } else { is_spaced_value(scanner, word, value, kind) };
    is_secret.then(|| (value, scanner.skip_while(value, is_unquoted)))
}

/// The name that ends at `word`, without quotes and brackets. After a type, the name before it.
fn assigned_name(scanner: Scanner<'_>, word: usize) -> &str {
    let bracket = scanner.within_back(word, 1, |byte| matches!(byte, b']' | b'}'));
    let quote = scanner.within_back(bracket, 1, is_quote);
    let end = scanner.within_back(quote, 4, |byte| byte == b'\\');
    let name = scanner.name_before(end);
    if !TYPES.iter().any(|of| of.eq_ignore_ascii_case(name)) {
        return name;
    }
    let mut before = scanner.skip_blanks_back(end - name.len());
    if scanner.is_preceded_by(before, "'static") {
        before -= "'static".len();
    }
    let before = scanner.skip_blanks_back(scanner.within_back(before, 1, |byte| byte == b'&'));
    let colon = scanner.within_back(before, 1, |byte| byte == b':');
    scanner.name_before(scanner.skip_blanks_back(colon))
}

/// How surely a name that ends at `end` is that of a secret; `key` together with the word before it: `API key`.
pub(super) fn kind_of_name(scanner: Scanner<'_>, name: &str, end: usize) -> Option<Name> {
    names_secret(name).or_else(|| {
        let blank = end - name.len();
        let is_key = name.eq_ignore_ascii_case("key") && scanner.byte_before(blank) == Some(b' ');
        is_key.then(|| names_secret(&concat(&[scanner.name_before(blank - 1), name]))).flatten()
    })
}

/// Whether a name is `value`, and the member beside it, `name` or `key`, names a secret.
fn is_value_of_secret(scanner: Scanner<'_>, name: &str, end: usize, value: usize) -> bool {
    name.eq_ignore_ascii_case("value")
        && (attribute_names_secret(scanner, end - name.len()) || next_attribute_names_secret(scanner, value))
}

/// The last of three quotes, which begin a text of several lines in some languages; else `at`.
fn third_quote(scanner: Scanner<'_>, at: usize) -> usize {
    let is_triple = ["\"\"\"", "'''", "```"].iter().any(|quotes| scanner.rest(at).starts_with(quotes));
    if is_triple { at + 2 } else { at }
}

/// The beginning of the text in the quotes at `at`.
fn text_in_quotes(scanner: Scanner<'_>, at: usize) -> Option<usize> {
    let quote = scanner.within(at, MAX_WORD, |byte| byte == b'\\');
    scanner.byte(quote).is_some_and(is_quote).then_some(quote + 1)
}

/// The range of the text in the quotes at `at`, which begins at `begin`, if it is a secret.
fn secret_in_quotes(scanner: Scanner<'_>, at: usize, begin: usize, kind: Name) -> Option<(usize, usize)> {
    if is_placeholder(scanner.word(begin)) {
        return None;
    }
    let range = quoted_range(scanner, at)?;
    let text = scanner.slice(range.0, range.1);
    let is_secret = match kind {
        Name::Certain | Name::Token => !is_placeholder(text),
        Name::Weak => is_value(text, kind),
    };
    is_secret.then_some(range)
}

/// Whether a word directly after a name and `=` is its secret.
fn is_value(word: &str, kind: Name) -> bool {
    let is_constant = || word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    !is_placeholder(word)
        && match kind {
            Name::Certain => true,
            // `max_token=4096`, `expected token=EOF`
            Name::Token => !is_small_number(word) && !is_constant(),
            Name::Weak => is_password(word),
        }
}

/// Whether a word after blanks is a secret: it looks like one, or it is the only word after a name that begins the line.
fn is_spaced_value(scanner: Scanner<'_>, word: usize, value: usize, kind: Name) -> bool {
    let text = scanner.word(value);
    fits_name(text)
        || kind == Name::Certain
            && text.len() >= MIN_LETTERS
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && !is_placeholder(text)
            && begins_line(scanner, word)
            && ends_line(scanner, value + text.len())
}

/// Whether the name that ends at `word` begins its line, as in YAML: `password: hunter`.
pub(super) fn begins_line(scanner: Scanner<'_>, word: usize) -> bool {
    let begin = scanner.within_back(word, MAX_WORD, is_name);
    let line = scanner.within_back(begin, MAX_WORD, |byte| is_blank(byte) || byte == b'-');
    match scanner.byte_before(line) {
        Some(b'\n' | b'\r') => true,
        Some(b'n') => scanner.is_preceded_by(line, "\\n"),
        Some(_) => false,
        None => line == 0,
    }
}

fn ends_line(scanner: Scanner<'_>, at: usize) -> bool {
    match scanner.byte(scanner.skip_blanks(at)) {
        None | Some(b'\n' | b'\r' | b'#') => true,
        Some(b'\\') => scanner.byte(at + 1) == Some(b'n'),
        Some(_) => false,
    }
}

/// The value after a word and `:`, in quotes, as in `apiKey: 'k'`, or if it looks like a secret.
pub(super) fn labelled_value(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let word = scanner.skip_blanks_back(place);
    let name = scanner.name_before(word);
    let value = || third_quote(scanner, literal_block(scanner, scanner.skip_blanks(place + 1)));
    let Some(kind) = kind_of_name(scanner, name, word) else { return member_value(scanner, word, value) };
    let value = value();
    let is_label = !names_token(name);
    if let Some(begin) = text_in_quotes(scanner, value) {
        // `Unexpected token: "<"`
        let is_label = is_label || fits_name(scanner.word(begin));
        return if is_label { secret_in_quotes(scanner, value, begin, kind) } else { None };
    }
    let kind = if is_label { kind } else { Name::Token };
    is_spaced_value(scanner, word, value, kind).then(|| (value, scanner.skip_while(value, is_unquoted)))
}

/// The value after `value:`, if the member before it is the name of a secret, as in `name: TOKEN` and in JSON.
fn member_value(scanner: Scanner<'_>, word: usize, value: impl FnOnce() -> usize) -> Option<(usize, usize)> {
    let quote = scanner.within_back(word, 1, is_quote);
    let end = scanner.within_back(quote, 4, |byte| byte == b'\\');
    let name = scanner.name_before(end);
    if !name.eq_ignore_ascii_case("value") || !attribute_names_secret(scanner, end - name.len()) {
        return None;
    }
    let value = value();
    match text_in_quotes(scanner, value) {
        Some(begin) => secret_in_quotes(scanner, value, begin, Name::Certain),
        None => fits_name(scanner.word(value)).then(|| (value, scanner.skip_while(value, is_unquoted))),
    }
}

/// The beginning of the text after `|` or `>` and a line end, as in YAML; else `value`.
fn literal_block(scanner: Scanner<'_>, value: usize) -> usize {
    if !matches!(scanner.byte(value), Some(b'|' | b'>')) {
        return value;
    }
    let line = scanner.skip_blanks(scanner.within(value + 1, 2, |byte| matches!(byte, b'-' | b'+')));
    if scanner.byte(line) == Some(b'\n') { scanner.within(line, MAX_WORD, is_space) } else { value }
}

/// The text after the `>` of `<password>`, or of `<string>` after `<key>password</key>`.
pub(super) fn element_text(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let tag = scanner.within_back(place, MAX_TAG, |byte| !matches!(byte, b'<' | b'>' | b'\n'));
    if scanner.byte_before(tag) != Some(b'<') {
        return None;
    }
    let name = scanner.slice(tag, scanner.within(tag, MAX_TAG, |byte| is_name(byte) || byte == b':'));
    // A prefix is that of a namespace.
    let name = name.rsplit_once(':').map_or(name, |(_, name)| name);
    let is_secret = names_secret(name).is_some_and(|kind| kind != Name::Weak)
        || VALUE_ELEMENTS.contains(&name) && element_before_names_secret(scanner, tag - 1);
    if !is_secret {
        return None;
    }
    let begin = scanner.within(place + 1, MAX_WORD, is_space);
    let is_section = scanner.rest(begin).starts_with(SECTION);
    let begin = if is_section { begin + SECTION.len() } else { begin };
    let end = scanner.skip_while(begin, |byte| byte != b'<');
    let end = scanner.skip_back_to(begin, end, is_space);
    if is_section {
        let text = scanner.slice(begin, end).strip_suffix("]]>")?;
        return (!is_placeholder(text)).then(|| (begin, begin + text.len()));
    }
    let text = scanner.slice(begin, end);
    let is_closed = scanner.rest(scanner.within(end, MAX_WORD, is_space)).starts_with("</");
    (is_closed && !is_placeholder(text) && !is_small_number(text)).then_some((begin, end))
}

/// Whether the text of the element before this place names a secret.
fn element_before_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let end = scanner.within_back(place, MAX_WORD, is_space);
    let tag = scanner.within_back(end, MAX_TAG, |byte| !matches!(byte, b'<' | b'\n'));
    let is_end = scanner.byte_before(tag) == Some(b'<') && scanner.byte(tag) == Some(b'/');
    is_end && tag > 0 && names_secret(scanner.name_before(tag - 1)).is_some()
}

/// Whether the attribute or member before this place, `name="…"` or `key: …`, names a secret.
fn attribute_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let is_between = |byte| is_space(byte) || is_quote(byte) || matches!(byte, b'\\' | b',');
    let end = scanner.within_back(place, MAX_WORD, is_between);
    let name = scanner.name_before(end);
    let is_operator = |byte| is_quote(byte) || matches!(byte, b'\\' | b'=' | b':' | b' ');
    let key = scanner.name_before(scanner.within_back(end - name.len(), 8, is_operator));
    match key {
        "name" | "key" | "id" => names_secret(name).is_some(),
        "type" => name.eq_ignore_ascii_case("password"),
        _ => false,
    }
}

/// Whether the attribute after the text in quotes at `value`, `name="…"` or `key="…"`, names a secret.
fn next_attribute_names_secret(scanner: Scanner<'_>, value: usize) -> bool {
    let Some(begin) = text_in_quotes(scanner, value) else { return false };
    let quote = scanner.byte(begin - 1);
    let end = scanner.within(begin, MAX_WORD, |byte| Some(byte) != quote && byte != b'<');
    let key = scanner.skip_blanks(end + 1);
    let equals = scanner.within(key, MAX_WORD, is_name);
    let name = scanner.within(equals, 6, |byte| is_quote(byte) || matches!(byte, b'\\' | b'='));
    let is_key = key > end + 1 && matches!(scanner.slice(key, equals), "name" | "key" | "id");
    is_key && names_secret(scanner.slice(name, scanner.within(name, MAX_WORD, is_name))).is_some()
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn a_value_after_a_name_is_a_secret_with_every_operator() {
        for (text, expected) in [
            ("AWS_SECRET_ACCESS_KEY=a ssh-private-key=b PASSPHRASE=c", vec!["a", "b", "c"]),
            (
                "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                vec!["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
            ),
            ("token := \"a1\", token ?= 'b'", vec!["a1", "b"]),
            ("token := abc123", vec!["abc123"]),
            ("$token .= \"a\"; token += `b`", vec!["a", "b"]),
            ("'token' => 'a', \"api_key\" => \"b\"", vec!["a", "b"]),
            ("config[\"token\"] = 'a'", vec!["a"]),
            ("var apiToken string = \"a\"; let token: String = \"b\"", vec!["a", "b"]),
            ("password = hunter\nx", vec!["hunter"]),
            ("  password: hunter", vec!["hunter"]),
            ("token: abc123", vec!["abc123"]),
            ("password:hunter22", vec!["hunter22"]),
            ("token: \"abc123\"", vec!["abc123"]),
            ("data:\n  password: |\n    hunter22\n", vec!["hunter22"]),
            ("Server=h;User Id=u;Pwd=hunter2;", vec!["hunter2"]),
            ("DB_PASS=hunter pass=hunter2", vec!["hunter", "hunter2"]),
            ("AccountName=a;AccountKey=ab12/+==;X", vec!["ab12/+=="]),
            ("password\x1b[0m=\x1b[32mhunter2\x1b[0m x", vec!["hunter2"]),
            ("\x1b[1mpassword\x1b[0m: \x1b[32mhunter2\x1b[0m", vec!["hunter2"]),
            ("password = '''a b''' and secret = \"\"\"c\"\"\"", vec!["a b", "c"]),
            ("password\u{a0}=\u{a0}hunter2, password\u{200b}=hunter3", vec!["hunter2", "hunter3"]),
            ("const TOKEN: &str = \"a\"; static TOKEN: &'static str = \"b\";", vec!["a", "b"]),
            ("API key: abc123, Access Key = abc124", vec!["abc123", "abc124"]),
            ("password1=a dbPassword2: hunter2", vec!["a", "hunter2"]),
            ("- name: TOKEN\n  value: abc123\n- name: A\n  value: abc124", vec!["abc123"]),
            ("name: API_KEY, value: 'a b'", vec!["a b"]),
            ("got {\"name\":\"TOKEN\",\"value\":\"a b\"}", vec!["a b"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
    }

    #[test]
    fn a_value_after_a_name_is_a_secret_in_xml_and_in_calls() {
        for (text, expected) in [
            ("<password>a b</password>", vec!["a b"]),
            ("<iToken>\n  abc\n</iToken>", vec!["abc"]),
            ("<add key=\"Password\" value=\"a b\" />", vec!["a b"]),
            ("<entry name='apiToken' value='x'/>", vec!["x"]),
            ("<key>password</key>\n<string>x</string>", vec!["x"]),
            ("setProperty(\"I_TOKEN\", \"abc123\")", vec!["abc123"]),
            ("setProperty(\"db.password\", \"abc123\")", vec!["abc123"]),
            ("<ns:Password>a b</ns:Password>", vec!["a b"]),
            ("<password><![CDATA[a b]]></password>", vec!["a b"]),
            ("<password><![CDATA[[redacted]]]></password>", vec!["[redacted]"]),
            ("<add value='a b' key='Password'/>", vec!["a b"]),
            ("<input type=\"password\" value=\"a b\">", vec!["a b"]),
            ("[\"--token\", \"abc123\"]", vec!["abc123"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "<password></password>",
            "<password>${PASSWORD}</password>",
            "<passwords>a</passwords>",
            "<key>name</key><string>x</string>",
            "<password><![CDATA[]]></password>",
            "<symbol type=\"token\" value=\"(\"/>",
            "<add value=\"a1b2c3\" key=\"name\"/>",
            "name: TOKEN_COUNT\nvalue: abc123",
            "a public key: abc123 and the key: abc124",
            "a -> token>b",
            "Promise<Token> is not assignable to Promise<string>",
            "t(\"password\", \"Enter your password\")",
            "expect(\"token\", \"tokens\")",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn the_cause_of_a_failure_is_no_secret() {
        for text in [
            "token=undefined",
            "token=null, password=$DB_PASSWORD",
            "token=${TOKEN} and {{secrets.TOKEN}}",
            "password={{ secrets.TOKEN1 }}",
            "apiKey: process.env.API_KEY1",
            "max_token=4096",
            "expected token=EOF",
            "token = b",
            "password: unset",
            "password: required",
            "token: invalid",
            "password = getPassword()",
            "pass=12 fail=3",
            "PWD=/srv",
            "bypass=enabled",
            "tokens=1200",
            "totalTokens=8, tokenizer=bpe",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
