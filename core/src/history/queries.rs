//! Queries: frames, changes between them, and milestones.

use super::{FrameDiff, History, Milestone, NoFrame, PastFrame, compare};

impl History {
    /// The numbers of all frames that can be shown, in ascending order. Missing numbers were not received.
    pub fn numbers(&self) -> Vec<f64> {
        self.frames.numbers()
    }

    /// The frame with a number.
    ///
    /// # Errors
    /// [`NoFrame`] if it was not received. Request it, and pass the answer to
    /// [`take_requested_snapshot`](Self::take_requested_snapshot).
    pub fn frame(&mut self, number: f64) -> Result<PastFrame<'_>, NoFrame> {
        let rows = self.moments.rows_at(number);
        self.frames.show(number, rows)
    }

    /// The changes from one frame to another, forwards or backwards: backwards is what a rewind would undo.
    ///
    /// ```
    /// use runstate::history::{ChangeKind, History};
    /// use runstate::tree::{Delta, Snapshot};
    /// use runstate::time::Millis;
    ///
    /// let mut history = History::new();
    /// let first = r#"{"version":1,"runId":"r","frameNo":1,"seq":1,"root":{"id":1,"type":"workflow","name":"w"}}"#;
    /// history.take_snapshot(&Snapshot::from_json(first)?, Millis(0.0));
    /// let delta = Delta::from_json(
    ///     r#"{"version":1,"baseSeq":1,"seq":2,"ops":[
    ///         {"op":"addNode","parentId":1,"index":0,"node":{"id":2,"type":"timer","name":"timer"}}]}"#,
    /// )?;
    /// history.take_delta(&delta, Millis(9.0))?;
    /// assert!(matches!(history.diff(1.0, 2.0)?.changes[0].kind, ChangeKind::Added { .. }));
    /// assert!(matches!(history.diff(2.0, 1.0)?.changes[0].kind, ChangeKind::Removed { .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NoFrame`] if one of them was not received.
    pub fn diff(&mut self, from: f64, to: f64) -> Result<FrameDiff, NoFrame> {
        let before = compare::FrameNodes::new(&self.frame(from)?);
        Ok(compare::compare(&before, &compare::FrameNodes::new(&self.frame(to)?)))
    }

    /// The milestones, in the order in which they were found.
    pub fn milestones(&self) -> &[Milestone] {
        self.milestones.all()
    }
}
