//! Snapshots: `applyDelta`, `diffSnapshots`, and a live tree that stays here.

use std::collections::HashSet;

use js_sys::Array;
use runstate::json::ReadError;
use runstate::smithers::{InvalidDelta, Snapshot};
use runstate::tree::{NodeId, NodeIndex, Row};
use runstate::word::Word;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::{document, json};
use crate::error::{coded, invalid_input, unread};
use crate::node::facts;
use crate::source::{Js, refused};
use crate::write::{Writer, kept_json, list, value_of};

/// What is new in the snapshot with the delta applied, `{ frameNo, seq, root }`; neither argument is changed.
///
/// # Errors
/// `InvalidDelta` where the delta is none or does not fit, `INVALID_INPUT` where the snapshot is none.
#[wasm_bindgen(js_name = applyDelta, skip_typescript)]
pub fn apply_delta(snapshot: &JsValue, delta: &JsValue) -> Result<JsValue, JsValue> {
    let mut snapshot = snapshot_of(snapshot, "snapshot")?;
    let delta = json(delta, "delta")?;
    snapshot.apply_json(&delta).map_err(|error| invalid_delta(&error))?;
    let mut object = Writer::new();
    changed(&mut object, &snapshot);
    Ok(object.finish())
}

/// The delta from one snapshot to another.
///
/// # Errors
/// `DIFFERENT_RUNS` for snapshots of different runs, `INVALID_INPUT` where one is none.
#[wasm_bindgen(js_name = diffSnapshots, skip_typescript)]
pub fn diff_snapshots(a: &JsValue, b: &JsValue) -> Result<JsValue, JsValue> {
    let (a, b) = (snapshot_of(a, "a")?, snapshot_of(b, "b")?);
    let delta = runstate::smithers::diff_snapshots(&a, &b);
    let delta = delta.map_err(|error| coded("DIFFERENT_RUNS", &error.to_string()))?;
    Ok(value_of(&delta.to_json()))
}

fn changed(object: &mut Writer, snapshot: &Snapshot) {
    object.number("frameNo", snapshot.frame_no);
    object.number("seq", snapshot.seq);
    object.value("root", &value_of(&snapshot.tree.to_json()));
}

fn snapshot_of(value: &JsValue, path: &str) -> Result<Snapshot, JsValue> {
    Snapshot::from_json(&json(value, path)?).map_err(|error| unread(path, &error.message, None))
}

fn invalid_delta(error: &InvalidDelta) -> JsValue {
    coded(error.code, &error.message)
}

/// A snapshot that stays in wasm while deltas change it.
#[wasm_bindgen(skip_typescript)]
pub struct Tree {
    snapshot: Snapshot,
}

#[wasm_bindgen]
impl Tree {
    /// Reads a snapshot from its JSON text.
    ///
    /// # Errors
    /// `INVALID_INPUT` with the place in the text.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &JsValue) -> Result<Self, JsValue> {
        let text = document(bytes, "snapshot")?;
        let refuse = |error: ReadError| unread("snapshot", &error.message, Some((&text, error.offset)));
        Ok(Self { snapshot: Snapshot::from_json(&text).map_err(refuse)? })
    }

    /// How many nodes there are.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.snapshot.tree.len() as f64
    }

    /// Applies a delta from its JSON text, all of it or nothing.
    ///
    /// # Errors
    /// `InvalidDelta`, `INVALID_INPUT` where it is no text.
    pub fn apply(&mut self, bytes: &JsValue) -> Result<(), JsValue> {
        let text = document(bytes, "delta")?;
        self.snapshot.apply_json(&text).map_err(|error| invalid_delta(&error))
    }

    /// The rows with these numbers that are visible when the nodes of `collapsed` are collapsed, and how many there are
    /// in all.
    ///
    /// # Errors
    /// `INVALID_INPUT`.
    pub fn rows(&self, start: &JsValue, end: &JsValue, collapsed: &JsValue) -> Result<JsValue, JsValue> {
        let (start, end) = (place(start, "start")?, place(end, "end")?);
        let collapsed = ids(collapsed)?;
        let tree = &self.snapshot.tree;
        let outline = tree.outline(&collapsed);
        let mut page = Writer::new();
        page.number("total", outline.len() as f64);
        let rows = outline.rows(start..end.max(start));
        page.value("rows", &list(rows.iter().map(|row| self.row(row))));
        Ok(page.finish())
    }

    /// The node with this id on the wire; `undefined` where there is none.
    ///
    /// # Errors
    /// `INVALID_INPUT` where the id is no number.
    pub fn node(&self, id: &JsValue) -> Result<JsValue, JsValue> {
        let Some(id) = id.as_f64() else {
            return Err(invalid_input(&refused("id", "a node's id as a number", &Js::new(id))));
        };
        let found = self.snapshot.tree.find(NodeId(id as i64)).filter(|_| id.fract() == 0.0);
        Ok(found.map_or(JsValue::UNDEFINED, |index| self.whole_node(index)))
    }

    /// The snapshot as it is now, with all that it came with.
    pub fn snapshot(&self) -> JsValue {
        let mut object = Writer::of(value_of(self.snapshot.header()));
        changed(&mut object, &self.snapshot);
        object.finish()
    }
}

impl Tree {
    fn row(&self, row: &Row) -> JsValue {
        let mut object = facts(self.snapshot.tree.node(row.index));
        object.number("depth", f64::from(row.depth));
        object.number("position", f64::from(row.position));
        object.number("setSize", f64::from(row.set_size));
        object.flag("expandable", row.expandable);
        object.flag("expanded", row.expanded);
        object.finish()
    }

    fn whole_node(&self, index: NodeIndex) -> JsValue {
        let tree = &self.snapshot.tree;
        let node = tree.node(index);
        let mut object = facts(node);
        object.number("depth", f64::from(node.depth));
        object.value("props", &kept_json(node.props()));
        object.optional("task", node.task.as_ref().map(|task| kept_json(task.json())));
        object.optional("parentId", node.parent.map(|parent| (tree.node(parent).id.0 as f64).into()));
        let below = node.children.iter().map(|child| JsValue::from(tree.node(*child).id.0 as f64));
        object.value("childIds", &list(below));
        let rollup = tree.rollup(index);
        object.optional_text("rollup", rollup.state.as_ref().map(Word::as_str));
        object.number("weight", f64::from(tree.weight(index)));
        object.finish()
    }
}

fn place(value: &JsValue, path: &str) -> Result<usize, JsValue> {
    match value.as_f64() {
        Some(number) if number >= 0.0 => Ok(number as usize),
        Some(_) | None => Err(invalid_input(&refused(path, "a number of a row, from 0", &Js::new(value)))),
    }
}

fn ids(value: &JsValue) -> Result<HashSet<NodeId>, JsValue> {
    if value.is_undefined() {
        return Ok(HashSet::new());
    }
    let refuse = || invalid_input(&refused("collapsed", "a list of nodes' ids", &Js::new(value)));
    if !Array::is_array(value) {
        return Err(refuse());
    }
    Array::from(value).iter().map(|id| id.as_f64().map(|id| NodeId(id as i64)).ok_or_else(refuse)).collect()
}
