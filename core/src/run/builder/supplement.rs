//! Facts of one document about a run other than its state.

use crate::evidence::Signal;
use crate::run::RunInspection;
use crate::smithers::wire::ReasonBlocked;
use crate::text::concat;

/// Maximum number of described rows.
const MAX_NAMED: usize = 5;

/// A recorded request: the method and the node.
pub(crate) type SupplementRequest = (String, Option<(String, u32)>);

/// Facts of one document about a run other than its state.
#[derive(Clone)]
pub(crate) struct Supplement {
    /// The facts. Without a run id, they are about the only run.
    pub(crate) run: RunInspection,
    /// The reasons of waiting attempts.
    pub(crate) waits: Vec<Wait>,
    /// The kind of the document.
    pub(crate) name: Signal,
    /// The descriptions of its rows.
    words: String,
    /// The number of rows.
    count: usize,
    pub(crate) read_from: String,
    /// The request, if it was recorded.
    pub(crate) question: Option<SupplementRequest>,
}

/// The reason for which an attempt waits.
#[derive(Clone)]
pub(crate) struct Wait {
    pub(crate) node_id: String,
    pub(crate) iteration: u32,
    pub(crate) reason: ReasonBlocked,
}

impl Supplement {
    pub(crate) fn new(name: Signal) -> Self {
        Self {
            run: RunInspection::default(),
            waits: Vec::new(),
            name,
            words: String::new(),
            count: 0,
            read_from: String::new(),
            question: None,
        }
    }

    /// A supplement of one row.
    pub(crate) fn with_words(name: Signal, words: &str) -> Self {
        Self { words: words.to_owned(), count: 1, ..Self::new(name) }
    }

    /// A supplement of rows without descriptions.
    pub(crate) fn with_count(name: Signal, count: usize) -> Self {
        Self { count, ..Self::new(name) }
    }

    /// Adds a row with its description, which may be empty.
    pub(crate) fn add(&mut self, words: &str) {
        if self.count < MAX_NAMED && !words.is_empty() {
            self.words.push_str(if self.words.is_empty() { "" } else { "; " });
            self.words.push_str(words);
        }
        self.count += 1;
    }

    /// Returns the description of all rows.
    pub(super) fn description(&self) -> String {
        let count = self.count.to_string();
        match (self.count, &*self.words) {
            (_, "") => count,
            (1, words) => words.to_owned(),
            (_, words) => {
                let more = if self.count > MAX_NAMED { "; and more" } else { "" };
                concat(&[&count, " in all: ", words, more])
            }
        }
    }
}
