//! A Gateway for tests: replays a real capture to a client on a fake clock, and answers its requests.

pub(crate) use super::vectors;

use std::collections::VecDeque;

use runstate::freshness::Freshness;
use runstate::gateway::{Client, ClientEffect, ClientInput, ClientOptions, ConnectionPhase, Token};
use runstate::run::WitnessSource;
use runstate::summary::{disagreement, short_answer, text};
use runstate::time::Millis;
use serde_json::{Value, json};

pub(crate) const TOKEN: &str = "operator-token";
/// The time that the Gateway takes to answer.
pub(crate) const ANSWER_MS: f64 = 3.0;

/// The Gateway's reply to a request.
#[derive(Clone)]
pub(crate) enum Reply {
    Ok(Value),
    /// A value that is computed at this time.
    Later(f64, Value),
    No(&'static str, &'static str),
    Silence,
}

/// Answers a method, given its params and the time.
pub(crate) type Answers = Box<dyn FnMut(&str, &Value, f64) -> Reply>;

pub(crate) struct Gateway {
    pub(crate) feed: Client,
    pub(crate) now: f64,
    /// Frames that the Gateway will push, by time.
    script: VecDeque<(f64, Value)>,
    /// Pushes of the stream that wait for the subscription.
    held: Vec<Value>,
    subscribed: bool,
    replies: Vec<(f64, String)>,
    answers: Answers,
    pub(crate) hello: Value,
    pub(crate) opens: Vec<f64>,
    pub(crate) closes: Vec<f64>,
    /// Every request: time, method, whole frame.
    pub(crate) asked: Vec<(f64, String, String)>,
    /// The header's states in order, each with the time at which it appeared.
    pub(crate) states: Vec<(f64, String)>,
    /// The kinds of freshness in order.
    pub(crate) freshness: Vec<(f64, &'static str)>,
    pub(crate) phases: Vec<ConnectionPhase>,
    /// The states of the events' witness in order, and each note of a disagreement with its time.
    pub(crate) witnessed: Vec<String>,
    pub(crate) disagreements: Vec<(f64, String)>,
    /// Whether a socket opens when it is asked for.
    pub(crate) reachable: bool,
    /// The number of requests `connect` that are not answered.
    pub(crate) silent_connects: usize,
}

/// The frames of a capture: time, direction, frame.
pub(crate) fn capture(name: &str) -> Vec<(f64, String, Value)> {
    vectors::lines(&format!("ws/{name}.ndjson"))
        .into_iter()
        .map(|line| {
            let dir = line["dir"].as_str().unwrap().to_owned();
            (line["t"].as_f64().unwrap(), dir, line["data"].clone())
        })
        .collect()
}

/// The payload of a captured RPC answer.
pub(crate) fn rpc(name: &str) -> Value {
    vectors::payload(format!("rpc/{name}.json")).unwrap()
}

/// Changes a `getRun` answer into that of the same run while running.
pub(crate) fn at_work(run: &Value) -> Value {
    let mut run = run.clone();
    run["status"] = json!("running");
    run["finishedAtMs"] = Value::Null;
    run["runState"]["state"] = json!("running");
    run["runState"].as_object_mut().unwrap().remove("blocked");
    run
}

fn kind(freshness: &Freshness) -> &'static str {
    match freshness {
        Freshness::Live { .. } => "live",
        Freshness::Connecting => "connecting",
        Freshness::Resyncing { .. } => "resyncing",
        Freshness::Late { .. } => "late",
        Freshness::Refused { .. } => "refused",
        Freshness::Lost { .. } => "lost",
        Freshness::Traffic { .. } => "traffic",
        Freshness::Recorded { .. } => "recorded",
    }
}

/// The sentence of a listed run.
pub(crate) fn sentence(gateway: &Gateway, run_id: &str) -> String {
    let (now, runs) = (Millis(gateway.now), &gateway.feed.inspection().runs);
    let run = runs.iter().find(|run| run.run_id.as_deref() == Some(run_id)).unwrap();
    text(&short_answer(run, &gateway.feed.list_freshness(now), gateway.feed.clock().now(now)).sentence)
}

