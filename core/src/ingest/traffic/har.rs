//! What was observed as a HAR file, which every tool that reads traffic opens.

use super::server::Server;
use super::stream::Stream;
use super::studio::Kept;
use crate::number::Number;
use crate::text::{concat, join, json};
use crate::time::Millis;

/// The answers and frames of a server.
pub(super) fn write<'a>(server: &Server, streams: impl Iterator<Item = &'a Stream>) -> String {
    let answers = server.answers().iter().map(answer);
    whole(&answers.chain(streams.filter(|stream| !stream.frames.is_empty()).map(socket)).collect::<Vec<_>>())
}

/// Answers alone.
pub(super) fn of_answers<'a>(answers: impl Iterator<Item = &'a Kept>) -> String {
    whole(&answers.map(answer).collect::<Vec<_>>())
}

fn whole(entries: &[String]) -> String {
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let begin = r#"{"log":{"version":"1.2","creator":{"name":"Runstate","version":""},"entries":["#;
    concat(&[begin, &join(&entries, ","), "]}}"])
}

fn answer(kept: &Kept) -> String {
    let Kept { at, method, url, asked, body } = kept;
    let post = asked
        .as_ref()
        .map(|asked| concat(&[r#","postData":{"mimeType":"application/json","text":"#, &json(asked), "}"]));
    let kind =
        if body.trim_start().starts_with(['{', '[']) { "application/json" } else { "text/event-stream" };
    concat(&[
        &begin(*at, method, url),
        &post.unwrap_or_default(),
        r#"},"response":{"status":200,"content":{"mimeType":""#,
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
