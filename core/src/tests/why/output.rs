//! The output of `smithers why`, read verbatim.

use runstate::actions::{ActionKind, actions};
use runstate::clock::Reading;
use runstate::freshness::Freshness;
use runstate::header::RunReport;
use runstate::ingest::inspect;
use runstate::run::Blocker;
use runstate::summary::text as words;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde_json::{Value, json};

use super::vectors::text as read;
use super::{asked, without_path};

#[test]
fn the_output_of_why_is_read_as_it_stands() {
    let mut blockers = 0;
    for run_id in asked() {
        let text = read(&format!("why/why-{run_id}.json"));
        let why: Value = serde_json::from_str(&text).unwrap();
        let now = Millis(why["generatedAtMs"].as_f64().unwrap());
        let found = inspect(text.as_bytes(), None, now).unwrap();
        assert_eq!(found.kind.as_str(), "why-output");
        let run = found.run.unwrap();
        let offered: Vec<Value> = actions(&run, now)
            .iter()
            .map(|action| json!([action.blocker.map(Blocker::as_str), action.command]))
            .collect();
        let named = why["blockers"].as_array().unwrap();
        let expected: Vec<Value> = named
            .iter()
            .flat_map(|blocker| {
                let deny = blocker["context"].as_str().and_then(|text| text.strip_prefix("Deny instead: "));
                let yes = json!([blocker["kind"], without_path(blocker["unblocker"].as_str().unwrap())]);
                [Some(yes), deny.map(|deny| json!([blocker["kind"], deny]))].into_iter().flatten()
            })
            .collect();
        assert_eq!(offered, expected, "{run_id}");
        let state = run.view().unwrap().state.to_string();
        let expected = match why["status"].as_str().unwrap() {
            // No sign of life was ever recorded: the state is unknown, as in the server's answer for the same rows.
            "running" if run_id == "ed-no-signals" => "unknown",
            "running" => "orphaned",
            "finished" => "succeeded",
            "hibernating" => "unknown",
            status => status,
        };
        assert_eq!(state, expected, "{run_id}");
        blockers += named.len();
    }
    assert_eq!(blockers, 8);
}

#[test]
fn the_output_of_why_names_what_the_run_waits_for_and_why_it_failed() {
    let found = |run_id: &str| {
        let text = read(&format!("why/why-{run_id}.json"));
        let run = inspect(text.as_bytes(), None, Millis(0.0)).unwrap().run.unwrap();
        let blocked = run.view().unwrap().blocked.clone();
        (serde_json::to_value(blocked).unwrap(), run.error)
    };
    for (run_id, blocked) in [
        (
            "ed-approval-two",
            json!({ "kind": "approval", "nodeId": "earlier-gate", "requestedAt": "2026-11-21T20:59:44.917Z" }),
        ),
        ("ed-event-decided-resume", json!({ "kind": "approval-decided-resume-required", "nodeId": "close" })),
        (
            "ed-timer-overdue",
            json!({ "kind": "timer", "nodeId": "nap", "wakeAt": "2026-11-21T21:00:45.238Z" }),
        ),
        ("parked-event", json!({ "kind": "event", "nodeId": "wait-deploy", "correlationKey": "release-42" })),
        ("ed-no-owner", Value::Null),
        ("ed-no-signals", Value::Null),
        ("ed-status-unknown-text", Value::Null),
        ("degraded-a", Value::Null),
    ] {
        assert_eq!(found(run_id), (blocked, None), "{run_id}");
    }
    let error = "Error: disk is full: cannot write /var/data/out.bin".to_owned();
    assert_eq!(found("fail-a"), (Value::Null, Some(error)));
}

