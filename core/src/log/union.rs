//! The stored events of a run and those that its server has pushed and that they do not contain.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};

use super::EventLog;
use super::effect::effect;
use super::feed::{EventFeed, FeedEvent, FeedRow};
use super::scan::EventFields;
use crate::json::Writer;
use crate::smithers::wire::{EventType, RunState};
use crate::time::Millis;
use crate::word::Vocabulary;

/// How much later than it happened an event arrives at most, in milliseconds. A Gateway pushes the events of a run a second time
/// about one second after the end.
const MAX_DELAY_MS: f64 = 5_000.0;

/// The maximum error of the server's clock, by which arrivals are dated, in milliseconds.
const CLOCK_ERROR_MS: f64 = 1_000.0;

/// The maximum number of pushed events that are added.
const MAX_PUSHED: usize = 200_000;

/// A stored log of one run with the events that were pushed after its end.
///
/// A stored log is complete up to its last event, except for the types that a server never stores. What was pushed before is
/// one of its events; it has no time and no number by which it could be found. Around the end of the log, type and node say
/// whether it is. After the end of the run, when its events are pushed a second time, each repeats one of them once; these
/// repeats are counted.
#[derive(Debug)]
pub(crate) struct LogUnion {
    log: EventLog,
    run_id: String,
    /// When the stored events end.
    stored_until: Millis,
    /// Until when the log has every event of a type that is stored.
    complete_until: Millis,
    /// When the run ended, if nothing happened in it afterwards.
    ended_at: Option<Millis>,
    /// What the log has of each type and node.
    stored: HashMap<(EventType, Option<Box<str>>), Copies>,
    /// The stored events shortly before the end that no push has repeated.
    last: Vec<StoredEvent>,
    /// The number of the first received row that was not looked at.
    next: u64,
    pushed: usize,
    repeats: Option<Repeats>,
    /// Whether events after the stored ones were lost.
    is_incomplete: bool,
}

/// Pushed events that are not listed, because each is taken for the repeat of a listed one after the end of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Repeats {
    pub(crate) count: u32,
    /// When the last one arrived, by the server's clock.
    pub(crate) until: Millis,
}

/// The events of one type and node.
#[derive(Debug, Default)]
struct Copies {
    count: u32,
    /// How many pushes may still repeat one of them.
    repeatable: u32,
    max_iteration: u32,
    max_attempt: u32,
}

/// What is compared of an event.
#[derive(Clone, Copy, Debug)]
struct StoredEvent {
    event_type: EventType,
    /// The number of the node in the log: a large log has too many events for a text in each.
    node: Option<u32>,
    iteration: u32,
    attempt: Option<u32>,
    at: Millis,
}

impl LogUnion {
    /// Adds to a stored log what was received so far; `None` if the log has no event of the run.
    pub(crate) fn new(log: EventLog, run_id: &str, received: Option<&EventFeed>) -> Option<Self> {
        let log = log.in_order();
        let (mut of_nodes, mut last_event) = (HashMap::<_, Copies>::new(), None);
        let (mut stored_until, mut last) = (Millis(f64::NEG_INFINITY), VecDeque::new());
        for event in log.stored_events(run_id) {
            let StoredEvent { event_type, node, iteration, attempt, at } = event;
            stored_until = if at > stored_until { at } else { stored_until };
            last.push_back(event);
            while last.pop_front_if(|first| !is_last(first, stored_until)).is_some() {}
            last_event = Some(event_type);
            of_nodes.entry((event_type, node)).or_default().add(Some(iteration), attempt);
        }
        let named = |((event_type, node), copies)| ((event_type, log.node_name(node).map(Box::from)), copies);
        let stored = of_nodes.into_iter().map(named).collect();
        let ends = ends_run(last_event?);
        last.retain(|event| is_last(event, stored_until));
        let mut union = Self {
            log,
            run_id: run_id.to_owned(),
            stored_until,
            complete_until: Millis(stored_until.0 - CLOCK_ERROR_MS),
            ended_at: None,
            stored,
            last: last.into(),
            next: 0,
            pushed: 0,
            repeats: None,
            is_incomplete: false,
        };
        if ends {
            union.end(stored_until);
        }
        if let Some(received) = received {
            union.expect_since(received.since());
            union.take(received);
        }
        Some(union)
    }

    /// Adds the events that were received since the last call.
    pub(crate) fn take(&mut self, received: &EventFeed) {
        let first = received.first();
        self.is_incomplete |= self.next > 0 && first > self.next;
        let begin = self.next.saturating_sub(first) as usize;
        let pushed = self.pushed;
        for row in received.rows().iter().skip(begin) {
            match row {
                FeedRow::Event(event) if *event.run_id == *self.run_id => {
                    if !self.has(event) {
                        self.add(event);
                    }
                }
                FeedRow::Event(_) => {}
                FeedRow::Lost { at, .. } => {
                    self.is_incomplete |= *at > self.stored_until;
                    self.expect_since(Some(*at));
                }
            }
        }
        self.next = first + received.rows().len() as u64;
        if self.pushed > pushed {
            self.log.arrange();
        }
    }

    /// Expects no push of the stored events before this time.
    fn expect_since(&mut self, at: Option<Millis>) {
        if let Some(at) = at {
            // What is pushed after the end repeats the run.
            let error = if self.ended_at.is_some_and(|end| at > end) { 0.0 } else { CLOCK_ERROR_MS };
            self.last.retain(|stored| at.since(stored.at) <= error);
        }
    }

