//! Reads a JSON document of Smithers: a recorded exchange, a response or a bare payload.

use super::envelope::read_envelope;
use crate::clock::Reading;
use crate::error_code::ErrorCode;
use crate::ingest::DocumentError;
use crate::json::{ReadError, Slice, Token, cut, fields};
use crate::problem::{Problem, Problems};
use crate::run::{DocumentKind, Inspection, RunInspection};
use crate::text::{concat, json, quoted};

/// The origin of a value.
pub(super) struct Origin<'a> {
    /// The requested method or path, where it is recorded.
    pub(super) method: Option<String>,
    pub(super) name: Option<&'a str>,
    pub(super) clock: Reading,
}

impl Origin<'_> {
    /// The source for the evidence: the method, else the part of the document.
    pub(super) fn read_from(&self, part: &str) -> String {
        match (&self.method, self.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => concat(&[part, " in ", name]),
            (None, None) => part.to_owned(),
        }
    }
}

/// Reads one JSON value whose grammar was checked.
pub(crate) fn read(
    slice: Slice<'_>,
    name: Option<&str>,
    clock: Reading,
) -> Result<Inspection, DocumentError> {
    let mut origin = Origin { method: None, name, clock };
    if !slice.is_object() {
        return read_checked(slice, &origin);
    }
    let [request, response] = fields(slice, ["request", "response"])?;
    match (request.filter(|part| part.is_object()), response.filter(|part| part.is_object())) {
        (Some(request), Some(response)) => {
            origin.method = requested_method(request)?;
            let [body] = fields(response, ["body"])?;
            read_checked(body.ok_or_else(|| not_json(response))?, &origin)
        }
        (_, _) => read_checked(slice, &origin),
    }
}

/// Reads a response in its envelope, or a bare payload, to a known request.
pub(crate) fn read_answer(
    slice: Slice<'_>,
    method: Option<&str>,
    name: Option<&str>,
    clock: Reading,
) -> Result<Inspection, DocumentError> {
    read_checked(slice, &Origin { method: method.map(str::to_owned), name, clock })
}

/// The error for a recorded exchange whose response has no JSON body.
pub(crate) fn not_json(response: Slice<'_>) -> DocumentError {
    let text = fields(response, ["bodyText"]).ok().and_then(|[text]| text);
    let message = "This is a recorded exchange whose answer is not JSON.";
    DocumentError::at(ErrorCode::NotRecognised, message, text.unwrap_or(response).begin())
}

/// The method of a recorded request: the RPC method, else the HTTP method and path.
fn requested_method(request: Slice<'_>) -> Result<Option<String>, ReadError> {
    let [method, path, body] = fields(request, ["method", "path", "body"])?;
    if let Some(body) = body.filter(|body| body.is_object()) {
        let [rpc] = fields(body, ["method"])?;
        if let Some(rpc) = rpc.and_then(Slice::text) {
            return Ok(Some(rpc));
        }
    }
    let text = |part: Option<Slice<'_>>| part.and_then(Slice::text);
    Ok(text(method).zip(text(path)).map(|(method, path)| concat(&[&method, " ", &path])))
}

/// Reads a response, and reports times that are out of range.
fn read_checked(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let mut found = read_envelope(slice, origin)?;
    let (mut at, mut problems) = (slice.begin(), Problems::default());
    for view in found.run.iter().chain(&found.runs).filter_map(|run| run.view()) {
        let Some(stamp) = view.computed_at.as_deref().filter(|_| view.computed_time().is_none()) else {
            continue;
        };
        problems.add_with(|| {
            let rest = slice.whole().get(at..slice.end()).unwrap_or_default();
            let begin = at + rest.find(&json(stamp)).unwrap_or_default();
            at = begin + 1;
            let message =
                concat(&["`computedAt` is ", &quoted(cut(stamp)), ": when this was said is not known."]);
            Problem::at(slice.whole(), begin, message)
        });
    }
    found.problems.append(problems);
    Ok(found)
}

pub(super) fn new_inspection(kind: DocumentKind, run: Option<RunInspection>) -> Inspection {
    Inspection { kind, run, runs: Vec::new(), refusal: None, problems: Problems::default() }
}

pub(super) fn is_text(field: Option<Slice<'_>>) -> bool {
    field.is_some_and(|field| matches!(field.token(), Ok(Token::String(_))))
}
