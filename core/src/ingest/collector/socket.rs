//! Reads the frames of a recorded WebSocket.

use std::collections::{HashMap, VecDeque};

use super::answer::is_other;
use super::replay::{Held, Replays};
use super::{Collector, Context, Statement};
use crate::frame::{Envelope, EventNumbers, stamp};
use crate::ingest::request::Request;
use crate::json::{Slice, fields};
use crate::log::EventLog;
use crate::run::Fact;
use crate::time::Millis;

/// A recorded socket: the open requests, and the origin of its times.
#[derive(Default)]
pub(crate) struct Socket {
    requests: OpenRequests,
    /// The offset from a frame's time to milliseconds since 1970; known from the server's first timestamp on.
    base: Option<f64>,
    event_numbers: EventNumbers,
    missing_events: u64,
    /// The events of `streamRunEvents`.
    log: EventLog,
    pub(super) replays: Replays,
}

/// The maximum number of requests without an answer that are known; of more, the oldest are forgotten.
const MAX_OPEN: usize = 10_000;

/// The requests without an answer, by their ids.
#[derive(Default)]
struct OpenRequests {
    by_id: HashMap<String, Request>,
    /// The ids in the order of the requests, also of some that were answered.
    order: VecDeque<String>,
}

impl OpenRequests {
    fn add(&mut self, id: String, request: Request) {
        self.order.push_back(id.clone());
        self.by_id.insert(id, request);
        if self.order.len() > MAX_OPEN
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_id.remove(&oldest);
        }
    }
}

impl Socket {
    /// Reads a frame. `time` is the recording's: seconds or milliseconds since 1970 or since the opening of the socket.
    pub(crate) fn read_frame(
        &mut self,
        collector: &mut Collector,
        frame: Slice<'_>,
        sent: bool,
        time: Option<f64>,
        context: Context<'_>,
    ) {
        collector.has_frames = true;
        let envelope = match Envelope::read(frame) {
            Ok(envelope) => envelope,
            // A sent text that is not JSON is not addressed to the Gateway.
            Err(_) if sent => return,
            Err(error) => return collector.add_read_error(frame.whole(), &error, context),
        };
        if sent || envelope.kind.as_deref() != Some("event") {
            let context = if sent { context } else { context.at(self.frame_time(time, "", None)) };
            self.read_message(collector, frame, &envelope, sent, context);
        } else {
            let event = envelope.event.and_then(Slice::text).unwrap_or_default();
            self.count_missing(envelope.seq);
            let context = context.at(self.frame_time(time, &event, envelope.payload));
            let line = context.at.filter(|_| event == "run.event").zip(envelope.payload);
            let line = line.map(|(at, payload)| (payload.json().to_owned(), at));
            let payload = envelope.payload.unwrap_or(frame);
            self.replays.read_event(collector, &event, payload, line, context);
        }
        let Held { mut statements, lines } = self.replays.take_ready();
        collector.statements.append(&mut statements);
        for (line, at) in lines {
            self.log.push_frame(&line, at);
        }
    }

    /// Reads a request or a response. The events that a response makes usable stay in `replays`.
    pub(super) fn read_message(
        &mut self,
        collector: &mut Collector,
        frame: Slice<'_>,
        envelope: &Envelope<'_>,
        sent: bool,
        context: Context<'_>,
    ) {
        if !sent {
            return self.read_response(collector, frame, envelope, context);
        }
        if let (Some(id), Ok(request)) = (envelope.id.and_then(Slice::text), Request::read_rpc(frame)) {
            if let (Some("streamRunEvents"), Some(run_id)) = (request.method.as_deref(), &request.run_id) {
                self.replays.request(&id, run_id);
            }
            self.requests.add(id, request);
        }
    }

    /// Reads a response with the request that it answers.
    fn read_response(
        &mut self,
        collector: &mut Collector,
        frame: Slice<'_>,
        envelope: &Envelope<'_>,
        context: Context<'_>,
    ) {
        let request = self.take_request(envelope.id);
        if let ("streamRunEvents", Some(id)) = (request.method.as_deref().unwrap_or_default(), envelope.id) {
            self.replays.response(&id.text().unwrap_or_default(), envelope.payload);
        }
        if let Some(refusal) = envelope.refusal(request.method.as_deref()) {
            collector.add(context.at, Statement::Refusal(refusal));
        } else if envelope.is_ok().is_none() {
            let problem = "Expected a frame of type \"res\" or \"event\".";
            collector.add_problem_at(frame, problem, context);
        } else if reopens_run(&request) {
            let run_id = request.run_id.unwrap_or_default();
            collector.add(context.at, Statement::Fact { run_id, fact: Fact::Rewind });
        } else {
            collector.read_response(envelope.payload, Context { request: &request, ..context });
        }
    }

