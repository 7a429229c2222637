//! A sentence under construction, as a list of [`Span`]s.

use super::Span;
use crate::format::{self, moment};
use crate::run::nodes::Place;
use crate::text::without_escape_sequences;
use crate::time::Millis;

/// Builds a sentence span by span. Adjacent words become one span.
#[derive(Default)]
pub(crate) struct Line(Vec<Span>);

impl Line {
    pub(crate) fn new(words: &str) -> Self {
        Self::default().words(words)
    }

    pub(crate) fn from_spans(spans: Vec<Span>) -> Self {
        Self(spans)
    }

    pub(crate) fn into_spans(self) -> Vec<Span> {
        self.0
    }

    pub(crate) fn words(mut self, words: &str) -> Self {
        let words = &*without_escape_sequences(words);
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

    /// A node and its iteration. Iteration 0 is not written.
    pub(crate) fn node_iteration(self, node_id: &str, iteration: u32) -> Self {
        let line = self.node(node_id);
        if iteration > 0 { line.words(&format!(", iteration {iteration}")) } else { line }
    }

    pub(crate) fn place(self, node: &Place<'_>) -> Self {
        self.node_iteration(node.id, node.iteration)
    }

    /// An unknown word; `start` names its sender.
    pub(crate) fn unknown_word(start: &str, word: &str) -> Self {
        Self::new(start).code(word).words(". Runstate does not know it.")
    }

    /// The first three nodes by name and the number of the others.
    pub(crate) fn node_list(self, ids: &[&str]) -> Self {
        self.node_list_of(ids, ids.len())
    }

    /// Like `node_list`, if only some of the `total` nodes have a name.
    pub(crate) fn node_list_of(self, ids: &[&str], total: usize) -> Self {
        self.list(ids, total, Self::node)
    }

    /// The first three of `total` names and the number of the others.
    pub(crate) fn list(mut self, names: &[&str], total: usize, write: fn(Self, &str) -> Self) -> Self {
        const NAMED: usize = 3;
        for (index, name) in names.iter().take(NAMED).enumerate() {
            self = write(if index > 0 { self.words(", ") } else { self }, name);
        }
        match total.saturating_sub(names.len().min(NAMED)) {
            0 => self,
            more => self.words(&format!(" and {} more", format::count(more as f64))),
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

    pub(crate) fn append(mut self, other: Self) -> Self {
        for span in other.0 {
            match span {
                Span::Text { text } => self = self.words(&text),
                Span::Node { .. } | Span::Code { .. } | Span::Time { .. } | Span::Until { .. } => {
                    self.0.push(span);
                }
            }
        }
        self
    }

    /// Appends another sentence, with a space between the two unless one is empty.
    pub(crate) fn add_sentence(self, other: Self) -> Self {
        match (self.0.is_empty(), other.0.is_empty()) {
            (true, _) => other,
            (false, true) => self,
            (false, false) => self.words(" ").append(other),
        }
    }
}
