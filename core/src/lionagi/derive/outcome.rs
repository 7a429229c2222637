//! How one firing of a schedule ended, from its own row, its invocation's and its sessions' (lionagi 0.36's
//! `build_outcome` and `exit_code_for_view`).

use super::exit_code;
use crate::lionagi::wire::StoredStatus;
use crate::lionagi::wire::{SessionRow, SessionStatus};
use crate::text::concat;

/// What the row of a schedule's run says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScheduleRun {
    /// The status; `None` for NULL.
    pub status: Option<String>,
    /// The process's exit code, where one was recorded.
    pub exit_code: Option<i64>,
    /// What went wrong on the way to a process.
    pub error_detail: Option<String>,
    /// Why it was passed over.
    pub reason_summary: Option<String>,
}

/// Who knows how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeSource {
    /// One of its sessions: the one that ended worst.
    Session,
    /// Its invocation.
    Invocation,
    /// Its own row.
    Occurrence,
    /// Nobody: the row's status and exit code are all there is.
    Fallback,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutcome {
    /// A reason code, or a word made of the row's status.
    pub code: String,
    /// The same in words.
    pub summary: String,
    /// Who knows.
    pub source: OutcomeSource,
    /// Whether somebody wrote the summary; else it is made up of what is known.
    pub summary_reported: bool,
    /// The exit code of the view.
    pub exit_code: u8,
}

/// How a schedule's run ended. All sessions ended: the worst of them says it, by exit code, then by age. Else the
/// invocation, if it ended; else the row itself.
///
/// ```
/// use runstate::lionagi::derive::outcome::{OutcomeSource, ScheduleRun, run_outcome};
/// use runstate::lionagi::wire::read_session;
///
/// let run = ScheduleRun { status: Some("completed".into()), exit_code: Some(0), ..ScheduleRun::default() };
/// let session = read_session(r#"{"status":"timed_out"}"#)?;
/// let outcome = run_outcome(&run, None, &[session]);
/// assert_eq!((outcome.exit_code, outcome.source), (124, OutcomeSource::Session));
/// assert_eq!(run_outcome(&run, None, &[]).exit_code, 0);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn run_outcome(
    run: &ScheduleRun,
    invocation: Option<&SessionRow>,
    sessions: &[SessionRow],
) -> RunOutcome {
    if let Some(worst) = worst(sessions) {
        return of_row(worst, OutcomeSource::Session, artifacts(sessions));
    }
    if let Some(invocation) = invocation.filter(|row| row.status.is_terminal()) {
        return of_row(invocation, OutcomeSource::Invocation, 0);
    }
    of_occurrence(run)
}

/// The session that ended worst, if all of them ended. Of equals the younger, of equally old ones the later.
fn worst(sessions: &[SessionRow]) -> Option<&SessionRow> {
    let rank = |row: &SessionRow| (exit_code(&row.status), row.created_at.map_or(0.0, |at| at.0));
    let mut worst: Option<&SessionRow> = None;
    for row in sessions {
        if !row.status.is_terminal() {
            return None;
        }
        if worst.is_none_or(|worst| rank(row) >= rank(worst)) {
            worst = Some(row);
        }
    }
    worst
}

/// How many places with artifacts there are.
fn artifacts(sessions: &[SessionRow]) -> usize {
    let mut places: Vec<&str> = Vec::new();
    for place in sessions.iter().filter_map(|row| row.artifacts_path.as_deref()) {
        if !place.is_empty() && !places.contains(&place) {
            places.push(place);
        }
    }
    places.len()
}

fn of_row(row: &SessionRow, source: OutcomeSource, artifacts: usize) -> RunOutcome {
    let status = row.status.shown().unwrap_or_default();
    let code = match (row.reason_code.as_deref(), row.status.known()) {
        (Some(code), _) if !code.is_empty() => code.to_owned(),
        (_, Some(SessionStatus::Completed)) => "run.completed.ok".to_owned(),
        (_, Some(SessionStatus::CompletedEmpty)) => "run.completed_empty.no_evidence".to_owned(),
        _ => concat(&["run.failed.", status]),
    };
    let made_up = match (source, row.status.known()) {
        (OutcomeSource::Session, Some(SessionStatus::Completed)) if artifacts > 0 => {
            concat(&["completed: ", &artifacts.to_string(), " artifact(s)"])
        }
        (OutcomeSource::Session, Some(SessionStatus::Completed)) => "completed: no artifacts".to_owned(),
        (OutcomeSource::Session, Some(SessionStatus::CompletedEmpty)) => {
            "completed_empty: no artifacts produced".to_owned()
        }
        _ => status.to_owned(),
    };
    RunOutcome {
        code,
        summary_reported: row.reason_summary.is_some(),
        summary: row.reason_summary.clone().unwrap_or(made_up),
        source,
        exit_code: exit_code(&row.status).unwrap_or(2),
    }
}

fn of_occurrence(run: &ScheduleRun) -> RunOutcome {
    let status = run.status.as_deref();
    let detail = run.error_detail.as_deref().filter(|detail| !detail.is_empty());
    let said = |code: String, summary: Option<&str>| RunOutcome {
        summary: summary.unwrap_or(&code).to_owned(),
        code,
        source: OutcomeSource::Occurrence,
        summary_reported: summary.is_some(),
        exit_code: exit_code_of(status),
    };
    match (status, detail) {
        (Some("running"), _) => said("running".to_owned(), None),
        (Some("skipped"), detail) => said("skipped".to_owned(), detail.or(run.reason_summary.as_deref())),
        (status, Some(detail)) => said(concat(&["failed_", status.unwrap_or("dispatch")]), Some(detail)),
        (status, None) => fallback(status.unwrap_or("unknown"), run.exit_code, exit_code_of(status)),
    }
}

fn fallback(status: &str, process: Option<i64>, exit_code: u8) -> RunOutcome {
    let suffix = match process {
        _ if status == "completed" => "",
        None => "_no_exit_code",
        Some(0) => "",
        Some(_) => "_exit_nonzero",
    };
    let shown = process.map(|code| concat(&[" (exit ", &code.to_string(), ")"]));
    RunOutcome {
        code: concat(&[status, suffix]),
        summary: concat(&[status, &shown.unwrap_or_default()]),
        source: OutcomeSource::Fallback,
        summary_reported: false,
        exit_code,
    }
}

fn exit_code_of(status: Option<&str>) -> u8 {
    match status {
        Some("running") => 3,
        // A skipped firing is no success for whoever waits for it.
        Some("skipped") => 1,
        status => exit_code(&StoredStatus::new(status)).unwrap_or(2),
    }
}
