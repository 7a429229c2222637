//! The runs to choose from, each with its pill.

use crate::answer::AnswerPill;
use crate::document::ListRow;
use crate::header::{pack_pill, read_pill};
use crate::json::{Pack, ReadError, Unpack};
use crate::pill::{Taxonomy, pill};
use crate::time::Millis;
use crate::word::Vocabulary;

/// A row of a list with the pill of its state: who draws it needs no table of words.
///
/// ```
/// use runstate::answer::AnswerPill;
/// use runstate::document::{File, open};
/// use runstate::session::{Held, Opened};
/// use runstate::time::Millis;
///
/// let list = br#"[{"runId":"a","status":"finished"},{"runId":"b","status":"failed"}]"#;
/// let document = open(&[File { name: None, bytes: list }], Millis(1_700_000_000_000.0))?;
/// let rows = Opened::new(document, "list.json").rows().unwrap();
/// let AnswerPill::Pill { pill, .. } = &rows[1].pill else { panic!("it has a state") };
/// assert_eq!((&*rows[1].row.id, &*pill.label), ("b", "Failed"));
/// # Ok::<(), runstate::document::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The row.
    pub row: ListRow,
    /// Its state as it is shown.
    pub pill: AnswerPill,
}

impl Listed {
    /// A row whose state is a word of `taxonomy`: the caller's and not the row's, so that the live part, whose rows are all
    /// runs, says so where the compiler sees it and carries no table of another system's words.
    pub(super) fn new(row: ListRow, taxonomy: Taxonomy) -> Self {
        let shown =
            |word: &String| AnswerPill::Pill { pill: pill(taxonomy, word), value: word.clone(), as_of: None };
        let pill = row.state.as_ref().map_or(AnswerPill::Absent, shown);
        Self { row, pill }
    }
}

/// The runs to choose from as JSON, in the form that [`read_rows`] reads.
pub(super) fn rows_to_json(rows: &[Listed]) -> String {
    let mut out = Pack::new();
    out.list(rows, pack_row);
    out.finish()
}

/// Reads the runs to choose from, as [`Update::Rows`](super::Update::Rows) has them.
///
/// # Errors
/// [`ReadError`] where the text is no such list.
///
/// ```
/// assert!(runstate::session::read_rows("[0]")?.is_empty());
/// assert!(runstate::session::read_rows("{}").is_err());
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn read_rows(json: &str) -> Result<Vec<Listed>, ReadError> {
    let mut from = Unpack::new(json)?;
    let rows = from.list(read_row)?;
    from.end()?;
    Ok(rows)
}

fn pack_row(out: &mut Pack, Listed { row, pill }: &Listed) {
    out.text(&row.id);
    out.text(&row.name);
    out.text(row.taxonomy.as_str());
    out.flag(row.at.is_some());
    if let Some(at) = row.at {
        out.number(at.0);
    }
    pack_pill(out, pill);
}

fn read_row(from: &mut Unpack<'_>) -> Result<Listed, ReadError> {
    let (id, name, taxonomy) = (from.text()?, from.text()?, from.word()?);
    let at = if from.flag()? { Some(Millis(from.number()?)) } else { None };
    let pill = read_pill(from)?;
    // The word stands in its pill.
    let state = match &pill {
        AnswerPill::Pill { value, .. } => Some(value.clone()),
        AnswerPill::Absent => None,
    };
    Ok(Listed { row: ListRow { id, name, taxonomy, state, at }, pill })
}
