//! NDJSON, line by line, with fewer heartbeats.

use super::redact::Redactor;
use crate::ingest::export_format::Counts;
use crate::json::{Slice, fields};

/// The lines as JSON values. Lines that are not JSON are left out and counted.
pub(super) fn read(text: &str, redactor: &mut Redactor, counts: &mut Counts) -> Vec<String> {
    let mut beats: Vec<Beat> = Vec::new();
    let mut lines: Vec<Option<String>> = Vec::new();
    let mut unread = 0;
    for line in text.lines().filter(|line| !line.trim_ascii().is_empty()) {
        let Ok(value) = Slice::of_text(line) else {
            unread += 1;
            continue;
        };
        if let Some(superfluous) = beat(value, lines.len(), &mut beats) {
            if let Some(line) = lines.get_mut(superfluous) {
                *line = None;
            }
            counts.thinned += 1;
        }
        lines.push(Some(redactor.json(value)));
    }
    counts.unread += unread;
    lines.into_iter().flatten().collect()
}

/// The heartbeats of one attempt since another event of its node.
struct Beat {
    /// The run, the node, the iteration and the attempt as they stand in the text.
    of: [String; 4],
    /// The line of the last one, if it is not the first.
    last: Option<usize>,
}

/// Adds a line. Returns the line of a heartbeat that is now between two others.
///
/// A numbered heartbeat stays: a missing number would be a gap.
fn beat(value: Slice<'_>, line: usize, beats: &mut Vec<Beat>) -> Option<usize> {
    let names = ["type", "runId", "nodeId", "iteration", "attempt", "seq"];
    let [kind, run_id, node_id, iteration, attempt, seq] = fields(value, names).ok()?;
    let of = [run_id, node_id, iteration, attempt]
        .map(|field| field.map_or_else(String::new, |field| field.json().to_owned()));
    if kind.map(Slice::json) != Some("\"TaskHeartbeat\"") || seq.is_some() {
        beats.retain(|beat| beat.of[..2] != of[..2]);
        return None;
    }
    if let Some(beat) = beats.iter_mut().rev().find(|beat| beat.of == of) {
        return beat.last.replace(line);
    }
    beats.push(Beat { of, last: None });
    None
}
