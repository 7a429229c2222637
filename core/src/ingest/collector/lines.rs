//! Reads recorded frames, one a line or an item of a list.

use super::{Collector, Context, Socket};
use crate::error_code::ErrorCode;
use crate::ingest::request::NO_REQUEST;
use crate::ingest::{DocumentError, hints};
use crate::json::{ReadError, Slice, Token, fields, items};
use crate::log;

/// Reads a JSON list of recorded frames.
pub(super) fn read_list(
    collector: &mut Collector,
    slice: Slice<'_>,
    context: Context<'_>,
) -> Result<(), DocumentError> {
    let mut socket = Socket::default();
    for item in items(slice)? {
        let item = item?;
        let read = match read_recorded_line(item)? {
            Some(line) => line.read(&mut socket, collector, context),
            None if log::is_event(item.json()) => Err(hints::not_recognised(item)),
            None => collector.read_document(item, Context { request: &NO_REQUEST, ..context }),
        };
        if let Err(error) = read {
            collector.add_document_error(error, slice.whole(), context);
        }
    }
    socket.close(collector, context);
    Ok(())
}

/// A line of a recording.
pub(super) enum RecordedLine<'a> {
    Frame { sent: bool, time: Option<f64>, text: Option<String>, frame: Slice<'a> },
    Closed,
}

impl RecordedLine<'_> {
    /// Adds the line to the recording of a socket.
    pub(super) fn read(
        self,
        socket: &mut Socket,
        collector: &mut Collector,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        match self {
            Self::Closed => socket.close(collector, context),
            Self::Frame { sent, time, text: None, frame } => {
                socket.read_frame(collector, frame, sent, time, context);
            }
            Self::Frame { sent, time, text: Some(text), frame } => match Slice::from_text(&text) {
                Ok(inner) => socket.read_frame(collector, inner, sent, time, context),
                Err(_) if sent => {}
                Err(error) => {
                    return Err(DocumentError::at(ErrorCode::NotJson, error.message, frame.begin()));
                }
            },
        }
        Ok(())
    }
}

/// Whether a list consists of recorded frames.
pub(super) fn is_frame(first: Option<Slice<'_>>) -> bool {
    first.is_some_and(|first| matches!(read_recorded_line(first), Ok(Some(_))))
}

/// Reads a frame, bare or with its direction and time; `None` for anything else.
pub(super) fn read_recorded_line(slice: Slice<'_>) -> Result<Option<RecordedLine<'_>>, ReadError> {
    if !slice.is_object() {
        return Ok(None);
    }
    let names = ["dir", "direction", "type", "data", "raw", "t", "time", "event", "method", "opcode"];
    let [dir, direction, kind, data, raw, short, time, event, method, opcode] = fields(slice, names)?;
    let kind = kind.and_then(Slice::text);
    let time = short.or(time).and_then(Slice::number);
    let direction = dir.or(direction).and_then(Slice::text);
    // Chromium's own records call the direction `type`.
    let direction = direction.or_else(|| kind.clone().filter(|_| opcode.is_some()));
    let sent = match direction.as_deref() {
        Some("out" | "send" | "sent") => true,
        Some("in" | "receive" | "received") => false,
        Some("close" | "closed") => return Ok(Some(RecordedLine::Closed)),
        Some(_) => return Ok(None),
        None => {
            let bare = match kind.as_deref() {
                Some("req") => method.is_some(),
                Some("event") => event.is_some(),
                Some("res") => true,
                Some(_) | None => false,
            };
            let sent = kind.as_deref() == Some("req");
            return Ok(bare.then_some(RecordedLine::Frame { sent, time: None, text: None, frame: slice }));
        }
    };
    let Some(frame) = data.or(raw) else { return Ok(None) };
    let text = if let Token::String(text) = frame.token()? { Some(text.decode().into_owned()) } else { None };
    Ok(Some(RecordedLine::Frame { sent, time, text, frame }))
}
