//! Reads the events that a Gateway pushes, for the live client and for recordings.

use super::effect::{Effect, effect};
use crate::json::{Slice, fields};
use crate::smithers::wire::{EventType, GatewayEvent, RunState, RunStatus};
use crate::word::{Vocabulary, Word};

/// A pushed event, by its meaning for the run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PushedEvent {
    /// The run ended with this status, which may be a word that no log has; `None` if the event has no status.
    Completed(Option<String>),
    /// Events were lost.
    Gap,
    /// The run has this state; `continued` if another run continues it.
    RunState { state: Word<RunState>, continued: bool },
    /// Time travel: earlier events about the run's state no longer hold.
    TimeTravel,
    /// The nodes were reset for a retry or after time travel.
    NodesReset,
    /// Time travel crossed side effects outside the run.
    BoundaryCrossed,
    /// Anything else, by its effect on nodes.
    Other(Effect),
}

impl PushedEvent {
    /// Reads an event by the Gateway's name, or by the log's name, which some servers forward. Returns `None` if neither is known.
    pub(crate) fn read(name: &str, payload: Slice<'_>) -> Option<Self> {
        match GatewayEvent::from_word(name) {
            // The payload has the run's status, which may be a word that no log has.
            Some(GatewayEvent::RunCompleted) => return Some(Self::Completed(text(payload, "status"))),
            Some(GatewayEvent::Gap) => return Some(Self::Gap),
            Some(
                GatewayEvent::Challenge
                | GatewayEvent::Tick
                | GatewayEvent::Heartbeat
                | GatewayEvent::Run
                | GatewayEvent::RunError
                | GatewayEvent::ApprovalDecided
                | GatewayEvent::DevTools
                | GatewayEvent::DevToolsError,
            )
            | None => {}
        }
        Self::read_type(
            EventType::from_pushed(name, payload).or_else(|| EventType::from_word(name))?,
            payload,
        )
    }

    fn read_type(event_type: EventType, payload: Slice<'_>) -> Option<Self> {
        Some(match effect(event_type) {
            Effect::RunStarted => Self::run_state(RunState::Running.into()),
            Effect::Run(state) => Self::run_state(state.into()),
            Effect::Continued => Self::RunState { state: RunState::Succeeded.into(), continued: true },
            Effect::RunStatusChanged => {
                let status = text(payload, "status")?;
                let continued = status == RunStatus::Continued.as_str();
                Self::RunState { state: state_of_status(&status), continued }
            }
            Effect::RunStateChanged => {
                let [after] = fields(payload, ["after"]).ok()?;
                Self::run_state(Word::new(&state_text(after?)?))
            }
            Effect::TimeTravelled => Self::TimeTravel,
            Effect::NodesReset => Self::NodesReset,
            Effect::BoundaryCrossed => Self::BoundaryCrossed,
            other @ (Effect::Node(_)
            | Effect::Retrying
            | Effect::ApprovalRequested
            | Effect::ApprovalDecided(_)
            | Effect::TimerStarted
            | Effect::TimerEnded
            | Effect::ToolCallStarted
            | Effect::ToolCallFinished
            | Effect::TokensUsed
            | Effect::Heartbeat
            | Effect::FrameStored
            | Effect::OtherWork
            | Effect::Nothing) => Self::Other(other),
        })
    }

    fn run_state(state: Word<RunState>) -> Self {
        Self::RunState { state, continued: false }
    }
}

fn text(payload: Slice<'_>, name: &str) -> Option<String> {
    fields(payload, [name]).ok().and_then(|[field]| field?.text())
}

/// A word of a run's state: a text, or the field `state` of an object.
pub(super) fn state_text(value: Slice<'_>) -> Option<String> {
    if value.is_object() { text(value, "state") } else { value.text() }
}

/// The state of a run by the word of its status alone.
pub(crate) fn state_of_status(status: &str) -> Word<RunState> {
    RunStatus::from_word(status).map_or_else(|| Word::new(status), |status| status.state().into())
}

#[cfg(test)]
mod tests {
    use super::PushedEvent;
    use crate::json::Slice;
    use crate::smithers::wire::RunState;

    #[test]
    fn an_event_is_read_by_either_name() {
        let read = |name, payload| PushedEvent::read(name, Slice::new(payload));
        let failed = Some(PushedEvent::RunState { state: RunState::Failed.into(), continued: false });
        assert_eq!(read("RunFailed", "{}"), failed);
        assert_eq!(read("RunStatusChanged", r#"{"status":"failed"}"#), failed);
        assert_eq!(read("RunStateChanged", r#"{"after":"failed"}"#), failed);
        assert_eq!(read("RunStateChanged", r#"{"after":{"runId":"r","state":"failed"}}"#), failed);
        assert_eq!(read("RunStateChanged", "{}"), None);
        assert_eq!(read("RunStateChanged", r#"{"after":{"state":7}}"#), None);
        assert_eq!(
            read("RunStatusChanged", r#"{"status":"continued"}"#),
            Some(PushedEvent::RunState { state: RunState::Succeeded.into(), continued: true })
        );
        assert_eq!(
            read("run.completed", r#"{"status":"x"}"#),
            Some(PushedEvent::Completed(Some("x".into())))
        );
        assert_eq!(read("node.started", "{}"), read("NodeStarted", "{}"));
        assert_eq!(read("cron.fired", "{}"), None);
    }
}
