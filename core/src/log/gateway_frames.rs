//! The events that a Gateway pushes, as lines of a log (protocol section 3.5).

use super::EventLog;
use super::scan::{EventFields, EventForm};
use crate::json::{Slice, fields, optional};
use crate::smithers::wire::EventType;
use crate::time::Millis;
use crate::word::Vocabulary;

impl EventLog {
    /// Adds the payload of a recorded `run.event` frame; returns whether it is an event of a run.
    ///
    /// The frame has no time of its own, so the caller passes its time of arrival. Its events have other names than in a
    /// log and fewer fields: most have neither iteration nor attempt, and missing fields stay absent. The numbers of
    /// frames are those of a window that restarts with the Gateway (protocol section 5, quirk 10), so they do not
    /// determine the order. [`json`](Self::json) returns such an event as the frame's inner payload.
    pub(crate) fn push_frame(&mut self, payload: &str, at: Millis) -> bool {
        let line: String = payload
            .chars()
            .map(|letter| if letter == '\n' || letter == '\r' { ' ' } else { letter })
            .collect();
        let read = || {
            let frame = Slice::from_text(&line).ok()?;
            let [run_id, event, inner] = fields(frame, ["runId", "event", "payload"]).ok()?;
            let inner = inner.filter(|inner| inner.is_object())?;
            let [inner_run, node_id, iteration, attempt] =
                fields(inner, ["runId", "nodeId", "iteration", "attempt"]).ok()?;
            let event_type = EventType::from_pushed(&event?.text()?, inner)?;
            Some(FrameEvent {
                event_type,
                run_id: run_id.or(inner_run)?.text()?,
                node_id: optional(node_id, Slice::read_text).ok()?,
                iteration: optional(iteration, Slice::read_small).ok()?,
                attempt: optional(attempt, Slice::read_small).ok()?,
                event: (frame.begin(), frame.begin() + frame.json().len()),
            })
        };
        let Some(event) = read().filter(|_| at.0.is_finite()) else { return false };
        self.add_line(line.as_bytes(), &event.found(at));
        true
    }
}

/// The fields of a frame.
struct FrameEvent {
    event_type: EventType,
    run_id: String,
    node_id: Option<String>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    event: (usize, usize),
}

impl FrameEvent {
    fn found(&self, at: Millis) -> EventFields<'_> {
        EventFields {
            event_type: self.event_type.as_str().as_bytes(),
            run_id: self.run_id.as_bytes(),
            node_id: self.node_id.as_deref().map(str::as_bytes),
            iteration: self.iteration,
            attempt: self.attempt,
            at: at.0,
            seq: None,
            event: self.event,
            form: EventForm::Formatted,
            pushed: true,
            printed: false,
        }
    }
}
