//! An index of the texts in a list.

/// The positions of texts in a list, sorted by text.
pub(crate) struct SortedIndex<'a>(Vec<(&'a str, u32)>);

impl<'a> SortedIndex<'a> {
    pub(crate) fn new(texts: impl Iterator<Item = (&'a str, u32)>) -> Self {
        let mut places: Vec<_> = texts.collect();
        places.sort_unstable();
        Self(places)
    }

    /// The positions of a text, in ascending order.
    pub(crate) fn get(&self, text: &str) -> impl Iterator<Item = usize> {
        let begin = self.0.partition_point(|(known, _)| *known < text);
        let own = self.0.get(begin..).unwrap_or_default();
        own.iter().take_while(move |(known, _)| *known == text).map(|(_, place)| *place as usize)
    }

    /// All texts in sorted order, each with its position.
    pub(crate) fn sorted(self) -> Vec<(&'a str, u32)> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::SortedIndex;

    #[test]
    fn each_text_is_found_at_all_its_places() {
        let texts = ["b", "", "a", "b", "ab", "b"];
        let places = || SortedIndex::new(texts.iter().zip(0..).map(|(text, place)| (*text, place)));
        let get = |text| places().get(text).collect::<Vec<_>>();
        assert_eq!((get("b"), get("a"), get("")), (vec![0, 3, 5], vec![2], vec![1]));
        for text in ["c", "aa", "B", "b "] {
            assert!(get(text).is_empty(), "{text:?}");
        }
        let sorted = places().sorted();
        assert_eq!(sorted, [("", 1), ("a", 2), ("ab", 4), ("b", 0), ("b", 3), ("b", 5)]);
        assert!(SortedIndex::new(std::iter::empty()).get("").next().is_none());
    }
}
