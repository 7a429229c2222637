//! lionagi's vocabularies.

crate::vocabulary! {
    /// The `status` column of a session (ADR-0025; `CompletedEmpty` since lionagi 0.36). NULL is
    /// [`StoredStatus::Legacy`](super::StoredStatus::Legacy).
    ///
    /// ```
    /// use runstate::lionagi::wire::SessionStatus;
    /// use runstate::word::{Vocabulary, Word};
    ///
    /// assert!(SessionStatus::TimedOut.is_terminal());
    /// assert_eq!(SessionStatus::from_word("completed_empty"), Some(SessionStatus::CompletedEmpty));
    /// assert_eq!(Word::<SessionStatus>::new("paused").as_str(), "paused");
    /// ```
    pub enum SessionStatus ("session status") {
        /// Running, according to the last write.
        Running = "running",
        /// Ended normally.
        Completed = "completed",
        /// Ended normally, without a commit, an artifact or an answer.
        CompletedEmpty = "completed_empty",
        /// Ended with an error.
        Failed = "failed",
        /// Ended by its timeout.
        TimedOut = "timed_out",
        /// Aborted by its user.
        Aborted = "aborted",
        /// Cancelled by the system, an orchestrator or an administrator.
        Cancelled = "cancelled",
    }
}

impl SessionStatus {
    /// Whether the session has ended. A resume may still reopen it.
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Running => false,
            Self::Completed
            | Self::CompletedEmpty
            | Self::Failed
            | Self::TimedOut
            | Self::Aborted
            | Self::Cancelled => true,
        }
    }
}

crate::vocabulary! {
    /// The health of a session (ADR-0024), from the best to the worst.
    pub enum SessionHealth ("session health") {
        /// No problem.
        Healthy = "healthy",
        /// Inactive for more than an hour.
        Idle = "idle",
        /// The process is alive, but has been inactive for longer than its threshold.
        Unresponsive = "unresponsive",
        /// The process is dead, or it is not known to be alive and has been inactive for longer than its threshold.
        Stale = "stale",
        /// No live process, no messages and no artifacts.
        Orphaned = "orphaned",
        /// Ended, but a lock still exists.
        Zombie = "zombie",
    }
}

crate::vocabulary! {
    /// The origin of a session, which determines how long the session may be inactive.
    ///
    /// ```
    /// use runstate::lionagi::wire::InvocationKind;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(InvocationKind::ShowPlay.as_str(), "show-play");
    /// ```
    pub enum InvocationKind ("invocation kind") {
        /// One agent.
        Agent = "agent",
        /// A play outside a show.
        Play = "play",
        /// A graph of agents.
        Flow = "flow",
        /// Several agents in parallel.
        Fanout = "fanout",
        /// A play of a show.
        ShowPlay = "show-play",
        /// An engine, since 0.36. ADR-0024 has no threshold for it.
        Engine = "engine",
    }
}

