//! Event logs line by line, with fewer heartbeats.

use crate::ingest::export_format::Counts;
use crate::ingest::{Consumer, Item, frame};
use crate::json::{Slice, fields};
use crate::log;
use crate::redact::Redactor;

/// The values of a text, redacted.
pub(super) struct Lines {
    pub(super) values: Vec<String>,
    /// The number of unreadable lines after the last event of a log.
    pub(super) unread_at_end: u64,
}

/// The values of a text. Lines without a value are omitted and counted; between two events of a log, `null` stands for them.
pub(super) fn read_lines(bytes: &[u8], redactor: &mut Redactor, counts: &mut Counts) -> Lines {
    let mut reader = LineReader {
        text: bytes,
        redactor,
        counts,
        heartbeats: Vec::new(),
        values: Vec::new(),
        has_events: false,
        unread_at_end: 0,
    };
    frame(bytes, &mut reader);
    let unread_at_end = if reader.has_events { reader.unread_at_end } else { 0 };
    let values = reader.values.into_iter().flatten().map(|value| value.text).collect();
    Lines { values, unread_at_end }
}

struct LineReader<'a> {
    text: &'a [u8],
    redactor: &'a mut Redactor,
    counts: &'a mut Counts,
    heartbeats: Vec<Heartbeats>,
    values: Vec<Option<RedactedValue>>,
    has_events: bool,
    unread_at_end: u64,
}

/// A value, and the number of redactions in it.
struct RedactedValue {
    text: String,
    redacted: u64,
}

impl LineReader<'_> {
    fn count_unread(&mut self, lines: u64) {
        self.counts.unread += lines;
        self.unread_at_end += lines;
    }
}

impl Consumer for LineReader<'_> {
    fn take(&mut self, item: Item<'_>) {
        match item {
            Item::Value(value) => {
                let value = Slice::new(&value.text);
                // Each line is read for that, so only where it changes something.
                if (!self.has_events || self.unread_at_end > 0) && log::is_event(value.json()) {
                    if self.has_events {
                        // Stands for lines between two events, which the log lacks when it is opened again as well.
                        self.values.push(Some(RedactedValue { text: "null".to_owned(), redacted: 0 }));
                    }
                    (self.has_events, self.unread_at_end) = (true, 0);
                }
                if let Some(omitted) = record_heartbeat(value, self.values.len(), &mut self.heartbeats) {
                    // What is omitted is not counted as redacted as well.
                    if let Some(value) = self.values.get_mut(omitted).and_then(Option::take) {
                        self.redactor.count -= value.redacted;
                    }
                    self.counts.thinned += 1;
                }
                let before = self.redactor.count;
                let text = self.redactor.event(value);
                self.values.push(Some(RedactedValue { text, redacted: self.redactor.count - before }));
            }
            Item::Broken(value) => self.count_unread(value.lines()),
            Item::Skipped(skipped) => {
                let end = skipped.offset + skipped.length;
                let text = self.text.get(skipped.offset..end).unwrap_or_default();
                if text.trim_ascii() == b"null" {
                    // In an export of an export, the lines are already counted.
                    self.unread_at_end += 1;
                } else {
                    self.count_unread(skipped.lines());
                }
            }
        }
    }
}

/// The consecutive heartbeats of an attempt.
struct Heartbeats {
    /// Run, node, iteration and attempt, as JSON.
    key: [String; 4],
    /// The line of the last heartbeat, unless it is the first.
    last: Option<usize>,
}

/// Records a line. Returns the line of a heartbeat that is now between two others and can be omitted.
///
/// Heartbeats with a sequence number are kept: a missing number would be a gap.
fn record_heartbeat(value: Slice<'_>, line: usize, heartbeats: &mut Vec<Heartbeats>) -> Option<usize> {
    let names = ["type", "runId", "nodeId", "iteration", "attempt", "seq"];
    let [kind, run_id, node_id, iteration, attempt, seq] = fields(value, names).ok()?;
    let key = [run_id, node_id, iteration, attempt]
        .map(|field| field.map_or_else(String::new, |field| field.json().to_owned()));
    // What is no event may be a document, or be around one.
    if kind.map(Slice::json) != Some("\"TaskHeartbeat\"") || seq.is_some() || !log::is_event(value.json()) {
        heartbeats.retain(|known| known.key[..2] != key[..2]);
        return None;
    }
    if let Some(known) = heartbeats.iter_mut().rev().find(|known| known.key == key) {
        return known.last.replace(line);
    }
    heartbeats.push(Heartbeats { key, last: None });
    None
}
