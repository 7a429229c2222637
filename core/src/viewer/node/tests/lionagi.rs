//! The trees of lionagi and the detail of what is in them.

use serde_json::json;

use super::*;
use crate::ingest::traffic::Entry;
use crate::viewer::TrafficSource;

/// A viewer of captured answers of Studio.
fn studio(names: &[&str]) -> Viewer {
    let names: Vec<String> =
        names.iter().map(|name| format!("lionagi/captures/studio/{name}.json")).collect();
    viewer(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn rows(viewer: &mut Viewer) -> Vec<String> {
    let window = tree(&viewer.updates(NOW)).unwrap();
    let row = |row: crate::viewer::TreeRow| {
        let state = row.state.as_deref().unwrap_or("-");
        format!("{} {} {} {state}", row.depth, row.kind.unwrap_or_default(), row.title)
    };
    window.rows.into_iter().map(row).collect()
}

/// The detail of a row of the tree.
fn select_row(viewer: &mut Viewer, title: &str) -> NodeWindow {
    let rows = viewer.all_rows(NOW).unwrap();
    let id = rows.iter().rev().find(|row| row.title == title).unwrap().id;
    viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Select { id })), NOW);
    shown(&viewer.updates(NOW)).expect("a detail")
}

fn messages(viewer: &mut Viewer, title: &str) -> NodeBody {
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Messages))), NOW);
    select_row(viewer, title).body
}

#[test]
fn header_tree_and_detail_of_every_captured_session_name_the_same_state() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/lionagi/captures/studio");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.starts_with("run-") && !name.starts_with("session-") {
            continue;
        }
        let mut viewer = studio(&[name.trim_end_matches(".json")]);
        let updates = viewer.updates(NOW);
        let header = updates.iter().find_map(|update| match update {
            Update::Header(header) => header.as_ref().map(|header| header.answer.pill.value()),
            _ => None,
        });
        let (Some(window), Some(header)) = (tree(&updates), header) else { continue };
        assert_eq!(window.rows[0].state.as_deref(), header, "{name}");
        for row in window.rows {
            viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Select { id: row.id })), NOW);
            let detail = shown(&viewer.updates(NOW)).unwrap();
            assert_eq!((&detail.title, state(&detail)), (&row.title, row.state.as_deref()), "{name}");
            assert_eq!((detail.kind.as_ref(), detail.is_gone), (row.kind.as_ref(), false), "{name}");
        }
        seen += 1;
    }
    assert!(seen > 25, "{seen}");
}

#[test]
fn a_session_has_its_branches_and_says_what_it_cost_and_delivered() {
    let mut viewer = studio(&["run-completed-ok"]);
    assert_eq!(rows(&mut viewer), ["0 Session worker · 328c · 17:44 completed", "1 Branch worker -"]);
    let session = select_row(&mut viewer, "worker · 328c · 17:44");
    assert_eq!(
        (field(&session, "cost"), field(&session, "tokens")),
        (Some("0.42 USD"), Some("5\u{202f}000 in, 900 out"))
    );
    assert_eq!(field(&session, "model"), Some("claude/claude-sonnet-4-6"));
    assert_eq!(
        (session.tabs, session.missing),
        (vec![NodeTab::Summary, NodeTab::Messages, NodeTab::Raw], Vec::new())
    );
    let branch = select_row(&mut viewer, "worker");
    assert_eq!(
        (field(&branch, "messages"), branch.path.clone()),
        (Some("12"), vec!["worker · 328c · 17:44".to_owned()])
    );

    let mut viewer = studio(&["run-failed-missing-artifact"]);
    let session = select_row(&mut viewer, "worker · 40ce · 15:44");
    assert_eq!(
        (field(&session, "cost"), field(&session, "tokens")),
        (Some("not reported"), Some("not reported"))
    );
    assert_eq!(field(&session, "artifactsExpected"), Some("report, notes"));
    assert_eq!(field(&session, "artifactsVerified"), Some("failed; missing report"));
    assert_eq!(field(&session, "reason"), Some("Missing required artifact: report"));
}

