//! What a run is doing, from the signals about it (seed 000): the rule and its entry points.

mod clock_error;
mod compute;
pub(crate) mod explain;
mod gather;
mod liveness;
mod notes;
mod pending;
mod rule;
mod signals;
mod view_json;

pub(crate) use explain::is_timer_overdue;
pub(crate) use notes::{quota, status, text};

pub use clock_error::derive_run_state_by_clock;
pub use compute::{
    ComputeError, ComputeRunStateOptions, RunStateAdapter, compute_run_state, compute_run_state_from_row,
};
pub use explain::explain;
pub use gather::{Gather, Gathered, Query, QueryAnswer};
pub use pending::{OwnerProbe, ParkedEventBlock, PendingApproval, PendingEvent, PendingTimer};
pub use rule::{
    Derivation, DeriveRunStateInput, RUN_STATE_HEARTBEAT_STALE_MS, RunSignals, derive_run_state,
    derive_run_state_view,
};
pub use signals::{RowSignals, read_row_signals};
pub use view_json::RunStateViews;
