//! The data that one viewer shows of one source, and its changes since the last update.
//!
//! The source lives in a worker and the screen in a page: [`Viewer::updates`] returns the changes as serde types, and the
//! page requests the visible rows. No value is sent twice.

pub(crate) mod announcement;

mod attention;
mod connection_help;
mod document;
mod focus;
mod gateway;
mod gateway_log;
mod header;
mod list_origin;
mod log;
mod missing;
mod no_tree;
mod node;
mod page_address;
mod pane;
mod panes;
mod place;
mod row_detail;
mod run_data;
mod run_facts;
mod run_log;
mod run_view;
mod runs;
mod search_words;
mod source;
mod status;
#[cfg(test)]
mod tests;
mod traffic;
mod traffic_notes;
mod traffic_status;
mod tree;
mod viewer_source;

pub use attention::Attention;
pub(crate) use attention::attention;
pub use connection_help::{ConnectionHelp, OTHER_ORIGIN_HINT, RefusalHelp};
pub use document::DocumentSource;
pub use focus::{Cursor, Focus, NodeKey, Selection};
pub use gateway::GatewaySource;
pub use gateway_log::EventDraft;
pub use list_origin::ListOrigin;
pub use log::{
    EntryNode, EventChoice, EventCopy, Family, FamilyCount, LogAction, LogEntry, LogEntryKind, LogQuery,
    LogWindow,
};
pub use no_tree::NoTree;
pub use node::{
    AttemptText, Iterations, KnownIteration, NodeAction, NodeAttempt, NodeBody, NodeCall, NodeCopy,
    NodeMessage, NodeProp, NodeRequest, NodeTab, NodeWindow, SchemaField, StyledSpan, TextLine, TextStyle,
    TextWindow, ValueKind, ValueRow, ValueWindow,
};
pub use page_address::{PageAddress, PageSource};
pub use place::{Place, PlaceView};
pub use runs::{
    GroupId, LegacyRuns, ListedRun, NoMatch, RunGroup, RunList, RunQuery, RunSort, RunWindow, RunsAction,
    ServerRuns, StateCount, SystemCount,
};

pub use source::Source;
pub use status::{Link, Screen, Status};
pub use traffic::TrafficSource;
pub use traffic_notes::{ConnectTarget, NoteKind, TrafficNote};
pub use traffic_status::TrafficStatus;
pub use tree::{FilterCount, NodeFilter, TreeAction, TreeQuery, TreeRow, TreeWindow};

use serde::{Deserialize, Serialize};

use crate::ingest::{Document, DocumentError, RunEvent};
use crate::time::Millis;
use panes::panes;
use run_view::{DetailRequest, RunView};

/// The number of rows of a list that are sent until the page has measured how many fit.
pub const FIRST_ROWS: usize = 40;

/// Calls a macro with the list of panes, for code that has a part for each pane: its name, its kind, its type and its
/// actions in the viewer, and its window.
///
/// ```
/// macro_rules! count {
///     ($( $(#[$doc:meta])* $name:ident: $kind:ident($pane:ty) $(, $action:ty)? => $window:ty; )+) => {
///         [$( stringify!($kind) ),+].len()
///     };
/// }
/// assert_eq!(runstate::for_each_pane!(count), runstate::viewer::PaneKind::ALL.len());
/// ```
#[macro_export]
macro_rules! for_each_pane {
    ($call:ident) => {
        // A pane of the screen is one line here.
        $call! {
            /// The visible rows of the list of runs; no window if the source has no list.
            runs: Runs(runs::RunsPane), $crate::viewer::RunsAction => $crate::viewer::RunList;
            /// The header of the run; no window if no run is shown.
            header: Header(header::HeaderPane) => $crate::header::Header;
            /// The visible rows of the tree; no window if the run has no tree.
            tree: Tree(tree::TreePane), $crate::viewer::TreeAction => $crate::viewer::TreeWindow;
            /// The visible rows of the events; no window if no run is shown.
            log: Log(log::LogPane), $crate::viewer::LogAction => $crate::viewer::LogWindow;
            /// The detail of the selected node; no window if none is selected.
            node: Node(node::NodePane), $crate::viewer::NodeAction => $crate::viewer::NodeWindow;
        }
    };
}

for_each_pane!(panes);

