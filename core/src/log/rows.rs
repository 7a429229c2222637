//! The rows of a log: a window of the rows that match a filter, found without building the other rows.

use std::ops::Range;

use serde::Serialize;

use super::EventLog;
use super::filter::{Filter, severity};
use super::fold::GapFold;
use super::row_id::RowId;
use super::row_index::{RowIndex, Step};
use super::unread::UnreadLines;
use crate::smithers::wire::{Category, EventSeverity, EventType};
use crate::time::Millis;
use crate::word::Word;

/// A window of rows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page {
    /// The number of rows that match the filter.
    pub total: u32,
    /// The rows of the window.
    pub rows: Vec<LogRow>,
}

/// One row of the log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogRow {
    /// An event.
    Event(EventRow),
    /// Consecutive heartbeats of one attempt; heartbeats of other attempts may lie between them.
    Heartbeats(Heartbeats),
    /// Missing numbers.
    Gap(Gap),
}

/// An event without its body.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify), tsify(rename = "EventFacts"))]
#[non_exhaustive]
pub struct EventRow {
    /// The number of the event in the log, the argument of `event`.
    pub row: u32,
    /// The type.
    #[serde(rename = "type")]
    #[cfg_attr(test, tsify(type = "string"))]
    pub event_type: Word<EventType>,
    /// The category.
    #[cfg_attr(test, tsify(type = "EventCategory"))]
    pub category: Category,
    /// The severity.
    pub severity: EventSeverity,
    /// When it was written; `NaN` if the time is in seconds, which counts as absent.
    #[serde(rename = "atMs")]
    #[cfg_attr(test, tsify(type = "number"))]
    pub at: Millis,
    /// The sequence number, if the log has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u32>,
    /// The run's id.
    pub run_id: String,
    /// The node's id, if the event is about a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// The loop iteration.
    pub iteration: u32,
    /// The attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
}

/// Consecutive heartbeats of one attempt as one row. Heartbeats of other attempts may lie between them.
///
/// ```
/// use runstate::log::{EventLog, Filter, LogRow};
/// use runstate::time::Millis;
///
/// let mut log = EventLog::new();
/// for at in [1000, 2000, 3000] {
///     let line = format!(
///         r#"{{"type":"TaskHeartbeat","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":{at},"hasData":false,"dataSizeBytes":0}}"#
///     );
///     log.push((line + "\n").as_bytes());
/// }
/// let page = log.rows(0, 10, &Filter::default());
/// let [LogRow::Heartbeats(heartbeats)] = &page.rows[..] else { unreachable!() };
/// assert_eq!((heartbeats.count, heartbeats.last_at), (3, Millis(3000.0)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Heartbeats {
    /// The first heartbeat.
    pub first: EventRow,
    /// The time of the last heartbeat.
    pub last_at: Millis,
    /// The number of heartbeats.
    pub count: u32,
    /// Whether rows of all heartbeats but the first follow.
    pub(crate) is_open: bool,
}

/// Numbers that are missing in the log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gap {
    /// The run with missing events or frames.
    pub run_id: String,
    /// Whether frame numbers are missing, which are checked in a log without sequence numbers.
    pub frames: bool,
    /// The first missing number.
    pub from: u32,
    /// The last missing number.
    pub to: u32,
    /// The time of the event after the gap; `NaN` at the end of the log.
    pub before: Millis,
    /// If lines could not be read here, these, in place of numbers.
    pub(crate) unread: Option<UnreadLines>,
}

/// The rows of a window, of those that the index has found so far; each with its id.
pub(super) fn window(
    log: &EventLog,
    index: &RowIndex,
    window: Range<u32>,
    filter: &Filter,
) -> Vec<(RowId, LogRow)> {
    let mut cursor = index.cursor_near(log, window.start);
    let mut rows = Vec::new();
    while let Some(step) = cursor.next(log, filter, index) {
        // The step made row `rows - 1`, which lies past the window if `rows` is beyond its end. Heartbeats of rows inside the
        // window may still follow until another event ends them.
        let beyond = cursor.rows > window.end;
        if beyond && cursor.heartbeat_rows.begin_at(window.end) {
            break;
        }
        let is_shown = !beyond && cursor.rows > window.start;
        match step {
            Step::Heartbeat { event, row, is_open } => {
                let place = row.checked_sub(window.start).and_then(|place| rows.get_mut(place as usize));
                if let Some((_, row)) = place {
                    add_heartbeat(log, row, event, is_open);
                }
                if is_open && is_shown {
                    rows.push(event_row(log, event));
                }
            }
            Step::Gap(gap) if is_shown => rows.extend(
                log.fold
                    .gaps
                    .get(gap as usize)
                    .map(|found| (RowId::Gap(u64::from(gap)), LogRow::Gap(self::gap(log, found)))),
            ),
            Step::Event(row) if is_shown => rows.push(event_row(log, row)),
            Step::Unread(number) if is_shown => rows.extend(unread_row(log, number, cursor.place())),
            Step::Gap(_) | Step::Unread(_) | Step::Event(_) => {}
        }
    }
    rows
}

/// The row of the unreadable lines before the event at this place.
fn unread_row(log: &EventLog, number: u32, place: u32) -> Option<(RowId, LogRow)> {
    let number = u64::from(number);
    let unread = Some(log.unread_lines(number)?.clone());
    let is_event = place < log.order.len();
    let before = if is_event { log.store.moment(log.order.row(place)) } else { Millis(f64::NAN) };
    let gap = Gap { run_id: String::new(), frames: false, from: 0, to: 0, before, unread };
    Some((RowId::Unread(number), LogRow::Gap(gap)))
}

fn event_row(log: &EventLog, row: u32) -> (RowId, LogRow) {
    (RowId::Event(u64::from(row)), LogRow::Event(event(log, row)))
}

fn add_heartbeat(log: &EventLog, row: &mut LogRow, heartbeat: u32, is_open: bool) {
    let at = log.store.moment(heartbeat);
    match row {
        LogRow::Event(first) => {
            *row = LogRow::Heartbeats(Heartbeats { first: first.clone(), last_at: at, count: 2, is_open });
        }
        LogRow::Heartbeats(heartbeats) => {
            heartbeats.last_at = at;
            heartbeats.count += 1;
        }
        LogRow::Gap(_) => {}
    }
}

fn event(log: &EventLog, row: u32) -> EventRow {
    let store = &log.store;
    let unit = store.unit(row);
    let foreign = Word::Foreign("".into());
    let (event_type, weight) = match store.kind(row) {
        Some(kind) => (kind.word.clone(), severity(store, row, kind)),
        None => (foreign, EventSeverity::Info),
    };
    EventRow {
        row,
        category: event_type.known().map_or(Category::Foreign, EventType::category),
        event_type,
        severity: weight,
        at: store.moment(row),
        seq: store.seq(row),
        run_id: store.runs.name(store.run_of(unit)).to_owned(),
        node_id: store.node_of(unit).map(|node| store.nodes.name(node).to_owned()),
        iteration: store.units.get(unit).map_or(0, |unit| unit.iteration),
        attempt: store.attempt(row),
    }
}

pub(super) fn gap(log: &EventLog, gap: &GapFold) -> Gap {
    Gap {
        run_id: log.store.runs.name(gap.run).to_owned(),
        frames: gap.frames,
        from: gap.from,
        to: gap.to,
        before: log.store.moment(log.order.row(gap.before)),
        unread: None,
    }
}
