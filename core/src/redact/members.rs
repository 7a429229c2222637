//! Secrets in JSON inside a text whose name is another member of their object, or the key around it: `{"name":"TOKEN", …,
//! "value":"…"}` in any order, `{"tokens":{"mira":"…"}}`.

use super::group::Group;
use super::keys::{is_header, names_secret};
use super::name_value::{KIND, NAMES, SECRET_KIND, SECURE_TEXT, TYPE, VALUES, is_data as is_kubernetes_data};
use super::scanner::{Scanner, closing_quote, is_quote, is_space, is_unquoted};
use super::spelling::{is_one_of, normalize};
use super::values::{fits_name, is_placeholder};

/// Maximum depth of objects that are read.
const MAX_DEPTH: usize = 64;

/// An open object or list.
#[derive(Default)]
struct OpenMembers {
    group: Group,
    /// Whether a member such as `name` names a secret.
    is_named: bool,
    /// The values of members such as `value`.
    values: Vec<(usize, usize)>,
    /// The key of the next value.
    key: Option<(usize, usize)>,
    /// Whether this is a secret of Kubernetes, the texts of its data, and whether this is such data.
    is_secret: bool,
    data: Vec<(usize, usize)>,
    is_data: bool,
}

/// The secrets in the objects of a text, in their order.
pub(super) fn secret_members(scanner: Scanner<'_>) -> Vec<(usize, usize)> {
    let mut reader = MemberReader { scanner, open: Vec::new(), secrets: Vec::new() };
    reader.read();
    // The text is cut.
    while reader.close() {}
    reader.secrets.sort_unstable();
    reader.secrets
}

struct MemberReader<'a> {
    scanner: Scanner<'a>,
    open: Vec<OpenMembers>,
    secrets: Vec<(usize, usize)>,
}

