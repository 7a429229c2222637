//! What is told of a document besides its runs' headers, in a form that travels as JSON.

use super::{Document, ListRow};
use crate::inspection::Refusal;
use crate::json::{Pack, ReadError, Unpack};
use crate::time::Millis;
use crate::word::Vocabulary;

/// What a document is, and what is in it to choose from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// What was recognised, as a word.
    pub recognised: String,
    /// Whether the document is about one run, so that there is a header without choosing.
    pub has_run: bool,
    /// The runs to choose from.
    pub rows: Vec<ListRow>,
    /// What the server refused.
    pub refusal: Option<Refusal>,
    /// What could not be read although the rest loads.
    pub problems: Vec<String>,
}

impl Document {
    /// What is told of the document besides its runs' headers.
    pub fn summary(&self) -> Summary {
        Summary {
            recognised: self.recognised().into(),
            has_run: self.has_run(),
            rows: self.rows(),
            refusal: self.refusal().cloned(),
            problems: self.problems().to_vec(),
        }
    }
}

impl Summary {
    /// The summary as JSON, in the form that [`Summary::from_json`] reads.
    ///
    /// ```
    /// use runstate::document::Summary;
    ///
    /// let summary = Summary { recognised: "run".into(), has_run: true, ..Summary::default() };
    /// assert_eq!(Summary::from_json(&summary.to_json())?, summary);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut out = Pack::new();
        out.text(&self.recognised);
        out.flag(self.has_run);
        out.list(&self.rows, |out, row| {
            out.text(&row.id);
            out.text(&row.name);
            out.text(row.taxonomy.as_str());
            out.optional(row.state.as_deref());
            out.flag(row.at.is_some());
            if let Some(at) = row.at {
                out.number(at.0);
            }
        });
        out.flag(self.refusal.is_some());
        if let Some(refusal) = &self.refusal {
            out.text(&refusal.code);
            out.text(&refusal.message);
            out.optional(refusal.method.as_deref());
        }
        out.list(&self.problems, |out, problem| out.text(problem));
        out.finish()
    }

    /// Reads what [`Summary::to_json`] wrote.
    ///
    /// # Errors
    /// [`ReadError`] where the text is not such a summary.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let mut from = Unpack::new(json)?;
        let summary = Self {
            recognised: from.text()?,
            has_run: from.flag()?,
            rows: from.list(read_row)?,
            refusal: if from.flag()? { Some(read_refusal(&mut from)?) } else { None },
            problems: from.list(Unpack::text)?,
        };
        from.end()?;
        Ok(summary)
    }
}

fn read_row(from: &mut Unpack<'_>) -> Result<ListRow, ReadError> {
    Ok(ListRow {
        id: from.text()?,
        name: from.text()?,
        taxonomy: from.word()?,
        state: from.optional()?,
        at: if from.flag()? { Some(Millis(from.number()?)) } else { None },
    })
}

fn read_refusal(from: &mut Unpack<'_>) -> Result<Refusal, ReadError> {
    Ok(Refusal { code: from.text()?, message: from.text()?, method: from.optional()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pill::Taxonomy;

    fn everything() -> Summary {
        let row = ListRow {
            id: "r\"1".into(),
            name: "deploy".into(),
            taxonomy: Taxonomy::Session,
            state: Some("timed_out".into()),
            at: Some(Millis(1.5)),
        };
        Summary {
            recognised: "run-list".into(),
            has_run: false,
            rows: vec![row.clone(), ListRow { state: None, at: None, ..row }],
            refusal: Some(Refusal { code: "NOT_FOUND".into(), message: "no".into(), method: None }),
            problems: vec!["Line 1, column 2: no.".into()],
        }
    }

    #[test]
    fn a_summary_reads_back_as_it_was() {
        assert_eq!(Summary::from_json(&everything().to_json()).unwrap(), everything());
    }

    #[test]
    fn what_is_no_summary_is_refused() {
        let whole = everything().to_json();
        for (from, to) in [("false", "7"), ("\"session\"", "\"astrology\""), ("[", "[1,")] {
            assert!(Summary::from_json(&whole.replacen(from, to, 1)).is_err(), "{to}");
        }
        assert!(Summary::from_json("").is_err());
    }
}
