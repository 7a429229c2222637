//! The part of `computeRunState` that decides: which rows to ask the adapter for, and what they say.

use js_sys::{Array, Reflect};
use runstate::smithers::{Answer, ApprovalRow, AttemptRow, Gather, NodeRow, Query, SandboxRow};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error;
use crate::read::At;
use crate::run_state::{Options, Run, answer};
use crate::text;
use crate::write::Writer;

/// The error for a run that the adapter does not have.
#[wasm_bindgen(js_name = runNotFound, skip_typescript)]
pub fn run_not_found(run_id: &JsValue) -> JsValue {
    error::run_not_found(run_id)
}

/// One reading of a run's state: the caller makes the calls, which may take their time.
#[wasm_bindgen(skip_typescript)]
pub struct RunStateReading {
    adapter: JsValue,
    run: Run,
    options: Options,
    gather: Gather,
}

#[wasm_bindgen]
impl RunStateReading {
    /// Starts to read the state of the run of this row.
    ///
    /// # Errors
    /// `INVALID_INPUT` where the row or the options are not what their types say.
    #[wasm_bindgen(constructor)]
    pub fn new(adapter: JsValue, run: &JsValue, options: &JsValue) -> Result<Self, JsValue> {
        let run = Run::read(&At::argument(run, "run"))?;
        let options = Options::read(&At::argument(options, "options"))?;
        let gather = Gather::for_status(run.status.as_ref());
        Ok(Self { adapter, run, options, gather })
    }

    /// The next call to make on the adapter, `{ method, arguments }`; `undefined` when all is known.
    ///
    /// # Errors
    /// What the adapter throws when it is asked for `listSandboxes`.
    #[wasm_bindgen(js_name = next)]
    pub fn next_call(&mut self) -> Result<JsValue, JsValue> {
        if self.gather.query() == Some(Query::Sandboxes)
            && !Reflect::get(&self.adapter, &text::key("listSandboxes"))?.is_function()
        {
            self.gather.answer(Answer::Sandboxes(None));
        }
        let Some(query) = self.gather.query() else { return Ok(JsValue::UNDEFINED) };
        let arguments = Array::of1(&text::to_js(&self.run.id));
        if let Query::Attempts { node_id, iteration } = query {
            arguments.push(&text::to_js(node_id));
            arguments.push(&iteration.into());
        }
        let mut call = Writer::new();
        call.text("method", method(query));
        call.value("arguments", &arguments);
        Ok(call.finish())
    }

    /// Takes what the call came to.
    ///
    /// # Errors
    /// `INVALID_INPUT` where the rows are not what their types say.
    pub fn give(&mut self, rows: &JsValue) -> Result<(), JsValue> {
        let Some(query) = self.gather.query() else { return Ok(()) };
        let name = format!("{}()", method(query));
        let rows = At::argument(rows, &name);
        let answer = match query {
            Query::PendingApprovals => Answer::Approvals(rows.each(approval)?),
            Query::Nodes => Answer::Nodes(rows.each(node)?),
            Query::Attempts { .. } => Answer::Attempts(rows.each(attempt)?),
            Query::Sandboxes => {
                let rows = rows.each(|row| row.optional(sandbox))?;
                Answer::Sandboxes(Some(rows.into_iter().flatten().collect()))
            }
        };
        self.gather.answer(answer);
        Ok(())
    }

    /// The answer.
    ///
    /// # Errors
    /// As `deriveRunState`.
    pub fn view(&mut self) -> Result<JsValue, JsValue> {
        let gather = std::mem::replace(&mut self.gather, Gather::for_status(None));
        answer(&self.run, gather.finish(), &self.options)
    }
}

fn method(query: Query) -> &'static str {
    match query {
        Query::PendingApprovals => "listPendingApprovals",
        Query::Nodes => "listNodes",
        Query::Attempts { .. } => "listAttempts",
        Query::Sandboxes => "listSandboxes",
    }
}

fn approval(row: &At<'_>) -> Result<ApprovalRow, JsValue> {
    let requested_at_ms = row.field("requestedAtMs")?.number_or_none();
    Ok(ApprovalRow { node_id: row.field("nodeId")?.text()?, requested_at_ms })
}

fn node(row: &At<'_>) -> Result<NodeRow, JsValue> {
    Ok(NodeRow {
        node_id: row.field("nodeId")?.text()?,
        iteration: row.field("iteration")?.optional(At::number)?,
        state: row.field("state")?.text_or_none(),
    })
}

fn attempt(row: &At<'_>) -> Result<AttemptRow, JsValue> {
    let meta_json = row.field("metaJson")?.text_or_none();
    Ok(AttemptRow { state: row.field("state")?.text_or_none(), meta_json })
}

fn sandbox(row: &At<'_>) -> Result<SandboxRow, JsValue> {
    let heartbeat_at_ms = row.field("heartbeatAtMs")?.number_or_none();
    Ok(SandboxRow { status: row.field("status")?.text_or_none(), heartbeat_at_ms })
}
