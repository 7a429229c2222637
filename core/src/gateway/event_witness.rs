//! The run state that pushed events imply: a witness to compare with `getRun`.

use super::read::Target;
use crate::clock::Clock;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::json::fields;
use crate::run::{Witness, WitnessSource};
use crate::smithers::wire::{RunState, RunStatus};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// How long events and `getRun` may differ before the difference is reported, milliseconds. `getRun` is sent after every
/// event, and once more [`LAST_READ_DELAY_MS`](super::schedule::LAST_READ_DELAY_MS) after an end: until then one side is only behind.
const GRACE_MS: f64 = 1500.0;

/// The run state implied by the events.
#[derive(Debug, Default)]
pub(super) struct EventWitness {
    last: Option<ImpliedState>,
    /// Node activity after an end: the server sends the whole run again (protocol section 5, quirk 6), or the run was reopened.
    after_end: Option<ImpliedState>,
}

/// A state and the event that implies it.
#[derive(Clone, Debug)]
struct ImpliedState {
    state: Word<RunState>,
    event: String,
    /// When events first and last implied the state, on the local clock.
    since: Millis,
    last_at: Millis,
}

/// The last answer to `getRun`.
#[derive(Debug, Default)]
pub(super) struct ServerState {
    /// When the request was sent, on the local clock.
    asked_at: Option<Millis>,
    /// The answered state, and since when it is the same.
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
    /// Updates the implied state by an event of the watched run.
    pub(super) fn observe(&mut self, event: &Target<'_>, now: Millis) {
        match effect(&event.event) {
            Effect::Implies(state) => self.imply(state.into(), &event.event, now),
            Effect::Status(name) => {
                let word = fields(event.payload, [name]).ok().and_then(|[word]| word?.text());
                if let Some(word) = word {
                    let state = RunStatus::from_word(&word).map(RunStatus::state);
                    self.imply(state.map_or_else(|| Word::new(&word), Word::Known), &event.event, now);
                }
            }
            Effect::Resets => *self = Self::default(),
            Effect::Activity => self.record_activity(&event.event, now),
            Effect::Nothing => {}
        }
    }

    fn imply(&mut self, state: Word<RunState>, event: &str, now: Millis) {
        let before = self.last.take().filter(|last| last.state == state && self.after_end.is_none());
        let since = before.map_or(now, |before| before.since);
        self.last = Some(ImpliedState { state, event: event.to_owned(), since, last_at: now });
        self.after_end = None;
    }

    /// Records node activity. It implies `running`, unless events of the run itself imply a state; after an end it is kept apart.
    fn record_activity(&mut self, event: &str, now: Millis) {
        let running = RunState::Running.into();
        let slot = match &self.last {
            Some(last) if last.state.known().is_some_and(RunState::is_terminal) => &mut self.after_end,
            Some(last) if last.state != running => return,
            Some(_) | None => &mut self.last,
        };
        let since = slot.as_ref().map_or(now, |implied| implied.since);
        *slot = Some(ImpliedState { state: running, event: event.to_owned(), since, last_at: now });
    }

    /// The witness that the events make. One that differs from the server is returned only where the server had the time to
    /// catch up: it keeps its answer for [`GRACE_MS`] after the event, or does not answer at all. A state that is not an end
    /// never contradicts a later answer, nor a server that answers.
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
        Some(Witness { source: WitnessSource::Events, state: implied.state.clone(), at, evidence })
    }
}

