//! The closed vocabularies of lionagi.

crate::vocabulary! {
    /// The `status` column of a session (ADR-0025; `CompletedEmpty` is lionagi 0.36's). NULL is
    /// [`StoredStatus::Legacy`](super::StoredStatus::Legacy), no word.
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
        /// At work, as far as the last write says.
        Running = "running",
        /// Ended normally.
        Completed = "completed",
        /// Ended normally, without a commit, an artifact or an answer.
        CompletedEmpty = "completed_empty",
        /// Ended by an error.
        Failed = "failed",
        /// Ended by its deadline: a boundary, not an error.
        TimedOut = "timed_out",
        /// Ended by its user.
        Aborted = "aborted",
        /// Ended by the system, an orchestrator or an administrator.
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
    /// What the classifier of ADR-0024 makes of a session, the mildest first.
    ///
    /// ```
    /// use runstate::lionagi::wire::SessionHealth;
    /// use runstate::word::Vocabulary;
    ///
    /// // Declared from the mildest to the worst.
    /// assert!(SessionHealth::ALL.is_sorted_by_key(|health| health.severity()));
    /// ```
    pub enum SessionHealth ("session health") {
        /// Nothing is wrong.
        Healthy = "healthy",
        /// Quiet for more than an hour.
        Idle = "idle",
        /// The process lives and has been quiet beyond its limit.
        Unresponsive = "unresponsive",
        /// The process is gone, or nothing is known of it and the limit is passed.
        Stale = "stale",
        /// No process, no message and no artifact.
        Orphaned = "orphaned",
        /// Ended, and a lock is still held.
        Zombie = "zombie",
    }
}

