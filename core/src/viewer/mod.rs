//! What one viewer sees of one source, a live Gateway or a document, and what has changed since it last looked.
//!
//! The source lives in a worker and the screen in a page: [`Viewer::updates`] returns the changes as serde types, and the
//! page requests the rows that are on screen. Nothing is sent twice.

pub mod announcement;

mod document;
mod gateway;
mod runs;
mod status;
#[cfg(test)]
mod tests;
mod tree;
mod tree_row;

pub use document::DocumentSource;
pub use gateway::GatewaySource;
pub use runs::{LegacyRuns, ListedRun, RunList, RunWindow};
pub use status::{Screen, Status};
pub use tree::{TreeAction, TreeWindow};
pub use tree_row::TreeRow;

use crate::ingest::ListRow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::header::{Field, FieldValue, Header};
use crate::pill::Taxonomy;
use crate::time::Millis;
use crate::tree::Tree;
use runs::Runs;
use tree::TreeView;

/// How many rows are sent before the page has said how many fit.
const FIRST_ROWS: usize = 40;

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
pub enum Update {
    /// Which screen is shown, and what stands on it besides the run.
    Status(Status),
    /// The rows of the list of runs that are on screen; `None` where no list is shown.
    Runs(Option<RunList>),
    /// The header of the run; `None` where no run is shown.
    Header(Option<Box<Header>>),
    /// The rows of the tree that are on screen; `None` where the run has no tree.
    Tree(Option<TreeWindow>),
    /// A change for the live region to announce.
    Announce(String),
}

/// What a viewer sees one run or list of.
#[derive(Debug)]
pub enum Source {
    /// A live Gateway.
    Gateway(GatewaySource),
    /// A document.
    Document(DocumentSource),
}

impl From<GatewaySource> for Source {
    fn from(source: GatewaySource) -> Self {
        Self::Gateway(source)
    }
}

impl From<DocumentSource> for Source {
    fn from(source: DocumentSource) -> Self {
        Self::Document(source)
    }
}

/// A source, what is selected and visible of it, and what the page has been sent.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
/// use runstate::viewer::{DocumentSource, Update, Viewer};
///
/// let now = Millis(1_700_000_000_000.0);
/// let list = br#"[{"runId":"a","status":"finished"},{"runId":"b","status":"failed"}]"#;
/// let document = open(&[File { name: None, bytes: list }], now)?;
/// let mut viewer = Viewer::new(DocumentSource::new(document, "list.json"));
/// viewer.updates(now);
///
/// viewer.choose(Some(1));
/// let header = viewer.updates(now).into_iter().find_map(|update| match update {
///     Update::Header(header) => header,
///     _ => None,
/// });
/// assert_eq!(header.unwrap().state.as_deref(), Some("failed"));
/// assert!(viewer.updates(now).is_empty(), "nothing is sent twice");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Debug)]
pub struct Viewer {
    source: Source,
    runs: Runs,
    tree: TreeView,
    /// Which version of the source's list `runs` holds.
    runs_version: Option<RunsVersion>,
    /// Which run `tree` belongs to.
    shown_run: ShownRun,
    /// What the page has been sent last, of each kind.
    sent: [Option<Update>; 4],
}

/// Changes when the rows of the list change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunsVersion {
    Gateway(u64),
    Document { is_read: bool },
}

/// Changes when another run is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum ShownRun {
    #[default]
    None,
    Watched(String),
    Chosen(usize),
}

impl Viewer {
    /// Shows a source.
    pub fn new(source: impl Into<Source>) -> Self {
        let mut runs = Runs::default();
        runs.show(0..FIRST_ROWS, 0..0);
        let mut viewer = Self {
            source: source.into(),
            runs,
            tree: TreeView::default(),
            runs_version: None,
            shown_run: ShownRun::None,
            sent: Default::default(),
        };
        viewer.tree.show(0..FIRST_ROWS);
        viewer
    }

    /// The source, if it is a Gateway.
    pub fn gateway(&mut self) -> Option<&mut GatewaySource> {
        match &mut self.source {
            Source::Gateway(source) => Some(source),
            Source::Document(_) => None,
        }
    }

    /// The source, if it is a document.
    pub fn document(&mut self) -> Option<&mut DocumentSource> {
        match &mut self.source {
            Source::Gateway(_) => None,
            Source::Document(source) => Some(source),
        }
    }

    /// Shows a row of a document's list, or the list again.
    pub fn choose(&mut self, row: Option<usize>) {
        if let Some(document) = self.document() {
            document.choose(row);
        }
    }