    /// Whether a pushed event is one of the stored ones.
    fn has(&mut self, event: &FeedEvent) -> bool {
        let Some(event_type) = event.event_type else { return false };
        let log = &self.log;
        let repeated = self.last.iter().position(|stored| {
            let delay = event.at.since(stored.at);
            stored.event_type == event_type
                && log.node_name(stored.node) == event.node_id.as_deref()
                && event.iteration.is_none_or(|iteration| iteration == stored.iteration)
                && (event.attempt.is_none() || event.attempt == stored.attempt)
                && (-CLOCK_ERROR_MS..=MAX_DELAY_MS).contains(&delay)
        });
        if let Some(repeated) = repeated {
            self.last.remove(repeated);
            return true;
        }
        let Some(copies) = self.stored.get_mut(&(event_type, event.node_id.clone())) else { return false };
        if copies.is_before(event) {
            return false;
        }
        if event.at <= self.complete_until {
            return true;
        }
        let is_repeat = self.ended_at.is_some_and(|end| event.at.since(end) <= MAX_DELAY_MS);
        if !is_repeat || copies.repeatable == 0 {
            return false;
        }
        copies.repeatable -= 1;
        let count = self.repeats.map_or(0, |repeats| repeats.count) + 1;
        self.repeats = Some(Repeats { count, until: event.at });
        true
    }

    /// Expects that every event is pushed once more, and the end of the run twice.
    fn end(&mut self, at: Millis) {
        self.ended_at = Some(at);
        for ((event_type, _), copies) in &mut self.stored {
            copies.repeatable = copies.count + u32::from(ends_run(*event_type));
        }
    }

    /// Adds a pushed event at the end, or by its time if the log goes on after it.
    fn add(&mut self, event: &FeedEvent) {
        if self.pushed == MAX_PUSHED {
            self.is_incomplete = true;
            return;
        }
        if self.pushed == 0 && event.at < self.stored_until {
            self.log.order.begin_file(self.log.store.len());
        }
        self.pushed += 1;
        if let Some(event_type) = event.event_type {
            let copies = self.stored.entry((event_type, event.node_id.clone())).or_default();
            copies.add(event.iteration, event.attempt);
            if ends_run(event_type) {
                self.end(event.at);
            }
        }
        self.log.push_received(event);
    }

    pub(crate) fn log(&self) -> &EventLog {
        &self.log
    }

    pub(crate) fn run_id(&self) -> &str {
        &self.run_id
    }

    /// When the stored events end, by the server's clock.
    pub(crate) fn stored_until(&self) -> Millis {
        self.stored_until
    }

    /// What was pushed after the end of the run and is not listed.
    pub(crate) fn repeats(&self) -> Option<Repeats> {
        self.repeats
    }

    /// Whether events after the stored ones were lost.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }
}

impl Copies {
    fn add(&mut self, iteration: Option<u32>, attempt: Option<u32>) {
        self.count += 1;
        self.max_iteration = self.max_iteration.max(iteration.unwrap_or_default());
        self.max_attempt = self.max_attempt.max(attempt.unwrap_or_default());
    }

    /// Whether an event is of a later iteration or attempt than all of these.
    fn is_before(&self, event: &FeedEvent) -> bool {
        event.iteration.is_some_and(|iteration| iteration > self.max_iteration)
            || event.attempt.is_some_and(|attempt| attempt > self.max_attempt)
    }
}

/// Whether an event of this type ends a run.
fn ends_run(event_type: EventType) -> bool {
    effect(event_type).run_state().is_some_and(RunState::is_terminal)
}

/// Whether an event is so near to the end of the log that a push may still repeat it.
fn is_last(event: &StoredEvent, stored_until: Millis) -> bool {
    stored_until.since(event.at) <= 2.0 * MAX_DELAY_MS
}

impl EventLog {
    /// The same events, so that later ones can be added at the end.
    fn in_order(mut self) -> Self {
        self.arrange();
        if self.order.is_of_rows() {
            return self;
        }
        let mut ordered = Self::new();
        ordered.append_log(self);
        ordered.arrange();
        ordered
    }

    /// The events of a run that have a known type and a time, in order.
    fn stored_events(&self, run_id: &str) -> impl Iterator<Item = StoredEvent> {
        let run = self.store.runs.find(0, run_id.as_bytes());
        let event = move |place: u32| {
            let row = self.order.row(place);
            let unit = self.store.unit(row);
            let (event_type, at) = (self.store.kind(row)?.word.known()?, self.time_at(place)?);
            (Some(self.store.run_of(unit)) == run && !self.store.is_repeat(row)).then(|| StoredEvent {
                event_type,
                node: self.store.node_of(unit),
                iteration: self.store.units.get(unit).map_or(0, |unit| unit.iteration),
                attempt: self.store.attempt(row),
                at,
            })
        };
        (0..self.order.len()).filter_map(event)
    }

    fn node_name(&self, node: Option<u32>) -> Option<&str> {
        node.map(|node| self.store.nodes.name(node))
    }

    /// Adds an event that was pushed, with its arrival as its time.
    fn push_received(&mut self, event: &FeedEvent) {
        let mut out = Writer::default();
        out.object(|out| {
            // The same event may be pushed again, and is another one.
            out.key("receivedAt").number(event.at.0);
            out.key("seq").number(event.seq.map_or(f64::from(self.store.len()), f64::from));
            out.key("payload").raw(&event.payload);
        });
        let line = out.finish().replace(['\n', '\r'], " ");
        self.add_line(
            line.as_bytes(),
            &EventFields {
                event_type: event.event_type.map_or(&*event.name, |known| known.as_str()).as_bytes(),
                run_id: event.run_id.as_bytes(),
                node_id: event.node_id.as_deref().map(str::as_bytes),
                iteration: event.iteration,
                attempt: event.attempt,
                at: event.at.0,
                event: (0, line.len()),
                pushed: true,
                ..EventFields::default()
            },
        );
    }
}
