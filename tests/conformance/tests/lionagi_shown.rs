//! Compares pills and dots of Studio and Runstate. Every row agrees, or is in the list of divergences
//! with a reason; and a listed row differs only in the subject of its reason.

use std::collections::BTreeMap;

use runstate::lionagi::wire::{SessionHealth, SessionStatus};
use runstate::pill::{Taxonomy, Tone, pill};
use runstate::word::Vocabulary;
use serde_json::Value;

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

/// The taxonomy in which Runstate looks up a word. The kind selects an icon in Studio, never a tone. Without a taxonomy,
/// and for `neutral`, Studio uses its table of sessions, so it is a session's word.
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

/// A dot by Runstate's words, without an icon: the tone, and whether work is in progress.
///
/// The status of a session or a play has its pill's tone. A health is that of a running session. All others are unknown,
/// without work in progress.
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
    let unknown = pill(Taxonomy::Session, word);
    assert!(!unknown.known, "{word}");
    (unknown.tone, false)
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
        // A pulsing dot in the colour of running is Studio's default for a word without a rule.
        let without_rule = (drawn, pulses) == (colour(Tone::Running), true);
        vec![match (live == pulses, without_rule) {
            (true, _) => "dot-colour",
            (false, true) => "dot-without-rule",
            (false, false) => "dot-pulses",
        }]
    });
    assert_eq!(agree, 7);
}
