//! Joins the statements about the runs of one server, which keep arriving. Each answer and each frame is read once; a
//! run is finished again only after a new statement about it.

mod channel;
#[cfg(test)]
mod tests;

pub(crate) use channel::Channel;

use super::Runs;
use crate::clock::{Clock, Reading};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::frame::{Envelope, EventTarget, stamp};
use crate::ingest::answer_time::{answer_time, computed_at};
use crate::ingest::collector::answer::is_other;
use crate::ingest::collector::{Collector, Context, Statement, TimedStatement};
use crate::ingest::request::NO_REQUEST;
use crate::ingest::unpack::Piece;
use crate::json::{Slice, fields};
use crate::log::EventFeed;
use crate::problem::Problems;
use crate::run::{Fact, RunInspection, Witness};
use crate::smithers::wire::RunState;
use crate::time::Millis;

/// The runs of one server.
#[derive(Default)]
pub(crate) struct LiveRuns {
    all: Runs,
    collector: Collector,
    /// The bookkeeping of each run, in the order of `all.builders`.
    marks: Vec<Mark>,
    clock: Clock,
    /// How far the estimate of the server's clock has moved since the first statement, in milliseconds.
    moved_ms: f64,
    /// The events that the page's sockets have received.
    received: EventFeed,
}

/// The times of the statements about a run, and its last inspection.
#[derive(Default)]
struct Mark {
    /// The time of the last statement about the run.
    last: Option<Millis>,
    /// The time of the last statement about the run's state.
    state_at: Option<Millis>,
    /// The time of the last statement about all nodes: a tree, a change of it, or a list of their states.
    nodes_at: Option<Millis>,
    /// The channel from which the run's events came last.
    channel: Option<usize>,
    /// Whether all events of the run were observed, so that a node without statements is not at work.
    is_whole: bool,
    /// The last inspection; `None` after a new statement.
    inspection: Option<RunInspection>,
    /// The revision in which the run was last finished.
    finished_in: u64,
}

impl LiveRuns {
    /// Reads an answer. `asked_at` and `piece.at` are times of the viewer's clock.
    pub(crate) fn answer(&mut self, mut piece: Piece<'_>, asked_at: Millis, at: Millis) {
        let stamp = computed_at(&piece.bytes);
        if let Some(server) = stamp {
            self.observe_clock(at, |clock| clock.observe_reply(server, asked_at, at));
        }
        let now = self.clock.now(at);
        piece.at = Some(answer_time(stamp, self.clock.now(asked_at), now));
        // A page may send any request to a Gateway: an answer that is not about a run is no problem.
        if let Err(error) = self.collector.read_piece(&piece, Reading::exact(now))
            && !is_other(&error)
        {
            self.collector.problems.add(piece.error_problem(&error));
        }
        self.settle(None, now);
    }

    /// Reads a frame of a socket.
    pub(crate) fn frame(&mut self, channel: &mut Channel, text: &str, sent: bool, at: Millis) {
        let Ok(frame) = Slice::from_text(text) else { return };
        let Ok(envelope) = Envelope::read(frame) else { return };
        channel.follow_clock(self.moved_ms);
        channel.opened_at = channel.opened_at.or(Some(self.clock.now(at)));
        if sent || envelope.kind.as_deref() != Some("event") {
            return self.message(channel, frame, &envelope, sent, at);
        }
        let missing = channel.missing;
        channel.count(envelope.seq);
        let event = envelope.event.and_then(Slice::text).unwrap_or_default();
        let payload = envelope.payload.unwrap_or(frame);
        if matches!(event.as_str(), "connect.challenge" | "tick")
            && let Some(stamp) = stamp(payload)
        {
            self.observe_clock(at, |clock| clock.observe_push(stamp, at));
        }
        channel.follow_clock(self.moved_ms);
        let now = self.clock.now(at);
        if channel.missing > missing {
            self.received.lose(Some(channel.missing - missing), now);
        }
        if let Some(target) = EventTarget::read(&event, payload) {
            self.received.push(&target.run_id, &target.event, target.seq, target.payload, now);
        }
        channel.socket.replays.read_event(&mut self.collector, &event, payload, None, context(now));
        self.settle_events(channel, now);
        // A heartbeat only shows that the run is being followed.
        if let Ok([Some(run_id)]) = fields(payload, ["runId"])
            && let Some(run_id) = run_id.text()
            && self.find(&run_id).is_some()
            && !channel.socket.replays.has_run(&run_id)
        {
            self.mark(&run_id, false, Some(channel), now);
        }
    }

