//! A task as the engine plans it (seed 002).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Entries, TaskKind};
use crate::number::Number;
use crate::time::Millis;
use crate::word::Word;

crate::vocabulary! {
    /// How the wait between attempts grows.
    ///
    /// ```
    /// use runstate::smithers::wire::{RetryBackoff, RetryPolicy};
    ///
    /// let policy: RetryPolicy = serde_json::from_str(r#"{"backoff":"linear","initialDelayMs":500}"#)?;
    /// assert_eq!(policy.backoff.as_ref().and_then(|word| word.known()), Some(RetryBackoff::Linear));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub enum RetryBackoff ("retry backoff") {
        /// Not at all.
        Fixed = "fixed",
        /// By the first wait each time.
        Linear = "linear",
        /// Twice as long each time.
        Exponential = "exponential",
    }
}

crate::vocabulary! {
    /// The kind of an approval's decision (the last two are from Smithers 0.32).
    ///
    /// ```
    /// use runstate::{smithers::wire::ApprovalMode, word::Vocabulary};
    ///
    /// assert_eq!(ApprovalMode::from_word("select"), Some(ApprovalMode::Select));
    /// ```
    pub enum ApprovalMode ("mode of approval") {
        /// Whether the task may begin.
        Gate = "gate",
        /// A yes or no that the workflow reads.
        Decision = "decision",
        /// One of some options.
        Select = "select",
        /// The order of some options.
        Rank = "rank",
    }
}

crate::vocabulary! {
    /// The effect of a denial.
    ///
    /// ```
    /// use runstate::{smithers::wire::ApprovalOnDeny, word::Vocabulary};
    ///
    /// assert_eq!(ApprovalOnDeny::WORDS, ["fail", "continue", "skip"]);
    /// ```
    pub enum ApprovalOnDeny ("denial answer") {
        /// The task fails.
        Fail = "fail",
        /// The workflow continues.
        Continue = "continue",
        /// The task is passed over.
        Skip = "skip",
    }
}

/// The rule for retrying a failed task.
///
/// ```
/// use runstate::smithers::wire::RetryPolicy;
///
/// let policy: RetryPolicy = serde_json::from_str(r#"{"backoff":"fibonacci","initialDelayMs":500}"#)?;
/// assert_eq!(serde_json::to_string(&policy)?, r#"{"backoff":"fibonacci","initialDelayMs":500}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RetryPolicy {
    /// The growth of the wait; `fixed` if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backoff: Option<Word<RetryBackoff>>,
    /// The first wait, milliseconds; 0 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_delay_ms: Option<Number>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl RetryPolicy {
    /// How long the engine waits after the failed attempt of this number, from 1, until the next one, milliseconds (seed 002). `None` for
    /// a growth that Runstate does not know.
    ///
    /// ```
    /// use runstate::smithers::wire::RetryPolicy;
    ///
    /// let policy: RetryPolicy = serde_json::from_str(r#"{"backoff":"exponential","initialDelayMs":500}"#)?;
    /// assert_eq!([1, 2, 3].map(|attempt| policy.delay_ms(attempt)), [Some(500.0), Some(1000.0), Some(2000.0)]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn delay_ms(&self, attempt: u32) -> Option<f64> {
        let initial = self.initial_delay_ms.map_or(0.0, |delay| delay.0);
        let backoff = self.backoff.as_ref().map_or(Some(RetryBackoff::Fixed), Word::known)?;
        Some(match backoff {
            RetryBackoff::Fixed => initial,
            RetryBackoff::Linear => initial * f64::from(attempt),
            RetryBackoff::Exponential => initial * 2_f64.powf(f64::from(attempt) - 1.0),
        })
    }

    /// When the next attempt starts at the earliest, given when the failed attempt of this number ended.
    ///
    /// See [`delay_ms`](Self::delay_ms) for an example.
    pub fn next_attempt_at(&self, attempt: u32, failed_at: Millis) -> Option<Millis> {
        self.delay_ms(attempt).map(|delay| Millis(failed_at.0 + delay))
    }
}

/// The rule for reusing an earlier output of a task. Its function `by` has no JSON form.
///
/// ```
/// use runstate::smithers::wire::CachePolicy;
///
/// let policy: CachePolicy = serde_json::from_str(r#"{"version":"v2"}"#)?;
/// assert_eq!(policy.version.as_deref(), Some("v2"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CachePolicy {
    /// The version; another one does not reuse earlier outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Maximum number of retries. The default is upstream's `Infinity`, which is null in JSON.
