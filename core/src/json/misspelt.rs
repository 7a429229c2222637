//! Names that were probably meant to be those of fields.

use crate::text::{concat, is_invisible, quoted};

/// Asks whether a key, which no reader knows, was meant to be one of these absent fields; each has up to two spellings.
pub(super) fn misspelt_field(key: &str, absent: &[(&str, &str)], record: &str) -> Option<String> {
    let names = absent.iter().map(|(name, _)| *name).chain(absent.iter().map(|(_, alias)| *alias));
    names.into_iter().find_map(|name| ask_for_field(key, name, record))
}

/// Asks whether a key was meant to be this field of a record; `None` if it is probably something else.
pub(crate) fn ask_for_field(key: &str, name: &str, record: &str) -> Option<String> {
    is_misspelt(key, name).then(|| question(key, name, record))
}

fn question(key: &str, name: &str, record: &str) -> String {
    let key = quoted(key);
    concat(&["`", key.trim_matches('"'), "` is not a field of ", record, "; did you mean `", name, "`?"])
}

/// Whether a key was probably meant to be this name: it has other capitals, `_`, `-` or invisible characters, or one letter is
/// missing, added, wrong or in the place of the next one.
fn is_misspelt(key: &str, name: &str) -> bool {
    key.len().abs_diff(name.len()) <= MAX_DIFFERENCE
        && !name.is_empty()
        && (letters(key).eq(letters(name)) || is_one_edit(key.as_bytes(), name.as_bytes()))
}

/// The maximum difference of the lengths of two such names: the name of a column has at most three `_`.
const MAX_DIFFERENCE: usize = 3;

fn letters(text: &str) -> impl Iterator<Item = char> {
    let is_seen = |letter: &char| !matches!(letter, '_' | '-') && !is_invisible(*letter);
    text.chars().filter(is_seen).map(|letter| letter.to_ascii_lowercase())
}

fn is_one_edit(one: &[u8], other: &[u8]) -> bool {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (one.get(same..).unwrap_or_default(), other.get(same..).unwrap_or_default());
    match (one, other) {
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([_, one @ ..], other) | (other, [_, one @ ..]) if one == other => true,
        ([a, b, one @ ..], [c, d, other @ ..]) => (a, b, one) == (d, c, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_misspelt;

    #[test]
    fn a_name_with_one_mistake_is_misspelt() {
        for (key, name) in [
            ("finishedAtMS", "finishedAtMs"),
            ("finished_at_m", "finished_at_ms"),
            ("heartbeatAtMS", "heartbeatAtMs"),
            ("HeartbeatAtMs", "heartbeatAtMs"),
            ("heartbeat-at-ms", "heartbeatAtMs"),
            ("runid", "runId"),
            ("run-id", "runId"),
            ("run\u{200b}Id", "runId"),
            ("stauts", "status"),
            ("statu", "status"),
            ("statuss", "status"),
            ("stotus", "status"),
        ] {
            assert!(is_misspelt(key, name), "{key}");
        }
        for (key, name) in [
            ("state", "status"),
            ("createdAt", "createdAtMs"),
            ("errors", "errorJson"),
            ("workflowPath", "workflowName"),
            ("workflow", "workflowKey"),
            ("id", ""),
            ("", "runId"),
            ("tsauts", "status"),
        ] {
            assert!(!is_misspelt(key, name), "{key}");
        }
    }
}
