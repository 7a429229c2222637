//! The part of `computeRunState` that decides: which rows to ask the adapter for, and what they say.

use js_sys::{Array, Function, Reflect};
use runstate::smithers::input::{
    DeriveInput, Options, read_approvals, read_attempts, read_compute_options, read_nodes, read_run,
    read_sandboxes,
};
use runstate::smithers::{Answer, Gather, Query, RunRow};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error;
use crate::run_state::answer;
use crate::source::Js;
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
    run: RunRow,
    options: Options,
    probe: Option<Function>,
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
        let run = Js::new(run).read(read_run)?;
        let source = Js::new(options);
        let options = source.read(|options| read_compute_options(options, &run))?;
        let probe = source.function("isOwnerPidAlive", "options.isOwnerPidAlive")?;
        let gather = Gather::new(&run);
        Ok(Self { adapter, run, options, probe, gather })
    }

    /// The next call to make on the adapter, `{ method, arguments }`; `undefined` when all is known.
    ///
    /// # Errors
    /// What the adapter throws when it is asked for `listSandboxes`.
    #[wasm_bindgen(js_name = next)]
    pub fn next_call(&mut self) -> Result<JsValue, JsValue> {
        if self.gather.query() == Some(Query::Sandboxes)
            && !Reflect::get(&self.adapter, &"listSandboxes".into())?.is_function()
        {
            self.gather.answer(Answer::Sandboxes(None));
        }
        let Some(query) = self.gather.query() else { return Ok(JsValue::UNDEFINED) };
        let arguments = Array::of1(&text::to_js(&self.run.run_id));
        if let Query::Attempts { node_id, iteration } = query {
            arguments.push(&text::to_js(node_id));
            arguments.push(&iteration.into());
        }
        let mut call = Writer::new();
        call.word("method", method(query));
        call.value("arguments", &arguments);
        Ok(call.finish())
    }

    /// Takes what the call came to.
    ///
    /// # Errors
    /// `INVALID_INPUT` where the rows are not what their types say.
    pub fn give(&mut self, rows: &JsValue) -> Result<(), JsValue> {
        let Some(query) = self.gather.query() else { return Ok(()) };
        let rows = Js::new(rows);
        let answer = match query {
            Query::PendingApprovals => Answer::Approvals(rows.read(read_approvals)?),
            Query::Nodes => Answer::Nodes(rows.read(read_nodes)?),
            Query::Attempts { .. } => Answer::Attempts(rows.read(read_attempts)?),
            Query::Sandboxes => Answer::Sandboxes(Some(rows.read(read_sandboxes)?)),
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
        let gathered = gather.finish();
        let input = DeriveInput {
            run: self.run.clone(),
            pending_approval: gathered.pending_approval,
            pending_timer: gathered.pending_timer,
            pending_event: gathered.pending_event,
            parked_event_block: gathered.parked_event_block,
            sandbox_heartbeats: gathered.sandbox_heartbeats,
            options: self.options,
        };
        answer(&input, self.probe.as_ref())
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
