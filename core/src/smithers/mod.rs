//! Smithers: the vocabulary, the derivation and the wire of the agent workflow orchestrator.

mod reason;
mod row;
mod view;
mod words;

pub use reason::{ReasonBlocked, ReasonUnhealthy};
pub use row::RunRow;
pub use view::RunStateView;
pub use words::{NodeState, NodeType, ProviderCode, RunState, RunStatus, TaskKind};
