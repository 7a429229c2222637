//! The files of a step: `artifacts/<step>/manifest.json`, `gate_request.json` and others.

use super::file_kind::is_run_id;
use super::timestamp::Timestamp;
use super::words::Opcode;
use crate::json::{ReadError, Slice, fields, items, record};
use crate::text::concat;
use crate::word::Word;

record! {
    /// The manifest of the last visit of a step. Each visit overwrites the one before.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub(crate) struct Manifest {
        /// The step.
        pub step_id: Option<String>,
        /// Its opcode.
        pub opcode: Option<Word<Opcode>>,
        /// When the step started.
        pub started_at: Option<Timestamp>,
        /// When the step ended.
        pub ended_at: Option<Timestamp>,
        /// How it ended: a word of [`Termination`](super::Termination), [`PlannerStatus`](super::PlannerStatus) or
        /// [`GateOutcome`](super::GateOutcome), verbatim.
        pub termination: Option<String>,
        /// What the step left.
        pub evidence_summary: Option<EvidenceSummary>,
    }
}

record! {
    /// `gate_request.json`: the question of a gate.
    ///
    /// ```
    /// use runstate::conductor::read_run_directory;
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
    /// let request = read_run_directory(&files, Millis(0.0), None)?.blocked.unwrap().request.unwrap();
    /// assert_eq!((request.gate.as_deref(), request.timeout_seconds), (Some("requires_approval"), None));
    /// # Ok::<(), runstate::conductor::ReadRunError>(())
    /// ```
    #[derive(Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    pub struct GateRequest {
        /// The kind of the gate, as the workflow names it.
        pub gate: Option<String>,
        /// The time limit. The approver enforces it, not the kernel.
        pub timeout_seconds: Option<f64>,
    }
}

record! {
    /// The evidence of a step in its manifest.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub(crate) struct EvidenceSummary {
        notes: Option<Vec<String>>,
    }
}

impl Manifest {
    /// The reason for the step's failure: its last note, in which the kernel writes the text of an exception. No other file
    /// contains it. Every step has a note about its policy, which is not a failure.
    pub(crate) fn failure(&self) -> Option<&str> {
        let last = self.evidence_summary.as_ref()?.notes.as_ref()?.last()?;
        Some(last.as_str()).filter(|note| !note.starts_with("policy: "))
    }
}

/// Reads one word of `gate_outcome.json` or `planner_decision.json`.
pub(crate) fn read_word(slice: Slice<'_>, name: &str) -> Result<Option<String>, ReadError> {
    let [word] = fields(slice, [name])?;
    Ok(word.and_then(Slice::text))
}

/// `policy_summary.json`, `runner_metadata.json` or `workspace_status.json`, as a sentence.
pub(crate) struct AuxiliaryFile {
    /// The id of the run, if the name of its branch contains it.
    pub(crate) run_id: Option<String>,
    /// The start of the sentence.
    pub(crate) what: &'static str,
    /// The content of the file.
    pub(crate) value: String,
}

/// Reads an auxiliary file; `None` for any other object.
pub(crate) fn read_auxiliary(slice: Slice<'_>) -> Option<AuxiliaryFile> {
    let names = ["agent_family", "termination", "exit_code"];
    let [family, termination, exit_code] = fields(slice, names).ok()?;
    let names =
        ["requested_policy", "effective_policy", "violations", "worktree_path", "branch_name", "is_dirty"];
    let [requested, effective, violations, worktree, branch, dirty] = fields(slice, names).ok()?;
    let (what, value) = if let (Some(family), Some(termination)) = (family, termination) {
        let exit = exit_code.filter(|code| code.json() != "null");
        let exit = exit.map(|code| concat(&[", exit code ", code.json()])).unwrap_or_default();
        ("A runner ended:", concat(&[&family.text()?, " ", &termination.text()?, &exit]))
    } else if let (Some(_), Some(effective)) = (requested, effective) {
        let names = ["execution_posture", "network_posture", "approval_posture"];
        let [execution, network, approval] = fields(effective, names).ok()?;
        let word = |word: Option<Slice<'_>>| word.and_then(Slice::text).unwrap_or_else(|| "unset".to_owned());
        let violations = items(violations?).ok()?.count().to_string();
        let words = [&word(execution), ", network ", &word(network), ", ", &word(approval), ", violations: "];
        ("The policy of a step:", concat(&[&concat(&words), &violations]))
    } else {
        let dirty = if worktree.and(dirty)?.json() == "true" { "changed" } else { "unchanged" };
        ("The workspace:", concat(&[&branch?.text()?, ", ", dirty]))
    };
    let branch = branch.and_then(Slice::text).unwrap_or_default();
    let run_id = branch.strip_prefix("tnh/run-").filter(|name| is_run_id(name)).map(str::to_owned);
    Some(AuxiliaryFile { run_id, what, value })
}
