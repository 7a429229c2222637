//! Writes the observed traffic as a HAR file, which every traffic viewer can open.

use super::server::Server;
use super::stream::Stream;
use super::studio::StoredAnswer;
use crate::number::Number;
use crate::text::{concat, join, json};
use crate::time::Millis;

/// Writes the answers and frames of a server; `left_out` is the number of omitted frames.
pub(super) fn write<'a>(server: &Server, streams: impl Iterator<Item = &'a Stream>, left_out: u64) -> String {
    let answers = server.answers().iter().map(answer);
    let sockets = streams.filter(|stream| !stream.frames.is_empty()).map(socket);
    let comment = match left_out {
        0 => None,
        1 => Some("1 older message was omitted for lack of space.".to_owned()),
        _ => Some(format!("{left_out} older messages were omitted for lack of space.")),
    };
    whole(&answers.chain(sockets).collect::<Vec<_>>(), comment.as_deref())
}

/// Writes answers only.
pub(super) fn write_answers<'a>(answers: impl Iterator<Item = &'a StoredAnswer>) -> String {
    whole(&answers.map(answer).collect::<Vec<_>>(), None)
}

fn whole(entries: &[String], comment: Option<&str>) -> String {
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let begin = concat!(
        r#"{"log":{"version":"1.2","creator":{"name":"Runstate","version":""#,
        env!("CARGO_PKG_VERSION"),
        r#""},"#
    );
    let comment = comment.map(|comment| concat(&[r#""comment":"#, &json(comment), ","]));
    concat(&[begin, &comment.unwrap_or_default(), r#""entries":["#, &join(&entries, ","), "]}}"])
}

fn answer(kept: &StoredAnswer) -> String {
    let StoredAnswer { at, method, url, request, status, body } = kept;
    let post = request.as_ref().map(|request| {
        concat(&[r#","postData":{"mimeType":"application/json","text":"#, &json(request), "}"])
    });
    let kind =
        if body.trim_start().starts_with(['{', '[']) { "application/json" } else { "text/event-stream" };
    concat(&[
        &begin(*at, method, url),
        &post.unwrap_or_default(),
        r#"},"response":{"status":"#,
        // HAR writes an unknown status as 0.
        &status.unwrap_or(0).to_string(),
        r#","content":{"mimeType":""#,
        kind,
        r#"","text":"#,
        &json(body),
        "}}}",
    ])
}

fn socket(stream: &Stream) -> String {
    let frames: Vec<String> = stream
        .frames
        .iter()
        .map(|frame| {
            let kind = if frame.sent { "send" } else { "receive" };
            let time = Number(frame.at.0 / 1000.0).to_text();
            let begin = concat(&[r#"{"type":""#, kind, r#"","time":"#, &time]);
            concat(&[&begin, r#","opcode":1,"data":"#, &json(&frame.text), "}"])
        })
        .collect();
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    let at = stream.frames.front().map_or(Millis(0.0), |frame| frame.at);
    let begin = begin(at, "GET", &stream.url);
    concat(&[&begin, r#"},"_webSocketMessages":["#, &join(&frames, ","), "]}"])
}

fn begin(at: Millis, method: &str, url: &str) -> String {
    let at = at.to_iso().unwrap_or_default();
    let begin = concat(&[r#"{"startedDateTime":""#, &at, r#"","time":0,"request":{"method":"#]);
    concat(&[&begin, &json(method), r#","url":"#, &json(url)])
}
