//! What can be told of a log while it comes in, without putting its events into order.

use super::EventLog;
use crate::json::{Slice, fields};
use crate::smithers::wire::EventType;
use crate::text::concat;
use crate::time::Millis;

/// Who a log is about, as far as it was read.
#[derive(Debug)]
pub(crate) struct SoFar {
    /// How many events there are.
    pub(crate) events: u32,
    /// How many runs.
    pub(crate) runs: u32,
    /// The run; `None` where there are several.
    pub(crate) run_id: Option<String>,
    /// The name of its workflow.
    pub(crate) workflow: Option<String>,
    /// When it started, where the log begins with that.
    pub(crate) started_at: Option<Millis>,
    /// When the last event was written.
    pub(crate) last: Millis,
}

impl SoFar {
    /// What a heading calls it.
    pub(crate) fn name(&self) -> String {
        let several = || concat(&[&self.runs.to_string(), " runs"]);
        self.workflow.clone().or_else(|| self.run_id.clone()).unwrap_or_else(several)
    }
}

impl EventLog {
    /// What can be told by now; `None` before the first event. It costs nothing, however long the log is.
    pub(crate) fn so_far(&self) -> Option<SoFar> {
        let (events, runs) = (self.store.len(), self.store.runs.len());
        let last = events.checked_sub(1)?;
        let alone = runs == 1;
        let starts = self.store.kind(0).is_some_and(|kind| kind.word.known() == Some(EventType::RunStarted));
        Some(SoFar {
            events,
            runs,
            run_id: alone.then(|| self.store.runs.name(0).to_owned()),
            workflow: if alone { self.workflow(last) } else { None },
            started_at: (alone && starts).then(|| Millis(self.store.time(0))),
            last: Millis(self.store.time(last)),
        })
    }

    /// The name of the workflow that an event has.
    pub(super) fn workflow(&self, row: u32) -> Option<String> {
        let json = self.json(row)?;
        let [correlation] = fields(Slice::new(&json), ["correlation"]).ok()?;
        let [workflow] = fields(correlation?, ["workflowName"]).ok()?;
        workflow?.text()
    }
}
