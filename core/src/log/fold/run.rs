//! The state of a run according to its own events.

use super::super::effect::Effect;
use super::super::store::Store;
use super::node::Tokens;
use super::{EventRef, EventText};
use crate::log::state_of_status;
use crate::smithers::wire::{EventType, RunState, RunStatus};
use crate::word::{Vocabulary, Word};

/// The state according to the last event about the run itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Lifecycle {
    /// No such event occurred.
    #[default]
    Unknown,
    /// The reported state.
    State(Word<RunState>),
    /// The run was rewound and has not been started again.
    Rewound,
}

/// One run.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFold {
    pub(crate) lifecycle: Lifecycle,
    /// The event that set the state.
    pub(crate) state_event: Option<u32>,
    /// The event that reported the outcome. A later event that only repeats the state does not replace it.
    pub(crate) outcome_event: Option<u32>,
    /// The first and the last start of the engine, and the number of starts.
    pub(crate) first_start: Option<u32>,
    pub(crate) last_start: Option<u32>,
    pub(crate) starts: u32,
    /// The last event that shows work.
    pub(crate) last_activity: Option<u32>,
    pub(crate) first: Option<u32>,
    pub(crate) last: Option<u32>,
    /// Events of nodes after the run's end.
    pub(crate) after_end: u32,
    pub(crate) continued: bool,
    /// Events whose times are in seconds.
    pub(crate) in_seconds: u32,
    /// The last time travel across side effects.
    pub(crate) boundary_event: Option<u32>,
    /// The last event about the run of an unknown type, if neither work nor a state follows it.
    pub(crate) unknown_last: Option<u32>,
    /// Another end of the run, and its event, after which the run continued without a start.
    pub(crate) contradicted: Option<(Word<RunState>, u32)>,
    /// The last decision and the last timer that ended, since the run's state was set.
    pub(crate) decided: Option<u32>,
    pub(crate) timer_ended: Option<u32>,
    pub(crate) last_gap: Option<u32>,
    pub(crate) tokens: Tokens,
    pub(crate) calls: [u64; 3],
    next_seq: u32,
    next_frame: Option<u32>,
}

impl RunFold {
    /// The expected next number. Sequence numbers begin at 0, frame numbers at 1 (protocol sections 3.4 and 5).
    pub(super) fn next_number(&mut self, frame: bool) -> &mut u32 {
        if frame { self.next_frame.get_or_insert(1) } else { &mut self.next_seq }
    }

    pub(crate) fn state(&self) -> Option<&Word<RunState>> {
        match &self.lifecycle {
            Lifecycle::State(state) => Some(state),
            Lifecycle::Unknown | Lifecycle::Rewound => None,
        }
    }

    fn is_over(&self) -> bool {
        self.state().and_then(Word::known).is_some_and(RunState::is_terminal)
    }

    pub(super) fn apply_event(&mut self, store: &Store, effect: Effect, event: EventRef) {
        self.first.get_or_insert(event.place);
        self.last = Some(event.place);
        self.in_seconds += u32::from(store.is_in_seconds(event.row));
        let text = |field: &[u8]| EventText::new(store, event.row).text(field).unwrap_or_default();
        let is_true = |field: &[u8]| EventText::new(store, event.row).is_true(field);
        match effect {
            Effect::RunStarted => self.start(event),
            Effect::RunStatusChanged => self.set_status(&text(b"status"), event),
            Effect::RunStateChanged => {
                let after = EventText::new(store, event.row).state(b"after").unwrap_or_default();
                self.set_state(Word::new(&after), event);
            }
            Effect::Run(state) => self.set_outcome(state, event),
            Effect::Continued => {
                self.continued = true;
                self.set_outcome(RunState::Succeeded, event);
            }
            Effect::TimeTravelled => self.rewind(event),
            Effect::NodesReset if is_true(b"success") => self.rewind(event),
            Effect::BoundaryCrossed if !is_true(b"warningOnly") => self.boundary_event = Some(event.place),
            Effect::ApprovalDecided(_) => self.decided = Some(event.place),
            Effect::TimerEnded => self.timer_ended = Some(event.place),
            Effect::NodesReset
            | Effect::BoundaryCrossed
            | Effect::Node(_)
            | Effect::Retrying
            | Effect::ApprovalRequested
            | Effect::TimerStarted
            | Effect::ToolCallStarted
            | Effect::ToolCallFinished
            | Effect::TokensUsed
            | Effect::Heartbeat
            | Effect::FrameStored
            | Effect::OtherWork
            | Effect::Nothing => {
                if effect.is_work() {
                    self.record_activity(event, is_record(store, event));
                } else if is_unknown_run_event(store, event) {
                    self.unknown_last = Some(event.place);
                }
            }
        }
    }

    fn start(&mut self, event: EventRef) {
        self.first_start.get_or_insert(event.place);
        self.last_start = Some(event.place);
        self.starts += 1;
        (self.continued, self.contradicted) = (false, None);
        self.set_state(RunState::Running.into(), event);
    }

    fn set_status(&mut self, status: &str, event: EventRef) {
        self.continued = status == RunStatus::Continued.as_str();
        self.set_state(state_of_status(status), event);
    }

    fn set_outcome(&mut self, state: RunState, event: EventRef) {
        self.set_state(state.into(), event);
        self.outcome_event = Some(event.place);
    }

    fn set_state(&mut self, state: Word<RunState>, event: EventRef) {
        let ends = state.known().is_some_and(RunState::is_terminal);
        if !ends {
            self.contradicted = None;
        } else if self.is_over() && self.state() != Some(&state) {
            self.contradicted = self.state().cloned().zip(self.state_event);
        }
        (self.unknown_last, self.decided, self.timer_ended) = (None, None, None);
        self.outcome_event = self.outcome_event.filter(|_| self.state() == Some(&state));
        self.lifecycle = Lifecycle::State(state);
        self.state_event = Some(event.place);
        self.after_end = 0;
    }

    fn rewind(&mut self, event: EventRef) {
        self.lifecycle = Lifecycle::Rewound;
        (self.state_event, self.outcome_event) = (Some(event.place), None);
        (self.contradicted, self.unknown_last) = (None, None);
        (self.decided, self.timer_ended) = (None, None);
        self.after_end = 0;
    }

    /// Records an event that shows work. A frame or snapshot only records what happened before.
    fn record_activity(&mut self, event: EventRef, is_record: bool) {
        (self.last_activity, self.unknown_last) = (Some(event.place), None);
        if self.is_over() && !is_record {
            self.after_end += 1;
        }
    }
}

/// Whether the event is that of a stored frame or snapshot.
fn is_record(store: &Store, event: EventRef) -> bool {
    let known = store.kind(event.row).and_then(|kind| kind.word.known());
    matches!(known, Some(EventType::FrameCommitted | EventType::SnapshotCaptured))
}

/// Whether the event is about the run and of a type that is not known.
fn is_unknown_run_event(store: &Store, event: EventRef) -> bool {
    let is_known = store.kind(event.row).is_none_or(|kind| kind.word.known().is_some());
    !is_known && store.node_of(store.unit(event.row)).is_none()
}
