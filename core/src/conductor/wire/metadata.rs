//! `metadata.json`: the summary of a run, written at its start and at its end.

use super::object::{Need, Object};
use super::problem::Problems;
use super::stamp::Stamp;
use super::status::word;
use super::words::Termination;
use crate::evidence::Signal;
use crate::json::{ReadError, Slice, fields};
use crate::word::Word;

/// The fields of `metadata.json`; one that is null, left out or unreadable is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Metadata {
    /// The run.
    pub run_id: Option<String>,
    /// The workflow.
    pub workflow_id: Option<String>,
    /// The workflow's version.
    pub workflow_version: Option<u64>,
    /// When the run began.
    pub started_at: Option<Stamp>,
    /// The first step.
    pub entry_step: Option<String>,
    /// When the run ended; set at the end alone.
    pub ended_at: Option<Stamp>,
    /// The last step; set at the end alone.
    pub last_step_id: Option<String>,
    /// How the run ended; set at the end alone.
    pub termination: Option<Word<Termination>>,
}

/// Reads the object, or what is whole of one that is `cut` off.
pub(crate) fn read(
    file: &str,
    slice: Slice<'_>,
    cut: bool,
    problems: &mut Problems,
) -> Result<Metadata, ReadError> {
    let [run_id, workflow_id, version, started_at, entry, ended_at, last, termination] = fields(
        slice,
        [
            "run_id",
            "workflow_id",
            "workflow_version",
            "started_at",
            "entry_step",
            "ended_at",
            "last_step_id",
            "termination",
        ],
    )?;
    let mut of = Object { file, slice, problems, cut, faults: Vec::new() };
    Ok(Metadata {
        run_id: of.text("run_id", run_id, Need::Required(Signal::RunId)),
        workflow_id: of.text("workflow_id", workflow_id, Need::Auxiliary),
        workflow_version: of.count("workflow_version", version),
        started_at: of.stamp("started_at", started_at, Need::Auxiliary),
        entry_step: of.text("entry_step", entry, Need::Auxiliary),
        ended_at: of.stamp("ended_at", ended_at, Need::Auxiliary),
        last_step_id: of.text("last_step_id", last, Need::Auxiliary),
        termination: word(of.text("termination", termination, Need::Auxiliary)),
    })
}
