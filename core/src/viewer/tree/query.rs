//! The search and the filters of the tree, and what they find.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::row::kind;
use super::{FilterCount, NodeFilter};
use crate::time::Millis;
use crate::tree::{Node, NodeId, NodeIndex, Subset, Tree};
use crate::viewer::search_words::{lower, words};
use crate::word::Vocabulary;

/// The search and the filters of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TreeQuery {
    /// Words that a node must contain; empty without a search.
    pub search: String,
    /// The filters that are on: a node must pass one of them. Empty for all nodes.
    pub filters: Vec<NodeFilter>,
}

impl TreeQuery {
    /// Whether nothing is searched and all nodes are shown.
    pub(super) fn is_empty(&self) -> bool {
        self.words().is_empty() && self.filters.is_empty()
    }

    /// The words of the search.
    pub(super) fn words(&self) -> Vec<String> {
        words(&self.search)
    }

    /// Whether a node passes one of the filters that are on.
    pub(super) fn passes(&self, node: &Node, known_until: Option<Millis>) -> bool {
        self.filters.iter().any(|filter| filter.has(node, known_until))
    }
}

/// Whether the id, the title, the label and the kind of a node contain all words.
pub(super) fn contains(node: &Node, words: &[String]) -> bool {
    let kind = kind(node);
    let texts =
        [node.node_id(), Some(node.title()), node.label(), kind.as_deref()].map(|text| text.map(lower));
    words.iter().all(|word| texts.iter().flatten().any(|text| text.contains(word.as_str())))
}

/// What a query finds in a tree.
#[derive(Debug, Default)]
pub(super) struct Matches {
    /// The number of nodes that pass each filter of [`NodeFilter::ALL`].
    counts: Vec<u32>,
    /// The number of nodes that pass a filter that is on.
    matched: usize,
    /// The nodes that pass and those above them; `None` if no filter is on.
    pub(super) filtered: Option<Subset>,
    /// The nodes that the search has found, in reading order, each with its position among all nodes.
    pub(super) hits: Vec<(usize, NodeIndex)>,
    /// The same nodes and those above them; `None` without a search.
    searched: Option<Subset>,
}

impl Matches {
    /// Searches and filters a tree whose nodes are known until a time.
    pub(super) fn new(tree: &Tree, query: &TreeQuery, known_until: Option<Millis>) -> Self {
        let mut found = Self { counts: vec![0; NodeFilter::ALL.len()], ..Self::default() };
        for index in tree.preorder(tree.root()) {
            let node = tree.node(index);
            for (count, filter) in found.counts.iter_mut().zip(NodeFilter::ALL) {
                *count += u32::from(filter.has(node, known_until));
            }
            found.matched += usize::from(query.passes(node, known_until));
        }
        if !query.filters.is_empty() {
            found.filtered = Some(tree.subset(|index| query.passes(tree.node(index), known_until)));
        }
        let words = query.words();
        if !words.is_empty() {
            let has_row =
                |index: NodeIndex| found.filtered.as_ref().is_none_or(|rows| rows.weight(index) > 0);
            let nodes = tree.preorder(tree.root()).enumerate();
            found.hits =
                nodes.filter(|(_, index)| has_row(*index) && contains(tree.node(*index), &words)).collect();
            // A subset is made from its last node to its first.
            let mut hits = found.hits.iter().rev().peekable();
            found.searched = Some(tree.subset(|index| hits.next_if(|(_, hit)| *hit == index).is_some()));
        }
        found
    }

    /// Whether the query finds something under a node.
    pub(super) fn is_above(&self, index: NodeIndex) -> bool {
        self.searched.as_ref().or(self.filtered.as_ref()).is_some_and(|found| found.weight(index) > 1)
    }

    /// The number of nodes that pass a filter that is on; `None` if none is.
    pub(super) fn matched(&self) -> Option<usize> {
        self.filtered.as_ref().map(|_| self.matched)
    }

    /// The position of a node among the hits, from 1.
    pub(super) fn hit_number(&self, tree: &Tree, id: NodeId) -> Option<usize> {
        self.hits.iter().position(|(_, index)| tree.node(*index).id == id).map(|position| position + 1)
    }

    /// The selected node if it is a hit, else the one that [`step`](Self::step) goes to.
    pub(super) fn nearest(&self, tree: &Tree, selected: Option<NodeId>) -> Option<NodeIndex> {
        let selected = selected.and_then(|id| tree.find(id));
        let is_hit = |index: &NodeIndex| self.hits.iter().any(|(_, hit)| hit == index);
        selected.filter(is_hit).or_else(|| self.step(tree, selected, false))
    }

    /// The hit after a node, or the first one; the last hit before it, or the last one, if `is_back`.
    pub(super) fn step(&self, tree: &Tree, from: Option<NodeIndex>, is_back: bool) -> Option<NodeIndex> {
        if self.hits.is_empty() {
            return None;
        }
        let (nothing, id) = (HashSet::new(), from.map(|from| tree.node(from).id));
        let place = id.and_then(|id| tree.outline(&nothing).row_number(id));
        let hits = &self.hits;
        let next = match (place, is_back) {
            (Some(place), false) => hits.iter().find(|(hit, _)| *hit > place).or(hits.first()),
            (Some(place), true) => hits.iter().rev().find(|(hit, _)| *hit < place).or(hits.last()),
            (None, false) => hits.first(),
            (None, true) => hits.last(),
        };
        next.map(|(_, index)| *index)
    }

    /// The filters that are on or that some node passes, and those of an earlier tree.
    pub(super) fn offered(&self, query: &TreeQuery, before: &[NodeFilter]) -> Vec<NodeFilter> {
        let counts = NodeFilter::ALL.iter().zip(&self.counts);
        let passed = counts.filter(|(filter, count)| {
            **count > 0 || before.contains(filter) || query.filters.contains(filter)
        });
        passed.map(|(filter, _)| *filter).collect()
    }

    /// These filters with the numbers of nodes that pass them.
    pub(super) fn filters(&self, query: &TreeQuery, offered: &[NodeFilter]) -> Vec<FilterCount> {
        let counts = NodeFilter::ALL.iter().zip(&self.counts).map(|(filter, count)| FilterCount {
            filter: *filter,
            count: *count,
            is_on: query.filters.contains(filter),
        });
        counts.filter(|count| offered.contains(&count.filter)).collect()
    }
}
