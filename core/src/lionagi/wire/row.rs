//! The row of a session, as Studio's routes and `li` write it.

use super::column::{Column, RowProblems};
use super::contract::Contract;
use super::timeout::Timeout;
use super::{InvocationKind, ReasonCode, Seconds, SessionHealth, SessionStatus, StoredStatus};
use crate::json::{Decisive, ReadError, Slice, lenient, read_with_serde, record, spelt_fields};
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

impl From<Column<Seconds>> for End {
    fn from(column: Column<Seconds>) -> Self {
        match column {
            Column::Absent => Self::Absent,
            Column::Null => Self::Open,
            Column::Value(at) => Self::At(at),
        }
    }
}

record! {
    /// The columns of a row. Routes name some of them differently.
    struct Columns {
        session_id: Decisive<String>,
        id: Decisive<String>,
        run_id: Option<String>,
        invocation_id: Option<String>,
        name: Option<String>,
        label: Option<String>,
        playbook_name: Option<String>,
        playbook: Option<String>,
        agent_name: Option<String>,
        skill: Option<String>,
        #[serde(default)]
        status: Column<Word<SessionStatus>>,
        invocation_kind: Option<Word<InvocationKind>>,
        effective_health: Option<Word<SessionHealth>>,
        health: Option<Word<SessionHealth>>,
        process_alive: Option<bool>,
        idle_seconds: Option<Seconds>,
        session_count: Option<u64>,
        message_count: Option<u64>,
        message_stats: Option<MessageStats>,
        last_message_at: Option<Seconds>,
        last_activity_at: Option<Seconds>,
        updated_at: Option<Seconds>,
        started_at: Option<Seconds>,
        created_at: Option<Seconds>,
        #[serde(default, deserialize_with = "lenient")]
        ended_at: Column<Seconds>,
        ended_at_is_approximate: Option<bool>,
        #[serde(default, deserialize_with = "lenient")]
        status_reason_code: Column<String>,
        #[serde(default, deserialize_with = "lenient")]
        reason_code: Column<String>,
        status_reason_summary: Option<String>,
        reason_summary: Option<String>,
        artifacts_path: Option<String>,
        error: Option<String>,
    }
}

record! {
    /// The statistics of the messages in the details of a session.
    struct MessageStats {
        message_count: Option<u64>,
    }
}

/// The columns with JSON inside, and those whose mistakes in spelling are named, because nothing else has their values.
const NAMES: [&str; 15] = [
    "artifact_contract_json",
    "artifact_verification_json",
    "node_metadata",
    "session_id",
    "invocation_id",
    "status",
    "invocation_kind",
    "effective_health",
    "process_alive",
    "last_message_at",
    "updated_at",
    "started_at",
    "created_at",
    "ended_at",
    "status_reason_code",
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
        let columns: Columns = slice.read()?;
        let [contract, verification, metadata, ..] = spelt_fields(slice, NAMES, [""; 15], "a session")?;
        let row = Self::from(columns);
        let contract = Contract::read([contract, verification], problems);
        let timeout = Timeout::read(metadata, problems);
        Ok(Self { contract, timeout, ..row })
    }
}

impl From<Columns> for SessionRow {
    fn from(columns: Columns) -> Self {
        let health = columns.effective_health.or(columns.health);
        let name = columns.name.or(columns.label).or(columns.playbook_name).or(columns.playbook);
        let summary = columns.status_reason_summary.or(columns.reason_summary);
        let reason_code = columns.status_reason_code.or(columns.reason_code);
        Self {
            session_id: columns.session_id.or(columns.id),
            run_id: columns.run_id,
            invocation_id: columns.invocation_id,
            name: name.or_else(|| columns.agent_name.clone()).or(columns.skill),
            agent_name: columns.agent_name,
            status: columns.status.into(),
            invocation_kind: columns.invocation_kind,
            // An invocation without sessions has the health `unknown`, which is not a health of ADR-0024.
            health: health.filter(|health| health.as_str() != "unknown"),
            process_alive: columns.process_alive,
            idle: columns.idle_seconds,
            session_count: columns.session_count,
            message_count: columns.message_count.or_else(|| columns.message_stats?.message_count),
            last_message_at: columns.last_message_at.or(columns.last_activity_at),
            updated_at: columns.updated_at,
            started_at: columns.started_at,
            created_at: columns.created_at,
            ended_at: columns.ended_at.into(),
            ended_at_is_approximate: columns.ended_at_is_approximate.unwrap_or(false),
            has_reason_column: reason_code != Column::Absent,
            reason_code: reason_code.value(),
            reason_summary: summary.filter(|summary| !summary.is_empty()),
            artifacts_path: columns.artifacts_path,
            error: columns.error,
            ..Self::default()
        }
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
