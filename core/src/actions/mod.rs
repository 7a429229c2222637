//! A person's possible actions on a run: one for each blocker.

mod command;
mod decisions;
mod liveness;
mod nodes;
mod reasons;
mod reported;
mod tasks;

use std::cell::OnceCell;

use crate::refusal::{Refusal, RefusalCode};
use crate::run::{Blocker, Index, RunInspection, Target};
use crate::smithers::wire::RunState;
use crate::summary::Span;
use crate::summary::line::Line;
use crate::time::Millis;
use command::{Commands, ShellCommand};

pub use command::Call;
pub(crate) use command::{WORKFLOW_FILE, posix_quote, power_shell_quote};
pub(crate) use tasks::nodes_with_unread_attempts;

crate::vocabulary! {
    /// The kind of an action.
    ///
    /// For a run that waits for a timer, the only action is to wait.
    ///
    /// ```
    /// use runstate::run::RunInspection;
    /// use runstate::actions::{ActionKind, actions};
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"waiting-timer","runState":{"runId":"r1","state":"waiting-timer",
    ///     "computedAt":"2026-11-21T14:06:08.000Z",
    ///     "blocked":{"kind":"timer","nodeId":"nap","wakeAt":"2026-11-21T15:00:00.000Z"}}}"#)?;
    /// let now = Millis(1_795_269_970_000.0);
    /// let found = actions(&RunInspection::from_row(&row, "runs.get", now), now);
    /// assert_eq!(found[0].kind, ActionKind::Wait);
    /// assert_eq!(found[0].until, Millis::parse_iso("2026-11-21T15:00:00.000Z"));
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub enum ActionKind ("action") {
        /// Approve at a node.
        Approve = "approve",
        /// Deny at a node.
        Deny = "deny",
        /// Answer a question at a node.
        Answer = "answer",
        /// Send a signal.
        Signal = "signal",
        /// Wait.
        Wait = "wait",
        /// Resume the run where it stopped.
        Resume = "resume",
        /// Let a supervisor take the run over.
        Supervise = "supervise",
        /// Cancel the run.
        Cancel = "cancel",
        /// Try a node again.
        Retry = "retry",
        /// Renew the credentials of a provider.
        RenewCredentials = "renew-credentials",
        /// Connect with another token.
        RefreshToken = "refresh-token",
        /// Connect to the Gateway again.
        Reconnect = "reconnect",
        /// Repair something outside the run.
        Repair = "repair",
        /// Inspect something.
        Inspect = "inspect",
        /// Go to another run.
        Follow = "follow",
    }
}

/// An action that a person can take.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Action {
    /// The kind.
    pub kind: ActionKind,
    /// The blocker of the run; `None` if the action only inspects.
    pub blocker: Option<Blocker>,
    /// The action as a sentence.
    pub sentence: Vec<Span>,
    /// The node; `None` for the run as a whole.
    pub node: Option<Target>,
    /// The command that does it, ready to copy. `WORKFLOW_FILE` in it is a placeholder for the path of the workflow's file, if
    /// no live Gateway named it. It is quoted for POSIX shells.
    pub command: Option<String>,
    /// The same command, quoted for PowerShell; `None` if PowerShell would change one of its words.
    pub power_shell: Option<String>,
    /// The Gateway's method that does it.
    pub call: Option<Call>,
    /// The end of the wait.
    pub until: Option<Millis>,
}

/// The possible actions on a run, the most urgent first. `now` is the server-anchored now.
///
/// Only actions with an effect are offered: no decision without a request, no resume of a run that has ended (the Gateway
/// answers `already_terminal`), no signal with an unknown name. A live run has none while the reason why it waits is new, and the
/// nodes that it names were not read yet.
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::actions::{ActionKind, actions};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"waiting-approval","runState":{"runId":"r1","state":"waiting-approval",
///     "computedAt":"2026-11-21T14:06:08.000Z",
///     "blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#)?;
/// let now = Millis(1_795_269_970_000.0);
/// let found = actions(&RunInspection::from_row(&row, "runs.get", now), now);
/// assert_eq!(found[0].kind, ActionKind::Approve);
/// assert_eq!(found[0].command.as_deref(), Some("smithers approve r1 --node gate --iteration 0"));
/// let call = found[0].call.as_ref().unwrap();
/// assert_eq!(call.method, "submitApproval");
/// assert_eq!(call.params, r#"{"runId":"r1","nodeId":"gate","iteration":0,"decision":{"approved":true}}"#);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn actions(run: &RunInspection, now: Millis) -> Vec<Action> {
    let Some(view) = run.view().filter(|_| !run.reason_is_new) else { return Vec::new() };
    let context = RunContext::new(run, run.run_id.as_deref().unwrap_or(&view.run_id), now);
    let mut found = Vec::new();
    if !run.reported_blockers.is_empty() && run.nodes.is_empty() && run.row.is_none() {
        context.add_reported(&mut found);
        return found;
    }
    if let Some(wait) = context.cancellation() {
        return vec![wait];
    }
    match view.state.known() {
        None | Some(RunState::Cancelled) => {}
        Some(RunState::Succeeded) => context.add_after_success(&mut found),
        Some(RunState::Failed) => context.add_failed_tasks(&mut found),
        Some(
            RunState::Running
            | RunState::WaitingApproval
            | RunState::WaitingEvent
            | RunState::WaitingTimer
            | RunState::WaitingQuota
            | RunState::Paused
            | RunState::Recovering
            | RunState::Stale
            | RunState::Orphaned
            | RunState::Unknown,
        ) => {
            context.add_blocked(view, &mut found);
            context.add_liveness(view, &mut found);
            context.add_waiting_nodes(view, &mut found);
            context.add_silent_tasks(&mut found);
            context.add_retrying_tasks(&mut found);
            context.add_dependent_tasks(&mut found);
        }
    }
    context.add_side_effects(&mut found);
    if run.reported_blockers.is_empty() { found } else { context.merge_reported(found) }
}

