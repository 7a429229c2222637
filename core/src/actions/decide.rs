//! Actions that a person outside takes: decisions and signals.

use super::command::Word;
use super::reasons::rounds;
use super::signal::awaited;
use super::{Action, ActionKind, Scene};
use crate::run::Blocker;
use crate::smithers::wire::TaskKind;
use crate::summary::line::Line;
use crate::text::{concat, json};

/// Yes and no: how they begin, their commands and their decisions.
const DECISIONS: [(ActionKind, &str, &str, &str); 2] = [
    (ActionKind::Approve, "Approve at ", "smithers approve", r#","decision":{"approved":true}"#),
    (ActionKind::Deny, "Or deny at ", "smithers deny", r#","decision":{"approved":false}"#),
];

impl Scene<'_> {
    /// Yes or no; the question of a human task takes an answer whose form only its workflow knows.
    pub(super) fn decide(&self, node_id: &str, iteration: u32, found: &mut Vec<Action>) {
        let blocker = Some(Blocker::WaitingApproval);
        if self.task_kind(node_id, iteration) == Some(TaskKind::Human) {
            let line = rounds(Line::new("Answer the question at ").node(node_id), iteration).words(".");
            found.push(Action::new(ActionKind::Answer, blocker, line).at(node_id, iteration));
            return;
        }
        let round = iteration.to_string();
        for (kind, start, command, decision) in DECISIONS {
            let line = rounds(Line::new(start).node(node_id), iteration).words(".");
            let command = self.commands.shell(&[
                Word::Ours(command),
                Word::Run,
                Word::Ours("--node"),
                Word::Theirs(node_id),
                Word::Ours("--iteration"),
                Word::Ours(&round),
            ]);
            let call = self.commands.call_at("submitApproval", node_id, iteration, decision);
            found.push(Action::new(kind, blocker, line).at(node_id, iteration).by(command, Some(call)));
        }
    }

    /// The exact signal, or what is known of it. Its data is the workflow's; `{}` stands for it.
    pub(super) fn signal(&self, node_id: &str, iteration: u32, key: &str) -> Action {
        let action =
            |line| Action::new(ActionKind::Signal, Some(Blocker::WaitingEvent), line).at(node_id, iteration);
        let Some(signal) = awaited(self.run, node_id, iteration, key) else {
            let line = rounds(Line::new("Send the signal that is awaited at ").node(node_id), iteration);
            return action(if key.is_empty() {
                line.words(". Its exact name is not known here.")
            } else {
                let rest = " is its name or its correlation id: the server does not say which.";
                line.words(". ").code(key).words(rest)
            });
        };
        let mut line = Line::new("Send the signal ").code(&signal.name);
        let mut words = vec![Word::Ours("smithers signal"), Word::Run, Word::Theirs(&signal.name)];
        words.push(Word::Ours("--data '{}'"));
        let mut params = concat(&[r#""signalName":"#, &json(&signal.name)]);
        if let Some(id) = &signal.correlation_id {
            line = line.words(" with the correlation id ").code(id);
            words.extend([Word::Ours("--correlation"), Word::Theirs(id)]);
            params = concat(&[&params, r#","correlationKey":"#, &json(id)]);
        }
        let line = rounds(line.words(" to ").node(node_id), iteration).words(".");
        let call = self.commands.call("submitSignal", &concat(&[&params, r#","payload":{}"#]));
        action(line).by(self.commands.shell(&words), Some(call))
    }
}
