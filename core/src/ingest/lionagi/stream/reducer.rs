//! Reduces the events of a stream to the state that they describe.

use crate::problem::{Problem, Problems};
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::events::{EventKind, event_kind};
use super::input;
use crate::evidence::{Input, Signal, Value};
use crate::json::{ReadError, Slice, fields, optional};
use crate::lionagi::wire::{
    LaneState, LionagiDocumentKind, Message, SessionStatus, Stream, StreamMessage, StreamNode, StreamSignal,
};
use crate::text::{concat, quoted};
use crate::word::Vocabulary;

/// The result of the events so far.
#[derive(Default)]
pub(super) struct StreamReducer {
    pub(super) session_id: Option<String>,
    pub(super) stream: Stream,
    /// The status of the run according to its signals.
    pub(super) status: Option<String>,
    pub(super) error: Option<String>,
    pub(super) messages: u64,
    /// The ranges of missing signals.
    pub(super) gaps: Problems,
    /// The ids of the messages: a stream that was connected twice contains all of them twice.
    message_ids: BTreeMap<String, u64>,
    /// The index of each node.
    places: BTreeMap<String, u64>,
    last_seq: Option<u64>,
}

impl StreamReducer {
    /// Returns the kind of the stream; `None` without events.
    pub(super) fn kind(&self) -> Option<LionagiDocumentKind> {
        if self.last_seq.is_some() {
            return Some(LionagiDocumentKind::SignalStream);
        }
        (self.messages > 0 || self.stream.done).then_some(LionagiDocumentKind::MessageStream)
    }

    /// Returns the evidence.
    pub(super) fn inputs(&self) -> Vec<Input> {
        let done = Value::Text(if self.stream.done { "done" } else { "none" }.to_owned());
        let first = match (&self.stream.run_signal, self.kind()) {
            (Some(signal), _) => input(Signal::RunSignal, Value::Word(signal.clone()), self.stream.last_at),
            (None, Some(LionagiDocumentKind::SignalStream)) => input(Signal::RunSignal, Value::Absent, None),
            (None, _) => input(Signal::Messages, Value::Text(self.messages.to_string()), self.stream.last_at),
        };
        vec![first, Input { decisive: false, ..input(Signal::StreamEnd, done, None) }]
    }

    /// Reads a cursor that contains the session as JSON in base64. Other cursors are opaque.
    pub(super) fn take_cursor(&mut self, cursor: &str) {
        if self.session_id.is_some() {
            return;
        }
        let json = URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        self.session_id = json.and_then(|json| {
            let [id] = fields(Slice::from_text(&json).ok()?, ["session_id"]).ok()?;
            id.and_then(Slice::text)
        });
    }

    pub(super) fn take(&mut self, event: Slice<'_>) -> Result<(), ReadError> {
        match event_kind(event) {
            Some(EventKind::Heartbeat) => Ok(()),
            Some(EventKind::Done) => {
                self.stream.done = true;
                Ok(())
            }
            Some(EventKind::Message) => self.message(event),
            Some(EventKind::Signal) => self.signal(event),
            None => Err(event.refuse("This is neither a message nor a signal of a session.")),
        }
    }

    fn message(&mut self, event: Slice<'_>) -> Result<(), ReadError> {
        let [branch_id] = fields(event, ["branch_id"])?;
        let branch_id = optional(branch_id, Slice::read_text)?;
        let message = Message::read(event)?;
        let id = message.id.clone();
        if id.is_none_or(|id| self.message_ids.insert(id, self.messages).is_none()) {
            self.messages += 1;
            self.stream.last_at = message.at.or(self.stream.last_at);
            self.stream.messages.push(StreamMessage { branch_id, message });
        }
        Ok(())
    }

    fn signal(&mut self, event: Slice<'_>) -> Result<(), ReadError> {
        let names = ["session_id", "seq", "kind", "op_id", "ts", "payload"];
        let [session_id, seq, kind, op_id, at, payload] = fields(event, names)?;
        let session_id = optional(session_id, Slice::read_text)?;
        let seq = event.need("seq", seq)?.read_count()?;
        let kind = event.need("kind", kind)?.read_text()?;
        let op_id = optional(op_id, Slice::read_text)?.unwrap_or_default();
        let at = optional(at, Slice::read)?;
        let payload = payload.filter(|payload| payload.is_object());
        if let (Some(known), Some(other)) = (&self.session_id, &session_id)
            && known != other
        {
            return Err(event.refuse(concat(&["This belongs to another session, ", &quoted(other), "."])));
        }
        self.session_id = self.session_id.take().or(session_id);
        if self.last_seq.is_some_and(|last| seq <= last) {
            return Ok(());
        }
        if let Some(last) = self.last_seq.filter(|last| seq - last > 1) {
            self.miss(last + 1, seq - 1);
        }
        self.last_seq = Some(seq);
        self.stream.last_at = at.or(self.stream.last_at);
        let error = payload.and_then(|payload| fields(payload, ["error"]).ok()?[0]?.text());
        let node_id = op_id.clone();
        self.stream.push_signal(StreamSignal { seq, kind: kind.clone(), node_id, at, error });
        if op_id.is_empty() { self.run(&kind, payload) } else { self.node(&kind, op_id, payload) }
    }

    fn miss(&mut self, first: u64, last: u64) {
        let (first, last) = (first.to_string(), last.to_string());
        self.gaps.add(Problem::new(if first == last {
            concat(&["Signal ", &first, " is missing."])
        } else {
            concat(&["Signals ", &first, " to ", &last, " are missing."])
        }));
    }

    /// Reads a signal about the run itself. Other kinds do not contain its state.
    fn run(&mut self, kind: &str, payload: Option<Slice<'_>>) -> Result<(), ReadError> {
        let [status, error, message] = match payload {
            Some(payload) => {
                fields(payload, ["status", "error", "message"])?.map(|field| field.and_then(Slice::text))
            }
            None => [None, None, None],
        };
        (self.status, self.error) = match kind {
            "RunStart" => (Some(SessionStatus::Running.as_str().to_owned()), None),
            // An end without a result has no status.
            "RunEnd" => (status, error.or(message)),
            "RunFailed" => (Some(SessionStatus::Failed.as_str().to_owned()), error.or(message)),
            _ => return Ok(()),
        };
        self.stream.run_signal = Some(kind.to_owned());
        Ok(())
    }

    fn node(&mut self, kind: &str, id: String, payload: Option<Slice<'_>>) -> Result<(), ReadError> {
        let [name, route] = match payload {
            Some(payload) => fields(payload, ["name", "route"])?.map(|field| field.and_then(Slice::text)),
            None => [None, None],
        };
        // Signals about tools have names of their own.
        let name = name.filter(|_| kind.starts_with("Node"));
        let place = self.places.get(&id).copied();
        if let Some(node) = place.and_then(|place| self.stream.nodes.get_mut(place as usize)) {
            node.name = node.name.take().or(name);
            node.state = node.state.after(kind, route.as_deref());
        } else if let Some(state) = LaneState::from_signal(kind, route.as_deref()) {
            // A node that only has signals of tools has no state.
            self.places.insert(id.clone(), self.stream.nodes.len() as u64);
            self.stream.nodes.push(StreamNode { id, name, state });
        }
        Ok(())
    }
}
