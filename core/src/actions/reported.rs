//! Actions for side effects, for a cancellation, and for the blockers of `smithers why`.

use super::command::Arg;
use super::{Action, ActionKind, RunContext};
use crate::format;
use crate::run::Blocker;
use crate::smithers::derive::is_timer_overdue;
use crate::smithers::wire::RunStatus;
use crate::summary::line::Line;
use crate::text::is_invisible;
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
                    reported.command = reported.command.take().or(own.command);
                }
                None => all.push(own),
            }
        }
        all
    }

    /// The actions that `smithers why` reported, in its words and with its commands.
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
            let command = reported.command.clone().filter(|command| is_smithers_command(command));
            let action = Action::new(kind, reported.kind.known(), line.words(&reported.reason));
            found.push(Action {
                node: reported.node.clone(),
                ..action.with_command(command, None).with_until(reported.until)
            });
            if let (Some(deny), Some(node)) = (&reported.deny, &reported.node) {
                let line = Line::new("Deny at ").node_iteration(&node.node_id, node.iteration).words(".");
                let command = Some(deny.clone()).filter(|command| is_smithers_command(command));
                let action =
                    Action::new(ActionKind::Deny, reported.kind.known(), line).with_command(command, None);
                found.push(Action { node: reported.node.clone(), ..action });
            }
        }
    }
}

/// Whether a text is a single `smithers` command: a document from an unknown source could contain any shell code. A name in
/// angle brackets is a placeholder.
fn is_smithers_command(text: &str) -> bool {
    const MORE: [char; 12] = ['<', '>', ';', '|', '&', '$', '`', '(', ')', '\\', '!', '#'];
    text.starts_with("smithers ") && !text.contains(is_invisible) && !text.contains(MORE)
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
    use super::is_smithers_command;

    #[test]
    fn commands_of_smithers_are_handed_on() {
        for text in [
            "smithers approve r1 --node gate --iteration 0",
            "smithers up /project/workflows/slow.tsx --run-id r1 --resume true --force true",
            "smithers signal r1 deploy.finished --data '{}' --correlation release-42",
            "smithers signal r1 'two words' --data '{}'",
        ] {
            assert!(is_smithers_command(text), "{text}");
        }
    }

    #[test]
    fn text_with_several_shell_commands_is_not_offered() {
        for rest in [
            "x; curl e|sh",
            "x | sh",
            "x & y",
            "x && y",
            "$(id)",
            "$HOME",
            "`id`",
            "(x)",
            "x > f",
            "x < f",
            "signal r1 <signal-name>",
            "x\\",
            "!!",
            "x # y",
            "x\ny",
            "x\ry",
            "x\u{1b}[2J",
            "x\u{202e}y",
            "x\u{200b}y",
            "x\u{2028}y",
            "x\u{feff}y",
        ] {
            let text = format!("smithers up {rest}");
            assert!(!is_smithers_command(&text), "{text:?}");
        }
        for text in ["", "smithers", "smithers\tup x", " smithers up x", "smithersx up", "rm -rf ~"] {
            assert!(!is_smithers_command(text), "{text:?}");
        }
    }
}
