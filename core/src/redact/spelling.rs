//! Names without regard to their spelling: `API-Key`, `api_key`, `apiKey`.

use crate::text::is_invisible;

/// Normalises a key: lower case, without `_`, `-`, blanks, and what is not seen.
pub(super) fn normalize(key: &str) -> String {
    normalized(key).collect()
}

/// The letters of a normalised key.
pub(super) fn normalized(key: &str) -> impl DoubleEndedIterator<Item = char> {
    key.chars()
        .filter(|letter| match letter {
            '_' | '-' | ' ' => false,
            letter => letter.is_ascii() || !is_invisible(*letter),
        })
        .map(|letter| letter.to_ascii_lowercase())
}

/// Whether a key, once normalised, is one of these.
pub(super) fn is_one_of(keys: &[&str], key: &str) -> bool {
    keys.iter().any(|of| of.len() <= key.len() && normalized(key).eq(of.chars()))
}
