//! Reads the responses of Studio's routes and the output of `li`.

use crate::lionagi::derive;
use crate::problem::Problem;
use crate::text;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::auxiliary;
use super::list::{each_row, join_duplicate, report};
use super::plays;
use crate::ingest::DocumentError;
use crate::json::{ReadError, Slice, fields, items, optional};
use crate::kind;
use crate::lionagi::derive::{Disagreement, Question};
use crate::lionagi::wire::RowProblems;
use crate::lionagi::wire::parse_iso;
use crate::lionagi::wire::{LionagiDocumentKind, SessionDetail, SessionRow, SessionStatus, StoredStatus};
use crate::refusal::Refusal;
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

impl LionagiDocumentKind {
    /// Returns the name of such a document in the evidence if it has no other name.
    pub(crate) fn part(self) -> &'static str {
        match self {
            Self::Session => "session row",
            Self::SessionList => "list of sessions",
            Self::AdminHealth => "/api/admin/health",
            Self::Doctor => "/api/admin/doctor",
            Self::Invocation => "invocation",
            Self::InvocationList => "/api/invocations",
            Self::AgentStatus => "li agent status",
            Self::Lifecycle => "li lifecycle",
            Self::Stats => "/api/stats",
            Self::Show => "show",
            Self::ShowList => "/api/shows",
            Self::PlayList => "list of plays",
            Self::MessageStream => "stream of messages",
            Self::SignalStream => "stream of signals",
            Self::SessionPart => "part of a session",
            Self::ErrorResponse => "error",
        }
    }
}

/// Reads a JSON value whose grammar was checked. `read_from` is the source in the evidence; `now` is the time for
/// derived states.
///
/// # Errors
/// [`DocumentError`] for a value that is not a document of lionagi, and for a document with invalid content. An
/// unreadable row of a list is reported and skipped instead.
pub(crate) fn read_document(
    slice: Slice<'_>,
    read_from: &str,
    now: Millis,
) -> Result<LionagiInspection, DocumentError> {
    let Some(kind) = kind::lionagi(slice) else {
        return Err(slice.expected("a session of lionagi, or a list of them").into());
    };
    let origin = RowOrigin { kind, read_from, now };
    Ok(match kind {
        LionagiDocumentKind::Session | LionagiDocumentKind::Invocation => origin.detail(slice)?,
        LionagiDocumentKind::AgentStatus => origin.agent_status(slice)?,
        LionagiDocumentKind::SessionList | LionagiDocumentKind::InvocationList => origin.list(slice)?,
        LionagiDocumentKind::AdminHealth => origin.admin_health(slice)?,
        LionagiDocumentKind::Doctor => origin.doctor(slice)?,
        LionagiDocumentKind::Lifecycle => origin.lifecycle(slice)?,
        LionagiDocumentKind::Stats => origin.stats(slice)?,
        LionagiDocumentKind::Show | LionagiDocumentKind::ShowList | LionagiDocumentKind::PlayList => {
            let mut found = LionagiInspection::new(kind);
            plays::read(slice, read_from, &mut found)?;
            found
        }
        LionagiDocumentKind::SessionPart => auxiliary::read(slice, read_from, now)?,
        LionagiDocumentKind::ErrorResponse => refusal(slice)?,
        // A stream is not a JSON value.
        LionagiDocumentKind::MessageStream | LionagiDocumentKind::SignalStream => {
            LionagiInspection::new(kind)
        }
    })
}

/// Reads a document of lionagi from its JSON text.
///
/// # Errors
/// [`DocumentError`] with its position if the text is not JSON or not a document of lionagi.
///
/// ```
/// use runstate::lionagi::wire::LionagiDocumentKind;
/// use runstate::ingest::lionagi::read;
/// use runstate::time::Millis;
///
/// let now = Millis(1_716_300_000_000.0);
/// let list = r#"{"runs":[{"session_id":"s1","status":null},{"session_id":7,"status":"running"}],"per_page":20}"#;
/// let inspection = read(list, "/api/runs", now)?;
/// assert_eq!((inspection.kind, inspection.sessions.len()), (LionagiDocumentKind::SessionList, 1));
/// assert!(inspection.problems.texts()[0].starts_with("Line 1, column 58: Expected text"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn read(json: &str, read_from: &str, now: Millis) -> Result<LionagiInspection, DocumentError> {
    let slice = Slice::from_text(json).map_err(|error| DocumentError::from(error).place(json))?;
    read_document(slice, read_from, now).map_err(|error| error.place(json))
}

