//! Reads HAR files: the recorded traffic of a page, with HTTP responses and the frames of sockets.

use crate::error_code::ErrorCode;
use crate::ingest::lionagi;
use crate::text;
use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::broken::{self, Broken};
use super::{Piece, UnpackedFiles};
use crate::ingest::answer_time::{answer_time, computed_at};
use crate::ingest::request::{Request, is_studio_route};
use crate::ingest::{DocumentError, whole_value};
use crate::json::salvage::salvage;
use crate::json::{ReadError, Slice, Writer, fields, items};
use crate::text::concat;
use crate::time::{Fraction, IsoForm, IsoTime, Millis, Zone};

/// Makes a piece of each response and of each socket.
pub(super) fn unpack<'a>(
    all: &mut UnpackedFiles<'a>,
    file: &Piece<'a>,
    text: &str,
) -> Result<(), DocumentError> {
    let closed;
    let mut cut_off = None;
    let slice = match whole_value(text) {
        Ok(slice) => slice,
        Err(error) => {
            closed = salvage(text).ok_or_else(|| error.clone())?.text;
            cut_off = Some(error);
            Slice::from_text(&closed)?
        }
    };
    let Some(entries) = entries(slice)? else {
        let bytes = Cow::Owned(text.as_bytes().to_vec());
        all.pieces.push(Piece { bytes, traffic: false, ..empty_piece(file, None, None) });
        return Ok(());
    };
    let mut count = 0_usize;
    let mut broken = Broken::default();
    for entry in items(entries)? {
        if let Err(error) = add_entry(all, file, &broken::part(count), entry?) {
            broken.add(count, DocumentError::from(error).place(slice.whole()));
        }
        count += 1;
    }
    broken.name(all, file);
    if let Some(error) = cut_off {
        all.problems.add(file.error_problem(&error));
        if count == 0 {
            return Err(error);
        }
    }
    let message = match count {
        0 => "This HAR file has no entries.".to_owned(),
        1 => "The only entry of this HAR file is not about a run.".to_owned(),
        _ => concat(&["None of the ", &count.to_string(), " entries of this HAR file is about a run."]),
    };
    let error = DocumentError::at(ErrorCode::NotRecognised, message, entries.begin());
    let hint = "Record while the page shows the run, with the content of the responses.";
    all.no_documents = all.no_documents.take().or(Some(error.hint(hint).place(text)));
    Ok(())
}

fn entries(slice: Slice<'_>) -> Result<Option<Slice<'_>>, ReadError> {
    let [log] = fields(slice, ["log"])?;
    let Some(log) = log.filter(|log| log.is_object()) else { return Ok(None) };
    let [entries] = fields(log, ["entries"])?;
    Ok(entries.filter(|entries| entries.is_array()))
}

/// Makes an empty piece of a file.
fn empty_piece<'a>(file: &Piece<'a>, part: Option<&str>, at: Option<Millis>) -> Piece<'a> {
    Piece {
        name: file.name.clone(),
        part: part.map(str::to_owned),
        at,
        traffic: true,
        ..Piece::new(Cow::Borrowed(&[]))
    }
}

