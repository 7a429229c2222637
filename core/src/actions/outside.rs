//! Actions for what was told of outside: effects that were not taken back, a cancellation, and the words of `smithers why`.

use super::command::{Word, unseen};
use super::reasons::rounds;
use super::{Action, ActionKind, Scene};
use crate::format;
use crate::run::Blocker;
use crate::smithers::derive::is_timer_overdue;
use crate::smithers::wire::RunStatus;
use crate::summary::line::Line;
use crate::word::Word as Wire;

impl Scene<'_> {
    /// Time travel went over effects outside the run. That stays so, whatever the run does now.
    pub(super) fn crossed(&self, found: &mut Vec<Action>) {
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
        let command = self.commands.shell(&[Word::Ours("smithers inspect"), Word::Run]);
        let action = Action::new(ActionKind::Inspect, Some(Blocker::SideEffectBoundaryCrossed), line);
        found.push(action.by(command, Some(self.commands.call("getRun", ""))));
    }

    /// Somebody asked to cancel a run that goes on: it must not be resumed.
    pub(super) fn cancelling(&self) -> Option<Action> {
        let running = self.run.status.as_ref().and_then(Wire::known) == Some(RunStatus::Running);
        let at = self.run.row.as_ref()?.cancel_requested_at.filter(|_| running)?;
        let line =
            Line::new("Wait, and do not resume the run: somebody asked to cancel it at ").time(at, self.now);
        Some(Action::new(ActionKind::Wait, None, line.words(".")))
    }

    /// What `smithers why` named first, each with the call that does it, and what it left out.
    pub(super) fn join_told(&self, found: Vec<Action>) -> Vec<Action> {
        let mut all = Vec::new();
        self.told(&mut all);
        for own in found {
            let same = |told: &&mut Action| {
                told.call.is_none() && told.blocker == own.blocker && told.node == own.node
            };
            match all.iter_mut().find(same) {
                Some(told) => {
                    (told.kind, told.call) = (own.kind, own.call);
                    told.command = told.command.take().or(own.command);
                }
                None => all.push(own),
            }
        }
        all
    }

    /// What `smithers why` named, in its own words and with its own command.
    pub(super) fn told(&self, found: &mut Vec<Action>) {
        for told in &self.run.told {
            let mut kind = told.kind.known().map_or(ActionKind::Inspect, kind);
            let late = told.until.is_some_and(|at| is_timer_overdue(at, self.now));
            if late && told.kind.known() == Some(Blocker::WaitingTimer) {
                kind = ActionKind::Resume;
            }
            let mut line = Line::default();
            if told.kind.known().is_none() {
                line = line.code(told.kind.as_str()).words(": ");
            }
            if let Some(node) = &told.node {
                line = line.node(&node.node_id).words(": ");
            }
            let command = told.command.clone().filter(|command| is_a_command(command));
            let action = Action::new(kind, told.kind.known(), line.words(&told.reason));
            found.push(Action { node: told.node.clone(), ..action.by(command, None).until(told.until) });
            if let (Some(deny), Some(node)) = (&told.deny, &told.node) {
                let line = rounds(Line::new("Or deny at ").node(&node.node_id), node.iteration).words(".");
                let command = Some(deny.clone()).filter(|command| is_a_command(command));
                let action = Action::new(ActionKind::Deny, told.kind.known(), line).by(command, None);
                found.push(Action { node: told.node.clone(), ..action });
            }
        }
    }
}

/// One command that begins as the command's own do, and that a shell takes for nothing more: a document may be anybody's.
/// A name in angle brackets stands for what it did not know.
fn is_a_command(text: &str) -> bool {
    const MORE: [char; 12] = ['<', '>', ';', '|', '&', '$', '`', '(', ')', '\\', '!', '#'];
    text.starts_with("smithers ") && !text.contains(unseen) && !text.contains(MORE)
}

/// What is to be done about it.
fn kind(blocker: Blocker) -> ActionKind {
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
    use super::is_a_command;

    #[test]
    fn commands_of_smithers_are_handed_on() {
        for text in [
            "smithers approve r1 --node gate --iteration 0",
            "smithers up /project/workflows/slow.tsx --run-id r1 --resume true --force true",
            "smithers signal r1 deploy.finished --data '{}' --correlation release-42",
            "smithers signal r1 'two words' --data '{}'",
        ] {
            assert!(is_a_command(text), "{text}");
        }
    }

    #[test]
    fn what_a_shell_takes_for_more_than_one_command_is_not() {
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
            assert!(!is_a_command(&text), "{text:?}");
        }
        for text in ["", "smithers", "smithers\tup x", " smithers up x", "smithersx up", "rm -rf ~"] {
            assert!(!is_a_command(text), "{text:?}");
        }
    }
}
