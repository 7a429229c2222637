//! Computes a run's state through a database adapter (seed 000).

use std::fmt;

use super::derivation::{Derivation, DeriveRunStateInput};
use super::pending::OwnerProbe;
use super::queries::{PendingSignals, Query, QueryAnswer, RowQueries};
use super::rule::derive_run_state;
use crate::error_code::ErrorCode;
use crate::smithers::wire::{ApprovalRow, AttemptRow, NodeRow, RunRow, SandboxRow};
use crate::text::quoted;
use crate::time::{InvalidTime, Millis};

/// The database from which [`compute_run_state`] reads.
///
/// ```
/// use runstate::error_code::ErrorCode;
/// use runstate::smithers::wire::{ApprovalRow, AttemptRow, NodeRow, RunRow, SandboxRow, read_run};
/// use runstate::smithers::derive::{ComputeRunStateOptions, RunStateAdapter, compute_run_state, compute_run_state_from_row};
/// use runstate::time::Millis;
///
/// /// A database with one run, which waits for a decision.
/// struct Database(RunRow);
///
/// impl RunStateAdapter for Database {
///     type Error = std::io::Error;
///
///     fn get_run(&self, run_id: &str) -> Result<Option<RunRow>, Self::Error> {
///         Ok((run_id == self.0.run_id).then(|| self.0.clone()))
///     }
///     fn list_pending_approvals(&self, _: &str) -> Result<Vec<ApprovalRow>, Self::Error> {
///         Ok(vec![ApprovalRow::new("gate", Some(1_700_000_000_000.0))])
///     }
///     fn list_nodes(&self, _: &str) -> Result<Vec<NodeRow>, Self::Error> {
///         Ok(Vec::new())
///     }
///     fn list_attempts(&self, _: &str, _: &str, _: f64) -> Result<Vec<AttemptRow>, Self::Error> {
///         Ok(Vec::new())
///     }
///     fn list_sandboxes(&self, _: &str) -> Result<Option<Vec<SandboxRow>>, Self::Error> {
///         Ok(None)
///     }
/// }
///
/// let database = Database(read_run(r#"{"runId":"r1","status":"waiting-approval"}"#)?);
/// let options = ComputeRunStateOptions::new(Millis(1_700_000_060_000.0));
/// let answer = compute_run_state(&database, "r1", &options)?;
/// assert_eq!(answer.view.blocked.as_ref().and_then(|reason| reason.node_id()), Some("gate"));
/// assert_eq!(compute_run_state_from_row(&database, &database.0, &options)?, answer);
///
/// let missing = compute_run_state(&database, "r2", &options).unwrap_err();
/// assert_eq!(missing.code(), Some(ErrorCode::RunNotFound));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RunStateAdapter {
    /// The error of the database.
    type Error;

    /// The run's row; `None` if there is no such run.
    ///
    /// # Errors
    /// The error of the database.
    fn get_run(&self, run_id: &str) -> Result<Option<RunRow>, Self::Error>;

    /// The run's pending approvals.
    ///
    /// # Errors
    /// The error of the database.
    fn list_pending_approvals(&self, run_id: &str) -> Result<Vec<ApprovalRow>, Self::Error>;

    /// The run's nodes.
    ///
    /// # Errors
    /// The error of the database.
    fn list_nodes(&self, run_id: &str) -> Result<Vec<NodeRow>, Self::Error>;

    /// The attempts at one iteration of a node, the newest first.
    ///
    /// # Errors
    /// The error of the database.
    fn list_attempts(
        &self,
        run_id: &str,
        node_id: &str,
        iteration: f64,
    ) -> Result<Vec<AttemptRow>, Self::Error>;

    /// The run's sandboxes; `None` if the database has no such table.
    ///
    /// # Errors
    /// The error of the database.
    fn list_sandboxes(&self, run_id: &str) -> Result<Option<Vec<SandboxRow>>, Self::Error>;
}

/// The options of [`compute_run_state`], as in [`DeriveRunStateInput`].
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ComputeRunStateOptions<'a> {
    /// The time of the result.
    pub now: Millis,
    /// The age beyond which a sign of life has expired.
    pub stale_threshold_ms: Option<f64>,
    /// The time for which a timer may be overdue before the run is unhealthy, milliseconds.
    pub timer_overdue_grace_ms: Option<f64>,
    /// Whether the owner's process is alive.
    pub is_owner_pid_alive: Option<OwnerProbe<'a>>,
    /// The source of the rows, for the evidence.
    pub read_from: Option<&'a str>,
}

impl<'a> ComputeRunStateOptions<'a> {
    /// Every option at its default.
    pub fn new(now: Millis) -> Self {
        Self {
            now,
            stale_threshold_ms: None,
            timer_overdue_grace_ms: None,
            is_owner_pid_alive: None,
            read_from: None,
        }
    }

