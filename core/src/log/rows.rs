//! The rows of a log: a window of the rows that match a filter, found without building the other rows.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use super::EventLog;
use super::filter::{Filter, severity};
use super::fold::GapFold;
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

/// The row of an event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventRow {
    /// The number of the row in the log, for [`EventLog::json`].
    pub row: u32,
    /// The type.
    pub event_type: Word<EventType>,
    /// The category.
    pub category: Category,
    /// The severity.
    pub severity: EventSeverity,
    /// When it was written.
    pub at: Millis,
    /// The sequence number, if the log has one.
    pub seq: Option<u32>,
    /// The run's id.
    pub run_id: String,
    /// The node's id, if the event is about a node.
    pub node_id: Option<String>,
    /// The loop iteration.
    pub iteration: u32,
    /// The attempt.
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
    /// The time of the event after the gap.
    pub before: Millis,
}

/// Rows between two checkpoints, which bound the cost of finding a window far down.
const CHECKPOINT_INTERVAL: u32 = 256;

/// Index of the rows of one log that match the last filter.
#[derive(Debug, Default)]
pub(crate) struct RowIndex {
    filter: Option<Filter>,
    version: u32,
    /// Whether gaps were hidden because the log omits frames.
    omits_frames: bool,
    /// Checkpoints at rows of events: the row's number and the event's position in the order.
    checkpoints: Vec<(u32, u32)>,
    cursor: RowCursor,
}

/// A cursor over the events and gaps, row by row.
#[derive(Clone, Debug, Default)]
struct RowCursor {
    place: u32,
    gap: u32,
    rows: u32,
    heartbeat_rows: HeartbeatRows,
}

/// The last rows that are heartbeats; empty if the last row is something else.
#[derive(Clone, Debug, Default)]
struct HeartbeatRows {
    /// The number of the first one.
    first: Option<u32>,
    /// The number of each attempt's row, by unit and attempt.
    by_attempt: HashMap<(u32, u16), u32>,
}

impl HeartbeatRows {
    /// The row of an attempt, if it has one; otherwise it gets the row with this number.
    fn known_or_new(&mut self, attempt: (u32, u16), row: u32) -> Option<u32> {
        match self.by_attempt.entry(attempt) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(new) => {
                new.insert(row);
                self.first.get_or_insert(row);
                None
            }
        }
    }

    fn clear(&mut self) {
        self.first = None;
        self.by_attempt.clear();
    }

    /// Whether no row lies before this one.
    fn begin_at(&self, row: u32) -> bool {
        self.first.is_none_or(|first| first >= row)
    }
}

/// The next step of the cursor.
enum Step {
    /// A new row for a gap.
    Gap(u32),
    /// A new row for an event. A heartbeat may be followed by more of its attempt.
    Event(u32),
    /// A heartbeat that belongs to an earlier row.
    Heartbeat { event: u32, row: u32 },
}

impl RowCursor {
    /// Advances to the next visible event or gap.
    fn next(&mut self, log: &EventLog, filter: &Filter, text: &[u8]) -> Option<Step> {
        while self.place < log.order.len() {
            if let Some(gap) = log.fold.gaps.get(self.gap as usize)
                && gap.before == self.place
            {
                self.gap += 1;
                let wanted = filter.run_id.as_deref().is_none_or(|run| log.store.runs.name(gap.run) == run);
                if filter.gaps && wanted && !log.is_frame_gap(gap) {
                    self.rows += 1;
                    self.heartbeat_rows.clear();
                    return Some(Step::Gap(self.gap - 1));
                }
                continue;
            }
            let row = log.order.row(self.place);
            self.place += 1;
            if !filter.matches(&log.store, row, text) {
                continue;
            }
            let known = log.store.kind(row).and_then(|kind| kind.word.known());
            if known == Some(EventType::TaskHeartbeat) {
                let attempt = (log.store.unit(row), log.store.attempt_key(row));
                if let Some(known) = self.heartbeat_rows.known_or_new(attempt, self.rows) {
                    return Some(Step::Heartbeat { event: row, row: known });
                }
            } else {
                self.heartbeat_rows.clear();
            }
            self.rows += 1;
            return Some(Step::Event(row));
        }
        None
    }
}

