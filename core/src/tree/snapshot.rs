//! A `DevTools` snapshot: the header and the tree (protocol section 3.4).

use super::delta::{js_text, read_header, read_op, read_ops, read_seq};
use super::{Delta, InvalidDelta};
use crate::json::{ReadError, Slice, Writer, fields, optional};
use crate::number::Number;
use crate::smithers::wire::RunStateView;
use crate::text::{self, concat};
use crate::tree::{Tree, members, read_subtree};

/// A snapshot of a run, version 1.
#[derive(Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// The run.
    pub run_id: String,
    /// The frame that the tree shows; 0 before the first.
    pub frame_no: f64,
    /// The sequence number, equal to the frame's.
    pub seq: f64,
    /// The structure.
    pub tree: Tree,
    /// The state at the time of the snapshot, if the server could compute it.
    pub run_state: Option<RunStateView>,
    /// The original text with `null` for the root.
    header: Box<str>,
}

impl Snapshot {
    /// Reads a snapshot.
    ///
    /// ```
    /// use runstate::tree::Snapshot;
    ///
    /// let refused = Snapshot::from_json(r#"{"version":2,"runId":"r1","frameNo":3,"seq":3,"root":{}}"#);
    /// assert!(refused.is_err(), "another version may mean other things by the same words");
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] for broken JSON, another version than 1, a missing header field, or a tree that cannot be read.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        read_snapshot(Slice::new(json))
    }

    /// Reads and applies a delta one operation at a time, as upstream's `applyDelta` does: the error names the first
    /// operation that is malformed or does not fit the tree.
    ///
    /// ```
    /// use runstate::tree::Snapshot;
    ///
    /// let mut snapshot = Snapshot::from_json(
    ///     r#"{"version":1,"runId":"r","frameNo":3,"seq":3,
    ///         "root":{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}}"#,
    /// )?;
    /// let delta = r#"{"version":1,"baseSeq":3,"seq":4,"ops":[{"op":"removeNode","id":7},{"op":"explode"}]}"#;
    /// assert_eq!(snapshot.apply_json(delta).unwrap_err().message, "Unknown node id: 7");
    /// assert_eq!(snapshot.seq, 3.0);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidDelta`] if the text is not a delta, or the delta was made for another sequence number or does not fit;
    /// nothing is changed then.
    pub fn apply_json(&mut self, delta: &str) -> Result<(), InvalidDelta> {
        let [base_seq, seq, ops] = read_header(Slice::new(delta))?;
        if base_seq.and_then(Slice::number) != Some(self.seq) {
            return Err(self.wrong_base(&js_text(base_seq)));
        }
        let (seq, ops) = (read_seq(seq)?, read_ops(ops)?);
        let mut change = Vec::new();
        for op in ops {
            let read = op.map_err(InvalidDelta::from);
            let read = read.and_then(|op| read_op(op, |id| self.tree.find(id).is_some()));
            if let Err(error) = read.and_then(|op| self.tree.apply_op(&op, &mut change)) {
                self.tree.roll_back(change);
                return Err(error);
            }
        }
        self.tree.commit(&change);
        (self.frame_no, self.seq) = (seq, seq);
        Ok(())
    }

    fn wrong_base(&self, base_seq: &str) -> InvalidDelta {
        let seq = Number(self.seq).to_text();
        InvalidDelta::new(format!("Delta base seq {base_seq} does not match snapshot seq {seq}."))
    }

    /// The snapshot as JSON, with all members of the original; see [`Tree::to_json`].
    ///
    /// ```
    /// use runstate::tree::Snapshot;
    ///
    /// let json = r#"{"version":1,"runId":"r1","frameNo":3,"seq":3,"root":{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0},"since":7}"#;
    /// assert_eq!(Snapshot::from_json(json)?.to_json(), json);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            let members = members(&self.header);
            for (key, value) in &members {
                match key.as_str() {
                    "frameNo" => out.key(key).number(self.frame_no),
                    "seq" => out.key(key).number(self.seq),
                    "root" => self.tree.write(out.key(key)),
                    _ => out.key(key).raw(value),
                }
            }
            if !members.iter().any(|(key, _)| key == "seq") {
                out.key("seq").number(self.seq);
            }
        });
        out.finish()
    }

    /// The original text with `null` for the root: the other members in their order.
    ///
    /// ```
    /// use runstate::tree::Snapshot;
    ///
    /// let json = r#"{"root":{"id":1,"type":"workflow","name":"w"},"version":1,"runId":"r1","frameNo":3,"ours":[1]}"#;
    /// assert_eq!(Snapshot::from_json(json)?.header(), r#"{"root":null,"version":1,"runId":"r1","frameNo":3,"ours":[1]}"#);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn header(&self) -> &str {
        &self.header
    }

    /// Applies a delta to the tree and updates `frame_no` and `seq`. Deltas do not contain a run state.
    ///
    /// ```
    /// use runstate::tree::{Delta, Snapshot};
    ///
    /// let mut snapshot = Snapshot::from_json(
    ///     r#"{"version":1,"runId":"r1","frameNo":3,"seq":3,"root":{"id":1,"type":"workflow","name":"w","children":[
    ///         {"id":2,"type":"task","name":"t"}]}}"#,
    /// )?;
    /// let delta = Delta::from_json(r#"{"version":1,"baseSeq":3,"seq":4,"ops":[{"op":"removeNode","id":2}]}"#)?;
    /// snapshot.apply(&delta)?;
    /// assert_eq!((snapshot.seq, snapshot.tree.len()), (4.0, 1));
    /// // The same delta again is for another base: refused, and nothing is changed.
    /// assert!(snapshot.apply(&delta).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidDelta`] if the delta was made for another sequence number or does not fit; nothing is changed then.
    pub fn apply(&mut self, delta: &Delta) -> Result<(), InvalidDelta> {
        if delta.base_seq != self.seq {
            return Err(self.wrong_base(&Number(delta.base_seq).to_text()));
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
    let whole = slice.whole();
    let part = |begin, end| text::slice(whole, begin..end);
    let header = concat(&[part(slice.begin(), root.begin()), "null", part(root.end(), slice.end())]);
    Ok(Snapshot {
        header: header.into(),
        run_id: run_id.text().ok_or_else(|| run_id.expected("a run id as text"))?,
        frame_no,
        seq,
        tree: Tree::new(read_subtree(root)?),
        run_state,
    })
}
