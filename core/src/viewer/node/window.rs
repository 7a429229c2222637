//! What the page draws of the selected node.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::attempts::{AttemptText, NodeAttempt};
use super::calls::NodeCall;
use super::long_text::TextWindow;
use super::messages::NodeMessage;
use super::output::SchemaField;
use super::value::ValueWindow;
use crate::header::{Field, FieldValue};
use crate::pill::Taxonomy;
use crate::summary::AnswerPill;
use crate::viewer::missing::Missing;
use crate::viewer::{LogEntry, NodeKey};

/// Maximum length of an error on screen, in characters.
const MAX_ERROR_CHARS: usize = 60_000;

/// The maximum number of iterations that are listed.
const MAX_ITERATIONS: usize = 200;

/// The detail of the selected node. Its size is bounded: long texts are cut, and a sentence says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeWindow {
    /// The author's id and the iteration, if the node has an id.
    pub key: Option<NodeKey>,
    /// The titles of the nearest nodes above it, the outermost first.
    pub path: Vec<String>,
    /// The node's display name.
    pub title: String,
    /// The kind of node, if it adds to the title.
    pub kind: Option<String>,
    /// The vocabulary of the state.
    pub taxonomy: Taxonomy,
    /// The state; `None` for a node that has none of its own, and for one whose state is not known, which
    /// [`missing`](Self::missing) says.
    pub state: Option<AnswerPill>,
    /// The iterations, if the node has several.
    pub iterations: Option<Iterations>,
    /// The decision that the node waits for.
    pub request: Option<NodeRequest>,
    /// The facts about the node.
    pub fields: Vec<Field>,
    /// Why the node failed.
    pub error: Option<String>,
    /// What the source does not have of the node, as sentences.
    pub missing: Vec<String>,
    /// The properties that the author gave it, as far as they are listed.
    pub props: Vec<NodeProp>,
    /// Whether the source no longer has the node: the rest is what was last known.
    pub is_gone: bool,
    /// The parts of the detail, in order; only what the node and its system can have.
    pub tabs: Vec<NodeTab>,
    /// The part on screen.
    pub tab: NodeTab,
    /// The part on screen, unless it is the summary.
    pub body: NodeBody,
}

crate::vocabulary! {
    /// A part of the detail of a node.
    #[derive(Default)]
    pub enum NodeTab ("part of a node's detail") {
        /// State, times, waits and properties.
        #[default]
        Summary = "summary",
        /// The messages of a conversation.
        Messages = "messages",
        /// The attempts, side by side.
        Attempts = "attempts",
        /// The output with its schema.
        Output = "output",
        /// What the agent called.
        Calls = "calls",
        /// The events of the node.
        Events = "events",
        /// Everything that is known about the node, as it was received.
        Raw = "raw",
    }
}

/// A part of the detail other than the summary.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeBody {
    /// The attempts, the first one first.
    pub attempts: Vec<NodeAttempt>,
    /// The messages, the oldest first.
    pub messages: Vec<NodeMessage>,
    /// When the next attempt starts at the earliest, while the node waits for one.
    pub next_attempt: Option<FieldValue>,
    /// Why the node failed, by the answer about its output.
    pub error: Option<AttemptText>,
    /// Whether the value is what a failed node had written so far.
    pub is_partial: bool,
    /// The rows of the value on screen.
    pub value: Option<ValueWindow>,
    /// The text that was opened from the value.
    pub text: Option<TextWindow>,
    /// The fields that the output has by its schema.
    pub schema: Vec<SchemaField>,
    /// The calls of the agent, in the order of their starts.
    pub calls: Vec<NodeCall>,
    /// The events of the node, the oldest first.
    pub events: Vec<LogEntry>,
    /// What the part lacks, as sentences.
    pub missing: Vec<String>,
    /// Whether something failed that can be asked again.
    pub can_ask_again: bool,
}

/// What a person does in the detail of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum NodeAction {
    /// Shows this part of the detail.
    Tab(NodeTab),
    /// These rows of the value or of the text are on screen.
    Show {
        /// The first row, from 0.
        first: usize,
        /// The number of rows.
        count: usize,
    },
    /// Selects a row of the value.
    Select {
        /// The position of the row.
        row: usize,
    },
    /// Selects a row of the value and opens or closes it.
    Toggle {
        /// The position of the row.
        row: usize,
    },
    /// Moves the selection by this many rows; negative numbers move up.
    Move {
        /// The number of rows.
        by: i32,
    },
    /// Selects the first row.
    First,
    /// Selects the last row.
    Last,
    /// Opens the selected row, or selects its first member.
    Expand,
    /// Closes the selected row, or selects the row above it.
    Collapse,
    /// Opens the text of a row.
    OpenText {
        /// The position of the row.
        row: usize,
    },
    /// Shows the value instead of the text.
    CloseText,
    /// Asks the server again for what it has not answered.
    AskAgain,
}

/// What is copied from the value on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeCopy {
    /// The path of the selected row.
    Path,
    /// The selected row: a text without its quotes, other values as they were written. The secrets are removed.
    Value,
    /// The whole value, as it was written. The secrets are removed.
    Whole,
}

