//! A task as the engine plans it (seed 002).

use super::TaskKind;
use super::field::{Entries, Field, Json};
use super::record::record;
use crate::json::{ReadError, Slice};
use crate::number::Number;
use crate::word::Word;

crate::vocabulary! {
    /// How the wait between attempts grows.
    ///
    /// ```
    /// use runstate::smithers::wire::{RetryBackoff, RetryPolicy};
    ///
    /// let policy = RetryPolicy::from_json(r#"{"backoff":"linear","initialDelayMs":500}"#)?;
    /// assert_eq!(policy.backoff.as_ref().and_then(|word| word.known()), Some(RetryBackoff::Linear));
    /// assert_eq!(policy.delay_ms(3), Some(1500.0));
    /// # Ok::<(), runstate::json::ReadError>(())
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
    /// What an approval decides (the last two are Smithers 0.32's).
    ///
    /// ```
    /// use runstate::smithers::wire::ApprovalMode;
    /// use runstate::word::Vocabulary;
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
    /// What a no does.
    ///
    /// ```
    /// use runstate::smithers::wire::ApprovalOnDeny;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(ApprovalOnDeny::WORDS, ["fail", "continue", "skip"]);
    /// ```
    pub enum ApprovalOnDeny ("denial answer") {
        /// The task fails.
        Fail = "fail",
        /// The workflow goes on.
        Continue = "continue",
        /// The task is passed over.
        Skip = "skip",
    }
}

record! {
    /// When a failed task is tried again.
    ///
    /// A backoff that nobody knows gives no wait, rather than a wrong one.
    ///
    /// ```
    /// use runstate::smithers::wire::RetryPolicy;
    ///
    /// let policy = RetryPolicy::from_json(r#"{"backoff":"fibonacci","initialDelayMs":500}"#)?;
    /// assert_eq!(policy.delay_ms(1), None);
    /// assert_eq!(policy.to_json(), r#"{"backoff":"fibonacci","initialDelayMs":500}"#);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct RetryPolicy {
        /// How the wait grows; `fixed` where it is not said.
        backoff: Option<Word<RetryBackoff>> = "backoff",
        /// The first wait, milliseconds; 0 where it is not said.
        initial_delay_ms: Option<Number> = "initialDelayMs",
    }
}

impl RetryPolicy {
    /// The wait after an attempt, milliseconds (seed 002's formulas; attempts count from 1). `None` for a backoff that is not known.
    ///
    /// ```
    /// use runstate::smithers::wire::RetryPolicy;
    ///
    /// let policy = RetryPolicy::from_json(r#"{"backoff":"exponential","initialDelayMs":500}"#)?;
    /// assert_eq!([1, 2, 3].map(|attempt| policy.delay_ms(attempt)), [Some(500.0), Some(1000.0), Some(2000.0)]);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn delay_ms(&self, attempt: u32) -> Option<f64> {
        let first = self.initial_delay_ms.map_or(0.0, |delay| delay.0);
        let backoff = self.backoff.as_ref().map_or(Some(RetryBackoff::Fixed), Word::known)?;
        Some(match backoff {
            RetryBackoff::Fixed => first,
            RetryBackoff::Linear => first * f64::from(attempt),
            RetryBackoff::Exponential => (1..attempt.min(2000)).fold(first, |delay, _| delay * 2.0),
        })
    }
}

/// How often a task is tried again. A task of which the workflow says nothing is tried for ever: upstream's `Infinity`, which JSON
/// writes as null.
///
/// ```
/// use runstate::smithers::wire::{Retries, TaskDescriptor};
///
/// let task = TaskDescriptor::from_json(
///     r#"{"nodeId":"a","ordinal":0,"iteration":0,"outputTableName":"a","needsApproval":false,"skipIf":false,"retries":null,
///         "continueOnFail":false}"#,
/// )?;
/// assert_eq!(task.retries, Retries::Unlimited);
/// assert!(task.to_json().contains(r#""retries":null"#));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retries {
    /// As often as this.
    UpTo(u32),
    /// Without an end.
    Unlimited,
}

impl Field for Retries {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        if slice.json() == "null" { Ok(Self::Unlimited) } else { slice.read_small().map(Self::UpTo) }
    }

    fn write(&self) -> Option<String> {
        match self {
            Self::UpTo(retries) => retries.write(),
            Self::Unlimited => Some("null".to_owned()),
        }
    }
}

record! {
    /// A task as it was found in the workflow.
    ///
    /// Functions and schemas do not survive as JSON: what is left of them is kept as it came.
    ///
    /// ```
    /// use runstate::smithers::wire::TaskDescriptor;
    ///
    /// let task = TaskDescriptor::from_json(
    ///     r#"{"nodeId":"deploy","ordinal":4,"iteration":0,"dependsOn":["build"],"outputTableName":"deploy",
    ///         "needsApproval":true,"approvalOnDeny":"fail","skipIf":false,"retries":2,"continueOnFail":false}"#,
    /// )?;
    /// assert!(task.needs_approval);
    /// assert_eq!(task.depends_on.as_deref(), Some(&["build".to_owned()][..]));
    /// assert_eq!(TaskDescriptor::from_json(&task.to_json())?, task);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub struct TaskDescriptor {
        /// The task's id.
        node_id: String = "nodeId",
        /// Its place in the order of execution.
        ordinal: u32 = "ordinal",
        /// The round of its loop.
        iteration: u32 = "iteration",
        /// How it does its work (Smithers 0.32).
        kind: Option<Word<TaskKind>> = "kind",
        /// The loop around it.
        ralph_id: Option<String> = "ralphId",
        /// The tasks that must end first.
        depends_on: Option<Vec<String>> = "dependsOn",
        /// The same by name.
        needs: Option<Entries<String>> = "needs",
        /// Its working tree.
        worktree_id: Option<String> = "worktreeId",
        /// Where that is.
        worktree_path: Option<String> = "worktreePath",
        /// Its branch.
        worktree_branch: Option<String> = "worktreeBranch",
        /// The table of its output.
        output_table: Option<Json> = "outputTable",
        /// The name of that table.
        output_table_name: String = "outputTableName",
        /// The group that it runs beside.
        parallel_group_id: Option<String> = "parallelGroupId",
        /// How many of the group run at once.
        parallel_max_concurrency: Option<u32> = "parallelMaxConcurrency",
        /// Whether a person must approve it.
        needs_approval: bool = "needsApproval",
        /// What the approval decides; a gate where it is not said.
        approval_mode: Option<Word<ApprovalMode>> = "approvalMode",
        /// What a no does.
        approval_on_deny: Option<Word<ApprovalOnDeny>> = "approvalOnDeny",
        /// Whether it is passed over.
        skip_if: bool = "skipIf",
        /// How often it is tried again.
        retries: Retries = "retries",
        /// When it is tried again.
        retry_policy: Option<RetryPolicy> = "retryPolicy",
        /// How long it may take, milliseconds.
        timeout_ms: Option<Number> = "timeoutMs",
        /// Whether the workflow goes on without it.
        continue_on_fail: bool = "continueOnFail",
        /// When its output is taken from before.
        cache_policy: Option<Json> = "cachePolicy",
        /// The agent, or those to try one after another.
        agent: Option<Json> = "agent",
        /// What the agent is told.
        prompt: Option<String> = "prompt",
        /// The output of a task that does nothing.
        static_payload: Option<Json> = "staticPayload",
        /// The name that people see.
        label: Option<String> = "label",
        /// Anything else.
        meta: Option<Json> = "meta",
    }
}