#[test]
fn a_blocker_that_is_told_in_part_or_belongs_to_another_state_is_no_reason() {
    for (status, blocker) in [
        ("waiting-approval", r#"{"kind":"waiting-approval","nodeId":"gate","iteration":0}"#),
        ("waiting-approval", r#"{"kind":"waiting-approval","waitingSince":1700000000000}"#),
        ("waiting-timer", r#"{"kind":"waiting-timer","nodeId":"nap","iteration":0}"#),
        ("waiting-event", r#"{"kind":"waiting-event","nodeId":"wait","iteration":0}"#),
        ("running", r#"{"kind":"waiting-event","nodeId":"wait","iteration":0,"signalName":"go"}"#),
    ] {
        let text = format!(
            r#"{{"runId":"r","status":"{status}","generatedAtMs":1700000000000,"blockers":[{blocker}]}}"#
        );
        let run = inspect(text.as_bytes(), None, Millis(0.0)).unwrap().run.unwrap();
        assert_eq!(run.view().unwrap().blocked, None, "{text}");
    }
}

#[test]
fn what_is_no_output_of_why_is_refused() {
    let blocker = r#"{"kind":"engine-busy"}"#;
    let ok = format!(r#"{{"runId":"r","status":"running","summary":"s","blockers":[{blocker}]}}"#);
    let read = |text: &str| inspect(text.as_bytes(), None, Millis(0.0));
    assert!(read(&ok).is_ok());
    for (part, other) in [
        (r#""runId":"r","#, ""),
        (r#""status":"running","#, ""),
        (r#""running""#, "7"),
        (blocker, "7"),
        (blocker, "{}"),
        (blocker, r#"{"kind":7}"#),
        (r#""status""#, r#""status":"x","status""#),
    ] {
        let text = ok.replace(part, other);
        assert!(read(&text).is_err(), "{text}");
    }
    for (field, value) in [("iteration", r#""x""#), ("reason", "7"), ("firesAtMs", r#""soon""#)] {
        let text = ok.replace(blocker, &format!(r#"{{"kind":"engine-busy","{field}":{value}}}"#));
        let problems = read(&text).unwrap().problems.texts();
        assert!(
            problems.len() == 1 && problems[0].contains(&format!("`blockers[0].{field}`: ")),
            "{problems:?}"
        );
    }
}

/// The output opened alone: sentence, kinds of actions, hidden facts.
fn alone(text: &str) -> (String, Vec<ActionKind>, Vec<String>) {
    let run = inspect(text.as_bytes(), None, Millis(0.0)).unwrap().run.unwrap();
    let account =
        RunReport::new(&run, &Freshness::recorded(&run), Reading::exact(Millis(1_795_296_600_000.0)));
    let kinds = account.actions.iter().map(|action| action.kind).collect();
    let hidden = account.hidden.iter().map(|(_, sentence)| words(sentence)).collect();
    (words(&account.answer.sentence), kinds, hidden)
}

#[test]
fn a_timer_that_nobody_served_is_overdue_and_no_wait() {
    let text = read("why/why-ed-timer-overdue.json");
    let late = alone(&text);
    assert_eq!(late.0, "The timer at nap was overdue and nobody had woken the run.");
    assert_eq!(late.1, [ActionKind::Resume]);
    // Within the grace of the server it is due, and before its time it sleeps.
    for fires_at in ["1795295661000", "1795299999000"] {
        let (sentence, kinds, _) = alone(&text.replace("1795294845238", fires_at));
        assert!(sentence.starts_with("Was sleeping at nap until "), "{sentence}");
        assert_eq!(kinds, [ActionKind::Wait]);
    }
}

#[test]
fn each_approval_is_in_words_and_can_be_denied() {
    let text = read("why/why-ed-approval-two.json");
    let (sentence, kinds, hidden) = alone(&text);
    assert_eq!(sentence, "Was waiting for a decision at earlier-gate.");
    assert_eq!(hidden, ["Was also waiting for a decision at ship-gate."]);
    assert_eq!(kinds, [ActionKind::Approve, ActionKind::Deny, ActionKind::Approve, ActionKind::Deny]);
    let (_, kinds, hidden) = alone(
        &text
            .replace("Deny instead", "Or else")
            .replace("waiting-approval\",\n  \"summary", "running\",\n  \"summary"),
    );
    assert_eq!(kinds, [ActionKind::Approve, ActionKind::Approve]);
    assert_eq!(hidden, ["Was also waiting for a decision at earlier-gate, ship-gate."]);
}

#[test]
fn what_stands_in_information_is_not_dropped_in_silence() {
    let problems = |information: &str| {
        let text = format!(
            r#"{{"runId":"r","status":"running","summary":"s","generatedAtMs":5,"blockers":[],"information":{information}}}"#
        );
        inspect(text.as_bytes(), None, Millis(0.0)).unwrap().problems.texts()
    };
    assert_eq!(
        problems(r#"[{"kind":"note"}]"#),
        ["Line 1, column 93: The content of `information` is not shown."]
    );
    assert!(problems("[]").is_empty() && problems("null").is_empty());
}
