//! The state of a run by the events that its server pushed, the same for live and for recorded events.

use crate::log::{PushedEvent, state_of_status};
use crate::smithers::wire::{RunState, RunStatus};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// The state that the events of a run imply.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventState {
    last: Option<Box<ImpliedState>>,
    /// The state implied by node activity after an end: the server sends the events of the whole run again (protocol
    /// section 5, quirk 6), or the run was reopened.
    after_end: Option<Box<ImpliedState>>,
}

/// A state and the event that implies it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ImpliedState {
    pub(crate) state: Word<RunState>,
    /// Whether another run continues this one.
    pub(crate) continued: bool,
    /// The status in `run.completed`; `None` for other events.
    pub(crate) status: Option<String>,
    /// The name of the last event that implies the state.
    pub(crate) event: String,
    /// The times at which events first and last implied the state without interruption.
    pub(crate) since: Option<Millis>,
    pub(crate) last_at: Option<Millis>,
}

impl ImpliedState {
    /// Whether the event ends the run.
    pub(crate) fn is_end(&self) -> bool {
        self.status.is_some() || is_terminal(&self.state)
    }
}

impl EventState {
    /// Updates the state by an event of the run; `name` is the event's name.
    pub(crate) fn observe(&mut self, event: &PushedEvent, name: &str, at: Option<Millis>) {
        let implied = |state, continued, status| ImpliedState {
            state,
            continued,
            status,
            event: name.to_owned(),
            since: at,
            last_at: at,
        };
        match event {
            PushedEvent::Completed(Some(status)) => {
                let continued = status == RunStatus::Continued.as_str();
                self.set(implied(state_of_status(status), continued, Some(status.clone())));
            }
            PushedEvent::RunState { state, continued } => self.set(implied(state.clone(), *continued, None)),
            PushedEvent::Gap | PushedEvent::TimeTravel | PushedEvent::NodesReset => *self = Self::default(),
            PushedEvent::Other(effect) if effect.is_work() => {
                self.add_work(implied(RunState::Running.into(), false, None));
            }
            PushedEvent::Completed(None) | PushedEvent::BoundaryCrossed | PushedEvent::Other(_) => {}
        }
    }

    fn set(&mut self, implied: ImpliedState) {
        let before = self.last.take().filter(|last| last.state == implied.state && self.after_end.is_none());
        let since = before.map_or(implied.since, |before| before.since);
        self.last = Some(Box::new(ImpliedState { since, ..implied }));
        self.after_end = None;
    }

    /// Records node activity. It implies `running` unless events of the run itself imply a state; after an end it is
    /// kept apart.
    fn add_work(&mut self, work: ImpliedState) {
        let slot = match &self.last {
            Some(last) if is_terminal(&last.state) => &mut self.after_end,
            Some(last) if last.state != work.state => return,
            Some(_) | None => &mut self.last,
        };
        let since = slot.as_ref().map_or(work.since, |implied| implied.since);
        *slot = Some(Box::new(ImpliedState { since, ..work }));
    }

    /// Returns the state by the last event about the run itself, or by node activity if no such event is known.
    pub(crate) fn last(&self) -> Option<&ImpliedState> {
        self.last.as_deref()
    }

    /// The times of the events.
    pub(crate) fn times(&mut self) -> impl Iterator<Item = &mut Option<Millis>> {
        let implied = self.last.iter_mut().chain(&mut self.after_end);
        implied.flat_map(|implied| {
            let ImpliedState { since, last_at, .. } = &mut **implied;
            [since, last_at]
        })
    }

    /// Returns the state by node activity after an end.
    pub(crate) fn after_end(&self) -> Option<&ImpliedState> {
        self.after_end.as_deref()
    }
}

fn is_terminal(state: &Word<RunState>) -> bool {
    state.known().is_some_and(RunState::is_terminal)
}

#[cfg(test)]
mod tests {
    use super::EventState;
    use crate::json::Slice;
    use crate::log::PushedEvent;
    use crate::time::Millis;

    /// Returns the state that pushed events imply, one after the other.
    fn implied(events: &[(&str, &str)]) -> Option<String> {
        let mut state = EventState::default();
        for (event, payload) in events {
            if let Some(read) = PushedEvent::read(event, Slice::new(payload)) {
                state.observe(&read, event, Some(Millis(1.0)));
            }
        }
        state.last().map(|implied| implied.state.as_str().to_owned())
    }

    #[test]
    fn events_imply_states_by_either_name() {
        for (event, payload, expected) in [
            ("node.started", "{}", Some("running")),
            ("NodeStarted", "{}", Some("running")),
            ("task.heartbeat", "{}", Some("running")),
            ("token.usage", "{}", Some("running")),
            ("RunStarted", "{}", Some("running")),
            ("RunFailed", "{}", Some("failed")),
            ("RunContinuedAsNew", "{}", Some("succeeded")),
            ("run.completed", r#"{"status":"finished"}"#, Some("succeeded")),
            ("run.completed", r#"{"status":"melted"}"#, Some("melted")),
            ("RunStatusChanged", r#"{"status":"paused"}"#, Some("paused")),
            ("RunStateChanged", r#"{"after":"stale"}"#, Some("stale")),
            // A word of the run status is not a run state; logs have the same rule.
            ("RunStateChanged", r#"{"after":"finished"}"#, Some("finished")),
            ("run.completed", "{}", None),
            ("node.pending", "{}", None),
            ("node.waiting_approval", "{}", None),
            ("approval.requested", "{}", None),
            ("run.heartbeat", "{}", None),
            ("cron.fired", "{}", None),
            ("", "{}", None),
        ] {
            assert_eq!(implied(&[(event, payload)]).as_deref(), expected, "{event} {payload}");
        }
    }

    #[test]
    fn a_rewind_takes_the_state_back() {
        for event in ["run.time_travel_jumped", "TimeTravelJumped", "RetryTaskFinished", "run.gap_resync"] {
            assert_eq!(implied(&[("RunFailed", "{}"), (event, "{}")]), None, "{event}");
        }
        assert_eq!(implied(&[("RunFailed", "{}"), ("cron.fired", "{}")]).as_deref(), Some("failed"));
    }
}
