//! The data that one viewer shows of one source, and its changes since the last update.
//!
//! The source lives in a worker and the screen in a page: [`Viewer::updates`] returns the changes as serde types, and the
//! page requests the visible rows. No value is sent twice.

pub(crate) mod announcement;

mod attention;
mod connection_help;
mod document;
mod gateway;
mod no_tree;
mod row_detail;
mod runs;
mod source;
mod status;
#[cfg(test)]
mod tests;
mod traffic;
mod traffic_notes;
mod tree;
mod tree_row;
mod viewer_source;

pub use attention::Attention;
pub(crate) use attention::attention;
pub use connection_help::{ConnectionHelp, OTHER_ORIGIN_HINT, RefusalHelp};
pub use document::DocumentSource;
pub use gateway::GatewaySource;
pub use no_tree::NoTree;
pub use runs::{
    GroupId, LegacyRuns, ListedRun, NoMatch, RunGroup, RunList, RunQuery, RunSort, RunWindow, ServerRuns,
    StateCount, SystemCount,
};

pub use source::Source;
pub use status::{Link, Screen, Status};
pub use traffic::TrafficSource;
pub use traffic_notes::{ConnectTarget, NoteKind, TrafficNote, TrafficStatus};
pub use tree::{TreeAction, TreeWindow};
pub use tree_row::TreeRow;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::header::Header;
use crate::ingest::RunEvent;
use crate::time::Millis;
use runs::Runs;
use tree::TreeView;

/// The number of rows of a list that are sent until the page has measured how many fit.
pub const FIRST_ROWS: usize = 40;

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Update {
    /// The screen, and its data besides the run.
    Status(Status),
    /// The visible rows of the list of runs; `None` if the source has no list.
    Runs(Option<RunList>),
    /// The header of the run; `None` if no run is shown.
    Header(Option<Box<Header>>),
    /// The visible rows of the tree; `None` if the run has no tree.
    Tree(Option<TreeWindow>),
    /// A change for the live region to announce.
    Announce(String),
}

/// A source with its selection and its visible rows, and the last updates sent to the page.
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
    /// The version of the source's list that `runs` contains.
    runs_version: Option<[u64; 2]>,
    /// The run that `tree` belongs to.
    shown_run: Option<String>,
    /// The last update of each kind that was sent to the page.
    sent: [Option<Update>; 4],
}

impl Viewer {
    /// Shows a source.
    pub fn new(source: impl Into<Source>) -> Self {
        let mut viewer = Self {
            source: source.into(),
            runs: Runs::default(),
            tree: TreeView::default(),
            runs_version: None,
            shown_run: None,
            sent: Default::default(),
        };
        viewer.tree.show(0..FIRST_ROWS);
        viewer
    }

    /// The source, if it is a Gateway.
    pub fn gateway(&mut self) -> Option<&mut GatewaySource> {
        match &mut self.source {
            Source::Gateway(source) => Some(source),
            Source::Document(_) | Source::Traffic(_) => None,
        }
    }

    /// The source, if it is a document.
    pub fn document(&mut self) -> Option<&mut DocumentSource> {
        match &mut self.source {
            Source::Gateway(_) | Source::Traffic(_) => None,
            Source::Document(source) => Some(source),
        }
    }

    /// The source, if it is a page's traffic.
    pub fn traffic(&mut self) -> Option<&mut TrafficSource> {
        match &mut self.source {
            Source::Gateway(_) | Source::Document(_) => None,
            Source::Traffic(source) => Some(source),
        }
    }

    /// Shows a row of a document's list, or the list again.
    pub fn choose(&mut self, row: Option<usize>) {
        if let Some(document) = self.document() {
            document.choose(row);
        }
    }

    /// Sets the visible rows of groups of the list of runs, and of the legacy sessions below them. For all other groups,
    /// the first [`FIRST_ROWS`] are sent.
    pub fn show_runs(&mut self, groups: Vec<(GroupId, Range<usize>)>, legacy: Range<usize>) {
        self.runs.show(groups, legacy);
    }

