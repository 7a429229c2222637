//! Inputs with the structure of real ones, chosen by the bytes of a fuzzer: bytes alone rarely become JSON.

use std::ops::Range;

use arbitrary::{Result, Unstructured};

/// A secret that stands only where a name or a form marks it as one.
pub(super) const SECRET: &str = "Zk4tQ9sesame7Xw2";

const MOMENT: &str = "2026-11-21T14:00:00.000Z";

/// Around the limits of exact numbers, as JSON text.
const NUMBERS: [&str; 14] = [
    "0",
    "-0",
    "1",
    "1.5",
    "-1",
    "1795296590000",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "5e-324",
];

const WORDS: [&str; 16] = [
    "running",
    "failed",
    "finished",
    "waiting-approval",
    "waiting-timer",
    "completed_empty",
    "orphaned",
    "r1",
    "gate",
    MOMENT,
    "/srv/app/run.db",
    "",
    "\u{202e}abc",
    "f\u{430}iled",
    "\u{1b}[31mred",
    "{\"message\":\"x\"}",
];

/// Keys of the systems' records, some of them with two names, and some that name secrets.
const KEYS: [&str; 24] = [
    "runId",
    "status",
    "state",
    "runState",
    "workflowName",
    "errorJson",
    "heartbeatAtMs",
    "startedAtMs",
    "nodeId",
    "iteration",
    "seq",
    "session_id",
    "invocation_kind",
    "effective_health",
    "last_message_at",
    "payload",
    "extra",
    "cwd",
    "configJson",
    "blocked",
    "run_id",
    "node_id",
    "heartbeat_at_ms",
    "payload_json",
];

/// A text as JSON.
fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Any text, but not the secret: a fuzzer finds out which bytes it is, and nothing marks them here.
fn text(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(u.arbitrary::<&str>()?.replace(SECRET, ""))
}

/// A text that contains the secret in one of the promised forms.
fn leaking(u: &mut Unstructured<'_>) -> Result<String> {
    Ok(match u.int_in_range(0..=9_u8)? {
        0 => format!("password={SECRET}"),
        1 => format!("Authorization: Bearer {SECRET}"),
        2 => format!("https://ann:{SECRET}@gateway.example/rpc"),
        3 => format!("{{\"token\":\"{SECRET}\"}}"),
        4 => format!("the password is {SECRET}, they said"),
        5 => format!("| `token` | {SECRET} |\n| a | b |"),
        6 => format!("&quot;password&quot;:&quot;{SECRET}&quot;"),
        7 => format!("[\"mysql\",\"-u\",\"root\",\"-p{SECRET}\"]"),
        8 => format!("a.setPassword(\"{SECRET}\")"),
        _ => format!("no answer to --token {SECRET} from node"),
    })
}

/// A JSON value at most `depth` levels deep.
fn value(u: &mut Unstructured<'_>, depth: u8) -> Result<String> {
    Ok(match u.int_in_range(0..=9_u8)? {
        0..=2 => json(u.choose(&WORDS)?),
        3 | 4 => (*u.choose(&NUMBERS)?).to_owned(),
        5 => (*u.choose(&["null", "true", "false"])?).to_owned(),
        6 => json(&text(u)?),
        7 => json(&leaking(u)?),
        8 if depth > 0 => {
            let items: Result<Vec<String>> =
                (0..u.int_in_range(0..=3_u8)?).map(|_| value(u, depth - 1)).collect();
            format!("[{}]", items?.join(","))
        }
        _ if depth > 0 => object(u, depth - 1, &[])?,
        _ => "null".to_owned(),
    })
}

/// An object that begins with `fields`, and has each further key at most once: duplicates are refused.
fn object(u: &mut Unstructured<'_>, depth: u8, fields: &[(&str, String)]) -> Result<String> {
    let mut all: Vec<(String, String)> =
        fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    for _ in 0..u.int_in_range(0..=5_u8)? {
        let key = if u.ratio(1, 8)? { text(u)? } else { (*u.choose(&KEYS)?).to_owned() };
        if all.iter().all(|(known, _)| *known != key) {
            all.push((key, value(u, depth)?));
        }
    }
    let fields: Vec<String> = all.iter().map(|(key, value)| format!("{}:{value}", json(key))).collect();
    Ok(format!("{{{}}}", fields.join(",")))
}

