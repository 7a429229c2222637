//! The rows of a log: a window of what a filter lets through, found without making the others.

use super::EventLog;
use super::filter::{Filter, severity};
use super::fold::GapFold;
use crate::smithers::wire::{Category, EventSeverity, EventType};
use crate::time::Millis;
use crate::word::Word;

/// A window of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// How many rows the filter lets through.
    pub total: u32,
    /// The rows of the window.
    pub rows: Vec<LogRow>,
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub enum LogRow {
    /// An event.
    Event(EventRow),
    /// Heartbeats of one attempt, with nothing but heartbeats of other tasks between them.
    Heartbeats(Heartbeats),
    /// Missing numbers.
    Gap(Gap),
}

/// An event as a row.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// The number of the row in the log; [`EventLog::json`] gives the event.
    pub row: u32,
    /// What happened.
    pub event_type: Word<EventType>,
    /// What it is about.
    pub category: Category,
    /// How it weighs.
    pub severity: EventSeverity,
    /// When.
    pub at: Millis,
    /// The sequence number, where the log has them.
    pub seq: Option<u32>,
    /// The run.
    pub run_id: String,
    /// The node, where the event is about one.
    pub node_id: Option<String>,
    /// The round of a loop.
    pub iteration: u32,
    /// The attempt.
    pub attempt: Option<u32>,
}

/// The heartbeats of one attempt as one row, where nothing but heartbeats of other tasks stands between them.
///
/// ```
/// use runstate::log::{EventLog, Filter, LogRow};
/// use runstate::time::Millis;
///
/// let mut log = EventLog::new();
/// for at in [1000, 2000, 3000] {
///     log.push_value(&format!(
///         r#"{{"type":"TaskHeartbeat","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":{at},"hasData":false,"dataSizeBytes":0}}"#
///     ));
/// }
/// let page = log.rows(0, 10, &Filter::default());
/// let [LogRow::Heartbeats(beats)] = &page.rows[..] else { unreachable!() };
/// assert_eq!((beats.count, beats.last_at), (3, Millis(3000.0)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Heartbeats {
    /// The first of them.
    pub first: EventRow,
    /// When the last of them was.
    pub last_at: Millis,
    /// How many.
    pub count: u32,
}

/// Numbers that are missing in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The run whose numbers they are.
    pub run_id: String,
    /// Numbers of frames, in a log whose events have no sequence numbers.
    pub frames: bool,
    /// The first missing number.
    pub from: u32,
    /// The last missing number.
    pub to: u32,
    /// The time of the event after the gap.
    pub before: Millis,
}

/// Every so many rows their place is kept, so that a window far down is found at once.
const STEP: u32 = 256;

/// What is known of the rows that the last filter lets through.
#[derive(Debug, Default)]
pub(super) struct Shown {
    filter: Option<Filter>,
    version: u32,
    /// Whether some gaps were not shown because frames are left out.
    without_frames: bool,
    /// For rows of events: the row's number and its place in the order.
    marks: Vec<(u32, u32)>,
    walk: Walk,
}

/// A walk over the order, row by row.
#[derive(Clone, Debug, Default)]
struct Walk {
    place: u32,
    gap: u32,
    rows: u32,
    /// Whose heartbeats the last rows hold, if those are what the walk came to last.
    beats: Vec<Beating>,
}

/// An attempt that is alive.
#[derive(Clone, Copy, Debug)]
struct Beating {
    unit: u32,
    attempt: u16,
    /// Its row.
    row: u32,
}

/// What the walk came to.
enum Step {
    /// A gap is the next row.
    Gap(u32),
    /// An event is the next row; it may take more heartbeats in.
    Event(u32),
    /// A heartbeat belongs to an earlier row.
    Beat { event: u32, row: u32 },
}

