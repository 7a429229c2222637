//! Events as NDJSON for the clipboard.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::LogPane;
use super::listing::{self, Item};
use crate::json::{Slice, Writer};
use crate::lionagi::wire::StreamSignal;
use crate::log::{EventLog, Filter, RowId};
use crate::redact::{PathRule, Redactor};
use crate::time::Millis;
use crate::viewer::run_log::RunLog;
use crate::viewer::run_view::RunView;
use crate::word::Word;

/// The maximum size of a copy, bytes.
const MAX_BYTES: usize = 50_000_000;

/// The maximum number of events before a copied one that are read for what it continues.
const MAX_BEFORE: usize = 1000;

/// Which events are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum EventChoice {
    /// The selected row.
    Selected,
    /// All rows that the filters show.
    Shown,
}

/// Copied events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EventCopy {
    /// One JSON value in each line, without secrets. Missing events are lines of the type `runstate.gap`.
    pub text: String,
    /// The number of lines.
    pub lines: usize,
    /// Whether the text ends before the last event, because it would be larger than 50 MB.
    pub is_cut: bool,
    /// The number of redacted values.
    pub redacted: u64,
}

impl LogPane {
    /// The events as NDJSON; `None` if no run is shown.
    pub(in crate::viewer) fn copy(&self, events: EventChoice, view: &RunView<'_>) -> Option<EventCopy> {
        let log = view.log()?;
        let selected = self.selected.map(|selected| selected.id);
        let mut lines = Lines::default();
        match &log {
            RunLog::Stored { log, run_id, .. } => {
                let chosen = match events {
                    EventChoice::Selected => selected.into_iter().collect(),
                    EventChoice::Shown => log.matching(&self.filter.of_stored(run_id.as_deref())),
                };
                // Both lists are in the order of the log.
                let mut chosen = chosen.into_iter().peekable();
                let all = log.matching(&Filter { unread: true, ..Filter::default() }).into_iter();
                lines
                    .extend(all.map(|id| (chosen.next_if_eq(&id).is_some(), id)), |id| stored_line(log, *id));
            }
            RunLog::Received { .. } | RunLog::Signals(_) | RunLog::Conductor(_) => {
                let is_chosen = |id, item: &Item<'_>| match events {
                    EventChoice::Selected => Some(id) == selected,
                    EventChoice::Shown => item.is_shown(&self.filter),
                };
                let all = listing::items(&log).map(|(id, item)| (is_chosen(id, &item), item));
                lines.extend(all, |item| Some(line(item)));
            }
            RunLog::Absent(_) => {}
        }
        let Lines { text, count, is_cut, redactor } = lines;
        Some(EventCopy { text, lines: count, is_cut, redacted: redactor.count })
    }
}

/// The lines of a copy.
struct Lines {
    text: String,
    count: usize,
    is_cut: bool,
    redactor: Redactor,
}

impl Default for Lines {
    fn default() -> Self {
        let redactor = Redactor::new(&[], PathRule::Redact);
        Self { text: String::new(), count: 0, is_cut: false, redactor }
    }
}

impl Lines {
    /// Adds the chosen ones of all events without their secrets, until the copy is full. Events before them tell what they
    /// continue: the answer to a prompt is a secret. `json` returns the text of an event.
    fn extend<T>(&mut self, events: impl Iterator<Item = (bool, T)>, json: impl Fn(&T) -> Option<String>) {
        let mut before = VecDeque::new();
        for (is_chosen, event) in events {
            if !is_chosen {
                before.push_back(event);
                if before.len() > MAX_BEFORE {
                    before.pop_front();
                }
                continue;
            }
            for json in before.drain(..).filter_map(|event| json(&event)) {
                self.redactor.omit_event(Slice::new(&json));
            }
            if json(&event).is_some_and(|json| !self.add(&json)) {
                return;
            }
        }
    }

    /// Adds an event; returns whether the copy has room for it.
    fn add(&mut self, json: &str) -> bool {
        let clean = match Slice::from_text(json) {
            Ok(event) => self.redactor.event(event),
            Err(_) => self.redactor.text(json),
        };
        self.is_cut = self.text.len() + clean.len() > MAX_BYTES;
        if !self.is_cut {
            self.text.push_str(&clean);
            self.text.push('\n');
            self.count += 1;
        }
        !self.is_cut
    }
}

/// The text of an event of a log as it was written, or a line for a gap.
fn stored_line(log: &EventLog, id: RowId) -> Option<String> {
    match id {
        RowId::Event(row) => Some(log.json(u32::try_from(row).ok()?)?.into_owned()),
        RowId::Unread(number) => log.unread_lines(number).map(|lines| gap_line(&lines.sentence())),
        RowId::Gap(number) => log.gap(number).map(|gap| {
            let what = if gap.frames { "Frames" } else { "Events" };
            gap_line(&format!("{what} {} to {} are missing in this log.", gap.from, gap.to))
        }),
    }
}

fn gap_line(text: &str) -> String {
    object(|out| {
        out.key("type").text("runstate.gap");
        out.key("message").text(text);
    })
}

fn object(write: impl FnOnce(&mut Writer)) -> String {
    let mut out = Writer::default();
    out.object(write);
    out.finish()
}

/// The fields of an event of which the text is not kept, by the names of its system.
fn line(item: &Item<'_>) -> String {
    let time = |at: Option<Millis>| at.and_then(|at| at.to_iso().ok());
    match item {
        Item::Received(event) => object(|out| {
            out.optional_text("receivedAt", time(Some(event.at)).as_deref());
            out.key("runId").text(&event.run_id);
            if let Some(seq) = event.seq {
                out.key("seq").number(f64::from(seq));
            }
            out.key("event").text(&event.name);
            out.key("payload").raw(&event.payload);
        }),
        Item::Signal(signal, _) => object(|out| {
            let StreamSignal { seq, kind, node_id, at, error } = signal;
            out.key("seq").number(*seq as f64);
            out.key("kind").text(kind);
            out.optional_text("op_id", Some(&**node_id).filter(|id| !id.is_empty()));
            if let Some(at) = at {
                out.key("ts").number(at.to_millis().0 / 1000.0);
            }
            out.optional_text("error", error.as_deref());
        }),
        Item::Conductor(event, _) => object(|out| {
            out.optional_text("timestamp", event.timestamp.as_ref().map(|time| &*time.text));
            out.optional_text("run_id", event.run_id.as_deref());
            out.key("event_type").text(event.event_type.as_str());
            out.optional_text("step_id", event.step_id.as_deref());
            out.optional_text("next_step_id", event.next_step_id.as_deref());
            out.optional_text("lifecycle_state", event.lifecycle_state.as_ref().map(Word::as_str));
        }),
        Item::Missing(text, _) => gap_line(text),
    }
}