    /// Sets which rows of the list of runs, and of the legacy sessions under it, are on screen.
    pub fn show_runs(&mut self, runs: Range<usize>, legacy: Range<usize>) {
        self.runs.show(runs, legacy);
    }

    /// Carries out an action on the tree of the run on screen.
    pub fn act_on_tree(&mut self, action: &TreeAction) {
        if let Some(tree) = self.source.tree() {
            self.tree.act(tree, action);
        }
    }

    /// What has changed since the last call. `now` is the viewer's own clock.
    pub fn updates(&mut self, now: Millis) -> Vec<Update> {
        self.follow_source();
        let status = self.source.status(now);
        let runs = (status.screen == Screen::Runs).then(|| self.run_list(now));
        let header = self.source.header(now).map(Box::new);
        let server_now = self.source.server_now(now);
        let tree = self.source.tree().map(|tree| self.tree.window(tree, server_now));
        let now_shown =
            [Update::Status(status), Update::Runs(runs), Update::Header(header), Update::Tree(tree)];
        let mut changes = Vec::new();
        for (update, sent) in now_shown.into_iter().zip(&mut self.sent) {
            if sent.as_ref() != Some(&update) {
                *sent = Some(update.clone());
                changes.push(update);
            }
        }
        changes.extend(self.source.announcement(now).map(Update::Announce));
        changes
    }

    /// Takes over the rows of the list when they changed, and starts a new tree view when another run is shown.
    fn follow_source(&mut self) {
        let version = self.source.runs_version();
        if self.runs_version != Some(version) {
            self.runs_version = Some(version);
            let (rows, legacy_label) = self.source.rows();
            self.runs.replace(rows, legacy_label);
        }
        let shown = self.source.shown_run();
        if self.shown_run != shown {
            self.shown_run = shown;
            self.tree.reset();
        }
    }

    fn run_list(&self, now: Millis) -> RunList {
        let pill_of = |row| match &self.source {
            Source::Gateway(_) => None,
            Source::Document(document) => document.row_pill(row),
        };
        self.runs.list(self.source.server_now(now), pill_of)
    }
}

impl Source {
    fn status(&self, now: Millis) -> Status {
        match self {
            Self::Gateway(source) => source.status(now),
            Self::Document(source) => source.status(),
        }
    }

    fn rows(&self) -> (Vec<ListRow>, Option<String>) {
        match self {
            Self::Gateway(source) => (source.rows(), None),
            Self::Document(source) => (source.rows(), source.legacy_label()),
        }
    }

    fn runs_version(&self) -> RunsVersion {
        match self {
            Self::Gateway(source) => RunsVersion::Gateway(source.list_revision()),
            Self::Document(source) => RunsVersion::Document { is_read: source.is_read() },
        }
    }

    fn shown_run(&self) -> ShownRun {
        match self {
            Self::Gateway(source) => {
                source.run_id().map_or(ShownRun::None, |id| ShownRun::Watched(id.to_owned()))
            }
            Self::Document(source) => source.chosen().map_or(ShownRun::None, ShownRun::Chosen),
        }
    }

    /// The header, with the source's own name whatever file of it the header rests on; the evidence names that one.
    fn header(&self, now: Millis) -> Option<Header> {
        let (mut header, name) = match self {
            Self::Gateway(source) => (source.header(now)?, source.url()),
            Self::Document(source) => (source.header(now)?, source.name()),
        };
        header.fields.retain(|field| field.field != "source");
        let value = FieldValue::Code(name.to_owned());
        header.fields.push(Field { field: "source".into(), label: "Source".into(), value });
        Some(header)
    }

    fn tree(&self) -> Option<&Tree> {
        match self {
            Self::Gateway(source) => source.tree(),
            Self::Document(source) => source.tree(),
        }
    }

    /// The server's time for a Gateway, the viewer's for a document.
    fn server_now(&self, now: Millis) -> Millis {
        match self {
            Self::Gateway(source) => source.server_now(now),
            Self::Document(_) => now,
        }
    }

    fn announcement(&mut self, now: Millis) -> Option<String> {
        match self {
            Self::Gateway(source) => source.announcement(now),
            Self::Document(source) => source.announcement(now),
        }
    }
}

/// Adds what the server's clock is to the header of a Smithers run.
fn add_clock(header: &mut Header, clock: Option<String>) {
    if header.taxonomy == Taxonomy::Run {
        header.fields.extend(Field::text("clock", "Server clock", clock));
    }
}
