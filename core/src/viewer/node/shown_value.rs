//! The value on screen: which text it was read from, which of its rows are open, and the text that was opened from it.

use std::ops::Range;
use std::sync::Arc;

use super::long_text::{LongLines, TextWindow};
use super::value::{ValueTree, ValueWindow, bytes};
use super::window::{NodeAction, NodeCopy, NodeTab};
use crate::json::Slice;
use crate::redact::redact_message;
use crate::viewer::NodeKey;

/// What a copy has in place of a secret.
const REDACTED_JSON: &str = r#""[redacted]""#;

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

/// The text of the selected row.
#[derive(Debug)]
struct OpenText {
    path: String,
    lines: LongLines,
}

impl OpenText {
    /// `None` if no row with a text is selected.
    fn new(tree: &ValueTree) -> Option<Self> {
        let row = tree.selected()?;
        Some(Self { lines: LongLines::new(tree.text(row)?), path: tree.path(row) })
    }
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
            open_text =
                before.text.and_then(|open| OpenText::new(&tree).filter(|text| text.path == open.path));
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
                self.tree.select(row);
                self.text = OpenText::new(&self.tree);
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
        match what {
            NodeCopy::Path => {
                let path = self.tree.path(self.tree.selected()?);
                Some(redact_message(&path).unwrap_or(path))
            }
            NodeCopy::Value => self.copy_row(self.tree.selected()?),
            NodeCopy::Whole => {
                let whole = self.tree.json(0)?;
                Some(redact_message(whole).unwrap_or_else(|| whole.to_owned()))
            }
        }
    }

    /// The value of a row without secrets. What is secret depends on the keys and the values around it, so the whole value is
    /// read.
    fn copy_row(&self, row: usize) -> Option<String> {
        let written = self.tree.json(row)?;
        let clean = redact_message(self.tree.json(0)?).map(|clean| {
            let end = clean.len();
            ValueTree::new(clean.into(), 0..end)
        });
        let json = match &clean {
            // Its place is missing if a value around it is a secret as a whole.
            Some(clean) => self.tree.value_in(row, clean).unwrap_or(REDACTED_JSON),
            None => written,
        };
        Some(Slice::new(json).text().unwrap_or_else(|| json.to_owned()))
    }
}