    /// Observes the server's clock at `at` of the viewer's clock. The known times were estimated by the viewer's clock, so they
    /// move with the estimate: otherwise later statements would seem older once the server's clock was set back.
    fn observe_clock(&mut self, at: Millis, observe: impl FnOnce(&mut Clock)) {
        let before = self.clock.now(at);
        observe(&mut self.clock);
        let ms = self.clock.now(at).since(before);
        if ms == 0.0 {
            return;
        }
        self.moved_ms += ms;
        self.received.move_times(ms);
        for (builder, mark) in self.all.builders.iter_mut().zip(&mut self.marks) {
            builder.move_times(ms);
            [&mut mark.last, &mut mark.state_at, &mut mark.nodes_at]
                .into_iter()
                .flatten()
                .for_each(|at| at.0 += ms);
        }
    }

    /// Reads a request or a response on a socket.
    fn message(
        &mut self,
        channel: &mut Channel,
        frame: Slice<'_>,
        envelope: &Envelope<'_>,
        sent: bool,
        at: Millis,
    ) {
        let now = self.clock.now(at);
        let narrows_to = if sent { None } else { channel.narrows_to(frame) };
        channel.socket.read_message(&mut self.collector, frame, envelope, sent, context(now));
        channel.is_greeted |= !sent;
        self.settle(None, now);
        self.settle_events(channel, now);
        if let Some(run_id) = narrows_to {
            channel.narrowed_to.get_or_insert_default().insert(run_id);
            self.stop_following(channel);
        }
    }

    /// Records that the channel no longer delivers the events of most runs, so that their changes are not observed.
    fn stop_following(&mut self, channel: &Channel) {
        for (builder, mark) in self.all.builders.iter().zip(&mut self.marks) {
            let run_id = builder.run.run_id.as_deref().unwrap_or_default();
            if mark.channel == Some(channel.number) && !channel.has_events_of(run_id) {
                (mark.channel, mark.is_whole, mark.inspection) = (None, false, None);
            }
        }
    }

    /// Adds what the events of a channel say, except for stored events of which others have not arrived yet.
    fn settle_events(&mut self, channel: &mut Channel, now: Millis) {
        self.collector.statements.append(&mut channel.socket.replays.take_ready().statements);
        self.settle(Some(channel), now);
    }

    /// Adds the new statements to the runs.
    fn settle(&mut self, channel: Option<&Channel>, now: Millis) {
        for TimedStatement { time, mut statement, .. } in std::mem::take(&mut self.collector.statements) {
            if let (Some(_), Statement::Fact { fact: Fact::Snapshot { run, .. }, .. }) =
                (channel, &mut statement)
            {
                // The header of a stream stays `running` even if the run's state changes (protocol section 5, item 1).
                run.verdict = None;
            }
            let has_all_nodes = matches!(&statement, Statement::Fact { fact, .. } if fact.has_all_nodes());
            for (run_id, has_state) in run_ids(&statement) {
                let mark = self.mark(&run_id, has_state, channel, now);
                if has_all_nodes {
                    mark.nodes_at = newest(mark.nodes_at, now);
                }
            }
            self.all.take(statement, time, now);
        }
        self.marks.resize_with(self.all.builders.len(), Mark::default);
        // These do not name their run.
        self.all.unassigned_nodes.clear();
        self.all.supplements.clear();
        // Answers that are not about a run, and sessions of another system, are ignored.
        self.collector.sessions.clear();
        self.collector.refusals.clear();
        // Event logs are ignored, too: an answer contains one page of a log, but a state needs the whole log.
        self.collector.log_pieces.clear();
        self.collector.log_count = 0;
    }

    fn mark(&mut self, run_id: &str, has_state: bool, channel: Option<&Channel>, now: Millis) -> &mut Mark {
        let known = self.all.builders.len();
        let place = {
            self.all.builder(run_id);
            self.all.places.get(run_id).map_or(0, |place| *place as usize)
        };
        self.marks.resize_with(self.all.builders.len(), Mark::default);
        let created_at = self.all.builders[place].run.created_at;
        let mark = &mut self.marks[place];
        mark.inspection = None;
        mark.last = newest(mark.last, now);
        if has_state {
            mark.state_at = newest(mark.state_at, now);
        }
        let Some(channel) = channel.filter(|channel| channel.has_events_of(run_id)) else { return mark };
        // The run was unknown when the socket greeted, or it was created since then.
        let since = created_at.zip(channel.opened_at).is_some_and(|(created, opened)| created >= opened);
        mark.is_whole = channel.missing == 0
            && !channel.lacks_start
            && (mark.is_whole && mark.channel == Some(channel.number)
                || since
                || place >= known && channel.is_greeted);
        mark.channel = Some(channel.number);
        mark
    }

    /// Returns the events that the page's sockets have received.
    pub(crate) fn received(&self) -> &EventFeed {
        &self.received
    }

