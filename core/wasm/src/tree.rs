//! Snapshots: `applyDelta`, `diffSnapshots`, and `Tree`, a tree in WebAssembly's memory.

use std::collections::HashSet;

use js_sys::Object;
use runstate::error_code::ErrorCode;
use runstate::tree::{self, NodeId, NodeIndex, Row, Snapshot};
use runstate::word::Word;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{json, read, refused, text};
use crate::error::Error;
use crate::node::NodeFacts;
use crate::output::{Json, parse_own, to_js, typed};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("tree.d.ts");

/// A page of the visible rows of a tree.
#[derive(Serialize, Tsify)]
pub struct TreePage {
    /// The number of all visible rows.
    total: usize,
    rows: Vec<TreeRow>,
}

/// A node as a row of a tree.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TreeRow {
    #[serde(flatten)]
    facts: NodeFacts,
    /// The depth below the root.
    depth: u32,
    /// The position among its siblings, from 1.
    position: u32,
    set_size: u32,
    expandable: bool,
    expanded: bool,
}

/// A node with its details and the ids of its parent and children.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct TreeNodeDetails {
    #[serde(flatten)]
    facts: NodeFacts,
    depth: u32,
    #[tsify(type = "Record<string, unknown>")]
    props: Json,
    #[tsify(type = "DevToolsNode[\"task\"]")]
    task: Option<Json>,
    parent_id: Option<f64>,
    child_ids: Vec<f64>,
    /// The combined state of the descendants; absent if none fits.
    rollup: Option<String>,
    /// The number of nodes of its subtree, including itself.
    weight: u32,
}

/// The members of a snapshot that a delta changes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    frame_no: f64,
    seq: f64,
    root: Json,
}

/// Returns the snapshot with the delta applied; the arguments do not change. `tree.d.ts` has the public documentation.
///
/// # Errors
/// `InvalidDelta` if the delta is malformed or does not fit, `INVALID_INPUT` if the snapshot cannot be read.
#[wasm_bindgen(js_name = applyDelta, skip_typescript)]
pub fn apply_delta(snapshot: &JsValue, delta: &JsValue) -> Result<JsValue, Error> {
    let mut read = read_snapshot(snapshot, "snapshot")?;
    read.apply_json(&object_json(delta, "delta")?)?;
    let copy = Object::assign(&Object::new(), snapshot.unchecked_ref());
    Ok(Object::assign(&copy, changed(&read)?.unchecked_ref()).into())
}

/// Returns the delta between two snapshots: applied to `a`, it gives `b`. Same arguments and result as `diffSnapshots` of
/// `@smithers-orchestrator/devtools`.
///
/// # Errors
/// `DIFFERENT_RUNS` for snapshots of different runs, `INVALID_INPUT` if one of them cannot be read.
#[wasm_bindgen(js_name = diffSnapshots, unchecked_return_type = "DevToolsDelta")]
pub fn diff_snapshots(
    #[wasm_bindgen(unchecked_param_type = "DevToolsSnapshot")] a: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "DevToolsSnapshot")] b: &JsValue,
) -> Result<JsValue, Error> {
    let (a, b) = (read_snapshot(a, "a")?, read_snapshot(b, "b")?);
    let delta = tree::diff_snapshots(&a, &b);
    let delta = delta.map_err(|error| Error::with_code(ErrorCode::DifferentRuns, &error.to_string()))?;
    parse_own(&delta.to_json())
}

fn read_snapshot(value: &JsValue, path: &str) -> Result<Snapshot, Error> {
    let json = object_json(value, path)?;
    Snapshot::from_json(&json).map_err(|error| Error::unreadable(path, &error.message, None))
}

/// Writes an object as JSON text; refuses any other value before that.
fn object_json(value: &JsValue, path: &str) -> Result<String, Error> {
    if value.is_object() { json(value, path) } else { Err(refused(path, "an object", value)) }
}

fn changed(snapshot: &Snapshot) -> Result<JsValue, Error> {
    let root = Json::parse(&snapshot.tree.to_json());
    Ok(to_js(&Changed { frame_no: snapshot.frame_no, seq: snapshot.seq, root })?)
}

/// A snapshot in WebAssembly's memory. The time to apply a delta depends on the size of the delta, not on that of the tree.
#[wasm_bindgen]
pub struct Tree {
    snapshot: Snapshot,
}