/// The iterations of a node in a loop, or the visits of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Iterations {
    /// The iteration on screen.
    pub shown: u32,
    /// The known iteration before it.
    pub previous: Option<u32>,
    /// The known iteration after it.
    pub next: Option<u32>,
    /// The last known iteration.
    pub last: u32,
    /// The known iterations in order; of very many, those around the one on screen.
    pub known: Vec<KnownIteration>,
    /// Whether they are the visits of a step, which people count from 1.
    pub are_visits: bool,
}

/// A known iteration of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct KnownIteration {
    /// Its number, from 0.
    pub number: u32,
    /// The label of its state, if it is known.
    pub state: Option<String>,
}

/// What a person has to decide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeRequest {
    /// The question.
    pub title: String,
    /// What the decision is about.
    pub summary: Option<String>,
    /// What can be chosen, if it is more than yes or no.
    pub options: Vec<String>,
    /// Who may decide, as a sentence.
    pub who: Option<String>,
}

/// A property of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeProp {
    /// The name.
    pub name: String,
    /// The text, or JSON for any other value; its beginning if it is long.
    pub value: String,
}

impl NodeWindow {
    /// A node of which only the title is known.
    pub(super) fn new(key: Option<NodeKey>, title: String, taxonomy: Taxonomy) -> Self {
        Self {
            key,
            path: Vec::new(),
            title,
            kind: None,
            taxonomy,
            state: None,
            iterations: None,
            request: None,
            fields: Vec::new(),
            error: None,
            missing: Vec::new(),
            props: Vec::new(),
            is_gone: false,
            tabs: vec![NodeTab::Summary],
            tab: NodeTab::Summary,
            body: NodeBody::default(),
        }
    }

    /// Sets the error, cut if it is very long; returns what of it is missing then.
    pub(super) fn set_error(&mut self, error: &str) -> Option<Missing> {
        let (text, total) = beginning(error, MAX_ERROR_CHARS);
        self.error = Some(text.to_owned());
        total.map(|total| Missing::Rest { shown: MAX_ERROR_CHARS, total })
    }
}

impl Iterations {
    /// The iterations of which one is shown; `None` if no other one is known.
    pub(super) fn new(shown: u32, known: impl Iterator<Item = (u32, Option<String>)>) -> Option<Self> {
        let mut all: BTreeMap<u32, Option<String>> = BTreeMap::new();
        for (number, state) in known.chain([(shown, None)]) {
            let kept = all.entry(number).or_default();
            *kept = kept.take().or(state);
        }
        let previous = all.range(..shown).next_back().map(|(number, _)| *number);
        let next = all.range(shown..).nth(1).map(|(number, _)| *number);
        let last = all.last_key_value().map_or(shown, |(number, _)| *number);
        let before = all.range(..shown).count().saturating_sub(MAX_ITERATIONS / 2);
        let around = all.into_iter().skip(before).take(MAX_ITERATIONS);
        let known = around.map(|(number, state)| KnownIteration { number, state }).collect();
        (previous.is_some() || next.is_some()).then_some(Self {
            shown,
            previous,
            next,
            last,
            known,
            are_visits: false,
        })
    }

    /// The same numbers as those of visits.
    pub(super) fn of_visits(self) -> Self {
        Self { are_visits: true, ..self }
    }
}

/// The first characters of a text, and the number of all characters if there are more.
pub(super) fn beginning(text: &str, max: usize) -> (&str, Option<usize>) {
    match text.char_indices().nth(max) {
        Some((end, _)) => (&text[..end], Some(text.chars().count())),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Iterations, MAX_ERROR_CHARS, NodeWindow, beginning};
    use crate::pill::Taxonomy;
    use crate::viewer::missing::Missing;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(beginning("äöü", 2), ("äö", Some(3)));
        assert_eq!(beginning("äöü", 3), ("äöü", None));
        let mut window = NodeWindow::new(None, String::new(), Taxonomy::Node);
        assert_eq!(window.set_error("boom"), None);
        let rest = Missing::Rest { shown: MAX_ERROR_CHARS, total: 100_000 };
        assert_eq!(window.set_error(&"x".repeat(100_000)), Some(rest));
        assert_eq!(window.error.map(|error| error.len()), Some(MAX_ERROR_CHARS));
    }

    #[test]
    fn iterations_are_those_around_the_one_on_screen() {
        let all = |shown, known: &[u32]| {
            let known = known.iter().map(|number| (*number, (*number == 2).then(|| "Failed".to_owned())));
            Iterations::new(shown, known)
        };
        let of = |shown, known: &[u32]| {
            let Iterations { shown, previous, next, last, known, .. } = all(shown, known)?;
            let numbers: Vec<u32> = known.iter().map(|known| known.number).collect();
            Some((shown, previous, next, last, numbers))
        };
        assert_eq!(of(0, &[]), None);
        assert_eq!(of(0, &[0]), None);
        assert_eq!(of(0, &[0, 2, 1]), Some((0, None, Some(1), 2, vec![0, 1, 2])));
        assert_eq!(of(3, &[0, 2]), Some((3, Some(2), None, 3, vec![0, 2, 3])));
        assert_eq!(of(1, &[0, 7, 1]), Some((1, Some(0), Some(7), 7, vec![0, 1, 7])));
        let many: Vec<u32> = (0..1_000).collect();
        let known = all(500, &many).unwrap().known;
        assert_eq!((known.len(), known[0].number, known[199].number), (200, 400, 599));
        assert_eq!(all(2, &[1, 2]).unwrap().known[1].state.as_deref(), Some("Failed"));
    }
}
