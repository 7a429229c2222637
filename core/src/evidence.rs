//! The evidence of a verdict: which inputs, how old, against which limit, read from where. A verdict that cannot be checked
//! is an opinion. So each one carries what it was made of, and a surface shows it when somebody asks why. The evidence
//! stands beside the verdict from the moment of the decision; nothing is looked up again afterwards. See [`Evidence`] for an
//! example.

use std::fmt;

use crate::time::Millis;
use crate::word::Vocabulary;

/// What a verdict rests on. Ages are not stored: they are the reader's server-anchored now minus [`Input::at`].
///
/// ```
/// use runstate::evidence::{Evidence, Input, Signal, Value};
/// use runstate::time::Millis;
///
/// let heartbeat = Input {
///     name: Signal::EngineHeartbeat,
///     value: Value::Time(Millis(10_000.0)),
///     at: Some(Millis(10_000.0)),
///     limit_ms: Some(30_000.0),
///     decisive: true,
/// };
/// let evidence = Evidence { inputs: vec![heartbeat], read_from: "runs.get".into(), read_at: Some(Millis(57_000.0)) };
/// // Why "stale": the input that decided is older than its limit.
/// let why = evidence.inputs.iter().find(|input| input.decisive).unwrap();
/// let age = evidence.read_at.unwrap().since(why.at.unwrap());
/// assert!(age > why.limit_ms.unwrap());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The inputs in the order in which the rule reads them.
    pub inputs: Vec<Input>,
    /// What was read: an RPC method (`runs.get`), a document part (`runState` of the snapshot), a file name.
    pub read_from: String,
    /// When it was read or computed, on the server's clock.
    pub read_at: Option<Millis>,
}

/// One input of a verdict.
///
/// The owner of a run that nobody owns: the signal is missing, and that is what decided.
///
/// ```
/// use runstate::evidence::{Input, Signal, Value};
///
/// let owner = Input { name: Signal::Owner, value: Value::Absent, at: None, limit_ms: None, decisive: true };
/// assert_eq!(owner.value, Value::Absent);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Which input it is: `engine heartbeat`, `run row status`, `owner`, `pending approval`.
    pub name: Signal,
    /// What it said.
    pub value: Value,
    /// The moment its age counts from, if it has one.
    pub at: Option<Millis>,
    /// The age beyond which the rule decides otherwise, milliseconds.
    pub limit_ms: Option<f64>,
    /// Whether this input decided.
    pub decisive: bool,
}

