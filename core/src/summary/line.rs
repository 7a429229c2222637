//! Building a sentence piece by piece.

use super::Span;
use crate::format::moment;
use crate::run::nodes::Place;
use crate::time::Millis;

/// A sentence in the making. Words that follow each other become one part.
#[derive(Default)]
pub(crate) struct Line(Vec<Span>);

impl Line {
    pub(crate) fn new(words: &str) -> Self {
        Self::default().words(words)
    }

    /// A sentence that was made elsewhere.
    pub(crate) fn of(parts: Vec<Span>) -> Self {
        Self(parts)
    }

    pub(crate) fn words(mut self, words: &str) -> Self {
        match self.0.last_mut() {
            Some(Span::Text { text }) => text.push_str(words),
            Some(Span::Node { .. } | Span::Code { .. } | Span::Time { .. } | Span::Until { .. }) | None => {
                if !words.is_empty() {
                    self.0.push(Span::Text { text: words.into() });
                }
            }
        }
        self
    }

    pub(crate) fn node(mut self, node_id: &str) -> Self {
        self.0.push(Span::Node { node_id: node_id.into(), text: node_id.into() });
        self
    }

    /// A node and its round, which is said only where there was more than one.
    pub(super) fn at(self, node: &Place<'_>) -> Self {
        let line = self.node(node.id);
        if node.iteration > 0 { line.words(&format!(", iteration {}", node.iteration)) } else { line }
    }

    /// Up to three nodes by name, the rest as a number.
    pub(crate) fn list(self, ids: &[&str]) -> Self {
        self.list_of(ids, ids.len())
    }

    /// The same where there may be more nodes than names.
    pub(crate) fn list_of(mut self, ids: &[&str], total: usize) -> Self {
        const NAMED: usize = 3;
        for (index, id) in ids.iter().take(NAMED).enumerate() {
            self = if index > 0 { self.words(", ") } else { self }.node(id);
        }
        match total.saturating_sub(ids.len().min(NAMED)) {
            0 => self,
            more => self.words(&format!(" and {more} more")),
        }
    }

    pub(crate) fn code(mut self, word: &str) -> Self {
        self.0.push(Span::Code { text: word.into() });
        self
    }

    pub(crate) fn time(mut self, at: Millis, now: Millis) -> Self {
        self.0.push(Span::Time { at, text: moment(at, now) });
        self
    }

    pub(crate) fn until(mut self, at: Millis, left: &str) -> Self {
        self.0.push(Span::Until { at, text: left.into() });
        self
    }

    pub(crate) fn then(mut self, other: Self) -> Self {
        for part in other.0 {
            match part {
                Span::Text { text } => self = self.words(&text),
                Span::Node { .. } | Span::Code { .. } | Span::Time { .. } | Span::Until { .. } => {
                    self.0.push(part);
                }
            }
        }
        self
    }

    /// The next sentence, after a space where there is one before it.
    pub(crate) fn next(self, other: Self) -> Self {
        match (self.0.is_empty(), other.0.is_empty()) {
            (true, _) => other,
            (false, true) => self,
            (false, false) => self.words(" ").then(other),
        }
    }

    pub(crate) fn parts(self) -> Vec<Span> {
        self.0
    }
}