fn add_entry<'a>(
    all: &mut UnpackedFiles<'a>,
    file: &Piece<'a>,
    part: &str,
    entry: Slice<'_>,
) -> Result<(), ReadError> {
    let names = ["startedDateTime", "time", "request", "response", "_webSocketMessages"];
    let [started, took, request, response, messages] = fields(entry, names)?;
    let started = started.and_then(Slice::text).and_then(|text| moment(&text));
    if request.or(response).or(messages).is_none() {
        return Err(entry.refuse("This entry has no request and no response."));
    }
    let took = took.and_then(Slice::number).unwrap_or(0.0).max(0.0);
    let at = started.map(|started| Millis(started.0 + took));
    let response = response.filter(|part| part.is_object());
    if let Some(body) = response.map(answer).transpose()?.flatten() {
        let request = read_request(request)?;
        let stamp = computed_at(body.as_bytes());
        let at = started.zip(at).map(|(started, at)| answer_time(stamp, started, at));
        let service_worker = response.map(is_service_workers).transpose()?.unwrap_or_default();
        all.pieces.push(Piece {
            bytes: Cow::Owned(body.into_bytes()),
            request,
            service_worker,
            ..empty_piece(file, Some(part), at)
        });
    } else if let Some(error) = missing_answer(request, response)? {
        all.problems.add(error.problem().in_file(file.name.as_deref(), Some(part)));
        all.no_documents.get_or_insert(error);
    }
    if let Some(messages) = messages.filter(|part| part.is_array()) {
        let mut lines = String::new();
        for message in items(messages)? {
            add_message(&mut lines, message?)?;
        }
        let bytes = Cow::Owned(lines.into_bytes());
        all.pieces.push(Piece { bytes, ..empty_piece(file, Some(part), None) });
    }
    Ok(())
}

/// Whether Chromium recorded that a service worker gave the response.
fn is_service_workers(response: Slice<'_>) -> Result<bool, ReadError> {
    let [flag] = fields(response, ["_fetchedViaServiceWorker"])?;
    Ok(flag.is_some_and(|flag| flag.json() == "true"))
}

/// Describes an answer of a Gateway or of Studio that is no JSON and has the HTTP status of an error, or that should say in which
/// state runs are.
fn missing_answer(
    request: Option<Slice<'_>>,
    response: Option<Slice<'_>>,
) -> Result<Option<DocumentError>, ReadError> {
    let (Some(request), Some(response)) = (request.filter(|part| part.is_object()), response) else {
        return Ok(None);
    };
    let [method, url] = fields(request, ["method", "url"])?;
    let [status, content] = fields(response, ["status", "content"])?;
    let Some(status) = status.and_then(Slice::number) else { return Ok(None) };
    let asked = read_request(Some(request))?;
    if asked.other_server || !((400.0..600.0).contains(&status) || asked.asks_for_states()) {
        return Ok(None);
    }
    let url = url.and_then(Slice::text).unwrap_or_default();
    // The query may contain a token.
    let path = path_of(&url).split(['?', '#']).next().unwrap_or_default();
    let [text, kind] = match content.filter(|content| content.is_object()) {
        Some(content) => fields(content, ["text", "mimeType"])?.map(|part| part.and_then(Slice::text)),
        None => [None, None],
    };
    let body = match (text.as_deref(), kind) {
        (None | Some(""), _) => "no content",
        (Some(_), Some(kind)) if kind.starts_with("text/html") => "an HTML page",
        (Some(_), _) => "no JSON",
    };
    let method = method.and_then(Slice::text).unwrap_or_else(|| "GET".to_owned());
    let message = if status == 0.0 {
        format!("{method} {path} got no response.")
    } else {
        format!("{method} {path} got status {status} with {body}.")
    };
    let hint = match status {
        502.0..505.0 => {
            "A proxy responds so while it cannot reach the server. Record again once the server responds."
        }
        429.0 => "The server limits the number of requests. Record again later.",
        _ => "Record while the page shows the run, with the content of the responses.",
    };
    let error = DocumentError::at(ErrorCode::NotRecognised, message, response.begin());
    Ok(Some(error.hint(hint).place(response.whole())))
}

/// Returns the path of a URL, with its query.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/")
}

