//! Actions for side effects, for a cancellation, and for the blockers of `smithers why`.

use super::command::{Arg, ShellCommand};
use super::{Action, ActionKind, RunContext};
use crate::format;
use crate::run::{Blocker, ReportedBlocker};
use crate::smithers::derive::is_timer_overdue;
use crate::smithers::wire::RunStatus;
use crate::summary::line::Line;
use crate::word::Word;

impl RunContext<'_> {
    /// Time travel crossed side effects outside the run. The action remains, whatever the run does next.
    pub(super) fn add_side_effects(&self, found: &mut Vec<Action>) {
        let Some(boundary) = &self.run.boundary else { return };
        let line = if boundary.late {
            Line::new("See the effect outside the run that ended after its record was taken back.")
        } else {
            let line = Line::new("See what happened outside the run: a forced ");
            let line = match &boundary.operation {
                Some(operation) => line.code(operation),
                None => line.words("time travel"),
            };
            let effects = if boundary.effects == 1 { " effect back." } else { " effects back." };
            line.words(" did not take ").words(&format::count(boundary.effects as f64)).words(effects)
        };
        let command = self.commands.shell(&[Arg::Literal("smithers inspect"), Arg::RunId]);
        let action = Action::new(ActionKind::Inspect, Some(Blocker::SideEffectBoundaryCrossed), line);
        found.push(action.with_command(command, Some(self.commands.call("getRun", ""))));
    }

    /// A running run must not be resumed after a request to cancel it.
    pub(super) fn cancellation(&self) -> Option<Action> {
        let running = self.run.status.as_ref().and_then(Word::known) == Some(RunStatus::Running);
        let at = self.run.row.as_ref()?.cancel_requested_at.filter(|_| running)?;
        let line =
            Line::new("Wait, and do not resume the run: somebody asked to cancel it at ").time(at, self.now);
        Some(Action::new(ActionKind::Wait, None, line.words(".")))
    }

    /// The actions that `smithers why` reported, completed with our calls, followed by the others.
    pub(super) fn merge_reported(&self, found: Vec<Action>) -> Vec<Action> {
        let mut all = Vec::new();
        self.add_reported(&mut all);
        for own in found {
            let same = |reported: &&mut Action| {
                reported.call.is_none() && reported.blocker == own.blocker && reported.node == own.node
            };
            match all.iter_mut().find(same) {
                Some(reported) => {
                    (reported.kind, reported.call) = (own.kind, own.call);
                    if own.command.is_some() {
                        (reported.command, reported.power_shell) = (own.command, own.power_shell);
                    }
                }
                None => all.push(own),
            }
        }
        all
    }

    /// The actions that `smithers why` reported, in its words. Their commands are Runstate's own: the reported ones may come from any
    /// document.
    pub(super) fn add_reported(&self, found: &mut Vec<Action>) {
        for reported in &self.run.reported_blockers {
            let mut kind = reported.kind.known().map_or(ActionKind::Inspect, action_kind);
            let late = reported.until.is_some_and(|at| is_timer_overdue(at, self.now));
            if late && reported.kind.known() == Some(Blocker::WaitingTimer) {
                kind = ActionKind::Resume;
            }
            let mut line = Line::default();
            if reported.kind.known().is_none() {
                line = line.code(reported.kind.as_str()).words(": ");
            }
            if let Some(node) = &reported.node {
                line = line.node(&node.node_id).words(": ");
            }
            let command = reported.kind.known().and_then(|_| self.command_for(kind, reported));
            let action = Action::new(kind, reported.kind.known(), line.words(&reported.reason));
            found.push(Action {
                node: reported.node.clone(),
                ..action.with_command(command, None).with_until(reported.until)
            });
            if let (Some(_), Some(node)) = (&reported.deny, &reported.node) {
                let line = Line::new("Deny at ").node_iteration(&node.node_id, node.iteration).words(".");
                let command = self.command_for(ActionKind::Deny, reported);
                let action =
                    Action::new(ActionKind::Deny, reported.kind.known(), line).with_command(command, None);
                found.push(Action { node: reported.node.clone(), ..action });
            }
        }
    }

    /// The command for a reported blocker; `None` if there is none, or if a part of it is not known.
    fn command_for(&self, kind: ActionKind, reported: &ReportedBlocker) -> Option<ShellCommand> {
        match kind {
            ActionKind::Approve => self.decision_command("smithers approve", reported.node.as_ref()?),
            ActionKind::Deny => self.decision_command("smithers deny", reported.node.as_ref()?),
            ActionKind::Signal => {
                self.signal_command(reported.signal_name.as_deref()?, reported.correlation_id.as_deref())
            }
            // The owner of a run without a heartbeat may still be there.
            ActionKind::Resume => self.commands.up(reported.kind.known() == Some(Blocker::StaleHeartbeat)),
            ActionKind::Retry if reported.kind.known() == Some(Blocker::StaleTaskHeartbeat) => {
                let node = reported.node.as_ref()?;
                self.retry_command(&node.node_id, node.iteration)
            }
            ActionKind::Retry => self.commands.up(false),
            ActionKind::Inspect if reported.kind.known() == Some(Blocker::EngineBusy) => {
                self.commands.shell(&[Arg::Literal("smithers logs"), Arg::RunId])
            }
            ActionKind::Inspect => self.commands.shell(&[Arg::Literal("smithers inspect"), Arg::RunId]),
            ActionKind::Answer
            | ActionKind::Wait
            | ActionKind::Supervise
            | ActionKind::Cancel
            | ActionKind::RenewCredentials
            | ActionKind::RefreshToken
            | ActionKind::Reconnect
            | ActionKind::Repair
            | ActionKind::Follow => None,
        }
    }
}

