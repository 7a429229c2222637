//! Makes the rows of a log, for all three systems.

use super::detail::{detail, one_line};
use super::{EntryNode, Family, LogEntry, LogEntryKind};
use crate::conductor::wire::{ConductorEventType, Event, Timestamp};
use crate::format;
use crate::json::{Slice, fields};
use crate::lionagi::wire::{LaneState, Seconds, Stream, StreamSignal};
use crate::log::{self, Effect, EventRow, FeedEvent, Gap, Heartbeats, effect};
use crate::pill::{Icon, Taxonomy, Tone, pill};
use crate::smithers::wire::{Category, EventSeverity, EventType};
use crate::text::{concat, join};
use crate::time::Millis;
use crate::word::Vocabulary;

impl EntryNode {
    /// A node without a name of its own.
    fn new(node_id: String, iteration: Option<u32>) -> Self {
        Self { node_id, iteration, name: None }
    }
}

impl LogEntry {
    /// A row with nothing but a type.
    fn new(name: &str, family: Family) -> Self {
        Self {
            kind: LogEntryKind::Event,
            at: String::new(),
            moment: None,
            day: None,
            number: String::new(),
            name: name.to_owned(),
            is_known: true,
            family,
            icon: family.icon(),
            tone: Tone::Neutral,
            run: None,
            is_of_other_run: false,
            node: None,
            attempt: None,
            detail: String::new(),
        }
    }

    /// The row of events that are missing; `detail` is a sentence.
    pub(super) fn gap(detail: String, before: Option<Millis>) -> Self {
        let row =
            Self { kind: LogEntryKind::Gap, icon: Icon::Unlink, detail, ..Self::new("", Family::Other) };
        row.at(before)
    }

    fn at(self, at: Option<Millis>) -> Self {
        let iso = at.and_then(|at| at.to_iso().ok());
        let time =
            iso.as_deref().and_then(|iso| iso.split_once('T')).map(|(_, time)| time.trim_end_matches('Z'));
        Self { at: time.unwrap_or_default().to_owned(), moment: iso, ..self }
    }

    /// Adds the date to the rows before which it changes; the first row has none.
    pub(super) fn add_days(rows: &mut [Self]) {
        let mut last: Option<String> = None;
        for row in rows.iter_mut().filter(|row| row.kind != LogEntryKind::Gap) {
            let Some((day, _)) = row.moment.as_deref().and_then(|moment| moment.split_once('T')) else {
                continue;
            };
            if last.as_deref() != Some(day) {
                row.day = last.is_some().then(|| day.to_owned());
                last = Some(day.to_owned());
            }
        }
    }

    /// The row of a stored row of a log; `json` is the text of its event.
    pub(super) fn from_log(row: &log::LogRow, json: impl Fn(u32) -> String) -> Self {
        match row {
            log::LogRow::Event(event) => Self::from_event(event, &json(event.row)),
            log::LogRow::Heartbeats(Heartbeats { first, last_at, count, is_open }) => {
                let until = Self::new("", Family::Heartbeat).at(Some(*last_at)).at;
                let kind = LogEntryKind::Folded { count: *count, until, is_open: *is_open };
                Self { kind, ..Self::from_event(first, &json(first.row)) }
            }
            log::LogRow::Gap(gap) => Self::from_gap(gap),
        }
    }

    fn look(self, (icon, tone): (Icon, Tone)) -> Self {
        Self { icon, tone, ..self }
    }

    /// Adds an event to the row that only says again what the row says; `at` is its time. `is_open` says whether it has a row
    /// of its own too.
    pub(super) fn fold(&mut self, at: String, is_open: bool) {
        match &mut self.kind {
            LogEntryKind::Event => self.kind = LogEntryKind::Folded { count: 2, until: at, is_open },
            LogEntryKind::Folded { count, until, .. } => (*count, *until) = (*count + 1, at),
            LogEntryKind::Gap => {}
        }
    }

    fn from_event(event: &EventRow, json: &str) -> Self {
        let known = event.event_type.known();
        let family = Family::of_category(event.category);
        // A log counts an event without an iteration to the last one that it names; this says only what the event says.
        let [iteration] = fields(Slice::new(json), ["iteration"]).unwrap_or_default();
        let iteration = iteration.map(|_| event.iteration);
        let row = Self {
            number: event.seq.map(|seq| format::count(f64::from(seq))).unwrap_or_default(),
            is_known: known.is_some(),
            run: Some(event.run_id.clone()),
            node: event.node_id.clone().map(|node_id| EntryNode::new(node_id, iteration)),
            attempt: event.attempt,
            detail: detail(Slice::new(json), known.is_some()),
            ..Self::new(event.event_type.as_str(), family)
        };
        row.at(Some(event.at)).look(smithers_look(known, family, event.severity))
    }

    fn from_gap(gap: &Gap) -> Self {
        if let Some(lines) = &gap.unread {
            return Self::gap(lines.sentence(), Some(gap.before));
        }
        let [from, to] = [gap.from, gap.to].map(|number| format::count(f64::from(number)));
        let numbers = |what: &str| {
            if gap.from == gap.to {
                format!("{what} {from} is missing in this log.")
            } else {
                format!("{what}s {from} to {to} are missing in this log.")
            }
        };
        Self::gap(numbers(if gap.frames { "Frame" } else { "Event" }), Some(gap.before))
    }

