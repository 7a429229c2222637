//! The events of a log as the lines of a file.

use std::borrow::Cow;

use super::EventLog;
use crate::json::Writer;

impl EventLog {
    /// The events of a run as they were written, in order, each with its number; `None` in place of one that was only pushed,
    /// which has no time.
    pub(crate) fn lines_of(&self, run_id: &str) -> impl Iterator<Item = Option<Cow<'_, str>>> {
        let run = self.store.runs.find(0, run_id.as_bytes());
        let rows = (0..self.order.len()).map(|place| self.order.row(place));
        let rows = rows.filter(move |row| {
            Some(self.store.run_of(self.store.unit(*row))) == run && !self.store.is_repeat(*row)
        });
        rows.map(move |row| {
            let event = self.json(row).filter(|_| !self.store.is_pushed(row))?;
            let Some(seq) = self.store.seq(row) else { return Some(event) };
            let mut line = Writer::default();
            line.object(|line| {
                line.key("runId").text(run_id);
                line.key("seq").number(f64::from(seq));
                line.key("payload").raw(&event);
            });
            Some(line.finish().into())
        })
    }
}
