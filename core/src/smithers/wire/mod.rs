//! What Smithers sends and stores: rows, views, events, records (seeds 002 and 003).

mod attempt;
mod boundary;
mod error;
mod error_code;
mod event;
mod field;
mod graph;
mod meta;
mod node_output;
mod node_states;
mod owner;
mod reason;
mod row;
mod rows;
mod run_result;
mod task_descriptor;
mod view;
mod words;

pub(crate) use attempt::{Tries, dependencies, engine_may_live, silence, tries};
pub(crate) use meta::read_quota;
pub(crate) use row::{COLUMNS, NAMES};

pub use attempt::{Attempt, read_attempts};
pub(crate) use attempt::{awaited, read_attempt, write_attempt};
pub use boundary::Boundary;
pub use error::SmithersError;
pub use error_code::{SmithersErrorCategory, SmithersErrorCode};
pub use event::{
    CallStatus, Category, EffectKind, EffectStatus, Event, EventBody, EventSeverity, EventType, HijackMode,
    OutputStream, SandboxRuntime, SandboxStatus, Scope, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};
pub use field::Entries;
pub use graph::{GraphSnapshot, MAX_XML_DEPTH, XmlElement, XmlNode, XmlText};
pub(crate) use meta::{read_event, read_timer};
pub use node_output::{
    NodeOutputError, NodeOutputResponse, NodeOutputStatus, OutputField, OutputFieldType, OutputSchema,
};
pub(crate) use node_states::read_node_state;
pub use node_states::{NodeStatus, read_node_states, read_run, read_runs, write_node_states};
pub use owner::owner_pid;
pub use reason::{ReasonBlocked, ReasonUnhealthy};
pub use row::RunRow;
pub use rows::{ApprovalRow, AttemptRow, NodeRow, SandboxRow};
pub use run_result::{ResultStatus, RetryTaskResult, RunResult};
pub use task_descriptor::{ApprovalMode, ApprovalOnDeny, Retries, RetryBackoff, RetryPolicy, TaskDescriptor};
pub use view::RunStateView;
pub use words::{NodeState, NodeType, ProviderCode, RunState, RunStatus, TaskKind};
