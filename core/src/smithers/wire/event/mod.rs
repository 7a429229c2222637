//! Every event of a Smithers run: seed 003's and those of the released 0.32.

#[macro_use]
mod define;
mod table;
mod words;

pub use table::{EventBody, EventType};
pub use words::{
    CallStatus, Category, EffectKind, EffectStatus, HijackMode, OutputStream, SandboxRuntime, SandboxStatus,
    Severity, SkipReason, SteerDelivery, TimerType, VoiceOperation,
};

use super::field::{self, Field, Json};
use crate::json::{ReadError, Slice, fields};
use crate::time::Millis;
use crate::word::Word;

/// What an event belongs to, which says what fields it must have (seed 003, "Common Fields").
///
/// ```
/// use runstate::smithers::wire::{EventType, Scope};
///
/// // Whoever reads a failed node finds its attempt there; a fired timer has none.
/// assert_eq!(EventType::NodeFailed.scope(), Scope::Attempt);
/// assert_eq!(EventType::TimerFired.scope(), Scope::Run);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The run: `runId` and `timestampMs` alone.
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
/// let event = Event::from_json(
///     r#"{"type":"NodeFailed","runId":"r","nodeId":"build","iteration":0,"attempt":2,"error":"x","timestampMs":5}"#,
/// )?;
/// assert_eq!(event.event_type, Word::Known(EventType::NodeFailed));
/// assert_eq!((event.node_id.as_deref(), event.attempt), (Some("build"), Some(2)));
/// let EventBody::NodeFailed { error } = event.body else { unreachable!() };
/// assert_eq!(error.as_str(), r#""x""#);
///
/// let unknown = Event::from_json(r#"{"type":"NodeDreamed","runId":"r","timestampMs":5,"of":"sheep"}"#)?;
/// assert!(matches!(unknown.body, EventBody::Foreign(_)));
///
/// let refused = Event::from_json(r#"{"type":"NodeStarted","runId":"r","nodeId":"a","timestampMs":5}"#);
/// assert_eq!(refused.unwrap_err().message, "The field `iteration` is missing.");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What happened.
    pub event_type: Word<EventType>,
    /// The run.
    pub run_id: String,
    /// When, by the clock of the process that wrote the event.
    pub at: Millis,
    /// The node; `None` where the event is not about one.
    pub node_id: Option<String>,
    /// The round of a loop; `None` where the event is not about a node.
    pub iteration: Option<u32>,
    /// The attempt, from 1; `None` where the event is not about one.
    pub attempt: Option<u32>,
    /// What else the event says.
    pub body: EventBody,
}

impl Event {
    /// Reads an event.
    ///
    /// # Errors
    /// [`ReadError`] for text that is not JSON, and for a known event without a field that its type has, or with another kind of
    /// value there. A type that is not known needs `type`, `runId` and `timestampMs`; what else it calls by a known name may be
    /// anything.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Self::read(Slice::of_text(json)?)
    }

    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let [event_type, run_id, at, node_id, iteration, attempt] =
            fields(slice, ["type", "runId", "timestampMs", "nodeId", "iteration", "attempt"])?;
        let event_type: Word<EventType> = field::read(slice, "type", event_type)?;
        let scope = event_type.known().map_or(Scope::Run, EventType::scope);
        let (of_node, of_attempt) = match scope {
            Scope::Run => (false, false),
            Scope::Node => (true, false),
            Scope::Attempt => (true, true),
        };
        let foreign = event_type.known().is_none();
        Ok(Self {
            run_id: field::read(slice, "runId", run_id)?,
            at: field::read(slice, "timestampMs", at)?,
            node_id: scoped(slice, "nodeId", node_id, of_node, foreign)?,
            iteration: scoped(slice, "iteration", iteration, of_node, foreign)?,
            attempt: scoped(slice, "attempt", attempt, of_attempt, foreign)?,
            body: match event_type.known() {
                Some(known) => EventBody::read(known, slice)?,
                None => EventBody::Foreign(Json(slice.json().into())),
            },
            event_type,
        })
    }
}

/// A field of the event's scope: needed there, and welcome elsewhere (`ScorerStarted` has a `nodeId` without an iteration).
fn scoped<T: Field>(
    object: Slice<'_>,
    name: &str,
    field: Option<Slice<'_>>,
    needed: bool,
    foreign: bool,
) -> Result<Option<T>, ReadError> {
    if needed {
        return field::read(object, name, field).map(Some);
    }
    match field::read(object, name, field) {
        // Nobody knows what an event of an unknown type means by the name.
        Err(_) if foreign => Ok(None),
        read => read,
    }
}
