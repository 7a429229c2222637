//! `readRecord`: one record of Smithers, read by its type.

use js_sys::{Object, Reflect};
use runstate::json::ReadError;
use runstate::smithers::{
    Event, EventType, GraphSnapshot, NodeOutputResponse, RetryPolicy, RetryTaskResult, RunResult,
    RunStateView, SmithersError, TaskDescriptor, XmlNode,
};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::document;
use crate::error::{coded, invalid_input, position};
use crate::source::{Js, refused};
use crate::view::view_to_js;
use crate::write::{Writer, kept_json, set, value_of};

/// The fields that say what an event is and belongs to.
const OF_EVERY_EVENT: [&str; 6] = ["type", "runId", "timestampMs", "nodeId", "iteration", "attempt"];

/// What the text holds as the record of this name: the fields of the contract, without those that are not there.
///
/// # Errors
/// `INVALID_INPUT` as a `TypeError` where an argument is not what its type says; else `NOT_JSON`, `TOO_DEEP`, `TOO_LARGE` or
/// `INVALID_INPUT` with the place in the text.
#[wasm_bindgen(js_name = readRecord, skip_typescript)]
pub fn read_record(record: &JsValue, bytes: &JsValue) -> Result<JsValue, JsValue> {
    let name = Js::new(record).text("record")?;
    let read: fn(&str) -> Result<JsValue, ReadError> = match name.as_str() {
        "Event" => |text| Event::from_json(text).map(|event| event_to_js(&event, text)),
        "GraphSnapshot" => |text| GraphSnapshot::from_json(text).map(|read| value_of(&read.to_json())),
        "NodeOutputResponse" => {
            |text| NodeOutputResponse::from_json(text).map(|read| value_of(&read.to_json()))
        }
        "RetryPolicy" => |text| RetryPolicy::from_json(text).map(|read| value_of(&read.to_json())),
        "RetryTaskResult" => |text| RetryTaskResult::from_json(text).map(|read| value_of(&read.to_json())),
        "RunResult" => |text| RunResult::from_json(text).map(|read| value_of(&read.to_json())),
        "RunStateView" => |text| RunStateView::from_json(text).map(|view| view_to_js(&view)),
        "SmithersError" => |text| SmithersError::from_json(text).map(|read| value_of(&read.to_json())),
        "TaskDescriptor" => |text| TaskDescriptor::from_json(text).map(|read| value_of(&read.to_json())),
        "XmlNode" => |text| XmlNode::from_json(text).map(|read| value_of(&read.to_json())),
        _ => return Err(invalid_input(&refused("record", "the name of a record", &Js::new(record)))),
    };
    let text = document(bytes, "document")?;
    read(&text).map_err(|error| refused_record(&text, &error))
}

/// A known event by its fields and what else it carries; of an unknown type the whole event, as it came.
fn event_to_js(event: &Event, text: &str) -> JsValue {
    let mut object = Writer::new();
    object.text("type", event.event_type.as_str());
    object.flag("known", event.event_type.known().is_some());
    object.text("runId", &event.run_id);
    object.number("atMs", event.at.0);
    object.optional_text("nodeId", event.node_id.as_deref());
    object.optional("iteration", event.iteration.map(JsValue::from));
    object.optional("attempt", event.attempt.map(JsValue::from));
    match event.event_type.known() {
        Some(known) => {
            object.word("category", known.category().as_str());
            object.word("severity", known.severity().as_str());
            let fields = Writer::new().finish();
            for (name, json) in event.body.fields() {
                set(&fields, name, &kept_json(&json));
            }
            object.value("fields", &fields);
            object.optional("more", more(known, text));
        }
        None => object.value("event", &kept_json(text)),
    }
    object.finish()
}

/// What a known event carries beside what its type names; nothing where that is nothing.
fn more(event_type: EventType, text: &str) -> Option<JsValue> {
    let all = Object::from(value_of(text));
    for name in OF_EVERY_EVENT.iter().chain(event_type.field_names()) {
        // Fails on objects that are sealed, which this is not.
        let _ = Reflect::delete_property(&all, &(*name).into());
    }
    Some(all).filter(|all| Object::keys(all).length() > 0).map(JsValue::from)
}

fn refused_record(text: &str, refused: &ReadError) -> JsValue {
    let error = coded(refused.kind.code(), &refused.message);
    set(&error, "position", &position(Some((text, refused.offset)), None));
    error
}
