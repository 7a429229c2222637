//! A document as what is held.

use super::{Held, Listed, Showing, Status, add_clock};
use crate::document::{Document, ListRow};
use crate::feed::TreeChange;
use crate::header::Header;
use crate::lionagi::{self, legacy_chip};
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
    document: Box<Document>,
    origin: String,
    chosen: Option<usize>,
    /// What was not told since the document was opened or the choice was made.
    untold: Untold,
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
        Self { document: Box::new(document), origin: origin.into(), chosen: None, untold: Untold::ALL }
    }

    /// Shows a row of the list, or the list again.
    ///
    /// See [`Session`](super::Session) for an example.
    pub fn choose(&mut self, row: Option<usize>) {
        self.chosen = row;
        self.untold = Untold::ALL;
    }

    fn showing(&self) -> Showing {
        let counts = || self.document.lionagi().is_some_and(lionagi::Inspection::only_counts);
        if self.document.has_run() || self.chosen.is_some() || counts() {
            Showing::Run
        } else if self.document.refusal().is_some() {
            Showing::Refusal
        } else {
            Showing::Runs
        }
    }
}

impl Held for Opened {
    fn status(&mut self, _now: Millis) -> Option<Status> {
        std::mem::take(&mut self.untold.status).then(|| Status {
            showing: self.showing(),
            source: self.origin.clone(),
            listed: self.chosen.is_some(),
            legacy: self.document.lionagi().and_then(|found| legacy_chip(found.legacy_sessions())),
            ..Status::refused(self.document.refusal(), self.document.problems())
        })
    }

    fn rows(&mut self) -> Option<Vec<Listed>> {
        if !std::mem::take(&mut self.untold.rows) {
            return None;
        }
        let rows = if self.showing() == Showing::Runs { self.document.rows() } else { Vec::new() };
        let listed = |(place, row): (usize, ListRow)| {
            let taxonomy = row.taxonomy;
            match self.document.row_pill(place) {
                Some(pill) => Listed { row, pill },
                None => Listed::new(row, taxonomy),
            }
        };
        Some(rows.into_iter().enumerate().map(listed).collect())
    }

    fn header(&self, now: Millis) -> Option<Header> {
        let mut header = self.document.header(self.chosen, now)?;
        add_clock(&mut header, Some("as recorded".to_owned()));
        Some(header)
    }

    fn source(&self) -> &str {
        &self.origin
    }

    fn tree(&self) -> Option<&Tree> {
        self.document.tree(self.chosen)
    }

    fn node_rows(&self) -> String {
        self.tree().map(Tree::joined_rows).unwrap_or_default()
    }

    fn take_tree_changes(&mut self) -> Vec<TreeChange> {
        if std::mem::take(&mut self.untold.tree) { vec![TreeChange::Baseline] } else { Vec::new() }
    }

    /// Only what lives changes by itself and is spoken of.
    fn said(&mut self, _now: Millis) -> Option<String> {
        None
    }
}
