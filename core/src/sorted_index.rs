//! Where texts stand in a list, found by the text.

/// The places of many texts, sorted.
pub(crate) struct Places<'a>(Vec<(&'a str, u32)>);

impl<'a> Places<'a> {
    pub(crate) fn of(texts: impl Iterator<Item = (&'a str, u32)>) -> Self {
        let mut places: Vec<_> = texts.collect();
        places.sort_unstable();
        Self(places)
    }

    /// Where a text stands, in order.
    pub(crate) fn get(&self, text: &str) -> impl Iterator<Item = usize> {
        let begin = self.0.partition_point(|(known, _)| *known < text);
        let own = self.0.get(begin..).unwrap_or_default();
        own.iter().take_while(move |(known, _)| *known == text).map(|(_, place)| *place as usize)
    }

    /// All texts in their order, each with its place.
    pub(crate) fn sorted(self) -> Vec<(&'a str, u32)> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn each_text_is_found_at_all_its_places() {
        let texts = ["b", "", "a", "b", "ab", "b"];
        let places = || Places::of(texts.iter().zip(0..).map(|(text, place)| (*text, place)));
        let get = |text| places().get(text).collect::<Vec<_>>();
        assert_eq!((get("b"), get("a"), get("")), (vec![0, 3, 5], vec![2], vec![1]));
        for text in ["c", "aa", "B", "b "] {
            assert!(get(text).is_empty(), "{text:?}");
        }
        let sorted = places().sorted();
        assert_eq!(sorted, [("", 1), ("a", 2), ("ab", 4), ("b", 0), ("b", 3), ("b", 5)]);
        assert!(Places::of(std::iter::empty()).get("").next().is_none());
    }
}
