//! The events of a run's log, as far as they are about its past.

use super::{History, NodeMoment};
use crate::smithers::{Event, EventBody, EventType, NodeState, RunState, RunStatus};
use crate::word::Word;

impl History {
    /// Takes in an event of the run's log.
    ///
    /// Nodes get their moments from it and frames their times. The run's state makes a landmark as long as `getRun` was
    /// not heard (see [`take_run_state`](Self::take_run_state)).
    ///
    /// ```
    /// use runstate::history::History;
    /// use runstate::smithers::Event;
    ///
    /// let mut history = History::new();
    /// for line in [
    ///     r#"{"type":"NodeStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5}"#,
    ///     r#"{"type":"NodeFailed","runId":"r","nodeId":"build","iteration":0,"attempt":1,"error":"x","timestampMs":9}"#,
    /// ] {
    ///     history.take_event(&Event::from_json(line)?);
    /// }
    /// assert_eq!(history.landmarks()[0].sentence(), r#""build" failed (attempt 1)."#);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn take_event(&mut self, event: &Event) {
        if let EventBody::FrameCommitted { frame_no, .. } = &event.body {
            self.take_commit(f64::from(*frame_no), event.at);
        } else if let EventBody::TimeTravelJumped { from_frame_no, to_frame_no, .. } = &event.body {
            self.take_jump(f64::from(*from_frame_no), f64::from(*to_frame_no), event.at);
        } else if let EventBody::RunStateChanged { after, .. } = &event.body {
            self.imply(after, event);
        } else if let EventBody::RunStatusChanged { status } = &event.body {
            if let Some(status) = status.known() {
                self.imply(&Word::Known(implied(status)), event);
            }
        } else {
            self.take_type(event);
        }
    }

    fn take_type(&mut self, event: &Event) {
        let Some(event_type) = event.event_type.known() else { return };
        if let Some(state) = run_state(event_type) {
            if event_type == EventType::RunStarted {
                self.moments.start(event.at);
            }
            self.imply(&Word::Known(state), event);
        }
        if let (Some(state), Some(node_id)) = (node_state(event_type), &event.node_id) {
            self.take_moment(NodeMoment {
                at: event.at,
                node_id: node_id.clone(),
                iteration: event.iteration.unwrap_or(0),
                state: Word::Known(state),
                attempt: event.attempt,
            });
        }
    }

    fn imply(&mut self, state: &Word<RunState>, event: &Event) {
        if !self.asked_server {
            let frame = self.frame_at(event.at);
            self.note_run_state(state, frame, event.at);
        }
    }
}

/// What an event says of the run.
fn run_state(event_type: EventType) -> Option<RunState> {
    const STATES: [(EventType, RunState); 4] = [
        (EventType::RunStarted, RunState::Running),
        (EventType::RunFinished, RunState::Succeeded),
        (EventType::RunFailed, RunState::Failed),
        (EventType::RunCancelled, RunState::Cancelled),
    ];
    STATES.iter().find(|(known, _)| *known == event_type).map(|(_, state)| *state)
}

/// The state that a status means while an owner is at work on the run.
fn implied(status: RunStatus) -> RunState {
    match status {
        RunStatus::Running => RunState::Running,
        RunStatus::WaitingApproval => RunState::WaitingApproval,
        RunStatus::WaitingEvent => RunState::WaitingEvent,
        RunStatus::WaitingTimer => RunState::WaitingTimer,
        RunStatus::WaitingQuota => RunState::WaitingQuota,
        RunStatus::Paused => RunState::Paused,
        RunStatus::Finished | RunStatus::Continued => RunState::Succeeded,
        RunStatus::Failed => RunState::Failed,
        RunStatus::Cancelled => RunState::Cancelled,
    }
}

/// What an event says of its node. `NodeRetrying` names the attempt that is to come, and is not one.
fn node_state(event_type: EventType) -> Option<NodeState> {
    const STATES: [(EventType, NodeState); 9] = [
        (EventType::NodePending, NodeState::Pending),
        (EventType::NodeStarted, NodeState::InProgress),
        (EventType::NodeFinished, NodeState::Finished),
        (EventType::NodeFailed, NodeState::Failed),
        (EventType::NodeCancelled, NodeState::Cancelled),
        (EventType::NodeSkipped, NodeState::Skipped),
        (EventType::NodeWaitingApproval, NodeState::WaitingApproval),
        (EventType::ApprovalRequested, NodeState::WaitingApproval),
        (EventType::NodeWaitingTimer, NodeState::WaitingTimer),
    ];
    STATES.iter().find(|(known, _)| *known == event_type).map(|(_, state)| *state)
}
