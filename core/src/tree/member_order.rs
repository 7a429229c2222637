//! The order of the members in a node's JSON.

use std::sync::Arc;

/// The keys of a node in the order of the wire; [`MemberOrder`] stores each as a byte, its index here.
pub(super) const KEYS: [&str; 7] = ["id", "type", "name", "props", "task", "children", "depth"];
pub(super) const CHILDREN: usize = 5;
pub(super) const ID: usize = 0;
pub(super) const TYPE: usize = 1;
pub(super) const NAME: usize = 2;
pub(super) const PROPS: usize = 3;
pub(super) const TASK: usize = 4;
pub(super) const DEPTH: usize = 6;
/// The order of almost every node.
const DEFAULT_ORDER: &str = "\0\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}";
/// The byte of `task`.
const TASK_BYTE: char = '\u{4}';

/// The order of a node's members: a byte for each known key, and the text of each unknown member, in which JSON allows no
/// such byte. `None` for the usual order.
#[derive(Clone, Debug, Default)]
pub(super) struct MemberOrder(Option<Arc<str>>);

impl MemberOrder {
    pub(super) fn text(&self) -> &str {
        self.0.as_deref().unwrap_or(DEFAULT_ORDER)
    }

    /// Moves the task to the end, where JavaScript adds a new property.
    pub(super) fn add_task(&mut self) {
        let mut text: String = self.text().chars().filter(|part| *part != TASK_BYTE).collect();
        text.push(TASK_BYTE);
        self.0 = Some(text.into());
    }
}

/// Collects the members of a node while it is read.
#[derive(Default)]
pub(super) struct MemberOrderBuilder {
    known: [bool; 7],
    /// Empty while the order is the default.
    text: String,
}

impl MemberOrderBuilder {
    /// Adds a known key; `false` for a duplicate.
    pub(super) fn add(&mut self, place: usize) -> bool {
        if self.known.iter().skip(place).any(|known| *known) {
            self.write_known();
        }
        if !self.text.is_empty() {
            self.push(place);
        }
        !std::mem::replace(&mut self.known[place], true)
    }

    /// Adds an unknown member as its text.
    pub(super) fn add_other(&mut self, member: &str) {
        self.write_known();
        if self.text.bytes().last().is_some_and(|last| usize::from(last) > DEPTH) {
            self.text.push(',');
        }
        self.text.push_str(member);
    }

    /// The first required key that is missing.
    pub(super) fn missing(&self) -> Option<&'static str> {
        (ID..=NAME).find(|place| !self.known[*place]).map(|place| KEYS[place])
    }

    /// The order. An equal one in `before` is shared.
    pub(super) fn finish(mut self, before: &mut Vec<Arc<str>>) -> MemberOrder {
        if self.text.is_empty() && self.known[PROPS] && self.known[CHILDREN] && self.known[DEPTH] {
            return MemberOrder(None);
        }
        self.write_known();
        for place in [PROPS, CHILDREN] {
            if !self.known[place] {
                self.push(place);
            }
        }
        if let Some(shared) = before.iter().find(|order| ***order == *self.text) {
            return MemberOrder(Some(shared.clone()));
        }
        let order: Arc<str> = self.text.into();
        // A document usually has few orders; the limit bounds the search in one that has many.
        if before.len() < 8 {
            before.push(order.clone());
        }
        MemberOrder(Some(order))
    }

    fn write_known(&mut self) {
        if self.text.is_empty() {
            for place in ID..=DEPTH {
                if self.known[place] {
                    self.push(place);
                }
            }
        }
    }

    fn push(&mut self, place: usize) {
        // An index is below 7.
        self.text.push(char::from(place as u8));
    }
}
