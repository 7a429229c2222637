//! Steps over a text, forwards and back, byte by byte: what parts secrets from other text is ASCII.

/// A text, and how far back one may look.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub(super) text: &'a str,
    /// Where the last secret ended.
    pub(super) from: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn byte(self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The byte before a place that one may look at.
    pub(super) fn byte_before(self, place: usize) -> Option<u8> {
        if place > self.from { self.byte(place - 1) } else { None }
    }

    pub(super) fn slice(self, begin: usize, end: usize) -> &'a str {
        self.text.get(begin..end).unwrap_or_default()
    }

    pub(super) fn rest(self, at: usize) -> &'a str {
        self.slice(at, self.text.len())
    }

    /// Where the bytes of a kind end that begin at `at`.
    pub(super) fn over(self, mut at: usize, is: fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(is) {
            at += 1;
        }
        at
    }

    /// Where the bytes of a kind begin that end at `at`.
    pub(super) fn back(self, at: usize, is: fn(u8) -> bool) -> usize {
        self.back_to(self.from, at, is)
    }

    /// The same, but not before `from`.
    pub(super) fn back_to(self, from: usize, mut at: usize, is: fn(u8) -> bool) -> usize {
        while at > from && self.byte(at - 1).is_some_and(is) {
            at -= 1;
        }
        at
    }

    /// Whether something stands right before a place.
    pub(super) fn stands_before(self, place: usize, what: &str) -> bool {
        self.slice(self.from, place).ends_with(what)
    }
}
