//! The last approval at a node: what was asked, and how it was decided.

use super::effect::{ApprovalOutcome, Effect, effect};
use crate::json::Slice;
use crate::smithers::wire::{ApprovalRequest, EventType};
use crate::time::Millis;

/// What the events of one iteration of a node say about its last approval.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LoggedApproval {
    /// The request; `None` if no event has its text.
    pub(crate) request: Option<ApprovalRequest>,
    /// The decision and its time; events name no person.
    pub(crate) decision: Option<(ApprovalOutcome, Option<Millis>)>,
}

impl LoggedApproval {
    /// Whether an event of this type may be about an approval, and can be [taken](Self::take).
    pub(crate) fn has_type(event_type: EventType) -> bool {
        matches!(effect(event_type), Effect::ApprovalRequested | Effect::ApprovalDecided(_))
    }

    /// Takes the next event of the node.
    pub(crate) fn take(&mut self, event_type: EventType, at: Option<Millis>, event: Slice<'_>) {
        if let Effect::ApprovalDecided(outcome) = effect(event_type) {
            self.decision = Some((outcome, at));
            return;
        }
        // Two events report a request; one of them has its text.
        let before = if self.decision.take().is_some() { None } else { self.request.take() };
        self.request = ApprovalRequest::from_event(event, at).or(before);
    }
}

#[cfg(test)]
mod tests {
    use super::{ApprovalOutcome, LoggedApproval};
    use crate::json::Slice;
    use crate::smithers::wire::EventType;
    use crate::time::Millis;

    #[test]
    fn the_last_request_and_its_decision_count() {
        let mut found = LoggedApproval::default();
        let mut take = |event_type, at, event: &str| {
            found.take(event_type, Some(Millis(at)), Slice::new(event));
            found.clone()
        };
        let request = r#"{"nodeId":"gate","request":{"title":"Ship it?","summary":null,"options":[],"allowedUsers":["mira"]}}"#;
        let bare = r#"{"nodeId":"gate"}"#;
        let asked = take(EventType::ApprovalRequested, 5.0, request);
        let known = asked.request.clone().unwrap();
        assert_eq!((known.title.as_deref(), known.requested_at), (Some("Ship it?"), Some(Millis(5.0))));
        assert_eq!(known.allowed_users, Some(vec!["mira".to_owned()]));
        assert_eq!(take(EventType::NodeWaitingApproval, 6.0, bare), asked, "the same request");
        let decided = take(EventType::ApprovalAutoApproved, 7.0, bare);
        assert_eq!(decided.decision, Some((ApprovalOutcome::AutoApproved, Some(Millis(7.0)))));
        let again = take(EventType::NodeWaitingApproval, 8.0, bare);
        assert_eq!(again, LoggedApproval::default(), "another request, without its text");
    }
}