crate::vocabulary! {
    /// Which input it is. Rules compare this value; its word is what a surface shows and what JSON holds.
    ///
    /// ```
    /// use runstate::evidence::Signal;
    ///
    /// assert_eq!(Signal::EngineHeartbeat.to_string(), "engine heartbeat");
    /// ```
    pub enum Signal ("signal") {
        // Smithers: what the rule reads.

        /// The status column of the run's row.
        RunRowStatus = "run row status",
        /// The engine's last heartbeat.
        EngineHeartbeat = "engine heartbeat",
        /// When the run started.
        StartTime = "start time",
        /// The oldest last heartbeat of the run's sandboxes.
        SandboxHeartbeat = "sandbox heartbeat",
        /// The owner column of the run's row.
        Owner = "owner",
        /// Whether the owner's process was found.
        OwnerProcess = "owner process",
        /// The approval that is asked for.
        PendingApproval = "pending approval",
        /// The timer that is waited for.
        Timer = "timer",
        /// The event that is waited for.
        Event = "event",
        /// A run that waits for somebody to resume it.
        ParkedRun = "parked run",
        /// The nodes that a quota holds back.
        Quota = "quota",
        /// How far the server's clock may be off.
        ServerClock = "server clock",

        // Smithers: what answers, events and other documents say.

        /// The state that the Gateway answered.
        ServerAnswer = "server's answer",
        /// The model provider that a node waits for.
        Provider = "provider",
        /// The tool that a node waits for.
        Tool = "tool",
        /// By how much the server found a timer overdue.
        TimerOverdue = "timer overdue",
        /// When the viewer last heard of the run.
        ViewerFeed = "viewer's feed",
        /// The run's database.
        Database = "database",
        /// The supervisor's next try.
        Supervisor = "supervisor",
        /// The last event that names the run's own state.
        LastRunEvent = "last event of the run",
        /// The last event that names a node's state.
        LastNodeEvent = "last event of a node",
        /// The last event of any kind.
        LastEvent = "last event",
        /// The status inside the event `run.completed`.
        RunCompletedStatus = "status of run.completed",
        /// How much of a log was read so far.
        LogRead = "log read",
        /// The node that a reason names, where it does not wait any more.
        BlockingNode = "node that the answer names",
        /// The attempt that tells what the run waits for.
        WaitingAttempt = "attempt that waits",
        /// What an earlier answer said that the run waits for.
        EarlierReason = "reason of an earlier answer",
        /// Any document that tells the run's state.
        StateSource = "row or answer that tells the run's state",
        /// The part of a row that was cut off.
        RestOfRow = "rest of the row",
        /// What `smithers why` says that holds the run up.
        Blocker = "blocker",
        /// The verdict that `smithers ps` or `smithers status` prints.
        CommandVerdict = "command's verdict",
        /// Why the command gave that verdict.
        CommandReason = "command's reason",
        /// The nodes that wait for somebody to resume the run.
        ParkedNodes = "parked nodes",
        /// Rows of attempts.
        Attempts = "attempts",
        /// Rows of nodes.
        Nodes = "nodes",
        /// Rows of approvals.
        Approvals = "approvals",
        /// Rows of frames.
        Frames = "frames",
        /// The tasks of a plan.
        PlannedTasks = "planned tasks",
        /// The run's parent, and its depth below the first run.
        RunHierarchy = "place among the runs",
        /// What `smithers graph` prints.
        Graph = "graph",
        /// A workflow's markup.
        Markup = "markup",
        /// A summary in words.
        WhatHappened = "what happened",
        /// A list of events.
        Events = "events",
        /// A list of past frames.
        Timeline = "timeline",
        /// The output of a node.
        Output = "output",

        // lionagi.

        /// The status column of the session's row.
        SessionStatus = "session status",
        /// The health that Studio answered.
        StudioAnswer = "the server's answer",
        /// Whether the session's process lives.
        Process = "process",
        /// Whether the process lives, concluded from Studio's answer.
        ConcludedProcess = "process, by the server's rules",
        /// The session's last activity.
        LastActivity = "last activity",
        /// The session's artifacts.
        Artifacts = "artifacts",
        /// How many messages there are.
        Messages = "messages",
        /// A lock older than its limit.
        StaleLock = "stale lock",
        /// What the check of the expected artifacts says.
        ArtifactCheck = "artifact check",
        /// The status of a play.
        PlayStatus = "play status",
        /// The status of a show.
        ShowStatus = "show status",
        /// An entry of the admin log.
        AdminEvent = "admin event",
        /// What a person did with an item that asked for attention.
        Attention = "attention",
        /// Whether the session can be resumed.
        Resumable = "can be resumed",
        /// The last signal of a session's stream that is about the whole run.
        RunSignal = "run signal",
        /// Whether the stream said that it is done.
        StreamEnd = "end of the stream",

        // tnh-conductor.

        /// The file itself.
        StatusFile = "status.json",
        /// The field of tnh-conductor's files.
        RunId = "run_id",
        /// The status file's field.
        WorkflowId = "workflow_id",
        /// The status file's field.
        StartedAt = "started_at",
        /// The status file's field, where it cannot be used.
        UpdatedAt = "updated_at",
        /// The status file's field.
        LifecycleState = "lifecycle_state",
        /// The status file's field.
        CurrentStepId = "current_step_id",
        /// The status file's field.
        LastCompletedStepId = "last_completed_step_id",
        /// The status file's field.
        ActiveOpcode = "active_opcode",
        /// The status file's field.
        LastRouteTarget = "last_route_target",
        /// The status file's field.
        Termination = "termination",
        /// The step manifest's field.
        StepId = "step_id",
        /// When the status file was written: its field `updated_at`.
        StatusWritten = "status written",
        /// The last step.
        ExitStep = "exit step",
        /// The opcode of the last step.
        ExitOpcode = "exit opcode",
        /// The outcome of the last step.
        ExitOutcome = "exit outcome",
        /// The end that another file tells.
        RunEnd = "end of the run",
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What an input said.
///
/// A missing signal and an empty text are two things.
///
/// ```
/// use runstate::evidence::Value;
///
/// assert_ne!(Value::Absent, Value::Text(String::new()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: the signal is missing.
    Absent,
    /// A word from the wire, verbatim.
    Word(String),
    /// A moment.
    Time(Millis),
    /// Anything else, in words.
    Text(String),
}
