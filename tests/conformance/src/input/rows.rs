//! The rows besides its own that determine a run's state.

use super::value::{InvalidInput, Kind, Place, ValueSource, list, number, text};
use runstate::smithers::wire::{ApprovalRow, AttemptRow, NodeRow, SandboxRow};

/// Reads the answer of `listPendingApprovals`.
///
/// # Errors
/// [`InvalidInput`] if it is not a list of approvals.
pub fn read_approvals<S: ValueSource>(rows: &S) -> Result<Vec<ApprovalRow>, InvalidInput> {
    rows_of(rows, "listPendingApprovals", |row| {
        let requested_at_ms = row.loose_number("requestedAtMs");
        // An approval without a time is skipped, so its other fields are irrelevant.
        let node_id = if requested_at_ms.is_some() { row.text("nodeId")? } else { String::new() };
        Ok(ApprovalRow::new(node_id, requested_at_ms))
    })
}

/// Reads the answer of `listNodes`.
///
/// # Errors
/// [`InvalidInput`] if it is not a list of nodes.
pub fn read_nodes<S: ValueSource>(rows: &S) -> Result<Vec<NodeRow>, InvalidInput> {
    rows_of(rows, "listNodes", |row| {
        let (node_id, iteration) = (row.text("nodeId")?, row.optional_number("iteration")?);
        Ok(NodeRow::new(node_id, iteration, row.loose_text("state").as_deref()))
    })
}

/// Reads the answer of `listAttempts`.
///
/// # Errors
/// [`InvalidInput`] if it is not a list of attempts.
pub fn read_attempts<S: ValueSource>(rows: &S) -> Result<Vec<AttemptRow>, InvalidInput> {
    rows_of(rows, "listAttempts", |row| {
        Ok(AttemptRow::new(row.loose_text("state").as_deref(), row.loose_text("metaJson")))
    })
}

/// Reads the answer of `listSandboxes`; a null element is a sandbox without data.
///
/// # Errors
/// [`InvalidInput`] if it is not a list.
pub fn read_sandboxes<S: ValueSource>(rows: &S) -> Result<Vec<SandboxRow>, InvalidInput> {
    let items = list(rows, "listSandboxes")?;
    let row = |item: S| {
        if item.kind() != Kind::Object {
            return SandboxRow::default();
        }
        let status = text(item.field("status").kind());
        SandboxRow::new(status.as_deref(), number(&item.field("heartbeatAtMs").kind()))
    };
    Ok(items.into_iter().map(row).collect())
}

fn rows_of<S: ValueSource, T>(
    rows: &S,
    name: &str,
    read: impl Fn(&Place<S>) -> Result<T, InvalidInput>,
) -> Result<Vec<T>, InvalidInput> {
    let mut found = Vec::new();
    for (index, item) in list(rows, name)?.iter().enumerate() {
        found.push(read(&Place::object(item, &format!("{name}[{index}]"))?)?);
    }
    Ok(found)
}