impl RowIndex {
    /// Counts the rows that were added since the last call.
    fn count(&mut self, log: &EventLog, filter: &Filter, text: &[u8]) {
        let (version, omits_frames) = (log.order.version, log.omits_frames());
        if self.filter.as_ref() != Some(filter)
            || (self.version, self.omits_frames) != (version, omits_frames)
        {
            *self = Self { filter: Some(filter.clone()), version, omits_frames, ..Self::default() };
        }
        while let Some(step) = self.cursor.next(log, filter, text) {
            let last = self.checkpoints.last().map_or(0, |checkpoint| checkpoint.0 + CHECKPOINT_INTERVAL);
            let row = self.cursor.rows - 1;
            // A checkpoint among heartbeats must be at the first one, or the cursor would not know to which rows the others
            // belong.
            let begins = self.cursor.heartbeat_rows.begin_at(row);
            if matches!(step, Step::Event(_)) && begins && row >= last {
                self.checkpoints.push((row, self.cursor.place - 1));
            }
        }
    }

    /// A cursor at the last checkpoint before this row.
    fn cursor_near(&self, log: &EventLog, row: u32) -> RowCursor {
        let after = self.checkpoints.partition_point(|checkpoint| checkpoint.0 <= row);
        let Some((rows, place)) =
            after.checked_sub(1).and_then(|checkpoint| self.checkpoints.get(checkpoint)).copied()
        else {
            return RowCursor::default();
        };
        // The gaps before an event have their rows before it.
        let gap = log.fold.gaps.partition_point(|gap| gap.before <= place) as u32;
        RowCursor { place, gap, rows, heartbeat_rows: HeartbeatRows::default() }
    }

    pub(super) fn memory(&self) -> usize {
        self.checkpoints.capacity() * size_of::<(u32, u32)>()
    }
}

/// A window of the rows of a log whose events are in order. The index finds it without building the other rows.
pub(super) fn page(log: &EventLog, index: &mut RowIndex, window: Range<u32>, filter: &Filter) -> Page {
    let text = filter.lowercase_text();
    index.count(log, filter, &text);
    let (total, mut cursor) = (index.cursor.rows, index.cursor_near(log, window.start));
    let mut rows = Vec::new();
    while let Some(step) = cursor.next(log, filter, &text) {
        // The step made row `rows - 1`, which lies past the window if `rows` is beyond its end. Heartbeats of rows inside the
        // window may still follow until another event ends them.
        let beyond = cursor.rows > window.end;
        if beyond && cursor.heartbeat_rows.begin_at(window.end) {
            break;
        }
        match step {
            Step::Heartbeat { event, row } => {
                let place = row.checked_sub(window.start).and_then(|place| rows.get_mut(place as usize));
                add_heartbeat(log, place, event);
            }
            Step::Gap(_) | Step::Event(_) if beyond || cursor.rows <= window.start => {}
            Step::Gap(gap) => {
                rows.extend(log.fold.gaps.get(gap as usize).map(|found| LogRow::Gap(self::gap(log, found))));
            }
            Step::Event(row) => rows.push(LogRow::Event(event(log, row))),
        }
    }
    Page { total, rows }
}

fn add_heartbeat(log: &EventLog, row: Option<&mut LogRow>, heartbeat: u32) {
    let at = Millis(log.store.time(heartbeat));
    let Some(row) = row else { return };
    match row {
        LogRow::Event(first) => {
            *row = LogRow::Heartbeats(Heartbeats { first: first.clone(), last_at: at, count: 2 });
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
        at: Millis(store.time(row)),
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
        before: log.time_at(gap.before),
    }
}
