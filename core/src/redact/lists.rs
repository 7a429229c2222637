//! Lists of secrets after a plural name: `passwords = a, b`, and in YAML `tokens:` with a line for each.

use super::scanner::{MAX_WORD, Scanner, is_blank, is_name, is_quote, is_space, is_unquoted, quoted_range};
use super::spelling::normalize;
use super::values::{is_expression, is_group_secret, is_placeholder, looks_secret_in_prose};

/// The last words of plural names.
const PLURALS: [&str; 8] =
    ["accesskeys", "apikeys", "passphrases", "passwords", "privatekeys", "secretkeys", "secrets", "tokens"];

/// What the items of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemKind {
    Secrets,
    /// Also words and numbers, which a model counts.
    Tokens,
}

/// An open list: what its items are, and where the next one begins.
#[derive(Clone, Copy)]
pub(super) struct SecretList {
    kind: ItemKind,
    pub(super) at: usize,
}

impl SecretList {
    /// The list after the operator at `place`, if the name before it is a plural.
    pub(super) fn after(scanner: Scanner<'_>, place: usize) -> Option<Self> {
        let operator = scanner.within_back(place, 2, |byte| matches!(byte, b':' | b'+'));
        let word = scanner.skip_blanks_back(operator);
        let end = scanner.within_back(word, 1, is_quote);
        scanner.byte_before(end).filter(|byte| matches!(byte, b's' | b'S'))?;
        let kind = kind(scanner.name_before(end))?;
        let begin = scanner.skip_blanks(scanner.within(place, 2, |byte| matches!(byte, b':' | b'=' | b'>')));
        let at = match scanner.byte(begin)? {
            b'[' | b'(' => scanner.skip_while(begin + 1, is_space),
            b'\n' | b'\r' => item_on_next_line(scanner, begin)?,
            _ => begin,
        };
        Some(Self { kind, at })
    }

    /// The item at the beginning of the list, if it is a secret, and the rest of the list.
    pub(super) fn next(self, scanner: Scanner<'_>) -> (Option<(usize, usize)>, Option<Self>) {
        let (range, end) = if let Some((begin, end)) = quoted_range(scanner, self.at) {
            let slashes = scanner.within(end, MAX_WORD, |byte| byte == b'\\');
            ((begin, end), slashes + 1)
        } else {
            let is_in_item = |byte| is_unquoted(byte) && !matches!(byte, b']' | b'|');
            let end = scanner.skip_while(self.at, is_in_item);
            ((self.at, end), end)
        };
        let text = scanner.slice(range.0, range.1);
        let is_word = !text.contains(|sign: char| sign.is_whitespace());
        let is_secret = is_word
            && !is_placeholder(text)
            && !is_expression(text)
            && match self.kind {
                ItemKind::Secrets => looks_secret_in_prose(text),
                ItemKind::Tokens => is_group_secret(text) && looks_secret_in_prose(text),
            };
        let next = next_item(scanner, end).map(|at| Self { kind: self.kind, at });
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
fn next_item(scanner: Scanner<'_>, end: usize) -> Option<usize> {
    let at = scanner.skip_blanks(end);
    match scanner.byte(at)? {
        b',' => Some(scanner.skip_while(at + 1, is_space)),
        b'\n' | b'\r' => item_on_next_line(scanner, at),
        _ => None,
    }
}

/// The beginning of the item on the line after `at`: behind `- `, or behind a name of its own.
fn item_on_next_line(scanner: Scanner<'_>, at: usize) -> Option<usize> {
    let begin = scanner.skip_while(at, is_space);
    if scanner.byte(begin) == Some(b'-') && scanner.byte(begin + 1).is_some_and(is_blank) {
        return Some(scanner.skip_blanks(begin + 1));
    }
    let is_indented = begin > 0 && scanner.byte(begin - 1).is_some_and(is_blank);
    let name = scanner.within(begin, MAX_WORD, is_name);
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
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
