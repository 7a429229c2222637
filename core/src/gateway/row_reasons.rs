//! Asks what a row of `listRuns` does not say: at which node a run waits, and whether a silent engine is still there. `getRun` is
//! asked about one such run at a time.

use super::Client;
use super::requests::Method;
use super::schedule::Page;
use crate::clock::Reading;
use crate::run::{RunInspection, Witness};
use crate::smithers::wire::{RunState, RunStatus};
use crate::time::Millis;
use crate::word::Word;

/// The age from which the reason on a row is read again, milliseconds. A run that waits at two nodes can go on at one of them
/// without a change of its row.
const REASON_PERIOD_MS: f64 = 5000.0;

/// The number of remembered questions: the list has at most 50 rows.
const MAX_ASKED: usize = 50;

/// When the Gateway was last asked about each run, on the local clock; the last question is the last one.
#[derive(Debug, Default)]
pub(super) struct RowReasons {
    asked: Vec<(String, Millis)>,
}

impl RowReasons {
    /// Returns the run to ask about at `now`: of those without a reason and those with an old one, the one that was asked
    /// about first. While the server's clock is not known, the answer about a running row tells it.
    fn due<'a>(
        &self,
        rows: impl Iterator<Item = &'a RunInspection>,
        knows_clock: bool,
        now: Millis,
    ) -> Option<&'a str> {
        let due = rows.filter_map(|row| {
            let (waits, tells_clock) = (waits_at_a_node(row), !knows_clock && is_running(row));
            if !waits && !tells_clock && !is_silent(row) {
                return None;
            }
            let run_id = row.run_id.as_deref()?;
            let asked_at = self.asked.iter().find(|(asked, _)| asked == run_id).map(|(_, at)| *at);
            let is_unnamed = waits && row.view().is_some_and(|view| view.blocked.is_none());
            let is_old = asked_at.is_none_or(|at| now.since(at) >= REASON_PERIOD_MS);
            (is_unnamed || is_old).then_some((run_id, asked_at.map_or(f64::NEG_INFINITY, |at| at.0)))
        });
        due.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(run_id, _)| run_id)
    }

    fn record(&mut self, run_id: &str, now: Millis) {
        self.asked.retain(|(asked, _)| asked != run_id);
        if self.asked.len() == MAX_ASKED {
            self.asked.remove(0);
        }
        self.asked.push((run_id.to_owned(), now));
    }
}

/// Whether the state of a row, which was derived from it alone, has a reason with a node. `listApprovals` names the nodes of
/// decisions.
fn waits_at_a_node(row: &RunInspection) -> bool {
    let is_derived = row.verdict.as_ref().is_some_and(Witness::is_derived);
    is_derived && matches!(row.known_state(), Some(RunState::WaitingEvent | RunState::WaitingTimer))
}

/// Whether the engine of the run has not reported for long, according to the row alone. Only the Gateway can tell whether its process
/// is alive.
fn is_silent(row: &RunInspection) -> bool {
    row.verdict.as_ref().is_some_and(Witness::is_derived) && row.known_state() == Some(RunState::Stale)
}

/// Whether the run is in progress, so that the answer about it says when it was computed.
fn is_running(row: &RunInspection) -> bool {
    row.status.as_ref().and_then(Word::known) == Some(RunStatus::Running)
}

impl Client {
    /// Schedules the next question about a row of the list, while the page is visible.
    pub(super) fn plan_row_reasons(&mut self, now: Millis) {
        if self.page == Page::Visible && self.due_row(now).is_some() {
            self.invalidate(Method::GetListedRun, now);
        }
    }

    /// Makes the question about a row; `None` if there is no longer such a row.
    pub(super) fn ask_row_reason(&mut self, now: Millis) -> Option<(u64, String)> {
        let run_id = self.due_row(now)?.to_owned();
        self.row_reasons.record(&run_id, now);
        Some(self.requests.run(Method::GetListedRun, &run_id, now))
    }

    /// The run of the list to ask about; the watched run has an answer of its own.
    fn due_row(&self, now: Millis) -> Option<&str> {
        let watched = self.run_id.as_deref();
        let others = self.model.inspection.runs.iter().filter(|row| row.run_id.as_deref() != watched);
        let knows_clock = self.server_now(now).is_some_and(Reading::is_sure);
        self.row_reasons.due(others, knows_clock, now)
    }
}
