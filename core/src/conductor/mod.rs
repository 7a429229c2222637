//! tnh-conductor (seed 004): a run directory, or any part of it, and what the run does.
//!
//! `failed` and `blocked` beside a `last_route_target` are about the last step: the run goes on. `completed` means that
//! STOP was reached; whether well, the exit record says. Nobody's process is named in the files, so a dead writer is
//! never proved: at a gate or while the planner decides nothing can be seen at all.
//! A run directory is a handful of files that are written at different moments. [`read_run`] takes any of them:
//!
//! | file | what it is the truth of |
//! |---|---|
//! | `status.json` | what the run says of itself, every 30 s inside some steps; truncated before it is written |
//! | `metadata.json`, `final-state.txt` | that the run ended, and with which word |
//! | `events.ndjson` | which step was visited when, and how it was left |
//! | `artifacts/<step>/manifest.json` | how the last visit of a step ended |
//! | `artifacts/<step>/gate_request.json` | what a gate asks |
//!
//! ```
//! use runstate::conductor::read_run;
//! use runstate::conductor::wire::{ConductorState, Why};
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
//! let read = |text: &str| read_run(&[File { name: Some("status.json"), bytes: text.as_bytes() }], now, None);
//! assert_eq!(read(&status("running"))?.state, ConductorState::Running);
//!
//! // A word of tomorrow: the state is unknown, the word is kept, and so is the reason why it is unknown.
//! let run = read(&status("hibernating"))?;
//! assert_eq!((run.state, run.why), (ConductorState::Unknown, Some(Why::LifecycleUnrecognised)));
//! assert_eq!(run.source.lifecycle_state.unwrap().as_str(), "hibernating");
//! # Ok::<(), runstate::conductor::NotARun>(())
//! ```

pub mod derive;
pub mod wire;

use std::fmt;

use crate::file::File;
use crate::time::Millis;
use derive::{ConductorRun, Limits};
use wire::{Directory, kind};

/// The files are not those of a run, or `now` is no time. Never a state.
///
/// ```
/// use runstate::conductor::read_run;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let stranger = [File { name: Some("package.json"), bytes: br#"{"name":"demo"}"# }];
/// assert_eq!(read_run(&stranger, Millis(0.0), None).unwrap_err().code, "NOT_RECOGNISED");
/// assert_eq!(read_run(&[], Millis(f64::NAN), None).unwrap_err().code, "INVALID_INPUT");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotARun {
    /// `NOT_RECOGNISED` or `INVALID_INPUT`.
    pub code: &'static str,
    /// What was expected.
    pub message: &'static str,
}

impl fmt::Display for NotARun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl std::error::Error for NotARun {}

/// Reads a run directory, or any part of it. Files without a name are taken by what they hold.
///
/// `directory` is the directory's name, which must be the run's id where it is given. No files at all are a directory
/// in which nothing was written yet; a directory that is not there is the caller's `RUN_NOT_FOUND`.
///
/// # Errors
/// [`NotARun`] where there are files and none of them belongs to a run.
///
/// ```
/// use runstate::conductor::read_run;
/// use runstate::conductor::wire::{ConductorState, Phase};
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:40:41Z","lifecycle_state":"failed","current_step_id":"fix",
///     "last_completed_step_id":"test","last_route_target":"fix","termination":"error"}"#;
/// let now = Millis::parse_iso("2026-11-21T20:40:42Z").unwrap();
/// let run = read_run(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// assert_eq!((run.state, run.phase), (ConductorState::Running, Phase::BetweenSteps));
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
pub fn read_run(files: &[File<'_>], now: Millis, directory: Option<&str>) -> Result<ConductorRun, NotARun> {
    read_run_with(files, now, directory, &Limits::default())
}

/// [`read_run`] with limits of the caller's.
///
/// # Errors
/// As [`read_run`].
pub fn read_run_with(
    files: &[File<'_>],
    now: Millis,
    directory: Option<&str>,
    limits: &Limits,
) -> Result<ConductorRun, NotARun> {
    let kinds: Vec<_> = files.iter().map(kind::kind).collect();
    read_known(files, &kinds, now, directory, limits)
}

/// [`read_run_with`] of files whose kinds are known.
pub(crate) fn read_known(
    files: &[File<'_>],
    kinds: &[Option<kind::Kind>],
    now: Millis,
    directory: Option<&str>,
    limits: &Limits,
) -> Result<ConductorRun, NotARun> {
    if now.to_iso().is_err() {
        return Err(NotARun { code: "INVALID_INPUT", message: "Expected `now` as milliseconds since 1970." });
    }
    let read = Directory::read(files, kinds);
    if !files.is_empty() && !read.recognised {
        let message = "Expected files of a tnh-conductor run: status.json, events.ndjson, metadata.json, …";
        return Err(NotARun { code: "NOT_RECOGNISED", message });
    }
    Ok(derive::derive(read, directory, now, limits))
}