#[wasm_bindgen]
impl Tree {
    /// Reads a snapshot from JSON, as text, bytes or an object.
    ///
    /// # Errors
    /// `INVALID_INPUT` with the position in the text.
    #[wasm_bindgen(constructor)]
    pub fn new(#[wasm_bindgen(unchecked_param_type = "Content")] snapshot: &JsValue) -> Result<Self, Error> {
        let text = text(snapshot, "snapshot")?;
        let snapshot = Snapshot::from_json(&text)
            .map_err(|error| Error::unreadable("snapshot", &error.message, Some((&text, error.offset))))?;
        Ok(Self { snapshot })
    }

    /// The number of nodes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.snapshot.tree.len()
    }

    /// Applies a delta, given as JSON text, bytes or an object. After an error the tree is unchanged.
    ///
    /// # Errors
    /// `InvalidDelta` if the delta is malformed or does not fit, `INVALID_INPUT` for any other value.
    pub fn apply(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Content")] delta: &JsValue,
    ) -> Result<(), Error> {
        Ok(self.snapshot.apply_json(&text(delta, "delta")?)?)
    }

    /// Returns the visible rows from `start` up to, but not including, `end`; `collapsed` lists the ids of the collapsed
    /// nodes.
    ///
    /// # Errors
    /// `INVALID_INPUT` if an argument does not match its type.
    pub fn rows(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] start: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] end: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "readonly number[]")] collapsed: &JsValue,
    ) -> Result<Ts<TreePage>, Error> {
        let (start, end) = (row_number(start, "start")?, row_number(end, "end")?);
        let ids: Option<Vec<f64>> = read(collapsed, "collapsed")?;
        let collapsed: HashSet<NodeId> = ids.into_iter().flatten().filter_map(node_id).collect();
        let outline = self.snapshot.tree.outline(&collapsed);
        let rows = outline.rows(start as usize..end.max(start) as usize);
        let rows = rows.iter().map(|row| self.row(row)).collect();
        typed(&TreePage { total: outline.len(), rows })
    }

    /// Returns the node with this id; `undefined` if there is none.
    ///
    /// # Errors
    /// `INVALID_INPUT` if the id is not a number.
    pub fn node(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] id: &JsValue,
    ) -> Result<Option<Ts<TreeNodeDetails>>, Error> {
        let id: f64 = read(id, "id")?;
        let found = node_id(id).and_then(|id| self.snapshot.tree.find(id));
        found.map(|index| typed(&self.details(index))).transpose()
    }

    /// Returns the present snapshot, including unknown fields.
    ///
    /// # Errors
    /// `INTERNAL`, for a defect of this package.
    #[wasm_bindgen(unchecked_return_type = "DevToolsSnapshot")]
    pub fn snapshot(&self) -> Result<JsValue, Error> {
        let header = parse_own(self.snapshot.header())?;
        Ok(Object::assign(header.unchecked_ref::<Object>(), changed(&self.snapshot)?.unchecked_ref()).into())
    }
}

impl Tree {
    fn row(&self, row: &Row) -> TreeRow {
        TreeRow {
            facts: self.snapshot.tree.node(row.index).into(),
            depth: row.depth,
            position: row.position,
            set_size: row.set_size,
            expandable: row.expandable,
            expanded: row.expanded,
        }
    }

    fn details(&self, index: NodeIndex) -> TreeNodeDetails {
        let tree = &self.snapshot.tree;
        let node = tree.node(index);
        let id = |index: NodeIndex| tree.node(index).id.0 as f64;
        TreeNodeDetails {
            facts: node.into(),
            depth: node.depth,
            props: Json::parse(node.props()),
            task: node.task.as_ref().map(|task| Json::parse(task.json())),
            parent_id: node.parent.map(id),
            child_ids: node.children.iter().copied().map(id).collect(),
            rollup: tree.rollup(index).state.as_ref().map(Word::to_string),
            weight: tree.weight(index),
        }
    }
}

/// The id of a node; `None` for a number that no node can have.
fn node_id(number: f64) -> Option<NodeId> {
    (number.fract() == 0.0).then_some(NodeId(number as i64))
}

/// The number of a row, from 0; beyond the last row there are none.
pub(crate) fn row_number(value: &JsValue, path: &str) -> Result<u32, Error> {
    match value.as_f64() {
        Some(number) if number >= 0.0 => Ok(number as u32),
        Some(_) | None => Err(refused(path, "a whole number from 0", value)),
    }
}
