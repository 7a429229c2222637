//! Writes the observed traffic as a HAR file, which every traffic viewer can open.

use std::collections::VecDeque;

use super::exchange::{Exchange, Frame};
use crate::number::Number;
use crate::text::{concat, join, json};
use crate::time::Millis;

/// Writes the answers of a server and the frames of its sockets, each with its address; `left_out` is the number of
/// omitted frames.
pub(super) fn write<'a>(
    answers: impl Iterator<Item = &'a Exchange>,
    sockets: impl Iterator<Item = (&'a str, &'a VecDeque<Frame>)>,
    left_out: u64,
) -> String {
    let answers = answers.map(write_answer);
    let sockets =
        sockets.filter(|(_, frames)| !frames.is_empty()).map(|(url, frames)| write_socket(url, frames));
    let comment = match left_out {
        0 => None,
        1 => Some("1 older message was omitted for lack of space.".to_owned()),
        _ => Some(format!("{left_out} older messages were omitted for lack of space.")),
    };
    write_file(&answers.chain(sockets).collect::<Vec<_>>(), comment.as_deref())
}

/// Writes answers only.
pub(super) fn write_answers<'a>(answers: impl Iterator<Item = &'a Exchange>) -> String {
    write_file(&answers.map(write_answer).collect::<Vec<_>>(), None)
}

fn write_file(entries: &[String], comment: Option<&str>) -> String {
    let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
    let begin = concat!(
        r#"{"log":{"version":"1.2","creator":{"name":"Runstate","version":""#,
        env!("CARGO_PKG_VERSION"),
        r#""},"#
    );
    let comment = comment.map(|comment| concat(&[r#""comment":"#, &json(comment), ","]));
    concat(&[begin, &comment.unwrap_or_default(), r#""entries":["#, &join(&entries, ","), "]}}"])
}

fn write_answer(kept: &Exchange) -> String {
    let Exchange { at, started, url, method, request, status, service_worker, body } = kept;
    let post = request.as_ref().map(|request| {
        concat(&[r#","postData":{"mimeType":"application/json","text":"#, &json(request), "}"])
    });
    let kind =
        if body.trim_start().starts_with(['{', '[']) { "application/json" } else { "text/event-stream" };
    concat(&[
        &begin_entry(*started, *at, method, url),
        &post.unwrap_or_default(),
        r#"},"response":{"status":"#,
        // HAR writes an unknown status as 0.
        &status.unwrap_or(0).to_string(),
        // The name that Chromium gives it.
        if *service_worker { r#","_fetchedViaServiceWorker":true"# } else { "" },
        r#","content":{"mimeType":""#,
        kind,
        r#"","text":"#,
        &json(body),
        "}}}",
    ])
}

fn write_socket(url: &str, frames: &VecDeque<Frame>) -> String {
    let at = frames.front().map_or(Millis(0.0), |frame| frame.at);
    let frames: Vec<String> = frames
        .iter()
        .map(|frame| {
            let kind = if frame.sent { "send" } else { "receive" };
            let time = Number(frame.at.0 / 1000.0).to_text();
            let begin = concat(&[r#"{"type":""#, kind, r#"","time":"#, &time]);
            concat(&[&begin, r#","opcode":1,"data":"#, &json(&frame.text), "}"])
        })
        .collect();
    let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
    let begin = begin_entry(at, at, "GET", url);
    concat(&[&begin, r#"},"_webSocketMessages":["#, &join(&frames, ","), "]}"])
}

fn begin_entry(started: Millis, at: Millis, method: &str, url: &str) -> String {
    // The start is written in whole milliseconds.
    let took = (at.0.floor() - started.0.floor()).max(0.0);
    let (started, took) = (started.to_iso().unwrap_or_default(), Number(took).to_text());
    let begin =
        concat(&[r#"{"startedDateTime":""#, &started, r#"","time":"#, &took, r#","request":{"method":"#]);
    concat(&[&begin, &json(method), r#","url":"#, &json(url)])
}