/// The origin of rows.
#[derive(Clone, Copy)]
struct RowOrigin<'a> {
    kind: LionagiDocumentKind,
    read_from: &'a str,
    now: Millis,
}

impl RowOrigin<'_> {
    fn session(self, row: SessionRow) -> SessionInspection {
        SessionInspection::from_row(row, self.kind, self.read_from, self.now)
    }

    /// Reads one row and the sessions of its group.
    fn detail(self, slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
        let mut found = LionagiInspection::new(self.kind);
        let mut session = self.session(read_row(slice, &mut found)?);
        let mut lose =
            |error| found.problems.add_error(slice.whole(), &error, "It is omitted from the session.");
        session.detail = Some(Arc::new(SessionDetail::read(slice, &mut lose)));
        let [sessions] = fields(slice, ["sessions"])?;
        if let Some(sessions) = sessions.filter(|sessions| sessions.is_array()) {
            self.rows(sessions, &mut found, Ok)?;
            session.disagreements.extend(end_disagreement(&session, &found.sessions));
            if session.row.session_count.is_some() {
                let id = &session.row.session_id;
                found.sessions.iter_mut().for_each(|of| of.row.invocation_id.clone_from(id));
            }
        }
        found.session = Some(session);
        Ok(found)
    }

    /// Reads the output of `li agent status`: it prints NULL as empty text and treats it as running.
    fn agent_status(self, slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
        let mut found = LionagiInspection::new(self.kind);
        let mut row = read_row(slice, &mut found)?;
        let [exit_class, degraded] = fields(slice, ["exit_class", "degraded_reason"])?;
        let exit_class = optional(exit_class, Slice::read_text)?.unwrap_or_default();
        let null = matches!(&row.status, StoredStatus::Word(word) if word.as_str().is_empty());
        if null {
            row.status = StoredStatus::Legacy;
        }
        let mut session = self.session(row);
        if null {
            session.disagreements.push(Disagreement::new(
                Question::Status,
                &[("\"\"", "status"), (&exit_class, "exit_class")],
                Some("li writes a status that was never stored as empty text, and takes it for running."),
            ));
        }
        if let Some(message) = optional(degraded, Slice::read_text)? {
            found.problems.add(Problem::new(message));
        }
        found.session = Some(session);
        Ok(found)
    }

    fn list(self, slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
        let mut found = LionagiInspection::new(self.kind);
        let rows = if slice.is_array() {
            slice
        } else {
            let [runs, sessions, invocations] = fields(slice, ["runs", "sessions", "invocations"])?;
            slice.need("runs", runs.or(invocations).or(sessions))?
        };
        self.rows(rows, &mut found, Ok)?;
        Ok(found)
    }

    fn admin_health(self, slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
        let mut found = LionagiInspection::new(self.kind);
        let [sessions, run_at] = fields(slice, ["sessions", "diagnostic_run_at"])?;
        let run_at = optional(run_at, Slice::read_text)?;
        // The response has its own time, from which ages are computed.
        let now = run_at.as_deref().and_then(parse_iso).unwrap_or(self.now);
        let sessions = slice.need("sessions", sessions)?;
        let [unhealthy, by_status] = fields(sessions, ["unhealthy", "by_status"])?;
        let unhealthy = sessions.need("unhealthy", unhealthy)?;
        RowOrigin { now, ..self }.rows(unhealthy, &mut found, Ok)?;
        if let Some(by_status) = by_status {
            found.status_counts = by_status.read_counts(SESSION_COUNTS)?;
        }
        Ok(found)
    }

    /// Reads the output of the doctor, which lists sessions that are stored as running but whose process is gone.
    fn doctor(self, slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
        let mut found = LionagiInspection::new(self.kind);
        let [phantoms] = fields(slice, ["phantom_sessions"])?;
        self.rows(slice.need("phantom_sessions", phantoms)?, &mut found, |row| {
            Ok(SessionRow {
                status: StoredStatus::Word(Word::Known(SessionStatus::Running)),
                process_alive: Some(false),
                ..row
            })
        })?;
        Ok(found)
    }

    fn lifecycle(self, slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
        let [data, error] = fields(slice, ["data", "error"])?;
        let error = optional(error, |error| {
            let names = ["detail", "code", "message"];
            let is_error = error.is_object() && fields(error, names)?.iter().any(Option::is_some);
            if is_error || error.text().is_some() { Ok(error) } else { Err(error.expected("an error")) }
        })?;
        let Some(data) = data.filter(|data| data.is_object() && error.is_none()) else {
            return refusal(error.unwrap_or(slice));
        };
        let [run_id, lifecycle] = fields(data, ["run_id", "lifecycle"])?;
        let lifecycle = data.need("lifecycle", lifecycle)?;
        let [value, detail] = fields(lifecycle, ["value", "detail"])?;
        let Some(value) = value.filter(|value| value.is_object()) else {
            let message = optional(detail, Slice::read_text)?;
            return Ok(error_response(
                "UNAVAILABLE",
                message.unwrap_or_else(|| "The lifecycle is not known.".to_owned()),
            ));
        };
        let [found, outcome] = fields(value, ["found", "outcome"])?;
        let run_id = optional(run_id, Slice::read_text)?;
        if found.is_some_and(|found| found.json() == "false") {
            let run = run_id.as_deref().unwrap_or_default();
            return Ok(error_response("NOT_FOUND", concat(&["There is no run ", run, "."])));
        }
        let mut found = self.detail(value)?;
        if let Some(session) = &mut found.session {
            session.row.session_id = session.row.session_id.take().or_else(|| run_id.clone());
            session.row.run_id = run_id;
            let outcome = optional(outcome, Slice::read_text)?;
            let status = session.row.status.label().unwrap_or_default().to_owned();
            if let Some(outcome) = outcome.filter(|outcome| *outcome != status && *outcome != "running") {
                session.disagreements.push(outcome_disagreement(&status, &outcome));
            }
        }
        Ok(found)
    }

    fn stats(self, slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
        let mut found = LionagiInspection::new(self.kind);
        let [db] = fields(slice, ["db"])?;
        let db = slice.need("db", db)?;
        let [counts] = fields(db, ["sessions_by_status"])?;
        found.status_counts = db.need("sessions_by_status", counts)?.read_counts(SESSION_COUNTS)?;
        Ok(found)
    }

    /// Reads the rows of a list of sessions. Rows of the same session are joined.
    fn rows(
        self,
        list: Slice<'_>,
        found: &mut LionagiInspection,
        complete: fn(SessionRow) -> Result<SessionRow, ReadError>,
    ) -> Result<(), ReadError> {
        let LionagiInspection { sessions, problems, .. } = found;
        let mut places = BTreeMap::new();
        each_row(list, problems, &mut |row, notes| {
            let session = SessionRow::read_lenient(row, notes)?;
            // A row needs an id or a status.
            if session.session_id.is_none() && session.status == StoredStatus::Absent {
                row.need("session_id", None)?;
            }
            let session = self.session(complete(session)?);
            let place =
                session.row.session_id.clone().map(|id| *places.entry(id).or_insert(sessions.len() as u64));
            match place.and_then(|place| sessions.get_mut(place as usize)) {
                Some(known) => join_duplicate(notes, row, known, session, self.now),
                None => sessions.push(session),
            }
            Ok(())
        })
    }
}

