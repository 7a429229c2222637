//! What one viewer holds, a document or a live Gateway, and what there is to tell of it since the last time.
//!
//! The one who holds and derives and the one who draws may live apart: what goes between them are [`Update`]s, texts that
//! the other side reads with the core's own `from_json`. Nothing is told twice.
//!
//! [`Live`] and [`Opened`] know nothing of each other, so that who holds the one does not carry the code of the other.
//!
//! See [`Session`] for an example.

mod listed;
mod live;
mod opened;
mod status;
#[cfg(test)]
mod tests;

pub use listed::{Listed, read_rows};
pub use live::Live;
pub use opened::Opened;
pub use status::{Showing, Status};

use crate::feed::TreeChange;
use crate::header::{Field, FieldValue, Header};
use crate::pill::Taxonomy;
use crate::time::Millis;
use crate::tree::Tree;

/// How many nodes of a tree go out in one text: some ten milliseconds of reading for whoever takes it.
const PIECE: usize = 2_000;

/// Something that changed.
///
/// See [`Session`] for an example.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// What is held and where it stands: a [`Status`] as JSON.
    Status(String),
    /// The runs to choose from, as [`read_rows`] reads them.
    Rows(String),
    /// What the header says: a [`Header`] as JSON; nothing where no run is in view.
    Header(Option<String>),
    /// Another tree: the rows to join, then the pieces (see [`Tree::pieces`]); nothing where there is none.
    Tree(Vec<String>),
    /// A change of the tree that was told: a delta as JSON.
    TreeDelta(String),
    /// Other rows to join onto the tree, as `listNodeStates` writes them.
    TreeRows(String),
    /// Something for the one polite voice to speak.
    Say(String),
}

/// What one viewer can hold. What a method calls the last time is the last call of that method.
///
/// ```
/// use runstate::document::{File, open};
/// use runstate::feed::TreeChange;
/// use runstate::session::{Held, Opened};
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let list = br#"[{"runId":"a","status":"finished"},{"runId":"b","status":"failed"}]"#;
/// let mut held = Opened::new(open(&[File { name: None, bytes: list }], now)?, "list.json");
/// assert_eq!(held.rows().unwrap().len(), 2);
/// assert_eq!(held.source(), "list.json");
/// assert!(held.status(now).is_some() && held.status(now).is_none(), "once, and then only where it changed");
/// // Nobody chose a run yet, and a document does not speak.
/// assert!(held.header(now).is_none() && held.tree().is_none() && held.node_rows().is_empty());
/// assert_eq!(held.take_tree_changes(), [TreeChange::Baseline]);
/// assert_eq!((held.take_tree_changes(), held.said(now)), (Vec::new(), None));
/// # Ok::<(), runstate::document::DocumentError>(())
/// ```
pub trait Held {
    /// Where it stands, unless that is what it was the last time.
    ///
    /// See [`Held`] for an example.
    fn status(&mut self, now: Millis) -> Option<Status>;
    /// The runs to choose from, unless they are what they were the last time.
    ///
    /// See [`Held`] for an example.
    fn rows(&mut self) -> Option<Vec<Listed>>;
    /// The header of the run in view, as it is now.
    ///
    /// See [`Held`] for an example.
    fn header(&self, now: Millis) -> Option<Header>;
    /// What it is called: the Gateway's address, or the document's name.
    ///
    /// See [`Held`] for an example.
    fn source(&self) -> &str;
    /// The tree of the run in view.
    ///
    /// See [`Held`] for an example.
    fn tree(&self) -> Option<&Tree>;
    /// All rows that the server gave, those of nodes that may still come included.
    ///
    /// See [`Held`] for an example.
    fn node_rows(&self) -> String;
    /// How the tree changed since the last time.
    ///
    /// See [`Held`] for an example.
    fn take_tree_changes(&mut self) -> Vec<TreeChange>;
    /// What there is to speak of by now.
    ///
    /// See [`Held`] for an example.
    fn said(&mut self, now: Millis) -> Option<String>;
}