impl Walk {
    /// Goes on to the next thing that is shown.
    fn next(&mut self, log: &EventLog, filter: &Filter, text: &[u8]) -> Option<Step> {
        while self.place < log.order.len() {
            if let Some(gap) = log.fold.gaps.get(self.gap as usize)
                && gap.before == self.place
            {
                self.gap += 1;
                let wanted = filter.run_id.as_deref().is_none_or(|run| log.store.runs.name(gap.run) == run);
                if filter.gaps && wanted && !log.is_left_out(gap) {
                    self.rows += 1;
                    self.beats.clear();
                    return Some(Step::Gap(self.gap - 1));
                }
                continue;
            }
            let row = log.order.row(self.place);
            self.place += 1;
            if !filter.passes(&log.store, row, text) {
                continue;
            }
            let known = log.store.kind(row).and_then(|kind| kind.word.known());
            if known == Some(EventType::TaskHeartbeat) {
                let (unit, attempt) = (log.store.unit(row), log.store.short_attempt(row));
                let same = |beating: &&Beating| beating.unit == unit && beating.attempt == attempt;
                if let Some(beating) = self.beats.iter().find(same) {
                    return Some(Step::Beat { event: row, row: beating.row });
                }
                self.beats.push(Beating { unit, attempt, row: self.rows });
            } else {
                self.beats.clear();
            }
            self.rows += 1;
            return Some(Step::Event(row));
        }
        None
    }
}

impl Shown {
    /// Walks over everything that came since, and counts.
    fn count(&mut self, log: &EventLog, filter: &Filter, text: &[u8]) {
        let (version, without_frames) = (log.order.version, log.leaves_frames_out());
        if self.filter.as_ref() != Some(filter)
            || (self.version, self.without_frames) != (version, without_frames)
        {
            *self = Self { filter: Some(filter.clone()), version, without_frames, ..Self::default() };
        }
        while let Some(step) = self.walk.next(log, filter, text) {
            let last = self.marks.last().map_or(0, |mark| mark.0 + STEP);
            let row = self.walk.rows - 1;
            // Among heartbeats a walk begins with the first of them, or it would not know whose rows there are.
            let begins = self.walk.beats.first().is_none_or(|first| first.row == row);
            if matches!(step, Step::Event(_)) && begins && row >= last {
                self.marks.push((row, self.walk.place - 1));
            }
        }
    }

    /// A walk that comes to this row soon, and before its beginning.
    fn walk_to(&self, log: &EventLog, row: u32) -> Walk {
        let after = self.marks.partition_point(|mark| mark.0 <= row);
        let Some((rows, place)) = after.checked_sub(1).and_then(|mark| self.marks.get(mark)).copied() else {
            return Walk::default();
        };
        // The gaps before an event are rows before it.
        let gap = log.fold.gaps.partition_point(|gap| gap.before <= place) as u32;
        Walk { place, gap, rows, beats: Vec::new() }
    }

    pub(super) fn memory(&self) -> usize {
        self.marks.capacity() * size_of::<(u32, u32)>()
    }
}

pub(super) fn page(log: &mut EventLog, start: u32, end: u32, filter: &Filter) -> Page {
    let text = filter.lower_text();
    let mut shown = std::mem::take(&mut log.shown);
    shown.count(log, filter, &text);
    let (total, mut walk) = (shown.walk.rows, shown.walk_to(log, start));
    log.shown = shown;
    let mut rows = Vec::new();
    while let Some(step) = walk.next(log, filter, &text) {
        // `rows` counts the row that the step made: it is past the window when it is beyond `end`. Heartbeats of rows in the
        // window may come later, until something else happens.
        let beyond = walk.rows > end;
        if beyond && walk.beats.first().is_none_or(|first| first.row >= end) {
            break;
        }
        match step {
            Step::Beat { event, row } => {
                let place = row.checked_sub(start).and_then(|place| rows.get_mut(place as usize));
                add_beat(log, place, event);
            }
            Step::Gap(_) | Step::Event(_) if beyond || walk.rows <= start => {}
            Step::Gap(gap) => {
                rows.extend(log.fold.gaps.get(gap as usize).map(|found| LogRow::Gap(self::gap(log, found))));
            }
            Step::Event(row) => rows.push(LogRow::Event(event(log, row))),
        }
    }
    Page { total, rows }
}

fn add_beat(log: &EventLog, row: Option<&mut LogRow>, beat: u32) {
    let at = Millis(log.store.time(beat));
    let Some(row) = row else { return };
    match row {
        LogRow::Event(first) => {
            *row = LogRow::Heartbeats(Heartbeats { first: first.clone(), last_at: at, count: 2 });
        }
        LogRow::Heartbeats(beats) => {
            beats.last_at = at;
            beats.count += 1;
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
