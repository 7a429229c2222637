//! Lists of secrets after a plural name: `passwords = a, b`, and in YAML `tokens:` with a line for each.

use super::name_value::is_data;
use super::parts::block;
use super::scanner::{MAX_WORD, Scanner, is_blank, is_name, is_quote, is_space, is_unquoted, quoted_range};
use super::spelling::normalize;
use super::values::{is_expression, is_group_secret, is_placeholder, looks_secret_in_prose};
use crate::text::concat;

/// The last words of plural names.
const PLURALS: [&str; 8] =
    ["accesskeys", "apikeys", "passphrases", "passwords", "privatekeys", "secretkeys", "secrets", "tokens"];

/// The line that makes an object of Kubernetes a secret, the line between two objects, and the maximum length of what is read
/// of an object before and after its data, bytes.
const KIND_LINE: &str = "kind: Secret";
const OBJECT_END: &str = "\n---";
const MAX_OBJECT: usize = 4_000;

/// What the items of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemKind {
    Secrets,
    /// Also words and numbers, which a model counts.
    Tokens,
    /// The data of a secret of Kubernetes, secrets alone.
    Data,
}

/// An open list: what its items are, and where the next one begins.
#[derive(Clone, Copy)]
pub(super) struct SecretList {
    kind: ItemKind,
    pub(super) at: usize,
    /// How much the keys of its items are indented, if they are lines.
    column: usize,
}

impl SecretList {
    /// The list after the operator at `place`, if the name before it is a plural.
    pub(super) fn after(scanner: Scanner<'_>, place: usize) -> Option<Self> {
        let operator = scanner.within_back(place, 2, |byte| matches!(byte, b':' | b'+'));
        let word = scanner.skip_blanks_back(operator);
        let end = scanner.within_back(word, 1, is_quote);
        scanner.byte_before(end).filter(|byte| matches!(byte, b's' | b'S' | b'a' | b'A'))?;
        let name = scanner.name_before(end);
        let begin = scanner.skip_blanks(scanner.within(place, 2, |byte| matches!(byte, b':' | b'=' | b'>')));
        let ends_line = matches!(scanner.byte(begin), Some(b'\n' | b'\r'));
        let is_kubernetes = || ends_line && is_data(name) && is_in_secret(scanner, end - name.len());
        let kind = kind(name).or_else(|| is_kubernetes().then_some(ItemKind::Data))?;
        let at = match scanner.byte(begin)? {
            b'[' | b'(' => scanner.skip_while(begin + 1, is_space),
            b'\n' | b'\r' => item_on_next_line(scanner, begin, 0)?,
            _ => begin,
        };
        let column = if kind == ItemKind::Data { column_of(scanner, at) } else { 0 };
        Some(Self { kind, at, column })
    }

    /// The item at the beginning of the list, if it is a secret, and the rest of the list.
    pub(super) fn next(self, scanner: Scanner<'_>) -> (Option<(usize, usize)>, Option<Self>) {
        let block = if self.kind == ItemKind::Data { block(scanner, self.at) } else { None };
        let (range, end) = if let Some((begin, end)) = block {
            ((begin, end), end)
        } else if let Some((begin, end)) = quoted_range(scanner, self.at) {
            let slashes = scanner.within(end, MAX_WORD, |byte| byte == b'\\');
            ((begin, end), slashes + 1)
        } else {
            let is_in_item = |byte| is_unquoted(byte) && !matches!(byte, b']' | b'|');
            let end = scanner.skip_while(self.at, is_in_item);
            ((self.at, end), end)
        };
        let text = scanner.slice(range.0, range.1);
        let is_word = !text.contains(|sign: char| sign.is_whitespace());
        let is_secret = (is_word || block.is_some())
            && !is_placeholder(text)
            && !is_expression(text)
            && match self.kind {
                ItemKind::Secrets => looks_secret_in_prose(text),
                ItemKind::Tokens => is_group_secret(text) && looks_secret_in_prose(text),
                ItemKind::Data => text.bytes().any(|byte| byte.is_ascii_alphanumeric()),
            };
        let next = next_item(scanner, end, self.column).map(|at| Self { at, ..self });
        (is_secret.then_some(range), next)
    }
}

fn kind(name: &str) -> Option<ItemKind> {
    let name = normalize(name);
    let plural = PLURALS.iter().find(|plural| name.ends_with(**plural))?;
    Some(match *plural {
        "tokens" => ItemKind::Tokens,
        _ => ItemKind::Secrets,
    })
}

/// The beginning of the item after the one that ends at `end`.
fn next_item(scanner: Scanner<'_>, end: usize, column: usize) -> Option<usize> {
    let at = scanner.skip_blanks(end);
    match scanner.byte(at)? {
        b',' => Some(scanner.skip_while(at + 1, is_space)),
        b'\n' | b'\r' => item_on_next_line(scanner, at, column),
        _ => None,
    }
}

/// The column of the line of an item.
fn column_of(scanner: Scanner<'_>, at: usize) -> usize {
    let line = scanner.within_back(at, MAX_WORD, |byte| byte != b'\n');
    scanner.within(line, MAX_WORD, is_blank) - line
}

