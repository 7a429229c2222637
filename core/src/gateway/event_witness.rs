//! Derives the run state that pushed events imply, as a witness to compare with `getRun`.

use crate::clock::Clock;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::log::{PushedEvent, state_of_status};
use crate::run::{Witness, WitnessSource};
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;
use crate::word::Word;

/// How long events and `getRun` may differ before the difference is reported, milliseconds. `getRun` is sent after
/// every event and once more [`LAST_READ_DELAY_MS`](super::schedule::LAST_READ_DELAY_MS) after an end; until then one
/// side may only lag behind.
const GRACE_MS: f64 = 1500.0;

/// The run state implied by the events.
#[derive(Debug, Default)]
pub(super) struct EventWitness {
    last: Option<ImpliedState>,
    /// State implied by node activity after an end: the server sends the events of the whole run again (protocol
    /// section 5, quirk 6), or the run was reopened.
    after_end: Option<ImpliedState>,
}

/// A state and the event that implies it.
#[derive(Clone, Debug)]
struct ImpliedState {
    state: Word<RunState>,
    event: String,
    /// The times at which events first and last implied the state, on the local clock.
    since: Millis,
    last_at: Millis,
}

/// The last answer to `getRun`.
#[derive(Debug, Default)]
pub(super) struct ServerState {
    /// The time at which the request was sent, on the local clock.
    asked_at: Option<Millis>,
    /// The state in the answer, and the time since which it has not changed.
    state: Option<Word<RunState>>,
    since: Option<Millis>,
}

impl ServerState {
    /// Records the answer to a request sent at `asked_at`.
    pub(super) fn record(&mut self, asked_at: Millis, state: Option<&Word<RunState>>, now: Millis) {
        if self.state.as_ref() != state {
            (self.state, self.since) = (state.cloned(), Some(now));
        }
        self.asked_at = Some(asked_at);
    }
}

impl EventWitness {
    /// Updates the implied state from an event of the watched run; `name` is the event's name.
    pub(super) fn observe(&mut self, event: PushedEvent, name: &str, now: Millis) {
        match event {
            PushedEvent::Completed(Some(status)) => self.imply(state_of_status(&status), name, now),
            PushedEvent::RunState { state, .. } => self.imply(state, name, now),
            PushedEvent::Gap | PushedEvent::TimeTravel | PushedEvent::NodesReset => *self = Self::default(),
            PushedEvent::Other(effect) if effect.is_work() => self.record_work(name, now),
            PushedEvent::Completed(None) | PushedEvent::BoundaryCrossed | PushedEvent::Other(_) => {}
        }
    }

    fn imply(&mut self, state: Word<RunState>, event: &str, now: Millis) {
        let before = self.last.take().filter(|last| last.state == state && self.after_end.is_none());
        let since = before.map_or(now, |before| before.since);
        self.last = Some(ImpliedState { state, event: event.to_owned(), since, last_at: now });
        self.after_end = None;
    }

    /// Records node activity. It implies `running` unless events of the run itself imply a state; after an end it is
    /// kept apart.
    fn record_work(&mut self, event: &str, now: Millis) {
        let running = RunState::Running.into();
        let slot = match &self.last {
            Some(last) if last.state.known().is_some_and(RunState::is_terminal) => &mut self.after_end,
            Some(last) if last.state != running => return,
            Some(_) | None => &mut self.last,
        };
        let since = slot.as_ref().map_or(now, |implied| implied.since);
        *slot = Some(ImpliedState { state: running, event: event.to_owned(), since, last_at: now });
    }

    /// Returns the witness that the events imply. A witness that differs from the server's state is returned only after
    /// the server had time to catch up: the server still gives the same answer [`GRACE_MS`] after the event, or does
    /// not answer at all. A state other than an end never contradicts a later answer or a server that still answers.
    pub(super) fn witness(&self, server: &ServerState, clock: &Clock, now: Millis) -> Option<Witness> {
        let is_end = |state: &Word<RunState>| state.known().is_some_and(RunState::is_terminal);
        let asked_at = server.asked_at?;
        let ended = server.state.as_ref().is_some_and(is_end);
        let implied = self.after_end.as_ref().filter(|_| !ended).or(self.last.as_ref())?;
        let since = server.since.filter(|since| *since > implied.since).unwrap_or(implied.since);
        let is_answering = now.since(asked_at) < 2.0 * GRACE_MS;
        let is_settled = (if is_answering { asked_at } else { now }).since(since) >= GRACE_MS;
        let is_newer = !is_answering && implied.last_at > asked_at;
        let is_reported = is_settled && (is_end(&implied.state) || is_newer);
        if server.state.as_ref() != Some(&implied.state) && !is_reported {
            return None;
        }
        let at = Some(clock.now(implied.last_at));
        let value = Value::Word(implied.event.clone());
        let input = Input { name: Signal::LastRunEvent, value, at, limit_ms: None, decisive: true };
        let evidence = Evidence { inputs: vec![input], read_from: "pushed events".to_owned(), read_at: at };
        let view = RunStateView::from_state(implied.state.clone());
        Some(Witness { source: WitnessSource::Events, view, at, evidence })
    }
}

#[cfg(test)]
mod tests {
    use super::{EventWitness, PushedEvent, ServerState};
    use crate::clock::Clock;
    use crate::json::Slice;
    use crate::smithers::wire::RunState;
    use crate::time::Millis;

    /// Returns the witness's state at 20 s after activity at `work_at` and the given answers of the server.
    fn witness(work_at: f64, is_answering: &[(f64, RunState)]) -> Option<String> {
        let (mut witness, mut server) = (EventWitness::default(), ServerState::default());
        witness.record_work("node.started", Millis(work_at));
        for (asked_at, state) in is_answering {
            server.record(Millis(*asked_at), Some(&(*state).into()), Millis(asked_at + 3.0));
        }
        let reported = witness.witness(&server, &Clock::default(), Millis(20_000.0))?;
        Some(reported.view.state.as_str().to_owned())
    }

    #[test]
    fn work_from_before_the_last_answer_says_nothing_against_it() {
        let waits = [(800.0, RunState::Running), (3000.0, RunState::WaitingApproval)];
        assert_eq!(witness(1000.0, &waits), None);
        assert_eq!(witness(2999.0, &waits), None);
        assert_eq!(witness(3050.0, &waits).as_deref(), Some("running"));
        // An ended run is not requested any more.
        let ended =
            [(800.0, RunState::Running), (3000.0, RunState::Succeeded), (8000.0, RunState::Succeeded)];
        assert_eq!(witness(6000.0, &ended), None);
        assert_eq!(witness(9000.0, &ended).as_deref(), Some("running"));
        let agrees = [(3000.0, RunState::Running)];
        assert_eq!(witness(1000.0, &agrees).as_deref(), Some("running"));
    }

    /// Returns the states that pushed events imply, one after the other.
    fn implied(events: &[(&str, &str)]) -> Option<String> {
        let mut witness = EventWitness::default();
        for (event, payload) in events {
            if let Some(read) = PushedEvent::read(event, Slice::new(payload)) {
                witness.observe(read, event, Millis(1.0));
            }
        }
        witness.last.map(|implied| implied.state.as_str().to_owned())
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
