//! Joins two rows of a session that have different columns.

use crate::lionagi::wire::{End, SessionRow, StoredStatus, Timeout};

/// Returns the first row with the additional columns of the second.
pub(super) fn merge_rows(first: SessionRow, second: SessionRow) -> SessionRow {
    let contract = if first.contract.in_document { first.contract } else { second.contract };
    SessionRow {
        session_id: first.session_id,
        run_id: first.run_id.or(second.run_id),
        invocation_id: first.invocation_id.or(second.invocation_id),
        name: first.name.or(second.name),
        agent_name: first.agent_name.or(second.agent_name),
        status: if first.status == StoredStatus::Absent { second.status } else { first.status },
        invocation_kind: first.invocation_kind.or(second.invocation_kind),
        health: first.health.or(second.health),
        process_alive: first.process_alive.or(second.process_alive),
        idle: first.idle.or(second.idle),
        session_count: first.session_count.or(second.session_count),
        message_count: first.message_count.or(second.message_count),
        last_message_at: first.last_message_at.or(second.last_message_at),
        updated_at: first.updated_at.or(second.updated_at),
        started_at: first.started_at.or(second.started_at),
        created_at: first.created_at.or(second.created_at),
        ended_at: if first.ended_at == End::Absent { second.ended_at } else { first.ended_at },
        ended_at_is_approximate: first.ended_at_is_approximate || second.ended_at_is_approximate,
        has_reason_column: first.has_reason_column || second.has_reason_column,
        reason_code: first.reason_code.or(second.reason_code),
        reason_summary: first.reason_summary.or(second.reason_summary),
        artifacts_path: first.artifacts_path.or(second.artifacts_path),
        contract,
        timeout: timeout(first.timeout, second.timeout),
        error: first.error.or(second.error),
    }
}

/// Returns the known timeout, or the fact that none was stored.
fn timeout(first: Timeout, second: Timeout) -> Timeout {
    let known = |timeout: &Timeout| (timeout.configured.or(timeout.elapsed).is_some(), timeout.in_document);
    if known(&second) > known(&first) { second } else { first }
}
