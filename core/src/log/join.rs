//! A log that came in pieces, put together again.

use super::EventLog;
use super::scan::Found;
use crate::time::Millis;

impl EventLog {
    /// The runs of which there are events.
    pub(crate) fn run_ids(&self) -> impl Iterator<Item = &str> {
        (0..self.store.runs.len()).map(|run| self.store.runs.name(run))
    }

    /// When the first event was written.
    pub(crate) fn begins_at(&mut self) -> Option<Millis> {
        self.arrange();
        (self.order.len() > 0).then(|| self.time_at(0))
    }

    /// Takes in the events of another piece. An event that is here already changes nothing. The lines of the other piece that could
    /// not be read are counted here; their places say nothing in this log.
    pub(crate) fn take_in(&mut self, mut other: Self) {
        other.arrange();
        let before = self.store.len();
        for place in 0..other.order.len() {
            self.add_from(&other, other.order.row(place));
        }
        self.unread += other.unread;
        if let Some(after) = other.last_unread_after {
            self.last_unread_after = Some((before + after).min(self.store.len()));
        }
        let added = self.store.len() - before;
        // Which of the rows were printed is not kept: either all of them were, or the log is not told to be a printed one.
        self.printed += if other.printed == other.store.len() { added } else { 0 };
    }

    fn add_from(&mut self, other: &Self, row: u32) {
        let (store, text) = (&other.store, other.store.event(row));
        let unit = store.unit(row);
        let node = store.node_of(unit).map(|node| store.nodes.name(node));
        let Some(kind) = store.kind(row) else { return };
        let found = Found {
            event_type: kind.word.as_str().as_bytes(),
            run_id: store.runs.name(store.run_of(unit)).as_bytes(),
            node_id: node.map(str::as_bytes),
            iteration: node.and_then(|_| store.units.get(unit)).map(|unit| unit.iteration),
            attempt: store.attempt(row),
            at: store.time(row),
            seq: store.seq(row),
            event: (0, text.len()),
            ..Found::default()
        };
        self.add_line(&text, &found);
    }
}
