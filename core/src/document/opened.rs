//! What was opened: one document, or several files that are one.

use super::heard::{Heard, refusal};
use super::unpack::{self, Piece, Unpacked};
use super::{DocumentError, inspect, seen};
use crate::export::Counts;
use crate::freshness::Freshness;
use crate::header::{Header, of_run};
use crate::inspection::{Inspection, Recognised, Refusal, RunInspection};
use crate::pill::Taxonomy;
use crate::time::Millis;
use crate::tree::Tree;
use crate::word::Vocabulary;

/// One of the files that are opened together.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its name or relative path; a pasted text has none.
    pub name: Option<&'a str>,
    /// What it holds.
    pub bytes: &'a [u8],
}

/// What was opened, of whichever system.
#[derive(Debug)]
pub struct Document {
    content: Content,
    problems: Vec<String>,
}

/// What it turned out to be.
#[derive(Debug)]
enum Content {
    /// A Smithers run or a list of them.
    Smithers(Box<Inspection>),
}

/// One run of a list to choose from.
#[derive(Clone, Debug, PartialEq)]
pub struct ListRow {
    /// The run's id.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// The vocabulary of the state.
    pub taxonomy: Taxonomy,
    /// The state's word, where there is one.
    pub state: Option<String>,
    /// When it began.
    pub at: Option<Millis>,
}

/// Opens what was pasted, dropped or chosen.
///
/// # Errors
/// [`DocumentError`] where nothing of it can be read.
///
/// ```
/// use runstate::document::{File, open};
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let bytes = br#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}"#;
/// let document = open(&[File { name: None, bytes }], now)?;
/// assert_eq!(document.header(None, now).unwrap().state.as_deref(), Some("running"));
/// # Ok::<(), runstate::document::DocumentError>(())
/// ```
pub fn open(files: &[File<'_>], now: Millis) -> Result<Document, DocumentError> {
    let Unpacked { pieces, mut problems, mut refused, nothing, .. } = unpack::unpack(files);
    if let [piece] = pieces.as_slice()
        && !piece.traffic
    {
        match inspect(&piece.bytes, piece.name.as_deref(), piece.read_at.unwrap_or(now)) {
            Ok(inspection) => return Ok(Document::smithers(inspection, problems)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let mut heard = Heard::default();
    for piece in &pieces {
        if let Err(error) = heard.piece(piece, now)
            && !(piece.traffic && (piece.asked.elsewhere || error.code == seen::NOT_RECOGNISED))
        {
            problems.push(refusal(&error, piece.name.as_deref(), piece.part.as_deref()));
            let name = piece.name.as_deref().filter(|_| files.len() > 1);
            refused = refused.or(Some(error.in_file(name)));
        }
    }
    heard.traffic = pieces.iter().any(|piece| piece.traffic);
    // An export was opened before, and says what it said then.
    let read_at = pieces.iter().filter_map(|piece| piece.read_at).reduce(|a, b| if b > a { b } else { a });
    let inspection = heard.join(read_at.unwrap_or(now));
    if inspection.is_nothing() {
        let empty = || DocumentError::new("EMPTY_INPUT", "There is nothing to read: no file was given.");
        return Err(refused.or(nothing).unwrap_or_else(empty));
    }
    Ok(Document::smithers(inspection, problems))
}

/// The pieces that tell something, and what was not as it came in an export among the files.
///
/// # Errors
/// As [`open`].
pub(crate) fn known_pieces<'a>(
    files: &[File<'a>],
    now: Millis,
) -> Result<(Vec<Piece<'a>>, Counts), DocumentError> {
    open(files, now)?;
    let Unpacked { mut pieces, counts, .. } = unpack::unpack(files);
    pieces.retain(|piece| {
        let mut heard = Heard::default();
        heard.piece(piece, now).is_ok() && heard.len() > 0
    });
    Ok((pieces, counts))
}

impl From<Inspection> for Document {
    fn from(inspection: Inspection) -> Self {
        Self::smithers(inspection, Vec::new())
    }
}

impl Document {
    fn smithers(mut inspection: Inspection, mut problems: Vec<String>) -> Self {
        problems.append(&mut inspection.problems);
        Self { content: Content::Smithers(Box::new(inspection)), problems }
    }

    /// What was recognised, as a word.
    pub fn recognised(&self) -> &'static str {
        match &self.content {
            Content::Smithers(inspection) => Recognised::as_str(inspection.recognised),
        }
    }

    /// What could not be read although the rest loads, each with its place.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// What the server refused, if the document is a refusal.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &self.content {
            Content::Smithers(inspection) => inspection.refusal.as_ref(),
        }
    }

    /// Whether the document is about one run, so that there is a header without choosing.
    pub fn has_run(&self) -> bool {
        match &self.content {
            Content::Smithers(inspection) => inspection.run.is_some(),
        }
    }

    /// The runs to choose from; empty where one run is in view.
    pub fn rows(&self) -> Vec<ListRow> {
        match &self.content {
            Content::Smithers(inspection) if inspection.run.is_none() => {
                inspection.runs.iter().map(ListRow::of_run).collect()
            }
            Content::Smithers(_) => Vec::new(),
        }
    }

    /// The header of the run, or of a row of the list; `None` where there is no such run.
    pub fn header(&self, row: Option<usize>, now: Millis) -> Option<Header> {
        match &self.content {
            Content::Smithers(inspection) => {
                let run = smithers_run(inspection, row)?;
                let at = run.verdict.view().and_then(|view| Millis::parse_iso(&view.computed_at));
                Some(of_run(run, &Freshness::Recorded { at }, now))
            }
        }
    }

    /// The structure of the run, or of a row of the list.
    pub fn tree(&self, row: Option<usize>) -> Option<&Tree> {
        match &self.content {
            Content::Smithers(inspection) => smithers_run(inspection, row)?.tree.as_ref(),
        }
    }
}

fn smithers_run(inspection: &Inspection, row: Option<usize>) -> Option<&RunInspection> {
    match row {
        Some(row) => inspection.runs.get(row),
        None => inspection.run.as_ref(),
    }
}

impl ListRow {
    /// The row of a Smithers run.
    pub fn of_run(run: &RunInspection) -> Self {
        let id = run.run_id.clone().unwrap_or_default();
        Self {
            name: run.workflow.clone().unwrap_or_else(|| id.clone()),
            id,
            taxonomy: Taxonomy::Run,
            state: run.verdict.view().map(|view| view.state.as_str().to_owned()),
            at: run.started_at.or(run.created_at),
        }
    }
}
