//! `readRecord`: one record of Smithers, read by its type.

use js_sys::{JSON, Object, Reflect};
use runstate::json::ReadError;
use runstate::smithers::wire::{
    Event, EventType, GraphSnapshot, NodeOutputResponse, RetryPolicy, RetryTaskResult, RunResult,
    RunStateView as ServerView, SmithersError, TaskDescriptor, XmlNode,
};
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{read, refused, text};
use crate::error::Error;
use crate::output::{Json, to_js};
use crate::view::RunStateView;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("records.d.ts");

/// The fields that say what an event is and where it belongs.
const OF_EVERY_EVENT: [&str; 6] = ["type", "runId", "timestampMs", "nodeId", "iteration", "attempt"];

/// An event of a run.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct EventRecord {
    #[serde(rename = "type")]
    event_type: String,
    /// Whether Runstate knows the type; then there are category, severity and fields, else the whole event.
    known: bool,
    run_id: String,
    at_ms: f64,
    node_id: Option<String>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    #[tsify(type = "EventCategory")]
    category: Option<&'static str>,
    #[tsify(type = "EventSeverity")]
    severity: Option<&'static str>,
    #[tsify(type = "Record<string, unknown>")]
    fields: Option<BTreeMap<&'static str, Json>>,
    /// What the event carries besides the fields of its type, `correlation` for example.
    #[tsify(type = "Record<string, unknown>")]
    more: Option<Json>,
    /// An event of an unknown type, as it came.
    #[tsify(type = "Record<string, unknown>")]
    event: Option<Json>,
}

/// Reads one record of Smithers by its type: the fields of the contract, without those that are not there.
///
/// # Errors
/// `INVALID_INPUT` as a `TypeError` where an argument is not what its type says; else `NOT_JSON`, `TOO_DEEP`, `TOO_LARGE` or
/// `INVALID_INPUT` with the place in the text.
#[wasm_bindgen(js_name = readRecord, skip_typescript)]
pub fn read_record(record: &JsValue, document: &JsValue) -> Result<JsValue, Error> {
    let name: String = read(record, "record")?;
    let text = text(document, "document")?;
    let json = match name.as_str() {
        "Event" => return event(&text),
        "RunStateView" => return view(&text),
        "GraphSnapshot" => GraphSnapshot::from_json(&text).map(|record| record.to_json()),
        "NodeOutputResponse" => NodeOutputResponse::from_json(&text).map(|record| record.to_json()),
        "RetryPolicy" => RetryPolicy::from_json(&text).map(|record| record.to_json()),
        "RetryTaskResult" => RetryTaskResult::from_json(&text).map(|record| record.to_json()),
        "RunResult" => RunResult::from_json(&text).map(|record| record.to_json()),
        "SmithersError" => SmithersError::from_json(&text).map(|record| record.to_json()),
        "TaskDescriptor" => TaskDescriptor::from_json(&text).map(|record| record.to_json()),
        "XmlNode" => XmlNode::from_json(&text).map(|record| record.to_json()),
        _ => return Err(refused("record", "the name of a record", record)),
    };
    Ok(JSON::parse(&json.map_err(|error| wrong(&text, &error))?)?)
}

fn wrong(text: &str, error: &ReadError) -> Error {
    Error::refused_record(text, error)
}

fn view(text: &str) -> Result<JsValue, Error> {
    let view = ServerView::from_json(text).map_err(|error| wrong(text, &error))?;
    Ok(to_js(&RunStateView::from(view))?)
}

fn event(text: &str) -> Result<JsValue, Error> {
    let event = Event::from_json(text).map_err(|error| wrong(text, &error))?;
    let known = event.event_type.known();
    let fields = || event.body.fields().into_iter().map(|(name, json)| (name, Json::parse(&json))).collect();
    Ok(to_js(&EventRecord {
        event_type: event.event_type.to_string(),
        known: known.is_some(),
        run_id: event.run_id.clone(),
        at_ms: event.at.0,
        node_id: event.node_id.clone(),
        iteration: event.iteration,
        attempt: event.attempt,
        category: known.map(|known| known.category().as_str()),
        severity: known.map(|known| known.severity().as_str()),
        fields: known.map(|_| fields()),
        more: known.and_then(|known| more(known, text)),
        event: if known.is_none() { Some(Json::parse(text)) } else { None },
    })?)
}

/// What a known event carries besides the fields of its type.
fn more(event_type: EventType, text: &str) -> Option<Json> {
    let all: Object = JSON::parse(text).ok()?.unchecked_into();
    for name in OF_EVERY_EVENT.iter().chain(event_type.field_names()) {
        Reflect::delete_property(&all, &(*name).into()).ok()?;
    }
    (Object::keys(&all).length() > 0).then(|| Json::from(JsValue::from(all)))
}
