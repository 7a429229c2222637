//! Smithers: the vocabulary, the derivation and the wire of the agent workflow orchestrator.
//! - **What a run is doing.** [`derive_run_state`] is the rule, [`compute_run_state`] reads the rows that it needs through
//!   an adapter, [`Gather`] asks for them one by one. [`derive_run_state_by_clock`] says `unknown` where the clock cannot
//!   tell an age.
//! - **Who says so.** [`Witness`], [`weigh`] and [`settle`] compare the Gateway, the rows, the tree and the log; [`hidden`]
//!   finds what a state does not say.
//! - **What now.** [`actions`] gives the next step for each thing that a run waits for, with the command and the call.
//! - **The wire.** [`Frame`], [`Snapshot`], [`Delta`], [`RunRow`], [`Event`] and the records of seed 002, each read with
//!   what is not known kept.
//!
//! ```
//! use runstate::inspection::RunInspection;
//! use runstate::smithers::{ActionKind, actions, hidden, read_node_states, read_run};
//! use runstate::time::Millis;
//!
//! let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000,"runtimeOwnerId":"pid:41"}"#)?;
//! let now = Millis(1_700_000_010_000.0);
//! let mut run = RunInspection::from_row(&row, "runs.get", now);
//! run.nodes = read_node_states(r#"[{"nodeId":"gate","iteration":0,"state":"waiting-approval"}]"#)?;
//!
//! // The engine is alive, so the state is `running`; that somebody must decide stands beside it.
//! assert_eq!(run.verdict.view().unwrap().state.as_str(), "running");
//! assert_eq!(hidden(&run).len(), 1);
//! assert_eq!(actions(&run, now)[0].kind, ActionKind::Approve);
//! # Ok::<(), runstate::json::ReadError>(())
//! ```

mod action;
mod attempt;
mod blocker;
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
mod index;
pub mod input;
mod inspect_output;
mod liveness;
mod meta;
mod node_output;
mod node_states;
mod owner;
mod pending;
mod reason;
mod record;
mod recording;
mod row;
mod rows;
mod run_inspection;
mod run_result;
mod signals;
mod snapshot;
mod status_output;
mod task_descriptor;
mod value;
mod view;
mod view_json;
mod why_output;
mod witness;
mod words;

pub(crate) use action::untold;
pub use action::{Action, ActionKind, Call, WORKFLOW_FILE, actions, actions_for_refusal};
pub use attempt::{Attempt, read_attempts};
pub(crate) use attempt::{awaited, read_attempt, write_attempt};
pub use blocker::{Blocker, Target, ToldBlocker};
pub use boundary::Boundary;
pub use compute::{
    ComputeError, ComputeRunStateOptions, RunStateAdapter, compute_run_state, compute_run_state_from_row,
};
pub use delta::{Delta, InvalidDelta, Op};
pub use derive::{
    Derivation, DeriveRunStateInput, RUN_STATE_HEARTBEAT_STALE_MS, RunSignals, derive_run_state,
    derive_run_state_view,
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
pub(crate) use meta::{read_event, read_timer};
pub use node_output::{
    NodeOutputError, NodeOutputResponse, NodeOutputStatus, OutputField, OutputFieldType, OutputSchema,
};
pub(crate) use node_states::read_node_state;
pub use node_states::{NodeStatus, read_node_states, read_run, read_runs, write_node_states};
pub use owner::owner_pid;
pub use pending::{OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};
pub use reason::{ReasonBlocked, ReasonUnhealthy};
pub use recording::Recording;
pub use row::RunRow;
pub use rows::{ApprovalRow, AttemptRow, NodeRow, SandboxRow};
pub(crate) use run_inspection::{error_text, said};
pub use run_result::{ResultStatus, RetryTaskResult, RunResult};
pub use signals::{RowSignals, read_row_signals};
pub use snapshot::Snapshot;
pub(crate) use snapshot::read_snapshot;
pub(crate) use status_output::read_status_output;
pub use task_descriptor::{ApprovalMode, ApprovalOnDeny, Retries, RetryBackoff, RetryPolicy, TaskDescriptor};
pub use value::{InvalidInput, Kind, Source};
pub use view::RunStateView;
pub use view_json::RunStateViews;
pub(crate) use why_output::read_why_output;
pub use witness::{
    Hidden, Retry, Testimony, Witness, WitnessSource, hidden, settle, testimony, weigh, witnesses,
};
pub use words::{NodeState, NodeType, ProviderCode, RunState, RunStatus, TaskKind};
