//! What a document of lionagi turned out to be.

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
