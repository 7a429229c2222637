//! Handles pushed events; most of them make a poller read again.

use super::connection::Connection;
use super::event_witness::EventWitness;
use super::model::ProblemArea;
use super::requests::Method;
use super::row_nodes::NodeChange;
use super::schedule::Stream;
use super::{Client, read};
use crate::clock::{Clock, MARGIN_MS};
use crate::frame::{DevToolsEvent, DevToolsMessage, EventTarget, stamp};
use crate::json::{ReadError, Slice};
use crate::log::PushedEvent;
use crate::number::Number;
use crate::refusal::RefusalCode;
use crate::run::DeltaOutcome;
use crate::smithers::wire::{Boundary, GatewayEvent, may_change_a_run};
use crate::time::Millis;
use crate::tree::{Delta, Snapshot};
use crate::word::Vocabulary;

/// Maximum number of deltas kept while a new baseline is requested; after more deltas the baseline is outdated on
/// arrival.
const MAX_WAITING_DELTAS: usize = 64;

impl Client {
    /// Handles a pushed event. No event changes the run's state: the Gateway sends `run.completed` two or three times,
    /// and sends the events of a whole run again one second after its end (protocol section 5, quirk 6).
    pub(super) fn on_event(&mut self, name: &str, seq: Option<f64>, payload: &str, now: Millis) {
        self.check_gap(seq, now);
        match GatewayEvent::from_word(name) {
            Some(GatewayEvent::Challenge | GatewayEvent::Tick | GatewayEvent::Heartbeat) => {
                self.read_clock(payload, now);
            }
            Some(GatewayEvent::DevTools) => self.on_devtools_event(payload, now),
            Some(GatewayEvent::DevToolsError) => self.on_devtools_error(payload, now),
            Some(
                GatewayEvent::Run
                | GatewayEvent::RunCompleted
                | GatewayEvent::Gap
                | GatewayEvent::RunError
                | GatewayEvent::ApprovalDecided,
            )
            | None => self.on_run_event(name, payload, now),
        }
    }

    /// Reads the server's clock from an event that has a timestamp.
    fn read_clock(&mut self, payload: &str, now: Millis) {
        let Some(stamp) = stamp(Slice::new(payload)) else { return };
        match self.connection {
            // The challenge was stamped after the client requested the socket.
            Connection::Handshaking { asked_at, .. } => {
                self.observe_clock(now, |clock| clock.observe_reply(stamp, asked_at, now));
            }
            Connection::Opening { .. }
            | Connection::Ready { .. }
            | Connection::Waiting(_)
            | Connection::Stopped => self.observe_clock(now, |clock| clock.observe_push(stamp, now)),
        }
    }

    /// Observes the server's clock. If it was set or has become known, rows whose states follow from ages are read again.
    pub(super) fn observe_clock(&mut self, now: Millis, observe: impl FnOnce(&mut Clock)) {
        let known = |clock: &Clock| clock.read(now).filter(|reading| reading.is_sure());
        let (before, estimate) = (known(&self.clock), self.clock.now(now));
        observe(&mut self.clock);
        self.received.move_times(self.clock.now(now).since(estimate));
        let same = match (before, known(&self.clock)) {
            (Some(before), Some(after)) => after.now.since(before.now).abs() <= MARGIN_MS,
            (before, after) => before.is_none() && after.is_none(),
        };
        if !same {
            self.invalidate(Method::ListRuns, now);
        }
    }

    /// Detects missed events.
    fn check_gap(&mut self, seq: Option<f64>, now: Millis) {
        if let Some(missing @ 1..) = seq.and_then(|seq| self.event_numbers.missing_before(seq)) {
            self.model.forget_row_nodes(now);
            self.plan_row_nodes(now);
            self.received.lose(Some(missing), self.clock.now(now));
            if self.run_id.is_some() {
                self.event_witness = EventWitness::default();
                self.invalidate_run(now);
            }
        }
    }

