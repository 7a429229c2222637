//! Actions for tasks that are silent, that are retried, and that depend on a failed task.

use super::command::{Arg, ShellCommand};
use super::{Action, ActionKind, RunContext};
use crate::format;
use crate::run::nodes::{Place, in_state};
use crate::run::{Blocker, Retry, RunInspection, Target, retry};
use crate::smithers::wire::{Attempt, NodeState, RunState, RunStatus, dependencies, read_heartbeat_timeout};
use crate::summary::line::Line;
use crate::time::Millis;
use crate::word::Word;

impl RunContext<'_> {
    /// Tasks in progress that have been silent for longer than their limit. This needs rows of attempts or a log.
    pub(super) fn add_silent_tasks(&self, found: &mut Vec<Action>) {
        if self.run.attempts.is_empty() {
            return;
        }
        for node in in_state(self.run, NodeState::InProgress) {
            let Some(attempt) = self.index().attempts(node.id, node.iteration).running else { continue };
            let Some((silent, limit)) = self.silence(&node, attempt, attempt.read_at.unwrap_or(self.now))
            else {
                continue;
            };
            let line = Line::new("Try ").place(&node).words(" again: no heartbeat for ");
            let line = line.words(&format::age(silent)).words(", it may be silent for ");
            let line = line.words(&format::age(limit)).words(".");
            found.push(self.retry_silent_task(Blocker::StaleTaskHeartbeat, line, &node));
        }
    }

    /// The time for which a task has been silent at `now`, and its limit, if the limit is exceeded.
    fn silence(&self, node: &Place<'_>, attempt: &Attempt, now: Millis) -> Option<(f64, f64)> {
        let limit = self
            .props(node.id, node.iteration)
            .and_then(read_heartbeat_timeout)
            .or(attempt.heartbeat_timeout_ms)?;
        let silent = now.since(attempt.heartbeat_at.or(attempt.started_at)?);
        (silent > limit).then_some((silent, limit))
    }

    /// The action that tries a silent task again.
    fn retry_silent_task(&self, blocker: Blocker, line: Line, node: &Place<'_>) -> Action {
        let call = self.commands.node_call("retryTask", node.id, node.iteration, "");
        let action = Action::new(ActionKind::Retry, Some(blocker), line).with_node(node.id, node.iteration);
        action.with_command(self.retry_command(node.id, node.iteration), Some(call))
    }

    /// `smithers retry-task`, by force if the run's row says `running`.
    pub(super) fn retry_command(&self, node_id: &str, iteration: u32) -> Option<ShellCommand> {
        let round = iteration.to_string();
        let running = self.run.status.as_ref().and_then(Word::known) == Some(RunStatus::Running);
        let mut words = vec![
            Arg::Literal("smithers retry-task"),
            Arg::WorkflowFile,
            Arg::Literal("--run-id"),
            Arg::RunId,
            Arg::Literal("--node-id"),
            Arg::Quoted(node_id),
            Arg::Literal("--iteration"),
            Arg::Literal(&round),
        ];
        if running {
            words.push(Arg::Literal("--force true"));
        }
        self.commands.shell(&words)
    }

    /// Tasks that failed before and have attempts left, by the rows of their attempts.
    pub(super) fn add_retrying_tasks(&self, found: &mut Vec<Action>) {
        if self.run.attempts.is_empty() {
            return;
        }
        for state in [NodeState::InProgress, NodeState::Pending] {
            for node in in_state(self.run, state) {
                let attempts = self.index().attempts(node.id, node.iteration);
                if attempts.failed == 0 || attempts.max_attempts.is_none_or(|most| attempts.failed >= most) {
                    continue;
                }
                let named = found.iter().any(|action| {
                    let at = action.node.as_ref();
                    at.is_some_and(|at| at.node_id == node.id && at.iteration == node.iteration)
                });
                if named {
                    continue;
                }
                let line = Line::new("Wait: ").place(&node).words(" is tried again.");
                let action = Action::new(ActionKind::Wait, Some(Blocker::RetryBackoff), line);
                found.push(action.with_node(node.id, node.iteration));
            }
        }
    }

    /// Tasks that depend on a failed one, as far as the tree has the dependencies.
    pub(super) fn add_dependent_tasks(&self, found: &mut Vec<Action>) {
        let mut failed = in_state(self.run, NodeState::Failed);
        let state = self.run.known_state();
        let works = matches!(state, Some(RunState::Running | RunState::Recovering));
        failed.retain(|node| {
            if self.index().is_denied(node.id, node.iteration) {
                return false;
            }
            // While the run is active, the engine retries the task itself.
            let comes = |retry: Retry| retry.attempts_left.is_some() && retry.may_come();
            if works && comes(retry(self.index(), node)) {
                return false;
            }
            self.props(node.id, node.iteration).is_none_or(|props| !dependencies(props).continue_on_fail)
        });
        if failed.is_empty() || self.run.tree.is_none() {
            return;
        }
        for node in in_state(self.run, NodeState::Pending) {
            let Some(props) = self.props(node.id, node.iteration) else { continue };
            let on = dependencies(props).on;
            let cause =
                on.iter().find_map(|id| failed.iter().find(|failed| author_id(failed.id) == author_id(id)));
            let Some(cause) = cause else { continue };
            let line = Line::new("Try ").node_iteration(cause.id, cause.iteration).words(" again: ");
            let line = line.place(&node).words(" depends on it.");
            let call = self.commands.node_call("retryTask", cause.id, cause.iteration, "");
            let action = Action::new(ActionKind::Retry, Some(Blocker::DependencyFailed), line);
            found.push(
                action.with_node(node.id, node.iteration).with_command(self.commands.up(false), Some(call)),
            );
        }
    }

    /// The properties of a node's element.
    fn props(&self, node_id: &str, iteration: u32) -> Option<&str> {
        let index = self.index();
        let find = |id| index.node(id, Some(iteration)).or_else(|| index.node(id, None));
        Some(find(node_id).or_else(|| find(author_id(node_id)))?.props())
    }
}