crate::vocabulary! {
    /// What started a session; it selects the limit of silence.
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
        /// Agents side by side.
        Fanout = "fanout",
        /// A play of a show.
        ShowPlay = "show-play",
        /// An engine (0.36 alone, ADR-0024 has no limit for it).
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
    /// // ADR-0033 has two words for a good end: an invocation's and a session's.
    /// assert_eq!(Outcome::WORDS[..2], ["succeeded", "completed"]);
    /// ```
    pub enum Outcome ("outcome") {
        /// An invocation ended well.
        Succeeded = "succeeded",
        /// A session ended well.
        Completed = "completed",
        /// A play was merged.
        Merged = "merged",
        /// Ended by an error.
        Failed = "failed",
        /// Ended by its deadline.
        TimedOut = "timed_out",
        /// Ended by the system.
        Cancelled = "cancelled",
        /// Ended by its user.
        Aborted = "aborted",
        /// Never done.
        Skipped = "skipped",
        /// Ended, and nobody knows how.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// Health across all kinds of things (ADR-0033; the last three occur in its text alone).
    ///
    /// ```
    /// use runstate::lionagi::wire::NormalizedHealth;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(NormalizedHealth::from_word("process_dead"), Some(NormalizedHealth::ProcessDead));
    /// assert_eq!(NormalizedHealth::from_word("stale"), None); // a health of ADR-0024
    /// ```
    pub enum NormalizedHealth ("normalized health") {
        /// Nothing is wrong.
        Ok = "ok",
        /// At work.
        Running = "running",
        /// Quiet.
        Idle = "idle",
        /// Something is wrong beside the work.
        Degraded = "degraded",
        /// No progress.
        Stalled = "stalled",
        /// The process is confirmed dead.
        ProcessDead = "process_dead",
        /// Nothing is left of it.
        Orphaned = "orphaned",
        /// Not reachable.
        Disconnected = "disconnected",
        /// Not known.
        Unknown = "unknown",
        /// A schedule did not fire.
        Misfired = "misfired",
        /// A schedule is about to fire.
        Due = "due",
        /// Waits for something else.
        Blocked = "blocked",
    }
}

crate::vocabulary! {
    /// Whether what was promised arrived (ADR-0033).
    ///
    /// Not promised and not checked are two things.
    ///
    /// ```
    /// use runstate::lionagi::wire::Delivery;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Delivery::from_word("not_expected"), Some(Delivery::NotExpected));
    /// assert_eq!(Delivery::from_word("unknown"), Some(Delivery::Unknown));
    /// ```
    pub enum Delivery ("delivery") {
        /// All of it.
        Passed = "passed",
        /// What was required, not what was optional.
        Partial = "partial",
        /// Something required is not there.
        Missing = "missing",
        /// It is there, and not what it should be.
        Invalid = "invalid",
        /// Nothing was promised.
        NotExpected = "not_expected",
        /// Not checked, or not for good.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// How much something wants to be looked at (ADR-0033).
    ///
    /// ```
    /// use runstate::lionagi::wire::Severity;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Severity::WORDS, ["critical", "warning", "info", "neutral"]);
    /// ```
    pub enum Severity ("severity") {
        /// At once.
        Critical = "critical",
        /// Soon.
        Warning = "warning",
        /// When there is time.
        Info = "info",
        /// Not at all.
        Neutral = "neutral",
    }
}

crate::vocabulary! {
    /// The colour of a badge (ADR-0033). These are lionagi's five, not our seven.
    ///
    /// ```
    /// use runstate::lionagi::derive::{Axes, derive_severity};
    /// use runstate::lionagi::wire::SeverityTone;
    /// use runstate::word::Word;
    ///
    /// let merged = Axes { outcome: Some(Word::new("merged")), ..Axes::default() };
    /// assert_eq!(derive_severity(&merged).tone, SeverityTone::Success);
    /// ```
    pub enum SeverityTone ("severity tone") {
        /// Bad.
        Danger = "danger",
        /// Doubtful.
        Warning = "warning",
        /// At work.
        Info = "info",
        /// Good.
        Success = "success",
        /// Neither.
        Neutral = "neutral",
    }
}

crate::vocabulary! {
    /// How sure a reason is (ADR-0033).
    ///
    /// ```
    /// use runstate::lionagi::wire::ClaimStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(ClaimStatus::Inferred.as_str(), "inferred");
    /// ```
    pub enum ClaimStatus ("claim status") {
        /// Seen.
        Observed = "observed",
        /// Concluded from what was seen.
        Inferred = "inferred",
        /// Supposed.
        Hypothesis = "hypothesis",
        /// Checked.
        Verified = "verified",
        /// Contradicted.
        Disputed = "disputed",
        /// Replaced.
        Superseded = "superseded",
    }
}

crate::vocabulary! {
    /// What came of checking an artifact contract (`artifact_verification_json.status`).
    ///
    /// ```
    /// use runstate::lionagi::wire::Verification;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Verification::WORDS, ["passed", "warning", "failed", "not_recorded"]);
    /// ```
    pub enum Verification ("artifact verification") {
        /// Everything is there.
        Passed = "passed",
        /// Something optional is not there.
        Warning = "warning",
        /// Something required is not there.
        Failed = "failed",
        /// Nobody checked.
        NotRecorded = "not_recorded",
    }
}

crate::vocabulary! {
    /// What a document of lionagi turned out to be.
    ///
    /// ```
    /// use runstate::lionagi::wire::LionagiRecognised;
    /// use runstate::ingest::lionagi::read;
    /// use runstate::time::Millis;
    ///
    /// let list = r#"{"sessions":[{"id":"s1","status":"failed"}],"total":1,"per_page":20}"#;
    /// assert_eq!(read(list, "/api/sessions", Millis(0.0))?.recognised, LionagiRecognised::SessionList);
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub enum LionagiRecognised ("recognised document") {
        /// A session's row or detail.
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
        /// What Studio tells of sessions outside of their rows: admin events, attention, artifacts.
        SessionPart = "session-part",
        /// An answer that says no.
        ErrorResponse = "error-response",
    }
}
