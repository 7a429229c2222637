//! The state of a run as its own events say it.

use super::super::effect::Effect;
use super::super::store::Store;
use super::node::Tokens;
use super::{At, EventText};
use crate::smithers::wire::{RunState, RunStatus};
use crate::word::{Vocabulary, Word};

/// What the last event about the run itself said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Lifecycle {
    /// There was none.
    #[default]
    Untold,
    /// This.
    Told(Word<RunState>),
    /// The run went back in time and was not started again.
    WentBack,
}

/// One run.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFold {
    pub(crate) lifecycle: Lifecycle,
    /// The event that said so.
    pub(crate) decided: Option<u32>,
    /// The event that told how the run ended. One that only repeats the state says less and takes nothing back.
    pub(crate) told_how: Option<u32>,
    /// The first and the last time that the engine started, and how often it did.
    pub(crate) first_start: Option<u32>,
    pub(crate) last_start: Option<u32>,
    pub(crate) starts: u32,
    /// The last sign of work.
    pub(crate) alive: Option<u32>,
    pub(crate) first: Option<u32>,
    pub(crate) last: Option<u32>,
    /// Events of nodes after the run's end.
    pub(crate) after_end: u32,
    pub(crate) continued: bool,
    /// The last time travel over effects outside the run.
    pub(crate) crossed: Option<u32>,
    pub(crate) last_gap: Option<u32>,
    pub(crate) tokens: Tokens,
    pub(crate) calls: [u64; 3],
    next_seq: u32,
    next_frame: Option<u32>,
}

impl RunFold {
    /// The number that should come next. Sequences begin at 0, frames at 1 (protocol sections 3.4 and 5).
    pub(super) fn next(&mut self, frame: bool) -> &mut u32 {
        if frame { self.next_frame.get_or_insert(1) } else { &mut self.next_seq }
    }

    pub(crate) fn state(&self) -> Option<&Word<RunState>> {
        match &self.lifecycle {
            Lifecycle::Told(state) => Some(state),
            Lifecycle::Untold | Lifecycle::WentBack => None,
        }
    }

    fn is_over(&self) -> bool {
        self.state().and_then(Word::known).is_some_and(RunState::is_terminal)
    }

    pub(super) fn event(&mut self, store: &Store, effect: Effect, at: At) {
        self.first.get_or_insert(at.place);
        self.last = Some(at.place);
        match effect {
            Effect::RunStarted => {
                self.first_start.get_or_insert(at.place);
                self.last_start = Some(at.place);
                self.starts += 1;
                self.continued = false;
                self.tell(RunState::Running.into(), at);
            }
            Effect::RunStatus => {
                let status = EventText::of(store, at.row).text(b"status").unwrap_or_default();
                self.continued = status == RunStatus::Continued.as_str();
                self.tell(of_status(&status), at);
            }
            Effect::RunState => {
                let after = EventText::of(store, at.row).text(b"after").unwrap_or_default();
                self.tell(Word::new(&after), at);
            }
            Effect::Run(state) => {
                self.tell(state.into(), at);
                self.told_how = Some(at.place);
            }
            Effect::Continued => {
                self.continued = true;
                self.tell(RunState::Succeeded.into(), at);
                self.told_how = Some(at.place);
            }
            Effect::Jumped => self.go_back(at),
            Effect::Reset => {
                if EventText::of(store, at.row).is_true(b"success") {
                    self.go_back(at);
                }
            }
            Effect::Crossed => {
                if !EventText::of(store, at.row).is_true(b"warningOnly") {
                    self.crossed = Some(at.place);
                }
            }
            Effect::Node(_)
            | Effect::Retrying
            | Effect::Asked
            | Effect::Decided(_)
            | Effect::TimerSet
            | Effect::TimerOver(_)
            | Effect::Called
            | Effect::Answered
            | Effect::Tokens
            | Effect::Heartbeat
            | Effect::Frame
            | Effect::Alive
            | Effect::Nothing => {
                if effect.is_work() {
                    self.work(at);
                }
            }
        }
    }

    fn tell(&mut self, state: Word<RunState>, at: At) {
        self.told_how = self.told_how.filter(|_| self.state() == Some(&state));
        self.lifecycle = Lifecycle::Told(state);
        self.decided = Some(at.place);
        self.after_end = 0;
    }

    fn go_back(&mut self, at: At) {
        self.lifecycle = Lifecycle::WentBack;
        (self.decided, self.told_how) = (Some(at.place), None);
        self.after_end = 0;
    }

    fn work(&mut self, at: At) {
        self.alive = Some(at.place);
        if self.is_over() {
            self.after_end += 1;
        }
    }
}

/// The state that a status column stands for.
fn of_status(status: &str) -> Word<RunState> {
    RunStatus::from_word(status).map_or_else(|| Word::new(status), |status| status.state().into())
}