/// A record of one of the systems.
fn record(u: &mut Unstructured<'_>) -> Result<String> {
    let word = json(u.choose(&WORDS)?);
    match u.int_in_range(0..=6_u8)? {
        0 => object(u, 3, &[("runId", json("r1")), ("status", word)]),
        1 => {
            object(u, 3, &[("session_id", json("s1")), ("status", word), ("invocation_kind", json("agent"))])
        }
        2 => {
            let number = (*u.choose(&NUMBERS)?).to_owned();
            object(
                u,
                2,
                &[("type", json("NodeStarted")), ("runId", json("r1")), ("nodeId", word), ("seq", number)],
            )
        }
        3 => object(
            u,
            2,
            &[
                ("run_id", json("c1")),
                ("workflow_id", json("w")),
                ("lifecycle_state", word),
                ("updated_at", json(MOMENT)),
            ],
        ),
        4 => {
            let number = (*u.choose(&NUMBERS)?).to_owned();
            object(
                u,
                2,
                &[
                    ("run_id", json("c1")),
                    ("workflow_id", json("w")),
                    ("workflow_version", number),
                    ("entry_step", word),
                ],
            )
        }
        5 => object(
            u,
            2,
            &[
                ("run_id", json("c1")),
                ("step_id", word),
                ("event_type", json("step_started")),
                ("timestamp", json(MOMENT)),
            ],
        ),
        _ => object(
            u,
            2,
            &[
                ("type", json("TaskHeartbeat")),
                ("runId", json("r1")),
                ("timestampMs", "1795296590000".into()),
            ],
        ),
    }
}

/// A line of a container's log.
fn wrapped(record: &str) -> String {
    format!("{{\"log\":{},\"stream\":\"stdout\",\"time\":\"t\"}}\n", json(record))
}

/// Anything that a person opens: a record, a list, lines, a Gateway's answer, the recording of a socket; whole or damaged.
pub(super) fn document(u: &mut Unstructured<'_>) -> Result<String> {
    let records: Result<Vec<String>> = (0..=u.int_in_range(0..=4_u8)?).map(|_| record(u)).collect();
    let records = records?;
    let text = match u.int_in_range(0..=9_u8)? {
        0 => records.concat(),
        6 => records.join(" "),
        7 => format!("Here:\n```json\n{}\n```\n", records.join("\n")),
        8 => records.iter().map(|record| wrapped(record)).collect(),
        9 => format!("12:00 out {}\n[{}]", records[0], records.join(",\n")),
        1 => format!("[{}]", records.join(",")),
        2 => records.join("\n"),
        3 => format!(r#"{{"type":"res","id":"1","ok":true,"apiVersion":"v1","payload":{}}}"#, records[0]),
        4 => {
            let frame =
                |(at, record): (usize, &String)| format!(r#"{{"t":{at},"dir":"in","data":{record}}}"#);
            records.iter().enumerate().map(frame).collect::<Vec<_>>().join("\n")
        }
        _ => format!(r#"{{"runState":{},"run":{}}}"#, records[0], record(u)?),
    };
    damaged(u, text)
}

/// Mostly the text; else a part of it is missing, or something stands before it.
fn damaged(u: &mut Unstructured<'_>, mut text: String) -> Result<String> {
    let place = |u: &mut Unstructured<'_>, text: &str| -> Result<usize> {
        Ok(text.floor_char_boundary(u.int_in_range(0..=text.len())?))
    };
    match u.int_in_range(0..=7_u8)? {
        0 => {
            let end = place(u, &text)?;
            Ok(without(text, end..usize::MAX))
        }
        1 => {
            let start = place(u, &text)?;
            Ok(without(text, start..start + 3))
        }
        2 => {
            text.insert_str(0, "not JSON\n");
            Ok(text)
        }
        _ => Ok(text),
    }
}

/// The text without a part. Unchanged if a secret would remain without what marks it as one: nothing promises to find such a secret.
fn without(text: String, part: Range<usize>) -> String {
    let mut shorter = text.clone();
    shorter.replace_range(part.start..text.ceil_char_boundary(part.end.min(text.len())), "");
    let known: Vec<&str> = marked_secrets(&text).collect();
    if marked_secrets(&shorter).all(|secret| known.contains(&secret)) { shorter } else { text }
}

/// Each secret of a text, with what stands directly before and after it.
fn marked_secrets(text: &str) -> impl Iterator<Item = &str> {
    // The longest mark is that of an option: its command, with the quotation marks of a list in JSON in JSON.
    const MARK: usize = 64;
    text.match_indices(SECRET).map(|(at, secret)| {
        let start = text.floor_char_boundary(at.saturating_sub(MARK));
        &text[start..text.ceil_char_boundary((at + secret.len() + 1).min(text.len()))]
    })
}

/// Entries of the extension's collector, as JSON.
pub(super) fn entries(u: &mut Unstructured<'_>) -> Result<Vec<String>> {
    (0..u.int_in_range(0..=12_u8)?).map(|at| entry(u, at)).collect()
}

fn entry(u: &mut Unstructured<'_>, at: u8) -> Result<String> {
    let at = 1_795_296_590_000_f64 + f64::from(at) * 100.0;
    let port = u.int_in_range(1..=3_u16)?;
    let worker = u.arbitrary::<bool>()?;
    let body = json(&document(u)?);
    Ok(match u.int_in_range(0..=7_u8)? {
        0 | 1 => format!(
            r#"{{"kind":"answer","at":{at},"started":{at},"url":"http://127.0.0.1:{port}/rpc","method":"POST",
                "request":"{{\"method\":\"listRuns\"}}","status":200,"serviceWorker":{worker},"body":{body}}}"#
        ),
        2 => format!(
            r#"{{"kind":"answer","at":{at},"started":{at},"url":"http://127.0.0.1:{port}/api/sessions/","method":"GET",
                "request":null,"body":{body}}}"#
        ),
        3 => format!(
            r#"{{"kind":"frame","at":{at},"socket":"socket-{port}","url":"ws://127.0.0.1:{port}/","sent":{worker},"text":{body}}}"#
        ),
        4 => format!(
            r#"{{"kind":"message","at":{at},"stream":"stream-{port}","url":"http://127.0.0.1:{port}/api/sessions/s1/signals",
                "event":"","data":{body}}}"#
        ),
        5 => format!(r#"{{"kind":"end","at":{at},"stream":"socket-{port}","cause":"closed"}}"#),
        6 => format!(r#"{{"kind":"navigated","at":{at},"url":"http://127.0.0.1/{port}","kept":{worker}}}"#),
        _ => format!(r#"{{"kind":"unread-server","at":{at},"url":"http://127.0.0.1:{port}/"}}"#),
    })
}

