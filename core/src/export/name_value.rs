//! Values whose name is a sibling instead of a key: `{"name":"cookie","value":…}`, `["cookie",…]`, `["--token",…]`.

use super::keys::{is_header, names_secret, normalize};
use crate::json::Token;

/// The key of a list in which names and values alternate, as in the requests of Node.
const PAIRS: &str = "rawheaders";

/// The names in the open objects and lists.
#[derive(Default)]
pub(super) struct SiblingNames {
    /// For each open object or list: the name of the member `value`.
    open: Vec<Option<String>>,
    /// The previous text of a list, and whether it is the first item.
    last: Option<(String, bool)>,
    /// For a list of pairs: the number of texts so far.
    pairs: Option<u32>,
    key: String,
}

impl SiblingNames {
    /// The name that belongs to the member `key`, if that is `value`.
    pub(super) fn name_for(&self, key: &str) -> Option<String> {
        self.open.last().filter(|_| key == "value")?.clone()
    }

    /// Enters a key.
    pub(super) fn set_key(&mut self, key: &str) {
        self.key = normalize(key);
        self.last = None;
    }

    /// Whether a text of a list is the secret value of the text before it. `at` is the end of the text.
    pub(super) fn is_secret_item(&self, text: &str, whole: &str, at: usize) -> bool {
        let Some((name, first)) = &self.last else { return false };
        let ends = || whole.get(at..).is_some_and(|rest| rest.trim_ascii_start().starts_with(']'));
        let is_value = match self.pairs {
            Some(count) => count % 2 == 1,
            None => *first && ends(),
        };
        let option = name.strip_prefix("--").is_some_and(names_secret) && !text.starts_with('-');
        option || is_value && is_header(name)
    }

    /// Enters a text that is not redacted.
    pub(super) fn add_text(&mut self, text: &str, keyed: bool, first: bool) {
        if !keyed {
            self.pairs = self.pairs.map(|count| count + 1);
            self.last = Some((text.to_owned(), first));
        } else if matches!(self.key.as_str(), "name" | "key") || is_header(text) {
            self.open.pop();
            self.open.push(Some(text.to_owned()));
        }
    }

    /// Enters a redacted text of a list.
    pub(super) fn add_redacted(&mut self) {
        self.last = None;
        self.pairs = self.pairs.map(|count| count + 1);
    }

    /// Enters any other token.
    pub(super) fn add_token(&mut self, token: Token<'_>, keyed: bool) {
        self.last = None;
        match token {
            Token::ObjectStart | Token::ArrayStart => {
                self.pairs = (keyed && self.key == PAIRS).then_some(0);
                self.open.push(None);
            }
            Token::ObjectEnd | Token::ArrayEnd => {
                self.pairs = None;
                self.open.pop();
            }
            Token::Key(_) | Token::String(_) | Token::Number(_) | Token::Bool | Token::Null => {}
        }
    }
}
