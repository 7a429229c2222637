//! Values whose name is on another line of the same block: `name: API_TOKEN` and `value: …`, `variable "db_password" {` and
//! `default = …`.

use super::keys::{Name, names_secret};
use super::name_value::NAMES;
use super::scanner::{Scanner, is_blank, is_name, is_quote};
use super::spelling::is_one_of;

/// Maximum length of the part of a line that is read, bytes, and maximum number of lines before and after the value.
const MAX_LINE: usize = 120;
const MAX_LINES: usize = 10;

/// The word at the head of a block that declares a variable of Terraform, and the key of its value.
const VARIABLE: &str = "variable";
pub(super) const DEFAULT: &str = "default";

/// A line of a block: the column of its key, whether it begins an item of a list, and where the key begins.
#[derive(Clone, Copy)]
struct Line {
    column: usize,
    is_item: bool,
    key: usize,
}

/// Whether another line in the block of the key at `place` names a secret.
pub(super) fn sibling_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let Some(own) = line_with_key(scanner, place) else { return false };
    let is_before = || {
        lines_before(scanner, place, own).any(|line| line.column == own.column && has_name(scanner, line.key))
    };
    is_before() || lines_after(scanner, place, own).any(|line| has_name(scanner, line.key))
}

/// Whether the key at `place` is in the block of a variable whose name is that of a secret.
pub(super) fn variable_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let Some(own) = line_with_key(scanner, place) else { return false };
    let Some(head) = lines_before(scanner, place, own).find(|line| line.column < own.column) else {
        return false;
    };
    let word = scanner.within(head.key, VARIABLE.len(), is_name);
    let name = scanner.within(word, 2, |byte| is_blank(byte) || is_quote(byte));
    scanner.slice(head.key, word) == VARIABLE && names_secret(word_at(scanner, name)).is_some()
}

/// Whether the key at `place` is alone inside a key that names a secret: `password:` and `value: …` below it.
pub(super) fn parent_names_secret(scanner: Scanner<'_>, place: usize) -> bool {
    let Some(own) = line_with_key(scanner, place) else { return false };
    let Some(parent) = lines_before(scanner, place, own).find(|line| line.column < own.column) else {
        return false;
    };
    let end = scanner.within(parent.key, MAX_LINE, is_name);
    let line = scanner.within(end + 1, MAX_LINE, is_blank);
    scanner.byte(end) == Some(b':')
        && matches!(scanner.byte(line), Some(b'\n' | b'\r'))
        && names_secret(scanner.slice(parent.key, end)) == Some(Name::Certain)
}

/// The lines before that of the key at `place`, the next one first. A line that is less indented is the last one.
fn lines_before(scanner: Scanner<'_>, place: usize, own: Line) -> impl Iterator<Item = Line> {
    let (mut at, mut is_last) = (place, own.is_item);
    std::iter::from_fn(move || {
        let end = scanner.within_back(at, MAX_LINE, |byte| byte != b'\n').checked_sub(1)?;
        if is_last || scanner.byte_before(end + 1) != Some(b'\n') {
            return None;
        }
        let begin = scanner.within_back(end, MAX_LINE, |byte| byte != b'\n');
        let line = read_line(scanner, begin)?;
        at = end;
        is_last = line.column < own.column || line.is_item && line.column == own.column;
        Some(line)
    })
    .take(MAX_LINES)
}

/// The lines of the block after that of the key at `place` which are as much indented.
fn lines_after(scanner: Scanner<'_>, place: usize, own: Line) -> impl Iterator<Item = Line> {
    let mut at = place;
    std::iter::from_fn(move || {
        let end = scanner.within(at, MAX_LINE, |byte| byte != b'\n');
        let line = read_line(scanner, end + 1).filter(|_| scanner.byte(end) == Some(b'\n'))?;
        at = line.key;
        (line.column >= own.column && !(line.is_item && line.column == own.column)).then_some(line)
    })
    .take(MAX_LINES)
    .filter(move |line| line.column == own.column)
}

/// The line whose key begins at `place`; `None` if something else is before the key.
fn line_with_key(scanner: Scanner<'_>, place: usize) -> Option<Line> {
    let begin = scanner.within_back(place, MAX_LINE, |byte| byte != b'\n');
    let line = read_line(scanner, begin)?;
    (line.key == place && (begin == 0 || scanner.byte(begin - 1) == Some(b'\n'))).then_some(line)
}