    fn on_run_event(&mut self, name: &str, payload: &str, now: Millis) {
        let Some(target) = EventTarget::read(name, Slice::new(payload)) else { return };
        let EventTarget { run_id, event, seq, payload } = &target;
        self.received.push(run_id, event, *seq, *payload, self.clock.now(now));
        let pushed = PushedEvent::read(&target.event, target.payload);
        self.model.row_nodes.record_event(&target.run_id, now);
        if let Some(change) = pushed.as_ref().and_then(|event| NodeChange::read(event, target.payload)) {
            self.model.change_row_nodes(&target.run_id, change, now);
            self.plan_row_nodes(now);
        }
        if self.run_id.as_deref() == Some(&*target.run_id) {
            if let Some(event) = pushed {
                if event == PushedEvent::BoundaryCrossed {
                    self.model.set_boundary(Boundary::read(target.payload.json()));
                }
                self.event_witness.observe(&event, &target.event, now);
            }
            if may_change_a_run(&target.event) {
                self.invalidate_run(now);
            }
        } else {
            let is_end = GatewayEvent::from_word(&target.event) == Some(GatewayEvent::RunCompleted);
            if is_end || may_change_a_run(&target.event) {
                self.invalidate(Method::ListRuns, now);
            }
        }
    }

    fn on_devtools_event(&mut self, payload: &str, now: Millis) {
        // Without a watched run, the client never sends the requests of the pollers.
        if self.run_id.is_none() {
            return;
        }
        match DevToolsMessage::parse(payload) {
            Ok(message) if self.run_id.as_ref() != Some(&message.run_id) => return,
            Ok(DevToolsMessage { event: DevToolsEvent::Snapshot(snapshot), .. }) => {
                self.schedule.stream = Stream::Running { tries: 0 };
                // A streamed snapshot is newer than any snapshot requested before.
                self.schedule[Method::GetSnapshot].reset();
                self.rebaseline(Ok(*snapshot), now, now);
            }
            Ok(DevToolsMessage { event: DevToolsEvent::Delta(delta), .. }) => {
                self.schedule.stream = Stream::Running { tries: 0 };
                if self.schedule[Method::GetSnapshot].in_flight().is_some() {
                    self.queue_delta(delta);
                } else {
                    self.apply(&delta, now);
                }
            }
            Err(why) => {
                self.model.note(
                    ProblemArea::Tree,
                    Some(format!("A change of the tree could not be read: {}", why.message)),
                );
                self.invalidate(Method::GetSnapshot, now);
            }
        }
        self.invalidate_run(now);
    }

    fn queue_delta(&mut self, delta: Delta) {
        if self.waiting_deltas.len() == MAX_WAITING_DELTAS {
            self.waiting_deltas.remove(0);
        }
        self.waiting_deltas.push(delta);
    }

    fn apply(&mut self, delta: &Delta, now: Millis) {
        match self.model.apply(delta) {
            Ok(DeltaOutcome::Done) => {
                self.model.note(ProblemArea::Tree, None);
                self.tree_read_at = Some(now);
            }
            Ok(DeltaOutcome::Old) => {}
            // One socket can subscribe only once; a snapshot by RPC becomes the new base.
            Ok(DeltaOutcome::WrongBase) => {
                self.invalidate(Method::GetSnapshot, now);
            }
            Err(why) => {
                self.model
                    .note(ProblemArea::Tree, Some(format!("delta {}: {why}", Number(delta.seq).to_text())));
                self.invalidate(Method::GetSnapshot, now);
            }
        }
    }

    /// Replaces the tree by a snapshot of `read_at`, then applies the deltas that arrived in the meantime.
    pub(super) fn rebaseline(&mut self, snapshot: Result<Snapshot, ReadError>, read_at: Millis, now: Millis) {
        match snapshot {
            Ok(snapshot) => {
                self.model.take_snapshot(snapshot);
                self.tree_read_at = Some(read_at);
                self.model.note(ProblemArea::Tree, None);
                for delta in std::mem::take(&mut self.waiting_deltas) {
                    self.apply(&delta, now);
                }
            }
            Err(why) => self.model.note(ProblemArea::Tree, Some(format!("snapshot: {}", why.message))),
        }
    }

    /// Handles the end of the stream: right after a launch the run is not written yet, or this client reads too slowly.
    fn on_devtools_error(&mut self, payload: &str, now: Millis) {
        let Some((run_id, refusal)) = read::stream_error(payload) else { return };
        if self.run_id.as_deref() != Some(&*run_id) {
            return;
        }
        if refusal.is_forbidden() {
            self.schedule.stream = Stream::Refused;
            self.model.note_refusal(ProblemArea::Tree, &refusal);
            return;
        }
        if refusal.known_code() != Some(RefusalCode::RunNotFound) {
            self.model.note_refusal(ProblemArea::Tree, &refusal);
        }
        if self.model.ended() {
            self.schedule.stream = Stream::Idle;
            self.invalidate(Method::GetSnapshot, now);
        } else {
            self.schedule.retry_stream(now);
        }
        self.invalidate_run(now);
    }
}
