//! The closed vocabularies inside events (seed 003, and the types of Smithers 0.32).

crate::vocabulary! {
    /// The severity of an event.
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
        /// Frequent and of little interest: heartbeats, frames.
        Trace = "trace",
        /// Ordinary progress of a run.
        Info = "info",
        /// An important change.
        Notice = "notice",
        /// A problem from which the run can recover.
        Warning = "warning",
        /// Something failed.
        Error = "error",
    }
}

crate::vocabulary! {
    /// The category of an event.
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
        /// Heartbeats.
        Heartbeat = "heartbeat",
        /// A frame or snapshot.
        Frame = "frame",
        /// A sandbox.
        Sandbox = "sandbox",
        /// The supervisor.
        Supervisor = "supervisor",
        /// Time travel: manual retries, reverts, rewinds.
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
    /// Why the supervisor did not resume a stale run.
    ///
    /// ```
    /// use runstate::smithers::wire::SkipReason;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(SkipReason::from_word("pid-alive"), Some(SkipReason::PidAlive));
    /// ```
    pub enum SkipReason ("reason for not resuming") {
        /// The original process is still alive.
        PidAlive = "pid-alive",
        /// The workflow's file was not found.
        MissingWorkflow = "missing-workflow",
        /// The maximum number of resumptions is reached.
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
        /// Successfully.
        Success = "success",
        /// With an error.
        Error = "error",
    }
}

crate::vocabulary! {
    /// The stream to which an agent wrote.
    ///
    /// ```
    /// use runstate::smithers::wire::OutputStream;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(OutputStream::WORDS, ["stdout", "stderr"]);
    /// ```
    pub enum OutputStream ("stream of output") {
        /// Standard output.
        Stdout = "stdout",
        /// Standard error.
        Stderr = "stderr",
    }
}

crate::vocabulary! {
    /// The type of a timer.
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
        /// For a duration.
        Duration = "duration",
        /// For a point in time.
        Absolute = "absolute",
    }
}

crate::vocabulary! {
    /// The isolation of a sandbox.
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
    /// The words are those of a run's result.
    ///
    /// ```
    /// use runstate::smithers::wire::SandboxStatus;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(SandboxStatus::WORDS, ["finished", "failed", "cancelled"]);
    /// ```
    pub enum SandboxStatus ("sandbox status") {
        /// Successfully.
        Finished = "finished",
        /// With an error.
        Failed = "failed",
        /// Cancelled.
        Cancelled = "cancelled",
    }
}

crate::vocabulary! {
    /// How a person took over an agent.
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
    /// The delivery status of a message to a running agent.
    ///
    /// ```
    /// use runstate::smithers::wire::SteerDelivery;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(SteerDelivery::AgentAcked.as_str(), "agent-acked");
    /// ```
    pub enum SteerDelivery ("steer delivery") {
        /// Queued.
        Queued = "queued",
        /// Delivered.
        Delivered = "delivered",
        /// Acknowledged.
        AgentAcked = "agent-acked",
        /// Failed.
        Failed = "failed",
    }
}

crate::vocabulary! {
    /// The source of a side effect.
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
    /// The status of a side effect.
    ///
    /// `unknown` does not mean that it did not happen.
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
        /// It is unknown whether it happened.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// An operation of a voice provider.
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