    /// The input of [`derive_run_state`] for a row and its pending signals.
    ///
    /// For callers that have read the rows, with [`RowQueries`](super::RowQueries) or otherwise:
    pub(crate) fn input(&self, run: &'a RunRow, pending: PendingSignals) -> DeriveRunStateInput<'a> {
        DeriveRunStateInput {
            run: run.into(),
            pending_approval: pending.pending_approval,
            pending_timer: pending.pending_timer,
            pending_event: pending.pending_event,
            now: self.now,
            clock_error_ms: None,
            stale_threshold_ms: self.stale_threshold_ms,
            read_from: self.read_from,
            parked_event_block: pending.parked_event_block,
            sandbox_heartbeats: pending.sandbox_heartbeats,
            timer_overdue_grace_ms: self.timer_overdue_grace_ms,
            is_owner_pid_alive: self.is_owner_pid_alive,
        }
    }
}

/// Why the state could not be computed.
///
/// ```
/// use runstate::error_code::ErrorCode;
/// use runstate::smithers::derive::ComputeError;
///
/// let missing: ComputeError<std::io::Error> = ComputeError::RunNotFound { run_id: "r2".into() };
/// assert_eq!(missing.code(), Some(ErrorCode::RunNotFound));
/// // The database's own error has no code of ours.
/// assert_eq!(ComputeError::Adapter(std::io::Error::other("locked")).code(), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ComputeError<E> {
    /// There is no run with this id, which differs from the state `unknown` (seed 000).
    RunNotFound {
        /// The requested id.
        run_id: String,
    },
    /// A time is outside the range of JavaScript.
    InvalidTime(InvalidTime),
    /// The database could not be read.
    Adapter(E),
}

impl<E> ComputeError<E> {
    /// The error's code for callers that compare codes; `None` for the adapter's own errors.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::RunNotFound { .. } => Some(ErrorCode::RunNotFound),
            Self::InvalidTime(_) => Some(ErrorCode::InvalidTime),
            Self::Adapter(_) => None,
        }
    }
}

impl<E: fmt::Display> fmt::Display for ComputeError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RunNotFound { run_id } => {
                write!(f, "expected a run with the id {}, found none", quoted(run_id))
            }
            Self::InvalidTime(error) => error.fmt(f),
            Self::Adapter(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for ComputeError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::RunNotFound { .. } => None,
            Self::InvalidTime(error) => Some(error),
            Self::Adapter(error) => Some(error),
        }
    }
}

/// Computes the state of the run with this id.
///
/// # Errors
/// [`ComputeError::RunNotFound`] if there is no such run, and the errors of [`compute_run_state_from_row`].
pub fn compute_run_state<A: RunStateAdapter>(
    adapter: &A,
    run_id: &str,
    options: &ComputeRunStateOptions,
) -> Result<Derivation, ComputeError<A::Error>> {
    let run = adapter.get_run(run_id).map_err(ComputeError::Adapter)?;
    let run = run.ok_or_else(|| ComputeError::RunNotFound { run_id: run_id.to_owned() })?;
    compute_run_state_from_row(adapter, &run, options)
}

/// Computes the state of the run with this row. Reads only the rows that its status needs.
///
/// # Errors
/// [`ComputeError::InvalidTime`] in the cases of [`derive_run_state`], [`ComputeError::Adapter`] if rows cannot be
/// read.
pub fn compute_run_state_from_row<A: RunStateAdapter>(
    adapter: &A,
    run: &RunRow,
    options: &ComputeRunStateOptions,
) -> Result<Derivation, ComputeError<A::Error>> {
    let mut queries = RowQueries::new(run);
    while let Some(query) = queries.query() {
        let answer = ask(adapter, &run.run_id, query).map_err(ComputeError::Adapter)?;
        queries.answer(answer);
    }
    derive_run_state(&options.input(run, queries.finish())).map_err(ComputeError::InvalidTime)
}

fn ask<A: RunStateAdapter>(adapter: &A, run_id: &str, query: Query) -> Result<QueryAnswer, A::Error> {
    Ok(match query {
        Query::PendingApprovals => QueryAnswer::Approvals(adapter.list_pending_approvals(run_id)?),
        Query::Nodes => QueryAnswer::Nodes(adapter.list_nodes(run_id)?),
        Query::Attempts { node_id, iteration } => {
            QueryAnswer::Attempts(adapter.list_attempts(run_id, node_id, iteration)?)
        }
        Query::Sandboxes => QueryAnswer::Sandboxes(adapter.list_sandboxes(run_id)?),
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_row_and_its_pending_signals_make_an_input() -> Result<(), Box<dyn std::error::Error>> {
        use crate::smithers::derive::{
            ComputeRunStateOptions, PendingEvent, PendingSignals, derive_run_state,
        };
        use crate::smithers::wire::read_run;
        use crate::time::Millis;
        let row = read_run(r#"{"runId":"r1","status":"waiting-event"}"#)?;
        let event = PendingEvent { node_id: "ship".into(), correlation_key: "order-7".into() };
        let pending = PendingSignals { pending_event: Some(event), ..PendingSignals::default() };
        let options = ComputeRunStateOptions::new(Millis(1_700_000_000_000.0));
        let view = derive_run_state(&options.input(&row, pending))?.view;
        assert_eq!(view.blocked.unwrap().kind(), "event");
        Ok(())
    }
}
