//! Several answers about one run, joined as a live feed joins them.

use crate::frame::Frame;
use crate::json::ReadError;
use crate::run::RunInspection;
use crate::smithers::wire::{read_node_states, read_run};
use crate::time::Millis;
use crate::tree::Snapshot;

/// The answers of `getRun`, `getDevToolsSnapshot` and `listNodeStates` about one run, as `res` frames.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'a> {
    /// The answer of `getRun`: the header's state.
    pub run: &'a str,
    /// The answer of `getDevToolsSnapshot`: the structure.
    pub snapshot: &'a str,
    /// The answer of `listNodeStates`: the state of each node.
    pub nodes: &'a str,
}

impl Recording<'_> {
    /// Joins the answers into one run; each source is used for what it is authoritative for (protocol section 5).
    ///
    /// ```
    /// use runstate::run::Recording;
    /// use runstate::time::Millis;
    ///
    /// let recording = Recording {
    ///     run: r#"{"type":"res","id":"1","ok":true,"payload":{"runId":"r1","status":"waiting-timer"}}"#,
    ///     snapshot: r#"{"type":"res","id":"2","ok":true,"payload":{"version":1,"runId":"r1","frameNo":3,"seq":3,
    ///         "root":{"id":1,"type":"timer","name":"timer","props":{"id":"nap"}}}}"#,
    ///     nodes: r#"{"type":"res","id":"3","ok":true,"payload":[{"nodeId":"nap","iteration":0,"state":"waiting-timer"}]}"#,
    /// };
    /// let run = recording.read(Millis(1_700_000_000_000.0))?;
    /// let tree = run.tree.unwrap();
    /// assert_eq!(tree.node(tree.root()).state().unwrap().as_str(), "waiting-timer");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] if an answer cannot be read, is a refusal, or is about another run.
    pub fn read(self, now: Millis) -> Result<RunInspection, ReadError> {
        let answer = payload(self.run)?;
        let row = read_run(&answer)?;
        let Snapshot { mut tree, frame_no, seq, run_id, .. } = Snapshot::from_json(&payload(self.snapshot)?)?;
        if run_id != row.run_id {
            return Err(ReadError::invalid(
                0,
                format!("expected a snapshot of {}, found one of {run_id}", row.run_id),
            ));
        }
        let nodes = read_node_states(&payload(self.nodes)?)?;
        tree.join(&nodes);
        let run = RunInspection::from_row(&row, "getRun", now);
        let (tree, answer) = (Some(tree), Some(answer));
        Ok(RunInspection {
            tree,
            nodes: nodes.into(),
            answer,
            frame_no: Some(frame_no),
            seq: Some(seq),
            ..run
        })
    }
}

fn payload(frame: &str) -> Result<Box<str>, ReadError> {
    match Frame::parse(frame)? {
        Frame::Response { result: Ok(payload), .. } => Ok(payload),
        Frame::Response { result: Err(refusal), .. } => {
            Err(ReadError::invalid(0, format!("expected a response, found the refusal {}", refusal.code)))
        }
        Frame::Event { event, .. } => {
            Err(ReadError::invalid(0, format!("expected a response, found the event {event}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recording;
    use crate::smithers::wire::NodeState;
    use crate::time::Millis;
    use crate::word::Word;

    const RUN: &str = r#"{"type":"res","id":"1","ok":true,"payload":{"runId":"a","status":"waiting-timer"}}"#;
    const NODES: &str = r#"{"type":"res","id":"3","ok":true,"payload":[{"nodeId":"nap","iteration":0,"state":"waiting-timer"}]}"#;

    fn snapshot(run_id: &str) -> String {
        format!(
            r#"{{"type":"res","id":"2","ok":true,"payload":{{"version":1,"runId":"{run_id}","frameNo":3,"seq":3,"root":{{"id":1,"type":"timer","name":"timer","props":{{"id":"nap"}},"children":[],"depth":0}}}}}}"#
        )
    }

    #[test]
    fn the_answers_become_one_run() {
        let snapshot = snapshot("a");
        let run = Recording { run: RUN, snapshot: &snapshot, nodes: NODES }.read(Millis(0.0)).unwrap();
        let tree = run.tree.unwrap();
        assert_eq!(tree.node(tree.root()).state(), Some(&Word::Known(NodeState::WaitingTimer)));
        assert_eq!(run.frame_no, Some(3.0));
    }

    #[test]
    fn answers_about_two_runs_are_refused() {
        let snapshot = snapshot("b");
        let refused = Recording { run: RUN, snapshot: &snapshot, nodes: NODES }.read(Millis(0.0));
        assert_eq!(refused.unwrap_err().message, "expected a snapshot of a, found one of b");
    }

    #[test]
    fn a_refusal_is_no_recording() {
        let no = r#"{"type":"res","id":"1","ok":false,"error":{"code":"NOT_FOUND","message":"no"}}"#;
        let snapshot = snapshot("a");
        assert!(Recording { run: no, snapshot: &snapshot, nodes: NODES }.read(Millis(0.0)).is_err());
        assert!(Recording { run: RUN, snapshot: no, nodes: NODES }.read(Millis(0.0)).is_err());
        assert!(Recording { run: RUN, snapshot: &snapshot, nodes: RUN }.read(Millis(0.0)).is_err());
    }
}
