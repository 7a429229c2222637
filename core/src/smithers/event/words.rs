//! The closed vocabularies inside events (seed 003, and the types of Smithers 0.32).

crate::vocabulary! {
    /// How an event weighs for a reader.
    pub enum Severity ("severity") {
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
    pub enum CallStatus ("call status") {
        /// Well.
        Success = "success",
        /// With an error.
        Error = "error",
    }
}

crate::vocabulary! {
    /// Where an agent wrote to.
    pub enum OutputStream ("stream of output") {
        /// Its answer.
        Stdout = "stdout",
        /// Its diagnostics.
        Stderr = "stderr",
    }
}

crate::vocabulary! {
    /// How a timer was set.
    pub enum TimerType ("timer type") {
        /// For a time from then on.
        Duration = "duration",
        /// For a moment.
        Absolute = "absolute",
    }
}

crate::vocabulary! {
    /// What isolates a sandbox.
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
    pub enum HijackMode ("hijack mode") {
        /// In the agent's own command line.
        NativeCli = "native-cli",
        /// In a conversation.
        Conversation = "conversation",
    }
}

crate::vocabulary! {
    /// How far a message to a running agent came.
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
    pub enum EffectKind ("kind of effect") {
        /// A tool call.
        Tool = "tool",
        /// A task.
        Task = "task",
    }
}

crate::vocabulary! {
    /// What is known of an effect.
    pub enum EffectStatus ("status of an effect") {
        /// It happened.
        Succeeded = "succeeded",
        /// Nobody knows whether it did.
        Unknown = "unknown",
    }
}

crate::vocabulary! {
    /// What a voice provider does.
    pub enum VoiceOperation ("voice operation") {
        /// Text to speech.
        Speak = "speak",
        /// Speech to text.
        Listen = "listen",
    }
}
