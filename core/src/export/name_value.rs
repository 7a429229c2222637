//! Values whose name is a sibling, not a key: `{"name":"cookie","value":…}`, `["cookie",…]`, `["--token",…]`.

use super::keys::{is_header, names_secret, plain};
use crate::json::Token;

/// The key of a list in which names and values take turns, as Node has the headers of a request.
const PAIRS: &str = "rawheaders";

/// The names in the objects and lists that are open.
#[derive(Default)]
pub(super) struct Named {
    /// For each of them: the name of what stands under `value`.
    open: Vec<Option<String>>,
    /// The text of a list that stood last, and whether it is the first there.
    last: Option<(String, bool)>,
    /// The list is one of pairs, and how many texts of it there were.
    pairs: Option<u32>,
    key: String,
}

impl Named {
    /// The name of what stands under `value`.
    pub(super) fn by(&self, key: &str) -> Option<String> {
        self.open.last().filter(|_| key == "value")?.clone()
    }

    /// A key.
    pub(super) fn key(&mut self, key: &str) {
        self.key = plain(key);
        self.last = None;
    }

    /// Whether a text of a list is the value of the one before it. `at` is where the text ends.
    pub(super) fn hides(&self, text: &str, whole: &str, at: usize) -> bool {
        let Some((name, first)) = &self.last else { return false };
        let ends = || whole.get(at..).is_some_and(|rest| rest.trim_ascii_start().starts_with(']'));
        let is_value = match self.pairs {
            Some(count) => count % 2 == 1,
            None => *first && ends(),
        };
        let option = name.strip_prefix("--").is_some_and(names_secret) && !text.starts_with('-');
        option || is_value && is_header(name)
    }

    /// A text that was kept.
    pub(super) fn text(&mut self, text: &str, keyed: bool, first: bool) {
        if !keyed {
            self.pairs = self.pairs.map(|count| count + 1);
            self.last = Some((text.to_owned(), first));
        } else if matches!(self.key.as_str(), "name" | "key") || is_header(text) {
            self.open.pop();
            self.open.push(Some(text.to_owned()));
        }
    }

    /// A text of a list that was hidden.
    pub(super) fn clear(&mut self) {
        self.last = None;
        self.pairs = self.pairs.map(|count| count + 1);
    }

    /// Anything else.
    pub(super) fn other(&mut self, token: Token<'_>, keyed: bool) {
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
