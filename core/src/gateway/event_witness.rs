//! Makes a witness of the run state that pushed events imply, to compare with `getRun`.

use crate::clock::Clock;
use crate::evidence::{Input, Signal, Value};
use crate::log::PushedEvent;
use crate::run::{EventState, Witness};
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;
use crate::word::Word;

/// How long events and `getRun` may differ before the difference is reported, milliseconds. `getRun` is sent after
/// every event and once more [`LAST_READ_DELAY_MS`](super::schedule::LAST_READ_DELAY_MS) after an end; until then one
/// side may only lag behind.
const GRACE_MS: f64 = 1500.0;

/// The run state implied by the events; its times are of the local clock.
#[derive(Debug, Default)]
pub(super) struct EventWitness(EventState);

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
    pub(super) fn observe(&mut self, event: &PushedEvent, name: &str, now: Millis) {
        self.0.observe(event, name, Some(now));
    }

    /// Returns the witness that the events imply. A witness that differs from the server's state is returned only after
    /// the server had time to catch up: the server still gives the same answer [`GRACE_MS`] after the event, or does
    /// not answer at all. A state other than an end never contradicts a later answer or a server that still answers.
    pub(super) fn witness(&self, server: &ServerState, clock: &Clock, now: Millis) -> Option<Witness> {
        let is_end = |state: &Word<RunState>| state.known().is_some_and(RunState::is_terminal);
        let asked_at = server.asked_at?;
        let ended = server.state.as_ref().is_some_and(is_end);
        let implied = self.0.after_end().filter(|_| !ended).or(self.0.last())?;
        let (since, last_at) = (implied.since?, implied.last_at?);
        let since = server.since.filter(|changed| *changed > since).unwrap_or(since);
        let is_answering = now.since(asked_at) < 2.0 * GRACE_MS;
        let is_settled = (if is_answering { asked_at } else { now }).since(since) >= GRACE_MS;
        let is_newer = !is_answering && last_at > asked_at;
        let is_reported = is_settled && (is_end(&implied.state) || is_newer);
        if server.state.as_ref() != Some(&implied.state) && !is_reported {
            return None;
        }
        let at = Some(clock.now(last_at));
        let value = Value::Word(implied.event.clone());
        let input = Input { at, ..Input::new(Signal::LastRunEvent, value, true) };
        let view = RunStateView::from_state(implied.state.clone());
        Some(Witness { at, ..Witness::from_event(input, "pushed events", at, view) })
    }
}

#[cfg(test)]
mod tests {
    use super::{EventWitness, ServerState};
    use crate::clock::Clock;
    use crate::log::{Effect, PushedEvent};
    use crate::smithers::wire::RunState;
    use crate::time::Millis;

    /// Returns the witness's state at 20 s after activity at `work_at` and the given answers of the server.
    fn witness(work_at: f64, is_answering: &[(f64, RunState)]) -> Option<String> {
        let (mut witness, mut server) = (EventWitness::default(), ServerState::default());
        witness.observe(&PushedEvent::Other(Effect::OtherWork), "node.started", Millis(work_at));
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
        // An ended run is requested every 15 s.
        let ended =
            [(800.0, RunState::Running), (3000.0, RunState::Succeeded), (8000.0, RunState::Succeeded)];
        assert_eq!(witness(6000.0, &ended), None);
        assert_eq!(witness(9000.0, &ended).as_deref(), Some("running"));
        let agrees = [(3000.0, RunState::Running)];
        assert_eq!(witness(1000.0, &agrees).as_deref(), Some("running"));
    }
}