    /// Ends the socket when it was closed or the recording ends; the next frame belongs to another socket.
    pub(crate) fn close(&mut self, collector: &mut Collector, context: Context<'_>) {
        if self.missing_events > 0 {
            let message = format!("Events missing from the recording: {}.", self.missing_events);
            collector.problems.add(context.problem(message));
        }
        let unused = self.replays.held_count();
        if unused > 0 {
            let message = format!(
                "The recording ends before a stream has sent all of its stored events; {unused} of them are not used."
            );
            collector.problems.add(context.problem(message));
        }
        let Self { mut log, .. } = std::mem::take(self);
        if log.counts().events > 0 {
            collector.logs.push(log);
        }
    }

    /// Returns the open request with an id.
    pub(super) fn request_of(&self, id: &str) -> Option<&Request> {
        self.requests.by_id.get(id)
    }

    fn take_request(&mut self, id: Option<Slice<'_>>) -> Request {
        let Some(id) = id.and_then(Slice::text) else { return Request::default() };
        self.requests.by_id.remove(&id).unwrap_or_default()
    }

    /// Counts missing events.
    fn count_missing(&mut self, seq: Option<Slice<'_>>) {
        let missing = seq.and_then(Slice::number).and_then(|seq| self.event_numbers.missing_before(seq));
        self.missing_events = self.missing_events.saturating_add(missing.unwrap_or(0));
    }

    fn frame_time(&mut self, time: Option<f64>, event: &str, payload: Option<Slice<'_>>) -> Option<Millis> {
        let time = time?;
        if time >= 1e11 {
            return Some(Millis(time));
        }
        if time >= 1e8 {
            return Some(Millis(time * 1000.0));
        }
        if let (None, "connect.challenge" | "tick", Some(payload)) = (self.base, event, payload) {
            self.base = stamp(payload).map(|stamp| stamp.0 - time);
        }
        self.base.map(|base| Millis(base + time))
    }
}

impl Collector {
    /// Reads a response on a socket. Responses that are not about a run are ignored.
    fn read_response(&mut self, payload: Option<Slice<'_>>, context: Context<'_>) {
        let Some(payload) = payload else { return };
        let payload = match context.request.method.as_deref() {
            Some("connect") => match hello_runs(payload) {
                Some(runs) => runs,
                None => return,
            },
            Some(
                "getRun"
                | "runs.get"
                | "listRuns"
                | "runs.list"
                | "getDevToolsSnapshot"
                | "listNodeStates"
                | "attempts.list",
            )
            | None => payload,
            Some(_) => return,
        };
        if let Err(error) = self.read_answer(payload, context)
            && !is_other(&error)
        {
            self.add_document_error(error, payload.whole(), context);
        }
    }
}

/// Whether the request continues a run that had ended or lost its owner.
fn reopens_run(request: &Request) -> bool {
    let method = request.method.as_deref();
    request.run_id.is_some()
        && matches!(method, Some("retryTask" | "resumeRun" | "runs.resume" | "rewindRun" | "jumpToFrame"))
}

/// Returns the runs in the response to `connect`; `None` if it contains none.
fn hello_runs(payload: Slice<'_>) -> Option<Slice<'_>> {
    let [snapshot] = fields(payload, ["snapshot"]).ok()?;
    let [runs] = fields(snapshot?, ["runs"]).ok()?;
    runs.filter(|runs| runs.is_array() && runs.json().contains('{'))
}

#[cfg(test)]
mod tests {
    use super::{MAX_OPEN, OpenRequests};
    use crate::ingest::request::Request;

    #[test]
    fn of_too_many_open_requests_the_oldest_are_forgotten() {
        let mut open = OpenRequests::default();
        for id in 0..MAX_OPEN + 2 {
            open.add(id.to_string(), Request { run_id: Some(format!("r{id}")), ..Request::default() });
        }
        assert_eq!((open.by_id.len(), open.order.len()), (MAX_OPEN, MAX_OPEN));
        assert!(!open.by_id.contains_key("1") && open.by_id.contains_key("2"));
        // A page that is answered leaves nothing behind.
        open.by_id.clear();
        for id in 0..MAX_OPEN * 3 {
            open.add(id.to_string(), Request::default());
            open.by_id.remove(&id.to_string());
        }
        assert!(open.by_id.is_empty() && open.order.len() <= MAX_OPEN);
    }
}
