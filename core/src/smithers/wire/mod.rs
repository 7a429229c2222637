//! Smithers' data on the wire and in its database: rows, views, events, records (seeds 002 and 003).

mod approval;
mod attempt;
mod attempt_texts;
mod boundary;
mod decision;
mod entries;
mod error;
mod error_text;
mod event;
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

pub(crate) use approval::{ApprovalRequest, read_approval, write_approval};
pub(crate) use attempt::{
    AttemptSummary, dependencies, engine_may_be_alive, read_attempt, read_awaited_signal,
    read_heartbeat_timeout, summarize_attempts, write_attempt,
};
pub(crate) use attempt_texts::{AttemptTexts, LongText};
pub(crate) use meta::{read_event, read_quota, read_timer};

pub use attempt::Attempt;
pub use boundary::Boundary;
pub use decision::ApprovalDecision;
pub use error::{SmithersError, SmithersErrorCategory, SmithersErrorCode};
pub use event::{
    CallStatus, Category, EffectKind, EffectStatus, Event, EventBody, EventSeverity, EventType, HijackMode,
    OutputStream, SandboxRuntime, SandboxStatus, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};

pub use entries::Entries;
pub(crate) use error_text::{error_text, without_link};
pub(crate) use event::{GatewayEvent, Scope, may_change_a_run};
pub(crate) use graph::MAX_XML_DEPTH;
pub use graph::{GraphSnapshot, XmlElement, XmlNode, XmlText};
pub use node_output::{
    NodeOutputError, NodeOutputResponse, NodeOutputStatus, OutputField, OutputFieldType, OutputSchema,
};

pub(crate) use node_states::write_node_states;
pub use node_states::{NodeStatus, read_node_states, read_rows, read_run};
pub(crate) use owner::owner_pid;
pub use reason::{ReasonBlocked, ReasonUnhealthy};
pub use row::RunRow;
pub use rows::{ApprovalRow, AttemptRow, NodeRow, SandboxRow};
pub use run_result::{ResultStatus, RetryTaskOptions, RetryTaskResult, RunResult};
pub use task_descriptor::{
    ApprovalMode, ApprovalOnDeny, CachePolicy, Retries, RetryBackoff, RetryPolicy, TaskDescriptor,
};
pub use view::RunStateView;
pub use words::{NodeState, NodeType, ProviderCode, RunState, RunStatus, TaskKind};