impl Gateway {
    pub(crate) fn new(run_id: Option<&str>, script: Vec<(f64, Value)>, answers: Answers) -> Self {
        let mut options = ClientOptions::new("ws://gateway", 7);
        options.token = Some(Token::new(TOKEN));
        options.run_id = run_id.map(Into::into);
        let hello = json!({"protocol": 1, "policy": {"heartbeatMs": 2000}, "snapshot": {"runs": []}});
        Self {
            feed: Client::new(options, Millis(0.0)),
            now: 0.0,
            script: script.into(),
            held: Vec::new(),
            subscribed: false,
            replies: Vec::new(),
            answers,
            hello,
            opens: Vec::new(),
            closes: Vec::new(),
            asked: Vec::new(),
            states: Vec::new(),
            freshness: Vec::new(),
            phases: Vec::new(),
            witnessed: Vec::new(),
            disagreements: Vec::new(),
            reachable: true,
            silent_connects: 0,
        }
    }

    /// Replays the pushed frames of a capture.
    pub(crate) fn replay(run_id: &str, capture_name: &str, answers: Answers) -> Self {
        let frames = capture(capture_name).into_iter();
        let pushed = frames.filter(|(_, dir, frame)| dir == "in" && frame["type"] == "event");
        Self::new(Some(run_id), pushed.map(|(t, _, frame)| (t, frame)).collect(), answers)
    }

    /// Ticks for an otherwise silent connection.
    pub(crate) fn ticks(until: f64) -> Vec<(f64, Value)> {
        let mut pushed = vec![(
            1.0,
            json!({"type": "event", "event": "connect.challenge", "payload": {"ts": 1e12 + 1.0}}),
        )];
        let mut at = 2000.0;
        while at < until {
            pushed.push((at, json!({"type": "event", "event": "tick", "payload": {"ts": 1e12 + at}})));
            at += 2000.0;
        }
        pushed
    }

    /// Passes one input and performs the returned effects.
    pub(crate) fn input(&mut self, input: ClientInput<'_>) {
        self.feed.handle(input, Millis(self.now));
        self.carry_out();
        self.look();
    }

    pub(crate) fn push(&mut self, frame: &Value) {
        let text = frame.to_string();
        self.input(ClientInput::Text(&text));
    }

    fn carry_out(&mut self) {
        while let Some(effect) = self.feed.next_effect() {
            match effect {
                ClientEffect::Open { .. } => {
                    self.opens.push(self.now);
                    self.replies.clear();
                    self.subscribed = false;
                    self.replies
                        .push((self.now + 1.0, if self.reachable { "opened" } else { "closed" }.into()));
                }
                ClientEffect::Close => {
                    self.closes.push(self.now);
                    self.replies.clear();
                }
                ClientEffect::Send(frame) => self.receive(&frame),
            }
        }
    }

    fn receive(&mut self, text: &str) {
        let frame: Value = serde_json::from_str(text).unwrap();
        let (id, method) = (frame["id"].clone(), frame["method"].as_str().unwrap().to_owned());
        self.asked.push((self.now, method.clone(), text.to_owned()));
        let reply = match method.as_str() {
            "connect" if self.silent_connects > 0 => {
                self.silent_connects -= 1;
                Reply::Silence
            }
            "connect" => Reply::Ok(self.hello.clone()),
            _ => (self.answers)(&method, &frame["params"], self.now),
        };
        let at = if let Reply::Later(at, _) = &reply { at.max(self.now) } else { self.now } + ANSWER_MS;
        let answered = match reply {
            Reply::Ok(payload) | Reply::Later(_, payload) => {
                json!({"type": "res", "id": id, "ok": true, "payload": payload})
            }
            Reply::No(code, message) => {
                json!({"type": "res", "id": id, "ok": false, "error": {"code": code, "message": message}})
            }
            Reply::Silence => return,
        };
        if method == "streamDevTools" && answered["ok"] == true {
            self.subscribed = true;
            for frame in std::mem::take(&mut self.held) {
                self.replies.push((self.now + ANSWER_MS, frame.to_string()));
            }
        }
        self.replies.push((at, answered.to_string()));
    }

    fn look(&mut self) {
        let view = self.feed.inspection().run.as_ref().and_then(|run| run.view());
        if let Some(state) = view.map(|view| view.state.as_str().to_owned())
            && self.states.last().is_none_or(|(_, last)| *last != state)
        {
            self.states.push((self.now, state));
        }
        self.look_at_witnesses();
        let fresh = kind(&self.feed.freshness(Millis(self.now)));
        if self.freshness.last().is_none_or(|(_, last)| *last != fresh) {
            self.freshness.push((self.now, fresh));
        }
        if self.phases.last() != Some(&self.feed.phase()) {
            self.phases.push(self.feed.phase());
        }
    }

