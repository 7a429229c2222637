//! Objects whose keys are data.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// An object of strings whose keys are data. A duplicate key is an error; serde would keep the last value.
///
/// ```
/// use runstate::smithers::wire::Entries;
///
/// let needs: Entries = serde_json::from_str(r#"{"plan":"make-plan"}"#)?;
/// assert_eq!(needs.0["plan"], "make-plan");
/// assert!(serde_json::from_str::<Entries>(r#"{"plan":"make-plan","plan":"copy-plan"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Entries(pub BTreeMap<String, String>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of texts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some((name, text)) = map.next_entry::<String, String>()? {
            if entries.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the key {name:?} occurs twice")));
            }
            entries.insert(name, text);
        }
        Ok(Entries(entries))
    }
}
