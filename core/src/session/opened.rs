//! A document as what is held.

use super::{Held, Listed, Showing, Status, add_clock};
use crate::answer::{self, Answer, AnswerPill};
use crate::document::{Document, Incoming, ListRow};
use crate::feed::TreeChange;
use crate::header::Header;
use crate::lionagi::{self, legacy_chip};
use crate::text::concat;
use crate::time::Millis;
use crate::tree::Tree;

/// A document that is held, and the row of its list that is in view.
///
/// ```
/// use runstate::document::{File, open};
/// use runstate::session::{Held, Opened, Showing};
/// use runstate::time::Millis;
///
/// let row = br#"{"runId":"r1","status":"failed"}"#;
/// let document = open(&[File { name: None, bytes: row }], Millis(0.0))?;
/// let mut opened = Opened::new(document, "getRun.json");
/// let status = opened.status(Millis(0.0)).unwrap();
/// assert_eq!((status.showing, opened.source()), (Showing::Run, "getRun.json"));
/// assert_eq!(opened.status(Millis(0.0)), None, "nothing of it changed");
/// # Ok::<(), runstate::document::DocumentError>(())
/// ```
#[derive(Debug)]
pub struct Opened {
    content: Content,
    origin: String,
    chosen: Option<usize>,
    /// What was not told since the document was opened or the choice was made.
    untold: Untold,
    /// It was read bit by bit, and nobody heard yet that this is over.
    ended: bool,
}

#[derive(Debug)]
enum Content {
    Document(Box<Document>),
    /// A log of which a part was read, and what went wrong with the rest.
    Part(Box<Incoming>, Option<String>),
}

/// Nothing of a document changes by itself but ages, and those are the header's.
#[derive(Debug)]
struct Untold {
    status: bool,
    rows: bool,
    tree: bool,
}

impl Untold {
    const ALL: Self = Self { status: true, rows: true, tree: true };
}

impl Opened {
    /// Holds a document. `origin` is its name, or what stands in for one.
    ///
    /// See [`Opened`] for an example.
    pub fn new(document: Document, origin: impl Into<String>) -> Self {
        Self::of(Content::Document(Box::new(document)), origin.into())
    }

    /// Holds a log of which the beginning was read: that it is told at its end what its run is doing.
    ///
    /// ```
    /// use runstate::document::Incoming;
    /// use runstate::session::{Held, Opened};
    /// use runstate::time::Millis;
    ///
    /// let event = |number: u32| format!("{{\"type\":\"FrameCommitted\",\"runId\":\"r\",\"timestampMs\":{number}}}\n");
    /// let (first, rest) = ((0..20).map(event).collect::<String>(), " ".repeat(20_000_000));
    /// let (size, now) = ((first.len() + rest.len()) as u64, Millis(1_000.0));
    ///
    /// let log = Incoming::begin(None, first.as_bytes(), size, now).unwrap();
    /// let mut held = Opened::incoming(log, "events.ndjson");
    /// assert_eq!(held.header(now).unwrap().state.as_deref(), Some("unknown"));
    /// assert!(!held.go_on(Millis(0.0), Some(b"")), "that was another one");
    /// assert!(!held.go_on(now, Some(rest.as_bytes())), "nothing is left to be read");
    /// assert!(held.said(now).is_some() && held.said(now).is_none(), "the end is told once");
    /// ```
    pub fn incoming(log: Incoming, origin: impl Into<String>) -> Self {
        Self::of(Content::Part(Box::new(log), None), origin.into())
    }

    fn of(content: Content, origin: String) -> Self {
        Self { content, origin, chosen: None, untold: Untold::ALL, ended: false }
    }

