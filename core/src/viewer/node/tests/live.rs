//! The parts of a detail that a live Gateway is asked for, over the second connection.

use serde_json::{Value, json};

use super::*;
use crate::gateway::{ClientEffect, ClientInput, ClientOptions};
use crate::viewer::{GatewaySource, NodeCopy};

/// A viewer of a Gateway that answers at once: on the first connection with a run of three nodes, on the second with `answer`.
pub(super) struct Live {
    pub(super) viewer: Viewer,
    pub(super) answer: fn(&str, &Value) -> Result<Value, &'static str>,
    /// The methods that the second connection was asked.
    asked: Vec<String>,
    now: f64,
    /// The last detail.
    last: Option<NodeWindow>,
}

fn row(node_id: &str, state: &str, attempt: u32) -> Value {
    json!({"nodeId": node_id, "iteration": 0, "state": state, "lastAttempt": attempt, "startedAtMs": 1000, "finishedAtMs": 2000})
}

/// The nodes of the run, the first one in this state.
fn nodes(flaky: &str) -> Value {
    json!([row("flaky", flaky, 2), row("gate", "waiting-approval", 0), row("nap", "finished", 1)])
}

fn run_answer(method: &str, flaky: &str) -> Value {
    match method {
        "connect" => json!({"protocol": 1, "policy": {"heartbeatMs": 15000}, "snapshot": {"runs": []}}),
        "getRun" => json!({"runId": "r1", "status": "waiting-approval", "runState": {
            "runId": "r1", "computedAt": "2026-11-21T14:06:08.000Z", "state": "waiting-approval"}}),
        "listNodeStates" => nodes(flaky),
        _ => json!([]),
    }
}

impl Live {
    pub(super) fn new(answer: fn(&str, &Value) -> Result<Value, &'static str>) -> Self {
        let mut options = ClientOptions::new("ws://gateway", 1);
        options.run_id = Some("r1".to_owned());
        let mut viewer = Viewer::new(GatewaySource::connect(options, Millis(0.0)));
        let effects = viewer.gateway().unwrap().handle(None, Millis(0.0)).0;
        let mut live = Self { viewer, answer, asked: Vec::new(), now: 0.0, last: None };
        live.watch(effects, "finished");
        // The nodes are asked for after the run.
        live.pass(300.0, "finished");
        live.pass(300.0, "finished");
        live.now = 800.0;
        live
    }

    /// Answers what the first connection asks after this time, with the state of the node `flaky`.
    fn pass(&mut self, ms: f64, flaky: &str) {
        self.now += ms;
        let effects = self.viewer.gateway().unwrap().handle(Some(ClientInput::Timer), Millis(self.now)).0;
        self.watch(effects, flaky);
    }

    fn watch(&mut self, mut effects: Vec<ClientEffect>, flaky: &str) {
        while let Some(effect) = effects.pop() {
            let text = match effect {
                ClientEffect::Open { .. } => None,
                ClientEffect::Close => continue,
                ClientEffect::Send(frame) => {
                    let question: Value = serde_json::from_str(&frame).unwrap();
                    let payload = run_answer(question["method"].as_str().unwrap(), flaky);
                    let answer = json!({"type": "res", "id": question["id"], "ok": true, "payload": payload});
                    Some(answer.to_string())
                }
            };
            let input = text.as_deref().map_or(ClientInput::Opened, ClientInput::Text);
            effects.extend(self.viewer.gateway().unwrap().handle(Some(input), Millis(self.now)).0);
        }
    }

