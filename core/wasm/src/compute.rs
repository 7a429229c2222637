//! The part of `computeRunState` that selects the rows to read and derives the state from them. `npm/compute.js` calls
//! the adapter, because it can wait for promises.

use js_sys::Function;
use runstate::smithers::derive::DeriveRunStateInput;
use runstate::smithers::derive::{Query, QueryAnswer, RowQueries};
use runstate::smithers::wire;
use runstate::word::Word;
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{Unchecked, read};
use crate::derive::{clock, derive};
use crate::error::Error;
use crate::output::typed;
use crate::run_row::{ComputeRunStateOptions, Options, RunRow, known};
use crate::view::RunStateView;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("compute.d.ts");

/// A pending approval; one without a time is ignored. `requestedAtMs` is in milliseconds since 1970.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRow {
    #[tsify(type = "string")]
    node_id: Unchecked,
    #[serde(default)]
    #[tsify(type = "number | null")]
    requested_at_ms: Unchecked,
}

/// A node of the run; `iteration` is 0 if missing.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct NodeRow {
    node_id: String,
    #[tsify(optional, type = "number | null")]
    iteration: Option<f64>,
    #[serde(default)]
    #[tsify(type = "string | null")]
    state: Unchecked,
}

/// An attempt at a node. `metaJson` is JSON text with the awaited timer or event.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub struct AttemptRow {
    #[tsify(type = "string | null")]
    state: Unchecked,
    #[tsify(type = "string | null")]
    meta_json: Unchecked,
}

/// A sandbox of the run. `heartbeatAtMs` is in milliseconds since 1970.
#[derive(Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct SandboxRow {
    #[tsify(type = "string | null")]
    status: Unchecked,
    #[tsify(type = "number | null")]
    heartbeat_at_ms: Unchecked,
}

/// One call to the adapter.
#[derive(Serialize, Tsify)]
pub struct AdapterCall {
    method: &'static str,
    arguments: Vec<Argument>,
}

/// An argument of a call to the adapter.
#[derive(Serialize, Tsify)]
#[serde(untagged)]
pub enum Argument {
    Id(String),
    Iteration(f64),
}

/// The rows that were read so far for the state of one run.
#[wasm_bindgen(skip_typescript)]
pub struct RunStateReading {
    run: wire::RunRow,
    options: Options,
    probe: Option<Function>,
    queries: RowQueries,
}

#[wasm_bindgen]
impl RunStateReading {
    /// Starts with the run's row.
    ///
    /// # Errors
    /// `INVALID_INPUT` if the row or the options do not match their types.
    #[wasm_bindgen(constructor)]
    pub fn new(run: &JsValue, options: &JsValue) -> Result<Self, Error> {
        let run = RunRow::read(run)?;
        let given = ComputeRunStateOptions::read(options)?;
        Ok(Self {
            options: given.check("options", known(&run))?,
            probe: given.probe("options")?,
            queries: RowQueries::new(&run),
            run,
        })
    }

    /// Returns the next call to make; `undefined` if no more rows are needed.
    ///
    /// # Errors
    /// `INTERNAL` only.
    pub fn next(&self) -> Result<Option<Ts<AdapterCall>>, Error> {
        let Some(query) = self.queries.query() else { return Ok(None) };
        let mut arguments = vec![Argument::Id(self.run.run_id.clone())];
        let method = match query {
            Query::PendingApprovals => "listPendingApprovals",
            Query::Nodes => "listNodes",
            Query::Sandboxes => "listSandboxes",
            Query::Attempts { node_id, iteration } => {
                arguments.extend([Argument::Id(node_id.to_owned()), Argument::Iteration(iteration)]);
                "listAttempts"
            }
        };
        typed(&AdapterCall { method, arguments }).map(Some)
    }

    /// Adds the rows that the call returned; `undefined` for an adapter without `listSandboxes`.
    ///
    /// # Errors
    /// `INVALID_INPUT` if the rows do not match their types.
    pub fn answer(&mut self, rows: &JsValue) -> Result<(), Error> {
        let answer = match self.queries.query() {
            None => return Ok(()),
            Some(Query::PendingApprovals) => QueryAnswer::Approvals(approvals(rows)?),
            Some(Query::Nodes) => QueryAnswer::Nodes(nodes(rows)?),
            Some(Query::Attempts { .. }) => QueryAnswer::Attempts(attempts(rows)?),
            Some(Query::Sandboxes) if rows.is_undefined() => QueryAnswer::Sandboxes(None),
            Some(Query::Sandboxes) => QueryAnswer::Sandboxes(Some(sandboxes(rows)?)),
        };
        self.queries.answer(answer);
        Ok(())
    }

    /// Returns the state of the run.
    ///
    /// # Errors
    /// Those of `deriveRunState`.
    pub fn view(&mut self) -> Result<Ts<RunStateView>, Error> {
        let pending = std::mem::replace(&mut self.queries, RowQueries::for_status(None::<&Word<_>>)).finish();
        let mut input = DeriveRunStateInput::new(&self.run, clock(self.options));
        input.pending_approval = pending.pending_approval;
        input.pending_timer = pending.pending_timer;
        input.pending_event = pending.pending_event;
        input.parked_event_block = pending.parked_event_block;
        input.sandbox_heartbeats = pending.sandbox_heartbeats;
        typed(&RunStateView::from(derive(input, self.options, self.probe.as_ref())?.view))
    }
}

fn approvals(rows: &JsValue) -> Result<Vec<wire::ApprovalRow>, Error> {
    let rows: Vec<ApprovalRow> = read(rows, "listPendingApprovals")?;
    let check = |(place, row): (usize, ApprovalRow)| {
        let requested_at_ms = row.requested_at_ms.value().as_f64();
        let path = format!("listPendingApprovals[{place}].nodeId");
        let node_id = if requested_at_ms.is_some() { row.node_id.read(&path)? } else { String::new() };
        Ok(wire::ApprovalRow::new(node_id, requested_at_ms))
    };
    rows.into_iter().enumerate().map(check).collect()
}

fn nodes(rows: &JsValue) -> Result<Vec<wire::NodeRow>, Error> {
    let rows: Vec<NodeRow> = read(rows, "listNodes")?;
    let row = |row: NodeRow| {
        let state = row.state.value().as_string();
        wire::NodeRow::new(row.node_id, row.iteration, state.as_deref())
    };
    Ok(rows.into_iter().map(row).collect())
}

fn attempts(rows: &JsValue) -> Result<Vec<wire::AttemptRow>, Error> {
    let rows: Vec<AttemptRow> = read(rows, "listAttempts")?;
    let row = |row: AttemptRow| {
        let state = row.state.value().as_string();
        wire::AttemptRow::new(state.as_deref(), row.meta_json.value().as_string())
    };
    Ok(rows.into_iter().map(row).collect())
}

/// Reads sandboxes; an element that is not an object is a sandbox without known fields.
fn sandboxes(rows: &JsValue) -> Result<Vec<wire::SandboxRow>, Error> {
    let rows: Vec<Unchecked> = read(rows, "listSandboxes")?;
    let row = |row: Unchecked| {
        let row: SandboxRow = row.read("").unwrap_or_default();
        let status = row.status.value().as_string();
        wire::SandboxRow::new(status.as_deref(), row.heartbeat_at_ms.value().as_f64())
    };
    Ok(rows.into_iter().map(row).collect())
}