    /// Sets the query of the list of runs.
    pub fn find_runs(&mut self, query: RunQuery) {
        self.runs.find(query);
    }

    /// Carries out an action on the tree of the run on screen.
    pub fn act_on_tree(&mut self, action: &TreeAction) {
        if let Some(tree) = self.source.get().tree() {
            self.tree.act(tree, action);
        }
    }

    /// All rows of the shown run's tree, expanded, for a printout; `None` if it has no tree.
    ///
    /// ```
    /// use runstate::file::File;
    /// use runstate::ingest::open;
    /// use runstate::time::Millis;
    /// use runstate::viewer::{DocumentSource, Viewer};
    ///
    /// let now = Millis(1_700_000_000_000.0);
    /// let tasks: Vec<_> = (2..102)
    ///     .map(|id| format!(r#"{{"id":{id},"type":"task","name":"task","task":{{"nodeId":"t{id}"}},"children":[]}}"#))
    ///     .collect();
    /// let root = format!(r#"{{"id":1,"type":"workflow","name":"root","children":[{}]}}"#, tasks.join(","));
    /// let snapshot = format!(r#"{{"version":1,"runId":"r1","frameNo":1,"seq":1,"root":{root}}}"#);
    /// let document = open(&[File { name: None, bytes: snapshot.as_bytes() }], now)?;
    /// let viewer = Viewer::new(DocumentSource::new(document, "snapshot.json"));
    /// assert_eq!(viewer.all_rows(now).map(|rows| rows.len()), Some(101));
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn all_rows(&self, now: Millis) -> Option<Vec<TreeRow>> {
        self.source.get().tree().map(|tree| tree::all_rows(tree, self.source.get().known_until(now)))
    }

    /// The last events of the shown run, the newest first, for a printout; empty if the source keeps none.
    pub fn last_events(&mut self) -> Vec<RunEvent> {
        self.document().map(DocumentSource::last_events).unwrap_or_default()
    }

    /// The changes since the last call. `now` is the viewer's own clock.
    pub fn updates(&mut self, now: Millis) -> Vec<Update> {
        self.follow_source(now);
        let status = self.source.status(now);
        let runs = self.has_list(status.screen).then(|| self.run_list(now));
        let header = self.source.header(now).map(Box::new);
        let known_until = self.source.get().known_until(now);
        let tree = self.source.get().tree().map(|tree| self.tree.window(tree, known_until));
        let now_shown =
            [Update::Status(status), Update::Runs(runs), Update::Header(header), Update::Tree(tree)];
        let mut changes = Vec::new();
        for (update, sent) in now_shown.into_iter().zip(&mut self.sent) {
            if sent.as_ref() != Some(&update) {
                *sent = Some(update.clone());
                changes.push(update);
            }
        }
        changes.extend(self.source.get_mut().announcement(now).map(Update::Announce));
        changes
    }

    /// Copies the rows of the list if they changed, and starts a new tree view if another run is shown.
    fn follow_source(&mut self, now: Millis) {
        let version = self.source.get().runs_version();
        if self.runs_version != Some(version) {
            self.runs_version = Some(version);
            let source = self.source.get();
            let detail_of = |row| source.row_detail(row, now);
            self.runs.replace(source.rows(), source.legacy_label(), source.servers(), detail_of);
        }
        let shown = self.source.get().shown_run();
        if self.shown_run != shown {
            self.shown_run = shown;
            self.tree.reset();
        }
    }

    /// Whether the list is sent: as the screen, or next to a run.
    fn has_list(&self, screen: Screen) -> bool {
        screen == Screen::Runs || !self.runs.is_empty()
    }

    fn run_list(&self, now: Millis) -> RunList {
        let source = self.source.get();
        let detail_of = |row| source.row_detail(row, now);
        let line_of = |number| source.server_line(number, now);
        self.runs.list(source.list_now(now), source.row_on_screen(&self.runs), detail_of, line_of)
    }
}
