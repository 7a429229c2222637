//! A list of texts in one line.

use crate::format;
use crate::text::join;

/// Maximum number of texts in the line.
pub(super) const MAX_LISTED: usize = 12;

/// The texts in one line, and how many more there are; `None` without a text.
pub(super) fn text_list(mut texts: Vec<String>) -> Option<String> {
    let more = texts.len().saturating_sub(MAX_LISTED);
    texts.truncate(MAX_LISTED);
    texts.extend((more > 0).then(|| format!("{} more", format::count(more as f64))));
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    (!texts.is_empty()).then(|| join(&texts, ", "))
}

#[cfg(test)]
mod tests {
    use super::text_list;

    #[test]
    fn the_texts_that_are_left_out_are_counted() {
        let texts = |count: usize| (1..=count).map(|number| number.to_string()).collect();
        assert_eq!(text_list(texts(0)), None);
        assert_eq!(text_list(texts(2)).as_deref(), Some("1, 2"));
        assert!(text_list(texts(12)).unwrap().ends_with("11, 12"));
        assert!(text_list(texts(14)).unwrap().ends_with("11, 12, 2 more"));
    }
}