/// Reads one row. An unreadable column is reported and omitted.
fn read_row(slice: Slice<'_>, found: &mut LionagiInspection) -> Result<SessionRow, ReadError> {
    let mut notes = RowProblems::default();
    let row = SessionRow::read_lenient(slice, &mut notes)?;
    report(&notes, slice, &mut found.problems);
    Ok(row)
}

fn error_response(code: &str, message: String) -> LionagiInspection {
    let refusal = Refusal { code: code.to_owned(), message, method: None };
    LionagiInspection { refusal: Some(refusal), ..LionagiInspection::new(LionagiDocumentKind::ErrorResponse) }
}

/// Reads an error response: `{"detail": …}` with a sentence or the error of each parameter, or `{"error": …}` of `li`.
fn refusal(slice: Slice<'_>) -> Result<LionagiInspection, ReadError> {
    if let Some(message) = slice.text() {
        return Ok(error_response(error_code(&message), message));
    }
    let [detail, code, message] = fields(slice, ["detail", "code", "message"])?;
    if let (None, Some(message)) = (detail, message) {
        let message = message.read_text()?;
        let code = optional(code, Slice::read_text)?;
        return Ok(error_response(code.as_deref().unwrap_or(error_code(&message)), message));
    }
    let detail = slice.need("detail", detail)?;
    if let Some(message) = detail.text() {
        return Ok(error_response(error_code(&message), message));
    }
    let mut messages = Vec::new();
    for item in items(detail)? {
        messages.push(one_detail(item?)?);
    }
    let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
    Ok(error_response("INVALID_REQUEST", text::join(&messages, " ")))
}

