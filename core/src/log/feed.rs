//! The newest events that a server has pushed, of all its runs, in the order of their arrival.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::json::{Slice, fields};
use crate::smithers::wire::EventType;
use crate::time::Millis;

/// The maximum number of kept rows.
const MAX_ROWS: usize = 20_000;

/// The maximum size of their payloads, bytes.
const MAX_BYTES: usize = 16 << 20;

/// How many of the last rows are searched for a text that a new event has too.
const RECENT: usize = 32;

/// The smallest correction of the clock that moves the times, in milliseconds: smaller ones come with every answer, and the times on
/// screen would not stand still.
const MIN_MOVE_MS: f64 = 1000.0;

/// An event that was pushed. The server sends neither the time of an event nor most of its fields.
#[derive(Debug)]
pub(crate) struct FeedEvent {
    /// Most events are of the run of an earlier one, which has the same text.
    pub(crate) run_id: Arc<str>,
    /// When it arrived, by the server's clock.
    pub(crate) at: Millis,
    /// Its number in the stream of the run, if it came in one.
    pub(crate) seq: Option<u32>,
    /// The name, as it was sent.
    pub(crate) name: Arc<str>,
    /// The type that a log gives it; `None` for one that no log has.
    pub(crate) event_type: Option<EventType>,
    pub(crate) node_id: Option<Box<str>>,
    /// Most events of a node have none.
    pub(crate) iteration: Option<u32>,
    pub(crate) attempt: Option<u32>,
    /// The payload as JSON text.
    pub(crate) payload: Box<str>,
}

/// A row of the received events.
#[derive(Debug)]
pub(crate) enum FeedRow {
    /// An event.
    Event(FeedEvent),
    /// Events of any run were lost; `count` is their number if the server numbers them.
    Lost { at: Millis, count: Option<u64> },
}

/// The received events. Of more than 20 000 rows or 16 MB, the oldest are dropped and counted.
#[derive(Debug, Default)]
pub(crate) struct EventFeed {
    rows: VecDeque<FeedRow>,
    bytes: usize,
    /// When the first connection was made, by the server's clock.
    since: Option<Millis>,
    /// The number of dropped rows, and of the events among them.
    first: u64,
    dropped: u64,
}

impl EventFeed {
    /// Records that events arrive from now on; those since the last connection were lost.
    pub(crate) fn begin(&mut self, at: Millis) {
        match self.since {
            Some(_) => self.lose(None, at),
            None => self.since = Some(at),
        }
    }

    /// Records that events did not arrive.
    pub(crate) fn lose(&mut self, count: Option<u64>, at: Millis) {
        self.add(FeedRow::Lost { at, count });
    }

    /// Adds an event.
    pub(crate) fn push(
        &mut self,
        run_id: &str,
        name: &str,
        seq: Option<f64>,
        payload: Slice<'_>,
        at: Millis,
    ) {
        let [node_id, iteration, attempt] =
            fields(payload, ["nodeId", "iteration", "attempt"]).unwrap_or_default();
        let small = |field: Option<Slice<'_>>| field.and_then(|field| field.read_small().ok());
        self.since = self.since.or(Some(at));
        self.add(FeedRow::Event(FeedEvent {
            run_id: self.shared(run_id, |event| &event.run_id),
            at,
            seq: seq.filter(|seq| *seq >= 0.0 && *seq < f64::from(u32::MAX)).map(|seq| seq as u32),
            name: self.shared(name, |event| &event.name),
            event_type: EventType::from_pushed(name, payload),
            node_id: node_id.and_then(Slice::text).map(Into::into),
            iteration: small(iteration),
            attempt: small(attempt),
            payload: payload.json().into(),
        }));
    }

