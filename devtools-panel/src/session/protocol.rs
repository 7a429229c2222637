//! The messages between a page and the worker of a session.
//!
//! 1. The page starts a worker and posts the compiled WebAssembly module. The worker posts [`Event::Ready`].
//! 2. The page sends one [`Source`]. All its other messages are [`Command`]s.
//! 3. The worker answers [`Event::Accepted`] or [`Event::Refused`]. An accepted session replaces the one on screen; a
//!    refused one is terminated and the screen stays as it is.
//! 4. From then on the worker sends an [`Event::Updates`] for every change, at most once a second for ages and
//!    countdowns. The page sends the visible rows and the person's actions.
//! 5. Dropping the session terminates the worker.

use runstate::export::RuleCount;
use runstate::ingest::RunEvent;
use runstate::viewer::{EventChoice, EventCopy, NodeCopy, NodeWindow, Place, TreeRow, Update, ViewCommand};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

use crate::problem::Problem;

/// The first message from the page to the worker: the source of the session.
#[derive(Debug, Serialize, Deserialize)]
pub enum Source {
    /// A live Gateway.
    Gateway {
        /// The address: `ws:`, `wss:`, `http:` or `https:`.
        address: String,
        /// The token, if the Gateway requires one.
        token: Option<String>,
        /// The run to watch; without it, the list of runs.
        run_id: Option<String>,
    },
    /// Files, which together are one document.
    Files {
        /// The files.
        files: Vec<InputFile>,
        /// The document's name on screen.
        name: String,
    },
    /// The built-in recording.
    Recording,
    /// The document inside an exported page.
    ExportedPage(InputFile),
    /// The inspected page's traffic, which [`Command::AddTraffic`] adds to.
    Traffic,
}

/// A message from the page to the worker of a session.
#[derive(Debug, Serialize, Deserialize)]
pub enum Command {
    /// Adds collected entries, a list of [`Entry`](runstate::ingest::traffic::Entry), which the page passes on unread.
    AddTraffic(#[serde(with = "serde_wasm_bindgen::preserve")] JsValue),
    /// Discards the collected traffic.
    ClearTraffic,
    /// Shows a run of the list.
    Choose(RunKey),
    /// Shows a place of the source. Its node is selected now, or as soon as the tree contains it.
    Show(Box<Place>),
    /// Goes back to the list of runs.
    List,
    /// Connects again with another token.
    Authorize {
        /// The token.
        token: String,
    },
    /// Connects again at once.
    Reconnect,
    /// Does something that means the same for every source.
    View(ViewCommand),
    /// Whether the page is visible.
    Visible(bool),
    /// Asks a question; the [`Event::Reply`] has the same id.
    Call {
        /// Identifies the question among those of the session.
        id: u32,
        /// The question.
        call: Call,
    },
}

/// A question with one answer.
#[derive(Debug, Serialize, Deserialize)]
pub enum Call {
    /// Writes the document, or the run on screen, as one redacted file.
    Export(ExportRequest),
    /// A copy from the value in the detail of a node.
    CopyValue(NodeCopy),
    /// The rows and events that only a printout shows.
    Printout,
    /// Writes events of the run on screen for the clipboard.
    CopyEvents(EventChoice),
    /// Adds an event log to the events of the live run on screen.
    AddEvents(InputFile),
}

/// The answer to the [`Call`] of the same name.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The written file.
    Export(ExportedFile),
    /// The text to copy.
    CopyValue(String),
    /// The rows and events.
    Printout(Printout),
    /// The events.
    CopyEvents(EventCopy),
    /// What was added, as a sentence.
    AddEvents(String),
}

/// A message from the worker to the page.
#[derive(Debug, Serialize, Deserialize)]
pub enum Event {
    /// The worker has started. It runs the module that the page compiled, so both always have the same version.
    Ready,
    /// The session has content to show; updates follow.
    Accepted,
    /// The document cannot be read.
    Refused(Problem),
    /// The content of the screen has changed. Simultaneous changes are sent together, so that the screen never shows
    /// only some of them.
    Updates(Vec<Update>),
    /// Answers a question.
    Reply {
        /// The id of the [`Command::Call`].
        id: u32,
        /// The answer, or why there is none.
        result: Result<Answer, Problem>,
    },
    /// Metadata of the document inside an exported page; follows [`Event::Accepted`].
    ExportInfo(ExportInfo),
}

/// What only a printout shows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Printout {
    /// Every row of the tree.
    pub rows: Vec<TreeRow>,
    /// The last events of the run, the newest first.
    pub events: Vec<RunEvent>,
    /// What is missing of the events, as a sentence.
    pub missing: Option<String>,
    /// The detail of the selected node with its events.
    pub node: Option<Box<NodeWindow>>,
}

/// A row of the list of runs, as it was when the list was sent. A document has a row for each run, and several runs may
/// have the same id. The rows of a live source move, so the id identifies the run there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunKey {
    /// The position in the source's own list.
    pub index: usize,
    /// The run's id.
    pub run_id: String,
}

/// The options of an export.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The keys whose values are redacted in addition to the usual ones.
    pub redact: Vec<String>,
    /// Whether the detail of the selected node is open.
    pub shows_node: bool,
    /// Whether the events are shown, and not the tree; `None` if nobody needs to choose that.
    pub shows_events: Option<bool>,
    /// The text of the panel's single file, to write a page; otherwise null.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub single_file: JsValue,
}

/// Metadata of the document inside an exported page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportInfo {
    /// When the page was written, ISO 8601; `None` if the page has no valid time.
    pub exported_at: Option<String>,
    /// The same time for people, with seconds.
    pub exported: String,
    /// The SHA-256 of the document's content, 64 digits.
    pub sha256: String,
    /// Whether the content has this hash.
    pub hash_matches: bool,
    /// Whether the detail of a node was open.
    pub shows_node: bool,
    /// Whether the events were shown, and not the tree; `None` if nobody needs to choose that.
    pub shows_events: Option<bool>,
    /// The redacted and omitted parts, as a sentence.
    pub left_out: String,
    /// The redacted and omitted parts, by rule.
    pub rules: Vec<RuleCount>,
}

impl ExportInfo {
    /// The result of the comparison with the hash, in words.
    pub(crate) fn hash_result(&self) -> &'static str {
        if self.hash_matches { "undamaged" } else { "damaged: it does not have the hash that it states" }
    }
}

/// A file that a person opened, dropped or pasted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputFile {
    /// Its path within a chosen folder, or its name; `None` for pasted text.
    pub name: Option<String>,
    /// A `File` or a string. The page passes it on unread, so that a long string is never copied into the page's
    /// WebAssembly memory.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub content: JsValue,
}

/// An export to be saved.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExportedFile {
    /// The file name.
    pub name: String,
    /// The bytes.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub bytes: js_sys::Uint8Array,
    /// The redacted and omitted parts, in words.
    pub summary: String,
}
