//! What now: the next action for each thing that a run waits for.

mod command;
mod decide;
mod liveness;
mod nodes;
mod outside;
mod reasons;
mod refused;
mod signal;
mod tasks;

use std::cell::OnceCell;

use crate::run::Index;
use crate::run::RunInspection;
use crate::run::{Blocker, Target};
use crate::smithers::wire::RunState;
use crate::summary::Span;
use crate::summary::line::Line;
use crate::time::Millis;
use command::Commands;

pub use command::{Call, WORKFLOW_FILE};
pub use refused::actions_for_refusal;
pub(crate) use tasks::nodes_with_unread_attempts;

crate::vocabulary! {
    /// What can be done.
    ///
    /// What can be done for a run that only time can wake: nothing but wait.
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
        /// Say yes at a node.
        Approve = "approve",
        /// Say no at a node.
        Deny = "deny",
        /// Answer a question at a node.
        Answer = "answer",
        /// Send a signal.
        Signal = "signal",
        /// Nothing but wait.
        Wait = "wait",
        /// Start the run again where it stopped.
        Resume = "resume",
        /// Let a supervisor take the run over.
        Supervise = "supervise",
        /// Try a node again.
        Retry = "retry",
        /// Give the provider credentials that it takes.
        RenewCredentials = "renew-credentials",
        /// Give the Gateway a token that it takes.
        RefreshToken = "refresh-token",
        /// Connect to the Gateway again.
        Reconnect = "reconnect",
        /// Make something outside the run work again.
        Repair = "repair",
        /// Look at something.
        Inspect = "inspect",
        /// Go to another run.
        Follow = "follow",
    }
}

/// One thing to do about a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What it is.
    pub kind: ActionKind,
    /// What holds the run up; `None` where nothing does and there is only something to look at.
    pub blocker: Option<Blocker>,
    /// The action as a sentence.
    pub sentence: Vec<Span>,
    /// Where; `None` for the run as a whole.
    pub node: Option<Target>,
    /// The command that does it, ready to copy. [`WORKFLOW_FILE`] in it stands for a path that only the user knows.
    pub command: Option<String>,
    /// The Gateway's method that does it.
    pub call: Option<Call>,
    /// Until when to wait.
    pub until: Option<Millis>,
}

/// What can be done about a run now, the most pressing first. `now` is the server-anchored now.
///
/// There is an action only where it would be taken: no decision where nobody asks, no resume of a run that has ended (the
/// Gateway answers `already_terminal`), no signal whose name is not known.
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
    let Some(view) = run.verdict.view() else { return Vec::new() };
    let scene = Scene::new(run, run.run_id.as_deref().unwrap_or(&view.run_id), now);
    let mut found = Vec::new();
    if !run.told.is_empty() && run.nodes.is_empty() && run.row.is_none() {
        scene.told(&mut found);
        return found;
    }
    if let Some(wait) = scene.cancelling() {
        return vec![wait];
    }
    match view.state.known() {
        None | Some(RunState::Cancelled) => {}
        Some(RunState::Succeeded) => scene.succeeded(&mut found),
        Some(RunState::Failed) => scene.failed(&mut found),
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
            scene.blocked(view, &mut found);
            scene.liveness(view, &mut found);
            scene.nodes(view, &mut found);
            scene.silent(&mut found);
            scene.tried_again(&mut found);
            scene.dependants(&mut found);
        }
    }
    scene.crossed(&mut found);
    if run.told.is_empty() { found } else { scene.join_told(found) }
}

/// The run that is asked about.
struct Scene<'a> {
    run: &'a RunInspection,
    now: Millis,
    commands: Commands<'a>,
    /// Made when a node is looked for.
    index: OnceCell<Index<'a>>,
}

impl<'a> Scene<'a> {
    fn new(run: &'a RunInspection, run_id: &'a str, now: Millis) -> Self {
        Self { run, now, commands: Commands::new(run_id), index: OnceCell::new() }
    }

    fn index(&self) -> &Index<'a> {
        self.index.get_or_init(|| Index::of(self.run))
    }
}

impl Action {
    fn new(kind: ActionKind, blocker: Option<Blocker>, sentence: Line) -> Self {
        let sentence = sentence.parts();
        Self { kind, blocker, sentence, node: None, command: None, call: None, until: None }
    }

    fn at(self, node_id: &str, iteration: u32) -> Self {
        Self { node: Some(Target { node_id: node_id.to_owned(), iteration }), ..self }
    }

    fn until(self, until: Option<Millis>) -> Self {
        Self { until, ..self }
    }

    fn by(self, command: Option<String>, call: Option<Call>) -> Self {
        Self { command, call, ..self }
    }
}
