//! The words of a search, and their matches in a text.

use std::ops::Range;

/// The words of a search, in lower case.
pub(super) fn words(search: &str) -> Vec<String> {
    search.split_whitespace().map(lower).collect()
}

/// Converts a text to lower case letter by letter, so that the case of a letter does not depend on its neighbours.
pub(super) fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The matches of a search's words in a text, as ranges of bytes, in order and without overlap.
pub(super) fn hits(text: &str, words: &[String]) -> Vec<Range<usize>> {
    if words.is_empty() {
        return Vec::new();
    }
    // Maps each byte of the lower-case text to its original letter, since some letters become longer.
    let (mut lowered, mut letters) = (String::new(), Vec::new());
    for (start, letter) in text.char_indices() {
        let end = start + letter.len_utf8();
        lowered.extend(letter.to_lowercase());
        letters.resize(lowered.len(), start..end);
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        for (at, _) in lowered.match_indices(word.as_str()) {
            found.push(letters[at].start..letters[at + word.len() - 1].end);
        }
    }
    found.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in found {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::{hits, words};

    fn marked(text: &str, search: &str) -> Vec<String> {
        hits(text, &words(search)).into_iter().map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn every_word_is_found_in_any_case() {
        assert_eq!(marked("At Deploy-EU after deploy-eu", "deploy-eu"), ["Deploy-EU", "deploy-eu"]);
        assert_eq!(marked("release-train", "TRAIN rel"), ["rel", "train"]);
        assert_eq!(marked("ÄPFEL und İzmir", "äpfel i"), ["ÄPFEL", "İ", "i"]);
        assert_eq!(marked("aaaa", "aa aaa"), ["aaaa"], "overlapping hits are one");
    }

    #[test]
    fn an_empty_search_or_text_has_no_matches() {
        for (text, search) in [("", "a"), ("abc", ""), ("abc", " \t\n"), ("abc", "abcd"), ("a b", "ab")] {
            assert_eq!(marked(text, search), [""; 0], "{search:?} in {text:?}");
        }
    }
}