impl MemberReader<'_> {
    fn read(&mut self) {
        let scanner = self.scanner;
        let (mut at, mut previous) = (0, 0);
        loop {
            if self.open.is_empty() {
                let Some(begin) = scanner.rest(at).find('{') else { return };
                at += begin;
            }
            let Some(byte) = scanner.byte(at) else { return };
            if byte.is_ascii_alphabetic() || byte == b' ' {
                previous = if byte == b' ' { previous } else { byte };
                at += 1;
                continue;
            }
            let slashes = scanner.skip_while(at, |byte| byte == b'\\');
            let quote = scanner.byte(slashes).filter(|byte| is_quote(*byte));
            // Elsewhere, a quotation mark is an apostrophe.
            if quote.is_some() && matches!(previous, b'{' | b'[' | b',' | b':' | b'(') {
                let end = closing_quote(scanner, slashes, slashes - at);
                at = self.add_text(slashes + 1, end, end + (slashes - at) + 1);
                previous = b'"';
                continue;
            }
            match byte {
                b'{' | b'[' => self.open(),
                b'}' | b']' => {
                    self.close();
                }
                b',' => self.forget_key(),
                b'0'..=b'9' if previous == b':' => {
                    let end =
                        scanner.skip_while(at, |byte| is_unquoted(byte) && !matches!(byte, b'}' | b']'));
                    self.add_value(at, end, false);
                    (at, previous) = (end, b'0');
                    continue;
                }
                _ => {}
            }
            if !is_space(byte) {
                previous = byte;
            }
            at = slashes.max(at + 1);
        }
    }

    fn open(&mut self) {
        if self.open.len() == MAX_DEPTH {
            self.open.clear();
        }
        let (mut group, mut is_data) = (Group::Other, false);
        if let Some(level) = self.open.last_mut() {
            let key = level.key.take().map(|(begin, end)| normalize(self.scanner.slice(begin, end)));
            let key = key.unwrap_or_default();
            is_data = is_kubernetes_data(&key);
            group = match Group::from_key(&key) {
                Group::Other => level.group,
                group => group,
            };
        }
        self.open.push(OpenMembers { group, is_data, ..OpenMembers::default() });
    }

    /// Closes the last object or list; false if there is none.
    fn close(&mut self) -> bool {
        let Some(level) = self.open.pop() else { return false };
        if level.is_named {
            self.secrets.extend(level.values);
        }
        match self.open.last_mut() {
            Some(object) if level.is_data => object.data = level.data,
            _ if level.is_secret => self.secrets.extend(level.data),
            _ => {}
        }
        true
    }

    fn forget_key(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.key = None;
        }
    }

    /// Enters a text, a key or a value, and returns what follows it. `after` is the end of its quotation mark.
    fn add_text(&mut self, begin: usize, end: usize, after: usize) -> usize {
        let next = self.scanner.skip_while(after, is_space);
        if self.scanner.byte(next) == Some(b':') {
            if let Some(level) = self.open.last_mut() {
                level.key = Some((begin, end));
            }
        } else {
            self.add_value(begin, end, true);
        }
        next.min(self.scanner.text.len())
    }

    fn add_value(&mut self, begin: usize, end: usize, is_text: bool) {
        let Some(level) = self.open.last_mut() else { return };
        let text = self.scanner.slice(begin, end);
        let is_secret = level.group.has_secret(text);
        if level.is_data && is_text && !is_secret && !is_placeholder(text) {
            level.data.push((begin, end));
        }
        if is_secret {
            self.secrets.push((begin, end));
        }
        let Some((from, to)) = level.key.take() else { return };
        let key = self.scanner.slice(from, to);
        if is_one_of(&VALUES, key) {
            if !is_secret && (is_text && !is_placeholder(text) || fits_name(text)) {
                level.values.push((begin, end));
            }
        } else if key == KIND && text == SECRET_KIND {
            level.is_secret = true;
        } else if is_one_of(&NAMES, key) && (names_secret(text).is_some() || is_header(text))
            || is_one_of(&[TYPE], key) && text == SECURE_TEXT
        {
            level.is_named = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn a_value_is_a_secret_if_another_member_names_one() {
        for (text, expected) in [
            (r#"got {"name":"API_TOKEN","slotSetting":false,"value":"a b"}"#, vec!["a b"]),
            (
                r#"got {"key":"DB_PASSWORD","variable_type":"env_var","hidden":false,"value":"hunter"}"#,
                vec!["hunter"],
            ),
            (
                r#"got {"value":"a b","a":1,"b":[1,{"c":"}"}],"d":{},"e":2,"f":3,"g":4,"key":"apiKey"}"#,
                vec!["a b"],
            ),
            (
                r#"can't {\"name\": \"TOKEN\", \"x\": {\"name\": \"y\"}, \"value\": \"a\\\"b\"}"#,
                vec![r#"a\\\"b"#],
            ),
            (r"{'name': 'TOKEN', 'type': 1, 'value': 'a b'}", vec!["a b"]),
            (r#"x [{"name":"A","value":"b"},{"name":"PASSWORD","x":0,"value":"hunter"}"#, vec!["hunter"]),
            (r#"x {"name":"PIN_TOKEN","x":0,"value":123456789012} y"#, vec!["123456789012"]),
            (r#"x {"name":"TOKEN","x":0,"value":"cut of"#, vec!["cut of"]),
            (r#"log: {"tokens":{"mira":"a1b2c3d4e5f6"}} done"#, vec!["a1b2c3d4e5f6"]),
            (r#"log: {"secrets":["a1b2c3d4e5f6","db"]} done"#, vec!["a1b2c3d4e5f6"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            r#"got {"name":"NODE_ENV","slotSetting":false,"value":"a1b2c3"}"#,
            r#"got {"name":"API_TOKEN","x":1},{"name":"a","value":"a1b2c3"}"#,
            r#"got {"name":"API_TOKEN","x":{"value":"a1b2c3"}}"#,
            r#"got {"name":"API_TOKEN","x":1,"value":"${TOKEN}"}"#,
            r#"got {"name":"TOKEN_COUNT","x":1,"value":1200}"#,
            r#"got {"usage":{"tokens":{"model":"claude-3","input":5}}}"#,
            r#"got {"name":"API_TOKEN","x":1,"value":12}"#,
            r#"got {"kind":"API_TOKEN","x":1,"value":"a1b2c3"}"#,
            "fn main() { let value = 'a'; }",
            r#"{"value":"a1b2c3"} {"name":"TOKEN"}"#,
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
