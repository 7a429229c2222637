//! Finds documents among the members of an object that is none itself.

use memchr::{memchr, memmem};

use super::answer::body_of;
use crate::json::{Slice, fields, items};
use crate::kind::{self, ItemKind, Keys, MAX_EXAMINED_ROWS, SmithersKind};

/// How many objects may be around a document: GraphQL has two, `{"data":{"run":…}}`.
const MAX_DEPTH: usize = 3;

/// Returns the events beside a run's row, or beside a list of runs.
pub(super) fn events(slice: Slice<'_>) -> Option<Slice<'_>> {
    memmem::find(slice.json().as_bytes(), b"\"events\"")?;
    let [events] = fields(body_of(slice).ok()?, ["events"]).ok()?;
    events.filter(|events| is_known_list(*events))
}

/// Returns the members of an object that are a run, a list of rows or events, or an object around such a member. The values
/// decide, not the names of their keys.
pub(super) fn documents(slice: Slice<'_>) -> Vec<Slice<'_>> {
    documents_within(slice, MAX_DEPTH)
}

fn documents_within(slice: Slice<'_>, depth: usize) -> Vec<Slice<'_>> {
    // Few objects without content have an object inside.
    let has_object = memchr(b'{', slice.json().as_bytes().get(1..).unwrap_or_default()).is_some();
    if !has_object || !slice.is_object() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let collect = &mut |_: &str, _: usize, value: Slice<'_>| {
        found.extend(is_document(value, depth).then_some((value.begin(), value.end())));
        Ok(())
    };
    if slice.each_member(collect).is_err() {
        return Vec::new();
    }
    found.into_iter().map(|range| slice.part(range)).collect()
}

fn is_document(value: Slice<'_>, depth: usize) -> bool {
    if value.is_array() {
        return is_known_list(value);
    }
    Keys::read(value).is_ok_and(|keys| is_run(&keys))
        || depth > 1 && !documents_within(value, depth - 1).is_empty()
}

/// Whether an object names the state of a run. Logs repeat a run's id and its workflow in each line.
fn is_run(keys: &Keys<'_>) -> bool {
    let has_state = keys.any(["status", "runState", "state"]);
    match kind::smithers(keys) {
        Some(SmithersKind::Run) => has_state && kind::is_run(keys),
        Some(_) => true,
        None => ItemKind::from_item(keys.object()) == Some(ItemKind::Lionagi),
    }
}

/// Whether a value is a list with a run, an event, or another row of Smithers.
fn is_known_list(list: Slice<'_>) -> bool {
    let Ok(items) = items(list) else { return false };
    let rows = items.take(MAX_EXAMINED_ROWS).map_while(Result::ok).filter(|row| row.is_object());
    rows.filter_map(|row| Keys::read(row).ok()).any(|keys| {
        kind::is_run(&keys)
            || kind::is_event(&keys)
            || kind::is_node_state(&keys)
            || kind::row(&keys).is_some()
    })
}
