//! Holds the stored events with which a stream begins until all of them have arrived: the first of them alone describe a
//! state that the run may have left long ago.

use super::{Collector, Context, TimedStatement};
use crate::json::{Slice, fields};
use crate::smithers::wire::GatewayEvent;
use crate::time::Millis;
use crate::word::Vocabulary;

/// The maximum number of held events of one stream, above the 10 000 that a Gateway stores. With more, none is held.
const MAX_HELD: usize = 50_000;

/// The streams of one socket whose stored events have not all arrived.
#[derive(Default)]
pub(crate) struct Replays {
    open: Vec<Replay>,
    /// What may be used: ordinary events, and those of the streams whose stored events have all arrived.
    ready: Held,
}

/// The stored events of one stream.
struct Replay {
    run_id: String,
    /// The id of the request for the stream.
    request_id: String,
    /// The number of the last stored event; `None` before the response.
    last_seq: Option<f64>,
    /// The number of the last event that has arrived.
    arrived_seq: f64,
    /// The number of events that are held.
    count: usize,
    held: Held,
}

/// What events say, in the order of their arrival.
#[derive(Default)]
pub(super) struct Held {
    pub(super) statements: Vec<TimedStatement>,
    /// The same events as lines of the run's log, each with its time.
    pub(super) lines: Vec<(String, Millis)>,
}

impl Held {
    fn append(&mut self, mut later: Self) {
        self.statements.append(&mut later.statements);
        self.lines.append(&mut later.lines);
    }
}

impl Replays {
    /// Records a request for the events of a run. Whether the server sends stored events follows from its response, which
    /// may arrive after them (protocol section 5, item 11).
    pub(super) fn request(&mut self, request_id: &str, run_id: &str) {
        let (request_id, run_id) = (request_id.to_owned(), run_id.to_owned());
        let (last_seq, arrived_seq, count, held) = (None, 0.0, 0, Held::default());
        self.open.push(Replay { run_id, request_id, last_seq, arrived_seq, count, held });
    }

    /// Reads the response to such a request; `payload` is `None` if the server refused it.
    pub(super) fn response(&mut self, request_id: &str, payload: Option<Slice<'_>>) {
        let numbers = payload.and_then(|payload| fields(payload, ["afterSeq", "currentSeq"]).ok());
        let [after, current] = numbers.unwrap_or_default().map(|number| number.and_then(Slice::number));
        // Without `afterSeq` the server only sends new events.
        let last_seq = current.filter(|current| after.is_some_and(|after| after < *current));
        for replay in self.open.iter_mut().filter(|replay| replay.request_id == request_id) {
            replay.last_seq = Some(last_seq.unwrap_or(0.0));
        }
        self.release();
    }

    /// Reads an event into the collector, or holds its statements. `line` is the event as a line of the run's log.
    pub(super) fn read_event(
        &mut self,
        collector: &mut Collector,
        event: &str,
        payload: Slice<'_>,
        line: Option<(String, Millis)>,
        context: Context<'_>,
    ) {
        let known = collector.statements.len();
        collector.read_event(event, payload, context);
        let lines = line.into_iter().collect();
        let held = Held { statements: collector.statements.split_off(known), lines };
        let run = || {
            let [run_id, seq] = fields(payload, ["runId", "seq"]).ok()?;
            Some((run_id?.text()?, seq.and_then(Slice::number)))
        };
        let run = if self.open.is_empty() { None } else { run() };
        let known = run.and_then(|(run_id, seq)| {
            let replay = self.open.iter_mut().find(|replay| replay.run_id == run_id)?;
            Some((replay, seq))
        });
        let Some((replay, seq)) = known else { return self.ready.append(held) };
        match GatewayEvent::from_word(event) {
            // The tree has a stream of its own.
            Some(
                GatewayEvent::DevTools
                | GatewayEvent::DevToolsError
                | GatewayEvent::Challenge
                | GatewayEvent::Tick,
            ) => return self.ready.append(held),
            // Stored events arrive at once, and heartbeats a second later: what is missing then will not arrive.
            Some(GatewayEvent::Heartbeat | GatewayEvent::RunError) => replay.last_seq = Some(0.0),
            Some(GatewayEvent::Run) => {
                replay.arrived_seq = replay.arrived_seq.max(seq.unwrap_or_default());
            }
            Some(GatewayEvent::Gap | GatewayEvent::RunCompleted | GatewayEvent::ApprovalDecided) | None => {}
        }
        replay.count += 1;
        replay.held.append(held);
        self.release();
    }

    /// Ends the replays that are over.
    fn release(&mut self) {
        for replay in self.open.extract_if(.., |replay| replay.is_over()) {
            self.ready.append(replay.held);
        }
    }

    /// Returns what may be used since the last call.
    pub(super) fn take_ready(&mut self) -> Held {
        std::mem::take(&mut self.ready)
    }

    /// The times of what is held, estimated by the server's clock.
    pub(super) fn times(&mut self) -> impl Iterator<Item = &mut Millis> {
        let held = self.open.iter_mut().map(|replay| &mut replay.held).chain([&mut self.ready]);
        held.flat_map(|held| held.statements.iter_mut().filter_map(|held| held.time.at.as_mut()))
    }

    /// Whether events of a run are held.
    pub(super) fn has_run(&self, run_id: &str) -> bool {
        self.open.iter().any(|replay| replay.run_id == run_id && replay.count > 0)
    }

    /// Returns the number of events that are held.
    pub(super) fn held_count(&self) -> usize {
        self.open.iter().map(|replay| replay.count).sum()
    }
}

impl Replay {
    /// Whether all stored events have arrived.
    fn is_over(&self) -> bool {
        self.last_seq.is_some_and(|last| self.arrived_seq >= last) || self.count > MAX_HELD
    }
}
