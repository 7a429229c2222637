//! The fields of the identity line.

use serde::{Deserialize, Serialize};

use super::Name;
use crate::format;
use crate::time::Millis;

/// One field of the identity line. Unknown fields are omitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Field {
    /// The name for tools: `runId`, `workflow`.
    pub field: Name,
    /// The name for people.
    pub label: Name,
    /// The value.
    pub value: FieldValue,
}

/// The value of a field of the identity line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value", rename_all = "camelCase")]
pub enum FieldValue {
    /// An id to copy; it is shortened in the middle if space is short.
    Id(String),
    /// Plain text.
    Text(String),
    /// A word from the wire, verbatim.
    Code(String),
    /// A time.
    Time {
        /// The exact time, if it is valid.
        #[serde(skip_serializing_if = "Option::is_none")]
        iso: Option<String>,
        /// The text to show.
        text: String,
    },
}

impl Field {
    /// Whether the field says how the data was read rather than which run it is about. A surface may fold such fields away.
    ///
    /// ```
    /// use runstate::header::Field;
    /// use runstate::time::Millis;
    ///
    /// let (at, now) = (Millis(1_763_474_518_000.0), Millis(1_763_474_600_000.0));
    /// assert!(Field::time("computedAt", "Computed", Some(at), now).unwrap().is_detail());
    /// assert!(!Field::time("startedAt", "Started", Some(at), now).unwrap().is_detail());
    /// ```
    pub fn is_detail(&self) -> bool {
        matches!(
            &*self.field,
            "frameNo"
                | "seq"
                | "computedAt"
                | "witnesses"
                | "clock"
                | "seenBy"
                | "messages"
                | "status"
                | "kind"
                | "reasonCode"
                | "attempt"
                | "endedAt"
                | "updatedAt"
                | "opcode"
                | "raw"
                | "route"
                | "worktree"
                | "elapsed"
                | "error"
        )
    }

    /// A text field; `None` if the text is unknown.
    pub(crate) fn text(field: &'static str, label: &'static str, text: Option<String>) -> Option<Self> {
        Some(Self { field: field.into(), label: label.into(), value: FieldValue::Text(text?) })
    }

    /// A field with a word from the wire; `None` if there is none.
    pub(crate) fn code(field: &'static str, label: &'static str, word: Option<String>) -> Option<Self> {
        Some(Self { field: field.into(), label: label.into(), value: FieldValue::Code(word?) })
    }

    /// A field with an id; `None` if it is unknown.
    pub(crate) fn id(field: &'static str, label: &'static str, id: Option<String>) -> Option<Self> {
        Some(Self { field: field.into(), label: label.into(), value: FieldValue::Id(id?) })
    }

    /// A field with a time; `None` if it is unknown. The date is omitted if it is that of `now`.
    ///
    /// ```
    /// use runstate::header::{Field, FieldValue};
    /// use runstate::time::Millis;
    ///
    /// let (at, now) = (Millis(1_763_474_518_000.0), Millis(1_763_474_600_000.0));
    /// let FieldValue::Time { iso, text } = Field::time("startedAt", "Started", Some(at), now).unwrap().value else { unreachable!() };
    /// assert_eq!((iso.as_deref(), &*text), (Some("2025-11-18T14:01:58.000Z"), "14:01:58Z"));
    /// ```
    pub fn time(field: &'static str, label: &'static str, at: Option<Millis>, now: Millis) -> Option<Self> {
        let at = at?;
        let value = FieldValue::Time { iso: at.to_iso().ok(), text: format::moment(at, now) };
        Some(Self { field: field.into(), label: label.into(), value })
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, FieldValue};

    #[test]
    fn field_of_text() {
        let named = Field::text("workflow", "Workflow", Some("build".into())).unwrap();
        assert_eq!(named.value, FieldValue::Text("build".into()));
        assert_eq!(Field::text("workflow", "Workflow", None), None);
    }

    #[test]
    fn field_of_a_word() {
        let status = Field::code("status", "Status", Some("timed_out".into())).unwrap();
        assert_eq!(status.value, FieldValue::Code("timed_out".into()));
    }

    #[test]
    fn field_of_an_id() {
        let run = Field::id("runId", "Run", Some("run-01J8".into())).unwrap();
        assert_eq!((&*run.label, run.value), ("Run", FieldValue::Id("run-01J8".into())));
    }
}
