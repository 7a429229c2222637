//! The value on screen: which text it was read from, which of its rows are open, and the text that was opened from it.

use std::ops::Range;
use std::sync::Arc;

use super::long_text::{LongLines, TextWindow};
use super::value::{ValueTree, ValueWindow, bytes};
use super::window::{NodeAction, NodeCopy, NodeTab};
use crate::redact::redact_message;
use crate::viewer::NodeKey;

/// JSON texts, each with its name.
pub(super) type NamedTexts = Vec<(&'static str, Arc<str>)>;

/// What a value was read from.
#[derive(Clone, Debug)]
pub(super) struct ValueSource {
    pub(super) key: Option<NodeKey>,
    pub(super) tab: NodeTab,
    /// What the viewer knows of the node itself, as JSON.
    pub(super) own: String,
    /// The server's answers, by their names.
    pub(super) answers: NamedTexts,
}

impl ValueSource {
    fn is(&self, other: &Self) -> bool {
        let (one, other_answers) = (&self.answers, &other.answers);
        let is_same = one.len() == other_answers.len()
            && one
                .iter()
                .zip(other_answers)
                .all(|((name, text), (of, other))| name == of && Arc::ptr_eq(text, other));
        is_same && self.is_about(other) && self.own == other.own
    }

    fn is_about(&self, other: &Self) -> bool {
        self.key == other.key && self.tab == other.tab
    }
}

/// The value on screen.
#[derive(Debug)]
pub(super) struct ShownValue {
    source: ValueSource,
    tree: ValueTree,
    text: Option<OpenText>,
}

/// A text that was opened from a row.
#[derive(Debug)]
struct OpenText {
    path: String,
    lines: LongLines,
}

impl ShownValue {
    /// Shows the value that `read` returns unless it is on screen already. A later value of the same node keeps the open rows.
    pub(super) fn update(
        shown: &mut Option<Self>,
        source: ValueSource,
        read: impl FnOnce(&ValueSource) -> (Arc<str>, Range<usize>),
    ) {
        if shown.as_ref().is_some_and(|shown| shown.source.is(&source)) {
            return;
        }
        let (text, place) = read(&source);
        let mut tree = ValueTree::new(text, place);
        let before = shown.take().filter(|before| before.source.is_about(&source));
        let mut open_text = None;
        if let Some(before) = before {
            tree.follow(&before.tree);
            open_text = before.text;
        }
        *shown = Some(Self { source, tree, text: open_text });
    }

    /// Carries out an action on the rows.
    pub(super) fn act(&mut self, action: &NodeAction) {
        match *action {
            NodeAction::Select { row } => self.tree.select(row),
            NodeAction::Toggle { row } => {
                self.tree.select(row);
                self.tree.toggle(row);
            }
            NodeAction::Move { by } => self.tree.move_by(by),
            NodeAction::First => self.tree.select(0),
            NodeAction::Last => self.tree.select(usize::MAX),
            NodeAction::Expand => self.tree.expand(),
            NodeAction::Collapse => self.tree.collapse(),
            NodeAction::OpenText { row } => {
                self.text = self
                    .tree
                    .text(row)
                    .map(|text| OpenText { path: self.tree.path(row), lines: LongLines::new(text) });
            }
            NodeAction::CloseText => self.text = None,
            NodeAction::Tab(_) | NodeAction::Show { .. } | NodeAction::AskAgain => {}
        }
    }

    pub(super) fn value(&self, window: &Range<usize>) -> ValueWindow {
        self.tree.window(window)
    }

    pub(super) fn text(&self, window: &Range<usize>) -> Option<TextWindow> {
        let OpenText { path, lines } = self.text.as_ref()?;
        Some(TextWindow {
            path: path.clone(),
            size: bytes(lines.bytes()),
            total: lines.len(),
            first: window.start.min(lines.len()),
            rows: lines.rows(window.clone()),
        })
    }

    /// A copy without secrets; `None` if no row is selected.
    pub(super) fn copy(&self, what: NodeCopy) -> Option<String> {
        let clean = |text: String| redact_message(&text).unwrap_or(text);
        match what {
            NodeCopy::Path => Some(self.tree.path(self.tree.selected()?)),
            NodeCopy::Value => {
                let row = self.tree.selected()?;
                Some(clean(self.tree.text(row).or_else(|| self.tree.json(row).map(str::to_owned))?))
            }
            NodeCopy::Whole => Some(clean(self.tree.json(0)?.to_owned())),
        }
    }
}
