//! What a JSON document is, by its keys, and reading it.

mod envelope;
mod list;
mod payload;
mod whose;

use super::{DocumentError, hints};
use crate::clock::Reading;
use crate::ingest::lionagi;
use crate::json::{ReadError, Slice, Token, cut, fields, items, problem_at};
use crate::run::{Inspection, Recognised, RunInspection};
use crate::text::{concat, json, quoted};
use envelope::taken_out;
pub(super) use list::is_run;
pub(super) use whose::{Listed, Whose};

/// How many broken rows of a list are named one by one.
const MAX_PROBLEMS: usize = 20;

/// Where a value comes from.
struct Origin<'a> {
    /// The method or path that was asked, where the document tells.
    method: Option<String>,
    name: Option<&'a str>,
    clock: Reading,
}

impl Origin<'_> {
    /// The source for the evidence: the method, else the part of the document.
    fn read_from(&self, part: &str) -> String {
        match (&self.method, self.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => concat(&[part, " in ", name]),
            (None, None) => part.to_owned(),
        }
    }
}

/// Reads one JSON value whose grammar was checked.
pub(super) fn read(
    slice: Slice<'_>,
    name: Option<&str>,
    clock: Reading,
) -> Result<Inspection, DocumentError> {
    let mut origin = Origin { method: None, name, clock };
    if !slice.is_object() {
        return answer(slice, &origin);
    }
    let [request, response] = fields(slice, ["request", "response"])?;
    match (request.filter(|part| part.is_object()), response.filter(|part| part.is_object())) {
        (Some(request), Some(response)) => {
            origin.method = asked(request)?;
            let [body] = fields(response, ["body"])?;
            answer(body.ok_or_else(|| not_json(response))?, &origin)
        }
        (_, _) => answer(slice, &origin),
    }
}

/// Whether a text is one value that lionagi's reader reads, or a list with an item that is of another system than Smithers.
pub(super) fn is_of_others(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let listed =
        |slice| items(slice).into_iter().flatten().flatten().any(|item| Whose::other(item).is_some());
    Slice::of_text(text).is_ok_and(|slice| lionagi::kind(slice).is_some() || listed(slice))
}

/// Reads an answer in its envelope, or a bare payload; the question is known from elsewhere.
pub(super) fn read_answer(
    slice: Slice<'_>,
    method: Option<&str>,
    name: Option<&str>,
    clock: Reading,
) -> Result<Inspection, DocumentError> {
    answer(slice, &Origin { method: method.map(str::to_owned), name, clock })
}

/// The refusal of a recorded exchange whose answer has no body.
pub(super) fn not_json(response: Slice<'_>) -> DocumentError {
    let text = fields(response, ["bodyText"]).ok().and_then(|[text]| text);
    let message = "This is a recorded exchange whose answer is not JSON.";
    DocumentError::at(hints::NOT_RECOGNISED, message, text.unwrap_or(response).begin())
}

/// What a recorded request asked for: the RPC method, else the HTTP method and path.
fn asked(request: Slice<'_>) -> Result<Option<String>, ReadError> {
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

/// Reads an answer, and names the moments in it that no clock shows.
fn answer(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let mut found = taken_out(slice, origin)?;
    let (mut at, mut problems) = (slice.begin(), Vec::new());
    for view in found.run.iter().chain(&found.runs).filter_map(|run| run.verdict.view()) {
        let Some(stamp) = view.computed_at.as_deref().filter(|_| view.said_at().is_none()) else { continue };
        if problems.len() < MAX_PROBLEMS {
            let rest = slice.whole().get(at..slice.end()).unwrap_or_default();
            at += rest.find(&json(stamp)).unwrap_or_default();
            let what =
                concat(&["`computedAt` is ", &quoted(cut(stamp)), ": when this was said is not known."]);
            problems.push(at_place(slice, at, &what));
            at += 1;
        }
    }
    found.problems.append(&mut problems);
    Ok(found)
}

fn inspection(recognised: Recognised, run: Option<RunInspection>) -> Inspection {
    Inspection { recognised, run, runs: Vec::new(), refusal: None, problems: Vec::new() }
}

fn is_text(field: Option<Slice<'_>>) -> bool {
    field.is_some_and(|field| matches!(field.token(), Ok(Token::String(_))))
}

/// A problem, and what was done about it.
fn problem(slice: Slice<'_>, error: &ReadError, done: &str) -> String {
    at_place(slice, error.offset, &concat(&[&error.message, " ", done]))
}

fn at_place(slice: Slice<'_>, offset: usize, message: &str) -> String {
    problem_at(slice.whole(), offset, message)
}
