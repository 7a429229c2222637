//! The header of a run as values that a surface renders, for every system.
//!
//! A header can be serialised: the worker makes it and the page draws it.
//!
//! ```
//! use runstate::summary::text;
//! use runstate::file::File;
//! use runstate::ingest::open;
//! use runstate::header::Header;
//! use runstate::time::Millis;
//!
//! let now = Millis::parse_iso("2026-11-21T14:06:10Z").unwrap();
//! let row = br#"{"runId":"r1","workflowName":"release","status":"failed","errorJson":"{\"message\":\"disk is full\"}"}"#;
//! let header = open(&[File { name: Some("run.json"), bytes: row }], now)?.header(None, now).unwrap();
//! assert!(text(&header.answer.sentence).contains("disk is full"));
//! // It survives a round trip through JSON.
//! let json = serde_json::to_string(&header).unwrap();
//! assert_eq!(serde_json::from_str::<Header>(&json).unwrap(), header);
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```

pub mod conductor;
pub mod lionagi;

mod actions;
mod http_command;
mod smithers;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::actions::WORKFLOW_FILE;
use crate::evidence::{Evidence, Value};
use crate::format;
use crate::freshness::Freshness;
use crate::pill::Taxonomy;
use crate::summary::{Answer, AnswerPill, Span, freshness_pill};
use crate::time::Millis;
use crate::word::Vocabulary;

pub use smithers::{RunReport, smithers_header};

/// A static name, or one that was deserialised.
type Name = Cow<'static, str>;

/// The header of a run at one time.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let now = Millis(1_795_269_970_000.0);
/// let run = br#"{"runId":"r1","workflowName":"build","status":"waiting-approval","runState":{"runId":"r1",
///     "computedAt":"2026-11-21T14:06:08.000Z","state":"waiting-approval",
///     "blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#;
/// let header = open(&[File { name: Some("run.json"), bytes: run }], now)?.header(None, now).unwrap();
/// assert_eq!((&*header.name, header.state.as_deref()), ("build", Some("waiting-approval")));
/// assert_eq!(header.blocked.as_deref(), Some("approval"));
/// assert_eq!(header.actions[0].kind, "approve");
/// assert!(header.fields.iter().any(|field| field.field == "runId"));
/// assert!(header.evidence.iter().any(|line| line.decisive));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Header {
    /// The heading: the workflow, else the run's id.
    pub name: String,
    /// The word of the state, if there is one: as the system wrote it, or status and health of a session: `stale running`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The kind of the reason why the run waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<String>,
    /// The kind of the reason why the run is unhealthy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unhealthy: Option<String>,
    /// The label of the state's pill: `Run state`, `Status`, `State`.
    pub label: Name,
    /// The vocabulary of the state's pill.
    pub taxonomy: Taxonomy,
    /// The state, the sentence, and why.
    pub answer: Answer,
    /// Secondary facts, each with a pill: health, delivery, phase.
    pub axes: Vec<Axis>,
    /// The possible actions, the most urgent first.
    pub actions: Vec<NextAction>,
    /// The identity of the run.
    pub fields: Vec<Field>,
    /// The inputs of the verdict.
    pub evidence: Vec<EvidenceLine>,
    /// The freshness of the header.
    pub freshness: AnswerPill,
}

/// A pill next to the state's.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_100_000.0);
/// let session = br#"{"session_id":"s1","status":"completed_empty","invocation_kind":"agent"}"#;
/// let header = open(&[File { name: None, bytes: session }], now)?.header(None, now).unwrap();
/// // The header also has what the status does not contain.
/// assert!(header.axes.iter().any(|axis| axis.field == "delivery"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Axis {
    /// The name for tools: `health`, `delivery`.
    pub field: Name,
    /// The name for people.
    pub label: Name,
    /// The vocabulary of the word.
    pub taxonomy: Taxonomy,
    /// The pill.
    pub pill: AnswerPill,
}

/// An action that a person can take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NextAction {
    /// The kind of the action, as a word for tools: `approve`, `resume`, `wait`.
    pub kind: Name,
    /// The action as a sentence.
    pub sentence: Vec<Span>,
    /// The shell command for the action, ready to copy, quoted for POSIX shells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The same command, quoted for PowerShell; `None` if PowerShell would change one of its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_shell: Option<String>,
    /// The Gateway call for the action: method and parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

impl NextAction {
    /// The command for the shell of a machine: PowerShell on Windows, unless it would change one of the words.
    pub fn command_on(&self, is_windows: bool) -> Option<&str> {
        let power_shell = self.power_shell.as_deref().filter(|_| is_windows);
        power_shell.or(self.command.as_deref())
    }

    /// Explains the placeholder in the command and for which shell it is quoted, if it has either.
    pub fn command_note(&self, is_windows: bool) -> Option<String> {
        let command = self.command_on(is_windows)?;
        let placeholder =
            command.contains(WORKFLOW_FILE).then_some("Replace WORKFLOW_FILE by the workflow's file.");
        let quotes = command.contains('\'').then_some(match (is_windows, &self.power_shell) {
            (true, Some(_)) => "Quoted for PowerShell.",
            (true, None) => "Quoted for POSIX shells such as bash: PowerShell would change it.",
            (false, _) => "Quoted for POSIX shells such as bash.",
        });
        let notes: Vec<&str> = placeholder.into_iter().chain(quotes).collect();
        (!notes.is_empty()).then(|| notes.join(" "))
    }
}

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

/// One input of the verdict, as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EvidenceLine {
    /// The input.
    pub name: Name,
    /// Its value.
    pub value: String,
    /// Whether the value is a word from the wire.
    pub code: bool,
    /// Its age when the verdict was made; empty if it has no age.
    pub age: String,
    /// The limit of its age; empty if there is none.
    pub limit: String,
    /// Whether it was decisive.
    pub decisive: bool,
    /// The document or method that it was read from.
    pub read_from: String,
    /// When it was read, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
}

impl Header {
    /// The state's own pill, which comes before the others.
    pub fn state_axis(&self) -> Axis {
        let (label, pill) = (self.label.clone(), self.answer.pill.clone());
        Axis { field: "runState".into(), label, taxonomy: self.taxonomy, pill }
    }

    /// The label of the actions. Those of a recording were possible at its time.
    pub fn actions_label(&self) -> &'static str {
        if self.freshness.value() == Some("recorded") { "Actions at that time" } else { "Actions" }
    }

    /// Whether the state may have changed since it was read: the connection is lost, or the state is being read again. A
    /// recording and a run that has ended do not change.
    pub fn is_out_of_date(&self) -> bool {
        match &self.answer.pill {
            AnswerPill::Pill { as_of, .. } => as_of.is_some() && self.freshness.value() != Some("recorded"),
            AnswerPill::Absent => matches!(self.freshness.value(), Some("lost" | "resyncing")),
        }
    }

    /// A header with only an answer and the freshness. The label is `Run state`.
    fn new(name: String, taxonomy: Taxonomy, answer: Answer, freshness: &Freshness, now: Millis) -> Self {
        let (pill, word) = freshness_pill(freshness, now);
        Self {
            name,
            state: None,
            blocked: None,
            unhealthy: None,
            label: "Run state".into(),
            taxonomy,
            answer,
            axes: Vec::new(),
            actions: Vec::new(),
            fields: Vec::new(),
            evidence: Vec::new(),
            freshness: AnswerPill::Pill { pill, value: word.into(), as_of: None },
        }
    }
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

/// The inputs of a verdict as text. Ages count from when the verdict was made.
pub(crate) fn evidence_lines(evidence: &Evidence, now: Millis) -> Vec<EvidenceLine> {
    let then = evidence.read_at.unwrap_or(now);
    let read_at = evidence.read_at.map(|at| format::moment(at, then));
    evidence
        .inputs
        .iter()
        .map(|input| {
            let (value, code) = match &input.value {
                Value::Absent => ("none".to_owned(), false),
                Value::Word(word) => (word.clone(), true),
                Value::Time(at) => (at.to_iso().unwrap_or_else(|_| "not a time".into()), false),
                Value::Text(text) => (text.clone(), false),
            };
            EvidenceLine {
                name: input.name.as_str().into(),
                value,
                code,
                age: input.at.map(|at| format::age(then.since(at))).unwrap_or_default(),
                limit: input.limit_ms.map(format::age).unwrap_or_default(),
                decisive: input.decisive,
                read_from: evidence.read_from.clone(),
                read_at: read_at.clone(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_command_says_for_which_shell_it_is_quoted() {
        use crate::header::NextAction;
        let action = |command: &str, power_shell: Option<&str>| NextAction {
            kind: "resume".into(),
            sentence: Vec::new(),
            command: Some(command.to_owned()),
            power_shell: power_shell.map(str::to_owned),
            call: None,
        };
        let (posix, windows) = (r"smithers logs 'it'\''s'", "smithers logs 'it''s'");
        let quoted = action(posix, Some(windows));
        assert_eq!((quoted.command_on(false), quoted.command_on(true)), (Some(posix), Some(windows)));
        assert_eq!(quoted.command_note(false).as_deref(), Some("Quoted for POSIX shells such as bash."));
        assert_eq!(quoted.command_note(true).as_deref(), Some("Quoted for PowerShell."));
        let lost = action(r#"smithers logs 'a"b'"#, None);
        let note = "Quoted for POSIX shells such as bash: PowerShell would change it.";
        assert_eq!(
            (lost.command_on(true), lost.command_note(true).as_deref()),
            (lost.command_on(false), Some(note))
        );
        let plain = action("smithers logs r1", Some("smithers logs r1"));
        assert_eq!((plain.command_note(false), plain.command_note(true)), (None, None));
    }

    #[test]
    fn ages_count_from_the_verdict() {
        use crate::evidence::{Evidence, Input, Signal, Value};
        use crate::header::evidence_lines;
        use crate::time::Millis;
        let at = Millis(1_763_474_518_000.0);
        let heartbeat = Input {
            name: Signal::EngineHeartbeat,
            value: Value::Time(at),
            at: Some(at),
            limit_ms: Some(30_000.0),
            decisive: true,
        };
        let read_at = Some(Millis(at.0 + 41_000.0));
        let evidence = Evidence { inputs: vec![heartbeat], read_from: "runs.get".into(), read_at };
        let line = &evidence_lines(&evidence, Millis(at.0 + 900_000.0))[0];
        // The age when the verdict was made, not the current one.
        assert_eq!((&*line.age, &*line.limit, line.decisive), ("41 s", "30 s", true));
    }

    #[test]
    fn field_of_text() {
        use crate::header::{Field, FieldValue};
        let named = Field::text("workflow", "Workflow", Some("build".into())).unwrap();
        assert_eq!(named.value, FieldValue::Text("build".into()));
        assert_eq!(Field::text("workflow", "Workflow", None), None);
    }

    #[test]
    fn field_of_a_word() {
        use crate::header::{Field, FieldValue};
        let status = Field::code("status", "Status", Some("timed_out".into())).unwrap();
        assert_eq!(status.value, FieldValue::Code("timed_out".into()));
    }

    #[test]
    fn field_of_an_id() {
        use crate::header::{Field, FieldValue};
        let run = Field::id("runId", "Run", Some("run-01J8".into())).unwrap();
        assert_eq!((&*run.label, run.value), ("Run", FieldValue::Id("run-01J8".into())));
    }
}
