//! The closed vocabularies inside events (seed 003, and the types of Smithers 0.32).

crate::vocabulary! {
    /// How an event weighs for a reader.
    ///
    /// ```
    /// use runstate::smithers::wire::{EventType, EventSeverity};
    /// use runstate::word::Vocabulary;
    ///
    /// let loud = EventType::ALL.iter().filter(|event| event.severity() == EventSeverity::Error);
    /// assert!(loud.clone().any(|event| *event == EventType::NodeFailed));
    /// assert!(!loud.clone().any(|event| *event == EventType::NodeRetrying), "it may still end well");
    /// ```
    pub enum EventSeverity ("severity") {
        /// Repeats often and tells little: heartbeats, frames.
        Trace = "trace",
        /// The ordinary course of a run.
        Info = "info",
        /// Something changed that a reader looks for.
        Notice = "notice",
        /// Something did not go as planned and may still end well.
        Warning = "warning",
        /// Something failed.
        Error = "error",
    }
}

crate::vocabulary! {
    /// What an event is about.
    ///
    /// ```
    /// use runstate::smithers::wire::{Category, EventType};
    ///
    /// assert_eq!(EventType::NodeWaitingApproval.category(), Category::Approval);
    /// assert_eq!(EventType::TokenUsageReported.category(), Category::Tokens);
    /// ```
    pub enum Category ("category of events") {
        /// The run as a whole.
        Run = "run",
        /// One node.
        Node = "node",
        /// A human decision.
        Approval = "approval",
        /// A durable timer.
        Timer = "timer",
        /// A tool call.
        Tool = "tool",
        /// Text or a transcript of an agent.
        Output = "output",
        /// Tokens of a model.
        Tokens = "tokens",
        /// A sign of life.
        Heartbeat = "heartbeat",
        /// A frame or snapshot.
        Frame = "frame",
        /// A sandbox.
        Sandbox = "sandbox",
        /// The supervisor.
        Supervisor = "supervisor",
        /// Going back in time: retries by hand, reverts, rewinds.
        TimeTravel = "time-travel",
        /// Memory and retrieval.
        Memory = "memory",
        /// Code that was changed under a run.
        Reload = "reload",
        /// Scores.
        Scorer = "scorer",
        /// Alerts, budgets and providers.
        Alert = "alert",
        /// Speech.
        Voice = "voice",
        /// A type that Runstate does not know.
        Foreign = "foreign",
    }
}

crate::vocabulary! {
    /// Why the supervisor left a stale run alone.
    ///
    /// ```
    /// use runstate::smithers::wire::SkipReason;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(SkipReason::from_word("pid-alive"), Some(SkipReason::PidAlive));
    /// ```
    pub enum SkipReason ("reason for not resuming") {
        /// The original process is still there.
        PidAlive = "pid-alive",
        /// The workflow's file was not found.
        MissingWorkflow = "missing-workflow",
        /// Too many resumptions.
        RateLimited = "rate-limited",
    }
}

crate::vocabulary! {
    /// How a call ended.
    ///
    /// ```
    /// use runstate::smithers::wire::{CallStatus, Event, EventBody};
    ///
    /// let event = serde_json::from_str::<Event>(
    ///     r#"{"type":"ToolCallFinished","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5,
    ///         "toolName":"bash","seq":3,"status":"error"}"#,
    /// )?;
    /// let EventBody::ToolCallFinished { status, .. } = event.body else { unreachable!() };
    /// assert_eq!(status.known(), Some(CallStatus::Error));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub enum CallStatus ("call status") {
        /// Well.
        Success = "success",
        /// With an error.
        Error = "error",
    }
}

crate::vocabulary! {
    /// Where an agent wrote to.
    ///
    /// ```
    /// use runstate::smithers::wire::OutputStream;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(OutputStream::WORDS, ["stdout", "stderr"]);
    /// ```
    pub enum OutputStream ("stream of output") {
        /// Its answer.
        Stdout = "stdout",
        /// Its diagnostics.
        Stderr = "stderr",
    }
}

