//! The rows that `compute_run_state` reads in addition to the run row.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{NodeState, SandboxStatus};
use crate::word::{Vocabulary, Word};

/// A pending approval: `_smithers_approvals`.
///
/// ```
/// use runstate::smithers::wire::ApprovalRow;
///
/// let row: ApprovalRow = serde_json::from_str(r#"{"node_id":"gate","requested_at_ms":"soon"}"#)?;
/// assert_eq!(row.requested_at_ms, None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalRow {
    /// The node that requests it.
    #[serde(alias = "node_id")]
    pub node_id: String,
    /// The time of the request, milliseconds since 1970; `None` if the column is not a number.
    #[serde(default, alias = "requested_at_ms", deserialize_with = "number_or_none")]
    pub requested_at_ms: Option<f64>,
}

impl ApprovalRow {
    /// An approval that the node requested at this time.
    pub fn new(node_id: impl Into<String>, requested_at_ms: Option<f64>) -> Self {
        Self { node_id: node_id.into(), requested_at_ms }
    }
}

/// A node: `_smithers_nodes`.
///
/// ```
/// use runstate::smithers::wire::{NodeRow, NodeState};
/// use runstate::word::Word;
///
/// let row: NodeRow = serde_json::from_str(r#"{"nodeId":"nap","iteration":2,"state":"waiting-timer"}"#)?;
/// assert_eq!((row.iteration, row.state), (Some(2.0), Some(Word::Known(NodeState::WaitingTimer))));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeRow {
    /// The node's id.
    #[serde(alias = "node_id")]
    pub node_id: String,
    /// The iteration of a loop; 0 if missing.
    #[serde(default)]
    pub iteration: Option<f64>,
    /// The node's state; `None` if the column is not text.
    #[serde(default, deserialize_with = "word_or_none")]
    pub state: Option<Word<NodeState>>,
}

impl NodeRow {
    /// A node in this state.
    pub fn new(node_id: impl Into<String>, iteration: Option<f64>, state: Option<&str>) -> Self {
        Self { node_id: node_id.into(), iteration, state: state.map(Word::new) }
    }
}

/// One attempt at a node: `_smithers_attempts`.
///
/// The newest attempt of a waiting node contains the awaited timer or event.
///
/// ```
/// use runstate::smithers::derive::{RowQueries, QueryAnswer};
/// use runstate::smithers::wire::{AttemptRow, NodeRow};
/// use runstate::word::Word;
///
/// let mut queries = RowQueries::for_status(Some(&Word::new("waiting-timer")));
/// let nap = NodeRow::new("nap", Some(0.0), Some("waiting-timer"));
/// queries.answer(QueryAnswer::Nodes(vec![nap]));
/// let meta_json = r#"{"timer":{"timerId":"nap","firesAtMs":1700000060000}}"#.to_owned();
/// let attempt = AttemptRow::new(Some("waiting-timer"), Some(meta_json));
/// queries.answer(QueryAnswer::Attempts(vec![attempt]));
/// assert_eq!(queries.finish().pending_timer.unwrap().fires_at_ms, 1_700_000_060_000.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AttemptRow {
    /// The attempt's state; `None` if the column is not text.
    #[serde(default, deserialize_with = "word_or_none")]
    pub state: Option<Word<NodeState>>,
    /// The awaited timer or event, as JSON text.
    #[serde(default, alias = "meta_json", deserialize_with = "text_or_none")]
    pub meta_json: Option<String>,
}

impl AttemptRow {
    /// An attempt in this state.
    pub fn new(state: Option<&str>, meta_json: Option<String>) -> Self {
        Self { state: state.map(Word::new), meta_json }
    }
}

/// A sandbox: `_smithers_sandboxes`.
///
/// ```
/// use runstate::smithers::wire::SandboxRow;
///
/// let row: SandboxRow = serde_json::from_str(r#"{"status":"running","heartbeatAtMs":1700000000000}"#)?;
/// assert_eq!(row.heartbeat_at_ms, Some(1_700_000_000_000.0));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SandboxRow {
    /// The sandbox's status; `None` if the column is not text.
    #[serde(default, deserialize_with = "word_or_none")]
    pub status: Option<Word<SandboxStatus>>,
    /// Its last heartbeat, milliseconds since 1970; `None` if the column is not a number.
    #[serde(default, alias = "heartbeat_at_ms", deserialize_with = "number_or_none")]
    pub heartbeat_at_ms: Option<f64>,
}

impl SandboxRow {
    /// A sandbox with this status that last reported at this time.
    pub fn new(status: Option<&str>, heartbeat_at_ms: Option<f64>) -> Self {
        Self { status: status.map(Word::new), heartbeat_at_ms }
    }
}

/// Reads a number; `None` for anything else, as in the released reader.
fn number_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Value::deserialize(deserializer).map(|value| value.as_f64())
}

/// Reads a word; `None` for anything but a text, as in the released reader.
fn word_or_none<'de, D: Deserializer<'de>, V: Vocabulary>(
    deserializer: D,
) -> Result<Option<Word<V>>, D::Error> {
    Value::deserialize(deserializer).map(|value| value.as_str().map(Word::new))
}

/// Reads a text; `None` for anything else, as in the released reader.
fn text_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Value::deserialize(deserializer).map(|value| value.as_str().map(str::to_owned))
}