/// The iterations of nodes whose attempts should be read again, the most urgent last.
pub(crate) fn nodes_with_unread_attempts(run: &RunInspection, now: Millis) -> Vec<Target> {
    let context = RunContext::new(run, "", now);
    let mut found = Vec::new();
    for state in [NodeState::Failed, NodeState::Pending, NodeState::InProgress] {
        for node in in_state(run, state) {
            let attempts = context.index().attempts(node.id, node.iteration);
            let numbers = node.attempts.zip(attempts.max_attempts);
            let is_beyond_limit = numbers.is_some_and(|(last, most)| last > most);
            let is_up_to_date = match attempts.running.filter(|_| state == NodeState::InProgress) {
                Some(running) => {
                    running.attempt >= node.attempts && context.silence(&node, running, now).is_none()
                }
                None if state == NodeState::InProgress => false,
                // After a retry by hand, the number of attempts does not say whether another one follows.
                None if state == NodeState::Failed && is_beyond_limit => {
                    node.attempts.is_some_and(|last| attempts.ended >= last)
                }
                None => attempts.failed > 0 || node.attempts.unwrap_or(0) == 0,
            };
            if !is_up_to_date {
                found.push(Target { node_id: node.id.to_owned(), iteration: node.iteration });
            }
        }
    }
    found
}

/// The id that the author wrote: in nested loops the server appends the iterations of the outer ones.
fn author_id(node_id: &str) -> &str {
    node_id.split_once("@@").map_or(node_id, |(author_id, _)| author_id)
}

#[cfg(test)]
mod tests {
    use super::nodes_with_unread_attempts;
    use crate::actions::actions;
    use crate::json::Slice;
    use crate::run::RunInspection;
    use crate::smithers::wire::{read_attempt, read_node_states, read_run};
    use crate::summary::text;
    use crate::time::Millis;
    use crate::tree::Tree;

    /// The actions for a run in which `build` failed at its first attempt and `ship` depends on it.
    fn sentences(state: &str, attempts: &str) -> Vec<String> {
        let now = Millis(2000.0);
        let row = format!(
            r#"{{"runId":"r1","status":"running","runState":{{"runId":"r1","state":"{state}",
                "computedAt":"2026-11-21T14:06:08.000Z"}}}}"#
        );
        let mut run = RunInspection::from_row(&read_run(&row).unwrap(), "getRun", now);
        let nodes =
            r#"[{"nodeId":"build","state":"failed","lastAttempt":1},{"nodeId":"ship","state":"pending"}]"#;
        run.nodes = read_node_states(nodes).unwrap().into();
        run.attempts = Slice::new(attempts).read_items(read_attempt).unwrap();
        let tree = r#"{"id":1,"type":"workflow","name":"w","children":[
            {"id":2,"type":"task","name":"t","task":{"nodeId":"build"}},
            {"id":3,"type":"task","name":"t","props":{"dependsOn":"build"},"task":{"nodeId":"ship"}}]}"#;
        run.tree = Some(Tree::from_json(tree).unwrap());
        actions(&run, now).iter().map(|action| text(&action.sentence)).collect()
    }

    #[test]
    fn the_attempts_of_a_node_that_was_retried_by_hand_are_read_until_all_have_ended() {
        let unread = |last: &str| {
            let attempts = format!(
                r#"[{{"nodeId":"boom","attempt":1,"state":"cancelled","metaJson":"{{\"retries\":1}}"}},
                    {{"nodeId":"boom","attempt":2,"state":"cancelled"}},{{"nodeId":"boom","attempt":3,"state":"failed"}},
                    {{"nodeId":"boom","attempt":4,"state":"{last}"}}]"#
            );
            let nodes = r#"[{"nodeId":"boom","state":"failed","lastAttempt":4}]"#;
            let run = RunInspection {
                nodes: read_node_states(nodes).unwrap().into(),
                attempts: Slice::new(&attempts).read_items(read_attempt).unwrap(),
                ..RunInspection::default()
            };
            nodes_with_unread_attempts(&run, Millis(0.0)).len()
        };
        assert_eq!([unread("in-progress"), unread("failed")], [1, 0]);
    }

    fn failed_with(retries: u32) -> String {
        format!(
            r#"[{{"nodeId":"build","attempt":1,"state":"failed","metaJson":"{{\"retries\":{retries}}}"}}]"#
        )
    }

    #[test]
    fn no_manual_retry_for_a_task_that_the_engine_retries() {
        assert_eq!(sentences("running", &failed_with(2)), ["Wait: build is tried again."]);
        assert_eq!(sentences("recovering", &failed_with(2)), sentences("running", &failed_with(2)));
    }

    #[test]
    fn a_manual_retry_is_offered_if_no_engine_retries_the_task() {
        let by_hand = "Try build again: ship depends on it.";
        assert_eq!(sentences("running", &failed_with(0)), ["Try build again.", by_hand]);
        assert_eq!(sentences("running", "[]"), ["Wait: build may be tried again.", by_hand]);
        assert_eq!(sentences("failed", &failed_with(2)), ["Try build again.", by_hand]);
    }
}
