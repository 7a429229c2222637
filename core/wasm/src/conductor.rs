//! `readConductorRun`: reads the run directory of tnh-conductor, or any part of it.

use js_sys::{Array, Object};
use runstate::conductor::derive;
use runstate::conductor::read_run_directory;
use runstate::file::File;
use runstate::time::Millis;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::collections::BTreeMap;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{Unchecked, bytes, read_object, refused};
use crate::error::Error;
use crate::names::{fields, refuse_seconds, refuse_unknown};
use crate::output::{Json, read_own, typed};

/// The result of `inspect` for run directories of tnh-conductor, complete or in part.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct ConductorInspection {
    #[tsify(type = "\"tnh-conductor\"")]
    system: &'static str,
    #[tsify(type = "\"conductor-run\" | \"conductor-runs\"")]
    recognised: &'static str,
    /// The run, if there is exactly one.
    run: Option<ConductorRun>,
    /// The runs, if there are several.
    runs: Option<Vec<ConductorRun>>,
    problems: Vec<String>,
}

/// The state of a tnh-conductor run (seed 004).
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ConductorRun {
    /// `null` if no file contains it.
    #[tsify(type = "string | null")]
    run_id: Json,
    state: String,
    /// The phase that `status.json` describes, or why there is none.
    phase: String,
    /// The gate at which the run waits.
    #[tsify(type = "ConductorGate | null")]
    blocked: Json,
    #[tsify(type = "{ kind: \"engine-heartbeat-stale\"; lastHeartbeatAt: string } | null")]
    unhealthy: Json,
    /// How the run ended; `null` if it has not ended. `completed` means that STOP was reached; `exitClean` is whether the
    /// run ended cleanly, `null` if that is not known.
    #[tsify(type = "ConductorEnd | null")]
    terminal: Json,
    /// The next step, for a run between steps.
    #[tsify(type = "{ stepId: string | null; status: string | null; nextStepId: string } | null")]
    decision: Json,
    /// The last decision on the next step, which may be active meanwhile. `attempt` is the number of that visit of the next
    /// step: more than 1 for a retry or a refinement, `null` without events.
    #[tsify(
        type = "{ stepId: string | null; status: string | null; nextStepId: string; attempt: number | null } | null"
    )]
    last_route: Json,
    /// Why the state is `unknown`.
    why: Option<String>,
    /// The words of the files, verbatim.
    #[tsify(type = "Record<string, string | null>")]
    source: BTreeMap<String, Json>,
    /// The parts that could not be read, one sentence each, with the position.
    problems: Option<Vec<String>>,
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
export type ConductorGate = {
  kind: \"approval\";
  nodeId: string | null;
  requestedAt: string | null;
  requestedAtApproximate?: true;
  gate?: string | null;
  timeoutSeconds?: number | null;
};

export type ConductorEnd = {
  declared: string;
  lastStepId: string | null;
  exitStepId: string | null;
  exitOpcode: string | null;
  exitOutcome: string | null;
  exitClean: boolean | null;
};
";

/// The options of `readConductorRun`.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ConductorOptions {
    /// The time for which the state is derived, in milliseconds since 1970.
    now: f64,
    /// The name of the directory, which must be the run's id.
    #[serde(default)]
    #[tsify(type = "string")]
    directory: Unchecked,
}

/// Returns the state of a tnh-conductor run, read from the files of its directory; the keys of `files` are paths relative to
/// that directory.
///
/// # Errors
/// `INVALID_INPUT` if an argument does not match its type, `NOT_RECOGNISED` if none of the files belongs to a run.
#[wasm_bindgen(js_name = readConductorRun)]
pub fn read_conductor_run(
    #[wasm_bindgen(unchecked_param_type = "Readonly<Record<string, Content>>")] files: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "ConductorOptions")] options: &JsValue,
) -> Result<Ts<ConductorRun>, Error> {
    let files = contents(files)?;
    refuse_unknown(options, "options", &[fields::<ConductorOptions>()])?;
    let options: ConductorOptions = read_object(options, "options")?;
    refuse_seconds(Some(options.now), "options.now")?;
    let directory: Option<String> = options.directory.optional("options.directory")?;
    let files: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    let run = read_run_directory(&files, Millis(options.now), directory.as_deref())?;
    typed(&ConductorRun::new(&run)?)
}

fn contents(files: &JsValue) -> Result<Vec<(String, Vec<u8>)>, Error> {
    if !files.is_object() || Array::is_array(files) {
        return Err(refused("files", "an object of files by relative path", files));
    }
    let entries = Object::entries(files.unchecked_ref()).into_iter().map(|entry| {
        let entry: Array = entry.unchecked_into();
        let name = entry.get(0).as_string().unwrap_or_default();
        let bytes = bytes(&entry.get(1), &format!("files[\"{name}\"]"))?;
        Ok((name, bytes))
    });
    entries.collect()
}

impl ConductorRun {
    fn new(run: &derive::ConductorRun) -> Result<Self, Error> {
        read_own(&run.to_json())
    }
}

impl ConductorInspection {
    pub(crate) fn new(
        runs: &[derive::ConductorRun],
        recognised: &'static str,
        problems: &[String],
    ) -> Result<Self, Error> {
        let mut runs: Vec<ConductorRun> = runs.iter().map(ConductorRun::new).collect::<Result<_, _>>()?;
        let run = if runs.len() == 1 { runs.pop() } else { None };
        Ok(Self {
            system: "tnh-conductor",
            recognised,
            runs: Some(runs).filter(|runs| !runs.is_empty()),
            run,
            problems: problems.to_vec(),
        })
    }
}