/// A fragment of the dashboard's address.
pub(super) fn address(u: &mut Unstructured<'_>) -> Result<String> {
    let names = ["run", "node", "it", "q", "state", "system", "sort", "token", "gateway", ""];
    let part = |u: &mut Unstructured<'_>| -> Result<String> {
        let name = *u.choose(&names)?;
        let value = match u.int_in_range(0..=3_u8)? {
            0 => (*u.choose(&WORDS)?).to_owned(),
            1 => (*u.choose(&NUMBERS)?).to_owned(),
            2 => "%e2%80%ae%zz+%00&=".to_owned(),
            _ => u.arbitrary::<&str>()?.to_owned(),
        };
        Ok(format!("{name}={value}"))
    };
    let parts: Result<Vec<String>> = (0..u.int_in_range(0..=6_u8)?).map(|_| part(u)).collect();
    Ok(parts?.join("&"))
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use super::{SECRET, text, without};

    #[test]
    fn no_text_contains_the_secret_without_a_mark() {
        let bytes = [format!("a{SECRET}b").as_bytes(), &[SECRET.len() as u8 + 2]].concat();
        assert_eq!(text(&mut Unstructured::new(&bytes)).unwrap(), "ab");
    }

    #[test]
    fn no_damage_leaves_a_secret_without_its_mark() {
        let id = "r".repeat(100);
        let text = format!(r#"{{"runId":"{id}","errorJson":"password={SECRET}"}}"#);
        let name = text.find("password").unwrap();
        assert_eq!(without(text.clone(), name + 4..name + 7), text);
        assert_eq!(without(text.clone(), 2..5), text.replacen("run", "", 1));
        assert_eq!(without(text.clone(), name + 4..usize::MAX), text[..name + 4]);
        let address = format!("https://ann:{SECRET}@gateway.example/rpc");
        let sign = address.find('@').unwrap();
        assert_eq!(without(address.clone(), sign..usize::MAX), address);
    }
}
