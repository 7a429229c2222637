//! What an answer comes in: a frame, a REST answer, a refusal, or nothing around it.

use super::payload::{of_snapshot, payload};
use super::{Origin, inspection, is_text};
use crate::error_code::ErrorCode;
use crate::frame::read_refusal;
use crate::ingest::{DocumentError, hints};
use crate::json::{Slice, fields};
use crate::refusal::Refusal;
use crate::run::{Inspection, Recognised};
use crate::text::{concat, quoted};

/// Takes an answer out of its envelope: a frame, a REST answer, a refusal, or the bare payload.
pub(super) fn taken_out(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    if !slice.is_object() {
        return payload(slice, origin);
    }
    let names = ["type", "ok", "payload", "data", "error", "code", "message", "event"];
    let [kind, ok, body, data, error, code, message, event] = fields(slice, names)?;
    let kind = kind.and_then(Slice::text);
    let refused = error.filter(|error| error.is_object() || error.text().is_some());
    match (kind.as_deref(), ok.map(Slice::json)) {
        (Some("event"), _) if is_text(event) => event_frame(slice, event, body, origin),
        // Others have an `ok` too: a refusal says why.
        (_, Some("false")) if refused.or(code).or(message).is_some() => {
            Ok(refusal(read_refusal(refused.unwrap_or(slice), origin.method.as_deref())))
        }
        (_, Some("true")) => match body.or(data) {
            Some(body) => payload(body, origin),
            None => Err(hints::not_recognised(slice)),
        },
        (_, _) => match refused {
            Some(error) if fields(slice, ["runId", "run_id", "root", "run"])?.iter().all(Option::is_none) => {
                Ok(refusal(read_refusal(error, origin.method.as_deref())))
            }
            _ if is_text(code) && is_text(message) => {
                Ok(refusal(read_refusal(slice, origin.method.as_deref())))
            }
            _ => payload(slice, origin),
        },
    }
}

fn refusal(refusal: Refusal) -> Inspection {
    Inspection { refusal: Some(refusal), ..inspection(Recognised::ErrorResponse, None) }
}

/// An event frame: only a `devtools.event` with a snapshot says enough by itself.
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
            .hint("Copy the answer of getRun or getDevToolsSnapshot."));
    };
    let [run_id, event] = fields(body, ["runId", "event"])?;
    let event = event.ok_or_else(|| body.refuse("The devtools.event has no \"event\"."))?;
    let [kind, snapshot] = fields(event, ["kind", "snapshot"])?;
    match (kind.and_then(Slice::text).as_deref(), snapshot) {
        (Some("snapshot"), Some(snapshot)) if is_text(run_id) => of_snapshot(snapshot, origin),
        (Some("snapshot"), Some(_)) => Err(body.refuse("The devtools.event has no \"runId\".").into()),
        // It is not read: whatever it says, the snapshot that it changes is not here.
        (Some("delta"), _) => Err(DocumentError::at(
            ErrorCode::NotRecognised,
            "This is a DevTools delta: it changes a snapshot that is not here.",
            body.begin(),
        )
        .hint("Copy a snapshot instead.")),
        (_, _) => Err(event.refuse("Expected a devtools event of kind \"snapshot\" or \"delta\".").into()),
    }
}