crate::vocabulary! {
    /// How a timer was set.
    ///
    /// ```
    /// use runstate::smithers::wire::{Event, EventBody, TimerType};
    ///
    /// let event = serde_json::from_str::<Event>(
    ///     r#"{"type":"TimerCreated","runId":"r","timerId":"nap","firesAtMs":9,"timerType":"absolute","timestampMs":5}"#,
    /// )?;
    /// let EventBody::TimerCreated { timer_type, .. } = event.body else { unreachable!() };
    /// assert_eq!(timer_type.known(), Some(TimerType::Absolute));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub enum TimerType ("timer type") {
        /// For a time from then on.
        Duration = "duration",
        /// For a moment.
        Absolute = "absolute",
    }
}

crate::vocabulary! {
    /// What isolates a sandbox.
    ///
    /// ```
    /// use runstate::smithers::wire::SandboxRuntime;
    /// use runstate::word::Word;
    ///
    /// assert_eq!(Word::<SandboxRuntime>::new("docker").known(), Some(SandboxRuntime::Docker));
    /// assert_eq!(Word::<SandboxRuntime>::new("firecracker").known(), None);
    /// ```
    pub enum SandboxRuntime ("sandbox runtime") {
        /// Linux namespaces.
        Bubblewrap = "bubblewrap",
        /// A container.
        Docker = "docker",
        /// A remote machine.
        Codeplane = "codeplane",
    }
}

crate::vocabulary! {
    /// How a sandbox ended.
    ///
    /// A sandbox ends in the words of a run's result, and is no run.
    ///
    /// ```
    /// use runstate::smithers::wire::SandboxStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(SandboxStatus::WORDS, ["finished", "failed", "cancelled"]);
    /// ```
    pub enum SandboxStatus ("sandbox status") {
        /// Its work done.
        Finished = "finished",
        /// With an error.
        Failed = "failed",
        /// By request.
        Cancelled = "cancelled",
    }
}

crate::vocabulary! {
    /// How a person took an agent over.
    ///
    /// ```
    /// use runstate::smithers::wire::HijackMode;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(HijackMode::from_word("conversation"), Some(HijackMode::Conversation));
    /// ```
    pub enum HijackMode ("hijack mode") {
        /// In the agent's own command line.
        NativeCli = "native-cli",
        /// In a conversation.
        Conversation = "conversation",
    }
}

crate::vocabulary! {
    /// How far a message to a running agent came.
    ///
    /// ```
    /// use runstate::smithers::wire::SteerDelivery;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(SteerDelivery::AgentAcked.as_str(), "agent-acked");
    /// ```
    pub enum SteerDelivery ("steer delivery") {
        /// It waits.
        Queued = "queued",
        /// It was handed over.
        Delivered = "delivered",
        /// The agent took it.
        AgentAcked = "agent-acked",
        /// It was lost.
        Failed = "failed",
    }
}

crate::vocabulary! {
    /// What an effect came from.
    ///
    /// ```
    /// use runstate::smithers::wire::EffectKind;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(EffectKind::WORDS, ["tool", "task"]);
    /// ```
    pub enum EffectKind ("kind of effect") {
        /// A tool call.
        Tool = "tool",
        /// A task.
        Task = "task",
    }
}

crate::vocabulary! {
    /// What is known of an effect.
    ///
    /// `unknown` is an answer of its own: nobody may take it for "did not happen".
    ///
    /// ```
    /// use runstate::smithers::wire::EffectStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(EffectStatus::from_word("unknown"), Some(EffectStatus::Unknown));
    /// assert_ne!(EffectStatus::Unknown, EffectStatus::Succeeded);
    /// ```
    pub enum EffectStatus ("status of an effect") {
        /// It happened.
        Succeeded = "succeeded",
        /// Nobody knows whether it did.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// What a voice provider does.
    ///
    /// ```
    /// use runstate::smithers::wire::VoiceOperation;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(VoiceOperation::Listen.as_str(), "listen");
    /// ```
    pub enum VoiceOperation ("voice operation") {
        /// Text to speech.
        Speak = "speak",
        /// Speech to text.
        Listen = "listen",
    }
}