/// The line that begins at `begin`; `None` at the end of the text. An empty line is in every block.
fn read_line(scanner: Scanner<'_>, begin: usize) -> Option<Line> {
    let dash = scanner.within(begin, MAX_LINE, is_blank);
    let is_item = scanner.byte(dash) == Some(b'-') && scanner.byte(dash + 1).is_some_and(is_blank);
    let key = scanner.within(dash + usize::from(is_item), MAX_LINE, is_blank);
    let key = key + usize::from(scanner.byte(key).is_some_and(is_quote));
    let is_empty = scanner.byte(key)?.is_ascii_whitespace();
    Some(Line { column: if is_empty { usize::MAX } else { key - begin }, is_item, key })
}

/// Whether the member at `place` is the name of a secret: `name: API_TOKEN`.
fn has_name(scanner: Scanner<'_>, place: usize) -> bool {
    let end = scanner.within(place, MAX_LINE, is_name);
    let operator = scanner.within(end, MAX_LINE, |byte| is_quote(byte) || is_blank(byte));
    let name = scanner.within(operator + 1, MAX_LINE, |byte| is_quote(byte) || is_blank(byte));
    matches!(scanner.byte(operator), Some(b':' | b'='))
        && is_one_of(&NAMES, scanner.slice(place, end))
        && names_secret(word_at(scanner, name)).is_some()
}

/// The name at `at`, also with dots; empty if a word of a sentence follows it.
fn word_at(scanner: Scanner<'_>, at: usize) -> &str {
    let end = scanner.within(at, MAX_LINE, |byte| is_name(byte) || matches!(byte, b'.' | b'/'));
    let next = scanner.byte(scanner.within(end, MAX_LINE, is_blank));
    let is_word = next.is_some_and(|byte| byte.is_ascii_alphanumeric());
    if is_word { "" } else { scanner.slice(at, end) }
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn a_value_is_a_secret_if_another_line_of_its_block_names_one() {
        for (text, expected) in [
            ("- name: API_TOKEN\n  description: of the service\n  masked: true\n  value: abc123\n", "abc123"),
            ("- value: abc123\n  scope: all\n  name: API_TOKEN\n- name: x\n  value: abc124", "abc123"),
            ("env:\n  - name: DB_PASSWORD\n    # of ops\n    value: \"hunter two\"", "hunter two"),
            ("set {\n    name  = \"db.password\"\n    type  = \"x\"\n    value = \"hunter\"\n  }", "hunter"),
            ("  - key: DB_PASSWORD\n    val: abc123", "abc123"),
            ("db:\n  password:\n    value: hunter2\n    rotate: true\n", "hunter2"),
            ("variable \"db_password\" {\n  type    = string\n\n  default = \"hunter\"\n}", "hunter"),
            ("variable \"api_token\" {\n  validation {\n    x = 1\n  }\n  default = \"a b\"\n}", "a b"),
        ] {
            assert_eq!(secrets(text), [expected], "{text}");
        }
        for text in [
            "- name: API_TOKEN\n  x: 1\n- name: a\n  value: abc123",
            "- value: abc123\n  x: 1\n- name: API_TOKEN",
            "- name: API_TOKEN\n  x:\n    value: abc123",
            "a:\n  name: API_TOKEN\nb:\n  x: 1\n  value: abc123",
            "password:\n  value: required\n",
            "password:\n  rules:\n    value: hunter2",
            "password: x\nlabel:\n  value: hunter2",
            "- name: Check token\n  x: 1\n  value: abc123",
            "- name: API_TOKEN\n  x: 1\n  value: ${TOKEN}",
            "- name: token-refresh\n\n  value: abc123",
            "variable \"a\" {\n}\n\nvariable \"b\" {\n  default = \"x\"\n}\nvariable \"password\" {\n}",
            "variable \"token_ttl\" {\n  default = \"three-hours\"\n}",
            "variable \"a\" {\n  default = \"three\"\n}\nvariable \"password\" {\n}",
            "resource \"password\" {\n  default = \"a b\"\n}",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
