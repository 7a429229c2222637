//! The session on screen, and the commands that it receives.

use leptos::prelude::*;
use runstate::ingest::DocumentError;
use runstate::viewer::{NodeCopy, NodeKey, PaneAction, Place, TreeAction, ViewCommand};

use super::last_problem::LastProblem;
use super::opened::Opened;
use crate::session::protocol::{Answer, Call, Command};
use crate::session::{CallError, Session};

/// The session on screen.
#[derive(Clone, Copy)]
pub(crate) struct CurrentSession {
    pub(super) workers: StoredValue<Workers, LocalStorage>,
    pub(crate) problem: LastProblem,
}

/// The sessions of a panel in their workers, each with its number.
#[derive(Default)]
pub(super) struct Workers {
    /// The session on screen.
    pub(super) current: Option<(u32, Session)>,
    /// The session that replaces it as soon as it is accepted.
    pub(super) candidate: Option<Candidate>,
    last_id: u32,
}

/// A session that is being opened.
pub(super) struct Candidate {
    pub(super) id: u32,
    pub(super) session: Session,
    /// Its source.
    pub(super) opened: Opened,
    /// What to show of it.
    pub(super) place: Place,
}

/// The role of a session in the panel.
pub(super) enum Role {
    Current,
    Candidate,
}

impl Workers {
    /// A number that no other session has.
    pub(super) fn next_id(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    /// The role of the session with this number; `None` for one that was dropped.
    pub(super) fn role(&self, id: u32) -> Option<Role> {
        if self.candidate.as_ref().is_some_and(|candidate| candidate.id == id) {
            return Some(Role::Candidate);
        }
        self.current.as_ref().is_some_and(|(known, _)| *known == id).then_some(Role::Current)
    }
}

impl CurrentSession {
    pub(super) fn new(problem: LastProblem) -> Self {
        Self { workers: StoredValue::new_local(Workers::default()), problem }
    }

    /// Sends a command. Returns whether there is a session.
    pub(crate) fn send(self, command: &Command) -> bool {
        self.workers.with_value(|workers| {
            let session = workers.current.as_ref();
            session.inspect(|(_, session)| session.send(command)).is_some()
        })
    }

    /// Asks the session a question; `None` if there is no session.
    pub(crate) fn call(self, call: Call) -> Option<impl Future<Output = Result<Answer, CallError>> + use<>> {
        self.workers.with_value(|workers| {
            let (_, session) = workers.current.as_ref()?;
            Some(session.call(call))
        })
    }

    /// Sends a command that a person waits for; reports a problem if the session's worker has stopped.
    pub(super) fn request(self, command: &Command) -> bool {
        let is_sent = self.send(command);
        if !is_sent {
            self.problem.report(DocumentError::closed().into());
        }
        is_sent
    }

    /// Connects again with another token.
    pub(crate) fn authorize(self, token: String) {
        self.request(&Command::Authorize { token });
    }

    /// Connects again at once.
    pub(crate) fn reconnect(self) {
        self.request(&Command::Reconnect);
    }

    /// Performs an action on the tree.
    pub(crate) fn act_on_tree(self, action: TreeAction) {
        self.act(PaneAction::Tree(action));
    }

    /// Selects a node of the run on screen.
    pub(crate) fn select(self, key: NodeKey) {
        self.send(&Command::View(ViewCommand::Select(Some(key))));
    }

    /// Copies from the value in the detail of a node; `None` if there is no session. A problem is reported.
    pub(crate) fn copy_from_node(
        self,
        what: NodeCopy,
    ) -> Option<impl Future<Output = Option<String>> + use<>> {
        let answer = self.call(Call::CopyValue(what))?;
        Some(async move {
            match answer.await {
                Ok(Answer::CopyValue(text)) => Some(text),
                Ok(
                    Answer::Export(_) | Answer::Printout(_) | Answer::CopyEvents(_) | Answer::AddEvents(_),
                )
                | Err(CallError::Ended) => None,
                Err(CallError::Refused(problem)) => {
                    self.problem.report(problem);
                    None
                }
            }
        })
    }

    /// Performs an action in a pane. Returns whether there is a session.
    pub(crate) fn act(self, action: PaneAction) -> bool {
        self.send(&Command::View(ViewCommand::Act(action)))
    }
}