    fn look_at_witnesses(&mut self) {
        let Some(run) = self.feed.inspection().run.as_ref() else { return };
        let events = run.witnesses.iter().find(|witness| witness.source == WitnessSource::Events);
        let said = events.map(|witness| witness.view.state.to_string());
        self.witnessed.extend(said.filter(|said| self.witnessed.last() != Some(said)));
        let note = disagreement(&run.compare_witnesses()).map(|parts| text(&parts)).unwrap_or_default();
        if self.disagreements.last().map_or("", |(_, last)| last) != note {
            self.disagreements.push((self.now, note));
        }
    }

    /// Runs until `until`: pushes, answers and timers in the order of their times.
    pub(crate) fn run(&mut self, until: f64) {
        self.carry_out();
        self.look();
        let mut idle = 0;
        loop {
            let push = self.script.front().map(|(at, _)| *at);
            let reply = self.replies.iter().map(|(at, _)| *at).reduce(f64::min);
            let timer = self.feed.wake_at().map(|at| at.0.max(self.now));
            let next = [push, reply, timer].into_iter().flatten().reduce(f64::min);
            let Some(next) = next.filter(|next| *next <= until) else { break };
            self.now = self.now.max(next);
            if reply == Some(next) {
                let at = self.replies.iter().position(|(at, _)| *at == next).unwrap();
                let (_, text) = self.replies.remove(at);
                match text.as_str() {
                    "opened" => self.input(ClientInput::Opened),
                    "closed" => self.input(ClientInput::Closed { code: 1006, reason: "" }),
                    _ => self.input(ClientInput::Text(&text)),
                }
            } else if push == Some(next) {
                let (_, frame) = self.script.pop_front().unwrap();
                if frame["event"].as_str().is_some_and(|name| name.starts_with("devtools."))
                    && !self.subscribed
                {
                    self.held.push(frame);
                } else {
                    self.push(&frame);
                }
            } else {
                self.input(ClientInput::Timer);
                // Otherwise a client that asks to be woken at the same time would be woken forever.
                idle = if self.feed.wake_at() == timer.map(Millis) { idle + 1 } else { 0 };
                assert!(idle < 3, "woken at {next}, the feed does nothing and wants to be woken at {next}");
            }
        }
        self.now = until;
        self.look();
    }

    pub(crate) fn states(&self) -> Vec<&str> {
        self.states.iter().map(|(_, state)| state.as_str()).collect()
    }

    pub(crate) fn freshness(&self) -> Vec<&str> {
        self.freshness.iter().map(|(_, kind)| *kind).collect()
    }

    pub(crate) fn asked(&self, method: &str) -> usize {
        self.asked.iter().filter(|(_, asked, _)| asked == method).count()
    }

    pub(crate) fn asked_between(&self, method: &str, from: f64, until: f64) -> usize {
        self.asked.iter().filter(|(at, asked, _)| asked == method && (from..until).contains(at)).count()
    }
}

/// A run that stays as it is.
pub(crate) fn steady(run: Value, nodes: Value) -> Answers {
    Box::new(move |method, _, _| match method {
        "getRun" => Reply::Ok(run.clone()),
        "listNodeStates" => Reply::Ok(nodes.clone()),
        "getDevToolsSnapshot" => Reply::Ok(rpc("getDevToolsSnapshot-rewind-a")),
        "listRuns" | "attempts.list" => Reply::Ok(json!([])),
        _ => Reply::Ok(json!({})),
    })
}

pub(crate) fn working() -> Answers {
    steady(rpc("cancel-a.runs.get-running"), rpc("cancel-a.listNodeStates-running"))
}

pub(crate) fn watching(answers: Answers) -> Gateway {
    Gateway::new(Some("cancel-a"), Gateway::ticks(1e6), answers)
}

/// A server that answers until `until` and is silent then.
pub(crate) fn until(until: f64, mut answers: Answers) -> Answers {
    Box::new(
        move |method, params, now| if now < until { answers(method, params, now) } else { Reply::Silence },
    )
}