    /// Selects a node and a part, and returns its detail before and after the answers.
    pub(super) fn open(&mut self, node_id: &str, tab: NodeTab) -> [NodeWindow; 2] {
        let key = NodeKey { node_id: node_id.to_owned(), iteration: 0 };
        self.now += 500.0;
        let now = Millis(self.now);
        self.viewer.handle(ViewCommand::Select(Some(key)), now);
        self.viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(tab))), now);
        let before = self.window();
        self.exchange();
        [before, self.window()]
    }

    /// Changes the state of the node `flaky`, and answers what is asked about it then.
    pub(super) fn change(&mut self, state: &str) {
        for _ in 0..12 {
            self.pass(1_000.0, state);
        }
        self.window();
        self.exchange();
    }

    /// The detail on screen.
    pub(super) fn window(&mut self) -> NodeWindow {
        self.last = shown(&self.viewer.updates(Millis(self.now))).or(self.last.take());
        self.last.clone().expect("a detail")
    }

    /// Answers what the second connection asks.
    fn exchange(&mut self) {
        let now = Millis(self.now);
        let mut effects = self.viewer.gateway().unwrap().handle_details(None, now).0;
        while let Some(effect) = effects.pop() {
            let text = match effect {
                ClientEffect::Open { .. } => None,
                ClientEffect::Close => continue,
                ClientEffect::Send(frame) => Some(self.reply(&frame)),
            };
            let input = text.as_deref().map_or(ClientInput::Opened, ClientInput::Text);
            effects.extend(self.viewer.gateway().unwrap().handle_details(Some(input), now).0);
        }
    }

    fn reply(&mut self, frame: &str) -> String {
        let question: Value = serde_json::from_str(frame).unwrap();
        let method = question["method"].as_str().unwrap();
        if method == "connect" {
            assert_eq!(question["params"]["subscribe"], json!(["r1"]));
            return json!({"type": "res", "id": question["id"], "ok": true, "payload": {}}).to_string();
        }
        self.asked.push(method.to_owned());
        match (self.answer)(method, &question["params"]) {
            Ok(payload) => {
                json!({"type": "res", "id": question["id"], "ok": true, "payload": payload}).to_string()
            }
            Err(code) => json!({"type": "res", "id": question["id"], "ok": false,
                "error": {"code": code, "message": "No."}})
            .to_string(),
        }
    }

    pub(super) fn act(&mut self, action: NodeAction) -> NodeWindow {
        self.viewer.handle(ViewCommand::Act(PaneAction::Node(action)), Millis(self.now));
        self.window()
    }
}

fn answers(method: &str, params: &Value) -> Result<Value, &'static str> {
    match (method, params["nodeId"].as_str()) {
        ("attempts.list", Some("flaky")) => Ok(json!([
            {"nodeId": "flaky", "attempt": 2, "state": "finished", "startedAtMs": 1500, "finishedAtMs": 2000},
            {"nodeId": "flaky", "attempt": 1, "state": "failed", "startedAtMs": 1000, "finishedAtMs": 1200,
             "errorJson": "{\"message\":\"boom\"}"}
        ])),
        ("attempts.list", _) => Ok(json!([])),
        ("getNodeOutput", Some("flaky")) => {
            Ok(json!({"status": "produced", "row": {"text": "a\nb", "token": "sesame-4711"},
            "schema": {"fields": [{"name": "text", "type": "string"}]}}))
        }
        ("getNodeOutput", Some("gate")) => Ok(json!({"status": "pending", "row": null, "schema": null})),
        ("getNodeOutput", _) => Err("NodeHasNoOutput"),
        ("listApprovals", None) => Ok(json!([{"nodeId": "gate", "requestTitle": "Ship it?",
            "allowedScopes": [], "allowedUsers": ["mira"]}])),
        _ => panic!("{method} {params}"),
    }
}

#[test]
fn attempts_are_asked_for_when_their_part_is_opened() {
    let mut live = Live::new(answers);
    let [summary, _] = live.open("flaky", NodeTab::Summary);
    assert_eq!(
        summary.tabs,
        [NodeTab::Summary, NodeTab::Attempts, NodeTab::Output, NodeTab::Calls, NodeTab::Events, NodeTab::Raw]
    );
    assert!(live.asked.is_empty(), "a summary needs no question");
    let [before, after] = live.open("flaky", NodeTab::Attempts);
    assert_eq!(before.body.missing, ["Attempts: requested; the Gateway has not answered yet."]);
    let numbers: Vec<_> = after.body.attempts.iter().map(|attempt| attempt.number).collect();
    assert_eq!((numbers, after.body.missing), (vec![Some(1), Some(2)], Vec::new()));
    assert_eq!(after.body.attempts[0].error.as_ref().unwrap().spans[0].text, "boom");
    live.open("flaky", NodeTab::Summary);
    live.open("flaky", NodeTab::Attempts);
    assert_eq!(live.asked, ["attempts.list"], "the answer is kept");
    let [_, none] = live.open("gate", NodeTab::Attempts);
    assert_eq!(none.body.missing, ["No attempt yet. The first one is listed once the node starts."]);
    let [_, unsent] = live.open("nap", NodeTab::Attempts);
    assert_eq!(
        unsent.body.missing,
        ["Attempts: the Gateway has not sent it. smithers node NODE_ID -r RUN_ID prints it."],
        "it has had one"
    );
}

