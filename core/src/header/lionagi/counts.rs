//! The header of a document that contains only the number of sessions with each status.

use crate::format;
use crate::freshness::Freshness;
use crate::header::{Field, FieldValue, Header};
use crate::lionagi::derive::LEGACY_TOOLTIP;
use crate::lionagi::wire::StoredStatus;
use crate::pill::{Taxonomy, Tone, pill};
use crate::run::lionagi::{LionagiInspection, NULL_STATUS};
use crate::summary::{Answer, AnswerPill, Line, freshness_pill};
use crate::text::concat;
use crate::time::Millis;

impl LionagiInspection {
    /// Whether it contains only counts.
    pub(crate) fn has_only_counts(&self) -> bool {
        self.has_no_rows() && self.refusal.is_none() && !self.status_counts.is_empty()
    }

    /// The header of a document with only counts. It has no state.
    pub(crate) fn counts_header(&self, now: Millis) -> Option<Header> {
        if !self.has_only_counts() {
            return None;
        }
        let total = self.status_counts.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        let sessions = if total == 1 { " session by its status." } else { " sessions by their status." };
        let sentence = concat(&["The server counts ", &format::count(total as f64), sessions]);
        let legacy = self.status_counts.iter().any(|(status, _)| status == NULL_STATUS);
        let (fresh, word) = freshness_pill(&Freshness::Recorded { at: None }, now);
        Some(Header {
            name: "Sessions by status".to_owned(),
            state: None,
            blocked: None,
            unhealthy: None,
            label: "Status".into(),
            taxonomy: Taxonomy::Session,
            answer: Answer {
                tone: Tone::Neutral,
                pill: AnswerPill::Absent,
                sentence: Line::new(&sentence).into_spans(),
                meta: Line::new(if legacy { LEGACY_TOOLTIP } else { "" }).into_spans(),
                because: Line::new("no state: the document counts sessions and lists none").into_spans(),
                notes: Vec::new(),
            },
            axes: Vec::new(),
            actions: Vec::new(),
            fields: self.status_counts.iter().map(|(status, count)| field(status, *count)).collect(),
            evidence: Vec::new(),
            freshness: AnswerPill::Pill { pill: fresh, value: word.to_owned(), as_of: None },
        })
    }
}

/// The field of a status with its count.
fn field(status: &str, count: u64) -> Field {
    let stored = StoredStatus::new(Some(status).filter(|status| *status != NULL_STATUS));
    let word = stored.label().unwrap_or(status);
    let label = pill(Taxonomy::Session, word).label;
    Field {
        field: concat(&["count-", status]).into(),
        label,
        value: FieldValue::Text(format::count(count as f64)),
    }
}

#[cfg(test)]
mod tests {
    use crate::ingest::lionagi::read;
    use crate::summary::text;
    use crate::time::Millis;

    #[test]
    fn counts_are_shown_as_fields() {
        let stats = r#"{"db":{"sessions_by_status":{"completed":1200,"(null)":4,"paused":1}}}"#;
        let found = read(stats, "/api/stats", Millis(0.0)).unwrap();
        let header = found.counts_header(Millis(0.0)).unwrap();
        assert_eq!(text(&header.answer.sentence), "The server counts 1\u{202f}205 sessions by their status.");
        assert_eq!(header.state, None);
        let labels: Vec<&str> = header.fields.iter().map(|field| &*field.label).collect();
        assert_eq!(labels, ["Completed", "legacy", "“paused”"]);
    }

    #[test]
    fn a_document_with_sessions_or_without_counts_has_no_such_header() {
        for json in [
            r#"{"db":{"sessions_by_status":{}}}"#,
            r#"{"session_id":"s1","status":"running"}"#,
            r#"{"detail":"Unauthorized"}"#,
            r#"{"runs":[{"session_id":"s1","status":"running"}],"per_page":20}"#,
        ] {
            assert!(read(json, "x", Millis(0.0)).unwrap().counts_header(Millis(0.0)).is_none(), "{json}");
        }
    }
}
