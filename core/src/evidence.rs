//! The evidence of a verdict: the inputs, with their ages, limits and origins, so that a verdict can be checked. The
//! evidence is recorded together with the verdict; nothing is looked up afterwards.

use std::fmt;

use serde::Serialize;

use crate::time::Millis;
use crate::word::Vocabulary;

/// The evidence of a verdict. The inputs are in the order in which the rule reads them; `readFrom` is the file, route or
/// message that contained them, `readAtMs` the time when it was read, in milliseconds since 1970.
// Ages are not stored: they are the reader's server-anchored now minus [`Input::at`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify))]
#[non_exhaustive]
pub struct Evidence {
    /// The inputs in the order in which the rule reads them.
    #[cfg_attr(test, tsify(type = "EvidenceInput[]"))]
    pub inputs: Vec<Input>,
    /// The document read: an RPC method (`runs.get`), a document part (`runState` of the snapshot), a file name.
    pub read_from: String,
    /// The time of reading or computing it, on the server's clock.
    #[serde(rename = "readAtMs", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub read_at: Option<Millis>,
}

/// One input of a verdict.
///
/// A run without an owner: the missing signal is decisive. `core/wasm/src/evidence.d.ts` declares it to TypeScript, as one object
/// with the kind and the content of its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Input {
    /// The input's name: `engine heartbeat`, `run row status`, `owner`, `pending approval`.
    pub name: Signal,
    /// The value.
    #[serde(flatten)]
    pub value: Value,
    /// The time from which its age counts, if it has one.
    #[serde(rename = "atMs", skip_serializing_if = "Option::is_none")]
    pub at: Option<Millis>,
    /// The age beyond which the rule decides differently, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<f64>,
    /// Whether this input was decisive.
    pub decisive: bool,
    /// What contained it, if that is not what [`Evidence::read_from`] names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_from: Option<String>,
}

impl Evidence {
    /// Names another document as that of the verdict. The inputs so far keep theirs.
    pub(crate) fn read_on(&mut self, read_from: &str) {
        let before = std::mem::replace(&mut self.read_from, read_from.to_owned());
        for input in &mut self.inputs {
            input.read_from.get_or_insert_with(|| before.clone());
        }
    }
}

impl Input {
    /// An input without a time and a limit.
    pub(crate) fn new(name: Signal, value: Value, decisive: bool) -> Self {
        Self { name, value, at: None, limit_ms: None, decisive, read_from: None }
    }
}