#[test]
fn an_output_is_a_value_with_a_schema_or_a_sentence() {
    let mut live = Live::new(answers);
    let [before, after] = live.open("flaky", NodeTab::Output);
    assert_eq!(before.body.missing, ["Output: requested; the Gateway has not answered yet."]);
    let names = |window: &NodeWindow| -> Vec<String> {
        let rows = &window.body.value.as_ref().unwrap().rows;
        rows.iter().filter_map(|row| row.name.clone()).collect()
    };
    assert_eq!((names(&after), after.body.schema.len()), (vec!["text".to_owned(), "token".to_owned()], 1));
    live.act(NodeAction::Select { row: 1 });
    assert_eq!(live.viewer.copy_value(NodeCopy::Path).as_deref(), Some("$.text"));
    assert_eq!(live.viewer.copy_value(NodeCopy::Value).as_deref(), Some("a\nb"));
    let whole = live.viewer.copy_value(NodeCopy::Whole).unwrap();
    assert!(whole.contains("[redacted]") && !whole.contains("sesame"), "{whole}");
    let text = live.act(NodeAction::OpenText { row: 1 }).body.text.unwrap();
    assert_eq!((text.total, &*text.path), (2, "$.text"));
    assert!(live.act(NodeAction::CloseText).body.text.is_none());
    let [_, pending] = live.open("gate", NodeTab::Output);
    assert_eq!(
        (pending.body.missing, pending.body.value),
        (vec!["No output yet. It is shown once the node has finished.".to_owned()], None)
    );
    let [_, never] = live.open("nap", NodeTab::Output);
    assert_eq!(never.body.missing, ["A node of this kind has no output. Open Events to see what it did."]);
    assert!(!never.body.can_ask_again);
}

#[test]
fn everything_is_one_object() {
    let mut live = Live::new(answers);
    live.open("flaky", NodeTab::Raw);
    live.now += 500.0;
    live.exchange();
    let window = live.act(NodeAction::First);
    let rows = window.body.value.unwrap().rows;
    let names: Vec<_> = rows.iter().filter_map(|row| row.name.as_deref()).collect();
    assert_eq!(names, ["state", "attempts", "output"]);
    assert!(serde_json::from_str::<Value>(&live.viewer.copy_value(NodeCopy::Whole).unwrap()).is_ok());
}

#[test]
fn everything_names_what_was_not_answered() {
    let mut live = Live::new(|_, _| Err("Internal"));
    live.open("flaky", NodeTab::Raw);
    live.now += 500.0;
    live.exchange();
    let body = live.window().body;
    let refused = |part: &str| format!("{part}: the Gateway refused the request: No (Internal).");
    assert_eq!(body.missing, [refused("Attempts"), refused("Output")]);
    assert!(body.can_ask_again && body.value.is_some(), "what is known stays");
    let mut live = Live::new(answers);
    live.open("nap", NodeTab::Raw);
    live.now += 500.0;
    live.exchange();
    let body = live.window().body;
    assert_eq!(
        (body.missing, body.can_ask_again),
        (vec!["A node of this kind has no output. Open Events to see what it did.".to_owned()], false)
    );
}

#[test]
fn the_question_of_an_approval_is_asked_for_with_who_may_decide() {
    let mut live = Live::new(answers);
    let [before, after] = live.open("gate", NodeTab::Summary);
    assert_eq!(before.missing, ["The question: requested; the Gateway has not answered yet."]);
    let request = after.request.unwrap();
    assert_eq!(request.title, "Ship it?");
    assert_eq!(request.who.as_deref(), Some("Only mira may decide, with the scope approval:submit."));
}

#[test]
fn requests_that_cannot_be_read_are_named() {
    let mut live = Live::new(|method, params| match method {
        "listApprovals" => Ok(json!([{"nodeId": 7}])),
        other => answers(other, params),
    });
    let [_, after] = live.open("gate", NodeTab::Summary);
    assert!(after.request.is_none());
    assert!(
        after.missing[0].starts_with(
            "The question: the Gateway’s answer could not be read: Expected text, found the number 7"
        ),
        "{:?}",
        after.missing
    );
}

