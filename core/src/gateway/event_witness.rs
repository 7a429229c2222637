//! What the pushed events say of the watched run: a witness beside the server's own answers.

use super::read::Target;
use crate::clock::Clock;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::json::fields;
use crate::run::{Witness, WitnessSource};
use crate::smithers::wire::{RunState, RunStatus};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// For how long events may say something else than the server before that is worth telling, milliseconds. The server is read
/// after every event, and once more [`LAST_LOOK_MS`](super::schedule::LAST_LOOK_MS) after an end: until then somebody is only behind.
const GRACE_MS: f64 = 1500.0;

/// The state that the events imply, and nothing else of them.
#[derive(Debug, Default)]
pub(super) struct EventWitness {
    last: Option<Saying>,
    /// Nodes went on after an end: the server sends the whole run again (protocol section 5, quirk 6), or the run was opened again.
    after_end: Option<Saying>,
}

/// What an event said.
#[derive(Clone, Debug)]
struct Saying {
    state: Word<RunState>,
    event: String,
    /// From when on events say this, and when one said so last; on the local clock.
    since: Millis,
    heard_at: Millis,
}

/// What the server answered last.
#[derive(Debug, Default)]
pub(super) struct Answered {
    /// When it was asked, on the local clock.
    asked_at: Option<Millis>,
    /// What it said, and since when it says so.
    state: Option<Word<RunState>>,
    since: Option<Millis>,
}

impl Answered {
    /// Takes in an answer to what was asked then.
    pub(super) fn take(&mut self, asked_at: Millis, state: Option<&Word<RunState>>, now: Millis) {
        if self.state.as_ref() != state {
            (self.state, self.since) = (state.cloned(), Some(now));
        }
        self.asked_at = Some(asked_at);
    }
}

impl EventWitness {
    /// Takes in an event about the watched run.
    pub(super) fn hear(&mut self, event: &Target<'_>, now: Millis) {
        match effect(&event.event) {
            Effect::Says(state) => self.say(state.into(), &event.event, now),
            Effect::Status(name) => {
                let word = fields(event.payload, [name]).ok().and_then(|[word]| word?.text());
                if let Some(word) = word {
                    let state = RunStatus::from_word(&word).map(RunStatus::state);
                    self.say(state.map_or_else(|| Word::new(&word), Word::Known), &event.event, now);
                }
            }
            Effect::Forgets => *self = Self::default(),
            Effect::Works => self.work(&event.event, now),
            Effect::Nothing => {}
        }
    }

    fn say(&mut self, state: Word<RunState>, event: &str, now: Millis) {
        let before = self.last.take().filter(|last| last.state == state && self.after_end.is_none());
        let since = before.map_or(now, |before| before.since);
        self.last = Some(Saying { state, event: event.to_owned(), since, heard_at: now });
        self.after_end = None;
    }

    /// An end sticks, and so does what the run's own events say; without them, work is a sign of a run at work.
    fn work(&mut self, event: &str, now: Millis) {
        let running = RunState::Running.into();
        let slot = match &self.last {
            Some(last) if last.state.known().is_some_and(RunState::is_terminal) => &mut self.after_end,
            Some(last) if last.state != running => return,
            Some(_) | None => &mut self.last,
        };
        let since = slot.as_ref().map_or(now, |saying| saying.since);
        *slot = Some(Saying { state: running, event: event.to_owned(), since, heard_at: now });
    }