/// What is expected where Studio counts its sessions.
const SESSION_COUNTS: &str = "the number of sessions in each status";

/// The end of Studio's message about a missing run, show or play: `Run s1 not found`.
const NOT_FOUND: &str = "not found";

/// Studio's message about a missing or wrong token.
const UNAUTHORIZED: &str = "Unauthorized";

/// Returns the code for an error of Studio. The body contains only a message, not the HTTP status; the words are our
/// own.
fn error_code(message: &str) -> &'static str {
    if message.ends_with(NOT_FOUND) {
        "NOT_FOUND"
    } else if message == UNAUTHORIZED {
        "UNAUTHORIZED"
    } else {
        "REFUSED"
    }
}

/// Reads one detail, such as `query.per_page: Input should be less than or equal to 500.`
fn one_detail(slice: Slice<'_>) -> Result<String, ReadError> {
    let [place, message] = fields(slice, ["loc", "msg"])?;
    let message = slice.need("msg", message)?.read_text()?;
    let mut way = String::new();
    for step in items(slice.need("loc", place)?)? {
        let step = step?;
        if !way.is_empty() {
            way.push('.');
        }
        way.push_str(&step.text().unwrap_or_else(|| step.json().to_owned()));
    }
    Ok(concat(&[&way, ": ", &message, "."]))
}

/// Returns the disagreement between an invocation that has ended and a session that has not, or the reverse.
fn end_disagreement(invocation: &SessionInspection, sessions: &[SessionInspection]) -> Option<Disagreement> {
    let status = invocation.row.status.label()?;
    let ended = invocation.row.status.is_terminal();
    let other = if ended {
        sessions.iter().find(|session| derive::is_running(&session.row.status))?
    } else if !sessions.is_empty() && sessions.iter().all(|session| session.row.status.is_terminal()) {
        sessions.first()?
    } else {
        return None;
    };
    let session_status = other.row.status.label()?;
    Some(Disagreement::new(
        Question::Status,
        &[(status, "the invocation"), (session_status, "its session")],
        None,
    ))
}

/// Returns the disagreement with `li lifecycle`, which maps every end to four words: a deadline becomes `failed`.
fn outcome_disagreement(status: &str, outcome: &str) -> Disagreement {
    let why = Some("li lifecycle knows fewer words than the status column.");
    Disagreement::new(Question::Outcome, &[(status, "status"), (outcome, "outcome")], why)
}
