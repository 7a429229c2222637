//! `EventLog`: the events of runs, read in chunks.

use js_sys::{Array, Date, JsString};
use runstate::log::{self as core, EventRow as EventFacts, LogRow};
use runstate::smithers::wire::{Category, EventSeverity};
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{bytes, is_plain, read, read_options, refused};
use crate::error::{Error, Position};
use crate::log_view::EventLogView;
use crate::names::{fields, refuse_seconds, refuse_unknown};
use crate::output::{Json, to_js, typed};
use crate::tree::row_number;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
export interface EventLog {
  /**
   * Returns the state and facts of the log's first run, as of its last event. Ages are relative to `now`, in milliseconds since
   * 1970, by default the local clock's time.
   *
   * @throws {RunstateError} `INVALID_INPUT` if an argument does not match its type, `INVALID_TIME` for a time that no `Date` can
   * represent
   */
  view(now?: number): EventLogView;
  /** Returns the same for the run with this id; `undefined` if the log has no event of it. */
  view(now: number | undefined, runId: string): EventLogView | undefined;
}
";

/// Selects events: those that meet all given conditions.
#[derive(Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct EventFilter {
    types: Vec<String>,
    #[tsify(type = "readonly EventCategory[]")]
    categories: Vec<Category>,
    /// At least this severity.
    #[tsify(type = "EventSeverity")]
    severity: Option<EventSeverity>,
    node_id: Option<String>,
    run_id: Option<String>,
    /// Words, separated by white space, which are all in the JSON of the event; the case of ASCII letters is ignored.
    text: Option<String>,
    /// Whether gaps have rows, by default `true`.
    gaps: Option<bool>,
}

/// A page of the rows of a log.
#[derive(Serialize, Tsify)]
pub struct EventLogPage {
    /// The number of all rows that the filter selects.
    total: u32,
    rows: Vec<EventLogRow>,
}

/// A row of a log: an event, consecutive heartbeats of one attempt, or a range of missing sequence numbers (`gap`), of
/// frames or of events. Times are milliseconds since 1970.
// The declaration of the core's rows would name its other types.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EventLogRow {
    Event(EventFacts),
    Heartbeats(HeartbeatFacts),
    Gap { run_id: String, frames: bool, from: u32, to: u32, before_ms: f64 },
}

/// Consecutive heartbeats: the first one, the time of the last one, and their number.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatFacts {
    #[serde(flatten)]
    first: EventFacts,
    last_at_ms: f64,
    count: u32,
}

/// A line that could not be read.
#[derive(Serialize, Tsify)]
pub struct LineProblem {
    code: &'static str,
    message: String,
    position: Position,
}

/// An event log in WebAssembly's memory. It is filled with chunks, which may end at any byte; 64 to 256 KiB are the fastest.
#[wasm_bindgen]
#[derive(Default)]
pub struct EventLog {
    log: core::EventLog,
    /// The first half of a character at the end of the last text.
    half: Option<JsString>,
}

#[wasm_bindgen]
impl EventLog {
    /// Creates an empty log.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a chunk of NDJSON, which may end anywhere, even within a character; or one whole event as an object.
    ///
    /// # Errors
    /// `INVALID_INPUT` if it is neither text nor bytes nor an event as an object. Lines that cannot be read are no errors: `problems` returns them.
    pub fn push(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Content")] chunk: &JsValue,
    ) -> Result<(), Error> {
        if let Some(text) = chunk.dyn_ref::<JsString>() {
            self.push_text(text);
            return Ok(());
        }
        if Array::is_array(chunk) {
            return Err(refused("chunk", "a text, a Uint8Array, an ArrayBuffer or an event", chunk));
        }
        let mut bytes = bytes(chunk, "chunk")?;
        if is_plain(chunk) {
            bytes.push(b'\n');
        }
        if let Some(half) = self.half.take() {
            self.log.push(String::from(half).as_bytes());
        }
        self.log.push(&bytes);
        Ok(())
    }

    /// Reads the last line, which has no line break. Chunks that are added later continue it.
    pub fn finish(&mut self) {
        self.log.finish();
    }

    /// What the events of the first run say at this moment, the clock's when left out; or those of the run with this id,
    /// `undefined` where the log has no event of it.
    ///
    /// # Errors
    /// `INVALID_INPUT`, or `INVALID_TIME` for a moment that no `Date` can hold.
    #[wasm_bindgen(skip_typescript)]
    pub fn view(&mut self, now: &JsValue, run_id: &JsValue) -> Result<JsValue, Error> {
        let now: Option<f64> = read(now, "now")?;
        refuse_seconds(now, "now")?;
        let now = moment(now)?;
        let run_id: Option<String> = read(run_id, "runId")?;
        let view = match run_id {
            None => Some(self.log.view(now)),
            Some(run_id) => self.log.run_view(&run_id, now),
        };
        Ok(view.map_or(Ok(JsValue::UNDEFINED), |view| to_js(&EventLogView::from(view)))?)
    }

