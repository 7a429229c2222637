//! Every event of a Smithers run: seed 003's and those of the released 0.32.

#[macro_use]
mod define;
mod gateway_names;
mod table;
#[cfg(test)]
mod typescript;
mod words;

pub(crate) use gateway_names::{GatewayEvent, may_change_a_run};

pub use table::{EventBody, EventType};
pub use words::{
    CallStatus, Category, EffectKind, EffectStatus, EventSeverity, HijackMode, OutputStream, SandboxRuntime,
    SandboxStatus, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::number::Number;
use crate::time::Millis;
use crate::word::Word;

/// The subject of an event, which determines its required fields (seed 003, "Common Fields").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The run: only `runId` and `timestampMs`.
    Run,
    /// A node: `nodeId` and `iteration` as well.
    Node,
    /// An attempt of a node: `attempt` as well.
    Attempt,
}

/// One event.
///
/// ```
/// use runstate::smithers::wire::{Event, EventBody, EventType};
/// use runstate::word::Word;
///
/// let event: Event = serde_json::from_str(
///     r#"{"type":"NodeFailed","runId":"r","nodeId":"build","iteration":0,"attempt":2,"error":"x","timestampMs":5}"#,
/// )?;
/// assert_eq!(event.event_type(), Word::Known(EventType::NodeFailed));
/// assert_eq!((event.node_id.as_deref(), event.attempt), (Some("build"), Some(2)));
/// assert!(matches!(event.body, EventBody::NodeFailed { error } if error == "x"));
///
/// // An unknown type survives a round trip.
/// let json = r#"{"type":"NodeDreamed","runId":"r","timestampMs":5,"of":"sheep"}"#;
/// let unknown: Event = serde_json::from_str(json)?;
/// assert!(matches!(unknown.body, EventBody::Foreign { .. }));
/// assert_eq!(serde_json::to_string(&unknown)?, json);
///
/// let refused = serde_json::from_str::<Event>(r#"{"type":"NodeStarted","runId":"r","nodeId":"a","timestampMs":5}"#);
/// assert!(refused.unwrap_err().to_string().starts_with("missing field `iteration`"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Event {
    /// The type and its own fields.
    #[serde(flatten)]
    pub body: EventBody,
    /// The run.
    pub run_id: String,
    /// The time on the clock of the process that wrote the event.
    #[serde(rename = "timestampMs", serialize_with = "write_time")]
    pub at: Millis,
    /// The node; `None` if the event is not about one, or is of an unknown type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<String>,
    /// The iteration of a loop; `None` if the event is not about a node, or is of an unknown type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// The attempt, from 1; `None` if the event is not about one, or is of an unknown type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// Fields that Runstate does not know: `correlation` for example, and all the others of an unknown type.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// The fields of every event.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Common {
    #[serde(rename = "type")]
    event_type: Word<EventType>,
    run_id: String,
    timestamp_ms: Millis,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// The subject of an event of a known type.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Subject {
    node_id: Option<String>,
    iteration: Option<u32>,
    attempt: Option<u32>,
}

impl Event {
    /// The type of the event.
    ///
    /// See [`Event`] for an example.
    pub fn event_type(&self) -> Word<EventType> {
        self.body.event_type()
    }

    fn from_json(json: &str) -> serde_json::Result<Self> {
        let Common { event_type, run_id, timestamp_ms: at, mut more } = serde_json::from_str(json)?;
        let Some(known) = event_type.known() else {
            // `nodeId` of an unknown event type may mean anything.
            let body = EventBody::Foreign { event_type: event_type.to_string() };
            return Ok(Self { body, run_id, at, node_id: None, iteration: None, attempt: None, more });
        };
        let Subject { node_id, iteration, attempt } = serde_json::from_str(json)?;
        let found = [node_id.is_some(), iteration.is_some(), attempt.is_some()];
        for ((name, needed), found) in needed_fields(known).into_iter().zip(found) {
            if needed && !found {
                return Err(serde_json::Error::missing_field(name));
            }
            more.remove(name);
        }
        let body: EventBody = serde_json::from_str(json)?;
        if let Value::Object(fields) = serde_json::to_value(&body)? {
            more.retain(|name, _| !fields.contains_key(name));
        }
        Ok(Self { body, run_id, at, node_id, iteration, attempt, more })
    }
}

/// The fields of [`Subject`] that an event of this type must have; the others are welcome.
fn needed_fields(event_type: EventType) -> [(&'static str, bool); 3] {
    use EventType::{RunContinuedAsNew, ScorerFailed, ScorerFinished, ScorerStarted};
    let scope = event_type.scope();
    let is_node_event = scope != Scope::Run;
    [
        ("nodeId", is_node_event || matches!(event_type, ScorerStarted | ScorerFinished | ScorerFailed)),
        ("iteration", is_node_event || event_type == RunContinuedAsNew),
        ("attempt", scope == Scope::Attempt),
    ]
}

/// An event of a known type must have the fields of that type, each with the right kind of value.
impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The type determines the other fields, and may follow them.
        let json = Box::<RawValue>::deserialize(deserializer)?;
        Self::from_json(json.get()).map_err(D::Error::custom)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a field by reference")]
fn write_time<S: Serializer>(at: &Millis, serializer: S) -> Result<S::Ok, S::Error> {
    Number(at.0).serialize(serializer)
}
