//! What Studio shows, beside what Runstate shows: boards, pills and dots. Every row agrees, or stands in the divergences list
//! with a reason; and what differs in a listed row is what the reason is about, and nothing else.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use runstate::lionagi::derive::board::{Mission, Rules, board_json};
use runstate::lionagi::derive::{DisplayStatus, display_status};
use runstate::lionagi::wire::{SessionHealth, SessionStatus};
use runstate::pill::{Taxonomy, Tone, pill};
use runstate::word::Vocabulary;
use serde_json::{Value, json};

fn folder() -> String {
    format!("{}/../vectors/lionagi", env!("CARGO_MANIFEST_DIR"))
}

fn rows(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{}/{file}.ndjson", folder())).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The classes of each listed row of a file.
fn listed(file: &str) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(format!("{}/divergences.json", folder())).unwrap();
    let list: Value = serde_json::from_str(&text).unwrap();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for class in list["classes"].as_array().unwrap() {
        let (id, rows) = (class["id"].as_str().unwrap(), class["rows"].as_array().unwrap());
        assert!(class["reason"].as_str().unwrap().len() > 80 && !rows.is_empty(), "{id}");
        for row in rows.iter().filter(|_| class["file"] == file) {
            found.entry(row.as_str().unwrap().to_owned()).or_default().push(id.to_owned());
        }
    }
    found
}

/// Compares the classes that each row belongs to with those that it is listed in, and counts the rows that are in none.
fn assert_listed(file: &str, classes: impl Fn(&Value) -> Vec<&'static str>) -> usize {
    let mut listed = listed(file);
    let (mut agree, mut found): (usize, BTreeMap<&str, Vec<String>>) = (0, BTreeMap::new());
    let mut wrong = Vec::new();
    for row in rows(file) {
        let id = row["id"].as_str().unwrap();
        let classes = classes(&row);
        if classes != listed.remove(id).unwrap_or_default() {
            wrong.push(id.to_owned());
        }
        agree += usize::from(classes.is_empty());
        for class in classes {
            found.entry(class).or_default().push(id.to_owned());
        }
    }
    assert!(wrong.is_empty() && listed.is_empty(), "{wrong:?} {listed:?}\nas they are: {found:#?}");
    agree
}

/// Why Studio's board differs from ours by this run.
fn class_of_run(run: &Value) -> Option<&'static str> {
    let text = |key: &str| run[key].as_str();
    let status = text("status")?;
    let (code, summary) = (text("status_reason_code"), text("status_reason_summary"));
    let displayed = display_status(status, text("effective_health"), code, summary);
    let word = SessionStatus::from_word(status);
    if displayed.status == DisplayStatus::Orphaned {
        None
    } else if word == Some(SessionStatus::CompletedEmpty) {
        Some("completed-empty-runs")
    } else if !displayed.recognised {
        Some("unknown-words-run")
    } else {
        let ended = word.is_some_and(SessionStatus::is_terminal) && word != Some(SessionStatus::Failed);
        let says = matches!(text("effective_health"), Some("stale" | "orphaned"));
        (ended && says).then_some("ended-and-stale")
    }
}

/// The board without some runs.
fn without(mut board: Value, runs: &[&str]) -> Value {
    let of = |id: &Value| runs.iter().any(|run| *id == **run || *id == format!("run:{run}"));
    let mut gone = 0;
    for (list, key) in [("attention", "id"), ("discharged", "id"), ("active", ""), ("recent", "")] {
        let items = board[list].as_array_mut().unwrap();
        items.retain(|item| {
            let goes = of(if key.is_empty() { item } else { &item[key] });
            gone += u64::from(goes && list == "attention" && item["disposition"].is_null());
            !goes
        });
    }
    board["unacknowledged"] = json!(board["unacknowledged"].as_u64().unwrap() - gone);
    board.as_object_mut().unwrap().remove("unrecognised");
    board
}

#[test]
fn by_studios_rules_every_board_agrees() {
    let rows = rows("board");
    assert_eq!(rows.len(), 150);
    for row in rows {
        let found = board_json(&row["in"].to_string(), Rules::Studio).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&found).unwrap(), row["out"], "{}", row["id"]);
    }
}

#[test]
fn by_our_rules_boards_agree_but_for_what_is_listed() {
    let agree = assert_listed("board", |row| {
        let runs = row["in"]["runs"].as_array().unwrap();
        let ours = board_json(&row["in"].to_string(), Rules::Runstate).unwrap();
        let ours: Value = serde_json::from_str(&ours).unwrap();
        let mut classes: Vec<&'static str> = runs.iter().filter_map(class_of_run).collect();
        classes.sort_unstable();
        classes.dedup();
        let apart: Vec<&str> = runs
            .iter()
            .filter(|run| class_of_run(run).is_some())
            .map(|run| run["run_id"].as_str().unwrap())
            .collect();
        let theirs = row["out"].clone();
        assert_eq!(without(ours.clone(), &apart), without(theirs.clone(), &apart), "{}", row["id"]);
        let same = without(ours, &[]) == without(theirs, &[]);
        assert_eq!(same, classes.is_empty(), "{} {classes:?}", row["id"]);
        classes
    });
    assert_eq!(agree, 61);
}

