//! Events of a run's log as input of the history.

use super::moments::NodeMoment;
use super::{History, MilestoneKind};
use crate::log::{Effect, effect};
use crate::smithers::wire::{Event, EventBody, RunState};
use crate::word::Word;

impl History {
    /// Adds an event of the run's log.
    ///
    /// It sets the states of nodes and the times of frames. A run state that it implies becomes a milestone.
    ///
    /// ```
    /// use runstate::history::History;
    ///
    /// let mut history = History::new();
    /// for line in [
    ///     r#"{"type":"NodeStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5}"#,
    ///     r#"{"type":"NodeFailed","runId":"r","nodeId":"build","iteration":0,"attempt":1,"error":"x","timestampMs":9}"#,
    /// ] {
    ///     history.take_event(&serde_json::from_str(line)?);
    /// }
    /// assert_eq!(history.milestones()[0].sentence(), r#""build" failed (attempt 1)."#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn take_event(&mut self, event: &Event) {
        if let EventBody::FrameCommitted { frame_no, .. } = &event.body {
            self.take_commit(f64::from(*frame_no), event.at);
        } else if let EventBody::TimeTravelJumped { from_frame_no, to_frame_no, .. } = &event.body {
            self.take_jump(f64::from(*from_frame_no), f64::from(*to_frame_no), event.at);
        } else if let EventBody::RunStateChanged { after, .. } = &event.body {
            self.note_implied_state(after, event);
        } else if let EventBody::RunStatusChanged { status } = &event.body {
            if let Some(status) = status.known() {
                self.note_implied_state(&Word::Known(status.state()), event);
            }
        } else {
            self.take_effect(event);
        }
    }

    fn take_effect(&mut self, event: &Event) {
        let Some(effect) = event.event_type().known().map(effect) else { return };
        if effect == Effect::RunStarted {
            self.moments.start(event.at);
        }
        if let Some(state) = effect.run_state() {
            self.note_implied_state(&Word::Known(state), event);
        }
        if let (Some(state), Some(node_id)) = (effect.node_state(), &event.node_id) {
            self.take_moment(NodeMoment {
                at: event.at,
                node_id: node_id.clone(),
                iteration: event.iteration.unwrap_or(0),
                state: Word::Known(state),
                attempt: event.attempt,
            });
        }
    }

    fn note_implied_state(&mut self, state: &Word<RunState>, event: &Event) {
        if self.run_state.as_ref() == Some(state) {
            return;
        }
        let from = self.run_state.replace(state.clone());
        let kind = MilestoneKind::RunState { from, to: state.clone() };
        self.milestones.note_all([kind], self.frame_at(event.at), Some(event.at));
    }
}
