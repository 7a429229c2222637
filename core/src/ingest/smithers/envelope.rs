//! Reads responses in their envelopes: a frame, a REST response, an error, or a bare payload.

use super::inspection::new_inspection;
use super::origin::Origin;
use super::payload::{read_payload, read_snapshot};
use crate::error_code::ErrorCode;
use crate::frame::{Envelope, read_refusal};
use crate::ingest::{DocumentError, hints};
use crate::json::{ReadError, Slice, Token, fields};
use crate::refusal::Refusal;
use crate::run::{DocumentKind, Inspection};
use crate::text::{concat, quoted};

/// Reads a response in its envelope, or a bare payload.
pub(super) fn read_envelope(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    if !slice.is_object() {
        return read_payload(slice, origin);
    }
    let envelope = Envelope::read(slice)?;
    if envelope.kind.as_deref() == Some("event") && is_text(envelope.event) {
        return event_frame(slice, &envelope, origin);
    }
    let [code, message] = fields(slice, ["code", "message"])?;
    let refused = envelope.error.filter(|error| error.is_object() || error.text().is_some());
    let refusal = |error| Ok(refusal_inspection(read_refusal(error, origin.request.method.as_deref())));
    match (envelope.is_ok(), refused) {
        // Documents of other systems have an `ok`, too; an error has a reason.
        (Some(false), refused) if refused.or(code).or(message).is_some() => refusal(refused.unwrap_or(slice)),
        (Some(true), _) => match envelope.answer() {
            Some(payload) => read_payload(payload, origin),
            None => Err(hints::not_recognised(slice)),
        },
        (_, Some(error)) if !is_about_run(slice)? => refusal(error),
        (_, _) if is_text(code) && is_text(message) => refusal(slice),
        (_, _) => read_payload(slice, origin),
    }
}

/// Whether an object has a key of a document about a run, which may have an error of its own.
fn is_about_run(slice: Slice<'_>) -> Result<bool, ReadError> {
    Ok(fields(slice, ["runId", "run_id", "root", "run"])?.iter().any(Option::is_some))
}

fn refusal_inspection(refusal: Refusal) -> Inspection {
    Inspection { refusal: Some(refusal), ..new_inspection(DocumentKind::ErrorResponse, None) }
}

/// Reads an event frame. Only a `devtools.event` with a snapshot contains a state.
fn event_frame(
    slice: Slice<'_>,
    envelope: &Envelope<'_>,
    origin: &Origin<'_>,
) -> Result<Inspection, DocumentError> {
    let name = envelope.event.and_then(Slice::text).unwrap_or_default();
    let (Some(body), "devtools.event") = (envelope.payload, name.as_str()) else {
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
        (Some("delta"), _) => Err(hints::delta_alone(body.begin())),
        (_, _) => Err(event.refuse("Expected a devtools event of kind \"snapshot\" or \"delta\".").into()),
    }
}

fn is_text(field: Option<Slice<'_>>) -> bool {
    field.is_some_and(|field| matches!(field.token(), Ok(Token::String(_))))
}
