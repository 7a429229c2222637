//! Next actions: every blocker of `smithers why` has a name, and the cases of
//! `tests/vectors/smithers/why/actions.ndjson`.

mod output;
use super::vectors;

use proptest::prelude::*;
use runstate::actions::{Action, ActionKind, WORKFLOW_FILE, actions, actions_for_refusal};
use runstate::file::File;
use runstate::ingest::{inspect, open};
use runstate::run::Blocker;
use runstate::run::RunInspection;
use runstate::smithers::derive::{ComputeRunStateOptions, RunStateAdapter, compute_run_state_from_row};
use runstate::smithers::wire::{
    ApprovalRow, Attempt, AttemptRow, Boundary, NodeRow, RunRow, SandboxRow, read_node_states,
};
use runstate::summary::text;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde_json::{Value, json};
use vectors::text as read;

fn read_json(file: &str) -> Value {
    serde_json::from_str(&read(file)).unwrap()
}

/// Every run that `smithers why` was asked about.
fn asked() -> Vec<String> {
    let files = std::fs::read_dir(vectors::path("why")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut runs: Vec<String> =
        names.filter_map(|name| Some(name.strip_prefix("why-")?.strip_suffix(".json")?.to_owned())).collect();
    runs.sort();
    runs
}

/// The rows of one run, as the database has them.
struct Rows(Value);

impl Rows {
    fn read<T: serde::de::DeserializeOwned>(&self, table: &str) -> Vec<T> {
        serde_json::from_value(self.0[table].clone()).unwrap()
    }
}

impl RunStateAdapter for Rows {
    type Error = String;

    fn get_run(&self, _: &str) -> Result<Option<RunRow>, String> {
        Ok(self.read("runs").pop())
    }

    fn list_pending_approvals(&self, _: &str) -> Result<Vec<ApprovalRow>, String> {
        Ok(self.read("approvals"))
    }

    fn list_nodes(&self, _: &str) -> Result<Vec<NodeRow>, String> {
        Ok(self.read("nodes"))
    }

    fn list_attempts(&self, _: &str, node: &str, _: f64) -> Result<Vec<AttemptRow>, String> {
        let rows = self.0["attempts"].as_array().unwrap().iter();
        Ok(rows
            .filter(|row| row["node_id"] == node)
            .map(|row| serde_json::from_value(row.clone()).unwrap())
            .collect())
    }

    fn list_sandboxes(&self, _: &str) -> Result<Option<Vec<SandboxRow>>, String> {
        Ok(None)
    }
}

/// A run from its rows only. The owner's process does not exist, as for the command.
fn by_rows(run_id: &str, now: Millis) -> RunInspection {
    let rows = Rows(read_json(&format!("why/rows-{run_id}.json")));
    let row = rows.get_run(run_id).unwrap().unwrap();
    let mut options = ComputeRunStateOptions::new(now);
    options.is_owner_pid_alive = Some(&|_| false);
    let derived = compute_run_state_from_row(&rows, &row, &options).unwrap();
    let nodes = rows.0["nodes"].as_array().unwrap().iter().map(|node| {
        json!({"nodeId": node["node_id"], "iteration": 0, "state": node["state"], "lastAttempt": node["last_attempt"],
            "label": node["label"]})
    });
    // The rows were recorded without their null columns.
    let mut row = row;
    row.lacks_heartbeat = false;
    let mut run = RunInspection::from_row(&row, "database", now);
    run.verdict = Some(derived.into());
    run.nodes = read_node_states(&nodes.collect::<Value>().to_string()).unwrap().into();
    run
}

fn by_inspect(run_id: &str, now: Millis) -> RunInspection {
    let output = read(&format!("captures/cli/inspect-{run_id}.json"));
    inspect(output.as_bytes(), None, now).unwrap().run.unwrap()
}

/// The command of `why`, without the path of the workflow's file.
fn without_path(command: &str) -> String {
    let words =
        command.split(' ').map(|word| if word.starts_with("/project/") { WORKFLOW_FILE } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether an action is the one for a blocker of `why`.
fn answers(action: &Action, blocker: &Value) -> bool {
    let word = action.blocker.map(Blocker::as_str);
    let place = action.node.as_ref().map(|node| (node.node_id.as_str(), u64::from(node.iteration)));
    let named = match blocker["nodeId"].as_str() {
        Some("(run-level)") | None => None,
        Some(node_id) => Some((node_id, blocker["iteration"].as_u64().unwrap())),
    };
    let command = without_path(blocker["unblocker"].as_str().unwrap());
    Some(blocker["kind"].as_str().unwrap()) == word
        && place == named
        && action.command.as_deref() == Some(&command)
        && blocker["firesAtMs"].as_f64() == action.until.map(|at| at.0)
}

#[test]
fn every_blocker_of_why_is_named_with_its_command_and_no_other() {
    let mut blockers = 0;
    for run_id in asked() {
        let why = read_json(&format!("why/why-{run_id}.json"));
        let now = Millis(why["generatedAtMs"].as_f64().unwrap());
        for run in [by_inspect(&run_id, now), by_rows(&run_id, now)] {
            let found = actions(&run, now);
            let named = why["blockers"].as_array().unwrap();
            for blocker in named {
                assert!(
                    found.iter().any(|action| answers(action, blocker)),
                    "{run_id}: {blocker:#} in {found:#?}"
                );
                if let Some(deny) =
                    blocker["context"].as_str().and_then(|text| text.strip_prefix("Deny instead: "))
                {
                    assert!(
                        found.iter().any(|action| action.command.as_deref() == Some(deny)),
                        "{run_id}: {deny}"
                    );
                }
                blockers += 1;
            }
            for action in found {
                let word = action.blocker.map(Blocker::as_str);
                let known = named.iter().any(|blocker| blocker["kind"].as_str() == word);
                assert!(known || word.is_none(), "{run_id}: {action:?}");
            }
        }
    }
    assert_eq!((asked().len(), blockers), (9, 16));
}

/// A payload: that of a case, or that in a captured exchange.
fn payload(part: &Value) -> Option<Value> {
    let Some(file) = part.as_str() else { return (!part.is_null()).then(|| part.clone()) };
    Some(vectors::payload(file).unwrap())
}

fn read_run(document: &Value, now: Millis) -> RunInspection {
    inspect(document.to_string().as_bytes(), None, now).unwrap().run.unwrap()
}

/// The attempts and the external side effects, from the answer about the run, `attempts.list` and a log opened together.
fn opened(case: &Value, now: Millis) -> (Vec<Attempt>, Option<Box<Boundary>>, bool) {
    let events = case["log"].as_array().into_iter().flatten().map(|event| format!("{event}\n"));
    let texts = ["run", "attempts", "approvals"].into_iter().filter_map(|key| payload(&case[key]));
    let texts: Vec<String> = texts.map(|text| text.to_string()).chain([events.collect()]).collect();
    let files = texts.iter().filter(|text| !text.is_empty());
    let files: Vec<File<'_>> = files.map(|text| File { name: None, bytes: text.as_bytes() }).collect();
    let document = open(&files, now).unwrap();
    let run = document.smithers().unwrap().run.as_ref().unwrap();
    (run.attempts.clone(), run.boundary.clone(), run.lacks_request)
}

fn shown(action: &Action) -> Value {
    json!({
        "kind": action.kind.as_str(),
        "blocker": action.blocker.map(Blocker::as_str),
        "sentence": text(&action.sentence),
        "node": action.node.as_ref().map(|node| json!([node.node_id, node.iteration])),
        "command": action.command,
        "call": action.call.as_ref().map(|call| {
            json!([call.method, serde_json::from_str::<Value>(&call.params).unwrap()])
        }),
        "until": action.until.map(|at| at.to_iso().unwrap()),
    })
}

/// The cases of refusals, and the kinds of action that they have.
fn refusals() -> Vec<ActionKind> {
    let mut kinds = Vec::new();
    for line in read("why/refusals.ndjson").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        assert!(["name", "reason", "source"].iter().all(|key| case[key].is_string()), "{case}");
        let document = match case["document"].as_str() {
            Some(file) => read_json(file),
            None => case["document"].clone(),
        };
        let found = inspect(document.to_string().as_bytes(), None, Millis(0.0)).unwrap();
        let found = actions_for_refusal(&found.refusal.unwrap());
        kinds.extend(found.iter().map(|action| action.kind));
        assert!(found.iter().all(|action| action.node.is_none() && action.blocker.is_none()));
        let found: Vec<Value> = found
            .iter()
            .map(|action| json!([action.kind.as_str(), text(&action.sentence), action.command]))
            .collect();
        assert_eq!(case["expect"], json!(found), "{}", case["name"]);
    }
    kinds
}

#[test]
fn a_refusal_has_an_action_of_its_own_or_none() {
    assert_eq!(refusals().len(), 10);
}

#[test]
fn actions_exist_where_they_are_valid_and_nowhere_else() {
    let cases: Vec<Value> =
        read("why/actions.ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut kinds = Vec::new();
    let mut blockers = Vec::new();
    for case in &cases {
        assert!(["name", "reason", "source"].iter().all(|key| case[key].is_string()), "{case}");
        let now = Millis::parse_iso(case["now"].as_str().unwrap()).unwrap();
        let mut run = read_run(&payload(&case["run"]).unwrap(), now);
        if let Some(nodes) = payload(&case["nodes"]) {
            run.nodes = read_node_states(&nodes.to_string()).unwrap().into();
        }
        (run.attempts, run.boundary, run.lacks_request) = opened(case, now);
        run.tree = payload(&case["snapshot"]).and_then(|snapshot| read_run(&snapshot, now).tree);
        let found = actions(&run, now);
        kinds.extend(found.iter().map(|action| action.kind));
        blockers.extend(found.iter().filter_map(|action| action.blocker));
        let found: Vec<Value> = found.iter().map(shown).collect();
        assert_eq!(case["expect"], json!(found), "{}", case["name"]);
    }
    kinds.extend(refusals());
    for kind in ActionKind::ALL {
        assert!(kinds.contains(kind), "no case has {kind:?}");
    }
    for blocker in Blocker::ALL {
        assert!(blockers.contains(blocker), "no case has {blocker:?}");
    }
}

/// The words that a shell makes of a command.
fn words(command: &str) -> Vec<String> {
    let script = format!("smithers() {{ printf '%s\\0' \"$@\"; }}; {command}");
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{command}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.strip_suffix('\0').unwrap().split('\0').map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A real shell passes every id unchanged, whatever it contains, or there is no command.
    #[test]
    fn commands_survive_a_shell(run_id in "\\PC{1,12}", node_id in "[ -~]{1,12}", iteration in 0_u32..50) {
        let at = "2026-11-21T14:00:00.000Z";
        let mut run = read_run(&json!({
            "runId": run_id, "status": "waiting-approval",
            "runState": { "runId": run_id, "computedAt": at, "state": "waiting-approval",
                "blocked": { "kind": "approval", "nodeId": node_id, "requestedAt": at } },
        }), Millis(0.0));
        let nodes = json!([{ "nodeId": node_id, "iteration": iteration, "state": "waiting-approval" }]);
        run.nodes = read_node_states(&nodes.to_string()).unwrap().into();
        for (action, verb) in actions(&run, Millis(0.0)).iter().zip(["approve", "deny"]) {
            let params: Value = serde_json::from_str(&action.call.as_ref().unwrap().params).unwrap();
            prop_assert_eq!((&params["runId"], &params["nodeId"]), (&json!(run_id), &json!(node_id)));
            if let Some(command) = &action.command {
                let round = iteration.to_string();
                let expected = [verb, &run_id, "--node", &node_id, "--iteration", &round];
                prop_assert_eq!(words(command), expected.map(str::to_owned));
            } else {
                let odd = |id: &str| {
                    id.starts_with('-') || !id.chars().all(|c| c.is_ascii_graphic() || c == ' ')
                };
                prop_assert!(odd(&run_id) || odd(&node_id), "{run_id:?} {node_id:?}");
            }
        }
    }
}

#[test]
fn each_attempt_is_of_the_run_that_its_row_names() {
    let row = |run: &str, node: &str| {
        let run_field = if run.is_empty() { String::new() } else { format!(r#""runId":"{run}","#) };
        format!(
            r#"{{{run_field}"nodeId":"{node}","iteration":0,"attempt":1,"state":"failed","startedAtMs":1}}"#
        )
    };
    let texts = [
        r#"{"runId":"a","status":"running"}"#.to_owned(),
        r#"{"runId":"b","status":"running"}"#.to_owned(),
        format!("[{},{},{}]", row("a", "x"), row("b", "y"), row("", "z")),
    ];
    let files: Vec<File<'_>> = texts.iter().map(|text| File { name: None, bytes: text.as_bytes() }).collect();
    let document = open(&files, Millis(0.0)).unwrap();
    let runs = &document.smithers().unwrap().runs;
    let nodes = |id: &str| {
        let run = runs.iter().find(|run| run.run_id.as_deref() == Some(id)).unwrap();
        run.attempts.iter().map(|attempt| attempt.node_id.clone()).collect::<Vec<_>>()
    };
    assert_eq!((nodes("a"), nodes("b")), (vec!["x".to_owned()], vec!["y".to_owned()]));
    let problems = document.problems().texts();
    assert!(problems.iter().any(|problem| problem.contains("does not say which run")), "{problems:?}");
}
