//! Derives a run's state from its signals (seed 000): the rule and its entry points.

mod clock_error;
mod compute;
mod derivation;
pub(crate) mod explain;
mod inputs;
mod liveness;
mod pending;
mod queries;
mod rule;

pub(crate) use inputs::{quota, status, text};
pub(crate) use rule::is_timer_overdue;

pub use compute::{
    ComputeError, ComputeRunStateOptions, RunStateAdapter, compute_run_state, compute_run_state_from_row,
};
pub use derivation::{Derivation, DeriveRunStateInput, RUN_STATE_HEARTBEAT_STALE_MS, RunSignals};

pub(crate) use explain::explain;
pub use pending::{OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};
pub use queries::{PendingSignals, Query, QueryAnswer, RowQueries};
pub use rule::{derive_run_state, derive_run_state_view};