/// What an event implies for the run's state.
#[derive(Debug, PartialEq)]
enum Effect {
    Implies(RunState),
    /// The payload field with this name holds a run state or a run status.
    Status(&'static str),
    /// The run was rewound: the implied state is unknown.
    Resets,
    Activity,
    Nothing,
}

/// The effect of an event by the Gateway's name (protocol section 3.5) or by the log's, for servers that forward log events.
fn effect(event: &str) -> Effect {
    match event {
        "run.completed" | "RunStatusChanged" => Effect::Status("status"),
        "RunStateChanged" => Effect::Status("after"),
        "RunStarted" => Effect::Implies(RunState::Running),
        "RunFinished" | "RunContinuedAsNew" => Effect::Implies(RunState::Succeeded),
        "RunFailed" => Effect::Implies(RunState::Failed),
        "RunCancelled" => Effect::Implies(RunState::Cancelled),
        "RunAutoResumed" => Effect::Implies(RunState::Recovering),
        "run.time_travel_jumped"
        | "run.gap_resync"
        | "TimeTravelJumped"
        | "TimeTravelFinished"
        | "RetryTaskFinished" => Effect::Resets,
        "ApprovalRequested" | "TimerCreated" => Effect::Activity,
        _ if ["node.", "task.", "Node", "Task"].iter().any(|start| event.starts_with(start)) => {
            Effect::Activity
        }
        _ => Effect::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, EventWitness, ServerState, effect};
    use crate::clock::Clock;
    use crate::log;
    use crate::smithers::wire::{EventType, RunState};
    use crate::time::Millis;
    use crate::word::Vocabulary;

    /// What the witness says at 20 s after activity at `work_at` and the answers of the server.
    fn witness(work_at: f64, is_answering: &[(f64, RunState)]) -> Option<String> {
        let (mut witness, mut server) = (EventWitness::default(), ServerState::default());
        witness.record_activity("node.started", Millis(work_at));
        for (asked_at, state) in is_answering {
            server.record(Millis(*asked_at), Some(&(*state).into()), Millis(asked_at + 3.0));
        }
        let reported = witness.witness(&server, &Clock::default(), Millis(20_000.0))?;
        Some(reported.state.as_str().to_owned())
    }

    #[test]
    fn work_from_before_the_last_answer_says_nothing_against_it() {
        let waits = [(800.0, RunState::Running), (3000.0, RunState::WaitingApproval)];
        assert_eq!(witness(1000.0, &waits), None);
        assert_eq!(witness(2999.0, &waits), None);
        assert_eq!(witness(3050.0, &waits).as_deref(), Some("running"));
        // Nobody asks after an ended run any more.
        let ended =
            [(800.0, RunState::Running), (3000.0, RunState::Succeeded), (8000.0, RunState::Succeeded)];
        assert_eq!(witness(6000.0, &ended), None);
        assert_eq!(witness(9000.0, &ended).as_deref(), Some("running"));
        let agrees = [(3000.0, RunState::Running)];
        assert_eq!(witness(1000.0, &agrees).as_deref(), Some("running"));
    }

    /// What an event changes in a log says what it changes here.
    fn as_in_a_log(event: EventType) -> Effect {
        use log::Effect as InLog;
        let in_log = log::effect(event);
        match in_log {
            InLog::RunStatus => Effect::Status("status"),
            InLog::RunState => Effect::Status("after"),
            InLog::Jumped | InLog::Reset => Effect::Resets,
            InLog::Node(_) | InLog::Retrying | InLog::Asked | InLog::TimerSet | InLog::Heartbeat => {
                Effect::Activity
            }
            // The Gateway sends these of a node or a task by names that are work here.
            InLog::Alive if matches!(event, EventType::NodeOutput | EventType::TaskHeartbeatTimeout) => {
                Effect::Activity
            }
            InLog::RunStarted
            | InLog::Run(_)
            | InLog::Continued
            | InLog::Decided(_)
            | InLog::TimerOver(_)
            | InLog::Called
            | InLog::Answered
            | InLog::Tokens
            | InLog::Crossed
            | InLog::Frame
            | InLog::Alive
            | InLog::Nothing => in_log.run_state().map_or(Effect::Nothing, Effect::Implies),
        }
    }

    #[test]
    fn an_event_of_a_log_changes_the_same_here() {
        for event in EventType::ALL {
            assert_eq!(effect(event.as_str()), as_in_a_log(*event), "{}", event.as_str());
        }
    }

    #[test]
    fn the_gateway_s_own_names_are_known_and_others_change_nothing() {
        for name in ["node.started", "node.output", "task.heartbeat"] {
            assert_eq!(effect(name), Effect::Activity, "{name}");
        }
        for name in ["run.time_travel_jumped", "run.gap_resync"] {
            assert_eq!(effect(name), Effect::Resets, "{name}");
        }
        assert_eq!(effect("run.completed"), Effect::Status("status"));
        for name in ["", "node", "nodes", "run.heartbeat", "approval.requested", "cron.fired", "runFailed"] {
            assert_eq!(effect(name), Effect::Nothing, "{name}");
        }
    }
}