/// Returns the text of a response that looks like JSON or is a stream of lionagi.
fn answer(response: Slice<'_>) -> Result<Option<String>, ReadError> {
    let [body] = fields(response, ["content"])?;
    let Some(body) = body.filter(|part| part.is_object()) else { return Ok(None) };
    let [text, encoding, kind] = fields(body, ["text", "encoding", "mimeType"])?;
    let place = text;
    let Some(text) = text.and_then(Slice::text) else { return Ok(None) };
    let text = if encoding.and_then(Slice::text).as_deref() == Some("base64") {
        // Images and fonts are skipped without a problem.
        STANDARD.decode(text.trim_ascii()).ok().and_then(|bytes| String::from_utf8(bytes).ok())
    } else {
        Some(text)
    };
    let ours = |text: &str| text.trim_ascii_start().starts_with(['{', '[']) || lionagi::is_stream(text);
    let kind = kind.and_then(Slice::text).unwrap_or_default();
    let said_json =
        kind.starts_with("application/json") && text.as_ref().is_some_and(|text| !text.is_empty());
    if said_json && text.as_deref().is_some_and(|text| !ours(text) && Slice::from_text(text).is_err()) {
        return Err(place.unwrap_or(body).refuse("This response is declared as JSON, but it is not."));
    }
    Ok(text.filter(|text| ours(text)))
}

/// Reads a request.
fn read_request(request: Option<Slice<'_>>) -> Result<Request, ReadError> {
    let Some(request) = request.filter(|part| part.is_object()) else {
        return Ok(Request { other_server: true, ..Request::default() });
    };
    let [method, url, post] = fields(request, ["method", "url", "postData"])?;
    let url = url.and_then(Slice::text).unwrap_or_default();
    let path = path_of(&url);
    let is_studio = path.strip_prefix("/api/").is_some_and(is_studio_route);
    let other_server = !path.starts_with("/rpc") && !path.starts_with("/v1/") && !is_studio;
    let path = text::json(path);
    let sent = match post.filter(|part| part.is_object()) {
        Some(post) => fields(post, ["text"])?[0].and_then(Slice::text),
        None => None,
    };
    let body = sent.as_deref().and_then(|text| Slice::from_text(text).ok());
    Ok(Request { other_server, ..Request::read_http(method, Some(Slice::new(&path)), body)? })
}

/// Adds a frame in Chromium's format as a line of a recording: `type` is `send` or `receive`, `opcode` 1 is text.
fn add_message(lines: &mut String, message: Slice<'_>) -> Result<(), ReadError> {
    let [kind, time, opcode, data] = fields(message, ["type", "time", "opcode", "data"])?;
    let text = data.and_then(Slice::text).filter(|text| text.starts_with('{'));
    let is_text = opcode.and_then(Slice::number).is_none_or(|opcode| opcode == 1.0);
    let (Some(text), true) = (text, is_text) else { return Ok(()) };
    let mut out = Writer::default();
    out.object(|out| {
        if let Some(time) = time.and_then(Slice::number) {
            out.key("time").number(time);
        }
        let sent = kind.and_then(Slice::text).as_deref() == Some("send");
        out.key("dir").text(if sent { "out" } else { "in" });
        out.key("raw").text(&text);
    });
    lines.push_str(&out.finish());
    lines.push('\n');
    Ok(())
}

/// The format of times, `YYYY-MM-DDThh:mm:ss.sTZD` (HAR 1.2): Chromium writes milliseconds and `Z`, Firefox an offset.
const ISO: IsoForm = IsoForm { fraction: Fraction::Nanoseconds, zone: Zone::Any };

fn moment(text: &str) -> Option<Millis> {
    IsoTime::parse(text, ISO)?.moment()
}

#[cfg(test)]
mod tests {
    use super::moment;
    use crate::time::Millis;

    #[test]
    fn moments_have_a_zone() {
        let expected = Millis::parse_iso("2026-11-21T21:10:22.066Z");
        for text in
            ["2026-11-21T21:10:22.066Z", "2026-11-21T22:10:22.066+01:00", "2026-11-21T15:40:22.066-05:30"]
        {
            assert_eq!(moment(text), expected, "{text}");
        }
        // This is the example of the specification.
        assert_eq!(moment("2009-07-24T19:20:30.45+01:00"), Millis::parse_iso("2009-07-24T18:20:30.450Z"));
        for text in ["", "now", "2026-11-21T21:10:22", "2026-11-21T22:10:22.066*01:00", "ü2026-1100:0é"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
