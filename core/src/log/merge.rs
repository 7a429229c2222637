//! Merges the logs of several files about the same runs.

use super::EventLog;
use super::scan::{EventFields, scan};

impl EventLog {
    /// Adds the events of another file. Repeated events change nothing. Unreadable lines of the other log are counted, but
    /// not described, because their line numbers do not apply to this log.
    pub(crate) fn append_log(&mut self, mut other: Self) {
        self.arrange();
        if !self.order.is_of_rows() {
            // The rows of each file are in order, so that files can be merged.
            let own = std::mem::take(self);
            self.append_rows(&own);
            (self.lines, self.problems) = (own.lines, own.problems);
        }
        other.arrange();
        self.order.begin_file(self.store.len());
        self.append_rows(&other);
    }

    fn append_rows(&mut self, other: &Self) {
        let before = self.store.len();
        for place in 0..other.order.len() {
            self.append_row(other, other.order.row(place));
        }
        self.unread += other.unread;
        self.unread_places.append(&other.unread_places, before, self.store.len());
        self.unread_at_end = other.unread_at_end;
        let runs = (&self.store.runs, &other.store.runs);
        self.times.append(&other.times, |run| runs.0.find(0, runs.1.name(run).as_bytes()));
        let added = self.store.len() - before;
        // The log does not store which rows were printed: the other log counts as printed only if all of its rows were.
        self.printed += if other.printed == other.store.len() { added } else { 0 };
    }

    fn append_row(&mut self, other: &Self, row: u32) {
        let (store, text) = (&other.store, other.store.event(row));
        let unit = store.unit(row);
        let node = store.node_of(unit).map(|node| store.nodes.name(node));
        let Some(kind) = store.kind(row) else { return };
        let found = EventFields {
            event_type: kind.word.as_str().as_bytes(),
            run_id: store.runs.name(store.run_of(unit)).as_bytes(),
            node_id: node.map(str::as_bytes),
            iteration: node.and_then(|_| store.units.get(unit)).map(|unit| unit.iteration),
            attempt: store.attempt(row),
            at: store.written_time(row),
            seq: store.seq(row),
            event: (0, text.len()),
            form: scan(&text).map(|found| found.form).unwrap_or_default(),
            ..EventFields::default()
        };
        self.add_line(&text, &found);
    }
}