/// What one viewer holds, and what was told of it.
///
/// ```
/// use runstate::document::{File, open};
/// use runstate::header::Header;
/// use runstate::session::{Opened, Session, Update};
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let list = br#"[{"runId":"a","status":"finished"},{"runId":"b","status":"failed"}]"#;
/// let mut session = Session::default();
/// session.hold(Opened::new(open(&[File { name: None, bytes: list }], now)?, "list.json"));
/// session.updates(now);
///
/// session.held().unwrap().choose(Some(1));
/// let header = session.updates(now).into_iter().find_map(|update| match update {
///     Update::Header(header) => header,
///     _ => None,
/// });
/// assert_eq!(Header::from_json(&header.unwrap()).unwrap().state.as_deref(), Some("failed"));
/// assert!(session.updates(now).is_empty(), "nothing is told twice");
///
/// session.let_go();
/// assert!(session.held().is_none());
/// # Ok::<(), runstate::document::DocumentError>(())
/// ```
#[derive(Debug)]
pub struct Session<H> {
    held: Option<H>,
    told: Option<Told>,
}

/// What was told last.
#[derive(Debug, PartialEq)]
struct Told {
    header: Option<Header>,
}

impl<H> Default for Session<H> {
    fn default() -> Self {
        Self { held: None, told: None }
    }
}

impl<H: Held> Session<H> {
    /// Holds something from now on; all of it is told anew.
    ///
    /// See [`Session`] for an example.
    pub fn hold(&mut self, held: H) {
        *self = Self { held: Some(held), told: None };
    }

    /// Holds nothing any more, and tells nothing.
    ///
    /// See [`Session`] for an example.
    pub fn let_go(&mut self) {
        *self = Self::default();
    }

    /// What is held.
    ///
    /// See [`Session`] for an example.
    pub fn held(&mut self) -> Option<&mut H> {
        self.held.as_mut()
    }

    /// What changed since the last time. `now` is the caller's clock, as in every call.
    ///
    /// See [`Session`] for an example.
    pub fn updates(&mut self, now: Millis) -> Vec<Update> {
        let Some(held) = &mut self.held else { return Vec::new() };
        let mut updates = Vec::new();
        updates.extend(held.status(now).map(|status| Update::Status(status.to_json())));
        updates.extend(held.rows().map(|rows| Update::Rows(listed::rows_to_json(&rows))));
        let told = Told { header: named(held.header(now), held.source()) };
        let first = self.told.is_none();
        if self.told.as_ref() != Some(&told) {
            updates.push(Update::Header(told.header.as_ref().map(Header::to_json)));
            self.told = Some(told);
        }
        tell_tree(held, first, &mut updates);
        updates.extend(held.said(now).map(Update::Say));
        updates
    }
}

/// What is held has one name, whatever part of it the header rests on; the evidence names that.
fn named(header: Option<Header>, source: &str) -> Option<Header> {
    let mut header = header?;
    header.fields.retain(|field| field.field != "source");
    let value = FieldValue::Code(source.to_owned());
    header.fields.push(Field { field: "source".into(), label: "Source".into(), value });
    Some(header)
}

/// What the server's clock is, beside a run of Smithers.
fn add_clock(header: &mut Header, clock: Option<String>) {
    if header.taxonomy == Taxonomy::Run {
        header.fields.extend(Field::text("clock", "Server clock", clock));
    }
}

fn tell_tree(held: &mut impl Held, first: bool, updates: &mut Vec<Update>) {
    let changes = held.take_tree_changes();
    if first || changes.contains(&TreeChange::Baseline) {
        updates.push(Update::Tree(tree_texts(held)));
        return;
    }
    for change in changes {
        match change {
            TreeChange::Baseline => {}
            TreeChange::Delta(delta) => updates.push(Update::TreeDelta(delta)),
            TreeChange::Rows => updates.push(Update::TreeRows(held.node_rows())),
        }
    }
}

/// The rows to join onto the tree, then the tree.
fn tree_texts(held: &impl Held) -> Vec<String> {
    let Some(tree) = held.tree() else { return Vec::new() };
    let mut texts = vec![held.node_rows()];
    texts.extend(tree.pieces(PIECE));
    texts
}