    /// Returns the number of runs.
    pub(crate) fn len(&self) -> usize {
        self.all.builders.len()
    }

    /// Returns the index of a run.
    pub(crate) fn find(&self, run_id: &str) -> Option<usize> {
        self.all.places.get(run_id).map(|place| *place as usize)
    }

    /// Finishes the runs with new statements, in a revision that is larger than the last one.
    pub(crate) fn finish(&mut self, revision: u64) {
        for (builder, mark) in self.all.builders.iter().zip(&mut self.marks) {
            if mark.inspection.is_none() {
                let whole = mark.is_whole || builder.has_all_nodes;
                mark.inspection = Some(remove_untrusted_state(builder.clone().finish(), whole, mark.last));
                mark.finished_in = revision;
            }
        }
    }

    /// Lets a run be finished again although no new statement is about it.
    pub(crate) fn renew(&mut self, run_id: &str) {
        if let Some(place) = self.find(run_id) {
            self.marks[place].inspection = None;
        }
    }

    /// Returns the indexes of the runs that were finished after a revision.
    pub(crate) fn finished_after(&self, revision: u64) -> impl Iterator<Item = usize> {
        let marks = self.marks.iter().enumerate();
        marks.filter(move |(_, mark)| mark.finished_in > revision).map(|(place, _)| place)
    }

    /// Returns a run as of its last finish.
    pub(crate) fn run(&self, place: usize) -> Option<&RunInspection> {
        self.marks.get(place)?.inspection.as_ref()
    }

    /// Returns the times of the last statements about the run and about its state, and the channel that delivered its
    /// events.
    pub(crate) fn times(&self, place: usize) -> (Option<Millis>, Option<Millis>, Option<usize>) {
        let mark = self.marks.get(place);
        mark.map_or((None, None, None), |mark| (mark.last, mark.state_at, mark.channel))
    }

    /// Returns the time of the last statement about all nodes of the run.
    pub(crate) fn nodes_at(&self, place: usize) -> Option<Millis> {
        self.marks.get(place)?.nodes_at
    }

    /// Returns the server's clock.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the problems of unreadable content.
    pub(crate) fn problems(&self) -> &Problems {
        &self.collector.problems
    }
}

fn context(now: Millis) -> Context<'static> {
    Context {
        request: &NO_REQUEST,
        name: None,
        part: None,
        at: Some(now),
        clock: Reading::exact(now),
        cut: false,
    }
}

/// Returns the runs that a statement is about, each with whether the statement contains its state.
fn run_ids(statement: &Statement) -> Vec<(String, bool)> {
    match statement {
        Statement::Fact { run_id, .. } if run_id.is_empty() => Vec::new(),
        Statement::Fact { run_id, fact } => vec![(run_id.clone(), fact.has_state())],
        Statement::Rows(rows) => rows.iter().filter_map(|row| Some((row.run_id.clone()?, true))).collect(),
        Statement::Nodes(_) | Statement::Supplement(_) | Statement::Refusal(_) => Vec::new(),
    }
}

/// The time of the newest of two statements: the body of an answer may arrive after more recent statements.
fn newest(known: Option<Millis>, now: Millis) -> Option<Millis> {
    known.filter(|known| *known > now).or(Some(now))
}

/// Sets the state to unknown if no trustworthy source supports it. `whole` means that the state of every node is known.
fn remove_untrusted_state(mut run: RunInspection, whole: bool, at: Option<Millis>) -> RunInspection {
    let waits_by_events = !whole && run.verdict.as_ref().is_some_and(waits_by_events);
    if run.verdict.is_some() && !waits_by_events {
        return run;
    }
    let mut inputs = run.evidence().map(|evidence| evidence.inputs.clone()).unwrap_or_default();
    for input in &mut inputs {
        input.decisive = false;
    }
    if waits_by_events {
        let caveat = "A node is waiting. Whether other nodes are running is not known.";
        run.caveats.push(caveat.into());
    }
    inputs.push(Input::new(Signal::StateSource, Value::Absent, true));
    let evidence = Evidence { inputs, read_from: "this page's traffic".to_owned(), read_at: at };
    let unknown = run.unknown_state(evidence);
    run.witnesses.extend(run.verdict.replace(unknown));
    run
}

/// Whether a wait follows only from events of nodes.
fn waits_by_events(verdict: &Witness) -> bool {
    let mut inputs = verdict.evidence.inputs.iter();
    let by_events = inputs.any(|input| input.name == Signal::LastNodeEvent && input.decisive);
    let waits = |state: RunState| state != RunState::Running && !state.is_terminal();
    by_events && verdict.view.state.known().is_some_and(waits)
}