/// The actions for an error that the Gateway answered. Its codes are from two vocabularies (protocol section 3.3); unknown
/// codes have no actions.
///
/// ```
/// use runstate::refusal::Refusal;
/// use runstate::actions::{ActionKind, actions_for_refusal};
///
/// let refusal = Refusal::new("UNAUTHORIZED", "Authentication failed");
/// assert_eq!(actions_for_refusal(&refusal)[0].kind, ActionKind::RefreshToken);
/// ```
pub fn actions_for_refusal(refusal: &Refusal) -> Vec<Action> {
    let action = |kind, sentence| Action::new(kind, None, Line::new(sentence));
    match refusal.known_code() {
        Some(RefusalCode::AccessDenied) => {
            vec![action(ActionKind::RefreshToken, "Connect again with a token that the Gateway takes.")]
        }
        Some(RefusalCode::ScopeMissing) => {
            vec![action(ActionKind::RefreshToken, "Connect again with a token that has the scope for this.")]
        }
        Some(RefusalCode::OtherRunsOnly) => {
            vec![action(ActionKind::Reconnect, "Connect again: this connection is bound to other runs.")]
        }
        Some(RefusalCode::TooSlow | RefusalCode::ConnectionClosed) => {
            vec![action(ActionKind::Reconnect, "Connect again and read the run anew.")]
        }
        Some(RefusalCode::RateLimited | RefusalCode::ConnectionLimit) => {
            vec![action(ActionKind::Wait, "Wait, or close other connections to this Gateway.")]
        }
        Some(RefusalCode::NotFound | RefusalCode::RunNotFound | RefusalCode::UnknownRun) => {
            let list = Call { method: "listRuns", params: r#"{"filter":{"limit":50}}"#.to_owned() };
            let inspect = action(ActionKind::Inspect, "Look for the run in the list of runs.");
            vec![inspect.with_command(Some(ShellCommand::plain("smithers ps --all")), Some(list))]
        }
        Some(RefusalCode::AlreadyDecided) => {
            vec![action(ActionKind::Inspect, "Read the run again: somebody has decided already.")]
        }
        Some(RefusalCode::MethodNotFound | RefusalCode::Internal | RefusalCode::ServerError) | None => {
            Vec::new()
        }
    }
}

/// The run for which actions are collected.
struct RunContext<'a> {
    run: &'a RunInspection,
    now: Millis,
    commands: Commands<'a>,
    /// Built when the first node is looked up.
    index: OnceCell<Index<'a>>,
}

impl<'a> RunContext<'a> {
    fn new(run: &'a RunInspection, run_id: &'a str, now: Millis) -> Self {
        Self {
            run,
            now,
            commands: Commands::new(run_id).with_workflow(run.workflow_path.as_deref()),
            index: OnceCell::new(),
        }
    }

    fn index(&self) -> &Index<'a> {
        self.index.get_or_init(|| Index::new(self.run))
    }
}

impl Action {
    fn new(kind: ActionKind, blocker: Option<Blocker>, sentence: Line) -> Self {
        let sentence = sentence.into_spans();
        Self {
            kind,
            blocker,
            sentence,
            node: None,
            command: None,
            power_shell: None,
            call: None,
            until: None,
        }
    }

    fn with_node(self, node_id: &str, iteration: u32) -> Self {
        Self { node: Some(Target { node_id: node_id.to_owned(), iteration }), ..self }
    }

    fn with_until(self, until: Option<Millis>) -> Self {
        Self { until, ..self }
    }

    fn with_command(self, command: Option<ShellCommand>, call: Option<Call>) -> Self {
        let (command, power_shell) =
            command.map(|ShellCommand { posix, power_shell }| (posix, power_shell)).unzip();
        Self { command, power_shell: power_shell.flatten(), call, ..self }
    }
}
