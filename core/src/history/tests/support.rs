//! Captured streams, and frames made by hand.

use crate::frame::{DevToolsEvent, DevToolsMessage};
use crate::history::{History, Step};
use crate::time::Millis;
use crate::tree::Snapshot;
use serde_json::{Value, json};

use super::captured::frames;
use super::vectors::payload;

/// The messages in the stream of a captured life, each with its time.
pub(crate) fn stream(life: &str) -> Vec<(f64, DevToolsEvent)> {
    let pushed = frames(life).into_iter().filter(|frame| frame["data"]["event"] == "devtools.event");
    pushed
        .map(|frame| {
            let message = DevToolsMessage::parse(&frame["data"]["payload"].to_string()).unwrap();
            (frame["t"].as_f64().unwrap(), message.event)
        })
        .collect()
}

pub(crate) fn take(history: &mut History, at: f64, event: &DevToolsEvent) -> Step {
    match event {
        DevToolsEvent::Snapshot(snapshot) => history.take_snapshot(snapshot, Millis(at)),
        DevToolsEvent::Delta(delta) => history.take_delta(delta, Millis(at)).unwrap(),
    }
}

pub(crate) fn replayed(life: &str) -> History {
    let mut history = History::new();
    for (at, event) in stream(life) {
        take(&mut history, at, &event);
    }
    history
}

pub(crate) fn captured(path: &str) -> String {
    payload(format!("captures/{path}")).unwrap().to_string()
}

pub(crate) fn frame(number: u32, children: &Value) -> Snapshot {
    let root = json!({"id": 1, "type": "workflow", "name": "demo", "props": {"name": "demo"}, "children": children, "depth": 0});
    let text =
        json!({"version": 1, "runId": "r", "frameNo": number, "seq": number, "root": root}).to_string();
    Snapshot::from_json(&text).unwrap()
}

pub(crate) fn task(id: u32, name: &str, rest: &Value) -> Value {
    let mut task = json!({"nodeId": name, "kind": "agent"});
    task.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    json!({"id": id, "type": "task", "name": "task", "props": {"id": name}, "task": task, "children": [], "depth": 1})
}