    /// Goes on with the log that was begun at a moment: its next bytes, or nothing where they cannot be read. Answers whether there
    /// is more to read of it.
    ///
    /// See [`Opened::incoming`] for an example.
    pub fn go_on(&mut self, began: Millis, bytes: Option<&[u8]>) -> bool {
        let Content::Part(log, broken) = &mut self.content else { return false };
        if log.began() != began {
            return false;
        }
        let Some(bytes) = bytes else {
            *broken = Some(log.break_off());
            self.untold.status = true;
            return false;
        };
        log.push(bytes);
        if !log.is_whole() {
            return true;
        }
        if let Some(document) = log.finish() {
            let whole = Content::Document(Box::new(document));
            (self.content, self.untold, self.ended) = (whole, Untold::ALL, true);
        }
        false
    }

    fn document(&self) -> Option<&Document> {
        match &self.content {
            Content::Document(document) => Some(document),
            Content::Part(..) => None,
        }
    }

    /// Shows a row of the list, or the list again.
    ///
    /// See [`Session`](super::Session) for an example.
    pub fn choose(&mut self, row: Option<usize>) {
        self.chosen = row;
        self.untold = Untold::ALL;
    }

    fn showing(&self) -> Showing {
        let Some(document) = self.document() else { return Showing::Run };
        let counts = || document.lionagi().is_some_and(lionagi::Inspection::only_counts);
        if document.has_run() || self.chosen.is_some() || counts() {
            Showing::Run
        } else if document.refusal().is_some() {
            Showing::Refusal
        } else {
            Showing::Runs
        }
    }
}

impl Held for Opened {
    fn status(&mut self, _now: Millis) -> Option<Status> {
        if !std::mem::take(&mut self.untold.status) {
            return None;
        }
        let (legacy, told) = match &self.content {
            Content::Document(document) => (
                document.lionagi().and_then(|found| legacy_chip(found.legacy_sessions())),
                Status::refused(document.refusal(), document.problems()),
            ),
            Content::Part(_, broken) => (None, Status::refused(None, broken.as_slice())),
        };
        let (showing, source, listed) = (self.showing(), self.origin.clone(), self.chosen.is_some());
        Some(Status { showing, source, listed, legacy, ..told })
    }

    fn rows(&mut self) -> Option<Vec<Listed>> {
        if !std::mem::take(&mut self.untold.rows) {
            return None;
        }
        let document = self.document().filter(|_| self.showing() == Showing::Runs);
        let rows = document.map(Document::rows).unwrap_or_default();
        let listed = |(place, row): (usize, ListRow)| {
            let taxonomy = row.taxonomy;
            match document.and_then(|document| document.row_pill(place)) {
                Some(pill) => Listed { row, pill },
                None => Listed::new(row, taxonomy),
            }
        };
        Some(rows.into_iter().enumerate().map(listed).collect())
    }

    fn header(&self, now: Millis) -> Option<Header> {
        let mut header = match &self.content {
            Content::Document(document) => document.header(self.chosen, now)?,
            Content::Part(log, _) => log.header(now),
        };
        add_clock(&mut header, Some("as recorded".to_owned()));
        Some(header)
    }

    fn source(&self) -> &str {
        &self.origin
    }

    fn tree(&self) -> Option<&Tree> {
        self.document()?.tree(self.chosen)
    }

    fn node_rows(&self) -> String {
        self.tree().map(Tree::joined_rows).unwrap_or_default()
    }

    fn take_tree_changes(&mut self) -> Vec<TreeChange> {
        if std::mem::take(&mut self.untold.tree) { vec![TreeChange::Baseline] } else { Vec::new() }
    }

    /// Only what changes by itself is spoken of: that the end was reached of what was read bit by bit.
    fn said(&mut self, now: Millis) -> Option<String> {
        if !std::mem::take(&mut self.ended) {
            return None;
        }
        let mut words = concat(&[&self.origin, " is read to its end."]);
        if let Some(Answer { pill: AnswerPill::Pill { pill, .. }, sentence, .. }) =
            self.header(now).map(|header| header.answer)
        {
            words = concat(&[&words, " ", &pill.spoken, ". ", &answer::text(&sentence)]);
        }
        Some(words)
    }
}