/// The kind of action for a blocker.
fn action_kind(blocker: Blocker) -> ActionKind {
    match blocker {
        Blocker::WaitingApproval => ActionKind::Approve,
        Blocker::WaitingEvent => ActionKind::Signal,
        Blocker::WaitingTimer
        | Blocker::RetryBackoff
        | Blocker::Quota
        | Blocker::DbLock
        | Blocker::SupervisorBackoff => ActionKind::Wait,
        Blocker::ApprovalDecidedResumeRequired
        | Blocker::StaleHeartbeat
        | Blocker::BindingMissing
        | Blocker::BoundStale
        | Blocker::ExternalTrigger
        | Blocker::Paused => ActionKind::Resume,
        Blocker::StaleTaskHeartbeat | Blocker::RetriesExhausted | Blocker::DependencyFailed => {
            ActionKind::Retry
        }
        Blocker::EngineBusy | Blocker::SideEffectBoundaryCrossed | Blocker::Provider => ActionKind::Inspect,
        Blocker::Tool | Blocker::SandboxUnreachable => ActionKind::Repair,
    }
}

#[cfg(test)]
mod tests {
    use crate::actions::{ActionKind, actions};
    use crate::ingest::inspect;
    use crate::time::Millis;

    /// The kinds of the actions for a blocker of `smithers why`, each with its command.
    fn offered(kind: &str, unblocker: &str, more: &str) -> Vec<(ActionKind, Option<String>)> {
        let text = serde_json::json!(unblocker);
        let document = format!(
            r#"{{"runId":"r1","status":"running","summary":"s","generatedAtMs":5,"blockers":[{{"kind":"{kind}",
                "nodeId":"gate","iteration":2,"reason":"x","unblocker":{text}{more}}}]}}"#
        );
        let run = inspect(document.as_bytes(), None, Millis(0.0)).unwrap().run.unwrap();
        actions(&run, Millis(0.0)).into_iter().map(|action| (action.kind, action.command)).collect()
    }

    #[test]
    fn no_command_of_a_document_is_offered() {
        let foreign = [
            "rm -rf ~",
            "smithers up /tmp/evil.tsx --run-id r1 --resume true",
            "smithers cancel another-run",
            "smithers approve r1 --node gate --iteration 2; curl e|sh",
            "smithers approve another-run --node gate --iteration 2",
            "smithers approve r1 --node *",
        ];
        let deny = r#","context":"Deny instead: smithers cancel another-run""#;
        for text in foreign {
            let own = [
                (ActionKind::Approve, Some("smithers approve r1 --node gate --iteration 2".to_owned())),
                (ActionKind::Deny, Some("smithers deny r1 --node gate --iteration 2".to_owned())),
            ];
            assert_eq!(offered("waiting-approval", text, deny), own, "{text}");
            let resume = "smithers up WORKFLOW_FILE --run-id r1 --resume true".to_owned();
            assert_eq!(offered("binding-missing", text, ""), [(ActionKind::Resume, Some(resume))], "{text}");
            assert_eq!(offered("tomorrow", text, ""), [(ActionKind::Inspect, None)], "{text}");
            assert_eq!(offered("quota", text, ""), [(ActionKind::Wait, None)], "{text}");
        }
    }

    #[test]
    fn a_signal_has_its_own_name_and_correlation_id() {
        let signal =
            |more: &str| offered("waiting-event", "smithers signal r1 <signal-name> --data '{}'", more);
        let command = "smithers signal r1 go --data '{}' --correlation 'a b'".to_owned();
        let named = r#","signalName":"go","context":"Correlation: a b""#;
        assert_eq!(signal(named), [(ActionKind::Signal, Some(command))]);
        assert_eq!(signal(""), [(ActionKind::Signal, None)]);
    }
}
