//! A `DevTools` snapshot: the header and the tree (protocol section 3.4).

use super::{Delta, InvalidDelta, RunStateView};
use crate::json::{ReadError, Slice, fields, optional};
use crate::number::Number;
use crate::text::concat;
use crate::tree::{Tree, read_subtree};

/// A snapshot of a run, version 1.
#[derive(Debug)]
pub struct Snapshot {
    /// The run.
    pub run_id: String,
    /// The frame that the tree shows; 0 before the first.
    pub frame_no: f64,
    /// The sequence number, equal to the frame's.
    pub seq: f64,
    /// The structure.
    pub tree: Tree,
    /// The server's answer at the time of the snapshot; absent where it could not be computed.
    pub run_state: Option<RunStateView>,
}

impl Snapshot {
    /// Reads a snapshot.
    ///
    /// # Errors
    /// [`ReadError`] for broken JSON, another version than 1, a missing header field, or a tree that cannot be read.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        read_snapshot(Slice::new(json))
    }

    /// Applies a delta to the tree and moves `frame_no` and `seq` on. The run state stays: no delta carries one.
    ///
    /// # Errors
    /// [`InvalidDelta`] where the delta was made for another sequence number or does not fit; nothing is changed then.
    pub fn apply(&mut self, delta: &Delta) -> Result<(), InvalidDelta> {
        if delta.base_seq != self.seq {
            let (base, seq) = (Number(delta.base_seq).to_text(), Number(self.seq).to_text());
            return Err(InvalidDelta::new(format!(
                "Delta base seq {base} does not match snapshot seq {seq}."
            )));
        }
        self.tree.apply(delta)?;
        (self.frame_no, self.seq) = (delta.seq, delta.seq);
        Ok(())
    }
}

pub(crate) fn read_snapshot(slice: Slice<'_>) -> Result<Snapshot, ReadError> {
    let [version, run_id, frame_no, seq, root, run_state] =
        fields(slice, ["version", "runId", "frameNo", "seq", "root", "runState"])?;
    match version {
        Some(version) if version.number() == Some(1.0) => {}
        Some(version) => {
            let found = version.json();
            return Err(
                version.refuse(format!("Runstate reads snapshots of version 1, found version {found}."))
            );
        }
        None => return Err(slice.refuse("Runstate reads snapshots of version 1, found no version.")),
    }
    let missing = |name: &str| slice.refuse(concat(&["The snapshot has no \"", name, "\"."]));
    let number = |field: Slice<'_>| field.number().ok_or_else(|| field.expected("a number"));
    let run_id = run_id.ok_or_else(|| missing("runId"))?;
    let root = root.ok_or_else(|| missing("root"))?;
    let frame_no = number(frame_no.ok_or_else(|| missing("frameNo"))?)?;
    let seq = seq.map_or(Ok(frame_no), number)?;
    let run_state = optional(run_state, RunStateView::read)?;
    Ok(Snapshot {
        run_id: run_id.text().ok_or_else(|| run_id.expected("a run id as text"))?,
        frame_no,
        seq,
        tree: Tree::new(read_subtree(root)?),
        run_state,
    })
}
