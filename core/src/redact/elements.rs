//! Secrets in XML: `<password>…</password>`, `<add key="Password" value="…"/>`.

use super::keys::{Name, names_secret};
use super::scanner::{MAX_WORD, Scanner, is_name, is_quote, is_space, text_in_quotes};
use super::values::{is_code, is_placeholder, is_small_number, looks_secret_in_prose};

/// Elements whose name is the text of the element before: `<key>password</key><string>…</string>`.
const VALUE_ELEMENTS: [&str; 3] = ["string", "value", "param-value"];

/// Cells of tables and lists, whose name is the text of the cell before.
const CELLS: [&str; 2] = ["td", "dd"];

/// Elements whose name is an attribute: `<property name="db.password">…</property>`.
const NAMED_ELEMENTS: [&str; 7] = ["entry", "env", "param", "parameter", "property", "setting", "string"];

/// The beginning of a text of an element that contains no elements.
const SECTION: &str = "<![CDATA[";

/// Maximum length of the name of an element, bytes.
const MAX_TAG: usize = 200;

/// The text after the `>` of `<password>`, or of `<string>` after `<key>password</key>`.
pub(super) fn element_text(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let tag = scanner.skip_back(place, |byte| !matches!(byte, b'<' | b'>'));
    if scanner.byte_before(tag) != Some(b'<') {
        return None;
    }
    let name = scanner.slice(tag, scanner.within(tag, MAX_TAG, |byte| is_name(byte) || byte == b':'));
    // A prefix is that of a namespace.
    let name = name.rsplit_once(':').map_or(name, |(_, name)| name);
    let kind = names_secret(name);
    let is_secret = kind.is_some_and(|kind| kind != Name::Weak)
        || VALUE_ELEMENTS.iter().any(|of| of.eq_ignore_ascii_case(name))
            && element_before_names_secret(scanner, tag - 1)
        || NAMED_ELEMENTS.contains(&name) && names_secret_by_attribute(scanner.slice(tag, place));
    let is_cell = !is_secret && CELLS.contains(&name) && element_before_names_secret(scanner, tag - 1);
    if !is_secret && !is_cell {
        return None;
    }
    let begin = scanner.skip_while(place + 1, is_space);
    let is_section = scanner.rest(begin).starts_with(SECTION);
    let begin = if is_section { begin + SECTION.len() } else { begin };
    let end = scanner.skip_while(begin, |byte| byte != b'<');
    let end = scanner.skip_back_to(begin, end, is_space);
    if is_section {
        let text = scanner.slice(begin, end).strip_suffix("]]>")?;
        return (!is_placeholder(text)).then(|| (begin, begin + text.len()));
    }
    let text = scanner.slice(begin, end);
    let is_closed = scanner.rest(scanner.skip_while(end, is_space)).starts_with("</");
    let is_value = match kind {
        Some(Name::Code) => is_code(text),
        _ if is_cell => looks_secret_in_prose(text),
        _ => !is_placeholder(text) && !is_small_number(text),
    };
    (is_closed && is_value).then_some((begin, end))
}

/// Whether the text of the element before this place names a secret, or an element `name` before that one.
fn element_before_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let end = scanner.skip_back(place, is_space);
    let tag = scanner.within_back(end, MAX_TAG, |byte| !matches!(byte, b'<' | b'\n'));
    let is_end = scanner.byte_before(tag) == Some(b'<') && scanner.byte(tag) == Some(b'/');
    let is_begin = !is_end && scanner.byte_before(tag) == Some(b'<');
    is_end && tag > 0 && names_secret(scanner.name_before(tag - 1)).is_some()
        || is_begin && names_secret_by_attribute(scanner.slice(tag, end))
        || element_name_before(scanner, place).is_some_and(|name| names_secret(name).is_some())
}

/// The text of the last element `name` before this place, if no value is between them.
fn element_name_before(scanner: Scanner<'_>, place: usize) -> Option<&str> {
    let from = scanner.start.max(place.saturating_sub(MAX_TAG));
    let before = scanner.slice(scanner.text.ceil_char_boundary(from), place);
    let (_, name) = before.rsplit_once("<name>")?;
    if name.contains("<value") { None } else { name.split_once('<').map(|(name, _)| name) }
}

/// Whether an attribute of a tag, `name` or `key`, names a secret.
fn names_secret_by_attribute(tag: &str) -> bool {
    tag.len() <= MAX_TAG
        && ["name", "key", "Name", "Key"]
            .iter()
            .any(|key| attribute(tag, key).is_some_and(|name| names_secret(name).is_some()))
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, key: &str) -> Option<&'a str> {
    tag.split_ascii_whitespace()
        .filter_map(|part| part.strip_prefix(key)?.strip_prefix('='))
        .find_map(|value| value.strip_prefix(['"', '\''])?.split(['"', '\'']).next())
}

/// Whether an attribute before this one, in the tag of an element of a form or of `meta`, says that it is a secret.
pub(super) fn tag_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let begin = scanner.within_back(place, MAX_TAG, |byte| !matches!(byte, b'<' | b'>'));
    let tag = scanner.slice(begin, place);
    let has_form = || ["input ", "meta "].iter().any(|name| tag.starts_with(name));
    scanner.byte_before(begin) == Some(b'<')
        && has_form()
        && (attribute(tag, "type") == Some("password") || names_secret_by_attribute(tag))
}

/// Whether the attribute or member before this place, `name="…"` or `key: …`, names a secret.
pub(super) fn attribute_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let is_between = |byte| is_space(byte) || is_quote(byte) || matches!(byte, b'\\' | b',');
    let end = scanner.skip_back(place, is_between);
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
pub(super) fn next_attribute_names_secret(scanner: Scanner<'_>, value: usize) -> bool {
    let Some(begin) = text_in_quotes(scanner, value) else { return false };
    let quote = scanner.byte(begin - 1);
    let end = scanner.skip_while(begin, |byte| Some(byte) != quote && byte != b'<');
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
            ("<entry key=\"db.password\">hunter</entry>", vec!["hunter"]),
            ("<param-name>a.password</param-name><param-value>a b</param-value>", vec!["a b"]),
            ("<Setting Name=\"AdminPassword\" Type=\"a\"><Value>a b</Value></Setting>", vec!["a b"]),
            ("<property name='x.ConnectionPassword'>a b</property>", vec!["a b"]),
            ("<name>DB_PASSWORD</name>\n<type>a</type>\n<value>hunter</value>", vec!["hunter"]),
            ("<input type=\"password\" name=\"p\" value=\"a b\">", vec!["a b"]),
            ("<meta name=\"csrf-token\" content=\"a1b2c3\">", vec!["a1b2c3"]),
            (
                "<tr><th>Password</th><td>hunter2</td></tr><dt>Secret</dt><dd>a1b2c3</dd>",
                vec!["hunter2", "a1b2c3"],
            ),
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
            "<th>Password</th><td>required</td><th>Token</th><td>step-2</td>",
            "<meta name=\"token-policy\" content=\"a1b2c3\">",
            "<property name=\"password.minLength\">eight</property>",
            "<name>DB_PASSWORD</name><value></value><name>x</name><value>a</value>",
            "<input type=\"password\" placeholder=\"Enter it\">",
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
}