///
/// ```
/// use runstate::smithers::wire::{Retries, TaskDescriptor};
///
/// let task: TaskDescriptor = serde_json::from_str(
///     r#"{"nodeId":"a","ordinal":0,"iteration":0,"outputTableName":"a","needsApproval":false,"skipIf":false,"retries":null,
///         "continueOnFail":false}"#,
/// )?;
/// assert_eq!(task.retries, Retries::Unlimited);
/// assert!(serde_json::to_string(&task)?.contains(r#""retries":null"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Retries {
    /// As often as this.
    UpTo(u32),
    /// Without an end.
    Unlimited,
}

/// A task as defined in the workflow.
///
/// Functions and schemas have no JSON form; their remains are kept verbatim.
///
/// ```
/// use runstate::smithers::wire::TaskDescriptor;
///
/// let task: TaskDescriptor = serde_json::from_str(
///     r#"{"nodeId":"deploy","ordinal":4,"iteration":0,"dependsOn":["build"],"outputTableName":"deploy",
///         "needsApproval":true,"approvalOnDeny":"fail","skipIf":false,"retries":2,"continueOnFail":false}"#,
/// )?;
/// assert!(task.needs_approval);
/// assert_eq!(task.depends_on.as_deref(), Some(&["build".to_owned()][..]));
/// let json = serde_json::to_string(&task)?;
/// assert_eq!(serde_json::from_str::<TaskDescriptor>(&json)?, task);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaskDescriptor {
    /// The task's id.
    pub node_id: String,
    /// Its position in the order of execution.
    pub ordinal: u32,
    /// The round of its loop.
    pub iteration: u32,
    /// How it does its work (Smithers 0.32).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Word<TaskKind>>,
    /// The loop around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ralph_id: Option<String>,
    /// The tasks that must end first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<Vec<String>>,
    /// The dependencies by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Entries>,
    /// Its Git worktree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worktree_id: Option<String>,
    /// The path of the worktree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worktree_path: Option<String>,
    /// The branch of the worktree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worktree_branch: Option<String>,
    /// The table of its output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_table: Option<Value>,
    /// The name of that table.
    pub output_table_name: String,
    /// The parallel group that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_group_id: Option<String>,
    /// The maximum number of concurrent tasks in the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_max_concurrency: Option<u32>,
    /// Whether a person must approve it.
    pub needs_approval: bool,
    /// The kind of the approval's decision; a gate if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<Word<ApprovalMode>>,
    /// The effect of a denial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval_on_deny: Option<Word<ApprovalOnDeny>>,
    /// Whether it is passed over.
    pub skip_if: bool,
    /// The maximum number of retries.
    pub retries: Retries,
    /// The rule for retries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_policy: Option<RetryPolicy>,
    /// The time limit, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Number>,
    /// Whether the workflow continues if the task fails.
    pub continue_on_fail: bool,
    /// The rule for reusing an earlier output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_policy: Option<CachePolicy>,
    /// The agent, or those to try one after another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<Value>,
    /// The agent's prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The output of a task without work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub static_payload: Option<Value>,
    /// The name that people see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

#[cfg(test)]
mod tests {
    use super::RetryPolicy;
    use crate::time::Millis;

    /// The wait after the first, the second and the fifth attempt.
    fn delays(policy: &str) -> [Option<f64>; 3] {
        let policy: RetryPolicy = serde_json::from_str(policy).unwrap();
        [1, 2, 5].map(|attempt| policy.delay_ms(attempt))
    }

    #[test]
    fn the_wait_grows_as_the_policy_says() {
        assert_eq!(delays("{}"), [Some(0.0); 3], "at once");
        assert_eq!(delays(r#"{"initialDelayMs":250}"#), [Some(250.0); 3], "fixed by default");
        assert_eq!(delays(r#"{"backoff":"fixed","initialDelayMs":250}"#), [Some(250.0); 3]);
        assert_eq!(delays(r#"{"backoff":"linear","initialDelayMs":250}"#), [250.0, 500.0, 1250.0].map(Some));
        assert_eq!(
            delays(r#"{"backoff":"exponential","initialDelayMs":250}"#),
            [250.0, 500.0, 4000.0].map(Some)
        );
        assert_eq!(
            delays(r#"{"backoff":"fibonacci","initialDelayMs":250}"#),
            [None; 3],
            "no time is invented"
        );
    }

    #[test]
    fn the_next_attempt_starts_after_the_wait() {
        let policy: RetryPolicy =
            serde_json::from_str(r#"{"backoff":"linear","initialDelayMs":1000}"#).unwrap();
        assert_eq!(policy.next_attempt_at(2, Millis(500.0)), Some(Millis(2500.0)));
    }
}
