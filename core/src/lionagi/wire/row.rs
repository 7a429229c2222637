//! The row of a session, as Studio's routes and `li` write it.

use super::column::{RowProblems, read_bool, read_seconds};
use super::contract::Contract;
use super::timeout::Timeout;
use super::{InvocationKind, ReasonCode, Seconds, SessionHealth, StoredStatus};
use crate::json::{ReadError, Slice, decisive, fields, optional, optionals, read_with_serde};
use crate::word::{Vocabulary, Word};

/// The row of a session, or of an invocation, which groups sessions.
///
/// `/api/runs`, `/api/sessions`, `/api/invocations`, `/api/admin/health`, `/api/admin/doctor`, `li agent status` and
/// `li lifecycle` have different names for the same columns; in this type each has one. Columns that a viewer does not need
/// are not read.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SessionRow {
    /// The session's id.
    pub session_id: Option<String>,
    /// The id of the CLI's run, which differs from the session's since 0.36.
    pub run_id: Option<String>,
    /// The id of its invocation: the command that started it.
    pub invocation_id: Option<String>,
    /// The row's name, or that of its playbook, agent or skill.
    pub name: Option<String>,
    /// The agent's name.
    pub agent_name: Option<String>,
    /// The stored status.
    pub status: StoredStatus,
    /// The origin of the session.
    pub invocation_kind: Option<Word<InvocationKind>>,
    /// The health that the server reports (`effective_health`, `health`).
    pub health: Option<Word<SessionHealth>>,
    /// Whether the process is alive. Only the unhealthy rows of `/api/admin/health` have this column.
    pub process_alive: Option<bool>,
    /// The time of inactivity when the server answered.
    pub idle: Option<Seconds>,
    /// The number of sessions that an invocation groups; `None` for a session.
    pub session_count: Option<u64>,
    /// The number of its messages.
    pub message_count: Option<u64>,
    /// When its last message was written.
    pub last_message_at: Option<Seconds>,
    /// When the row was last written.
    pub updated_at: Option<Seconds>,
    /// When it started.
    pub started_at: Option<Seconds>,
    /// When the row was created.
    pub created_at: Option<Seconds>,
    /// When it ended.
    pub ended_at: End,
    /// Whether the end is approximate: then no duration is computed from it.
    pub ended_at_is_approximate: bool,
    /// The reason for the status, as a code.
    pub reason_code: Option<String>,
    /// The reason for the status, as text.
    pub reason_summary: Option<String>,
    /// Whether the document has a column for the reason.
    pub has_reason_column: bool,
    /// The folder for its artifacts.
    pub artifacts_path: Option<String>,
    /// The artifacts that it has to deliver.
    pub contract: Contract,
    /// The timeout, if it was stored.
    pub timeout: Timeout,
    /// The error in the detail of a run.
    pub error: Option<String>,
}

/// When a session ended.
///
/// ```
/// use runstate::lionagi::wire::{End, Seconds, read_session};
///
/// assert_eq!(read_session(r#"{"status":"running"}"#)?.ended_at, End::Absent);
/// assert_eq!(read_session(r#"{"status":"running","ended_at":null}"#)?.ended_at, End::Open);
/// let ended = read_session(r#"{"status":"failed","ended_at":1716300000.0}"#)?.ended_at;
/// assert_eq!(ended.at(), Some(Seconds(1_716_300_000.0)));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// The document has no such field.
    #[default]
    Absent,
    /// NULL: no end is recorded.
    Open,
    /// A recorded end.
    At(Seconds),
}

impl End {
    /// The time, if one is recorded.
    pub fn at(self) -> Option<Seconds> {
        match self {
            Self::Absent | Self::Open => None,
            Self::At(at) => Some(at),
        }
    }
}

const TEXTS: [&str; 15] = [
    "session_id",
    "id",
    "run_id",
    "invocation_id",
    "name",
    "label",
    "playbook_name",
    "playbook",
    "agent_name",
    "skill",
    "status_reason_code",
    "reason_code",
    "status_reason_summary",
    "reason_summary",
    "artifacts_path",
];

const NUMBERS: [&str; 7] = [
    "last_message_at",
    "last_activity_at",
    "updated_at",
    "started_at",
    "created_at",
    "idle_seconds",
    "ended_at",
];

impl SessionRow {
    /// The reason code, if it is one that decides something.
    pub(crate) fn known_reason(&self) -> Option<ReasonCode> {
        ReasonCode::from_word(self.reason_code.as_deref()?)
    }

