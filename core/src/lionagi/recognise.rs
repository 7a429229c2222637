//! Which document of lionagi this is, by its keys.

use super::Recognised;
use crate::json::{Slice, Token, items};

/// Whether a JSON value is a document of lionagi that [`read_document`](super::read_document) reads.
// The reader of all documents asks it first.
#[allow(dead_code)]
pub(crate) fn recognises(slice: Slice<'_>) -> bool {
    kind(slice).is_some()
}

/// Which document it is; `None` for any other.
pub(crate) fn kind(slice: Slice<'_>) -> Option<Recognised> {
    if slice.is_array() {
        return match kind_of_row(first(slice)?)? {
            Recognised::Invocation => Some(Recognised::InvocationList),
            _ => Some(Recognised::SessionList),
        };
    }
    let names = [
        "detail",
        "contract_version",
        "exit_class",
        "phantom_sessions",
        "runs",
        "sessions",
        "invocations",
        "db",
    ];
    let ([detail, contract, exit_class, phantoms, runs, sessions, invocations, db], others) =
        keys(slice, names)?;
    if detail.is_some_and(|detail| detail.is_array() || detail.text().is_some()) && others == 0 {
        return Some(Recognised::ErrorResponse);
    }
    if contract.is_some() && has(slice, "ok") {
        return Some(Recognised::Lifecycle);
    }
    if exit_class.is_some() && has(slice, "entity_type") {
        return Some(Recognised::AgentStatus);
    }
    if phantoms.is_some_and(Slice::is_array) {
        return Some(Recognised::Doctor);
    }
    if sessions.is_some_and(|sessions| sessions.is_object() && has(sessions, "unhealthy")) {
        return Some(Recognised::AdminHealth);
    }
    if db.is_some_and(|db| has(db, "sessions_by_status")) {
        return Some(Recognised::Stats);
    }
    if invocations.is_some_and(Slice::is_array) {
        return Some(Recognised::InvocationList);
    }
    if let Some(row) = kind_of_row(slice) {
        return Some(row);
    }
    let list = runs.or(sessions).filter(|list| list.is_array())?;
    let paged = has(slice, "per_page") || has(slice, "truncated");
    (first(list).map_or(paged, |row| kind_of_row(row).is_some() || paged)).then_some(Recognised::SessionList)
}

/// Whether an object is a row of a session or of an invocation. Smithers' rows have `runId` or `workflow_name`, and none of
/// lionagi's columns.
fn kind_of_row(slice: Slice<'_>) -> Option<Recognised> {
    let names = [
        "session_id",
        "id",
        "status",
        "invocation_kind",
        "status_reason_code",
        "last_message_at",
        "effective_health",
    ];
    let ([session_id, id, status, kind, reason, last_message, health], _) = keys(slice, names)?;
    if has(slice, "runId") || has(slice, "nodeId") {
        return None;
    }
    if id.is_some() && status.is_some() && (has(slice, "session_count") || has(slice, "skill")) {
        return Some(Recognised::Invocation);
    }
    let own = kind.or(reason).or(last_message).or(health);
    let row = status.is_some() && (session_id.or(own).is_some());
    // Admin health and a projection without the status column.
    let unhealthy = session_id.is_some() && own.is_some();
    (row || unhealthy).then_some(Recognised::Session)
}

fn first(list: Slice<'_>) -> Option<Slice<'_>> {
    items(list).ok()?.next()?.ok().filter(|first| first.is_object())
}

fn has(slice: Slice<'_>, name: &str) -> bool {
    keys(slice, [name]).is_some_and(|([found], _)| found.is_some())
}

/// The first value of each key, and how many other keys there are. Keys that are there twice are for the reader to refuse.
fn keys<'a, const N: usize>(slice: Slice<'a>, names: [&str; N]) -> Option<([Option<Slice<'a>>; N], usize)> {
    let mut reader = slice.reader();
    if !matches!(reader.token(), Ok(Token::ObjectStart)) {
        return None;
    }
    let (mut found, mut others) = ([None; N], 0);
    while let Ok(Token::Key(key)) = reader.token() {
        let key = key.decode();
        let value = slice.part(reader.skip_value().ok()?);
        match names.iter().position(|name| *name == key) {
            Some(place) => found[place] = found[place].or(Some(value)),
            None => others += 1,
        }
    }
    Some((found, others))
}
