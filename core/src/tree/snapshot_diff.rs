//! The delta between two snapshots of one run.

use std::fmt;

use super::{Delta, Snapshot};

/// Two snapshots of different runs have no delta between them.
///
/// ```
/// use runstate::tree::{DifferentRuns, Snapshot, diff_snapshots};
///
/// let of = |run: &str| {
///     Snapshot::from_json(&format!(
///         r#"{{"version":1,"runId":"{run}","frameNo":1,"seq":1,"root":{{"id":1,"type":"workflow","name":"w"}}}}"#
///     ))
/// };
/// assert_eq!(diff_snapshots(&of("a")?, &of("b")?).unwrap_err(), DifferentRuns);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferentRuns;

impl fmt::Display for DifferentRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cannot diff snapshots from different runs.")
    }
}

impl std::error::Error for DifferentRuns {}

/// The delta from one snapshot to another, step for step upstream's `diffSnapshots`.
///
/// ```
/// use runstate::tree::{Snapshot, diff_snapshots};
///
/// let snapshot = |seq, state| {
///     Snapshot::from_json(&format!(
///         r#"{{"version":1,"runId":"r","frameNo":{seq},"seq":{seq},"root":{{"id":1,"type":"task","name":"task",
///             "props":{{}},"task":{{"nodeId":"a","kind":"agent","state":"{state}"}},"children":[],"depth":0}}}}"#
///     ))
/// };
/// let (mut a, b) = (snapshot(4, "pending")?, snapshot(5, "finished")?);
/// let delta = diff_snapshots(&a, &b)?;
/// assert_eq!(
///     delta.to_json(),
///     r#"{"version":1,"baseSeq":4,"seq":5,"ops":[{"op":"updateTask","id":1,"task":{"nodeId":"a","kind":"agent","state":"finished"}}]}"#
/// );
/// a.apply(&delta)?;
/// assert_eq!(a.tree.to_json(), b.tree.to_json());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DifferentRuns`].
pub fn diff_snapshots(a: &Snapshot, b: &Snapshot) -> Result<Delta, DifferentRuns> {
    if a.run_id != b.run_id {
        return Err(DifferentRuns);
    }
    Ok(Delta { version: 1.0, base_seq: a.seq, seq: b.seq, ops: a.tree.diff(&b.tree) })
}
