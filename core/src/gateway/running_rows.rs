//! Names the nodes in progress on the rows of running runs, which `listRuns` does not say: `listNodeStates` is asked about one such
//! run at a time.

use super::Client;
use super::io::Transport;
use super::model::Model;
use super::requests::Method;
use super::row_nodes::{NodeChange, is_running};
use super::schedule::Page;
use crate::smithers::wire::NodeStatus;
use crate::time::Millis;

impl Model {
    /// Takes the answer to the last question about the nodes of a row.
    pub(super) fn take_row_nodes(&mut self, nodes: Vec<NodeStatus>, now: Millis) {
        if let Some(run_id) = self.row_nodes.record_answer(nodes) {
            self.show_row_nodes(&run_id, now);
        }
    }

    /// Takes what an event says about the nodes of its run.
    pub(super) fn change_row_nodes(&mut self, run_id: &str, change: NodeChange, now: Millis) {
        self.row_nodes.record_change(run_id, change);
        self.show_row_nodes(run_id, now);
    }

    /// Forgets the nodes of all rows: events were lost.
    pub(super) fn forget_row_nodes(&mut self, now: Millis) {
        for run_id in std::mem::take(&mut self.row_nodes).into_run_ids() {
            self.show_row_nodes(&run_id, now);
        }
    }

    fn show_row_nodes(&mut self, run_id: &str, now: Millis) {
        let in_progress = self.row_nodes.of(run_id, now);
        let rows = &mut self.inspection.runs;
        let Some(place) = rows.iter().position(|row| row.run_id.as_deref() == Some(run_id)) else { return };
        if is_running(&rows[place]) && *rows[place].nodes != *in_progress {
            rows[place].nodes = in_progress.to_vec().into();
            self.mark_row(place);
        }
    }
}

impl Client {
    /// Schedules the next question about the nodes of a row, while the page is visible. Without events an answer would soon be old.
    pub(super) fn plan_row_nodes(&mut self, now: Millis) {
        let is_told = self.page == Page::Visible && self.transport == Transport::WebSocket;
        if is_told && self.row_with_unknown_nodes(now).is_some() {
            self.invalidate(Method::ListRowNodes, now);
        }
    }

    /// Makes the question about the nodes of a row; `None` if there is no longer such a row.
    pub(super) fn ask_row_nodes(&mut self, now: Millis) -> Option<(u64, String)> {
        let run_id = self.row_with_unknown_nodes(now)?.to_owned();
        self.model.row_nodes.record_question(&run_id, now);
        Some(self.requests.run(Method::ListRowNodes, &run_id, now))
    }

    /// The run of the list to ask about; the watched run has an answer of its own.
    fn row_with_unknown_nodes(&self, now: Millis) -> Option<&str> {
        let watched = self.run_id.as_deref();
        let others = self.model.inspection.runs.iter().filter(|row| row.run_id.as_deref() != watched);
        self.model.row_nodes.due(others, now)
    }
}