crate::vocabulary! {
    /// The name of an input. Rules compare this value; surfaces and JSON show its word.
    ///
    /// ```
    /// use runstate::evidence::Signal;
    ///
    /// assert_eq!(Signal::EngineHeartbeat.to_string(), "engine heartbeat");
    /// ```
    pub enum Signal ("signal") {
        // Smithers: inputs of the rule.

        /// The status column of the run's row.
        RunRowStatus = "run row status",
        /// The engine's last heartbeat.
        EngineHeartbeat = "engine heartbeat",
        /// The time at which the run started.
        StartTime = "start time",
        /// The oldest last heartbeat of the run's sandboxes.
        SandboxHeartbeat = "sandbox heartbeat",
        /// The owner column of the run's row.
        Owner = "owner",
        /// Whether the owner's process was found.
        OwnerProcess = "owner process",
        /// The requested approval.
        PendingApproval = "pending approval",
        /// The timer that the run waits for.
        Timer = "timer",
        /// The event that the run waits for.
        Event = "event",
        /// A run that must be resumed.
        ParkedRun = "parked run",
        /// The nodes that a quota blocks.
        Quota = "quota",
        /// The error of the server's clock.
        ServerClock = "server clock",

        // Smithers: answers, events and other documents.

        /// The state that the Gateway answered.
        ServerAnswer = "server's response",
        /// The model provider that a node waits for.
        Provider = "provider",
        /// The tool that a node waits for.
        Tool = "tool",
        /// By how much the server found a timer overdue.
        TimerOverdue = "timer overdue",
        /// The time at which the viewer last received data about the run.
        ViewerFeed = "viewer's feed",
        /// The run's database.
        Database = "database",
        /// The supervisor's next try.
        Supervisor = "supervisor",
        /// The last event with the run's own state.
        LastRunEvent = "last event of the run",
        /// The last event with a node's state.
        LastNodeEvent = "last event of a node",
        /// The last event of any kind.
        LastEvent = "last event",
        /// The number of lines after the last event that could not be read.
        UnreadLines = "unread lines after the last event",
        /// The status inside the event `run.completed`.
        RunCompletedStatus = "status of run.completed",
        /// The part of a log read so far.
        LogRead = "log read",
        /// The node named in a reason, if it no longer waits.
        BlockingNode = "node that the response names",
        /// The attempt that contains the awaited approval, timer or event.
        WaitingAttempt = "attempt that waits",
        /// The reason of an earlier answer.
        EarlierReason = "reason of an earlier answer",
        /// Any document with the run's state.
        StateSource = "row or response that has the run's state",
        /// The part of a row that was cut off.
        RestOfRow = "rest of the row",
        /// The blocker according to `smithers why`.
        Blocker = "blocker",
        /// The verdict that `smithers ps` or `smithers status` prints.
        CommandVerdict = "command's verdict",
        /// The reason for the command's verdict.
        CommandReason = "command's reason",
        /// The nodes that wait for the run to be resumed.
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
        /// The output of `smithers graph`.
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
        StudioAnswer = "the server's response",
        /// Whether the session's process is alive.
        Process = "process",
        /// Whether the process is alive, concluded from Studio's answer.
        ConcludedProcess = "process, by the server's rules",
        /// The session's last activity.
        LastActivity = "last activity",
        /// The session's artifacts.
        Artifacts = "artifacts",
        /// The number of messages.
        Messages = "messages",
        /// A lock older than its limit.
        StaleLock = "stale lock",
        /// The result of the check of the expected artifacts.
        ArtifactCheck = "artifact check",
        /// The status of a play.
        PlayStatus = "play status",
        /// The status of a show.
        ShowStatus = "show status",
        /// An entry of the admin log.
        AdminEvent = "admin event",
        /// A person's decision about an item that needed attention.
        Attention = "attention",
        /// Whether the session can be resumed.
        Resumable = "can be resumed",
        /// The last signal of a session's stream that is about the whole run.
        RunSignal = "run signal",
        /// Whether the stream has ended.
        StreamEnd = "end of the stream",

        // tnh-conductor.

        /// The file `status.json` itself.
        StatusFile = "status.json",
        /// The field of tnh-conductor's files.
        RunId = "run_id",
        /// The status file's field.
        WorkflowId = "workflow_id",
        /// The status file's field.
        StartedAt = "started_at",
        /// The status file's field, if its value is unusable.
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
        /// The time at which the status file was written: its field `updated_at`.
        StatusWritten = "status written",
        /// The last step.
        ExitStep = "exit step",
        /// The opcode of the last step.
        ExitOpcode = "exit opcode",
        /// The outcome of the last step.
        ExitOutcome = "exit outcome",
        /// The end of the run according to another file.
        RunEnd = "end of the run",
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The value of an input.
///
/// A missing signal differs from an empty text.
///
/// ```
/// use runstate::evidence::Value;
///
/// assert_ne!(Value::Absent, Value::Text(String::new()));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "lowercase")]
pub enum Value {
    /// The signal is missing.
    Absent,
    /// A word from the wire, verbatim.
    Word(String),
    /// A time.
    Time(Millis),
    /// Anything else, as text.
    Text(String),
}

#[cfg(test)]
mod tests {
    #[test]
    fn evidence_of_a_heartbeat() {
        use crate::evidence::{Evidence, Input, Signal, Value};
        use crate::time::Millis;
        let heartbeat = Input {
            name: Signal::EngineHeartbeat,
            value: Value::Time(Millis(10_000.0)),
            at: Some(Millis(10_000.0)),
            limit_ms: Some(30_000.0),
            decisive: true,
            read_from: None,
        };
        let evidence = Evidence {
            inputs: vec![heartbeat],
            read_from: "runs.get".into(),
            read_at: Some(Millis(57_000.0)),
        };
        // Why "stale": the decisive input is older than its limit.
        let why = evidence.inputs.iter().find(|input| input.decisive).unwrap();
        let age = evidence.read_at.unwrap().since(why.at.unwrap());
        assert!(age > why.limit_ms.unwrap());
    }

    #[test]
    fn an_absent_owner_is_an_input() {
        use crate::evidence::{Input, Signal, Value};
        let owner = Input::new(Signal::Owner, Value::Absent, true);
        assert_eq!(owner.value, Value::Absent);
    }
}
