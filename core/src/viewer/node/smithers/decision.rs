//! How an approval was decided, by the output of its node and by the events.

use super::Found;
use crate::header::Field;
use crate::json::{Slice, fields};
use crate::log::{ApprovalOutcome, LoggedApproval};
use crate::smithers::wire::{ApprovalRequest, NodeState, TaskKind};
use crate::text::concat;
use crate::time::Millis;

/// A decision, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Decision {
    /// What was decided.
    what: Option<String>,
    who: Option<String>,
    at: Option<Millis>,
    note: Option<String>,
}

impl Decision {
    /// Reads the output of an approval: a decision, or a selected option. Only decisions name a person.
    fn read(value: &str) -> Option<Self> {
        let names = ["approved", "selected", "note", "notes", "decidedBy", "decidedAt"];
        let [approved, selected, note, notes, who, at] = fields(Slice::new(value), names).ok()?;
        let what = match approved.map(Slice::json) {
            Some("true") => Some("Approved".to_owned()),
            Some("false") => Some("Denied".to_owned()),
            Some(_) | None => selected.and_then(Slice::text).map(|option| concat(&["Selected ", &option])),
        };
        let at = at.and_then(Slice::text).and_then(|at| Millis::parse_iso(&at));
        let text = |value: Option<Slice<'_>>| value.and_then(Slice::text).filter(|text| !text.is_empty());
        Some(Self { what, who: text(who), at, note: text(note).or_else(|| text(notes)) })
    }
}

impl Found<'_> {
    /// Whether the node is an approval that was decided.
    pub(in super::super) fn is_decided(&self) -> bool {
        let kind = self.node().and_then(|node| node.task.as_ref()?.kind.as_ref()?.known());
        let is_over = matches!(self.known_state(), Some(NodeState::Finished | NodeState::Failed));
        kind == Some(TaskKind::Approval) && is_over
    }

    /// Takes what the events say of the approval.
    pub(in super::super) fn take_events(&mut self, LoggedApproval { request, decision }: LoggedApproval) {
        if let (Some((outcome, at)), true) = (decision, self.is_decided()) {
            let decision = self.decision.get_or_insert_default();
            decision.at = decision.at.or(at);
            if outcome == ApprovalOutcome::AutoApproved {
                decision.who = decision.who.take().or_else(|| Some("a policy".to_owned()));
            }
            let what = match outcome {
                ApprovalOutcome::Granted | ApprovalOutcome::AutoApproved => "Approved",
                ApprovalOutcome::Denied => "Denied",
            };
            decision.what = decision.what.take().or_else(|| Some(what.to_owned()));
        }
        if let (Some(request), true) = (request, self.lacks_request()) {
            let iteration = self.iteration();
            self.request = Some(ApprovalRequest { iteration, ..request });
        }
    }

    /// Takes the output of the approval.
    pub(in super::super) fn take_output(&mut self, value: &str) {
        self.decision = Decision::read(value);
    }

    /// Whether a decision is known, but not whose it was.
    pub(super) fn lacks_decider(&self) -> bool {
        self.is_decided() && self.decision.as_ref().is_none_or(|decision| decision.who.is_none())
    }

    pub(super) fn decision_fields(&self, now: Millis) -> Vec<Option<Field>> {
        let Some(Decision { what, who, at, note }) = self.decision.clone() else { return Vec::new() };
        vec![
            Field::text("decision", "Decision", what),
            Field::text("decidedBy", "Decided by", who),
            Field::time("decidedAt", "Decided", at, now),
            Field::text("decisionNote", "Note", note),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::Decision;

    #[test]
    fn an_output_says_what_was_decided_by_whom_and_when() {
        let read = |value: &str| {
            let Decision { what, who, at, note } = Decision::read(value).unwrap();
            (what, who, at.map(|at| at.0), note)
        };
        let text = |text: &str| Some(text.to_owned());
        let decision = r#"{"approved":true,"note":"looks good","decidedBy":"op","decidedAt":"2026-11-25T16:05:26.230Z"}"#;
        assert_eq!(
            read(decision),
            (text("Approved"), text("op"), Some(1_795_622_726_230.0), text("looks good"))
        );
        let denied = r#"{"approved":false,"note":null,"decidedBy":null,"decidedAt":null}"#;
        assert_eq!(read(denied), (text("Denied"), None, None, None));
        assert_eq!(read(r#"{"selected":"b","notes":"why"}"#), (text("Selected b"), None, None, text("why")));
        assert_eq!(read(r#"{"approved":7}"#), (None, None, None, None));
        assert_eq!(Decision::read("7"), None);
    }
}
