//! What is told of a document besides its runs' headers, in a form that travels as JSON.

use super::{Document, ListRow};
use crate::inspection::Refusal;
use crate::json::{ReadError, Slice, Writer, fields, optionals};
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
        let mut out = Writer::default();
        out.object(|out| {
            out.key("recognised").text(&self.recognised);
            out.key("hasRun").bool(self.has_run);
            out.key("rows").list(&self.rows, write_row);
            if let Some(refusal) = &self.refusal {
                out.key("refusal").object(|out| {
                    out.key("code").text(&refusal.code);
                    out.key("message").text(&refusal.message);
                    out.optional_text("method", refusal.method.as_deref());
                });
            }
            out.key("problems").list(&self.problems, |out, problem| out.text(problem));
        });
        out.finish()
    }

    /// Reads what [`Summary::to_json`] wrote.
    ///
    /// # Errors
    /// [`ReadError`] where the text is not such a summary.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let slice = Slice::of_text(json)?;
        let names = ["recognised", "hasRun", "rows", "refusal", "problems"];
        let [recognised, has_run, rows, refusal, problems] = fields(slice, names)?;
        Ok(Self {
            recognised: slice.need("recognised", recognised)?.read_text()?,
            has_run: has_run.is_some_and(|has_run| has_run.json() == "true"),
            rows: slice.need("rows", rows)?.read_items(read_row)?,
            refusal: refusal.map(read_refusal).transpose()?,
            problems: slice.need("problems", problems)?.read_items(Slice::read_text)?,
        })
    }
}

fn write_row(out: &mut Writer, row: &ListRow) {
    out.object(|out| {
        out.key("id").text(&row.id);
        out.key("name").text(&row.name);
        out.key("taxonomy").text(row.taxonomy.as_str());
        out.optional_text("state", row.state.as_deref());
        if let Some(at) = row.at {
            out.key("at").number(at.0);
        }
    });
}

fn read_row(slice: Slice<'_>) -> Result<ListRow, ReadError> {
    let [id, name, taxonomy, state, at] = fields(slice, ["id", "name", "taxonomy", "state", "at"])?;
    let [state] = optionals([state], Slice::read_text)?;
    let [at] = optionals([at], Slice::read_number)?;
    let taxonomy = slice.need("taxonomy", taxonomy)?;
    Ok(ListRow {
        id: slice.need("id", id)?.read_text()?,
        name: slice.need("name", name)?.read_text()?,
        taxonomy: taxonomy.read_word()?.known().ok_or_else(|| taxonomy.expected("a taxonomy"))?,
        state,
        at: at.map(Millis),
    })
}

fn read_refusal(slice: Slice<'_>) -> Result<Refusal, ReadError> {
    let [code, message, method] = fields(slice, ["code", "message", "method"])?;
    let [method] = optionals([method], Slice::read_text)?;
    Ok(Refusal {
        code: slice.need("code", code)?.read_text()?,
        message: slice.need("message", message)?.read_text()?,
        method,
    })
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
        for (from, to) in [("rows", "lines"), ("\"session\"", "\"astrology\""), ("\"code\"", "\"kode\"")] {
            assert!(Summary::from_json(&whole.replacen(from, to, 1)).is_err(), "{to}");
        }
        assert!(Summary::from_json("").is_err());
    }
}
