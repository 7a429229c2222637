//! Smithers: the vocabulary, the derivation and the wire of the agent workflow orchestrator.

mod action;
mod attempt;
mod boundary;
mod compute;
mod delta;
mod derive;
mod diff;
mod doubt;
mod error;
mod error_code;
mod event;
mod explain;
mod facts;
mod field;
mod frame;
mod gather;
mod graph;
pub mod input;
mod inspect_output;
mod liveness;
mod meta;
mod node_output;
mod node_states;
mod owner;
mod reason;
mod record;
mod recording;
mod row;
mod rows;
mod run_inspection;
mod run_result;
mod signals;
mod snapshot;
mod task_descriptor;
mod value;
mod view;
mod view_json;
mod why_output;
mod witness;
mod words;

pub use action::{
    Action, ActionKind, Blocker, Call, Target, ToldBlocker, WORKFLOW_FILE, actions, actions_for_refusal,
};
pub use attempt::{Attempt, read_attempts};
pub use boundary::Boundary;
pub use compute::{
    ComputeError, ComputeRunStateOptions, RunStateAdapter, compute_run_state, compute_run_state_from_row,
};
pub use delta::{Delta, InvalidDelta, Op};
pub use derive::{
    Derivation, DeriveRunStateInput, OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent,
    PendingTimer, RUN_STATE_HEARTBEAT_STALE_MS, RunSignals, derive_run_state, derive_run_state_view,
};
pub use diff::{DifferentRuns, diff_snapshots};
pub use doubt::{SERVER_CLOCK, derive_run_state_by_clock};
pub use error::SmithersError;
pub use error_code::{SmithersErrorCategory, SmithersErrorCode};
pub use event::{
    CallStatus, Category, EffectKind, EffectStatus, Event, EventBody, EventType, HijackMode, OutputStream,
    SandboxRuntime, SandboxStatus, Scope, Severity, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};
pub use explain::explain;
pub use field::{Entries, Json};
pub(crate) use frame::read_refusal;
pub use frame::{DevToolsEvent, DevToolsMessage, Frame};
pub use gather::{Answer, Gather, Gathered, Query};
pub use graph::{GraphSnapshot, MAX_XML_DEPTH, XmlElement, XmlNode};
pub(crate) use inspect_output::read_inspect_output;
pub use node_output::{
    NodeOutputError, NodeOutputResponse, NodeOutputStatus, OutputField, OutputFieldType, OutputSchema,
};
pub use node_states::{read_node_states, read_run, read_runs, write_node_states};
pub use owner::owner_pid;
pub use reason::{ReasonBlocked, ReasonUnhealthy};
pub use recording::Recording;
pub use row::RunRow;
pub use rows::{ApprovalRow, AttemptRow, NodeRow, SandboxRow};
pub(crate) use run_inspection::said;
pub use run_result::{ResultStatus, RetryTaskResult, RunResult};
pub use signals::{RowSignals, read_row_signals};
pub use snapshot::Snapshot;
pub(crate) use snapshot::read_snapshot;
pub use task_descriptor::{ApprovalMode, ApprovalOnDeny, RetryBackoff, RetryPolicy, TaskDescriptor};
pub use value::{InvalidInput, Kind, Source};
pub use view::RunStateView;
pub(crate) use why_output::read_why_output;
pub use witness::{Hidden, Retry, Testimony, Witness, WitnessSource, hidden, settle, weigh, witnesses};
pub use words::{NodeState, NodeType, ProviderCode, RunState, RunStatus, TaskKind};
