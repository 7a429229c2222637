//! A run as the database and the Gateway's `getRun` and `listRuns` have it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{RunStateView, RunStatus};
use crate::number::Number;
use crate::word::Word;

/// A run row (protocol section 4): camelCase as the Gateway sends it, or `snake_case` as the database has it.
///
/// Times are milliseconds since 1970. Fields that a viewer does not need are not read; `configJson` and
/// `workflowPath` are left out on purpose, they hold scopes, token ids and absolute paths.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// The run's id.
    #[serde(alias = "run_id")]
    pub run_id: String,
    /// The status column; `None` where it is missing or null.
    #[serde(default)]
    pub status: Option<Word<RunStatus>>,
    /// The run that started this one, or that this one continues.
    #[serde(default, alias = "parent_run_id")]
    pub parent_run_id: Option<String>,
    /// The workflow's name.
    #[serde(default, alias = "workflow_name")]
    pub workflow_name: Option<String>,
    /// The key under which the Gateway registered the workflow.
    #[serde(default)]
    pub workflow_key: Option<String>,
    /// When the row was written.
    #[serde(default, alias = "created_at_ms")]
    pub created_at_ms: Option<f64>,
    /// When the engine started.
    #[serde(default, alias = "started_at_ms")]
    pub started_at_ms: Option<f64>,
    /// When the run ended.
    #[serde(default, alias = "finished_at_ms")]
    pub finished_at_ms: Option<f64>,
    /// The engine's last report.
    #[serde(default, alias = "heartbeat_at_ms")]
    pub heartbeat_at_ms: Option<f64>,
    /// The process that owns the run, `pid:N…`.
    #[serde(default, alias = "runtime_owner_id")]
    pub runtime_owner_id: Option<String>,
    /// The run's error, or the quota's numbers, as JSON text.
    #[serde(default, alias = "error_json")]
    pub error_json: Option<String>,
    /// When somebody asked to cancel.
    #[serde(default, alias = "cancel_requested_at_ms")]
    pub cancel_requested_at_ms: Option<f64>,
    /// When somebody asked to pause.
    #[serde(default, alias = "pause_requested_at_ms")]
    pub pause_requested_at_ms: Option<f64>,
    /// How many nodes are in each state; `getRun` alone has it.
    #[serde(default)]
    pub summary: Option<BTreeMap<String, u64>>,
    /// The server's own answer; `getRun` alone has it.
    #[serde(default)]
    pub run_state: Option<RunStateView>,
    /// How many tolerated failures a succeeded run hides.
    #[serde(default)]
    pub failed_children: Option<Number>,
    /// Which nodes they were.
    #[serde(default)]
    pub failed_child_keys: Option<Vec<String>>,
}
