//! `artifacts/<step>/manifest.json` and the small files beside it: how a step ended, and what was decided there.

use super::object::{Need, Object};
use super::problem::Problems;
use super::stamp::Stamp;
use super::status::word;
use super::words::{ArtifactRole, Opcode};
use crate::evidence::Signal;
use crate::json::{ReadError, Slice, fields, items};
use crate::word::Word;

/// A step's manifest: of its last visit, because each visit writes over the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Manifest {
    /// The step.
    pub step_id: Option<String>,
    /// What the step does.
    pub opcode: Option<Word<Opcode>>,
    /// When the step began.
    pub started_at: Option<Stamp>,
    /// When the step ended.
    pub ended_at: Option<Stamp>,
    /// How it ended: a word of [`Termination`](super::Termination), [`PlannerStatus`](super::PlannerStatus) or
    /// [`GateOutcome`](super::GateOutcome), verbatim.
    pub termination: Option<String>,
    /// Free notes; the text of an exception stands here alone, as the last one.
    pub notes: Vec<String>,
    /// What the step left.
    pub artifacts: Vec<Artifact>,
}

/// One artifact of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Artifact {
    /// What it is.
    pub role: Word<ArtifactRole>,
    /// Where, from the run directory; text of the writer, never a path to follow blindly.
    pub path: String,
}

/// `gate_request.json`: what a gate asks.
///
/// ```
/// use runstate::conductor::read_run;
/// use runstate::file::File;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"release","started_at":"2026-11-21T20:40:38Z",
///     "updated_at":"2026-11-21T20:41:00Z","lifecycle_state":"waiting","current_step_id":"approve",
///     "last_completed_step_id":"build","active_opcode":"GATE"}"#;
/// let asked = br#"{"gate":"requires_approval","timeout_seconds":null}"#;
/// let files = [
///     File { name: Some("status.json"), bytes: status },
///     File { name: Some("artifacts/approve/gate_request.json"), bytes: asked },
/// ];
/// let request = read_run(&files, Millis(0.0), None)?.blocked.unwrap().request.unwrap();
/// assert_eq!((request.gate.as_deref(), request.timeout_seconds), (Some("requires_approval"), None));
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GateRequest {
    /// The kind of gate, in the workflow's words.
    pub gate: Option<String>,
    /// The time limit, which the approver keeps and the kernel does not.
    pub timeout_seconds: Option<f64>,
}

/// Reads a manifest, or what is whole of one that is `cut` off.
pub(crate) fn read(
    file: &str,
    slice: Slice<'_>,
    cut: bool,
    problems: &mut Problems,
) -> Result<Manifest, ReadError> {
    let names =
        ["step_id", "opcode", "started_at", "ended_at", "termination", "evidence_summary", "artifacts"];
    let [step_id, opcode, started_at, ended_at, termination, summary, artifacts] = fields(slice, names)?;
    let notes = match summary.filter(|summary| summary.is_object()) {
        Some(summary) => fields(summary, ["notes"])?[0],
        None => None,
    };
    let mut of = Object { file, slice, problems, cut, faults: Vec::new() };
    Ok(Manifest {
        step_id: of.text("step_id", step_id, Need::Required(Signal::StepId)),
        opcode: word(of.text("opcode", opcode, Need::Auxiliary)),
        started_at: of.stamp("started_at", started_at, Need::Auxiliary),
        ended_at: of.stamp("ended_at", ended_at, Need::Auxiliary),
        termination: of.text("termination", termination, Need::Auxiliary),
        notes: notes.map(texts).unwrap_or_default(),
        artifacts: artifacts.map(read_artifacts).unwrap_or_default(),
    })
}

/// The texts of a list; what is no text is left out.
fn texts(list: Slice<'_>) -> Vec<String> {
    items(list).into_iter().flatten().flatten().filter_map(Slice::text).collect()
}

fn read_artifacts(list: Slice<'_>) -> Vec<Artifact> {
    let artifact = |item: Slice<'_>| {
        let [role, path] = fields(item, ["role", "path"]).ok()?;
        Some(Artifact { role: Word::new(&role?.text()?), path: path?.text()? })
    };
    items(list).into_iter().flatten().flatten().filter_map(artifact).collect()
}

/// Reads `gate_request.json`.
pub(crate) fn read_gate_request(slice: Slice<'_>) -> Result<GateRequest, ReadError> {
    let [gate, timeout] = fields(slice, ["gate", "timeout_seconds"])?;
    Ok(GateRequest { gate: gate.and_then(Slice::text), timeout_seconds: timeout.and_then(Slice::number) })
}

/// Reads one word of `gate_outcome.json` or `planner_decision.json`.
pub(crate) fn read_word(slice: Slice<'_>, name: &str) -> Result<Option<String>, ReadError> {
    let [word] = fields(slice, [name])?;
    Ok(word.and_then(Slice::text))
}
