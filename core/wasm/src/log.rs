//! The event log of a run, in chunks.

use js_sys::Date;
use runstate::log::{EventRow, Gap, LineProblem, LogRow};
use runstate::time::Millis;
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::in_pieces;
use crate::error::invalid_input;
use crate::log_filter::filter_of;
use crate::log_view::{node_to_js, view_to_js};
use crate::source::{Js, refused};
use crate::write::{Writer, kept_json, list};

/// A log of events that stays in wasm.
#[wasm_bindgen(skip_typescript)]
#[derive(Default)]
pub struct EventLog {
    log: runstate::log::EventLog,
}

#[wasm_bindgen]
impl EventLog {
    /// An empty log.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes of the log; a chunk may end anywhere.
    ///
    /// # Errors
    /// `INVALID_INPUT`.
    pub fn push(&mut self, chunk: &JsValue) -> Result<(), JsValue> {
        in_pieces(chunk, "chunk", |piece| self.log.push(piece))
    }

    /// Says that no more bytes come for now.
    pub fn finish(&mut self) {
        self.log.finish();
    }

    /// What the events say about the first run in the log, or about the one that is named.
    ///
    /// # Errors
    /// `INVALID_INPUT`.
    pub fn view(&mut self, now: &JsValue, run_id: &JsValue) -> Result<JsValue, JsValue> {
        let now = match now.as_f64() {
            Some(now) => now,
            None if now.is_undefined() => Date::now(),
            None => return Err(invalid_input(&refused("now", "milliseconds since 1970", &Js::new(now)))),
        };
        let view = if run_id.is_undefined() {
            Some(self.log.view(Millis(now)))
        } else {
            self.log.view_of(&text_of(run_id, "runId")?, Millis(now))
        };
        Ok(view.map_or(JsValue::UNDEFINED, |view| view_to_js(&view)))
    }

    /// The rows from `start` to before `end` of those that the filter lets through, and how many those are.
    ///
    /// # Errors
    /// `INVALID_INPUT`.
    pub fn rows(&mut self, start: &JsValue, end: &JsValue, filter: &JsValue) -> Result<JsValue, JsValue> {
        let (start, end) = (place(start, "start")?, place(end, "end")?);
        let page = self.log.rows(start, end, &filter_of(filter)?);
        let mut object = Writer::new();
        object.number("total", f64::from(page.total));
        object.value("rows", &list(page.rows.iter().map(row_to_js)));
        Ok(object.finish())
    }

    /// The event of a row as it came; `undefined` where there is no such row.
    ///
    /// # Errors
    /// `INVALID_INPUT`.
    pub fn event(&self, row: &JsValue) -> Result<JsValue, JsValue> {
        let json = self.log.json(place(row, "row")?);
        Ok(json.map_or(JsValue::UNDEFINED, |json| kept_json(&json)))
    }

    /// The nodes of a run, each round by itself.
    ///
    /// # Errors
    /// `INVALID_INPUT`.
    pub fn nodes(&mut self, run_id: &JsValue) -> Result<JsValue, JsValue> {
        let nodes = self.log.nodes(&text_of(run_id, "runId")?);
        Ok(list(nodes.iter().map(node_to_js)))
    }

    /// The lines that could not be read.
    pub fn problems(&self) -> JsValue {
        list(self.log.problems().iter().map(problem_to_js))
    }
}

fn text_of(value: &JsValue, path: &str) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| invalid_input(&refused(path, "a text", &Js::new(value))))
}

fn place(value: &JsValue, path: &str) -> Result<u32, JsValue> {
    match value.as_f64() {
        Some(number) if number >= 0.0 => Ok(number as u32),
        Some(_) | None => Err(invalid_input(&refused(path, "a number of a row, from 0", &Js::new(value)))),
    }
}

fn row_to_js(row: &LogRow) -> JsValue {
    match row {
        LogRow::Event(event) => event_to_js("event", event).finish(),
        LogRow::Heartbeats(beats) => {
            let mut object = event_to_js("heartbeats", &beats.first);
            object.number("lastAtMs", beats.last_at.0);
            object.number("count", f64::from(beats.count));
            object.finish()
        }
        LogRow::Gap(gap) => gap_to_js(gap),
    }
}

fn event_to_js(kind: &'static str, event: &EventRow) -> Writer {
    let mut object = Writer::new();
    object.word("kind", kind);
    object.number("row", f64::from(event.row));
    object.text("type", event.event_type.as_str());
    object.word("category", event.category.as_str());
    object.word("severity", event.severity.as_str());
    object.number("atMs", event.at.0);
    object.optional("seq", event.seq.map(JsValue::from));
    object.text("runId", &event.run_id);
    object.optional_text("nodeId", event.node_id.as_deref());
    object.number("iteration", f64::from(event.iteration));
    object.optional("attempt", event.attempt.map(JsValue::from));
    object
}

fn gap_to_js(gap: &Gap) -> JsValue {
    let mut object = Writer::new();
    object.word("kind", "gap");
    object.text("runId", &gap.run_id);
    object.flag("frames", gap.frames);
    object.number("from", f64::from(gap.from));
    object.number("to", f64::from(gap.to));
    object.number("beforeMs", gap.before.0);
    object.finish()
}

fn problem_to_js(problem: &LineProblem) -> JsValue {
    let mut position = Writer::new();
    position.number("line", problem.line as f64);
    position.number("column", problem.column as f64);
    let mut object = Writer::new();
    object.word("code", problem.code);
    object.text("message", &problem.message);
    object.value("position", &position.finish());
    object.finish()
}