    /// A text, which is that of one of the last events if it is equal.
    fn shared(&self, text: &str, of: fn(&FeedEvent) -> &Arc<str>) -> Arc<str> {
        let events = self.rows.iter().rev().take(RECENT).filter_map(|row| match row {
            FeedRow::Event(event) => Some(of(event)),
            FeedRow::Lost { .. } => None,
        });
        let mut equal = events.filter(|known| ***known == *text);
        equal.next().map_or_else(|| text.into(), Arc::clone)
    }

    fn add(&mut self, row: FeedRow) {
        self.bytes += size(&row);
        self.rows.push_back(row);
        if self.rows.len() <= MAX_ROWS && self.bytes <= MAX_BYTES {
            return;
        }
        // Many at once: rows that are dropped move all others.
        while self.rows.len() > MAX_ROWS / 4 * 3 || self.bytes > MAX_BYTES / 4 * 3 {
            let Some(row) = self.rows.pop_front() else { return };
            self.bytes -= size(&row);
            self.first += 1;
            self.dropped += u64::from(matches!(row, FeedRow::Event(_)));
        }
    }

    /// Moves all times by `ms`: the estimate of the server's clock has changed.
    pub(crate) fn move_times(&mut self, ms: f64) {
        if ms.abs() < MIN_MOVE_MS {
            return;
        }
        let times = self.rows.iter_mut().map(|row| match row {
            FeedRow::Event(event) => &mut event.at,
            FeedRow::Lost { at, .. } => at,
        });
        times.chain(&mut self.since).for_each(|at| at.0 += ms);
    }

    pub(crate) fn rows(&self) -> &VecDeque<FeedRow> {
        &self.rows
    }

    /// The number of the first row that is kept, counted from the first connection.
    pub(crate) fn first(&self) -> u64 {
        self.first
    }

    /// When the first event could arrive, by the server's clock; `None` if there was no connection.
    pub(crate) fn since(&self) -> Option<Millis> {
        self.since
    }

    /// The number of dropped events, of all runs.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }
}

fn size(row: &FeedRow) -> usize {
    match row {
        FeedRow::Event(event) => event.payload.len() + size_of::<FeedRow>(),
        FeedRow::Lost { .. } => size_of::<FeedRow>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_events_are_dropped_and_counted() {
        let mut events = EventFeed::default();
        for number in 0..=MAX_ROWS {
            events.push("r", "node.started", Some(number as f64), Slice::new("{}"), Millis(number as f64));
        }
        assert_eq!(events.rows().len() as u64 + events.dropped(), MAX_ROWS as u64 + 1);
        assert_eq!(events.rows().len(), MAX_ROWS / 4 * 3);
        let large = format!(r#"{{"text":"{}"}}"#, "x".repeat(MAX_BYTES));
        events.push("r", "node.output", None, Slice::new(&large), Millis(0.0));
        assert_eq!((events.rows().len(), events.dropped()), (0, MAX_ROWS as u64 + 2));
    }

    #[test]
    fn a_second_connection_has_lost_events() {
        let mut events = EventFeed::default();
        events.begin(Millis(5.0));
        assert!(events.rows().is_empty());
        events.begin(Millis(9.0));
        assert!(matches!(events.rows()[0], FeedRow::Lost { count: None, at: Millis(9.0) }));
        assert_eq!(events.since(), Some(Millis(5.0)));
    }

    #[test]
    fn times_move_with_the_estimate_of_the_servers_clock() {
        let mut events = EventFeed::default();
        events.begin(Millis(5.0));
        events.push("r", "node.started", None, Slice::new("{}"), Millis(6.0));
        events.lose(Some(1), Millis(7.0));
        events.move_times(-600_000.0);
        events.move_times(0.4);
        assert_eq!(events.since(), Some(Millis(-599_995.0)));
        let at = |row: &FeedRow| match row {
            FeedRow::Event(event) => event.at.0,
            FeedRow::Lost { at, .. } => at.0,
        };
        assert_eq!(events.rows().iter().map(at).collect::<Vec<_>>(), [-599_994.0, -599_993.0]);
    }
}
