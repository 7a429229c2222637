//! The recorded vectors: the released package's answers, row by row.

use runstate::smithers::derive::{
    ComputeError, ComputeRunStateOptions, Derivation, RunStateAdapter, compute_run_state_from_row,
    derive_run_state, derive_run_state_view,
};
use runstate::smithers::wire::{ApprovalRow, AttemptRow, NodeRow, RunRow, SandboxRow};
use runstate::time::Millis;
use serde::Deserialize;
use serde_json::Value;

use crate::input::{
    DeriveInput, InvalidInput, Kind, ValueSource, read_approvals, read_attempts, read_compute_options,
    read_derive_input, read_nodes, read_run, read_sandboxes,
};

/// How a row is answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// The row's input, and the probe for a live owner.
    AsGiven,
    /// Like the above, with Smithers 0.32's grace period for timers if the row has none.
    Released,
    /// The row's input without any signal that seed 000 does not have.
    Seed,
}

/// The result: the JSON text, or the refusal.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The view as JSON text.
    Json(String),
    /// A time outside the range of `Date`.
    InvalidTime,
    /// An input outside the types, with its path.
    Refused(String),
}

/// One row of `valid/cases.ndjson` or `invalid/cases.ndjson`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Vector {
    #[serde(rename = "case")]
    pub name: String,
    pub class: String,
    input: Value,
    alive_pids: Vec<f64>,
    output: Option<String>,
    error: Option<Refusal>,
    /// The released package's answer, if it differs or is a refusal.
    pub upstream: Option<Upstream>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    code: String,
    path: Option<String>,
}

/// The released package's answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    pub output: Option<String>,
    /// The name of the error.
    pub error: Option<String>,
}

/// The grace of the released package, milliseconds.
const RELEASED_GRACE_MS: f64 = 30_000.0;

/// The rows of `derive` or `compute`: those of `valid`, those of `invalid`.
pub fn read(folder: &str) -> [Vec<Vector>; 2] {
    ["valid", "invalid"].map(|kind| {
        let file = format!("{folder}/{kind}/cases.ndjson");
        let path = format!("{}/../vectors/smithers/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let rows = text.lines().map(serde_json::from_str);
        let rows: Vec<Vector> =
            rows.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{file}: {error}"));
        let is_kind = |row: &Vector| row.output.is_some() == (kind == "valid");
        assert!(rows.iter().all(is_kind), "{file} holds a row of the other kind");
        rows
    })
}

impl Vector {
    /// Runstate's expected answer to the row.
    pub fn expected(&self) -> Outcome {
        match (&self.output, &self.error) {
            (Some(json), None) => Outcome::Json(json.clone()),
            (None, Some(refusal)) => match (refusal.code.as_str(), &refusal.path) {
                ("INVALID_TIME", None) => Outcome::InvalidTime,
                ("INVALID_INPUT", Some(path)) => Outcome::Refused(path.clone()),
                other => panic!("{}: {other:?}", self.name),
            },
            _ => panic!("{} is neither answered nor refused, or both", self.name),
        }
    }

    /// The released package's answer to the row.
    pub fn released(&self) -> Outcome {
        match &self.upstream {
            None => self.expected(),
            Some(Upstream { output: Some(json), error: None }) => Outcome::Json(json.clone()),
            Some(Upstream { output: None, error: Some(name) }) if name == "RangeError" => {
                Outcome::InvalidTime
            }
            Some(Upstream { output: None, error: Some(_) }) => Outcome::Refused(String::new()),
            Some(_) => panic!("{}: what does the released package do?", self.name),
        }
    }
}

/// The outcome and, for an answer, its derivation.
pub type Answered = (Outcome, Option<Derivation>);

pub fn derive(vector: &Vector, mode: Mode) -> Answered {
    let mut input = match read_derive_input(&Js(Some(&vector.input))) {
        Ok(input) => input,
        Err(refusal) => return (Outcome::Refused(refusal.path), None),
    };
    match mode {
        Mode::AsGiven => {}
        Mode::Released => {
            input.options.timer_overdue_grace_ms.get_or_insert(RELEASED_GRACE_MS);
        }
        Mode::Seed => {
            input = DeriveInput { parked_event_block: None, sandbox_heartbeats: None, ..input };
            input.options.timer_overdue_grace_ms = None;
        }
    }
    let probe = |pid: f64| vector.alive_pids.contains(&pid);
    let clock = Millis(0.0);
    let input = input.signals(clock, if mode == Mode::Seed { None } else { Some(&probe) });
    let derived = derive_run_state(&input);
    let alone = derive_run_state_view(&input);
    let view = derived.as_ref().map(|derived| &derived.view);
    // Compared as text, in which NaN equals itself.
    assert_eq!(format!("{:?}", alone.as_ref()), format!("{view:?}"), "vector {}", vector.name);
    outcome(derived.map_err(|_| Outcome::InvalidTime))
}

pub fn compute(vector: &Vector, mode: Mode) -> Answered {
    let input = Js(Some(&vector.input));
    let read = read_run(&input.field("run")).and_then(|run| {
        let options = read_compute_options(&input.field("options"), &run)?;
        Ok((run, options))
    });
    let (run, options) = match read {
        Ok(read) => read,
        Err(refusal) => return (Outcome::Refused(refusal.path), None),
    };
    let probe = |pid: f64| vector.alive_pids.contains(&pid);
    let given = options;
    let mut options = ComputeRunStateOptions::new(Millis(given.now.unwrap()));
    options.stale_threshold_ms = given.stale_threshold_ms;
    options.timer_overdue_grace_ms = (mode == Mode::Released).then_some(RELEASED_GRACE_MS);
    options.is_owner_pid_alive = if mode == Mode::Seed { None } else { Some(&probe) };
    let adapter = Recorded { input: &vector.input, has_sandboxes: mode != Mode::Seed };
    outcome(compute_run_state_from_row(&adapter, &run, &options).map_err(|error| match error {
        ComputeError::InvalidTime(_) => Outcome::InvalidTime,
        ComputeError::Adapter(refusal) => Outcome::Refused(refusal.path),
        other => panic!("{other:?}"),
    }))
}

fn outcome(answer: Result<Derivation, Outcome>) -> Answered {
    match answer {
        Ok(derivation) => (Outcome::Json(serde_json::to_string(&derivation.view).unwrap()), Some(derivation)),
        Err(outcome) => (outcome, None),
    }
}

/// Reads the argument of `deriveRunState` from JSON text.
///
/// # Errors
/// [`InvalidInput`] if the text is not such an input.
pub fn read_input(json: &str) -> Result<DeriveInput, InvalidInput> {
    read_derive_input(&Js(Some(&serde_json::from_str(json).unwrap())))
}

/// The rows that accompany the run in a vector.
struct Recorded<'a> {
    input: &'a Value,
    has_sandboxes: bool,
}