#[test]
fn a_refusal_is_a_sentence_and_can_be_asked_again() {
    let mut live = Live::new(|_, _| Err("InvalidNodeId"));
    let [_, odd] = live.open("flaky", NodeTab::Output);
    assert_eq!(
        odd.body.missing,
        [
            "The Gateway gives no output of nodes whose ids have spaces or letters outside ASCII. smithers node NODE_ID -r RUN_ID prints it."
        ]
    );
    let mut live = Live::new(|_, _| Err("Internal"));
    let [_, refused] = live.open("flaky", NodeTab::Attempts);
    assert_eq!(refused.body.missing, ["Attempts: the Gateway refused the request: No (Internal)."]);
    assert!(refused.body.can_ask_again);
    live.answer = answers;
    live.now += 500.0;
    live.act(NodeAction::AskAgain);
    live.exchange();
    let window = live.window();
    assert_eq!(window.body.attempts.len(), 2);
}

#[test]
fn a_later_failure_leaves_the_last_answer_with_its_age() {
    let mut live = Live::new(answers);
    live.open("flaky", NodeTab::Attempts);
    live.answer = |_, _| Err("Internal");
    live.change("in-progress");
    let body = live.window().body;
    assert_eq!(body.attempts.len(), 2, "it stays");
    assert!(body.can_ask_again);
    let reason = "Attempts: the Gateway refused the request: No (Internal).";
    assert_eq!(body.missing, [format!("{reason} The last answer is shown, from 12 s ago.")]);
    live.now += 1_000.0;
    let body = live.window().body;
    assert_eq!(body.missing, [format!("{reason} The last answer is shown, from 13 s ago.")]);
}

#[test]
fn an_unreadable_newer_answer_leaves_the_last_one_with_its_age() {
    for (tab, name) in [(NodeTab::Attempts, "Attempts"), (NodeTab::Output, "Output")] {
        let mut live = Live::new(answers);
        live.open("flaky", tab);
        let before = live.window().body;
        live.answer = |_, _| Ok(json!(7));
        live.change("in-progress");
        let body = live.window().body;
        assert_eq!((&body.attempts, &body.value), (&before.attempts, &before.value), "it stays");
        let [sentence] = &*body.missing else { panic!("{:?}", body.missing) };
        assert!(
            sentence.starts_with(&format!("{name}: the Gateway’s answer could not be read: ")),
            "{sentence}"
        );
        assert!(
            sentence.ends_with(" The last answer is shown, from 12 s ago.") && body.can_ask_again,
            "{sentence}"
        );
    }
}

#[test]
fn an_attempt_that_cannot_be_read_is_left_out_and_named() {
    let mut live = Live::new(|_, _| {
        Ok(
            json!([{"nodeId": "flaky", "attempt": 1, "state": "failed", "startedAtMs": "soon"}, {"attempt": 2}]),
        )
    });
    let [_, window] = live.open("flaky", NodeTab::Attempts);
    assert_eq!(window.body.attempts.len(), 1);
    assert!(
        window
            .body
            .missing
            .iter()
            .any(|missing| missing.starts_with("Attempts: 1 of 2 entries could not be read: ")),
        "{:?}",
        window.body.missing
    );
}

#[test]
fn a_call_without_an_end_is_in_progress_while_its_attempt_is() {
    let mut live = Live::new(answers);
    let say = |live: &mut Live, phase: &str| {
        let action = json!({"id": "a", "kind": "tool", "title": "Read"});
        let payload = json!({"runId": "r1", "nodeId": "flaky", "iteration": 0, "attempt": 2,
            "event": {"type": "action", "phase": phase, "ok": true, "action": action}});
        let frame = json!({"type": "event", "event": "run.event",
            "payload": {"runId": "r1", "event": "agent.event", "payload": payload}});
        let now = Millis(live.now);
        live.viewer.gateway().unwrap().handle(Some(ClientInput::Text(&frame.to_string())), now);
    };
    let outcomes = |live: &mut Live, state: &str| -> Vec<String> {
        for _ in 0..12 {
            live.pass(1_000.0, state);
        }
        let [_, window] = live.open("flaky", NodeTab::Calls);
        window.body.calls.into_iter().map(|call| call.outcome).collect()
    };
    say(&mut live, "started");
    say(&mut live, "started");
    assert_eq!(outcomes(&mut live, "in-progress"), ["In progress"], "it was pushed twice");
    assert_eq!(outcomes(&mut live, "finished"), ["No end was received."]);
    say(&mut live, "completed");
    assert_eq!(outcomes(&mut live, "finished"), ["Succeeded"]);
}
