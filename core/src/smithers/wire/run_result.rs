//! What `runWorkflow` answers (seed 002).

use super::RunStatus;
use super::field::{Field, Json};
use super::record::record;
use crate::json::{ReadError, Slice};
use crate::word::Word;

/// How a run left off: any status but `running`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultStatus(pub Word<RunStatus>);

impl Field for ResultStatus {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let status: Word<RunStatus> = slice.read_word()?;
        if status.known() == Some(RunStatus::Running) {
            return Err(slice.refuse("Expected a status that a run ends or waits with, found \"running\"."));
        }
        Ok(Self(status))
    }

    fn write(&self) -> Option<String> {
        self.0.write()
    }
}

record! {
    /// How a run ended, or what it waits for.
    ///
    /// ```
    /// use runstate::smithers::wire::{RunResult, RunStatus};
    ///
    /// let result = RunResult::from_json(r#"{"runId":"r","status":"failed","error":{"message":"disk is full"}}"#)?;
    /// assert_eq!(result.status.0.known(), Some(RunStatus::Failed));
    /// assert_eq!(RunResult::from_json(&result.to_json())?, result);
    /// assert!(RunResult::from_json(r#"{"runId":"r","status":"running"}"#).is_err());
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct RunResult {
        /// The run.
        run_id: String = "runId",
        /// How it left off.
        status: ResultStatus = "status",
        /// Its output, where it finished.
        output: Option<Json> = "output",
        /// Its error, where it failed.
        error: Option<Json> = "error",
    }
}

record! {
    /// What `retryTask` answers.
    ///
    /// ```
    /// use runstate::smithers::wire::RetryTaskResult;
    ///
    /// let result = RetryTaskResult::from_json(r#"{"success":false,"resetNodes":[],"error":"Run is still running"}"#)?;
    /// assert_eq!(result.error.as_deref(), Some("Run is still running"));
    /// assert_eq!(RetryTaskResult::from_json(&result.to_json())?, result);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct RetryTaskResult {
        /// Whether the task will run again.
        success: bool = "success",
        /// The nodes that are pending again.
        reset_nodes: Vec<String> = "resetNodes",
        /// Why it will not run again.
        error: Option<String> = "error",
    }
}
