//! Event logs line by line, with fewer heartbeats.

use super::redact::Redactor;
use crate::ingest::export_format::Counts;
use crate::json::{Slice, fields};

/// The lines as JSON values. Lines that are not JSON are omitted and counted.
pub(super) fn read_lines(text: &str, redactor: &mut Redactor, counts: &mut Counts) -> Vec<String> {
    let mut heartbeats: Vec<Heartbeats> = Vec::new();
    let mut lines: Vec<Option<String>> = Vec::new();
    let mut unread = 0;
    for line in text.lines().filter(|line| !line.trim_ascii().is_empty()) {
        let Ok(value) = Slice::from_text(line) else {
            unread += 1;
            continue;
        };
        if let Some(omitted) = record_heartbeat(value, lines.len(), &mut heartbeats) {
            if let Some(line) = lines.get_mut(omitted) {
                *line = None;
            }
            counts.thinned += 1;
        }
        lines.push(Some(redactor.json(value)));
    }
    counts.unread += unread;
    lines.into_iter().flatten().collect()
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
    if kind.map(Slice::json) != Some("\"TaskHeartbeat\"") || seq.is_some() {
        heartbeats.retain(|known| known.key[..2] != key[..2]);
        return None;
    }
    if let Some(known) = heartbeats.iter_mut().rev().find(|known| known.key == key) {
        return known.last.replace(line);
    }
    heartbeats.push(Heartbeats { key, last: None });
    None
}
