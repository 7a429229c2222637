//! What happened in an event, in one line: from the fields that events of all types share.

use crate::format;
use crate::json::{Slice, fields};
use crate::smithers::wire::error_text;
use crate::text::{concat, join};
use crate::time::Millis;

/// The maximum length of a line, characters.
const MAX_CHARACTERS: usize = 200;

/// The fields that every event has, and those with a column of their own.
const SHOWN_FIELDS: [&str; 8] =
    ["type", "runId", "nodeId", "iteration", "attempt", "timestampMs", "correlation", "seq"];

/// What an event of Smithers says besides its type, its time and its node; empty if it says nothing else.
pub(super) fn detail(event: Slice<'_>, is_known: bool) -> String {
    let parts =
        [tool(event), state(event), error(event), text(event), frames(event), timer(event), tokens(event)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let line = join(&parts, " · ");
    if line.is_empty() && !is_known { one_line(&other_fields(event)) } else { one_line(&line) }
}

/// The first line with a character that is seen, shortened.
pub(super) fn one_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    match line.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => concat(&[&line[..end], "…"]),
        None => line.to_owned(),
    }
}

fn read<'a, const N: usize>(event: Slice<'a>, names: [&'static str; N]) -> [Option<Slice<'a>>; N] {
    fields(event, names).unwrap_or([None; N])
}

fn tool(event: Slice<'_>) -> Option<String> {
    let [name] = read(event, ["toolName"]);
    name?.text()
}

fn state(event: Slice<'_>) -> Option<String> {
    let [status, after] = read(event, ["status", "after"]);
    status.or(after)?.text()
}

fn error(event: Slice<'_>) -> Option<String> {
    let [error] = read(event, ["error"]);
    error_text(error?.json())
}

/// A text of an agent, the title of a request, or a reason.
fn text(event: Slice<'_>) -> Option<String> {
    let [text, request, agent, reason, message] =
        read(event, ["text", "request", "event", "reason", "message"]);
    let title = |value: Slice<'_>| read(value, ["title"])[0]?.text();
    let of_request = request.and_then(title).map(|title| concat(&["“", &title, "”"]));
    let of_agent = agent.and_then(|agent| title(agent).or_else(|| title(read(agent, ["action"])[0]?)));
    let plain = || text.or(reason).or(message)?.text();
    of_request.or(of_agent).or_else(plain)
}

fn frames(event: Slice<'_>) -> Option<String> {
    let number = |field: Option<Slice<'_>>| field?.number().map(format::count);
    let [frame, from, to] = read(event, ["frameNo", "fromFrameNo", "toFrameNo"]);
    match (number(frame), number(from), number(to)) {
        (Some(frame), _, _) => Some(concat(&["frame ", &frame])),
        (None, Some(from), Some(to)) => Some(concat(&["from frame ", &from, " to frame ", &to])),
        (None, _, _) => None,
    }
}

fn timer(event: Slice<'_>) -> Option<String> {
    let [at] = read(event, ["firesAtMs"]);
    let at = Millis(at?.number()?);
    at.is_time().then(|| concat(&["until ", &format::date_clock(at)]))
}

fn tokens(event: Slice<'_>) -> Option<String> {
    let [model, input, output] = read(event, ["model", "inputTokens", "outputTokens"]);
    let counts = input
        .and_then(Slice::number)
        .zip(output.and_then(Slice::number))
        .map(|(input, output)| concat(&[&format::count(input), " in, ", &format::count(output), " out"]));
    match (model.and_then(Slice::text), counts) {
        (Some(model), Some(counts)) => Some(concat(&[&model, " · ", &counts])),
        (model, counts) => counts.or(model),
    }
}

/// The fields of an event of an unknown type, as they were written.
fn other_fields(event: Slice<'_>) -> String {
    let mut parts = Vec::new();
    // Only an object has members; an event is one.
    let _ = event.each_member(&mut |name, _, value| {
        if !SHOWN_FIELDS.contains(&&*name) {
            parts.push(concat(&[&name, ": ", value.json()]));
        }
        Ok(())
    });
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    join(&parts, ", ")
}

#[cfg(test)]
mod tests {
    use super::detail;
    use crate::json::Slice;

    #[test]
    fn an_event_says_what_happened_in_one_line() {
        for (event, expected) in [
            (r#"{"type":"FrameCommitted","frameNo":12}"#, "frame 12"),
            (r#"{"error":{"name":"Error","message":"disk is full\nat x"}}"#, "disk is full"),
            (r#"{"toolName":"read_file","status":"error"}"#, "read_file · error"),
            (r#"{"request":{"title":"Ship it?"}}"#, "“Ship it?”"),
            (r#"{"text":"\n\n  ok\nmore"}"#, "ok"),
            (r#"{"event":{"type":"action","action":{"title":"Bash"}}}"#, "Bash"),
            (r#"{"firesAtMs":1763474518000}"#, "until 2025-11-18 14:01:58Z"),
            (r#"{"firesAtMs":1e300}"#, ""),
            (r#"{"model":"m","inputTokens":1200,"outputTokens":5}"#, "m · 1\u{202f}200 in, 5 out"),
            (r#"{"fromFrameNo":10,"toFrameNo":3}"#, "from frame 10 to frame 3"),
            (r#"{"status":"waiting-approval"}"#, "waiting-approval"),
            (r#"{"type":"NodeStarted","status":5,"text":[],"request":"x"}"#, ""),
            ("[]", ""),
        ] {
            assert_eq!(detail(Slice::new(event), true), expected, "{event}");
        }
    }

    #[test]
    fn an_unknown_event_shows_its_own_fields() {
        let event = r#"{"type":"RunDreamed","runId":"r","timestampMs":1,"depth":3,"why":{"a":[1]}}"#;
        assert_eq!(detail(Slice::new(event), false), r#"depth: 3, why: {"a":[1]}"#);
        let long = format!(r#"{{"type":"X","blob":"{}"}}"#, "ä".repeat(9_000));
        assert_eq!(detail(Slice::new(&long), false).chars().count(), 201);
    }
}