/// A command that means the same for every source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ViewCommand {
    /// Sets the panes on screen. The others are not computed.
    Panes(Vec<PaneKind>),
    /// Carries out an action in a pane.
    Act(PaneAction),
    /// Selects a node by its key, now or as soon as the tree contains it; `None` selects nothing.
    Select(Option<NodeKey>),
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
    /// The number of times that the source may have changed.
    source_version: u64,
    focus: Focus,
    /// The last focus that was sent to the page.
    sent_focus: Focus,
    /// The run that the focus and the panes belong to.
    shown_run: Option<String>,
    /// The last run that was left with a selection, which it has again when it is back on screen.
    left_run: Option<(String, Selection)>,
    panes: Panes,
}

impl Viewer {
    /// Shows a source. All panes are on screen until the page says otherwise.
    pub fn new(source: impl Into<Source>) -> Self {
        Self {
            source: source.into(),
            source_version: 0,
            focus: Focus::default(),
            sent_focus: Focus::default(),
            shown_run: None,
            left_run: None,
            panes: Panes::default(),
        }
    }

    /// The source, whose data may change.
    fn source_mut(&mut self) -> &mut Source {
        self.source_version += 1;
        &mut self.source
    }

    /// The source, if it is a Gateway.
    pub fn gateway(&mut self) -> Option<&mut GatewaySource> {
        match self.source_mut() {
            Source::Gateway(source) => Some(source),
            Source::Document(_) | Source::Traffic(_) => None,
        }
    }

    /// The source, if it is a document.
    pub fn document(&mut self) -> Option<&mut DocumentSource> {
        match self.source_mut() {
            Source::Gateway(_) | Source::Traffic(_) => None,
            Source::Document(source) => Some(source),
        }
    }

    /// The source, if it is a page's traffic.
    pub fn traffic(&mut self) -> Option<&mut TrafficSource> {
        match self.source_mut() {
            Source::Gateway(_) | Source::Document(_) => None,
            Source::Traffic(source) => Some(source),
        }
    }

    /// Adds an event log, called `name`, to the events of the run of a Gateway that is on screen. Returns the number of its
    /// events of that run.
    ///
    /// # Errors
    /// [`DocumentError`] if the document is no event log of that run, or if no run of a Gateway is on screen.
    pub fn add_events(&mut self, document: Document, name: &str) -> Result<u64, DocumentError> {
        let count = self.gateway().ok_or_else(DocumentError::closed)?.add_events(document, name)?;
        // They have read other events.
        self.panes.log.pane_mut().forget_rows();
        self.panes.node.reset();
        Ok(count)
    }

    /// Shows a row of a document's list, or the list again.
    pub fn choose(&mut self, row: Option<usize>) {
        if let Some(document) = self.document() {
            document.choose(row);
        }
    }

