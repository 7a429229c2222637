//! Files beside a manifest that tell how a step ran: its policy, its runner, the state of its workspace.

use super::directory::is_run_id;
use crate::json::{Slice, fields, items};
use crate::text::concat;

/// What such a file says.
pub(crate) struct AuxiliaryFile {
    /// The run, as far as the name of its branch tells.
    pub(crate) run_id: Option<String>,
    pub(crate) what: &'static str,
    pub(crate) said: String,
}

/// Reads one; `None` where it is nothing of the kind.
pub(crate) fn read(slice: Slice<'_>) -> Option<AuxiliaryFile> {
    let names = ["agent_family", "termination", "exit_code"];
    let [family, termination, exit_code] = fields(slice, names).ok()?;
    let names =
        ["requested_policy", "effective_policy", "violations", "worktree_path", "branch_name", "is_dirty"];
    let [requested, effective, violations, worktree, branch, dirty] = fields(slice, names).ok()?;
    let (what, said) = if let (Some(family), Some(termination)) = (family, termination) {
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
    Some(AuxiliaryFile { run_id, what, said })
}
