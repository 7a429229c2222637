//! The identity line.

use crate::format;
use crate::header::Field;
use crate::lionagi::wire::Seconds;
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;

/// The identity fields. An invocation lacks some of them.
pub(super) fn fields(session: &SessionInspection, now: Millis) -> Vec<Field> {
    let row = &session.row;
    let compound = session.effective.as_ref().is_some_and(|effective| effective.compound);
    let label = if row.session_count.is_some() { "Invocation" } else { "Session" };
    let source = Some(session.evidence.read_from.clone()).filter(|source| !source.is_empty());
    let not_set = || row.tells_reason.then(|| "not set".to_owned());
    let started = row.started_at.or(row.created_at).map(Seconds::to_millis);
    [
        Field::id("sessionId", label, row.session_id.clone()),
        Field::code("status", "Stored status", row.status.shown().filter(|_| compound).map(str::to_owned)),
        Field::text("kind", "Kind", row.invocation_kind.as_ref().map(|kind| kind.as_str().to_owned())),
        Field::text("name", "Name", Some(row.name.clone().unwrap_or_else(|| "not stored".to_owned()))),
        Field::text("messages", "Messages", row.message_count.map(|count| format::count(count as f64))),
        Field::code("reasonCode", "Reason code", row.reason_code.clone().or_else(not_set)),
        Field::time("startedAt", "Started", started, now),
        Field::code("source", "Source", source),
    ]
    .into_iter()
    .flatten()
    .collect()
}
