//! Sentences against the design's own copy: one case per state, edge and freshness.

use super::{Answer, AnswerPill, Span, answer, freshness_pill, text};
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::freshness::Freshness;
use crate::pill::{Icon, Tone};
use crate::run::{RunInspection, Witness, WitnessSource};
use crate::smithers::wire::NodeState;
use crate::smithers::wire::NodeStatus;
use crate::time::Millis;
use crate::tree::Tree;
use crate::word::{Vocabulary, Word};

mod clock;
mod freshness;
mod outcomes;
mod sentences;

const NOW: &str = "2026-11-21T14:06:10.000Z";

fn at(time: &str) -> Millis {
    let text = if time.contains('T') { time.to_owned() } else { format!("2026-11-21T{time}.000Z") };
    Millis::parse_iso(&text).unwrap()
}

fn live() -> Freshness {
    Freshness::Live { read_at: at("14:06:08") }
}

fn lost() -> Freshness {
    Freshness::Lost {
        as_of: at("14:05:23"),
        attempt: 4,
        retry_at: Some(at("14:06:18")),
        silence_limit_ms: Some(37_500.0),
    }
}

fn input(name: Signal, value: Value, limit_ms: Option<f64>, decisive: bool) -> Input {
    let at = match &value {
        Value::Time(at) => Some(*at),
        Value::Absent | Value::Word(_) | Value::Text(_) => None,
    };
    Input { at, limit_ms, ..Input::new(name, value, decisive) }
}

/// A run whose view is this JSON, without `runId` and `computedAt`.
fn run(fields: &str) -> RunInspection {
    let view = format!(r#"{{"runId":"r","computedAt":"2026-11-21T14:06:08.031Z",{fields}}}"#);
    let evidence =
        Evidence { inputs: Vec::new(), read_from: "runs.get".into(), read_at: Some(at("14:06:08")) };
    let view = serde_json::from_str(&view).unwrap();
    let verdict = Some(Witness::new(WitnessSource::Server, view, evidence));
    RunInspection { verdict, ..RunInspection::default() }
}

fn node(id: &str, iteration: u32, state: &str, started: &str) -> NodeStatus {
    NodeStatus {
        node_id: id.into(),
        iteration,
        state: Word::new(state),
        last_attempt: Some(1),
        label: None,
        updated_at: None,
        started_at: (!started.is_empty()).then(|| at(started)),
        finished_at: None,
    }
}

fn with_nodes(fields: &str, nodes: Vec<NodeStatus>) -> RunInspection {
    RunInspection { nodes: nodes.into(), ..run(fields) }
}

fn with_inputs(mut run: RunInspection, inputs: Vec<Input>) -> RunInspection {
    run.verdict.as_mut().unwrap().evidence.inputs = inputs;
    run
}

fn shown(run: &RunInspection, freshness: &Freshness) -> Answer {
    answer(run, freshness, at(NOW))
}

/// Label, tone and age of the pill.
fn pill_of(answer: &Answer) -> (String, Tone, Option<String>) {
    match &answer.pill {
        AnswerPill::Absent => ("absent".into(), answer.tone, None),
        AnswerPill::Pill { pill, as_of, .. } => (pill.label.to_string(), pill.tone, as_of.clone()),
    }
}

fn says(run: &RunInspection, sentence: &str, meta: &str) {
    let answer = shown(run, &live());
    assert_eq!((text(&answer.sentence), text(&answer.meta)), (sentence.into(), meta.into()));
}
