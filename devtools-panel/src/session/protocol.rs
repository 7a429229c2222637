//! What a page and the worker of a session send each other.
//!
//! 1. The page starts a worker and posts the compiled WebAssembly module. The worker posts [`Event::Ready`].
//! 2. The page sends one of [`Command::Connect`], [`Command::Open`], [`Command::OpenRecording`], [`Command::OpenPage`] and
//!    [`Command::OpenTraffic`].
//! 3. The worker answers [`Event::Accepted`] or [`Event::Refused`]. An accepted session replaces the one on screen; a
//!    refused one is terminated and the screen stays as it is.
//! 4. From then on the worker sends an [`Event::Updates`] for whatever changes, at most once a second for ages and
//!    countdowns. The page says which rows are on screen and sends what the person does.
//! 5. Dropping the session terminates the worker.

use std::ops::Range;

use runstate::ingest::{DocumentError, RunEvent};
use runstate::json::Position;
use runstate::viewer::{GroupId, RunQuery, TreeAction, TreeRow, Update};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsValue;

/// A message from the page to the worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Command {
    /// Connects to a Gateway.
    Connect {
        /// The address: `ws:`, `wss:`, `http:` or `https:`.
        address: String,
        /// The token, if the Gateway asks for one.
        token: Option<String>,
        /// The run to watch; the list of runs without one.
        run_id: Option<String>,
    },
    /// Opens files, which together are one document.
    Open {
        /// The files.
        files: Vec<InputFile>,
        /// What the document is called on screen.
        name: String,
    },
    /// Opens the built-in recording.
    OpenRecording,
    /// Opens the document that a page from disk carries.
    OpenPage(InputFile),
    /// Shows what the inspected page and its servers say to each other.
    OpenTraffic,
    /// What was observed of that: a list of [`Entry`](runstate::ingest::traffic::Entry). It crosses as it is.
    Traffic(#[serde(with = "serde_wasm_bindgen::preserve")] JsValue),
    /// Forgets what was observed.
    ClearTraffic,
    /// Shows a run of the list.
    Choose {
        /// The row's position in the source's list, for documents.
        index: usize,
        /// The run's id, for Gateways.
        run_id: String,
    },
    /// Goes back to the list of runs.
    List,
    /// Connects again with another token.
    Authorize {
        /// The token.
        token: String,
    },
    /// Connects again at once.
    Reconnect,
    /// Sets what is searched for in the list, the states and the system to show, and the order.
    FindRuns(RunQuery),
    /// Sets which rows of the list, and of the legacy sessions under it, are on screen.
    ShowRuns {
        /// Rows of the groups that are on the page.
        runs: Vec<(GroupId, Range<usize>)>,
        /// Rows of the legacy sessions.
        legacy: Range<usize>,
    },
    /// Carries out an action on the tree.
    Tree(TreeAction),
    /// Whether somebody can see the page.
    Visible(bool),
    /// Writes what is on screen as one file without secrets.
    Export(ExportRequest),
    /// Sends what a printout shows besides the screen.
    Printout,
}

/// A message from the worker to the page.
#[derive(Debug, Serialize, Deserialize)]
pub enum Event {
    /// The worker has started. It runs the module that the page compiled, so the two are never of different versions.
    Ready,
    /// The session has something to show; updates follow.
    Accepted,
    /// The document cannot be read.
    Refused(Problem),
    /// Something changed. What changed at one moment comes together, so that the screen never shows half of it.
    Updates(Vec<Update>),
    /// An export has been written.
    Export(ExportedFile),
    /// What is on screen cannot be exported.
    ExportFailed(Problem),
    /// What a page from disk says of its document; follows [`Event::Accepted`].
    Incident(Incident),
    /// What a printout shows besides the screen.
    Printout {
        /// Every row of the tree.
        rows: Vec<TreeRow>,
        /// The last events, the newest first.
        events: Vec<RunEvent>,
    },
}

/// How to write an export.
#[derive(Debug, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The keys whose values are redacted besides the usual ones.
    pub redact: Vec<String>,
    /// The text of the panel's single file, to write a page; else null.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub single_file: JsValue,
}

/// What a page from disk says of its document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incident {
    /// When the page was written, ISO 8601.
    pub exported_at: Option<String>,
    /// The SHA-256 of the document's content, 64 digits.
    pub sha256: String,
    /// Whether the content has this hash.
    pub hash_matches: bool,
    /// What was left out, as a sentence.
    pub left_out: String,
}

/// A file that a person opened, dropped or pasted.
#[derive(Debug, Serialize, Deserialize)]
pub struct InputFile {
    /// Its path within a chosen folder, or its name; `None` for pasted text.
    pub name: Option<String>,
    /// A `File`, or a string. It crosses as it is: a long one is never copied into the page's WebAssembly memory.
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
    /// What was left out, in words.
    pub summary: String,
}

/// Why something could not be done, for a person to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// A code for tools and tests.
    pub code: String,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where in the input.
    pub position: Option<Position>,
}

impl Problem {
    /// A problem without a position.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), hint: None, position: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<DocumentError> for Problem {
    fn from(error: DocumentError) -> Self {
        Self {
            code: error.code.to_string(),
            message: error.message,
            hint: error.hint,
            position: error.position,
        }
    }
}
