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
mod evidence_line;
mod field;
mod http_command;
mod next_action;
mod smithers;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::freshness::Freshness;
use crate::pill::Taxonomy;
use crate::summary::{Answer, AnswerPill, freshness_pill};
use crate::time::Millis;

pub use evidence_line::EvidenceLine;
pub(crate) use evidence_line::evidence_lines;
pub use field::{Field, FieldValue};
pub use next_action::NextAction;
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
