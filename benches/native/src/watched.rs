//! A second of a watched run beside a long list of runs.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use runstate::gateway::{ClientEffect, ClientInput, ClientOptions};
use runstate::time::Millis;
use runstate::viewer::{GatewaySource, Update, Viewer};
use serde_json::{Value, json};

use crate::round::{Round, since};

/// The watched seconds: fewer than the client waits before it requests the list again.
const SECONDS: u32 = 12;

/// What the viewer computes in a second in which the state of the watched run was read again.
pub(crate) fn watched_list(runs: u32, begin: Millis) -> Result<Round> {
    let list: Vec<Value> = (0..runs).map(|number| row(number, begin, begin)).collect();
    let watched = runs / 2;
    let mut gateway = Gateway { list: json!(list).to_string(), watched, begin, computed_at: begin };
    let mut viewer = Viewer::new(GatewaySource::connect(ClientOptions::new("ws://127.0.0.1:7331", 1), begin));
    gateway.answer(&mut viewer, ClientInput::Opened, begin)?;
    viewer.updates(begin);
    gateway.answer(&mut viewer, ClientInput::Watch(&format!("run-{watched}")), begin)?;
    viewer.updates(begin);
    let (mut milliseconds, mut headers) = (0.0, 0);
    for second in 1..=SECONDS {
        let now = Millis(begin.0 + 1_000.0 * f64::from(second));
        gateway.computed_at = now;
        gateway.answer(&mut viewer, ClientInput::Timer, now)?;
        let start = Instant::now();
        let updates = viewer.updates(now);
        milliseconds += since(start);
        headers += updates.iter().filter(|update| matches!(update, Update::Header(Some(_)))).count();
    }
    ensure!(headers == SECONDS as usize, "{headers} headers in {SECONDS} seconds");
    Ok(Round { milliseconds, times: SECONDS as usize, answer: json!(headers), bytes: None })
}

/// A Gateway that answers at once.
struct Gateway {
    list: String,
    watched: u32,
    begin: Millis,
    computed_at: Millis,
}

impl Gateway {
    /// Passes an input to the client and answers all its requests.
    fn answer(&self, viewer: &mut Viewer, input: ClientInput<'_>, now: Millis) -> Result<()> {
        let client = viewer.gateway().context("the source is a Gateway")?;
        let (mut effects, _) = client.handle(Some(input), now);
        while let Some(effect) = effects.pop() {
            let more = match effect {
                ClientEffect::Send(frame) => {
                    let answer = self.response(&frame)?;
                    client.handle(Some(ClientInput::Text(&answer)), now).0
                }
                ClientEffect::Open { .. } => client.handle(Some(ClientInput::Opened), now).0,
                ClientEffect::Close => Vec::new(),
            };
            effects.extend(more);
        }
        Ok(())
    }

    fn response(&self, frame: &str) -> Result<String> {
        let request: Value = serde_json::from_str(frame)?;
        let payload = match request["method"].as_str().context("a request has a method")? {
            "connect" => r#"{"protocol":1,"policy":{"heartbeatMs":1000},"snapshot":{"runs":[]}}"#.to_owned(),
            "listRuns" => self.list.clone(),
            "getRun" => row(self.watched, self.begin, self.computed_at).to_string(),
            "listNodeStates" => "[]".to_owned(),
            _ => "{}".to_owned(),
        };
        Ok(format!(r#"{{"type":"res","id":{},"ok":true,"payload":{payload}}}"#, request["id"]))
    }
}

/// A row as a Gateway sends it `at` a time; the runs started before `begin`.
fn row(number: u32, begin: Millis, at: Millis) -> Value {
    let run_id = format!("run-{number}");
    let state = ["running", "succeeded", "failed", "waiting-timer"][number as usize % 4];
    let started = begin.0 - 60_000.0 - f64::from(number);
    let computed_at = at.to_iso().unwrap_or_default();
    json!({
        "runId": run_id, "workflowName": "release-train", "status": "running", "startedAtMs": started,
        "heartbeatAtMs": at.0, "runtimeOwnerId": "pid:4000",
        "runState": { "runId": run_id, "state": state, "computedAt": computed_at },
    })
}