#[test]
fn what_is_no_mission_is_refused() {
    let refused = [
        "",
        "7",
        "[]",
        "{}",
        r#"{"nowSec":null}"#,
        r#"{"nowSec":"1716300000"}"#,
        r#"{"nowSec":1,"runs":{}}"#,
        r#"{"nowSec":1,"runs":[7]}"#,
        r#"{"nowSec":1,"runs":[{}]}"#,
        r#"{"nowSec":1,"runs":[{"id":"s0","status":7}]}"#,
        r#"{"nowSec":1,"runs":[{"id":"s0","started_at":"soon"}]}"#,
        r#"{"nowSec":1,"runs":[{"id":"s0","id":"s1"}]}"#,
        r#"{"nowSec":1,"invocations":[{"skill":"review"}]}"#,
        r#"{"nowSec":1,"schedules":[{"id":"c0","name":"nightly"}]}"#,
        r#"{"nowSec":1,"schedules":[{"id":"c0","name":"nightly","enabled":1}]}"#,
        r#"{"nowSec":1,"schedules":[{"id":"c0","name":"n","enabled":true,"consecutive_failures":-1}]}"#,
        r#"{"nowSec":1,"gatedPlays":[{"id":"play:a:b","topic":"a"}]}"#,
        r#"{"nowSec":1,"dispositions":[]}"#,
        r#"{"nowSec":1,"dispositions":{"run:r0":{}}}"#,
        r#"{"nowSec":1,"dispositions":{"run:r0":{"state":7}}}"#,
        r#"{"nowSec":1,"dispositions":{"run:r0":{"state":"snoozed","expires_at":"soon"}}}"#,
    ];
    for mission in refused {
        let error = board_json(mission, Rules::Runstate).expect_err(mission);
        assert!(error.message.ends_with('.') && error.message.len() > 15, "{mission}: {error}");
    }
}

