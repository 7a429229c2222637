//! Reads responses in their envelopes: a frame, a REST response, an error, or a bare payload.

use super::document::{Origin, is_text, new_inspection};
use super::payload::{read_payload, read_snapshot};
use crate::error_code::ErrorCode;
use crate::frame::read_refusal;
use crate::ingest::{DocumentError, hints};
use crate::json::{Slice, fields};
use crate::refusal::Refusal;
use crate::run::{DocumentKind, Inspection};
use crate::text::{concat, quoted};

/// Reads a response in its envelope, or a bare payload.
pub(super) fn read_envelope(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    if !slice.is_object() {
        return read_payload(slice, origin);
    }
    let names = ["type", "ok", "payload", "data", "error", "code", "message", "event"];
    let [kind, ok, body, data, error, code, message, event] = fields(slice, names)?;
    let kind = kind.and_then(Slice::text);
    let refused = error.filter(|error| error.is_object() || error.text().is_some());
    match (kind.as_deref(), ok.map(Slice::json)) {
        (Some("event"), _) if is_text(event) => event_frame(slice, event, body, origin),
        // Documents of other systems have an `ok`, too; an error has a reason.
        (_, Some("false")) if refused.or(code).or(message).is_some() => {
            Ok(refusal_inspection(read_refusal(refused.unwrap_or(slice), origin.method.as_deref())))
        }
        (_, Some("true")) => match body.or(data) {
            Some(body) => read_payload(body, origin),
            None => Err(hints::not_recognised(slice)),
        },
        (_, _) => match refused {
            Some(error) if fields(slice, ["runId", "run_id", "root", "run"])?.iter().all(Option::is_none) => {
                Ok(refusal_inspection(read_refusal(error, origin.method.as_deref())))
            }
            _ if is_text(code) && is_text(message) => {
                Ok(refusal_inspection(read_refusal(slice, origin.method.as_deref())))
            }
            _ => read_payload(slice, origin),
        },
    }
}

fn refusal_inspection(refusal: Refusal) -> Inspection {
    Inspection { refusal: Some(refusal), ..new_inspection(DocumentKind::ErrorResponse, None) }
}

/// Reads an event frame. Only a `devtools.event` with a snapshot contains a state.
fn event_frame(
    slice: Slice<'_>,
    event: Option<Slice<'_>>,
    body: Option<Slice<'_>>,
    origin: &Origin<'_>,
) -> Result<Inspection, DocumentError> {
    let name = event.and_then(Slice::text).unwrap_or_default();
    let (Some(body), "devtools.event") = (body, name.as_str()) else {
        let message =
            concat(&["This is one ", &quoted(&name), " event. It does not say what the run is doing."]);
        return Err(DocumentError::at(ErrorCode::NotRecognised, message, slice.begin())
            .hint("Copy the response to getRun or getDevToolsSnapshot."));
    };
    let [run_id, event] = fields(body, ["runId", "event"])?;
    let event = event.ok_or_else(|| body.refuse("The devtools.event has no \"event\"."))?;
    let [kind, snapshot] = fields(event, ["kind", "snapshot"])?;
    match (kind.and_then(Slice::text).as_deref(), snapshot) {
        (Some("snapshot"), Some(snapshot)) if is_text(run_id) => read_snapshot(snapshot, origin),
        (Some("snapshot"), Some(_)) => Err(body.refuse("The devtools.event has no \"runId\".").into()),
        // A delta is not read because the snapshot that it changes is missing.
        (Some("delta"), _) => Err(DocumentError::at(
            ErrorCode::NotRecognised,
            "This is a DevTools delta: it changes a snapshot that is not here.",
            body.begin(),
        )
        .hint("Copy a snapshot instead.")),
        (_, _) => Err(event.refuse("Expected a devtools event of kind \"snapshot\" or \"delta\".").into()),
    }
}