    /// Reads the complete row, or returns the first error.
    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let mut problems = RowProblems::default();
        let row = Self::read_lenient(slice, &mut problems)?;
        problems.into_first().map_or(Ok(row), Err)
    }

    /// Reads the row. An unreadable column that does not affect its state is omitted and becomes a problem.
    pub(crate) fn read_lenient(slice: Slice<'_>, problems: &mut RowProblems) -> Result<Self, ReadError> {
        let texts = Texts::read(slice)?;
        let times = Times::read(slice)?;
        let names = ["status", "invocation_kind", "effective_health", "health", "process_alive"];
        let [status, kind, effective_health, health, process_alive] = fields(slice, names)?;
        let names = ["ended_at_is_approximate", "node_metadata", "error", "session_count"];
        let [approximate, metadata, error, sessions] = fields(slice, names)?;
        let contract = fields(slice, ["artifact_contract_json", "artifact_verification_json"])?;
        Ok(Self {
            session_id: texts.session_id,
            run_id: texts.run_id,
            invocation_id: texts.invocation_id,
            name: texts.name,
            agent_name: texts.agent_name,
            status: StoredStatus::read(status)?,
            invocation_kind: optional(kind, Slice::read_word)?,
            // An invocation without sessions has the health `unknown`, which is not a health of ADR-0024.
            health: optional(effective_health.or(health), Slice::read_word)?
                .filter(|health: &Word<_>| health.as_str() != "unknown"),
            process_alive: optional(process_alive, read_bool)?,
            idle: times.idle,
            session_count: optional(sessions, Slice::read_count)?,
            message_count: read_message_count(slice)?,
            last_message_at: times.last_message_at,
            updated_at: times.updated_at,
            started_at: times.started_at,
            created_at: times.created_at,
            ended_at: times.ended_at,
            ended_at_is_approximate: optional(approximate, read_bool)?.unwrap_or(false),
            reason_code: texts.reason_code,
            reason_summary: texts.reason_summary,
            has_reason_column: texts.has_reason_column,
            artifacts_path: texts.artifacts_path,
            contract: Contract::read(contract, problems),
            timeout: Timeout::read(metadata, problems),
            error: error.and_then(Slice::text),
        })
    }
}

/// The text columns. Routes name them differently.
struct Texts {
    session_id: Option<String>,
    run_id: Option<String>,
    invocation_id: Option<String>,
    name: Option<String>,
    agent_name: Option<String>,
    reason_code: Option<String>,
    reason_summary: Option<String>,
    has_reason_column: bool,
    artifacts_path: Option<String>,
}

impl Texts {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let texts = fields(slice, TEXTS)?;
        for id in [texts[0], texts[1]] {
            decisive(id, Slice::read_text)?;
        }
        let has_reason_column = texts[10].or(texts[11]).is_some();
        let [
            session_id,
            id,
            run_id,
            invocation_id,
            name,
            label,
            playbook_name,
            playbook,
            agent_name,
            skill,
            status_reason_code,
            reason_code,
            status_reason_summary,
            reason_summary,
            artifacts_path,
        ] = optionals(texts, Slice::read_text)?;
        Ok(Self {
            session_id: session_id.or(id),
            run_id,
            invocation_id,
            name: name.or(label).or(playbook_name).or(playbook).or_else(|| agent_name.clone()).or(skill),
            agent_name,
            reason_code: status_reason_code.or(reason_code),
            reason_summary: status_reason_summary.or(reason_summary).filter(|summary| !summary.is_empty()),
            has_reason_column,
            artifacts_path,
        })
    }
}

/// The time columns.
struct Times {
    last_message_at: Option<Seconds>,
    updated_at: Option<Seconds>,
    started_at: Option<Seconds>,
    created_at: Option<Seconds>,
    idle: Option<Seconds>,
    ended_at: End,
}

impl Times {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let numbers = fields(slice, NUMBERS)?;
        let ended = numbers[6];
        let [last_message_at, last_activity_at, updated_at, started_at, created_at, idle, ended_at] =
            optionals(numbers, read_seconds)?;
        Ok(Self {
            last_message_at: last_message_at.or(last_activity_at),
            updated_at,
            started_at,
            created_at,
            idle,
            ended_at: match (ended, ended_at) {
                (_, Some(at)) => End::At(at),
                (Some(ended), None) if ended.json() == "null" => End::Open,
                // A value that cannot be read says as little as none.
                (Some(_) | None, None) => End::Absent,
            },
        })
    }
}

read_with_serde!(SessionRow);

/// Reads a session's row from JSON text.
///
/// # Errors
/// [`ReadError`] if the text is not JSON, or a column has a value of another type.
///
/// ```
/// use runstate::lionagi::wire::{StoredStatus, read_session};
///
/// let row = read_session(r#"{"id":"s1","status":null,"started_at":1716300000.5}"#)?;
/// assert_eq!(row.status, StoredStatus::Legacy);
/// assert!(read_session(r#"{"id":"s1","status":"running","started_at":"soon"}"#).is_err());
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn read_session(json: &str) -> Result<SessionRow, ReadError> {
    SessionRow::read(Slice::from_text(json)?)
}

/// `message_count`, which is in `message_stats` in the details of a session.
fn read_message_count(slice: Slice<'_>) -> Result<Option<u64>, ReadError> {
    let [mut count, stats] = fields(slice, ["message_count", "message_stats"])?;
    if let (None, Some(stats)) = (count, stats.filter(|stats| stats.json() != "null")) {
        [count] = fields(stats, ["message_count"])?;
    }
    optional(count, Slice::read_count)
}
