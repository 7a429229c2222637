//! The names under which a Gateway pushes events (protocol section 3.5).

use super::EventType;
use crate::json::{Slice, fields};

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
    pub(crate) fn of_pushed(name: &str, payload: Slice<'_>) -> Option<Self> {
        match name {
            "approval.decided" => {
                let [approved] = fields(payload, ["approved"]).ok()?;
                match approved?.json() {
                    "true" => Some(Self::ApprovalGranted),
                    "false" => Some(Self::ApprovalDenied),
                    _ => None,
                }
            }
            "run.completed" => {
                let [status] = fields(payload, ["status"]).ok()?;
                match status?.text()?.as_str() {
                    "finished" => Some(Self::RunFinished),
                    "failed" => Some(Self::RunFailed),
                    "cancelled" => Some(Self::RunCancelled),
                    _ => None,
                }
            }
            _ => NAMES.iter().find(|(known, _)| *known == name).map(|(_, event_type)| *event_type),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{EventType, NAMES};
    use crate::json::Slice;

    fn event_type(name: &str, payload: &str) -> Option<EventType> {
        EventType::of_pushed(name, Slice::new(payload))
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
