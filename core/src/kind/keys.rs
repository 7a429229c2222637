//! The keys of an object, by which its kind is recognised.

use std::borrow::Cow;

use crate::json::{ReadError, Slice, Token};

/// As many values are kept, so that an object with millions of keys takes no space. Further keys are looked up in the object.
const MAX_KEPT: usize = 256;

/// The values of an object by their keys, read in one pass.
pub(crate) struct Keys<'a> {
    object: Slice<'a>,
    found: Vec<(Cow<'a, str>, Slice<'a>)>,
    /// The keys that occur again after their first value.
    repeated: Vec<Cow<'a, str>>,
    /// Whether the object has more keys than are kept.
    has_more: bool,
    /// Whether the object is truncated and lacks its last keys.
    truncated: bool,
}

impl<'a> Keys<'a> {
    /// Reads the keys of an object. Of a duplicate key the first value is used; the reader of the object rejects it.
    ///
    /// # Errors
    /// [`ReadError`] if the value is not an object, or its grammar is wrong.
    pub(crate) fn read(object: Slice<'a>) -> Result<Self, ReadError> {
        let mut keys =
            Self { object, found: Vec::new(), repeated: Vec::new(), has_more: false, truncated: false };
        object.each_member(&mut |key, _, value| {
            if keys.kept(&key).is_some() {
                if !keys.repeats(&[&key]) {
                    keys.repeated.push(key);
                }
            } else if keys.found.len() < MAX_KEPT {
                keys.found.push((key, value));
            } else {
                keys.has_more = true;
            }
            Ok(())
        })?;
        Ok(keys)
    }

    /// Reads the keys that are left of a truncated object.
    ///
    /// # Errors
    /// As [`Keys::read`].
    pub(super) fn read_truncated(object: Slice<'a>) -> Result<Self, ReadError> {
        Ok(Self { truncated: true, ..Self::read(object)? })
    }

    /// Whether the object was truncated.
    pub(super) fn truncated(&self) -> bool {
        self.truncated
    }

    /// Whether one of these keys is duplicated.
    pub(super) fn repeats(&self, keys: &[&str]) -> bool {
        self.repeated.iter().any(|key| keys.contains(&&**key))
    }

    /// The object itself.
    pub(crate) fn object(&self) -> Slice<'a> {
        self.object
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<Slice<'a>> {
        self.kept(key).or_else(|| self.has_more.then(|| self.search(key)).flatten())
    }

    fn kept(&self, key: &str) -> Option<Slice<'a>> {
        self.found.iter().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// The value of a key that is not kept.
    fn search(&self, key: &str) -> Option<Slice<'a>> {
        let mut found = None;
        let take = &mut |name: Cow<'_, str>, _: usize, value| {
            if name == key && found.is_none() {
                found = Some(value);
            }
            Ok(())
        };
        self.object.each_member(take).ok()?;
        found
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Whether all of these keys are present.
    pub(crate) fn all<const N: usize>(&self, keys: [&str; N]) -> bool {
        keys.iter().all(|key| self.has(key))
    }

    /// Whether one of these keys is present.
    pub(crate) fn any<const N: usize>(&self, keys: [&str; N]) -> bool {
        keys.iter().any(|key| self.has(key))
    }

    /// The number of these keys that are present.
    pub(super) fn count<const N: usize>(&self, keys: [&str; N]) -> usize {
        keys.iter().filter(|key| self.has(key)).count()
    }

    /// Whether the object has this key and no other.
    pub(crate) fn only(&self, key: &str) -> bool {
        !self.has_more && self.found.len() == 1 && self.has(key)
    }

    pub(crate) fn is_object(&self, key: &str) -> bool {
        self.get(key).is_some_and(Slice::is_object)
    }

    pub(crate) fn is_list(&self, key: &str) -> bool {
        self.get(key).is_some_and(Slice::is_array)
    }

    /// Whether the value of a key is one of these texts.
    pub(super) fn is_one_of(&self, key: &str, texts: &[&str]) -> bool {
        self.get(key).and_then(Slice::text).is_some_and(|text| texts.contains(&&*text))
    }

    pub(crate) fn is_text(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| matches!(value.token(), Ok(Token::String(_))))
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, MAX_KEPT};
    use crate::json::Slice;

    #[test]
    fn keys_are_found_however_many_come_before_them() {
        for before in [0, 1, MAX_KEPT - 1, MAX_KEPT, MAX_KEPT + 1] {
            let others: Vec<_> = (0..before).map(|number| format!(r#""k{number}":0,"#)).collect();
            let others = others.concat();
            let text = format!(r#"{{{others}"runId":"r","status":1,"runId":2}}"#);
            let keys = Keys::read(Slice::new(&text)).unwrap();
            assert_eq!(keys.get("runId").map(Slice::json), Some(r#""r""#), "{before}");
            assert!(keys.has("status") && !keys.has("state") && !keys.only("runId"), "{before}");
        }
    }

    #[test]
    fn keys_are_found_at_the_top_of_the_object_alone() {
        let keys = Keys::read(Slice::new(r#"{"other":{"state":1},"runId":"r","run\u0049d":"s"}"#)).unwrap();
        assert_eq!(keys.get("runId").map(Slice::json), Some(r#""r""#), "the first value of a duplicate key");
        assert!(keys.repeats(&["state", "runId"]) && !keys.repeats(&["state"]));
        assert!(!keys.has("state") && !keys.only("runId") && keys.is_text("runId"));
        assert_eq!(keys.get("other").map(Slice::json), Some(r#"{"state":1}"#), "a key of no rule");
        assert!(!keys.has("unknown"));
        let detail = Keys::read(Slice::new(r#"{"detail":[]}"#)).unwrap();
        assert!(detail.only("detail") && detail.is_list("detail") && !detail.is_text("detail"));
        for text in ["[]", "7", "{", r#"{"a":}"#, "{} x"] {
            assert!(Keys::read(Slice::new(text)).is_err(), "{text}");
        }
    }
}
