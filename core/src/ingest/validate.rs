//! Rejects duplicate keys, which JSON allows and readers treat differently.

use crate::json;
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::{ReadError, ReadErrorKind, Slice, Token};
use crate::text::{concat, quoted};

/// Maximum number of keys that are compared one by one; more keys are sorted.
const FEW: usize = 64;

/// The keys of the open objects, the innermost last.
#[derive(Default)]
struct OpenKeys<'a> {
    keys: Vec<Cow<'a, str>>,
    starts: Vec<usize>,
    /// The keys of each open object that has more than `FEW` keys.
    many: Vec<Option<BTreeMap<String, u64>>>,
}

/// Rejects a value in which an object contains a key twice.
pub(super) fn refuse_duplicates(slice: Slice<'_>) -> Result<(), ReadError> {
    let mut reader = slice.reader();
    let mut open = OpenKeys::default();
    while let Some(token) = reader.next()? {
        match token {
            Token::ObjectStart => open.enter(),
            Token::ObjectEnd => open.leave(),
            Token::Key(key) => {
                let key = key.decode();
                if !open.insert(key.clone()) {
                    let message = concat(&["The key ", &quoted(json::cut(&key)), " occurs twice."]);
                    return Err(ReadError::new(ReadErrorKind::DuplicateKey, reader.start(), message));
                }
            }
            Token::ArrayStart
            | Token::ArrayEnd
            | Token::String(_)
            | Token::Number(_)
            | Token::Bool
            | Token::Null => {}
        }
    }
    Ok(())
}

impl<'a> OpenKeys<'a> {
    fn enter(&mut self) {
        self.starts.push(self.keys.len());
        self.many.push(None);
    }

    fn leave(&mut self) {
        self.many.pop();
        self.keys.truncate(self.starts.pop().unwrap_or(0));
    }

    /// Whether the key is new in the innermost object.
    fn insert(&mut self, key: Cow<'a, str>) -> bool {
        let here = self.starts.last().copied().unwrap_or(0);
        let Some(many) = self.many.last_mut() else { return true };
        if let Some(many) = many {
            return many.insert(key.into_owned(), 0).is_none();
        }
        let known = self.keys.get(here..).unwrap_or_default();
        if known.contains(&key) {
            return false;
        }
        if known.len() >= FEW {
            let mut all = BTreeMap::new();
            for key in known.iter().chain([&key]) {
                all.insert(key.clone().into_owned(), 0);
            }
            *many = Some(all);
        } else {
            self.keys.push(key);
        }
        true
    }
}
