//! A session as Studio's routes and `li` write it.

use super::contract::Contract;
use super::rows::Notes;
use super::timeout::Timeout;
use super::{InvocationKind, Seconds, SessionHealth, StoredStatus};
use crate::json::{ReadError, Slice, fields, optional, optionals, read_with_serde};
use crate::word::Word;

/// A row of a session, or of an invocation, which groups sessions.
///
/// The rows of `/api/runs`, `/api/sessions`, `/api/invocations`, `/api/admin/health`, `/api/admin/doctor`,
/// `li agent status` and `li lifecycle` name the same things differently; here they have one name. What a viewer does not
/// need is not read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionRow {
    /// The session's id.
    pub session_id: Option<String>,
    /// The CLI's run, which is something else since 0.36.
    pub run_id: Option<String>,
    /// The command that started it.
    pub invocation_id: Option<String>,
    /// The row's name, else its playbook's, its agent's or its skill's.
    pub name: Option<String>,
    /// The agent's name.
    pub agent_name: Option<String>,
    /// The stored status.
    pub status: StoredStatus,
    /// What started it.
    pub invocation_kind: Option<Word<InvocationKind>>,
    /// The health that the server says (`effective_health`, `health`).
    pub health: Option<Word<SessionHealth>>,
    /// Whether the server found the process alive; the unhealthy rows of admin health alone have it.
    pub process_alive: Option<bool>,
    /// How long the server found it silent, at the moment of its answer.
    pub idle: Option<Seconds>,
    /// How many sessions an invocation groups; `None` for a session.
    pub session_count: Option<u64>,
    /// How many messages there are.
    pub message_count: Option<u64>,
    /// The last message.
    pub last_message_at: Option<Seconds>,
    /// The last write to the row.
    pub updated_at: Option<Seconds>,
    /// The start.
    pub started_at: Option<Seconds>,
    /// The first write of the row.
    pub created_at: Option<Seconds>,
    /// The end; [`End`] tells NULL from a field that is not there.
    pub ended_at: End,
    /// Whether the end is a guess: then no duration is computed from it.
    pub ended_at_is_approximate: bool,
    /// Why the status was written, as a registered code.
    pub reason_code: Option<String>,
    /// The same in words.
    pub reason_summary: Option<String>,
    /// Whether the document has a field for the reason at all.
    pub tells_reason: bool,
    /// Where artifacts would be.
    pub artifacts_path: Option<String>,
    /// What was promised, and whether it is there.
    pub contract: Contract,
    /// The deadline and when it struck, where they were stored.
    pub timeout: Timeout,
    /// The error of a run's detail.
    pub error: Option<String>,
}

/// The end of a session.
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
pub enum End {
    /// The document has no such field.
    #[default]
    Absent,
    /// NULL: no end is recorded.
    Open,
    /// Then.
    At(Seconds),
}

impl End {
    /// The moment, where one is recorded.
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
    /// The whole row.
    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let mut notes = Notes::default();
        let row = Self::read_part(slice, &mut notes)?;
        notes.refusal().map_or(Ok(row), Err)
    }

    /// The row. A broken column that says nothing of its state is left out and noted.
    pub(crate) fn read_part(slice: Slice<'_>, notes: &mut Notes) -> Result<Self, ReadError> {
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
            // An invocation without sessions has the health `unknown`, which is none.
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
            tells_reason: texts.tells_reason,
            artifacts_path: texts.artifacts_path,
            contract: Contract::read(contract, notes),
            timeout: Timeout::read(metadata, notes),
            error: error.and_then(Slice::text),
        })
    }
}

/// The columns of text, under the names that each route has for them.
struct Texts {
    session_id: Option<String>,
    run_id: Option<String>,
    invocation_id: Option<String>,
    name: Option<String>,
    agent_name: Option<String>,
    reason_code: Option<String>,
    reason_summary: Option<String>,
    tells_reason: bool,
    artifacts_path: Option<String>,
}

impl Texts {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let texts = fields(slice, TEXTS)?;
        let tells_reason = texts[10].or(texts[11]).is_some();
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
            tells_reason,
            artifacts_path,
        })
    }
}

/// The columns of time.
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
                (Some(_), None) => End::Open,
                (None, None) => End::Absent,
            },
        })
    }
}

read_with_serde!(SessionRow);

/// Reads a session's row from JSON text.
///
/// # Errors
/// [`ReadError`] where the text is not JSON, or a column holds something that it cannot hold.
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
    SessionRow::read(Slice::of_text(json)?)
}

pub(crate) fn read_seconds(slice: Slice<'_>) -> Result<Seconds, ReadError> {
    slice.read_number().map(Seconds)
}

pub(crate) fn read_bool(slice: Slice<'_>) -> Result<bool, ReadError> {
    match slice.json() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(slice.expected("true or false")),
    }
}

/// How many messages there are; the details of a session count them one level deeper.
fn read_message_count(slice: Slice<'_>) -> Result<Option<u64>, ReadError> {
    let of = |stats: Slice<'_>| {
        let [count] = fields(stats, ["message_count"])?;
        optional(count, Slice::read_count)
    };
    let [count, stats] = fields(slice, ["message_count", "message_stats"])?;
    match (count, stats.filter(|stats| stats.json() != "null")) {
        (None, Some(stats)) => of(stats),
        (count, _) => optional(count, Slice::read_count),
    }
}

/// The object itself, or the object that is written as text in its place: a JSON column is served either way. NULL written
/// as text is nothing.
pub(crate) fn with_object<T: Default>(
    slice: Slice<'_>,
    read: impl Fn(Slice<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let Some(text) = slice.text() else { return read(slice) };
    if matches!(text.trim_ascii(), "" | "null") {
        return Ok(T::default());
    }
    let inner = Slice::of_text(&text).and_then(read);
    // Its place is inside a text; the place of the text itself is what a person can find.
    inner.map_err(|error| slice.refuse(error.message))
}
