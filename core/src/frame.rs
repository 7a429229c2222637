//! Frames of the Gateway, on the WebSocket and in the answers of its RPC (protocol section 3.2).

use crate::json::{ReadError, Slice, fields, optional};
use crate::refusal::Refusal;
use crate::smithers::wire::GatewayEvent;
use crate::time::Millis;
use crate::tree::read_delta;
use crate::tree::{Delta, Snapshot, read_snapshot};
use crate::word::Vocabulary;

/// A frame that the Gateway sends.
///
/// A negative answer is a [`Refusal`], never a state.
///
/// ```
/// use runstate::frame::Frame;
///
/// let frame = Frame::parse(
///     r#"{"type":"res","id":"7","ok":false,"error":{"version":"v1","code":"NOT_FOUND","message":"Run not found: r9"}}"#,
/// )?;
/// let Frame::Response { id, result: Err(refusal) } = frame else { unreachable!() };
/// assert_eq!((&*id, &*refusal.code), ("7", "NOT_FOUND"));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Frame {
    /// The answer to a request.
    Response {
        /// The request's id; `invalid` if the server could not read the request.
        id: String,
        /// The payload, verbatim, or the refusal.
        result: Result<Box<str>, Refusal>,
    },
    /// A pushed event.
    Event {
        /// Its name: `tick`, `devtools.event`, `run.completed`, ….
        event: String,
        /// The payload, verbatim; `null` if absent.
        payload: Box<str>,
        /// The number of the event on this connection, from 1.
        seq: Option<f64>,
    },
}

impl Frame {
    /// Reads a frame.
    ///
    /// ```
    /// use runstate::frame::Frame;
    ///
    /// let frame = Frame::parse(r#"{"type":"event","event":"tick","payload":{"ts":5},"seq":1,"stateVersion":2}"#)?;
    /// assert!(matches!(frame, Frame::Event { event, .. } if event == "tick"));
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] for broken JSON and for anything that is neither a response nor an event.
    pub fn parse(text: &str) -> Result<Self, ReadError> {
        let slice = Slice::new(text);
        let [kind] = fields(slice, ["type"])?;
        match kind.and_then(Slice::text).as_deref() {
            Some("res") => response(slice),
            Some("event") => event(slice),
            Some(_) | None => Err(kind.unwrap_or(slice).expected("a frame of type \"res\" or \"event\"")),
        }
    }
}

/// The fields of a message of a Gateway: a frame of its socket, or an answer over HTTP.
pub(crate) struct Envelope<'a> {
    message: Slice<'a>,
    /// `res`, `event` or `req`; answers over HTTP may lack it.
    pub(crate) kind: Option<String>,
    /// The id of the request.
    pub(crate) id: Option<Slice<'a>>,
    ok: Option<Slice<'a>>,
    /// The payload of a response or an event.
    pub(crate) payload: Option<Slice<'a>>,
    /// The payload of an answer of the REST interface.
    pub(crate) data: Option<Slice<'a>>,
    /// The error of a negative response.
    pub(crate) error: Option<Slice<'a>>,
    /// The name of an event.
    pub(crate) event: Option<Slice<'a>>,
    /// The number of an event on its connection.
    pub(crate) seq: Option<Slice<'a>>,
}

impl<'a> Envelope<'a> {
    /// Reads the fields; an object without any of them is an envelope without content.
    pub(crate) fn read(message: Slice<'a>) -> Result<Self, ReadError> {
        let names = ["type", "id", "ok", "payload", "data", "error", "event", "seq"];
        let [kind, id, ok, payload, data, error, event, seq] = fields(message, names)?;
        let kind = kind.and_then(Slice::text);
        Ok(Self { message, kind, id, ok, payload, data, error, event, seq })
    }

    /// Returns whether a response is positive; `None` if this is not a response.
    pub(crate) fn is_ok(&self) -> Option<bool> {
        match self.ok?.json() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// Returns the payload of a positive response.
    pub(crate) fn answer(&self) -> Option<Slice<'a>> {
        self.payload.or(self.data).filter(|_| self.is_ok() == Some(true))
    }