    /// The rows from `start` to before `end` that the filter lets through.
    ///
    /// # Errors
    /// `INVALID_INPUT`.
    pub fn rows(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] start: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] end: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "EventFilter")] filter: &JsValue,
    ) -> Result<Ts<EventLogPage>, Error> {
        let (start, end) = (row_number(start, "start")?, row_number(end, "end")?);
        let filter = EventFilter::new(filter)?;
        let page = self.log.rows(start, end, &filter.into());
        typed(&EventLogPage {
            total: page.total,
            rows: page.rows.into_iter().map(EventLogRow::from).collect(),
        })
    }

    /// Returns the event of a row with all its fields; `undefined` if there is no such row.
    ///
    /// # Errors
    /// `INVALID_INPUT` if the argument is not a number from 0.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn event(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] row: &JsValue,
    ) -> Result<JsValue, Error> {
        let json = self.log.json(row_number(row, "row")?);
        Ok(json.map_or(Ok(JsValue::UNDEFINED), |json| to_js(&Json::parse(&json)))?)
    }

    /// Returns the nodes of the run with this id, one item per node and iteration.
    ///
    /// # Errors
    /// `INVALID_INPUT` if the argument is not text.
    #[wasm_bindgen(unchecked_return_type = "EventLogNode[]")]
    pub fn nodes(
        &mut self,
        #[wasm_bindgen(js_name = runId, unchecked_param_type = "string")] run_id: &JsValue,
    ) -> Result<JsValue, Error> {
        let nodes = self.log.nodes(&read::<String>(run_id, "runId")?);
        Ok(to_js(&nodes)?)
    }

    /// Returns the lines that could not be read, at most 1,000.
    ///
    /// # Errors
    /// `INTERNAL`, for a defect of this package.
    #[wasm_bindgen(unchecked_return_type = "LineProblem[]")]
    pub fn problems(&self) -> Result<JsValue, Error> {
        let problem = |problem: &core::LineProblem| LineProblem {
            code: problem.code.as_str(),
            message: problem.message.clone(),
            position: Position::at(problem.line as usize, problem.column),
        };
        Ok(to_js(&self.log.problems().iter().map(problem).collect::<Vec<_>>())?)
    }
}

impl EventLog {
    fn push_text(&mut self, text: &JsString) {
        let text = self.half.take().map_or_else(|| text.clone(), |half| half.concat(text));
        let end = text.length();
        let is_half = end > 0 && (0xD800..0xDC00).contains(&(text.char_code_at(end - 1) as u32));
        let whole = if is_half { end - 1 } else { end };
        self.half = is_half.then(|| text.slice(whole, end));
        self.log.push(String::from(text.slice(0, whole)).as_bytes());
    }
}

/// A time that a `Date` can represent, by default the local clock's.
pub(crate) fn moment(now: Option<f64>) -> Result<Millis, Error> {
    let now = Millis(now.unwrap_or_else(Date::now));
    now.to_iso()?;
    Ok(now)
}

impl EventFilter {
    /// Reads a filter. An unknown condition, which would select every event, is refused.
    fn new(value: &JsValue) -> Result<Self, Error> {
        refuse_unknown(value, "filter", &[fields::<Self>()])?;
        read_options(value, "filter")
    }
}

impl From<EventFilter> for core::Filter {
    fn from(filter: EventFilter) -> Self {
        let mut read = Self::default();
        read.types = filter.types;
        read.categories = filter.categories;
        read.severity = filter.severity;
        read.node_id = filter.node_id;
        read.run_id = filter.run_id;
        read.text = filter.text;
        read.gaps = filter.gaps.unwrap_or(true);
        read
    }
}

impl From<LogRow> for EventLogRow {
    fn from(row: LogRow) -> Self {
        match row {
            LogRow::Event(event) => Self::Event(event),
            LogRow::Heartbeats(beats) => Self::Heartbeats(HeartbeatFacts {
                first: beats.first,
                last_at_ms: beats.last_at.0,
                count: beats.count,
            }),
            LogRow::Gap(gap) => Self::Gap {
                run_id: gap.run_id,
                frames: gap.frames,
                from: gap.from,
                to: gap.to,
                before_ms: gap.before.0,
            },
        }
    }
}
