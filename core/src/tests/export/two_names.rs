//! Exports of records in which one field has two names, or one name twice: each opens again to the same answer, or neither
//! the file nor an export of it opens.

use super::damaged::{layouts, opens_again};

/// A heartbeat: of several, an export keeps the first and the last.
const BEAT: &str = r#"{"type":"TaskHeartbeat","runId":"r1","timestampMs":1795296590000}"#;

/// Records, and a field that each has under another name, or once more.
const RECORDS: [(&str, &[&str]); 12] = [
    (
        r#"{"session_id":"s1","status":"completed","invocation_kind":"agent","run_id":"r1"}"#,
        &[r#""runId":"r1""#, r#""runId":"r2""#, r#""runId":null"#, r#""id":"s1""#, r#""run_id":"r1""#],
    ),
    (
        r#"{"session_id":"s1","status":"completed","effective_health":"healthy"}"#,
        &[
            r#""health":"stale""#,
            r#""label":"a","name":"b""#,
            r#""status":"failed""#,
            r#""st\u0061tus":"failed""#,
        ],
    ),
    (
        r#"{"runId":"r1","status":"failed","workflowName":"w"}"#,
        &[
            r#""run_id":"r1""#,
            r#""run_id":"r2""#,
            r#""workflow_name":"w""#,
            r#""run\u0049d":"r1""#,
            r#""status":"failed""#,
        ],
    ),
    (
        r#"{"run_id":"r1","status":"running","heartbeat_at_ms":1795296590000}"#,
        &[
            r#""heartbeatAtMs":1795296590000"#,
            r#""heartbeat\u005fat_ms":1"#,
            r#""session_id":"s1","invocation_kind":"agent""#,
        ],
    ),
    (
        r#"{"runId":"r1","state":"failed","computedAt":"2026-11-21T14:06:08.000Z"}"#,
        &[r#""state":"failed""#, r#""stat\u0065":"failed""#, r#""computed_at":"2026-11-21T14:06:08.000Z""#],
    ),
    (
        r#"{"runId":"r1","nodeId":"a","iteration":0,"attempt":1,"state":"failed","errorJson":"{}"}"#,
        &[r#""node_id":"a""#, r#""run_id":"r1""#, r#""error_json":"{}""#, r#""node\u0049d":"a""#],
    ),
    (
        r#"{"runId":"r1","nodeId":"a","requestedAtMs":1795296590000,"status":"requested"}"#,
        &[r#""node_id":"a""#, r#""requested_at_ms":1795296590000"#, r#""status":"requested""#],
    ),
    (
        r#"{"nodeId":"a","iteration":0,"state":"failed"}"#,
        &[r#""node_id":"a""#, r#""nodeId":"a""#, r#""last_attempt":1,"lastAttempt":1"#],
    ),
    (
        r#"{"type":"NodeStarted","runId":"r1","nodeId":"a","iteration":0,"attempt":1,"timestampMs":9000}"#,
        &[r#""run_id":"r1""#, r#""run_id":"r2""#, r#""typ\u0065":"NodeStarted""#, r#""timestampMs":9000"#],
    ),
    (
        r#"{"run_id":"r1","seq":4,"type":"NodeStarted","payload":{"type":"NodeStarted","runId":"r1","nodeId":"a","timestampMs":9000}}"#,
        &[r#""runId":"r1""#, r#""payload_json":"{}""#, r#""payloadJson":"{}""#, r#""seq":4"#],
    ),
    (
        r#"{"run_id":"c1","workflow_id":"w","lifecycle_state":"running","updated_at":"2026-11-21T14:00:00Z"}"#,
        &[
            r#""runId":"c1""#,
            r#""status":"failed","runId":"r2""#,
            r#""lifecycle_state":"running""#,
            r#""run\u005fid":"c1""#,
        ],
    ),
    (
        r#"{"run_id":"c1","step_id":"a","event_type":"step_started","timestamp":"2026-11-21T14:00:00Z"}"#,
        &[
            r#""runId":"c1""#,
            r#""step\u005fid":"a""#,
            r#""type":"TaskHeartbeat","runId":"r1","timestampMs":1"#,
        ],
    ),
];

/// The record with further fields before its own, and behind them.
fn with_fields(record: &str, fields: &str) -> [String; 2] {
    let (inside, after) = (&record[1..], &record[..record.len() - 1]);
    [format!("{{{fields},{inside}"), format!("{after},{fields}}}")]
}

#[test]
fn a_field_with_two_names_opens_again_to_the_same_answer() {
    let mut opened = 0;
    for (record, twins) in RECORDS {
        for twin in twins.iter().flat_map(|fields| with_fields(record, fields)) {
            let twin = twin.as_str();
            let orders: [&[&str]; 5] = [
                &[twin],
                &[twin, record],
                &[twin, BEAT],
                &[BEAT, BEAT, BEAT, twin],
                &[twin, BEAT, BEAT, BEAT],
            ];
            for order in orders {
                let listed = order[1..].join(",");
                let answers = [
                    ("beside a list", format!(r#"{{"run":{twin},"events":[{listed}]}}"#)),
                    ("beside a heartbeat", format!(r#"{{"runState":{twin},"run":{BEAT}}}"#)),
                    ("under a heartbeat", BEAT.replacen('{', &format!(r#"{{"runState":{twin},"#), 1)),
                    ("as an answer", format!(r#"{{"type":"res","id":"1","ok":true,"payload":{twin}}}"#)),
                    (
                        "in a frame",
                        format!(
                            r#"{{"t":1,"dir":"in","data":{}}}"#,
                            order.join(r#"}{"t":2,"dir":"in","data":"#)
                        ),
                    ),
                ];
                for (layout, text) in layouts(order).into_iter().chain(answers) {
                    let entries = vec![("pasted".to_owned(), text.clone().into_bytes())];
                    opened += u32::from(opens_again(&format!("{layout}: {text}"), &entries));
                }
            }
        }
    }
    assert!(opened > 1000, "{opened}");
}

#[test]
fn a_heartbeat_that_is_no_event_is_kept_with_the_run_inside() {
    let around = BEAT.replacen('}', r#","payload":{"run_id":"r2","status":"failed"}}"#, 1);
    let text = ["Here:", BEAT, &around, BEAT, r#"{"runId":"r1","status":"failed"}"#].join("\n");
    let entries = vec![("pasted".to_owned(), text.into_bytes())];
    assert!(opens_again("a run in a heartbeat between two others", &entries));
}
