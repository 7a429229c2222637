//! Finds documents among the members of an object that is none itself.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::frame::Envelope;
use crate::json::{Slice, fields, items};
use crate::kind::{self, ItemKind, Keys, MAX_EXAMINED_ROWS, SmithersKind};
use crate::redact::is_hidden;

/// How many objects may be around a document: GraphQL has two, `{"data":{"run":…}}`.
const MAX_DEPTH: usize = 3;

/// Returns the events beside a run's row, or beside a list of runs.
pub(super) fn events(slice: Slice<'_>) -> Option<Slice<'_>> {
    memmem::find(slice.json().as_bytes(), b"\"events\"")?;
    let [events] = fields(Envelope::body_of(slice).ok()?, ["events"]).ok()?;
    events.filter(|events| events.is_array() && list(*events).is_some())
}

/// What a member is.
#[derive(Clone, Copy, PartialEq)]
enum Member {
    /// The answer to a question about one run of Smithers.
    Run(SmithersKind),
    /// A session, an invocation, a show or a play of lionagi.
    Session,
    /// A list of runs.
    Runs,
    /// A list of events, nodes or other rows about runs.
    Rows,
    /// An object with such members.
    Around,
}

/// Returns the lists of objects among the members that are no documents: what they say of a run beside them is not known.
pub(super) fn other_lists(slice: Slice<'_>) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let collect = &mut |key: Cow<'_, str>, _: usize, value: Slice<'_>| {
        let has_object = items(value)
            .is_ok_and(|mut items| items.next().is_some_and(|item| item.is_ok_and(Slice::is_object)));
        if value.is_array() && has_object && list(value).is_none() {
            found.push((key.into_owned(), value.begin()));
        }
        Ok(())
    };
    if slice.each_member(collect).is_err() {
        return Vec::new();
    }
    found
}

/// Returns the members of an object that are a run, a list of rows or events, or an object around such a member. The values
/// decide, not the names of their keys, except those of secrets. Of two runs or two lists of runs it is not known which one is asked about: then none
/// is returned.
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
    let collect = &mut |key: Cow<'_, str>, _: usize, value: Slice<'_>| {
        // What an export hides is lost in it.
        let kind = if is_hidden(&key, value) { None } else { member(value, depth) };
        found.extend(kind.map(|kind| (kind, (value.begin(), value.end()))));
        Ok(())
    };
    let is_read = slice.each_member(collect).is_ok();
    let repeats = |(place, (kind, _)): (usize, &(Member, _))| {
        *kind != Member::Rows && found[..place].iter().any(|(other, _)| other == kind)
    };
    if !is_read || found.iter().enumerate().any(repeats) {
        return Vec::new();
    }
    found.into_iter().map(|(_, range)| slice.part(range)).collect()
}

fn member(value: Slice<'_>, depth: usize) -> Option<Member> {
    if value.is_array() {
        return list(value);
    }
    let run = Keys::read(value).ok().and_then(|keys| run(&keys));
    run.or_else(|| (depth > 1 && !documents_within(value, depth - 1).is_empty()).then_some(Member::Around))
}

/// An object that names the state of a run. Logs repeat a run's id and its workflow in each line.
fn run(keys: &Keys<'_>) -> Option<Member> {
    let has_state = keys.any(["status", "runState", "state"]);
    match kind::smithers(keys) {
        Some(kind @ SmithersKind::Run) => (has_state && kind::is_run(keys)).then_some(Member::Run(kind)),
        Some(kind) => Some(Member::Run(kind)),
        None => (ItemKind::from_item(keys.object()) == Some(ItemKind::Lionagi)).then_some(Member::Session),
    }
}

/// A list with a run, an event, or another row of Smithers.
fn list(value: Slice<'_>) -> Option<Member> {
    let rows = items(value).ok()?.take(MAX_EXAMINED_ROWS).map_while(Result::ok).filter(|row| row.is_object());
    rows.filter_map(|row| Keys::read(row).ok()).find_map(|keys| {
        if kind::is_run(&keys) {
            Some(Member::Runs)
        } else {
            let is_row = kind::is_event(&keys) || kind::is_node_state(&keys) || kind::row(&keys).is_some();
            is_row.then_some(Member::Rows)
        }
    })
}
