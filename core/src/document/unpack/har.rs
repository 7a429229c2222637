//! HAR files: the recorded traffic of a page, HTTP answers and the frames of its sockets.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::document::heard::{Asked, Context, Heard, Socket};
use crate::document::{DocumentError, seen};
use crate::json::{ReadError, Slice, fields, items};
use crate::text::concat;
use crate::time::Millis;

/// Reads the entries. What is no answer of a system that Runstate knows is passed over.
pub(super) fn read(heard: &mut Heard, entries: Slice<'_>, context: Context<'_>) -> Result<(), DocumentError> {
    let (mut count, before) = (0_usize, heard.len());
    heard.traffic = true;
    for entry in items(entries)? {
        count += 1;
        let part = format!("entry {count}");
        let entry = entry?;
        if let Err(error) = read_entry(heard, entry, context.part(&part)) {
            heard.unread(entry.whole(), &error, context.part(&part));
        }
    }
    if heard.len() == before {
        let message = format!("No entry of this HAR file ({count} in all) is about a run.");
        return Err(DocumentError::at(seen::NOT_RECOGNISED, message, entries.begin())
            .hint("Record while the page shows the run, with the answers' content."));
    }
    Ok(())
}

fn read_entry(heard: &mut Heard, entry: Slice<'_>, context: Context<'_>) -> Result<(), ReadError> {
    let names = ["startedDateTime", "time", "request", "response", "_webSocketMessages"];
    let [started, took, request, response, messages] = fields(entry, names)?;
    let started = started.and_then(Slice::text).and_then(|text| moment(&text));
    let took = took.and_then(Slice::number).unwrap_or(0.0).max(0.0);
    let context = context.at(started.map(|started| Millis(started.0 + took)));
    if let Some(response) = response.filter(|part| part.is_object()) {
        read_answer(heard, request, response, context)?;
    }
    if let Some(messages) = messages.filter(|part| part.is_array()) {
        let mut socket = Socket::default();
        for message in items(messages)? {
            read_message(heard, &mut socket, message?, context)?;
        }
        socket.close(heard, context);
    }
    Ok(())
}

fn read_answer(
    heard: &mut Heard,
    request: Option<Slice<'_>>,
    response: Slice<'_>,
    context: Context<'_>,
) -> Result<(), ReadError> {
    let [body] = fields(response, ["content"])?;
    let Some(body) = body.filter(|part| part.is_object()) else { return Ok(()) };
    let [text, encoding] = fields(body, ["text", "encoding"])?;
    let (Some(place), Some(text)) = (text, text.and_then(Slice::text)) else { return Ok(()) };
    let body = if encoding.and_then(Slice::text).as_deref() == Some("base64") {
        let bytes = STANDARD.decode(text.trim_ascii()).ok();
        match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(body) => body,
            // An image or a font: nothing that anybody missed.
            None => return Ok(()),
        }
    } else {
        text
    };
    let asked = question(request)?;
    if !body.trim_ascii_start().starts_with(['{', '[']) {
        return Ok(());
    }
    let read = match Slice::of_text(&body) {
        Ok(slice) => heard.document(slice, &asked, context),
        Err(error) => Err(error.into()),
    };
    if let Err(error) = read
        && !asked.elsewhere
        && error.code != seen::NOT_RECOGNISED
    {
        let problem = concat(&["In the answer: ", &error.message]);
        heard.note(context.problem(place.whole(), Some(place.begin()), &problem));
    }
    Ok(())
}

/// What was asked.
fn question(request: Option<Slice<'_>>) -> Result<Asked, ReadError> {
    let Some(request) = request.filter(|part| part.is_object()) else {
        return Ok(Asked { elsewhere: true, ..Asked::default() });
    };
    let [method, url, post] = fields(request, ["method", "url", "postData"])?;
    let url = url.and_then(Slice::text).unwrap_or_default();
    let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
    let path = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
    let ours = path.starts_with("/rpc") || path.starts_with("/v1/");
    let path = crate::text::json(path);
    let sent = match post.filter(|part| part.is_object()) {
        Some(post) => fields(post, ["text"])?[0].and_then(Slice::text),
        None => None,
    };
    let body = sent.as_deref().and_then(|text| Slice::of_text(text).ok());
    Ok(Asked { elsewhere: !ours, ..Asked::of(method, Some(Slice::new(&path)), body)? })
}

/// One frame as Chromium records it: `type` is `send` or `receive`, `opcode` 1 is text.
fn read_message(
    heard: &mut Heard,
    socket: &mut Socket,
    message: Slice<'_>,
    context: Context<'_>,
) -> Result<(), ReadError> {
    let [kind, time, opcode, data] = fields(message, ["type", "time", "opcode", "data"])?;
    let text = data.and_then(Slice::text).filter(|text| text.starts_with('{'));
    let Some(text) = text.filter(|_| opcode.and_then(Slice::number).is_none_or(|opcode| opcode == 1.0))
    else {
        return Ok(());
    };
    let sent = kind.and_then(Slice::text).as_deref() == Some("send");
    match Slice::of_text(&text) {
        Ok(frame) => socket.frame(heard, frame, sent, time.and_then(Slice::number), context),
        Err(error) => heard.note(context.problem(message.whole(), Some(message.begin()), &error.message)),
    }
    Ok(())
}

/// A moment as browsers write it: UTC, or with an offset as Firefox does.
fn moment(text: &str) -> Option<Millis> {
    let parsed = Millis::parse_iso(text);
    if parsed.is_some() {
        return parsed;
    }
    let (clock, offset) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let (sign, rest) = offset.split_at_checked(1)?;
    let (hours, minutes) = rest.split_once(':')?;
    let minutes = hours.parse::<f64>().ok()? * 60.0 + minutes.parse::<f64>().ok()?;
    let minutes = match sign {
        "+" => minutes,
        "-" => -minutes,
        _ => return None,
    };
    Some(Millis(Millis::parse_iso(&concat(&[clock, "Z"]))?.0 - minutes * 60_000.0))
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
        for text in ["", "now", "2026-11-21T21:10:22", "2026-11-21T22:10:22.066*01:00", "ü2026-1100:0é"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