    /// The witness. Where it says something else than the server, the server had the time to hear of the same: it was asked
    /// after that and says so for a while, or does not answer at all. What is no end was true once, before an answer that came
    /// later: it contradicts no later answer, and nobody who answers.
    pub(super) fn witness(&self, server: &Answered, clock: &Clock, now: Millis) -> Option<Witness> {
        let is_end = |state: &Word<RunState>| state.known().is_some_and(RunState::is_terminal);
        let asked_at = server.asked_at?;
        let ended = server.state.as_ref().is_some_and(is_end);
        let saying = self.after_end.as_ref().filter(|_| !ended).or(self.last.as_ref())?;
        let since = server.since.filter(|since| *since > saying.since).unwrap_or(saying.since);
        let answers = now.since(asked_at) < 2.0 * GRACE_MS;
        let quiet = (if answers { asked_at } else { now }).since(since) >= GRACE_MS;
        let news = !answers && saying.heard_at > asked_at;
        let tells = quiet && (is_end(&saying.state) || news);
        if server.state.as_ref() != Some(&saying.state) && !tells {
            return None;
        }
        let at = Some(clock.now(saying.heard_at));
        let value = Value::Word(saying.event.clone());
        let input = Input { name: Signal::LastRunEvent, value, at, limit_ms: None, decisive: true };
        let evidence = Evidence { inputs: vec![input], read_from: "pushed events".to_owned(), read_at: at };
        Some(Witness { source: WitnessSource::Events, state: saying.state.clone(), at, evidence })
    }
}

/// What an event changes.
#[derive(Debug, PartialEq)]
enum Effect {
    Says(RunState),
    /// The field with this name is a state, or the status that stands for one.
    Status(&'static str),
    /// The run went back: nothing is said of it now.
    Forgets,
    Works,
    Nothing,
}

/// The Gateway's own names (protocol section 3.5), and those of a log for servers that send events as they are.
fn effect(event: &str) -> Effect {
    match event {
        "run.completed" | "RunStatusChanged" => Effect::Status("status"),
        "RunStateChanged" => Effect::Status("after"),
        "RunStarted" => Effect::Says(RunState::Running),
        "RunFinished" | "RunContinuedAsNew" => Effect::Says(RunState::Succeeded),
        "RunFailed" => Effect::Says(RunState::Failed),
        "RunCancelled" => Effect::Says(RunState::Cancelled),
        "RunAutoResumed" => Effect::Says(RunState::Recovering),
        "run.time_travel_jumped"
        | "run.gap_resync"
        | "TimeTravelJumped"
        | "TimeTravelFinished"
        | "RetryTaskFinished" => Effect::Forgets,
        "ApprovalRequested" | "TimerCreated" => Effect::Works,
        _ if ["node.", "task.", "Node", "Task"].iter().any(|start| event.starts_with(start)) => Effect::Works,
        _ => Effect::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::{Answered, Effect, EventWitness, effect};
    use crate::clock::Clock;
    use crate::log;
    use crate::smithers::wire::{EventType, RunState};
    use crate::time::Millis;
    use crate::word::Vocabulary;

    /// What the witness says at 20 s where work was told then, and the server said a state when it was asked, silent since.
    fn witness(work_at: f64, answers: &[(f64, RunState)]) -> Option<String> {
        let (mut told, mut server) = (EventWitness::default(), Answered::default());
        told.work("node.started", Millis(work_at));
        for (asked_at, state) in answers {
            server.take(Millis(*asked_at), Some(&(*state).into()), Millis(asked_at + 3.0));
        }
        let said = told.witness(&server, &Clock::default(), Millis(20_000.0))?;
        Some(said.state.as_str().to_owned())
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
            InLog::Jumped | InLog::Reset => Effect::Forgets,
            InLog::Node(_) | InLog::Retrying | InLog::Asked | InLog::TimerSet | InLog::Heartbeat => {
                Effect::Works
            }
            // The Gateway sends these of a node or a task by names that are work here.
            InLog::Alive if matches!(event, EventType::NodeOutput | EventType::TaskHeartbeatTimeout) => {
                Effect::Works
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
            | InLog::Nothing => in_log.run_state().map_or(Effect::Nothing, Effect::Says),
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
            assert_eq!(effect(name), Effect::Works, "{name}");
        }
        for name in ["run.time_travel_jumped", "run.gap_resync"] {
            assert_eq!(effect(name), Effect::Forgets, "{name}");
        }
        assert_eq!(effect("run.completed"), Effect::Status("status"));
        for name in ["", "node", "nodes", "run.heartbeat", "approval.requested", "cron.fired", "runFailed"] {
            assert_eq!(effect(name), Effect::Nothing, "{name}");
        }
    }
}
