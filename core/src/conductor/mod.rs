//! tnh-conductor (seed 004): the files of a run directory, and the state of the run.
//!
//! [`read_run_directory`] reads a run directory, or any part of it. Its files are written at different times:
//!
//! | file | content |
//! |---|---|
//! | `status.json` | the state of the run; written at each change, and every 30 s during some steps |
//! | `metadata.json`, `final-state.txt` | the end of the run |
//! | `events.ndjson` | the visits of its steps |
//! | `artifacts/<step>/manifest.json` | the result of the last visit of a step |
//! | `artifacts/<step>/gate_request.json` | the question of a gate |
//!
//! - A lifecycle state `failed` or `blocked` with a `last_route_target` refers to the last step: the run continues.
//! - `completed` means that STOP was reached. The exit record contains whether the last step ended cleanly.
//! - The files contain no process id. The age of the status shows whether a run is alive, except at a gate and
//!   while the planner decides, because no heartbeat is written then.
//!
//! ```
//! use runstate::conductor::read_run_directory;
//! use runstate::conductor::wire::{ConductorState, UnknownReason};
//! use runstate::file::File;
//! use runstate::time::Millis;
//!
//! let now = Millis::parse_iso("2026-11-21T20:40:42Z").unwrap();
//! let status = |lifecycle: &str| {
//!     format!(
//!         r#"{{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
//!             "updated_at":"2026-11-21T20:40:41Z","lifecycle_state":"{lifecycle}","current_step_id":"fix","active_opcode":"RUN_AGENT"}}"#
//!     )
//! };
//! let read = |text: &str| read_run_directory(&[File { name: Some("status.json"), bytes: text.as_bytes() }], now, None);
//! assert_eq!(read(&status("running"))?.state, ConductorState::Running);
//!
//! // An unknown lifecycle state is kept verbatim.
//! let run = read(&status("hibernating"))?;
//! assert_eq!((run.state, run.unknown_reason), (ConductorState::Unknown, Some(UnknownReason::LifecycleUnrecognised)));
//! assert_eq!(run.source.lifecycle_state.unwrap().as_str(), "hibernating");
//! # Ok::<(), runstate::conductor::ReadRunError>(())
//! ```

pub mod derive;
pub mod wire;

use std::fmt;

use crate::error_code::ErrorCode;
use crate::file::File;
use crate::kind;

use crate::time::Millis;
use derive::{ConductorRun, Limits};
use wire::{Directory, FileKind};

/// The files are not those of a run, or `now` is not a valid time.
///
/// ```
/// use runstate::conductor::read_run_directory;
/// use runstate::error_code::ErrorCode;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let other = [File { name: Some("package.json"), bytes: br#"{"name":"demo"}"# }];
/// assert_eq!(read_run_directory(&other, Millis(0.0), None).unwrap_err().code, ErrorCode::NotRecognised);
/// assert_eq!(read_run_directory(&[], Millis(f64::NAN), None).unwrap_err().code, ErrorCode::InvalidInput);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadRunError {
    /// [`NotRecognised`](ErrorCode::NotRecognised) or [`InvalidInput`](ErrorCode::InvalidInput).
    pub code: ErrorCode,
    /// The expected value.
    pub message: &'static str,
}

impl fmt::Display for ReadRunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl std::error::Error for ReadRunError {}

/// Reads a run directory, or any part of it. Files without a name are recognised by their content.
///
/// `directory` is the name of the directory. If present, it must be the id of the run. An empty list of files is an empty
/// directory and not an error.
///
/// # Errors
/// [`ReadRunError`] if there are files, but none of them belongs to a run.
///
/// ```
/// use runstate::conductor::read_run_directory;
/// use runstate::conductor::wire::{ConductorState, Phase};
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:41Z","lifecycle_state":"failed","current_step_id":"fix",
///     "last_completed_step_id":"test","last_route_target":"fix","termination":"error"}"#;
/// let now = Millis::parse_iso("2026-11-21T20:40:42Z").unwrap();
/// let run = read_run_directory(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// assert_eq!((run.state, run.phase), (ConductorState::Running, Phase::BetweenSteps));
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
pub fn read_run_directory(
    files: &[File<'_>],
    now: Millis,
    directory: Option<&str>,
) -> Result<ConductorRun, ReadRunError> {
    read_run_with(files, now, directory, &Limits::default())
}

/// [`read_run_directory`] with other limits.
///
/// # Errors
/// As [`read_run_directory`].
pub(crate) fn read_run_with(
    files: &[File<'_>],
    now: Millis,
    directory: Option<&str>,
    limits: &Limits,
) -> Result<ConductorRun, ReadRunError> {
    let kinds: Vec<_> = files.iter().map(kind::conductor::file_kind).collect();
    read_files_of_kinds(files, &kinds, now, directory, limits)
}

/// [`read_run_with`] for files whose kinds are known.
pub(crate) fn read_files_of_kinds(
    files: &[File<'_>],
    kinds: &[Option<FileKind>],
    now: Millis,
    directory: Option<&str>,
    limits: &Limits,
) -> Result<ConductorRun, ReadRunError> {
    if now.to_iso().is_err() {
        return Err(ReadRunError {
            code: ErrorCode::InvalidInput,
            message: "Expected `now` as milliseconds since 1970.",
        });
    }
    let read = Directory::read(files, kinds);
    if !files.is_empty() && !read.recognised {
        let message = "Expected files of a tnh-conductor run: status.json, events.ndjson, metadata.json, …";
        return Err(ReadRunError { code: ErrorCode::NotRecognised, message });
    }
    Ok(derive::derive(read, directory, now, limits))
}