    /// The row of an event that was pushed.
    pub(super) fn from_received(event: &FeedEvent) -> Self {
        let family = received_family(event);
        let severity = received_severity(event);
        let row = Self {
            number: event.seq.map(|seq| format::count(f64::from(seq))).unwrap_or_default(),
            is_known: event.event_type.is_some(),
            node: event.node_id.as_deref().map(|id| EntryNode::new(id.to_owned(), event.iteration)),
            attempt: event.attempt,
            detail: detail(Slice::new(&event.payload), event.event_type.is_some()),
            ..Self::new(&event.name, family)
        };
        row.at(Some(event.at)).look(smithers_look(event.event_type, family, severity))
    }

    /// The row of a signal of lionagi.
    pub(super) fn from_signal(signal: &StreamSignal, stream: &Stream) -> Self {
        let StreamSignal { seq, kind, node_id, at, error } = signal;
        let (family, is_failure) = signal_facts(signal);
        let name = signal_node_name(signal, stream).map(str::to_owned);
        let node = EntryNode { name, ..EntryNode::new(node_id.clone(), Some(0)) };
        let row = Self {
            number: format::count(*seq as f64),
            node: (!node_id.is_empty()).then_some(node),
            tone: if is_failure { Tone::Error } else { Tone::Neutral },
            icon: if is_failure { Icon::CircleX } else { family.icon() },
            detail: error.as_deref().map(one_line).unwrap_or_default(),
            ..Self::new(kind, family)
        };
        row.at(at.map(Seconds::to_millis))
    }

    /// The row of an event of tnh-conductor; `visit` is the number of the step's visit, from 0.
    pub(super) fn from_conductor(event: &Event, visit: u32) -> Self {
        let known = event.event_type.known();
        let (icon, tone) = match known {
            Some(ConductorEventType::StepFailed) => (Icon::CircleX, Tone::Error),
            Some(ConductorEventType::StepBlocked) => (Icon::OctagonAlert, Tone::Warning),
            Some(ConductorEventType::GateRequested) => (Icon::Hand, Tone::Review),
            Some(ConductorEventType::StepCompleted) => (Icon::Check, Tone::Success),
            Some(ConductorEventType::StepStarted) => (Icon::Activity, Tone::Running),
            Some(
                ConductorEventType::StatusUpdated
                | ConductorEventType::RunnerStarted
                | ConductorEventType::RunnerCompleted
                | ConductorEventType::RouteSelected
                | ConductorEventType::GateResolved
                | ConductorEventType::StepWaiting
                | ConductorEventType::RollbackCompleted
                | ConductorEventType::ArtifactRecorded,
            )
            | None => (Family::of_conductor(known).icon(), Tone::Neutral),
        };
        let state = event.lifecycle_state.as_ref().map(ToString::to_string);
        let next = event.next_step_id.as_ref().map(|next| concat(&["next: ", next]));
        let parts: Vec<&str> = [&state, &next].into_iter().flatten().map(String::as_str).collect();
        let row = Self {
            is_known: known.is_some(),
            icon,
            tone,
            node: event.step_id.clone().map(|step_id| EntryNode::new(step_id, Some(visit))),
            detail: one_line(&join(&parts, " · ")),
            ..Self::new(event.event_type.as_str(), Family::of_conductor(known))
        };
        match &event.timestamp {
            Some(Timestamp { at: None, text, .. }) => Self { at: text.clone(), ..row },
            Some(Timestamp { at, .. }) => row.at(*at),
            None => row,
        }
    }
}

/// The family of an event that was pushed.
pub(super) fn received_family(event: &FeedEvent) -> Family {
    Family::of_category(event.event_type.map_or(Category::Foreign, EventType::category))
}

/// The severity of an event that was pushed.
pub(super) fn received_severity(event: &FeedEvent) -> EventSeverity {
    event.event_type.map_or(EventSeverity::Info, EventType::severity)
}

/// The name of the node of a signal, if it has one.
pub(super) fn signal_node_name<'a>(signal: &StreamSignal, stream: &'a Stream) -> Option<&'a str> {
    stream.nodes.iter().find(|node| node.id == signal.node_id)?.name.as_deref()
}

/// The family of a signal, and whether it reports a failure.
pub(super) fn signal_facts(signal: &StreamSignal) -> (Family, bool) {
    let state = LaneState::from_signal(&signal.kind, None);
    let is_failure = signal.error.is_some() || state == Some(LaneState::Failed);
    (Family::of_signal(&signal.kind, state), is_failure)
}

/// The icon and tone of the state that an event of Smithers reports; otherwise those of its family and its severity.
fn smithers_look(event: Option<EventType>, family: Family, severity: EventSeverity) -> (Icon, Tone) {
    let by_severity = match severity {
        EventSeverity::Error => Tone::Error,
        EventSeverity::Warning => Tone::Warning,
        EventSeverity::Trace | EventSeverity::Info | EventSeverity::Notice => Tone::Neutral,
    };
    let effect = event.map(effect);
    let state = if let Some(Effect::Run(state)) = effect {
        Some(pill(Taxonomy::Run, state.as_str()))
    } else {
        effect.and_then(Effect::node_state).map(|state| pill(Taxonomy::Node, state.as_str()))
    };
    match state {
        Some(pill) => (pill.icon, pill.tone),
        None if effect == Some(Effect::Retrying) => (Icon::RotateCw, by_severity),
        None => (family.icon(), by_severity),
    }
}
