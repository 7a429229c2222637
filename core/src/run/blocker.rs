//! The blockers of a run, with their nodes.
//!
//! ```
//! use runstate::ingest::inspect;
//! use runstate::run::Blocker;
//! use runstate::time::Millis;
//!
//! let printed = br#"{"runId":"r1","status":"waiting-approval","generatedAtMs":1700000000000,"summary":"1 blocker","blockers":[
//!     {"kind":"waiting-approval","nodeId":"gate","iteration":0,"reason":"Waiting for a decision",
//!      "unblocker":"smithers approve r1 --node gate --iteration 0"}]}"#;
//! let blocker = &inspect(printed, None, Millis(0.0))?.run.unwrap().reported_blockers[0];
//! assert_eq!(blocker.kind.known(), Some(Blocker::WaitingApproval));
//! assert_eq!(blocker.command.as_deref(), Some("smithers approve r1 --node gate --iteration 0"));
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```

use serde::Serialize;

use crate::time::Millis;
use crate::word::Word;

crate::vocabulary! {
    /// The kind of thing that blocks a run. The words down to `side-effect-boundary-crossed` are those of `smithers why`
    /// (protocol section 8); the others are Runstate's own.
    ///
    /// ```
    /// use runstate::run::Blocker;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Blocker::RetriesExhausted.as_str(), "retries-exhausted");
    /// ```
    pub enum Blocker ("blocker") {
        /// A person must decide.
        WaitingApproval = "waiting-approval",
        /// A signal must come.
        WaitingEvent = "waiting-event",
        /// A time must come.
        WaitingTimer = "waiting-timer",
        /// A person has decided, but the run was not resumed.
        ApprovalDecidedResumeRequired = "approval-decided-resume-required",
        /// The engine sends no heartbeat.
        StaleHeartbeat = "stale-heartbeat",
        /// The engine's process is alive but reports late.
        EngineBusy = "engine-busy",
        /// A running task has been silent for longer than its limit.
        StaleTaskHeartbeat = "stale-task-heartbeat",
        /// A task waits between two attempts.
        RetryBackoff = "retry-backoff",
        /// A task failed at its last attempt.
        RetriesExhausted = "retries-exhausted",
        /// A task that this one depends on failed.
        DependencyFailed = "dependency-failed",
        /// A task's binding has no value.
        BindingMissing = "binding-missing",
        /// The value that a task was bound to changed.
        BoundStale = "bound-stale",
        /// Time travel crossed side effects outside the run.
        SideEffectBoundaryCrossed = "side-effect-boundary-crossed",
        /// A usage limit blocks the run.
        Quota = "quota",
        /// A model provider is unavailable.
        Provider = "provider",
        /// A tool is unavailable.
        Tool = "tool",
        /// An external trigger must start the run again.
        ExternalTrigger = "external-trigger",
        /// The run is paused.
        Paused = "paused",
        /// The database is locked.
        DbLock = "db-lock",
        /// A sandbox does not respond.
        SandboxUnreachable = "sandbox-unreachable",
        /// The supervisor waits before its next try.
        SupervisorBackoff = "supervisor-backoff",
    }
}

/// A node in one iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "NodeRound"))]
#[non_exhaustive]
pub struct Target {
    /// The node's id as the workflow author wrote it.
    pub node_id: String,
    /// The iteration of a loop; 0 outside loops.
    pub iteration: u32,
}

/// What blocks a run according to `smithers why`. `untilMs` is in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "WhyEntry"))]
#[non_exhaustive]
pub struct ReportedBlocker {
    /// The kind of blocker.
    #[cfg_attr(test, tsify(type = "Blocker | (string & {})"))]
    pub kind: Word<Blocker>,
    /// The blocked node; absent for the run as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "NodeRound"))]
    pub node: Option<Target>,
    /// The command's own sentence.
    pub reason: String,
    /// The command that unblocks the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The command that denies instead, if there is one.
    #[serde(skip)]
    pub deny: Option<String>,
    /// The name of the signal that the node waits for.
    #[serde(skip)]
    pub signal_name: Option<String>,
    /// The correlation id of that signal.
    #[serde(skip)]
    pub correlation_id: Option<String>,
    /// The time at which a timer fires.
    #[serde(rename = "untilMs", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub until: Option<Millis>,
}

#[cfg(test)]
mod tests {
    #[test]
    fn targets_are_nodes() {
        use crate::run::Target;
        let first = Target { node_id: "review".into(), iteration: 0 };
        assert_ne!(first, Target { iteration: 1, ..first.clone() });
    }
}
