//! The recorded vectors of lionagi's functions: every row agrees. What Studio draws is compared in `lionagi_shown.rs`.

use std::collections::BTreeSet;

use runstate::lionagi::derive::outcome::{OutcomeSource, ScheduleRun, run_outcome};
use runstate::lionagi::derive::policy::{Entity, overridden, transition, update_status};
use runstate::lionagi::derive::{
    Axes, ElapsedOptions, Probe, calls, can_transition, classify_session_health,
    classify_session_health_0_26, derive_severity, display_status, elapsed, is_admin_target,
    is_past_threshold, released_exit_code, review_verdict, worst_health,
};
use runstate::lionagi::wire::{LaneState, Seconds, SessionHealth, SessionRow, StoredStatus};
use runstate::word::{Vocabulary, Word};
use serde_json::{Value, json};

fn folder() -> String {
    format!("{}/../vectors/lionagi", env!("CARGO_MANIFEST_DIR"))
}

fn rows(file: &str) -> Vec<Value> {
    let path = format!("{}/{file}.ndjson", folder());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Compares each row's `out` with ours.
fn assert_agrees(file: &str, count: usize, answer: impl Fn(&Value) -> Value) {
    let rows = rows(file);
    assert_eq!(rows.len(), count, "{file}");
    let mut problems = Vec::new();
    for row in &rows {
        let ours = answer(row);
        if !same(&row["out"], &ours) {
            problems.push(format!("{file} {}: expected {}, found {ours}", row["id"], row["out"]));
        }
    }
    assert!(problems.is_empty(), "{} rows:\n{}", problems.len(), problems.join("\n"));
}

/// Equal values; 10500 and 10500.0 are the same number.
fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|found| same(value, found)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (expected, found) => expected == found,
    }
}

fn session(value: &Value) -> SessionRow {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn health_agrees() {
    assert_agrees("health", 1800, |row| {
        let input = &row["in"];
        let session = session(&input["session"]);
        let probe = Probe {
            now: Seconds(input["now"].as_f64().unwrap()),
            process_alive: input["process_alive"].as_bool(),
            has_artifacts: input["has_artifacts"].as_bool().unwrap(),
            has_stale_locks: input["has_stale_locks"].as_bool().unwrap(),
        };
        let verdict = classify_session_health(&session, &probe);
        let given = json!({
            "now": input["now"],
            "processAlive": input["process_alive"],
            "hasArtifacts": input["has_artifacts"],
            "hasStaleLocks": input["has_stale_locks"],
        });
        let called = calls::classify_health(&input["session"].to_string(), &given.to_string()).unwrap();
        assert_eq!(called, verdict.to_json(), "{}", row["id"]);
        let decisive = verdict.evidence.inputs.iter().filter(|input| input.decisive).count();
        assert!((1..=3).contains(&decisive), "{}: {:?}", row["id"], verdict.evidence);
        json!({
            "health": verdict.health.as_str(),
            "severity": verdict.severity,
            "staleness": is_past_threshold(&session, probe.now).then_some("stale"),
            "threshold": verdict.threshold.0,
            "health_0_26_2": classify_session_health_0_26(&session, &probe).as_str(),
        })
    });
}

#[test]
fn worst_health_agrees() {
    assert_agrees("worst-health", 96, |row| {
        let healths = row["in"].as_array().unwrap().iter();
        let healths: Vec<SessionHealth> =
            healths.map(|word| SessionHealth::from_word(word.as_str().unwrap()).unwrap()).collect();
        let worst = worst_health(&healths).as_str();
        assert_eq!(calls::worst_health(&row["in"].to_string()).unwrap(), format!("{worst:?}"));
        json!(worst)
    });
}

#[test]
fn severity_agrees() {
    assert_agrees("adr0033-severity", 601, |row| {
        let axes = Axes {
            outcome: row["in"]["outcome"].as_str().map(Word::new),
            health: row["in"]["health"].as_str().map(Word::new),
            delivery: row["in"]["delivery"].as_str().map(Word::new),
        };
        let verdict = derive_severity(&axes);
        let ours = json!({"severity": verdict.severity.as_str(), "tone": verdict.tone.as_str()});
        let called = calls::derive_severity(&row["in"].to_string()).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&called).unwrap(), ours, "{}", row["id"]);
        ours
    });
}