    /// Carries out a command that means the same for every source. `now` is the viewer's own clock.
    ///
    /// ```
    /// use runstate::file::File;
    /// use runstate::ingest::open;
    /// use runstate::time::Millis;
    /// use runstate::viewer::{DocumentSource, PaneKind, Update, ViewCommand, Viewer};
    ///
    /// let (now, row) = (Millis(0.0), br#"{"runId":"r1","status":"failed"}"#);
    /// let document = open(&[File { name: None, bytes: row }], now)?;
    /// let mut viewer = Viewer::new(DocumentSource::new(document, "getRun.json"));
    /// viewer.handle(ViewCommand::Panes(vec![PaneKind::Tree]), now);
    /// let updates = viewer.updates(now);
    /// assert!(!updates.iter().any(|update| matches!(update, Update::Header(_))), "the header is hidden");
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn handle(&mut self, command: ViewCommand, now: Millis) {
        self.follow_run();
        match command {
            ViewCommand::Panes(shown) => self.panes.show(&shown),
            ViewCommand::Act(action) => {
                let mut requests = Vec::new();
                let (panes, mut view) = self.panes_of_run(now, &mut requests);
                panes.act(action, &mut view);
                self.pass_on(requests, now);
            }
            ViewCommand::Select(Some(key)) => self.focus.select_key(key),
            ViewCommand::Select(None) => self.focus.selection = None,
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
        let data = match self.focus.cursor {
            Cursor::Live => self.source.get().run(now),
        };
        data.tree.map(|tree| tree::all_rows(tree, &data))
    }

    /// The detail of the selected node with its events, for a printout; `None` if no node is selected.
    pub fn selected_node(&mut self, now: Millis) -> Option<NodeWindow> {
        node::detail_with_events(&mut self.panes_of_run(now, &mut Vec::new()).1)
    }

    /// The last events of the shown run, the newest first, for a printout; empty if the source keeps none.
    pub fn last_events(&mut self) -> Vec<RunEvent> {
        self.source.get_mut().last_events()
    }

    /// The changes since the last call. `now` is the viewer's own clock.
    pub fn updates(&mut self, now: Millis) -> Vec<Update> {
        let mut requests = Vec::new();
        let (panes, mut view) = self.panes_of_run(now, &mut requests);
        let mut changes = panes.changes(&mut view);
        self.pass_on(requests, now);
        if self.sent_focus != self.focus {
            self.sent_focus = self.focus.clone();
            changes.push(Update::Focus(self.focus.clone()));
        }
        changes.extend(self.source.get_mut().announcement(now).map(Update::Announce));
        changes
    }

    /// Whether [`updates`](Self::updates) should be called again after the next command, without waiting for one: a search
    /// is running, of which each call does a part.
    pub fn is_searching(&self) -> bool {
        self.panes.is_unfinished()
    }

    /// Events of the run on screen as NDJSON, redacted like an export; `None` if no run is shown.
    pub fn copy_events(&mut self, events: EventChoice, now: Millis) -> Option<EventCopy> {
        let mut requests = Vec::new();
        let (panes, view) = self.panes_of_run(now, &mut requests);
        panes.log.pane().copy(events, &view)
    }

    /// The key of the selected node, if it has one.
    pub fn selected_key(&self) -> Option<&NodeKey> {
        self.focus.selected_key()
    }

    /// The position of the selected event among all rows of the events, and the number of these rows; `None` if none is
    /// selected.
    pub fn selected_event(&mut self, now: Millis) -> Option<(usize, usize)> {
        let (selected, rows) = self.log_place(now)?;
        selected.zip(Some(rows))
    }

    /// Selects the event at a position among all rows, if the events have that many rows.
    pub fn select_event(&mut self, (row, rows): (usize, usize), now: Millis) {
        if self.log_place(now).is_some_and(|(_, found)| found == rows) {
            self.handle(ViewCommand::Act(PaneAction::Log(LogAction::Select { row })), now);
        }
    }

    fn log_place(&mut self, now: Millis) -> Option<(Option<usize>, usize)> {
        let mut requests = Vec::new();
        let (panes, view) = self.panes_of_run(now, &mut requests);
        panes.log.pane().place(&view)
    }

    /// Copies from the value in the detail of a node, without secrets; `None` if there is nothing to copy.
    pub fn copy_value(&self, what: NodeCopy) -> Option<String> {
        self.panes.node.pane().copy(what)
    }

    /// The panes and what they read, after following the source to the run on screen. `requests` takes what they ask.
    fn panes_of_run<'a>(
        &'a mut self,
        now: Millis,
        requests: &'a mut Vec<DetailRequest>,
    ) -> (&'a mut Panes, RunView<'a>) {
        self.follow_run();
        let Self { source, source_version, focus, panes, .. } = self;
        (panes, RunView { source, source_version: *source_version, focus, now, requests })
    }

    /// Passes on what the panes ask.
    fn pass_on(&mut self, requests: Vec<DetailRequest>, now: Millis) {
        for request in requests {
            match (&mut self.source, request) {
                (Source::Gateway(source), DetailRequest::Ask { question, state }) => {
                    source.ask(question, state, now);
                }
                (Source::Gateway(source), DetailRequest::AskAgain) => {
                    source.ask_again();
                    self.source_version += 1;
                }
                (Source::Gateway(source), DetailRequest::Events) => source.want_events(),
                (Source::Document(_) | Source::Traffic(_), _) => {}
            }
        }
    }

    /// Clears the focus and the panes if another run is shown. A run that comes back has its selection again.
    fn follow_run(&mut self) {
        let shown = self.source.get().shown_run();
        if self.shown_run != shown {
            let left = std::mem::replace(&mut self.shown_run, shown);
            self.left_run = left.zip(self.focus.selection.take()).or(self.left_run.take());
            let back = self.left_run.take_if(|(run, _)| Some(&*run) == self.shown_run.as_ref());
            self.focus =
                Focus { selection: back.map(|(_, selection)| selection.unresolved()), ..Focus::default() };
            self.panes.reset();
        }
    }
}
