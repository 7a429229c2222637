//! Nodes with odd ids, and answers with odd texts.

use serde_json::{Value, json};

use super::live::Live;
use super::*;

fn snapshot(children: &str) -> String {
    format!(
        r#"{{"version":1,"runId":"r","frameNo":7,"seq":7,"runState":{{"runId":"r","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}},
            "root":{{"id":1,"type":"workflow","name":"w","props":{{}},"children":[{children}]}}}}"#
    )
}

fn task(id: u32, node_id: &str) -> String {
    format!(
        r#"{{"id":{id},"type":"task","name":"task","props":{{"id":"{node_id}"}},"task":{{"nodeId":"{node_id}","iteration":0,"state":"pending"}}}}"#
    )
}

#[test]
fn an_id_that_the_tree_has_twice_has_two_rows_and_says_so() {
    let text = snapshot(&[task(2, "build"), task(3, "build"), task(4, "ship")].join(","));
    let mut viewer = opened(&[&text]);
    viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Show { first: 0, count: 9 })), NOW);
    let titles: Vec<String> =
        tree(&viewer.updates(NOW)).unwrap().rows.into_iter().map(|row| row.title).collect();
    assert_eq!(titles, ["w", "build", "build", "ship"]);
    let choose = |viewer: &mut Viewer, id| {
        viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Select { id: NodeId(id) })), NOW);
        viewer.updates(NOW)
    };
    let first = choose(&mut viewer, 2);
    assert_eq!(field(&shown(&first).unwrap(), "places"), Some("2 places"));
    assert_eq!(tree(&first).unwrap().selected, Some(NodeId(2)));
    let second = choose(&mut viewer, 3);
    assert_eq!((shown(&second), tree(&second).unwrap().selected), (None, Some(NodeId(3))), "the same detail");
    assert_eq!(field(&select(&mut viewer, "ship", 0), "places"), None);
}

#[test]
fn an_id_that_the_tree_has_as_a_number_and_one_with_colons_are_found() {
    let text = snapshot(
        r#"{"id":2,"type":"task","name":"task","props":{"id":42}},{"id":3,"type":"task","name":"task","props":{"id":"x::3"}}"#,
    );
    let rows = r#"{"type":"res","id":"1","ok":true,"payload":[{"nodeId":"42","iteration":0,"state":"in-progress","lastAttempt":1,"startedAtMs":1700000000000},
        {"nodeId":"x::3","iteration":0,"state":"finished","lastAttempt":1,"startedAtMs":1700000000000,"finishedAtMs":1700000001000}]}"#;
    let mut viewer = opened(&[&text, rows]);
    for (node_id, expected) in [("42", "in-progress"), ("x::3", "finished")] {
        let window = select(&mut viewer, node_id, 0);
        assert_eq!((&*window.title, state(&window)), (node_id, Some(expected)));
        assert_eq!((window.key.unwrap().node_id, window.missing), (node_id.to_owned(), Vec::new()));
    }
}

#[test]
fn a_timer_has_no_output() {
    let text = snapshot(
        r#"{"id":2,"type":"timer","name":"timer","props":{"id":"nap"}},{"id":3,"type":"task","name":"task","props":{"id":"build"}}"#,
    );
    let mut viewer = opened(&[&text]);
    assert!(!select(&mut viewer, "nap", 0).tabs.contains(&NodeTab::Output));
    assert!(select(&mut viewer, "build", 0).tabs.contains(&NodeTab::Output));
}

/// The detail of the node `flaky` with this answer.
fn answered(tab: NodeTab, answer: fn(&str, &Value) -> Result<Value, &'static str>) -> (Live, NodeWindow) {
    let mut live = Live::new(answer);
    let [_, window] = live.open("flaky", tab);
    (live, window)
}

#[test]
fn a_response_of_a_megabyte_is_cut_and_can_be_read_whole() {
    let (mut live, window) = answered(NodeTab::Attempts, |method, _| match method {
        "attempts.list" => {
            let response = "line\n".repeat(1 << 18);
            Ok(json!([{"nodeId": "flaky", "attempt": 1, "state": "finished", "responseText": response}]))
        }
        _ => Ok(json!({"status": "pending", "row": null})),
    });
    let response = window.body.attempts[0].response.as_ref().unwrap();
    assert!(
        response.rest.as_ref().unwrap().contains("of 1\u{202f}310\u{202f}720 characters"),
        "{:?}",
        response.rest
    );
    assert!(serde_json::to_string(&window).unwrap().len() < 40_000);
    live.open("flaky", NodeTab::Raw);
    let mut place = |name: &str| {
        let rows = live.act(NodeAction::First).body.value.unwrap().rows;
        let row = rows.iter().position(|row| row.path == name).unwrap();
        live.act(NodeAction::Toggle { row });
        row
    };
    place("$.attempts");
    place("$.attempts[0]");
    let row = place("$.attempts[0].responseText");
    live.act(NodeAction::OpenText { row });
    live.act(NodeAction::Show { first: 200_000, count: 50 });
    let window = live.window();
    let text = window.body.text.as_ref().unwrap();
    assert_eq!((text.total, text.first, text.rows.len()), (1 << 18, 200_000, 50));
    assert_eq!(live.viewer.copy_value(NodeCopy::Value).map(|copy| copy.len()), Some(5 << 18));
}