/// Whether a key begins a line of a secret of Kubernetes, which has the line `kind: Secret`.
fn is_in_secret(scanner: Scanner<'_>, key: usize) -> bool {
    let line = scanner.within_back(key, MAX_WORD, is_blank);
    let is_line = line == 0 || scanner.byte(line - 1) == Some(b'\n');
    let before = scanner.text.ceil_char_boundary(key.saturating_sub(MAX_OBJECT));
    let after = scanner.text.floor_char_boundary(key + MAX_OBJECT);
    let before = scanner.slice(before, key).rsplit(OBJECT_END).next().unwrap_or_default();
    let after = scanner.slice(key, after).split(OBJECT_END).next().unwrap_or_default();
    let kind = concat(&["\n", scanner.slice(line, key), KIND_LINE]);
    let has_kind = |part: &str| {
        let first = part.strip_prefix(kind.trim_start_matches('\n'));
        let mut others = part.match_indices(&kind).map(|(at, kind)| &part[at + kind.len()..]);
        let is_kind = |rest: &str| rest.chars().next().is_none_or(char::is_whitespace);
        first.is_some_and(is_kind) || others.any(is_kind)
    };
    is_line && (has_kind(before) || has_kind(after))
}

/// The beginning of the item on the line after `at`: behind `- `, or behind a name of its own, which is indented by `column`.
fn item_on_next_line(scanner: Scanner<'_>, at: usize, column: usize) -> Option<usize> {
    let begin = scanner.skip_while(at, is_space);
    if scanner.byte(begin) == Some(b'-') && scanner.byte(begin + 1).is_some_and(is_blank) {
        return Some(scanner.skip_blanks(begin + 1));
    }
    let is_indented = begin > 0
        && scanner.byte(begin - 1).is_some_and(is_blank)
        && (column == 0 || column == begin - scanner.within_back(begin, MAX_WORD, is_blank));
    let name = scanner.within(begin, MAX_WORD, |byte| is_name(byte) || byte == b'.');
    let value = scanner.skip_blanks(name + 1);
    let is_member = is_indented && name > begin && scanner.byte(name) == Some(b':') && value > name + 1;
    is_member.then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn the_items_of_a_list_of_secrets_are_secrets() {
        for (text, expected) in [
            ("passwords = hunter2, hunter3", vec!["hunter2", "hunter3"]),
            ("passwords: hunter2, other, 'hunter 4', hunter3", vec!["hunter2", "hunter3"]),
            ("apiKeys: ['abc123', \"abc124\"], x1y2z3", vec!["abc123", "abc124"]),
            (
                "tokens:\n  - a1b2c3d4e5f6\n  - b1b2c3d4e5f6\nnext: c1b2c3d4e5f6",
                vec!["a1b2c3d4e5f6", "b1b2c3d4e5f6"],
            ),
            ("tokens:\n- 'a1b2c3d4e5f6'\n- the\n- b1b2c3d4e5f6", vec!["a1b2c3d4e5f6", "b1b2c3d4e5f6"]),
            ("passwords:\n  mira: hunter2\n  jo: hunter3\n", vec!["hunter2", "hunter3"]),
            ("db_passwords += (hunter2, hunter3)", vec!["hunter2", "hunter3"]),
            ("access_tokens := [a1b2c3d4e5f6]", vec!["a1b2c3d4e5f6"]),
            ("ACCESS_TOKENS=a1b2c3d4e5f6,b1b2c3d4e5f6", vec!["a1b2c3d4e5f6", "b1b2c3d4e5f6"]),
            ("secrets:\r\n  db: abc123\r\n  mq: abc124", vec!["abc123", "abc124"]),
            (
                "apiVersion: v1\ndata:\n  db: bWlyYQ==\n  tls.key: 'YQ=='\nkind: Secret\nx: y1",
                vec!["bWlyYQ==", "YQ=="],
            ),
            (
                "kind: Secret\nmetadata:\n  name: db\nstringData:\n  main: hunter\ntype: Opaque",
                vec!["hunter"],
            ),
            ("- data:\n    a: YQ==\n  kind: Secret\n- data:\n    a: Yg==\n  kind: ConfigMap", vec![]),
            ("items:\n  data:\n    a: YQ==\n  kind: Secret\n", vec!["YQ=="]),
            (
                "kind: Secret\nstringData:\n  a.yaml: |\n    b: c\n    d: e\n  f: g1\n",
                vec!["b: c\n    d: e", "g1"],
            ),
            ("kind: Secret\ndata:\n  a: YQ==\n---\nkind: ConfigMap\ndata:\n  a: Yg==", vec!["YQ=="]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "tokens: 1200, tokens=1200,1300",
            "the tokens: \"a\", 'x1y2z3'",
            "tokens: [the, quick, fox2ab]",
            "secrets:\n  - db-password-1\n  - redis\n",
            "secrets:\n  TOKEN: ${{ secrets.TOKEN1 }}\n",
            "passwords: required, 8characters",
            "passwords:\nhunter2 is not what it says",
            "two passwords: the first, the second",
            "tokens = tokens[0].value, b2",
            "secrets = load(file1)",
            "kind: ConfigMap\ndata:\n  a: abc123",
            "kind: SecretStore\ndata:\n  a: abc123",
            "kind: Secret\nmetadata:\n  data:\n    a: abc123",
            "kind: Secret\ndata: none\n  a: b",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
