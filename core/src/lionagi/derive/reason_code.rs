//! Why a status was written: lionagi's closed registry of reason codes, three segments each.

use crate::lionagi::wire::SessionStatus;

/// Every code that lionagi 0.36 registers, sorted. The server refuses any other; a viewer shows what it gets.
///
/// ```
/// use runstate::lionagi::derive::REASON_CODES;
///
/// assert!(REASON_CODES.is_sorted());
/// assert!(REASON_CODES.binary_search(&"run.cancelled.sigint").is_ok());
/// ```
pub const REASON_CODES: [&str; 75] = [
    "dispatch.acked.consumer",
    "dispatch.dead_letter.ack_timeout",
    "dispatch.dead_letter.max_attempts",
    "dispatch.delivered.transport_ok",
    "dispatch.delivering.attempt",
    "dispatch.expired.deadline",
    "dispatch.pending.enqueued",
    "dispatch.pending.retry_backoff",
    "legacy.imported",
    "play.blocked.dep_failed",
    "play.blocked.invalid_deps",
    "play.escalated.gate_twice",
    "play.gate_failed.verdict",
    "play.merged.ok",
    "play.pending.created",
    "play.pending.ready",
    "play.pending.waiting_on_deps",
    "run.aborted.user",
    "run.cancelled.force_kill",
    "run.cancelled.manual_kill",
    "run.cancelled.orchestrator",
    "run.cancelled.sigint",
    "run.cancelled.sigterm",
    "run.cancelled.stale_auto",
    "run.cancelled.system",
    "run.completed.finalize_error",
    "run.completed.gate_rejected",
    "run.completed.ok",
    "run.completed.spawn_refused",
    "run.completed_empty.no_evidence",
    "run.failed.artifact_write",
    "run.failed.cwd_inherit_refused",
    "run.failed.escalated",
    "run.failed.exception",
    "run.failed.exit_nonzero",
    "run.failed.lease_attempts_exhausted",
    "run.failed.missing_artifact",
    "run.failed.missing_cwd",
    "run.failed.never_dispatched",
    "run.failed.provider_nonretryable",
    "run.failed.provider_retryable",
    "run.paused.operator",
    "run.queued.lease_expired",
    "run.skipped.duration_exceeds_lease",
    "run.skipped.waiter_cap_exceeded",
    "run.started.ok",
    "run.timed_out.deadline",
    "schedule.budget.exhausted",
    "schedule.deferred.capacity",
    "schedule.fired.due",
    "schedule.queued.created",
    "schedule.skipped.missed_fire",
    "schedule.skipped.overlap",
    "schedule.skipped.precondition",
    "schedule_definition.created.observed",
    "schedule_definition.deleted.observed",
    "schedule_definition.disabled.budget_exhausted",
    "schedule_definition.disabled.declared",
    "schedule_definition.disabled.manual",
    "schedule_definition.disabled.max_runs",
    "schedule_definition.disabled.omitted",
    "schedule_definition.disabled.unspecified",
    "schedule_definition.enabled.observed",
    "session.orphaned.no_process",
    "session.phantom.missing_artifacts",
    "session.phantom.process_dead",
    "session.reopened.by_resume",
    "session.stale.no_heartbeat",
    "session.zombie.stale_locks",
    "show.aborted.operator",
    "show.active.created",
    "show.blocked.no_ready_plays",
    "show.completed.all_plays_merged",
    "show.completed.final_gate",
    "team.archived.operator",
];

/// Whether lionagi 0.36 registers this code.
///
/// ```
/// use runstate::lionagi::derive::is_registered_reason;
///
/// assert!(is_registered_reason("run.timed_out.deadline"));
/// assert!(!is_registered_reason("run.health.stalled"));
/// ```
pub fn is_registered_reason(code: &str) -> bool {
    REASON_CODES.contains(&code)
}

/// The code that a session gets where the writer names none.
///
/// ```
/// use runstate::lionagi::wire::SessionStatus;
/// use runstate::lionagi::derive::default_reason;
///
/// assert_eq!(default_reason(SessionStatus::TimedOut), "run.timed_out.deadline");
/// ```
pub fn default_reason(status: SessionStatus) -> &'static str {
    match status {
        SessionStatus::Running => "run.started.ok",
        SessionStatus::Completed => "run.completed.ok",
        SessionStatus::CompletedEmpty => "run.completed_empty.no_evidence",
        SessionStatus::Failed => "run.failed.exception",
        SessionStatus::TimedOut => "run.timed_out.deadline",
        SessionStatus::Aborted => "run.aborted.user",
        SessionStatus::Cancelled => "run.cancelled.system",
    }
}
