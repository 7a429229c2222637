//! What a pushed event means: mostly, that something has to be read again.

use super::connection::Connection;
use super::event_witness::EventWitness;
use super::model::{Applied, ProblemArea};
use super::schedule::{Schedule, Stream};
use super::{Client, read};
use crate::frame::{DevToolsEvent, DevToolsMessage};
use crate::json::ReadError;
use crate::number::Number;
use crate::smithers::wire::Boundary;
use crate::time::Millis;
use crate::tree::{Delta, Snapshot};

/// Deltas that are kept while a new baseline is on its way; more means that the baseline is old on arrival.
const KEPT_DELTAS: usize = 64;

impl Client {
    /// Takes in an event. No event changes the run's state: the Gateway sends `run.completed` two or three times and
    /// the events of a whole run again a second after its end (protocol section 5, quirk 6).
    pub(super) fn event(&mut self, name: &str, seq: Option<f64>, payload: &str, now: Millis) {
        self.check_gap(seq, now);
        match name {
            "connect.challenge" | "tick" | "run.heartbeat" => {
                if let Some(stamp) = read::stamp(payload) {
                    match self.connection {
                        // The challenge answers the opening of the socket: it was stamped after that.
                        Connection::Handshaking { asked_at, .. } => {
                            self.clock.observe_reply(stamp, asked_at, now);
                        }
                        Connection::Opening { .. }
                        | Connection::Ready { .. }
                        | Connection::Waiting(_)
                        | Connection::Stopped => {
                            self.clock.observe_push(stamp, now);
                        }
                    }
                }
            }
            "devtools.event" => self.devtools_event(payload, now),
            "devtools.error" => self.devtools_error(payload, now),
            _ => self.run_event(name, payload, now),
        }
    }

    /// Event frames are numbered per connection; a missing number is a missed event.
    fn check_gap(&mut self, seq: Option<f64>, now: Millis) {
        let Some(seq) = seq else { return };
        if self.last_event_seq.is_some_and(|last| seq > last + 1.0) && self.run_id.is_some() {
            self.event_witness = EventWitness::default();
            self.stir(now);
        }
        self.last_event_seq = Some(seq);
    }

    fn run_event(&mut self, name: &str, payload: &str, now: Millis) {
        let Some(about) = read::event_target(name, payload) else { return };
        let list_interval = self.list_interval();
        if self.run_id.as_deref() == Some(&*about.run_id) {
            self.event_witness.hear(&about, now);
            if about.event == "run.side_effect_boundary_crossed" {
                self.model.cross(Boundary::read(about.payload.json()));
            }
            if changes_a_run(&about.event) {
                self.stir(now);
            }
        } else if self.run_id.is_none() && changes_a_run(&about.event) || about.event == "run.completed" {
            self.schedule.list.nudge(list_interval, now);
        }
    }

    fn devtools_event(&mut self, payload: &str, now: Millis) {
        // Without a run there is nothing to read again, and what were due would never be asked.
        if self.run_id.is_none() {
            return;
        }
        match DevToolsMessage::parse(payload) {
            Ok(message) if self.run_id.as_ref() != Some(&message.run_id) => return,
            Ok(DevToolsMessage { event: DevToolsEvent::Snapshot(snapshot), .. }) => {
                self.schedule.stream = Stream::Running { tries: 0 };
                // A snapshot of the stream is newer than any that was asked for before.
                self.schedule.snapshot.rest();
                self.rebaseline(Ok(*snapshot), now);
            }
            Ok(DevToolsMessage { event: DevToolsEvent::Delta(delta), .. }) => {
                self.schedule.stream = Stream::Running { tries: 0 };
                if self.schedule.snapshot.in_flight().is_some() {
                    self.keep(delta);
                } else {
                    self.apply(&delta, now);
                }
            }
            Err(why) => {
                self.model.note(ProblemArea::Tree, Some(format!("DevTools stream: {}", why.message)));
                self.schedule.snapshot.nudge(Schedule::snapshot_interval(), now);
            }
        }
        self.stir(now);
    }

    fn keep(&mut self, delta: Delta) {
        if self.waiting_deltas.len() == KEPT_DELTAS {
            self.waiting_deltas.remove(0);
        }
        self.waiting_deltas.push(delta);
    }

    fn apply(&mut self, delta: &Delta, now: Millis) {
        match self.model.apply(delta) {
            Ok(Applied::Done) => self.model.note(ProblemArea::Tree, None),
            Ok(Applied::Old) => {}
            // There is no subscribing again on this socket; the whole tree by RPC is a base for what follows.
            Ok(Applied::Unfit) => self.schedule.snapshot.nudge(Schedule::snapshot_interval(), now),
            Err(why) => {
                self.model
                    .note(ProblemArea::Tree, Some(format!("delta {}: {why}", Number(delta.seq).to_text())));
                self.schedule.snapshot.nudge(Schedule::snapshot_interval(), now);
            }
        }
    }

    /// Takes a whole tree, then the deltas that came while it was on its way.
    pub(super) fn rebaseline(&mut self, snapshot: Result<Snapshot, ReadError>, now: Millis) {
        match snapshot {
            Ok(snapshot) => {
                self.model.take_snapshot(snapshot);
                self.model.note(ProblemArea::Tree, None);
                for delta in std::mem::take(&mut self.waiting_deltas) {
                    self.apply(&delta, now);
                }
            }
            Err(why) => self.model.note(ProblemArea::Tree, Some(format!("snapshot: {}", why.message))),
        }
    }

    /// The stream is over: not written yet right after a launch, or too slow a reader.
    fn devtools_error(&mut self, payload: &str, now: Millis) {
        let Some((run_id, refusal)) = read::stream_error(payload) else { return };
        if self.run_id.as_deref() != Some(&*run_id) {
            return;
        }
        if matches!(refusal.code.as_str(), "FORBIDDEN" | "Unauthorized") {
            self.schedule.stream = Stream::Refused;
            self.model.note(ProblemArea::Tree, Some(super::answers::sentence(&refusal)));
            return;
        }
        if refusal.code != "RunNotFound" {
            self.model.note(ProblemArea::Tree, Some(super::answers::sentence(&refusal)));
        }
        if self.model.ended() {
            self.schedule.stream = Stream::Idle;
            self.schedule.snapshot.nudge(Schedule::snapshot_interval(), now);
        } else {
            self.schedule.retry_stream(now);
        }
        self.stir(now);
    }
}

/// Events after which a run or its nodes may be in another state. Output, agent and token events come by the hundred
/// and change neither.
fn changes_a_run(event: &str) -> bool {
    event.starts_with("node.") || event.starts_with("approval.") || event.starts_with("run.")
}