#[test]
fn of_two_dispositions_of_one_item_the_last_counts() {
    let waits = |dispositions: &str| {
        let run = r#"{"id":"s0","status":"running","effective_health":"stale"}"#;
        let mission = format!(r#"{{"nowSec":1000,"runs":[{run}],"dispositions":{{{dispositions}}}}}"#);
        let board: Value = serde_json::from_str(&board_json(&mission, Rules::Runstate).unwrap()).unwrap();
        board["attention"].as_array().unwrap().len() == 1
    };
    let [resolved, acknowledged] =
        ["resolved", "acknowledged"].map(|state| format!(r#""run:s0":{{"state":"{state}"}}"#));
    assert!(!waits(&resolved) && waits(&acknowledged));
    assert!(!waits(&format!("{acknowledged},{resolved}")) && waits(&format!("{resolved},{acknowledged}")));
}

#[test]
fn failures_that_nobody_counted_are_not_none() {
    let read = |failures: &str| {
        let mission = format!(
            r#"{{"nowSec":1,"schedules":[{{"id":"c0","name":"n","enabled":true{failures},"last_status":"failed"}}]}}"#
        );
        let counted = Mission::read_text(&mission).unwrap().schedules[0].consecutive_failures;
        let board: Value = serde_json::from_str(&board_json(&mission, Rules::Runstate).unwrap()).unwrap();
        (counted, board.to_string().contains("sched:c0"))
    };
    assert_eq!(read(""), (None, false));
    assert_eq!(read(r#","consecutive_failures":null"#), (None, false));
    assert_eq!(read(r#","consecutive_failures":0"#), (Some(0), false));
    assert_eq!(read(r#","consecutive_failures":3"#), (Some(3), true));
}

#[test]
fn a_disposition_holds_until_it_expires_and_only_if_it_is_known() {
    let board = |state: &str, until: &str| -> Value {
        let mission = format!(
            r#"{{"nowSec":1000,"runs":[{{"id":"s0","status":"running","effective_health":"stale"}}],
                "dispositions":{{"run:s0":{{"state":"{state}","expires_at":{until}}}}}}}"#
        );
        serde_json::from_str(&board_json(&mission, Rules::Runstate).unwrap()).unwrap()
    };
    for (state, until, leaves) in [
        ("snoozed", "null", true),
        ("snoozed", "1001", true),
        ("snoozed", "1000", false),
        ("snoozed", "999", false),
        ("acknowledged", "null", false),
        ("forgotten", "null", false),
    ] {
        let found = board(state, until);
        let lists =
            (found["attention"].as_array().unwrap().len(), found["discharged"].as_array().unwrap().len());
        assert_eq!(lists, if leaves { (0, 1) } else { (1, 0) }, "{state} {until}");
    }
}

/// Studio's tone as one of ours.
fn tone(word: &str) -> Tone {
    match word {
        "ok" => Tone::Success,
        "running" => Tone::Running,
        "failed" => Tone::Error,
        "pending" => Tone::Warning,
        "blocked" => Tone::Review,
        "neutral" => Tone::Neutral,
        other => panic!("no such tone: {other}"),
    }
}

/// Where Runstate looks a word up. The kind selects an icon in Studio, never a tone. Without a taxonomy, and for `neutral`,
/// Studio reads a word by the table that sessions are read by; so it is a session's word here.
fn taxonomy(input: &Value) -> Taxonomy {
    match input["taxonomy"].as_str() {
        Some("session" | "neutral") | None => Taxonomy::Session,
        Some("health") => Taxonomy::Health,
        Some("play") => Taxonomy::Play,
        Some("verdict") => Taxonomy::Verdict,
        Some(other) => panic!("no such taxonomy: {other}"),
    }
}

#[test]
fn the_tones_of_pills_agree_but_for_what_is_listed() {
    let agree = assert_listed("status-pill", |row| {
        let word = row["in"]["value"].as_str().unwrap();
        let ours = pill(taxonomy(&row["in"]), word);
        if ours.tone == tone(row["out"]["tone"].as_str().unwrap()) {
            return Vec::new();
        }
        if !ours.known {
            assert_eq!(ours.tone, Tone::Neutral, "{word} is lent no colour");
            return vec!["aliases"];
        }
        vec![if word == "completed_empty" { "pill-of-completed-empty" } else { "seed-tones" }]
    });
    assert_eq!(agree, 169);
}

/// What a dot would be by our words, without an icon: the tone, and whether somebody works.
///
/// A session's status and a play's have their pill's tone. A health is that of a running session. Other words that Studio's
/// own display map knows are what [`display_status`] says that they are; the rest is unknown, and nobody works.
fn our_dot(word: &str) -> (Tone, bool) {
    if let Some(status) = SessionStatus::from_word(word) {
        return (pill(Taxonomy::Session, word).tone, !status.is_terminal());
    }
    if let Some(health) = SessionHealth::from_word(word) {
        let healthy = health == SessionHealth::Healthy;
        let state = if healthy { "running".to_owned() } else { format!("{word} running") };
        let state = pill(Taxonomy::Effective, &state);
        assert!(state.known);
        return (state.tone, matches!(health, SessionHealth::Healthy | SessionHealth::Idle));
    }
    let play = pill(Taxonomy::Play, word);
    if play.known {
        return (play.tone, matches!(word, "running" | "redoing"));
    }
    let displayed = display_status(word, None, None, None);
    if !displayed.recognised {
        return (Tone::Neutral, false);
    }
    match displayed.status {
        DisplayStatus::Running => (Tone::Running, true),
        DisplayStatus::Completed => (Tone::Success, false),
        DisplayStatus::Failed => (Tone::Error, false),
        DisplayStatus::Queued | DisplayStatus::Cancelled | DisplayStatus::Orphaned => (Tone::Neutral, false),
    }
}

/// The colour of Studio's dot for one of our tones. It has four colours and a muted one.
fn colour(tone: Tone) -> &'static str {
    match tone {
        Tone::Success => "var(--status-success)",
        Tone::Running => "var(--status-running)",
        Tone::Error => "var(--status-failure)",
        Tone::Warning => "var(--status-pending)",
        Tone::Stale | Tone::Review | Tone::Neutral => "var(--content-muted)",
    }
}

#[test]
fn dots_agree_but_for_what_is_listed() {
    let agree = assert_listed("status-dot", |row| {
        let word = row["in"].as_str().unwrap();
        let (tone, live) = our_dot(word);
        let (drawn, pulses) =
            (row["out"]["color"].as_str().unwrap(), row["out"]["pulses"].as_bool().unwrap());
        if (colour(tone), live) == (drawn, pulses) {
            return Vec::new();
        }
        // The colour of running, pulsing, is what Studio's dot has for a word that it has no rule for.
        let without_rule = (drawn, pulses) == (colour(Tone::Running), true);
        vec![match (live == pulses, without_rule) {
            (true, _) => "dot-colour",
            (false, true) => "dot-without-rule",
            (false, false) => "dot-pulses",
        }]
    });
    assert_eq!(agree, 12);
}