    /// Returns the payload of a response; a document without an envelope is its own payload.
    pub(crate) fn body_of(message: Slice<'a>) -> Result<Slice<'a>, ReadError> {
        if !message.is_object() {
            return Ok(message);
        }
        Ok(Self::read(message)?.answer().unwrap_or(message))
    }

    /// Returns the refusal in a negative response; without an error object, the message itself has the code.
    pub(crate) fn refusal(&self, method: Option<&str>) -> Option<Refusal> {
        (self.is_ok() == Some(false)).then(|| read_refusal(self.error.unwrap_or(self.message), method))
    }
}

/// An event of a run, from inside its `run.event` envelope if it came in one.
#[derive(Debug)]
pub(crate) struct EventTarget<'a> {
    pub(crate) run_id: String,
    pub(crate) event: String,
    /// Its number in the stream of the run; only an envelope has one.
    pub(crate) seq: Option<f64>,
    pub(crate) payload: Slice<'a>,
}

impl<'a> EventTarget<'a> {
    /// Reads the event with this name and payload; `None` if it is not an event of a run.
    pub(crate) fn read(name: &str, outer: Slice<'a>) -> Option<Self> {
        let is_envelope = match GatewayEvent::from_word(name) {
            Some(GatewayEvent::Run) => true,
            Some(
                GatewayEvent::RunCompleted
                | GatewayEvent::Gap
                | GatewayEvent::RunError
                | GatewayEvent::ApprovalDecided,
            )
            | None => false,
            Some(
                GatewayEvent::Challenge
                | GatewayEvent::Tick
                | GatewayEvent::Heartbeat
                | GatewayEvent::DevTools
                | GatewayEvent::DevToolsError,
            ) => return None,
        };
        let [run_id, event, seq, inner] = fields(outer, ["runId", "event", "seq", "payload"]).ok()?;
        let (event, seq, inner) = match optional(event, Slice::read_text).ok()?.filter(|_| is_envelope) {
            Some(event) => (event, seq.and_then(Slice::number), inner),
            None => (name.to_owned(), None, None),
        };
        Some(Self { run_id: run_id?.text()?, event, seq, payload: inner.unwrap_or(outer) })
    }
}

fn response(slice: Slice<'_>) -> Result<Frame, ReadError> {
    let envelope = Envelope::read(slice)?;
    let id = envelope.id.and_then(Slice::text).ok_or_else(|| slice.refuse("The response has no \"id\"."))?;
    let result = match (envelope.is_ok(), envelope.refusal(None)) {
        (Some(_), Some(refusal)) => Err(refusal),
        (Some(_), None) => Ok(raw(envelope.payload)),
        (None, _) => return Err(envelope.ok.unwrap_or(slice).expected("\"ok\" as true or false")),
    };
    Ok(Frame::Response { id, result })
}

fn event(slice: Slice<'_>) -> Result<Frame, ReadError> {
    let Envelope { event, payload, seq, .. } = Envelope::read(slice)?;
    Ok(Frame::Event {
        event: event.and_then(Slice::text).ok_or_else(|| slice.refuse("The event has no name."))?,
        payload: raw(payload),
        seq: seq.and_then(Slice::number),
    })
}

fn raw(payload: Option<Slice<'_>>) -> Box<str> {
    payload.map_or("null", Slice::json).into()
}

/// Reads an error object. Missing fields become empty: an error without a code is still an error.
pub(crate) fn read_refusal(error: Slice<'_>, method: Option<&str>) -> Refusal {
    let [code, message] = fields(error, ["code", "message"]).unwrap_or_default();
    let text = |field: Option<Slice<'_>>| {
        field.map(|field| field.text().unwrap_or_else(|| field.json().to_owned())).unwrap_or_default()
    };
    let message = if message.is_none() && !error.is_object() { Some(error) } else { message };
    Refusal { code: text(code), message: text(message), method: method.map(str::to_owned) }
}

/// Finds missing events: a connection numbers its events from 1 without a gap (protocol section 5, item 10).
#[derive(Debug, Default)]
pub(crate) struct EventNumbers {
    last: Option<f64>,
}

