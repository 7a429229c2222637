//! What now, when a Gateway says no.

use super::command::Call;
use super::{Action, ActionKind};
use crate::refusal::Refusal;
use crate::summary::line::Line;

/// What can be done about a refusal: none of it is an action on a run. Codes come in two vocabularies (protocol section
/// 3.3) and stay open: for one that is not known there is nothing to do.
///
/// ```
/// use runstate::refusal::Refusal;
/// use runstate::actions::{ActionKind, actions_for_refusal};
///
/// let refusal = Refusal { code: "UNAUTHORIZED".into(), message: "Authentication failed".into(), method: None };
/// assert_eq!(actions_for_refusal(&refusal)[0].kind, ActionKind::RefreshToken);
/// ```
pub fn actions_for_refusal(refusal: &Refusal) -> Vec<Action> {
    let action = |kind, sentence| Action::new(kind, None, Line::new(sentence));
    match refusal.code.as_str() {
        "UNAUTHORIZED" => {
            vec![action(ActionKind::RefreshToken, "Connect again with a token that the Gateway takes.")]
        }
        "FORBIDDEN" => {
            vec![action(ActionKind::RefreshToken, "Connect again with a token that has the scope for this.")]
        }
        // Not the token: the connection was narrowed to other runs (protocol section 5, quirk 8).
        "Unauthorized" => {
            vec![action(ActionKind::Reconnect, "Connect again: this connection is bound to other runs.")]
        }
        "BackpressureDisconnect" | "ConnectionClosed" => {
            vec![action(ActionKind::Reconnect, "Connect again and read the run anew.")]
        }
        "RateLimited" | "CONNECTION_LIMIT" => {
            vec![action(ActionKind::Wait, "Wait, or close other connections to this Gateway.")]
        }
        "NOT_FOUND" | "RunNotFound" | "RUN_NOT_FOUND" => {
            let list = Call { method: "listRuns", params: r#"{"filter":{"limit":50}}"#.to_owned() };
            let look = action(ActionKind::Inspect, "Look for the run in the list of runs.");
            vec![look.by(Some("smithers ps --all".to_owned()), Some(list))]
        }
        "AlreadyDecided" => {
            vec![action(ActionKind::Inspect, "Read the run again: somebody has decided already.")]
        }
        _ => Vec::new(),
    }
}
