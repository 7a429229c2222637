//! The result of `runWorkflow` (seed 002).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::RunStatus;
use crate::word::Word;

/// How a run left off: any status but `running`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Word<RunStatus>")]
#[non_exhaustive]
pub struct ResultStatus(pub Word<RunStatus>);

impl TryFrom<Word<RunStatus>> for ResultStatus {
    type Error = &'static str;

    fn try_from(status: Word<RunStatus>) -> Result<Self, Self::Error> {
        if status.known() == Some(RunStatus::Running) {
            return Err("expected a status that a run ends or waits with, found \"running\"");
        }
        Ok(Self(status))
    }
}

/// The end of a run, or the reason for its waiting.
///
/// ```
/// use runstate::smithers::wire::{RunResult, RunStatus};
///
/// let json = r#"{"runId":"r","status":"failed","error":{"message":"disk is full"}}"#;
/// let result: RunResult = serde_json::from_str(json)?;
/// assert_eq!(result.status.0.known(), Some(RunStatus::Failed));
/// assert_eq!(serde_json::to_string(&result)?, json);
/// assert!(serde_json::from_str::<RunResult>(r#"{"runId":"r","status":"running"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunResult {
    /// The run.
    pub run_id: String,
    /// How it left off.
    pub status: ResultStatus,
    /// The output, if the run finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// The error, if the run failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The parameters of `retryTask`.
///
/// ```
/// use runstate::smithers::wire::RetryTaskOptions;
///
/// let json = r#"{"runId":"r1","nodeId":"deploy","resetDependents":false}"#;
/// let options: RetryTaskOptions = serde_json::from_str(json)?;
/// assert_eq!((options.iteration, options.reset_dependents), (None, Some(false)));
/// assert_eq!(serde_json::to_string(&options)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RetryTaskOptions {
    /// The run.
    pub run_id: String,
    /// The task to run again.
    pub node_id: String,
    /// Its iteration; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// Whether the tasks that depend on it run again as well; they do if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset_dependents: Option<bool>,
    /// Whether a task of a run that is still active is retried; it is not if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The result of `retryTask`.
///
/// ```
/// use runstate::smithers::wire::RetryTaskResult;
///
/// let json = r#"{"success":false,"resetNodes":[],"error":"Run is still running"}"#;
/// let result: RetryTaskResult = serde_json::from_str(json)?;
/// assert_eq!(result.error.as_deref(), Some("Run is still running"));
/// assert_eq!(serde_json::to_string(&result)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RetryTaskResult {
    /// Whether the task will run again.
    pub success: bool,
    /// The nodes that are pending again.
    pub reset_nodes: Vec<String>,
    /// Why it will not run again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}