crate::vocabulary! {
    /// How something ended (ADR-0033).
    ///
    /// ```
    /// use runstate::lionagi::wire::Outcome;
    /// use runstate::word::Vocabulary;
    ///
    /// // ADR-0033 has two words for success: one for invocations, one for sessions.
    /// assert_eq!(Outcome::WORDS[..2], ["succeeded", "completed"]);
    /// ```
    pub enum Outcome ("outcome") {
        /// An invocation succeeded.
        Succeeded = "succeeded",
        /// A session completed.
        Completed = "completed",
        /// A play was merged.
        Merged = "merged",
        /// Ended with an error.
        Failed = "failed",
        /// Ended by its timeout.
        TimedOut = "timed_out",
        /// Cancelled by the system.
        Cancelled = "cancelled",
        /// Aborted by its user.
        Aborted = "aborted",
        /// Not executed.
        Skipped = "skipped",
        /// Ended; it is not known how.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// The health of sessions, invocations, schedules and more (ADR-0033). The ADR mentions the last three in its text only.
    ///
    /// ```
    /// use runstate::lionagi::wire::NormalizedHealth;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(NormalizedHealth::from_word("process_dead"), Some(NormalizedHealth::ProcessDead));
    /// assert_eq!(NormalizedHealth::from_word("stale"), None); // a health of ADR-0024
    /// ```
    pub enum NormalizedHealth ("normalized health") {
        /// No problem.
        Ok = "ok",
        /// Running.
        Running = "running",
        /// Inactive.
        Idle = "idle",
        /// A problem that does not stop the work.
        Degraded = "degraded",
        /// No progress.
        Stalled = "stalled",
        /// The process is confirmed dead.
        ProcessDead = "process_dead",
        /// No live process and no output.
        Orphaned = "orphaned",
        /// Not reachable.
        Disconnected = "disconnected",
        /// Not known.
        Unknown = "unknown",
        /// A schedule did not fire.
        Misfired = "misfired",
        /// A schedule is about to fire.
        Due = "due",
        /// Waiting for something else.
        Blocked = "blocked",
    }
}

crate::vocabulary! {
    /// Whether the expected artifacts were delivered (ADR-0033).
    ///
    /// ```
    /// use runstate::lionagi::wire::Delivery;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Delivery::from_word("not_expected"), Some(Delivery::NotExpected));
    /// assert_eq!(Delivery::from_word("unknown"), Some(Delivery::Unknown));
    /// ```
    pub enum Delivery ("delivery") {
        /// All expected artifacts exist.
        Passed = "passed",
        /// All required artifacts exist, but not all optional ones.
        Partial = "partial",
        /// A required artifact does not exist.
        Missing = "missing",
        /// The artifacts exist, but are invalid.
        Invalid = "invalid",
        /// No artifacts are expected.
        NotExpected = "not_expected",
        /// Not verified, or not finally.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// How urgently something needs attention (ADR-0033).
    ///
    /// ```
    /// use runstate::lionagi::wire::Severity;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Severity::WORDS, ["critical", "warning", "info", "neutral"]);
    /// ```
    pub enum Severity ("severity") {
        /// Needs attention now.
        Critical = "critical",
        /// Needs attention soon.
        Warning = "warning",
        /// For information.
        Info = "info",
        /// Needs no attention.
        Neutral = "neutral",
    }
}

crate::vocabulary! {
    /// The colour of a badge (ADR-0033). lionagi's five tones differ from those of [`Tone`](crate::pill::Tone).
    pub enum SeverityTone ("severity tone") {
        /// Failed.
        Danger = "danger",
        /// Needs attention.
        Warning = "warning",
        /// Running.
        Info = "info",
        /// Successful.
        Success = "success",
        /// Anything else.
        Neutral = "neutral",
    }
}

crate::vocabulary! {
    /// How certain a reason is (ADR-0033).
    ///
    /// ```
    /// use runstate::lionagi::wire::ClaimStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(ClaimStatus::Inferred.as_str(), "inferred");
    /// ```
    pub enum ClaimStatus ("claim status") {
        /// Observed.
        Observed = "observed",
        /// Inferred from observations.
        Inferred = "inferred",
        /// Assumed.
        Hypothesis = "hypothesis",
        /// Verified.
        Verified = "verified",
        /// Contradicted.
        Disputed = "disputed",
        /// Replaced.
        Superseded = "superseded",
    }
}

crate::vocabulary! {
    /// The result of verifying an artifact contract (`artifact_verification_json.status`).
    ///
    /// ```
    /// use runstate::lionagi::wire::Verification;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Verification::WORDS, ["passed", "warning", "failed", "not_recorded"]);
    /// ```
    pub enum Verification ("artifact verification") {
        /// All artifacts exist.
        Passed = "passed",
        /// An optional artifact does not exist.
        Warning = "warning",
        /// A required artifact does not exist.
        Failed = "failed",
        /// Not verified.
        NotRecorded = "not_recorded",
    }
}

crate::vocabulary! {
    /// The kind of a document of lionagi.
    ///
    /// ```
    /// use runstate::lionagi::wire::LionagiDocumentKind;
    /// use runstate::ingest::lionagi::read;
    /// use runstate::time::Millis;
    ///
    /// let list = r#"{"sessions":[{"id":"s1","status":"failed"}],"total":1,"per_page":20}"#;
    /// assert_eq!(read(list, "/api/sessions", Millis(0.0))?.kind, LionagiDocumentKind::SessionList);
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub enum LionagiDocumentKind ("recognised document") {
        /// The row or detail of a session.
        Session = "session",
        /// A list of sessions.
        SessionList = "session-list",
        /// `/api/admin/health`.
        AdminHealth = "admin-health",
        /// `/api/admin/doctor`.
        Doctor = "doctor",
        /// An invocation and its sessions.
        Invocation = "invocation",
        /// A list of invocations.
        InvocationList = "invocation-list",
        /// `li agent status --json`.
        AgentStatus = "agent-status",
        /// `li lifecycle --machine`.
        Lifecycle = "lifecycle",
        /// `/api/stats`.
        Stats = "stats",
        /// A show and its plays.
        Show = "show",
        /// A list of shows.
        ShowList = "show-list",
        /// Plays of shows.
        PlayList = "play-list",
        /// The messages of a session as a stream of events.
        MessageStream = "message-stream",
        /// The signals of a session as a stream of events.
        SignalStream = "signal-stream",
        /// Facts about sessions outside of their rows: admin events, attention, artifacts.
        SessionPart = "session-part",
        /// An error response.
        ErrorResponse = "error-response",
    }
}

crate::vocabulary! {
    /// The reason codes that decide something; the column can hold any other.
    pub(crate) enum ReasonCode ("reason code") {
        /// The session began.
        Started = "run.started.ok",
        /// It completed.
        Completed = "run.completed.ok",
        /// It completed, but a gate rejected its work.
        GateRejected = "run.completed.gate_rejected",
        /// It completed, with an error while it was closed.
        FinalizeError = "run.completed.finalize_error",
        /// It completed, and another session was not started.
        SpawnRefused = "run.completed.spawn_refused",
        /// It completed and left no evidence.
        NoEvidence = "run.completed_empty.no_evidence",
        /// It failed by an exception.
        Exception = "run.failed.exception",
        /// It exceeded its deadline.
        Deadline = "run.timed_out.deadline",
        /// Its user aborted it.
        AbortedByUser = "run.aborted.user",
        /// The system cancelled it.
        CancelledBySystem = "run.cancelled.system",
        /// Its user pressed Ctrl-C.
        Interrupted = "run.cancelled.sigint",
        /// Its process ended without a status.
        ProcessDead = "system.health.process_dead_no_terminal",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn severities_grow() {
        use crate::lionagi::wire::SessionHealth;
        use crate::word::Vocabulary;
        assert!(SessionHealth::ALL.is_sorted_by_key(|health| health.severity()));
    }
}