#[test]
fn the_end_of_a_session_that_has_not_ended_is_only_that_of_its_row() {
    for (status, label, took) in [
        ("running", "End in the row", None),
        ("hibernating", "End in the row", None),
        ("failed", "Ended", Some("1 min")),
        ("timed_out", "Ended", Some("1 min")),
    ] {
        let row = json!({
            "id": "s1", "session_id": "s1", "name": "worker", "invocation_kind": "agent", "status": status,
            "started_at": 1_795_293_000.0, "ended_at": 1_795_293_060.0, "updated_at": 1_795_293_060.0,
        });
        let mut viewer = opened(&[&row.to_string()]);
        let id = viewer.all_rows(NOW).unwrap()[0].id;
        viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Select { id })), NOW);
        let session = shown(&viewer.updates(NOW)).unwrap();
        let end = session.fields.iter().find(|field| field.field == "finishedAt").unwrap();
        assert_eq!((&*end.label, field(&session, "duration")), (label, took), "{status}");
    }
}

#[test]
fn an_action_is_one_message_with_its_response() {
    let mut viewer = studio(&["run-completed-ok"]);
    let body = messages(&mut viewer, "worker");
    let roles: Vec<&str> = body.messages.iter().map(|message| &*message.role).collect();
    assert_eq!(roles, ["user", "action", "assistant"].repeat(3), "twelve messages, three of them responses");
    let text = |text: &Option<AttemptText>| {
        text.as_ref().map(|text| text.spans.iter().map(|span| &*span.text).collect::<String>())
    };
    let action = &body.messages[1];
    assert_eq!((action.tool.as_deref(), &action.missing), (Some("read_file"), &None));
    assert_eq!(text(&action.text).as_deref(), Some(r#"{"path":"/project/src/mod_48_0.py"}"#));
    assert_eq!(outputs(action), ["def f():\n    return 1\n"]);
    assert_eq!(text(&body.messages[0].text).as_deref(), Some("Step 1: inspect the module and report."));
    assert_eq!(text(&body.messages[2].text).as_deref(), Some("Step 1 finished: module 0 inspected."));
    assert_eq!(body.missing, [""; 0]);
}

#[test]
fn what_a_branch_lacks_is_said() {
    let session = |branch: &str| {
        format!(r#"{{"session_id":"s1","status":"running","invocation_kind":"agent","branches":[{branch}]}}"#)
    };
    let action = |id: &str, more: &str| {
        format!(r#"{{"id":"{id}","role":"action","content":{{"function":"run"{more}}}}}"#)
    };
    let branch = format!(
        r#"{{"id":"b","name":"main","message_offset":70,"message_has_older":true,"messages":[{},{},{},7]}}"#,
        action("a", ""),
        action("b", r#","output":"ok","action_request_id":"before""#),
        r#"{"role":"user","content_withheld":true,"content":null}"#
    );
    let mut viewer = opened(&[&session(&branch)]);
    let body = messages(&mut viewer, "main");
    let missing: Vec<_> = body.messages.iter().map(|message| message.missing.as_deref().unwrap()).collect();
    assert_eq!(
        missing,
        [
            "The response: not in this document. Open Studio’s response to GET /api/runs/{id}?message_limit=1000 with it.",
            "The action that this answers: not in this document. Open Studio’s response to GET /api/runs/{id}?message_limit=1000 with it.",
            "Studio withheld the content."
        ]
    );
    assert_eq!(
        body.missing,
        ["70 older messages were not sent. Studio sends up to 1 000 with message_limit=1000."]
    );
    let none = messages(&mut opened(&[&session(r#"{"id":"b","name":"main"}"#)]), "main");
    assert_eq!(
        none.missing,
        ["Messages: not in this document. Open Studio’s response to GET /api/runs/{id} with it."]
    );
    let row = r#"{"session_id":"s1","name":"worker","status":"running","invocation_kind":"agent"}"#;
    let window = select_row(&mut opened(&[row]), "worker");
    let branches = "Branches with their messages: not in this document. Open Studio’s response to GET /api/runs/{id} with it.";
    assert_eq!(
        window.missing,
        [branches, "Start: not in this document. Open Studio’s response to GET /api/runs/{id} with it."]
    );
}

#[test]
fn a_show_has_its_plays_and_a_session_the_nodes_of_its_signals() {
    let show = r#"{"topic":"demo","status":"active","plays":[{"name":"api","meta":{"status":"gated"}},{"name":"ui","meta":{"status":"merged"}}]}"#;
    let mut viewer = opened(&[show]);
    viewer.choose(Some(0));
    assert_eq!(rows(&mut viewer), ["0 Show demo active", "1 Play api gated", "1 Play ui merged"]);
    assert_eq!(viewer.all_rows(NOW).unwrap()[0].progress, Some((1, 2)));
    assert_eq!(field(&select_row(&mut viewer, "api"), "show"), Some("demo"));

    let signal = |seq: u32, kind: &str| {
        format!(
            r#"data: {{"id":{seq},"session_id":"s1","seq":{seq},"kind":"{kind}","op_id":"op1","ts":1795283051,"payload":{{"name":"build"}}}}"#
        ) + "\n\n"
    };
    let signals = [signal(1, "NodeQueued"), signal(2, "NodeStarted"), signal(3, "NodeFailed")].concat();
    let mut viewer = opened(&[&signals]);
    assert_eq!(rows(&mut viewer)[1], "1 Node build failed");
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Events))), NOW);
    let window = select_row(&mut viewer, "build");
    assert_eq!((state(&window), window.taxonomy), (Some("failed"), Taxonomy::Lane));
    assert_eq!(window.body.events.len(), 3, "{:?}", window.body.missing);
}

/// Messages of the branch `b`, as the stream of the session sends them.
fn streamed(messages: &[(&str, u32, &str)]) -> String {
    let message = |(id, at, text): &(&str, u32, &str)| {
        format!(
            r#"data: {{"id":"{id}","role":"assistant","content":{{"assistant_response":"{text}"}},"timestamp":{at},"lion_class":"x","branch_id":"b"}}"#
        ) + "\n\n"
    };
    // The cursor names the session `s1`.
    "id: eyJzZXNzaW9uX2lkIjoiczEifQ\n".to_owned() + &messages.iter().map(message).collect::<String>()
}

fn said(body: &NodeBody) -> Vec<String> {
    let text = |message: &NodeMessage| message.text.as_ref().map(|text| text.spans[0].text.clone());
    body.messages.iter().filter_map(text).collect()
}

#[test]
fn streamed_messages_are_those_of_their_session() {
    let row = r#"{"session_id":"s1","name":"worker","status":"running","invocation_kind":"agent"}"#;
    let stream = streamed(&[("m1", 10, "one"), ("m2", 20, "two"), ("m1", 10, "one")]);
    let mut viewer = opened(&[row, &stream]);
    assert_eq!(said(&messages(&mut viewer, "worker")), ["one", "two"]);

    let message = r#"{"id":"m2","role":"assistant","timestamp":20,"content":{"assistant_response":"two"}}"#;
    let other = r#"{"id":"c","name":"side","messages":[]}"#;
    let detail = |more: &str| {
        format!(
            r#"{{"session_id":"s1","name":"worker","status":"running","invocation_kind":"agent","branches":[
               {{"id":"b","name":"main","message_offset":3,"message_has_older":true,"messages":[{message}]}}{more}]}}"#
        )
    };
    let stream = streamed(&[("m1", 10, "one"), ("m2", 20, "two"), ("m3", 30, "three")]);
    let mut viewer = opened(&[&detail(&format!(",{other}")), &stream]);
    let body = messages(&mut viewer, "main");
    assert_eq!(said(&body), ["one", "two", "three"], "each of them once, by their times");
    assert_eq!(
        body.missing,
        ["2 older messages were not sent. Studio sends up to 1 000 with message_limit=1000."],
        "one of three was streamed"
    );
    assert_eq!(
        messages(&mut viewer, "side").missing,
        ["No messages yet. They are listed once the branch has some."]
    );
    let mut viewer = opened(&[&detail(""), &stream]);
    assert_eq!(said(&messages(&mut viewer, "worker")), ["one", "two", "three"], "it has one branch");
}

#[test]
fn a_page_that_follows_a_session_shows_its_messages() {
    let answer = |url: &str, body: &str| Entry::Answer {
        at: NOW,
        started: NOW,
        url: format!("http://127.0.0.1:8765{url}"),
        method: "GET".to_owned(),
        request: None,
        status: Some(200),
        service_worker: false,
        body: body.to_owned(),
    };
    let message = |id: &str, text: &str| Entry::Message {
        at: NOW,
        stream: "stream-1".to_owned(),
        url: "http://127.0.0.1:8765/api/sessions/s1/stream".to_owned(),
        service_worker: false,
        event: String::new(),
        data: format!(
            r#"{{"id":"{id}","role":"assistant","content":{{"assistant_response":"{text}"}},"content_withheld":false,"sender":"b","timestamp":10,"lion_class":"x","branch_id":"b"}}"#
        ),
    };
    let row =
        r#"{"session_id":"s1","name":"worker","status":"running","invocation_kind":"agent","created_at":1}"#;
    let mut viewer = Viewer::new(TrafficSource::default());
    let traffic = viewer.traffic().unwrap();
    traffic.take(&[answer("/api/sessions/s1", row), message("m1", "one")]);
    traffic.choose(0, "s1");
    assert_eq!(said(&messages(&mut viewer, "worker")), ["one"]);
    viewer.traffic().unwrap().take(&[message("m2", "two")]);
    assert_eq!(said(&shown(&viewer.updates(NOW)).unwrap().body), ["one", "two"]);
}

/// What the tool of an action returned.
fn outputs(message: &NodeMessage) -> Vec<&str> {
    message.responses.iter().map(|text| &*text.spans[0].text).collect()
}

/// A document of a session with these branches.
fn session_of(branches: &[serde_json::Value]) -> Viewer {
    let session =
        json!({"session_id": "s1", "status": "running", "invocation_kind": "agent", "branches": branches});
    opened(&[&session.to_string()])
}

#[test]
fn an_action_has_all_of_its_responses() {
    let response = |id: &str, output: &str| {
        json!({"id": id, "role": "action",
            "content": {"function": "run", "arguments": {}, "output": output, "action_request_id": "a"}})
    };
    let request = json!({"id": "a", "role": "action", "content": {"function": "run", "arguments": {"n": 1}}});
    let all = [response("b", "early"), request, response("c", "first"), response("d", "second")];
    let mut viewer = session_of(&[json!({"id": "x", "name": "main", "messages": all})]);
    let body = messages(&mut viewer, "main");
    let [action] = &body.messages[..] else { panic!("{:?}", body.messages) };
    assert_eq!((outputs(action), &action.missing), (vec!["early", "first", "second"], &None));
}

#[test]
fn a_response_that_names_no_action_is_a_response() {
    let class = |class: &str| format!("lionagi.protocols.messages.{class}");
    let unnamed = Some("The response does not say which action it answers.");
    let lacks = Some(
        "The response: not in this document. Open Studio’s response to GET /api/runs/{id}?message_limit=1000 with it.",
    );
    let cases = [
        (json!({"output": "ok", "action_request_id": null}), "", &["ok"][..], unnamed),
        (json!({"output": "ok"}), "", &["ok"], unnamed),
        (json!({"output": null}), "action_response.ActionResponse", &["null"], unnamed),
        (json!({"output": null}), "action_request.ActionRequest", &[], lacks),
    ];
    for (mut content, name, expected, missing) in cases {
        content["function"] = json!("run");
        let message = json!({"id": "a", "role": "action", "content": content, "lion_class": class(name)});
        let mut viewer = session_of(&[json!({"id": "x", "name": "main", "messages": [message]})]);
        let body = messages(&mut viewer, "main");
        let [action] = &body.messages[..] else { panic!("{:?}", body.messages) };
        assert_eq!((outputs(action), action.missing.as_deref()), (expected.to_vec(), missing), "{content}");
    }
}

#[test]
fn branches_with_one_id_have_each_their_own_detail() {
    let said_by = |text: &str| json!({"id": text, "role": "assistant", "content": {"text": text}});
    let branch = |name: &str, total: u32, messages: &[serde_json::Value]| json!({"id": "b", "name": name, "message_total": total, "messages": messages});
    let branches = [branch("main", 2, &[said_by("one"), said_by("two")]), branch("side", 0, &[])];
    let mut viewer = session_of(&branches);
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Messages))), NOW);
    let main = select_row(&mut viewer, "main");
    assert_eq!(
        (said(&main.body), field(&main, "messages")),
        (vec!["one".to_owned(), "two".to_owned()], Some("2"))
    );
    let side = select_row(&mut viewer, "side");
    assert_eq!((said(&side.body).len(), field(&side, "messages")), (0, Some("0")));
}
