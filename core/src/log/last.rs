//! The last events of a run, found from the end of the log.

use super::EventLog;
use super::fold::EventText;
use crate::smithers::wire::{Category, EventType};
use crate::time::Millis;

/// One of the last events.
pub(crate) struct LastEvent {
    /// When it was written.
    pub(crate) at: Millis,
    /// The sequence number, if the log has one.
    pub(crate) seq: Option<u32>,
    /// The type, as it was written.
    pub(crate) event_type: String,
    /// The node's id and iteration, if the event is about a node.
    pub(crate) node: Option<(String, u32)>,
    /// The attempt.
    pub(crate) attempt: Option<u32>,
    /// The error that it reports.
    pub(crate) error: Option<String>,
}

pub(super) fn last_events(
    log: &EventLog,
    run_id: &str,
    max: usize,
    is_listed: fn(Category) -> bool,
) -> Vec<LastEvent> {
    let store = &log.store;
    let Some(run) = store.runs.find(0, run_id.as_bytes()) else { return Vec::new() };
    let rows = (0..log.order.len()).rev().map(|place| log.order.row(place));
    let run_rows = rows.filter(|row| store.run_of(store.unit(*row)) == run && !store.is_repeat(*row));
    run_rows.filter_map(|row| event(log, row, is_listed)).take(max).collect()
}

/// The event, if its category is listed.
fn event(log: &EventLog, row: u32, is_listed: fn(Category) -> bool) -> Option<LastEvent> {
    let store = &log.store;
    let word = &store.kind(row)?.word;
    if !is_listed(word.known().map_or(Category::Foreign, EventType::category)) {
        return None;
    }
    let unit = store.unit(row);
    let iteration = store.units.get(unit).map_or(0, |unit| unit.iteration);
    Some(LastEvent {
        at: store.moment(row),
        seq: store.seq(row),
        event_type: word.as_str().to_owned(),
        node: store.node_of(unit).map(|node| (store.nodes.name(node).to_owned(), iteration)),
        attempt: store.attempt(row),
        error: EventText::new(store, row).error(),
    })
}
