//! Reads and writes an export inside a page: the panel's single file, with the document as data that the browser does
//! not run.
//!
//! The data is JSON. It contains the document as a string, so that the document is restored byte by byte; characters
//! that could end the element or begin markup are escaped.
//!
//! ```json
//! {"runstatePage":1,"exportedAt":1795296600000,"run":3,"node":"build","iteration":1,"events":true,"event":17,"eventRows":45,
//!  "document":"{\"runstateExport\":1,…}\n"}
//! ```

use memchr::memmem;

use super::DocumentError;
use crate::error_code::ErrorCode;
use crate::json::{ReadError, Slice, fields};
use crate::text::{concat, json};
use crate::time::Millis;

/// Version of the data format.
pub(crate) const VERSION: u32 = 1;
/// The first key of the data.
pub(crate) const KEY: &str = "runstatePage";
/// The text before the data, in the panel's single file and in every page.
pub(crate) const OPEN: &str = r#"<script type="application/json" id="document" data-part>"#;
/// The text after the data.
pub(crate) const CLOSE: &str = "</script>";

/// The document of a page, and the part of it that was on screen.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExportedPage {
    /// The time at which the page was written.
    pub exported_at: Millis,
    /// The chosen row of the list, from 0; `None` if the document is one run or its list was on screen.
    pub run: Option<usize>,
    /// What of the run was on screen.
    pub view: ExportedView,
    /// The export, without secrets.
    pub document: String,
}

/// What of a run was on screen besides its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportedView {
    /// The id and the iteration of the node whose detail was open.
    pub node: Option<(String, u32)>,
    /// Whether the events were shown, and not the tree; `None` for the tree, or the events of a document that is only an event log.
    pub shows_events: Option<bool>,
    /// The selected row of all rows of the events, from 0, and their number.
    pub event: Option<(usize, usize)>,
}

impl ExportedPage {
    /// The remedy for a page whose document cannot be read.
    pub const HINT: &str =
        "The file is damaged or incomplete. Save it again from its source, or ask for another copy.";

    /// Makes a page that is written at `exported_at`. A node of which the document does not have the id is left out: it may
    /// contain what was redacted.
    ///
    /// ```
    /// use runstate::ingest::{ExportedPage, ExportedView};
    /// use runstate::time::Millis;
    ///
    /// let view = |node: &str| {
    ///     let mut view = ExportedView::default();
    ///     view.node = Some((node.to_owned(), 0));
    ///     ExportedPage::new(Millis(0.0), None, view, r#"{"nodeId":"build"}"#.to_owned()).view
    /// };
    /// assert!(view("build").node.is_some() && view("sk-secret").node.is_none());
    /// ```
    pub fn new(exported_at: Millis, run: Option<usize>, mut view: ExportedView, document: String) -> Self {
        view.node = view.node.filter(|(node_id, _)| document.contains(&json(node_id)));
        Self { exported_at, run, view, document }
    }

    /// Reads the data of a page.
    ///
    /// ```
    /// use runstate::ingest::ExportedPage;
    ///
    /// let page = ExportedPage::read(r#"{"runstatePage":1,"exportedAt":0,"document":"\u003c"}"#)?;
    /// assert_eq!((page.document.as_str(), page.run), ("<", None));
    /// assert!(ExportedPage::read(r#"{"runstatePage":1,"exportedAt":0,"docu"#).is_err());
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    ///
    /// # Errors
    /// [`DocumentError`] if the data is damaged or of another version.
    pub fn read(data: &str) -> Result<Self, DocumentError> {
        read(data).map_err(|error| {
            let mut error = DocumentError::from(error).place(data).hint(Self::HINT);
            error.message = concat(&["The document in this page cannot be read. ", &error.message]);
            error
        })
    }

    /// Reads the page in a file; `None` if the file is not an exported page, or a damaged one.
    pub fn from_html(html: &[u8]) -> Option<Self> {
        Self::read(Self::data(html)?.ok()?).ok()
    }

    /// Returns the data of a page; `None` if the file is not an exported page.
    pub(crate) fn data(html: &[u8]) -> Option<Result<&str, DocumentError>> {
        let start = html.trim_ascii_start().get(..15)?;
        if !start.eq_ignore_ascii_case(b"<!doctype html>") {
            return None;
        }
        // Licences and styles are text; damage elsewhere does not affect the document.
        let at = memmem::find(html, OPEN.as_bytes())?;
        let rest = html.get(at + OPEN.len()..)?;
        let Some(end) = memmem::find(rest, CLOSE.as_bytes()) else {
            let message = "This page breaks off within its document.";
            return Some(Err(DocumentError::new(ErrorCode::NotJson, message).hint(Self::HINT)));
        };
        let data = rest.get(..end)?.trim_ascii();
        let text = str::from_utf8(data).map_err(|_| {
            let message = "The document in this page is not UTF-8 text.";
            DocumentError::new(ErrorCode::InvalidUtf8, message).hint(Self::HINT)
        });
        (!data.is_empty()).then_some(text)
    }
}

fn read(data: &str) -> Result<ExportedPage, ReadError> {
    let page = Slice::from_text(data)?;
    let [version, exported_at, document] = fields(page, [KEY, "exportedAt", "document"])?;
    let [run, node, iteration, events, event, event_rows] =
        fields(page, ["run", "node", "iteration", "events", "event", "eventRows"])?;
    let place = |field: Option<Slice<'_>>| -> Result<Option<usize>, ReadError> {
        Ok(field.map(Slice::read_count).transpose()?.and_then(|place| usize::try_from(place).ok()))
    };
    let version = page.need(KEY, version)?;
    if version.number() != Some(f64::from(VERSION)) {
        let message = format!("Expected a page of version {VERSION}, found version {}.", version.json());
        return Err(version.refuse(message));
    }
    Ok(ExportedPage {
        exported_at: Millis(page.need("exportedAt", exported_at)?.read_number()?),
        run: place(run)?,
        view: ExportedView {
            node: node.map(Slice::read_text).transpose()?.zip(iteration.map(Slice::read_small).transpose()?),
            shows_events: events.map(|events| events.json() == "true"),
            event: place(event)?.zip(place(event_rows)?),
        },
        document: page.need("document", document)?.read_text()?,
    })
}
