//! Why a node failed.

use super::Found;
use crate::smithers::wire::{LongText, NodeState};
use crate::summary::failed_node;
use crate::text::without_escape_sequences;

impl Found<'_> {
    /// Why the node failed: the error of its last attempt, or else that of the run.
    pub(super) fn error(&self) -> Option<LongText> {
        if self.known_state() != Some(NodeState::Failed) {
            return None;
        }
        self.error_of_attempt().or_else(|| self.error_of_run())
    }

    fn error_of_attempt(&self) -> Option<LongText> {
        let last = self.all_attempts().pop().filter(|last| last.state.known() == Some(NodeState::Failed))?;
        let LongText { start, total } = last.texts?.error?;
        Some(LongText { start: without_escape_sequences(&start).into_owned(), total })
    }

    /// The error of the run, if it names this node. It does not say the iteration, which is the last one.
    fn error_of_run(&self) -> Option<LongText> {
        let error = without_escape_sequences(self.run.error.as_deref()?.trim()).into_owned();
        let (node_id, reason) = failed_node(&error);
        node_id.filter(|node_id| Some(*node_id) == self.node_id())?;
        let reason = reason.trim();
        let is_last = self.iterations().is_none_or(|iterations| iterations.next.is_none());
        (is_last && !reason.is_empty()).then(|| LongText { start: reason.to_owned(), total: None })
    }
}