impl RunStateAdapter for Recorded<'_> {
    type Error = InvalidInput;

    fn get_run(&self, _: &str) -> Result<Option<RunRow>, InvalidInput> {
        read_run(&Js(self.input.get("run"))).map(Some)
    }

    fn list_pending_approvals(&self, _: &str) -> Result<Vec<ApprovalRow>, InvalidInput> {
        read_approvals(&Js(self.input.get("approvals")))
    }

    fn list_nodes(&self, _: &str) -> Result<Vec<NodeRow>, InvalidInput> {
        read_nodes(&Js(self.input.get("nodes")))
    }

    fn list_attempts(&self, _: &str, node: &str, iteration: f64) -> Result<Vec<AttemptRow>, InvalidInput> {
        let rows = self.input["attempts"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["nodeId"] == node && row["iteration"].as_f64().unwrap_or(0.0) == iteration);
        read_attempts(&Js(Some(&Value::Array(rows.cloned().collect()))))
    }

    fn list_sandboxes(&self, _: &str) -> Result<Option<Vec<SandboxRow>>, InvalidInput> {
        match self.input.get("sandboxes") {
            Some(rows) if self.has_sandboxes => read_sandboxes(&Js(Some(rows))).map(Some),
            Some(_) | None => Ok(None),
        }
    }
}

/// A recorded value; values that JSON lacks are written `{"$": "NaN"}`.
#[derive(Clone, Copy)]
struct Js<'a>(Option<&'a Value>);

impl ValueSource for Js<'_> {
    fn kind(&self) -> Kind {
        match self.0 {
            None => Kind::Undefined,
            Some(Value::Null) => Kind::Null,
            Some(Value::Bool(value)) => Kind::Bool(*value),
            Some(Value::Number(number)) => Kind::Number(number.as_f64().unwrap()),
            Some(Value::String(text)) => Kind::Text(text.clone()),
            Some(Value::Array(_)) => Kind::List,
            Some(Value::Object(object)) => match object.get("$").and_then(Value::as_str) {
                Some("undefined") => Kind::Undefined,
                Some("NaN") => Kind::Number(f64::NAN),
                Some("Infinity") => Kind::Number(f64::INFINITY),
                Some("-Infinity") => Kind::Number(f64::NEG_INFINITY),
                Some("-0") => Kind::Number(-0.0),
                Some(other) => panic!("no such value: {other}"),
                None => Kind::Object,
            },
        }
    }

    fn field(&self, name: &str) -> Self {
        Self(self.0.and_then(|value| value.get(name)))
    }

    fn items(&self) -> Vec<Self> {
        self.0.and_then(Value::as_array).into_iter().flatten().map(|item| Self(Some(item))).collect()
    }
}