impl EventNumbers {
    /// Takes the number of the next event. Returns the number of missing events before it; `None` for the first event.
    pub(crate) fn missing_before(&mut self, seq: f64) -> Option<u64> {
        let last = self.last.replace(seq)?;
        Some((seq - last - 1.0) as u64)
    }
}

/// Reads the server's timestamp in the payload of a tick or a challenge.
pub(crate) fn stamp(payload: Slice<'_>) -> Option<Millis> {
    let [stamp] = fields(payload, ["ts"]).ok()?;
    stamp?.number().map(Millis)
}

/// The payload of a `devtools.event`.
#[derive(Debug)]
#[non_exhaustive]
pub(crate) struct DevToolsMessage {
    /// The run.
    pub run_id: String,
    /// The event of the stream.
    pub event: DevToolsEvent,
}

/// An event of a `DevTools` stream.
#[derive(Debug)]
pub(crate) enum DevToolsEvent {
    /// The complete tree.
    Snapshot(Box<Snapshot>),
    /// The changes.
    Delta(Delta),
}

impl DevToolsMessage {
    /// Reads the payload of a `devtools.event`.
    ///
    /// # Errors
    /// [`ReadError`] for broken JSON, a snapshot or delta that cannot be read, and kinds other than `snapshot` and `delta`.
    pub(crate) fn parse(payload: &str) -> Result<Self, ReadError> {
        read_devtools(Slice::new(payload))
    }
}

fn read_devtools(slice: Slice<'_>) -> Result<DevToolsMessage, ReadError> {
    let [run_id, event] = fields(slice, ["runId", "event"])?;
    let event = event.ok_or_else(|| slice.refuse("The devtools.event has no \"event\"."))?;
    let [kind, snapshot, delta] = fields(event, ["kind", "snapshot", "delta"])?;
    let event = match (kind.and_then(Slice::text).as_deref(), snapshot, delta) {
        (Some("snapshot"), Some(snapshot), _) => DevToolsEvent::Snapshot(Box::new(read_snapshot(snapshot)?)),
        (Some("delta"), _, Some(delta)) => {
            DevToolsEvent::Delta(read_delta(delta).map_err(|error| delta.refuse(error.message))?)
        }
        (_, _, _) => return Err(event.refuse("Expected a devtools event of kind \"snapshot\" or \"delta\".")),
    };
    let run_id =
        run_id.and_then(Slice::text).ok_or_else(|| slice.refuse("The devtools.event has no \"runId\"."))?;
    Ok(DevToolsMessage { run_id, event })
}

#[cfg(test)]
mod tests {
    use super::{EventNumbers, EventTarget};
    use crate::json::Slice;

    #[test]
    fn missing_events_are_counted_by_their_numbers() {
        let mut numbers = EventNumbers::default();
        let missing = [5.0, 6.0, 9.0, 9.0, 2.0, 3.0].map(|seq| numbers.missing_before(seq));
        assert_eq!(missing, [None, Some(0), Some(2), Some(0), Some(0), Some(0)]);
    }

    #[test]
    fn an_event_in_an_envelope_is_that_event() {
        let read = |name, payload| EventTarget::read(name, Slice::new(payload));
        let target = read("run.event", r#"{"runId":"a","event":"node.started","seq":7}"#).unwrap();
        assert_eq!((target.run_id.as_str(), target.event.as_str()), ("a", "node.started"));
        assert_eq!(target.seq, Some(7.0));
        let target = read("agent.event", r#"{"runId":"a","event":"node.started"}"#).unwrap();
        assert_eq!(target.event, "agent.event", "what is not an envelope keeps its name");
        for nonsense in ["null", "[]", "5", "{}", r#"{"runId":5}"#, r#"{"runId":"a","event":5}"#] {
            assert!(read("run.event", nonsense).is_none(), "{nonsense}");
        }
        for name in ["tick", "run.heartbeat", "devtools.event"] {
            assert!(read(name, r#"{"runId":"a"}"#).is_none(), "{name} is no event of a run");
        }
    }
}
