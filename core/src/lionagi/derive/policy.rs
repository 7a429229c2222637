//! What lionagi 0.36 itself writes: the lifecycle policies of its entities, and the two ways through them.
//!
//! A viewer writes nothing. It needs these rules to know which changes it may see: an end that becomes `running` again is
//! a resume, not a mistake.

use crate::text::find;

crate::vocabulary! {
    /// What has a status of its own.
    ///
    /// ```
    /// use runstate::lionagi::derive::policy::Entity;
    ///
    /// // The same word is a status of one thing and none of another.
    /// assert!(Entity::Play.has_status("merged"));
    /// assert!(!Entity::Session.has_status("merged"));
    /// assert!(Entity::ScheduleRun.has_edge("queued", "running"));
    /// assert!(!Entity::ScheduleRun.has_edge("queued", "completed"));
    /// ```
    pub enum Entity ("entity") {
        /// One session.
        Session = "session",
        /// Sessions started by one command.
        Invocation = "invocation",
        /// A play of a show.
        Play = "play",
        /// A show.
        Show = "show",
        /// A team.
        Team = "team",
        /// One firing of a schedule.
        ScheduleRun = "schedule_run",
    }
}

/// What becomes of a request to change a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is written.
    Applied,
    /// The policy forbids it.
    Rejected,
    /// The row changed under the request.
    Conflict,
    /// There is no such status.
    Invalid,
}

/// The statuses of an entity, and which of them are ends, parted by spaces.
struct Policy {
    open: &'static str,
    ends: &'static str,
}

impl Entity {
    fn policy(self) -> Policy {
        match self {
            Self::Session | Self::Invocation => Policy {
                open: "running",
                ends: "aborted cancelled completed completed_empty failed timed_out",
            },
            Self::Play => Policy {
                open: "gated pending prepared redoing running running_complete",
                ends: "aborted_after_finish blocked escalated gate_failed merged",
            },
            Self::Show => Policy { open: "active imported", ends: "aborted completed" },
            Self::Team => Policy { open: "active", ends: "archived" },
            Self::ScheduleRun => Policy {
                open: "queued retry_wait running waiting_dependency",
                ends: "cancelled completed failed skipped timed_out",
            },
        }
    }

    /// Whether this is one of the entity's statuses.
    pub fn has_status(self, status: &str) -> bool {
        let policy = self.policy();
        has(policy.open, status) || has(policy.ends, status)
    }

    /// Whether this is one of the entity's ends.
    ///
    /// ```
    /// use runstate::lionagi::derive::policy::Entity;
    ///
    /// assert!(Entity::Play.is_terminal("merged"));
    /// assert!(!Entity::Play.is_terminal("running_complete"));
    /// assert!(!Entity::Session.is_terminal("merged"));
    /// ```
    pub fn is_terminal(self, status: &str) -> bool {
        has(self.policy().ends, status)
    }

    /// Whether the policy declares that one status may follow the other.
    pub fn has_edge(self, from: &str, to: &str) -> bool {
        if from == to || !has(self.policy().open, from) || !self.has_status(to) {
            return false;
        }
        match self {
            // Every other status may follow.
            Self::Session | Self::Invocation | Self::Play | Self::Show | Self::Team => true,
            Self::ScheduleRun => has(
                match from {
                    "queued" => "waiting_dependency running skipped cancelled",
                    "running" => "completed failed timed_out retry_wait queued cancelled",
                    // `retry_wait` and `waiting_dependency`.
                    _ => "queued cancelled",
                },
                to,
            ),
        }
    }
}

/// What the lenient way (`update_status`) makes of a change: only an end holds, and only against another status.
///
/// `from` is `None` for NULL. `expected` are the statuses that the request insists on.
///
/// ```
/// use runstate::lionagi::derive::policy::{Change, Entity, update_status};
///
/// let change = |from, to| update_status(Entity::Session, from, to, None);
/// assert_eq!(change(None, "failed"), Change::Applied);
/// assert_eq!(change(Some("failed"), "failed"), Change::Applied);
/// assert_eq!(change(Some("failed"), "running"), Change::Rejected);
/// assert_eq!(change(Some("running"), "paused"), Change::Invalid);
/// ```
pub fn update_status(
    entity: Entity,
    from: Option<&str>,
    to: &str,
    expected: Option<&[Option<&str>]>,
) -> Change {
    if !entity.has_status(to) {
        Change::Invalid
    } else if expected.is_some_and(|expected| !expected.contains(&from)) {
        Change::Conflict
    } else if from != Some(to) && from.is_some_and(|from| entity.is_terminal(from)) {
        Change::Rejected
    } else {
        Change::Applied
    }
}

/// What the strict way (the lifecycle service's `transition`) makes of a change: declared edges, and the same status
/// again.
///
/// ```
/// use runstate::lionagi::derive::policy::{Change, Entity, transition};
///
/// assert_eq!(transition(Entity::Session, None, "failed"), Change::Rejected);
/// assert_eq!(transition(Entity::ScheduleRun, Some("queued"), "running"), Change::Applied);
/// ```
pub fn transition(entity: Entity, from: Option<&str>, to: &str) -> Change {
    let same = from == Some(to);
    if !entity.has_status(to) {
        Change::Invalid
    } else if same || from.is_some_and(|from| entity.has_edge(from, to)) {
        Change::Applied
    } else {
        Change::Rejected
    }
}

/// What an override makes of a change, on either way: with an actor and a justification every status can be written.
///
/// ```
/// use runstate::lionagi::derive::policy::{Change, Entity, overridden};
///
/// // A resume: an end becomes `running` again.
/// assert_eq!(overridden(Entity::Session, "running"), Change::Applied);
/// assert_eq!(overridden(Entity::Session, "merged"), Change::Invalid);
/// ```
pub fn overridden(entity: Entity, to: &str) -> Change {
    if entity.has_status(to) { Change::Applied } else { Change::Invalid }
}

impl Change {
    /// The word for it.
    ///
    /// ```
    /// use runstate::lionagi::derive::policy::Change;
    ///
    /// assert_eq!(Change::Conflict.as_str(), "conflict");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Rejected => "rejected",
            Self::Conflict => "conflict",
            Self::Invalid => "invalid",
        }
    }
}

fn has(words: &str, word: &str) -> bool {
    !word.is_empty() && find(word, " ").is_none() && words.split(' ').any(|known| known == word)
}