#[test]
fn an_error_of_forty_kilobytes_with_colours_is_whole_and_small() {
    let (_, window) = answered(NodeTab::Attempts, |method, _| match method {
        "attempts.list" => {
            let text = "\u{1b}[31mred\u{1b}[0m plain\n".repeat(2_000);
            let error = json!({"message": text}).to_string();
            Ok(json!([{"nodeId": "flaky", "attempt": 1, "state": "failed", "errorJson": error},
                {"nodeId": "flaky", "attempt": 2, "state": "failed", "errorJson": "no {JSON"}]))
        }
        _ => Ok(json!({"status": "pending", "row": null})),
    });
    let [first, second] = &window.body.attempts[..] else { panic!("{:?}", window.body) };
    let error = first.error.as_ref().unwrap();
    assert_eq!((error.spans.len(), error.spans[0].style.colour, &error.rest), (4_000, Some(1), &None));
    assert_eq!(second.error.as_ref().unwrap().spans[0].text, "no {JSON", "as it was written");
}

#[test]
fn a_failed_output_has_its_error_and_its_schema() {
    let (_, window) = answered(NodeTab::Output, |_, _| {
        Ok(json!({"status": "failed", "row": null, "partial": null,
        "error": {"message": "tolerated"}, "schema": {"fields": [{"name": "text", "type": "string"}]}}))
    });
    let body = &window.body;
    assert_eq!(body.error.as_ref().unwrap().spans[0].text, "tolerated");
    assert_eq!((body.schema.len(), body.is_partial, &body.value), (1, false, &None));
    assert_eq!(body.missing, ["The node failed without an output. Open Attempts to see its errors."]);
}

#[test]
fn nothing_is_five_different_things() {
    let shown = |answer: fn(&str, &Value) -> Result<Value, &'static str>| {
        let (_, window) = answered(NodeTab::Output, answer);
        let rows = window.body.value.map(|value| value.rows).unwrap_or_default();
        let previews: Vec<String> = rows.iter().map(|row| row.preview.clone()).collect();
        (previews, window.body.missing)
    };
    let texts = [
        shown(|_, _| Ok(json!({"status": "produced", "row": ""}))),
        shown(|_, _| Ok(json!({"status": "produced", "row": {}}))),
        shown(|_, _| Ok(json!({"status": "produced", "row": []}))),
        shown(|_, _| Ok(json!({"status": "produced", "row": null}))),
        shown(|_, _| Ok(json!({"status": "pending"}))),
    ];
    assert_eq!(texts[0].0, ["\"\""]);
    assert_eq!(texts[1].0, ["{}"]);
    assert_eq!(texts[2].0, ["[]"]);
    for (place, text) in texts.iter().enumerate() {
        assert!(!texts[..place].contains(text), "{text:?}");
    }
}

/// Selects each row of the value in turn, opens it, and returns its path and its copy.
fn copies(live: &mut Live) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for row in 0.. {
        let rows = live.act(NodeAction::First).body.value.unwrap().rows;
        let Some(shown) = rows.get(row) else { return found };
        if shown.is_open == Some(false) && shown.name.as_deref() != Some("[0 … 999]") {
            live.act(NodeAction::Toggle { row });
        }
        live.act(NodeAction::Select { row });
        found.push((shown.path.clone(), live.viewer.copy_value(NodeCopy::Value).unwrap()));
    }
    found
}

#[test]
fn a_copied_row_has_no_secret_that_only_the_values_around_it_name() {
    let (mut live, _) = answered(NodeTab::Output, |_, _| {
        let many: Vec<u32> = (0..1_002).collect();
        Ok(json!({"status": "produced", "row": {
            "plain": "a\nb",
            "password": "hunter2xyz",
            "env": [{"name": "API_KEY", "value": "hunter3xyz"}, ["Authorization", "Bearer hunter4xyz"]],
            "credentials": {"user": "mira", "secret": "hunter5xyz"},
            "many": many,
        }}))
    });
    let copied = copies(&mut live);
    for (path, copy) in &copied {
        assert!(!copy.contains("hunter"), "{path}: {copy}");
    }
    let of =
        |path: &str| copied.iter().filter(|(found, _)| found == path).map(|(_, copy)| &**copy).next_back();
    assert_eq!((of("$.plain"), of("$.password")), (Some("a\nb"), Some("[redacted]")));
    assert_eq!((of("$.env[0].name"), of("$.env[0].value")), (Some("API_KEY"), Some("[redacted]")));
    assert_eq!(of("$.many[1001]"), Some("1001"), "in a range");
}

#[test]
fn a_text_that_is_open_is_that_of_the_selected_row_and_of_the_last_answer() {
    let (mut live, _) = answered(NodeTab::Output, |_, _| {
        Ok(json!({"status": "produced", "row": {"text": "first\nline", "other": "x\ny"}}))
    });
    let rows = live.act(NodeAction::Select { row: 0 }).body.value.unwrap().rows;
    let row = rows.iter().position(|row| row.path == "$.text").unwrap();
    let second = |window: NodeWindow| window.body.text.map(|text| text.rows[1].spans[0].text.clone());
    assert_eq!(second(live.act(NodeAction::OpenText { row })).as_deref(), Some("line"));
    assert_eq!(live.viewer.copy_value(NodeCopy::Value).as_deref(), Some("first\nline"));
    live.answer = |_, _| Ok(json!({"status": "produced", "row": {"other": "x\ny", "text": "second\none"}}));
    live.change("in-progress");
    assert_eq!(second(live.window()).as_deref(), Some("one"));
    assert_eq!(live.viewer.copy_value(NodeCopy::Value).as_deref(), Some("second\none"));
    live.answer = |_, _| Ok(json!({"status": "produced", "row": {"other": "x\ny"}}));
    live.change("failed");
    assert_eq!(second(live.window()), None, "the output has no such text any more");
}