#[test]
fn transitions_agree() {
    assert_agrees("transitions", 212, |row| {
        let entity = Entity::from_word(row["entity"].as_str().unwrap()).unwrap();
        let (from, to) = (row["from"].as_str(), row["to"].as_str().unwrap());
        let update = update_status(entity, from, to, None);
        let strict = transition(entity, from, to);
        if entity != Entity::Session {
            let from = from.unwrap();
            return json!({
                "update_status": update.as_str(),
                "service_transition": strict.as_str(),
                "declared_edge": entity.has_edge(from, to),
                "from_terminal": entity.is_terminal(from),
            });
        }
        let applied = update.as_str() == "applied";
        let legal = from.is_some_and(|from| can_transition(from, to));
        json!({
            "update_status": update.as_str(),
            "status_after": if applied { Some(to) } else { from },
            "update_status_override": overridden(entity, to).as_str(),
            "update_status_expect_running": update_status(entity, from, to, Some(&[Some("running")])).as_str(),
            "update_status_expect_null": update_status(entity, from, to, Some(&[None])).as_str(),
            "service_transition": strict.as_str(),
            "service_transition_override": overridden(entity, to).as_str(),
            "can_transition_0_26_2": legal,
            "can_transition_0_28_0": legal,
            "admin_target": is_admin_target(to),
        })
    });
}

#[test]
fn outcomes_agree() {
    assert_agrees("run-outcome", 360, |row| {
        let input = &row["in"];
        let run = &input["run"];
        if run.is_null() {
            return json!({"exit_code": released_exit_code(&StoredStatus::Absent)});
        }
        let text = |key: &str| run[key].as_str().map(str::to_owned);
        let schedule_run = ScheduleRun {
            status: text("status"),
            exit_code: run["exit_code"].as_i64(),
            error_detail: text("error_detail"),
            reason_summary: text("reason_summary"),
        };
        let invocation = (!input["invocation"].is_null()).then(|| session(&input["invocation"]));
        let sessions: Vec<SessionRow> = input["sessions"].as_array().unwrap().iter().map(session).collect();
        let outcome = run_outcome(&schedule_run, invocation.as_ref(), &sessions);
        let source = match outcome.source {
            OutcomeSource::Session => "session",
            OutcomeSource::Invocation => "invocation",
            OutcomeSource::Occurrence => "occurrence",
            OutcomeSource::Fallback => "fallback",
        };
        let mut places: Vec<&str> = Vec::new();
        for place in sessions.iter().filter_map(|session| session.artifacts_path.as_deref()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let ids: Vec<_> = sessions.iter().map(|session| session.session_id.clone()).collect();
        let lasted =
            run["ended_at"].as_f64().zip(run["fired_at"].as_f64()).map(|(end, start)| (end - start) * 1000.0);
        json!({
            "exit_code": outcome.exit_code,
            "outcome": {
                "code": outcome.code,
                "summary": outcome.summary,
                "source": source,
                "summary_reported": outcome.summary_reported,
            },
            "view": {"duration_ms": lasted, "session_ids": ids, "artifacts": places},
        })
    });
}

#[test]
fn display_statuses_agree() {
    assert_agrees("display-status", 600, |row| {
        let input = &row["in"];
        let text = |key: &str| input[key].as_str();
        let shown = display_status(
            text("status").unwrap(),
            text("effective_health"),
            text("status_reason_code"),
            text("status_reason_summary"),
        );
        json!({
            "display": shown.status.as_str(),
            "orphaned_reason": shown.orphaned_reason,
            "unsuccessful_terminal": shown.unsuccessful_terminal,
            "effectively_active": shown.effectively_active,
        })
    });
}

#[test]
fn verdicts_agree() {
    assert_agrees("verdict", 14, |row| json!(review_verdict(row["in"].as_str()).as_str()));
}

#[test]
fn lanes_agree() {
    assert_agrees("lane", 240, |row| {
        let mut state = LaneState::Queued;
        for signal in row["in"].as_array().unwrap() {
            let name = signal.as_str().or_else(|| signal["kind"].as_str()).unwrap();
            state = state.after(name, signal["route"].as_str());
        }
        json!(state.as_str())
    });
}

#[test]
fn lengths_of_time_agree() {
    assert_agrees("elapsed", 63, |row| {
        let options = &row["in"]["opts"];
        let given = |key: &str, otherwise: bool| options[key].as_bool().unwrap_or(otherwise);
        let options = ElapsedOptions {
            show_seconds: given("showSeconds", true),
            cap_at_days: given("capAtDays", false),
            sub_minute_decimal: given("subMinuteDecimal", false),
        };
        // JSON has no NaN: the recording writes it as text.
        let length = match &row["in"]["seconds"] {
            Value::String(word) => word.parse().ok().map(Seconds),
            length => length.as_f64().map(Seconds),
        };
        json!(elapsed(length, options))
    });
}

fn divergences() -> Value {
    let path = format!("{}/divergences.json", folder());
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_file_of_vectors_is_run() {
    let counts = divergences()["counts"].take();
    let counts = counts.as_object().unwrap();
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(file) = name.strip_suffix(".ndjson") {
            found.insert(file.to_owned());
            assert_eq!(counts[file], rows(file).len(), "{file}");
        }
    }
    let run = [
        "adr0033-severity",
        "board",
        "display-status",
        "elapsed",
        "health",
        "lane",
        "run-outcome",
        "status-dot",
        "status-pill",
        "transitions",
        "verdict",
        "worst-health",
    ];
    assert_eq!(found, run.iter().map(|file| (*file).to_owned()).collect());
}
