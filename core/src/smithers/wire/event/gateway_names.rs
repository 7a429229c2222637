//! The names under which a Gateway pushes events (protocol section 3.5).

use super::EventType;
use crate::json::{Slice, fields};
use crate::smithers::wire::RunStatus;
use crate::word::Vocabulary;

crate::vocabulary! {
    /// The pushed events that are handled by name. The other events of a run have the types of [`NAMES`].
    pub(crate) enum GatewayEvent ("gateway event") {
        /// Asks for `connect`, with the server's time.
        Challenge = "connect.challenge",
        /// The server's time.
        Tick = "tick",
        /// A run's engine is alive, with the server's time.
        Heartbeat = "run.heartbeat",
        /// An envelope around an event of a run.
        Run = "run.event",
        /// A run ended, with its status.
        RunCompleted = "run.completed",
        /// Events were lost; the event has the run's current state.
        Gap = "run.gap_resync",
        /// The end of a run's stream.
        RunError = "run.error",
        /// A person approved or denied.
        ApprovalDecided = "approval.decided",
        /// A snapshot or a delta of the tree.
        DevTools = "devtools.event",
        /// The end of the tree's stream.
        DevToolsError = "devtools.error",
    }
}

/// Whether an event may change the state of a run or of its nodes, by the first part of its name, so that events of newer
/// servers count too. Output, agent and token events come by the hundred and change neither.
pub(crate) fn may_change_a_run(event: &str) -> bool {
    matches!(event.split_once('.'), Some(("node" | "approval" | "run", _)))
}

/// The Gateway's event names, with the types of the same events in a log.
const NAMES: [(&str, EventType); 20] = [
    ("node.pending", EventType::NodePending),
    ("node.started", EventType::NodeStarted),
    ("node.finished", EventType::NodeFinished),
    ("node.failed", EventType::NodeFailed),
    ("node.skipped", EventType::NodeSkipped),
    ("node.cancelled", EventType::NodeCancelled),
    ("node.retrying", EventType::NodeRetrying),
    ("node.waiting_approval", EventType::NodeWaitingApproval),
    ("node.waiting_timer", EventType::NodeWaitingTimer),
    ("task.output", EventType::NodeOutput),
    ("task.heartbeat", EventType::TaskHeartbeat),
    ("approval.requested", EventType::ApprovalRequested),
    ("approval.auto_approved", EventType::ApprovalAutoApproved),
    ("agent.event", EventType::AgentEvent),
    ("agent.session", EventType::AgentSessionEvent),
    ("agent.trace", EventType::AgentTraceEvent),
    ("agent.trace_summary", EventType::AgentTraceSummary),
    ("token.usage", EventType::TokenUsageReported),
    ("run.time_travel_jumped", EventType::TimeTravelJumped),
    ("run.side_effect_boundary_crossed", EventType::SideEffectBoundaryCrossed),
];

impl EventType {
    /// The type of a pushed event; `None` for one that no log has.
    pub(crate) fn from_pushed(name: &str, payload: Slice<'_>) -> Option<Self> {
        match GatewayEvent::from_word(name) {
            Some(GatewayEvent::ApprovalDecided) => {
                let [approved] = fields(payload, ["approved"]).ok()?;
                match approved?.json() {
                    "true" => Some(Self::ApprovalGranted),
                    "false" => Some(Self::ApprovalDenied),
                    _ => None,
                }
            }
            Some(GatewayEvent::RunCompleted) => {
                let [status] = fields(payload, ["status"]).ok()?;
                match RunStatus::from_word(&status?.text()?)? {
                    RunStatus::Finished => Some(Self::RunFinished),
                    RunStatus::Failed => Some(Self::RunFailed),
                    RunStatus::Cancelled => Some(Self::RunCancelled),
                    RunStatus::Running
                    | RunStatus::WaitingApproval
                    | RunStatus::WaitingEvent
                    | RunStatus::WaitingTimer
                    | RunStatus::WaitingQuota
                    | RunStatus::Paused
                    | RunStatus::Continued => None,
                }
            }
            Some(
                GatewayEvent::Challenge
                | GatewayEvent::Tick
                | GatewayEvent::Heartbeat
                | GatewayEvent::Run
                | GatewayEvent::Gap
                | GatewayEvent::RunError
                | GatewayEvent::DevTools
                | GatewayEvent::DevToolsError,
            ) => None,
            None => NAMES.iter().find(|(known, _)| *known == name).map(|(_, event_type)| *event_type),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EventType, NAMES};
    use crate::json::Slice;

    fn event_type(name: &str, payload: &str) -> Option<EventType> {
        EventType::from_pushed(name, Slice::new(payload))
    }

    #[test]
    fn the_gateways_names_are_types_of_a_log() {
        for (name, expected) in NAMES {
            assert_eq!(event_type(name, "{}"), Some(expected), "{name}");
        }
        for unknown in ["", "node", "nodes", "node.dreamed", "run.heartbeat", "cron.fired", "NodeStarted"] {
            assert_eq!(event_type(unknown, "{}"), None, "{unknown}");
        }
    }

    #[test]
    fn a_decision_and_an_end_are_in_the_payload() {
        for (name, payload, expected) in [
            ("approval.decided", r#"{"approved":true}"#, Some(EventType::ApprovalGranted)),
            ("approval.decided", r#"{"approved":false}"#, Some(EventType::ApprovalDenied)),
            ("approval.decided", r#"{"approved":"yes"}"#, None),
            ("approval.decided", "{}", None),
            ("run.completed", r#"{"status":"finished"}"#, Some(EventType::RunFinished)),
            ("run.completed", r#"{"status":"failed"}"#, Some(EventType::RunFailed)),
            ("run.completed", r#"{"status":"cancelled"}"#, Some(EventType::RunCancelled)),
            ("run.completed", r#"{"status":"melted"}"#, None),
            ("run.completed", r#"{"status":7}"#, None),
            ("run.completed", "null", None),
        ] {
            assert_eq!(event_type(name, payload), expected, "{name} {payload}");
        }
    }
}
