//! Several answers about one Smithers run: each fact is kept unless a newer answer contradicts it.

use runstate::actions::actions;
use runstate::file::File;
use runstate::freshness::Freshness;
use runstate::ingest::{Document, open};
use runstate::run::RunInspection;
use runstate::run::hidden;
use runstate::summary::{agreement, answer, text};
use runstate::time::Millis;
use runstate::word::Vocabulary;
use serde_json::{Value, json};

pub(super) const NOW: Millis = Millis(1_795_350_000_000.0);

fn capture(path: &str) -> String {
    let file = format!("{}/../tests/vectors/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn run_capture(name: &str) -> String {
    capture(&format!("smithers/captures/runs/{name}.json"))
}

/// The output of `inspect`, `why` or `status` for one run.
fn printed(command: &str, run: &str) -> String {
    capture(&match command {
        "inspect" => format!("smithers/captures/cli/inspect-{run}.json"),
        "why" => format!("smithers/why/why-{run}.json"),
        _ => format!("documents/valid/status-{run}.json"),
    })
}

pub(super) fn opened(texts: &[String]) -> Document {
    let files: Vec<File<'_>> = texts.iter().map(|text| File { name: None, bytes: text.as_bytes() }).collect();
    open(&files, NOW).unwrap()
}

pub(super) fn run(document: &Document) -> &RunInspection {
    document.smithers().unwrap().run.as_ref().unwrap()
}

/// All orders in which the texts can be opened.
fn orders(texts: &[String]) -> Vec<Vec<String>> {
    let Some(first) = texts.first() else { return vec![Vec::new()] };
    let rest = orders(&texts[1..]);
    let at = |place: usize| {
        rest.iter().map(move |other| {
            let mut order = other.clone();
            order.insert(place, first.clone());
            order
        })
    };
    (0..texts.len()).flat_map(at).collect()
}

/// The shown parts of a run: its state and sentence, the actions, and the notes.
pub(super) fn shown(texts: &[String]) -> Value {
    let shown: Vec<Value> = orders(texts)
        .iter()
        .map(|order| {
            let document = opened(order);
            let run = run(&document);
            let said = answer(run, &Freshness::recorded(run), NOW);
            let done: Vec<Value> = actions(run, NOW)
                .iter()
                .map(|action| {
                    let node = action.node.as_ref().map(|node| &node.node_id);
                    let call = action.call.as_ref().map(|call| call.method);
                    json!([action.kind.as_str(), node, action.command, call])
                })
                .collect();
            let witnesses: Vec<String> = run
                .all_witnesses()
                .map(|witness| format!("{} {}", witness.source.as_str(), witness.view.state))
                .collect();
            json!({
                "state": run.view().map(|view| view.state.as_str()),
                "sentence": text(&said.sentence),
                "notes": said.notes.iter().map(|note| text(note)).collect::<Vec<_>>(),
                "hidden": hidden(run).len(),
                "actions": done,
                "reported": run.reported_blockers.len(),
                "witnesses": witnesses,
                "agreement": agreement(&run.compare_witnesses()),
                "problems": document.problems().texts(),
            })
        })
        .collect();
    assert!(shown.iter().all(|other| *other == shown[0]), "the order of the files counts: {shown:#?}");
    shown[0].clone()
}

fn printed_by(run: &str, commands: &[&str]) -> Vec<String> {
    commands.iter().map(|command| printed(command, run)).collect()
}

/// The actions: kind, node, and command.
pub(super) fn commands(shown: &Value) -> Vec<(&str, &str, &str)> {
    let text = |value: &Value, place: usize| value[place].as_str().unwrap_or("").to_owned().leak() as &str;
    let actions = shown["actions"].as_array().unwrap();
    actions.iter().map(|action| (text(action, 0), text(action, 1), text(action, 2))).collect()
}

pub(super) fn row(state: &str, at: &str) -> Value {
    json!({ "runId": "r", "status": state, "runState": { "runId": "r", "computedAt": at, "state": state } })
}

fn why(status: &str, at: u32, nodes: &[&str]) -> Value {
    let blockers: Vec<Value> = nodes
        .iter()
        .map(|node| {
            json!({ "kind": "waiting-approval", "nodeId": node, "iteration": 0, "reason": "Approval requested",
                "waitingSince": 500, "unblocker": format!("smithers approve r --node {node} --iteration 0") })
        })
        .collect();
    json!({ "runId": "r", "status": status, "summary": "s", "generatedAtMs": at, "blockers": blockers,
        "information": [], "currentNodeId": null })
}

pub(super) fn texts(values: &[Value]) -> Vec<String> {
    values.iter().map(Value::to_string).collect()
}

#[test]
fn what_each_command_printed_of_a_run_stays() {
    let found = shown(&printed_by("ed-approval-two", &["inspect", "why", "status"]));
    assert_eq!(
        (&found["reported"], &found["hidden"], &found["problems"]),
        (&json!(2), &json!(1), &json!([]))
    );
    assert_eq!(found["sentence"], "Was waiting for a decision at earlier-gate.");
    let place =
        |verb: &str, node: &str| format!("smithers {verb} ed-approval-two --node {node} --iteration 0");
    let all = ["earlier-gate", "ship-gate"].map(|node| (place("approve", node), place("deny", node)));
    assert_eq!(
        commands(&found),
        [
            ("approve", "earlier-gate", &*all[0].0),
            ("deny", "earlier-gate", &*all[0].1),
            ("approve", "ship-gate", &*all[1].0),
            ("deny", "ship-gate", &*all[1].1),
        ]
    );
    for (run, words, kind, node, command) in [
        ("fail-a", "Failed", "retry", "boom", "smithers up WORKFLOW_FILE --run-id fail-a"),
        (
            "ed-event-decided-resume",
            "The approval at close was decided.",
            "resume",
            "close",
            "smithers up WORKFLOW_FILE",
        ),
        ("ed-timer-overdue", "The timer at nap was overdue", "resume", "nap", "smithers up WORKFLOW_FILE"),
        (
            "parked-event",
            "Was waiting for event release-42 at wait-deploy.",
            "signal",
            "wait-deploy",
            "smithers signal parked-event deploy.finished --data '{}' --correlation release-42",
        ),
    ] {
        for all in [&["why", "status"][..], &["inspect", "why", "status"]] {
            let found = shown(&printed_by(run, all));
            assert!(found["sentence"].as_str().unwrap().starts_with(words), "{run} {found:#}");
            let [only] = commands(&found)[..] else { panic!("{run} {found:#}") };
            assert!((only.0, only.1) == (kind, node) && only.2.starts_with(command), "{run} {only:?}");
            assert_eq!((&found["reported"], &found["problems"]), (&json!(1), &json!([])), "{run}");
        }
    }
}

#[test]
fn what_was_told_before_stays_while_the_state_does() {
    let newer = "1970-01-01T00:00:01.001Z";
    let two = why("waiting-approval", 1000, &["g1", "g2"]);
    for other in [row("waiting-approval", newer), row("waiting-approval", newer)["runState"].clone()] {
        let alone = other.get("status").is_none();
        let found = shown(&texts(&[two.clone(), other]));
        assert_eq!(
            (&found["reported"], &found["sentence"]),
            (&json!(2), &json!("Was waiting for a decision at g1."))
        );
        let (approve, deny) = (["g1", "g2"].map(|at| ("approve", at)), ["g1", "g2"].map(|at| ("deny", at)));
        let named: Vec<_> = commands(&found).into_iter().map(|(kind, at, _)| (kind, at)).collect();
        // A bare view adds nothing to the command's output.
        let expected = if alone { approve.to_vec() } else { [approve, deny].concat() };
        assert_eq!((named, &found["hidden"]), (expected, &json!(1)), "{found:#}");
    }
    for (later, state) in [("running", "unknown"), ("finished", "succeeded"), ("failed", "failed")] {
        let mut other = row(later, newer);
        other["runState"]["state"] = json!(if later == "finished" { "succeeded" } else { later });
        let found = shown(&texts(&[two.clone(), other.clone()]));
        assert_eq!((&found["reported"], &found["hidden"]), (&json!(0), &json!(0)), "{later}");
        assert!(commands(&found).iter().all(|(kind, ..)| *kind != "approve"), "{later} {found:#}");
        let view = other["runState"].clone();
        assert_eq!(shown(&texts(&[two.clone(), view]))["reported"], 0, "{later}");
        let undated = json!({ "runId": "r", "status": later });
        let found = opened(&texts(&[
            json!({ "runId": "r", "status": "waiting-approval", "summary": "s",
            "blockers": two["blockers"], "information": [] }),
            undated,
        ]));
        assert_eq!(run(&found).reported_blockers.len(), 0, "{later}");
        assert_eq!(run(&found).view().unwrap().state.as_str(), state, "{later}");
    }
    // A newer reason that names another node: the earlier blocker belongs to another wait.
    let mut other = row("waiting-approval", newer);
    other["runState"]["blocked"] = json!({ "kind": "approval", "nodeId": "g3", "requestedAt": newer });
    let found = shown(&texts(&[two.clone(), other]));
    assert_eq!((&found["reported"], commands(&found).len()), (&json!(0), 2), "{found:#}");
    let fewer = shown(&texts(&[two, why("waiting-approval", 2000, &["g2"])]));
    assert_eq!((&fewer["reported"], commands(&fewer).len()), (&json!(1), 1), "the command names everything");
}

#[test]
fn of_two_outputs_of_why_the_newer_one_is_shown() {
    for (running, finished, state) in [(9000, 5000, "running"), (1000, 5000, "succeeded")] {
        let found = shown(&texts(&[why("running", running, &[]), why("finished", finished, &[])]));
        assert_eq!((&found["state"], &found["problems"]), (&json!(state), &json!([])));
    }
    let found = shown(&printed_by("ed-no-signals", &["inspect", "why"]));
    assert_eq!(found["problems"], json!([]));
    let same = shown(&texts(&[why("running", 5000, &[]), why("finished", 5000, &[])]));
    assert_eq!(same["state"], "succeeded");
    assert_eq!(same["problems"].as_array().unwrap().len(), 1, "it is unknown which is newer");
}

#[test]
fn a_node_that_went_on_since_the_answer_is_not_decided_again() {
    let [answer, later, then] = ["runs.get-waiting", "listNodeStates", "listNodeStates-waiting"]
        .map(|name| run_capture(&format!("approval-a/rpc-{name}")));
    let found = shown(&[answer.clone(), later]);
    assert_eq!((commands(&found), &found["sentence"]), (vec![], &json!("Was waiting for a decision.")));
    assert_eq!(found["notes"], json!(["ship-gate is finished: that the run waits there is from before."]));
    let found = shown(&[answer, then]);
    assert_eq!((commands(&found).len(), &found["notes"]), (2, &json!([])));
    assert_eq!(found["sentence"], "Was waiting for a decision at ship-gate.");

    let said = why("waiting-approval", 1000, &["g1", "g2"]);
    for (at, left) in [(1500, 1), (500, 2)] {
        let nodes = json!([{ "nodeId": "g1", "iteration": 0, "state": "finished", "updatedAtMs": at },
            { "nodeId": "g2", "iteration": 0, "state": "waiting-approval", "updatedAtMs": 400 }]);
        let found = shown(&texts(&[said.clone(), nodes]));
        assert_eq!(found["reported"], left, "{found:#}");
        let approved = commands(&found).iter().filter(|(kind, ..)| *kind == "approve").count();
        assert_eq!(approved, left, "{found:#}");
    }
}

#[test]
fn a_newer_snapshot_is_no_row_of_the_server() {
    let files = ["runs.get-waiting", "getDevToolsSnapshot"]
        .map(|name| run_capture(&format!("approval-a/rpc-{name}")));
    let found = shown(&files);
    assert_eq!((&found["state"], &found["sentence"]), (&json!("succeeded"), &json!("Finished.")));
    assert_eq!(
        (&found["witnesses"], &found["agreement"]),
        (
            &json!(["snapshot succeeded", "server waiting-approval", "rows waiting-approval"]),
            &json!("3 sources, no contradiction")
        )
    );
    let opened = opened(&files);
    let times: Vec<_> = run(&opened).all_witnesses().map(|witness| witness.at.unwrap()).collect();
    assert!(times[0] > times[1] && times[1] == times[2], "{times:?}");
    let found = shown(
        &["runs.get", "getDevToolsSnapshot"].map(|name| run_capture(&format!("approval-a/rpc-{name}"))),
    );
    assert_eq!(found["witnesses"][0], "server succeeded", "the same state: the server's answer stays");
}

#[test]
fn the_run_that_goes_on_with_the_work_is_named() {
    let log = "{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1}\n{\"type\":\"RunContinuedAsNew\",\"runId\":\"r\",\
               \"newRunId\":\"r2\",\"iteration\":1,\"carriedStateSize\":3,\"timestampMs\":2}\n";
    let found = shown(&[log.to_owned()]);
    assert_eq!(commands(&found), [("follow", "", "smithers inspect r2")]);
    let next = "06c979c1-4351-49be-8ef4-59c6639d66e9";
    let inspect = format!("smithers inspect {next}");
    let list = json!([{ "runId": "can-a", "parentRunId": null, "depth": 0 },
        { "runId": next, "parentRunId": "can-a", "depth": 1 },
        { "runId": "49663012", "parentRunId": next, "depth": 2 }]);
    for other in [run_capture("can-a/rpc-listRuns-can"), list.to_string()] {
        let found = shown(&[run_capture("can-a/rpc-runs.get"), other]);
        assert_eq!(commands(&found), [("follow", "", &*inspect)], "{found:#}");
    }
    // It is unknown which of two started runs continues the work.
    let two = json!([{ "runId": "x", "parentRunId": "can-a", "depth": 1 }, { "runId": "y", "parentRunId": "can-a", "depth": 1 }]);
    let found = shown(&[run_capture("can-a/rpc-runs.get"), two.to_string()]);
    assert_eq!(commands(&found), [("follow", "", "")]);
    assert_eq!(found["actions"][0][3], "listRunDescendants");
}

#[test]
fn a_run_does_not_park_for_a_node_that_waits_beside_its_work() {
    let life = capture("smithers/lives/mixed-a.ndjson");
    let lines: Vec<&str> = life.lines().collect();
    let asked = lines.iter().position(|line| line.contains("node.waiting_approval")).unwrap();
    let cut = |to: usize| lines[..to].join("\n");
    let found = shown(&[cut(asked + 1)]);
    assert_eq!((&found["state"], &found["hidden"]), (&json!("running"), &json!(1)), "{found:#}");
    assert_eq!(found["notes"], json!(["Was also waiting for a decision at gate."]));
    let last = lines
        .iter()
        .position(|line| line.contains("node.finished") && line.contains("after-cooldown"))
        .unwrap();
    let found = shown(&[cut(last + 1), run_capture("mixed-a/rpc-runs.get-6500ms")]);
    assert_eq!(found["state"], "running", "{found:#}");
    // A waiting node without `waitAsync` parks the run.
    let parked = shown(&[cut(asked + 1).replace("\"waitAsync\":true", "\"waitAsync\":false")]);
    assert_eq!(parked["state"], "waiting-approval", "{parked:#}");
}

#[test]
fn every_list_of_nodes_that_names_no_run_is_taken_or_named() {
    let nodes = |state: &str| json!([{ "nodeId": "a", "iteration": 0, "state": state }]);
    let two = json!([{ "runId": "r", "status": "running" }, { "runId": "s", "status": "running" }]);
    let document = opened(&texts(&[two, nodes("pending"), nodes("finished"), nodes("failed")]));
    let problems = document.problems().texts();
    let named = problems.iter().filter(|problem| problem.contains("does not say which run"));
    assert_eq!(named.count(), 3, "{:?}", document.problems().texts());
}

#[test]
fn logs_are_one_where_a_third_has_runs_of_both() {
    let event = |kind: &str, run: &str, at: u32| {
        json!({ "type": kind, "runId": run, "timestampMs": at }).to_string() + "\n"
    };
    let first = event("RunStarted", "one", 1000);
    let second = event("RunStarted", "two", 2000);
    let third = event("RunFinished", "one", 3000) + &event("RunFinished", "two", 4000);
    for files in orders(&[first, second, third]) {
        let mut document = opened(&files);
        assert_eq!(document.problems().texts(), Vec::<String>::new(), "{files:?}");
        assert_eq!(document.logs().len(), 1, "{files:?}");
        let rows = 0..document.rows().len();
        let mut runs: Vec<_> = rows.filter_map(|row| document.smithers_run(Some(row))).collect();
        runs.sort_by_key(|run| run.run_id.clone());
        let shown: Vec<_> =
            runs.iter().map(|run| (run.run_id.as_deref(), run.started_at, run.finished_at)).collect();
        let expected = [
            (Some("one"), Some(Millis(1000.0)), Some(Millis(3000.0))),
            (Some("two"), Some(Millis(2000.0)), Some(Millis(4000.0))),
        ];
        assert_eq!(shown, expected, "{files:?}");
    }
}
