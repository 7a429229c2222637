//! What a JSON document is, by its keys, and reading it.

use std::collections::BTreeMap;

use super::validate::refuse_duplicates;
use super::{DocumentError, acknowledged, holes, newest, ps, seen};
use crate::clock::Reading;
use crate::inspection::{Inspection, Recognised, Refusal, RunInspection};
use crate::json::{ReadError, Slice, Token, cut, fields, items, locate};
use crate::lionagi;
use crate::smithers::{
    RunRow, RunStateView, RunStatus, error_text, read_inspect_output, read_refusal, read_status_output,
    read_why_output, said,
};
use crate::text::{concat, json, quoted};
use crate::word::Word;

/// How many runs of a list are read; more is said. A run takes two kilobytes, and the reader has some hundred megabytes.
const MAX_RUNS: usize = 100_000;

/// How many broken rows of a list are named one by one.
const MAX_PROBLEMS: usize = 20;

/// Where a value comes from.
struct Origin<'a> {
    /// The method or path that was asked, where the document tells.
    method: Option<String>,
    name: Option<&'a str>,
    clock: Reading,
}

impl Origin<'_> {
    /// The source for the evidence: the method, else the part of the document.
    fn read_from(&self, part: &str) -> String {
        match (&self.method, self.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => concat(&[part, " in ", name]),
            (None, None) => part.to_owned(),
        }
    }
}

/// Reads one JSON value whose grammar was checked.
pub(super) fn read(
    slice: Slice<'_>,
    name: Option<&str>,
    clock: Reading,
) -> Result<Inspection, DocumentError> {
    let mut origin = Origin { method: None, name, clock };
    if !slice.is_object() {
        return answer(slice, &origin);
    }
    let [request, response] = fields(slice, ["request", "response"])?;
    match (request.filter(|part| part.is_object()), response.filter(|part| part.is_object())) {
        (Some(request), Some(response)) => {
            origin.method = asked(request)?;
            let [body] = fields(response, ["body"])?;
            answer(body.ok_or_else(|| not_json(response))?, &origin)
        }
        (_, _) => answer(slice, &origin),
    }
}

/// Whether a text is one value that lionagi's reader reads.
pub(super) fn is_of_lionagi(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    Slice::of_text(text).is_ok_and(|slice| lionagi::kind(slice).is_some())
}

/// Reads an answer in its envelope, or a bare payload; the question is known from elsewhere.
pub(super) fn read_answer(
    slice: Slice<'_>,
    method: Option<&str>,
    name: Option<&str>,
    clock: Reading,
) -> Result<Inspection, DocumentError> {
    answer(slice, &Origin { method: method.map(str::to_owned), name, clock })
}

/// The refusal of a recorded exchange whose answer has no body.
pub(super) fn not_json(response: Slice<'_>) -> DocumentError {
    let text = fields(response, ["bodyText"]).ok().and_then(|[text]| text);
    let message = "This is a recorded exchange whose answer is not JSON.";
    DocumentError::at(seen::NOT_RECOGNISED, message, text.unwrap_or(response).begin())
}

/// What a recorded request asked for: the RPC method, else the HTTP method and path.
fn asked(request: Slice<'_>) -> Result<Option<String>, ReadError> {
    let [method, path, body] = fields(request, ["method", "path", "body"])?;
    if let Some(body) = body.filter(|body| body.is_object()) {
        let [rpc] = fields(body, ["method"])?;
        if let Some(rpc) = rpc.and_then(Slice::text) {
            return Ok(Some(rpc));
        }
    }
    let text = |part: Option<Slice<'_>>| part.and_then(Slice::text);
    Ok(text(method).zip(text(path)).map(|(method, path)| concat(&[&method, " ", &path])))
}

/// Reads an answer, and names the moments in it that no clock shows.
fn answer(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let mut found = taken_out(slice, origin)?;
    let (mut at, mut problems) = (slice.begin(), Vec::new());
    for view in found.run.iter().chain(&found.runs).filter_map(|run| run.verdict.view()) {
        let Some(stamp) = view.computed_at.as_deref().filter(|_| view.said_at().is_none()) else { continue };
        if problems.len() < MAX_PROBLEMS {
            let rest = slice.whole().get(at..slice.end()).unwrap_or_default();
            at += rest.find(&json(stamp)).unwrap_or_default();
            let what =
                concat(&["`computedAt` is ", &quoted(cut(stamp)), ": when this was said is not known."]);
            problems.push(at_place(slice, at, &what));
            at += 1;
        }
    }
    found.problems.append(&mut problems);
    Ok(found)
}

/// Takes an answer out of its envelope: a frame, a REST answer, a refusal, or the bare payload.
fn taken_out(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    if !slice.is_object() {
        return payload(slice, origin);
    }
    let names = ["type", "ok", "payload", "data", "error", "code", "message", "event"];
    let [kind, ok, body, data, error, code, message, event] = fields(slice, names)?;
    let kind = kind.and_then(Slice::text);
    let refused = error.filter(|error| error.is_object() || error.text().is_some());
    match (kind.as_deref(), ok.map(Slice::json)) {
        (Some("event"), _) if is_text(event) => event_frame(slice, event, body, origin),
        // Others have an `ok` too: a refusal says why.
        (_, Some("false")) if refused.or(code).or(message).is_some() => {
            Ok(refusal(read_refusal(refused.unwrap_or(slice), origin.method.as_deref())))
        }
        (_, Some("true")) => match body.or(data) {
            Some(body) => payload(body, origin),
            None => Err(seen::not_recognised(slice)),
        },
        (_, _) => match refused {
            Some(error) if fields(slice, ["runId", "run_id", "root", "run"])?.iter().all(Option::is_none) => {
                Ok(refusal(read_refusal(error, origin.method.as_deref())))
            }
            _ if is_text(code) && is_text(message) => {
                Ok(refusal(read_refusal(slice, origin.method.as_deref())))
            }
            _ => payload(slice, origin),
        },
    }
}

fn refusal(refusal: Refusal) -> Inspection {
    Inspection { refusal: Some(refusal), ..inspection(Recognised::ErrorResponse, None) }
}

fn inspection(recognised: Recognised, run: Option<RunInspection>) -> Inspection {
    Inspection { recognised, run, runs: Vec::new(), refusal: None, problems: Vec::new() }
}

/// An event frame: only a `devtools.event` with a snapshot says enough by itself.
fn event_frame(
    slice: Slice<'_>,
    event: Option<Slice<'_>>,
    body: Option<Slice<'_>>,
    origin: &Origin<'_>,
) -> Result<Inspection, DocumentError> {
    let name = event.and_then(Slice::text).unwrap_or_default();
    let (Some(body), "devtools.event") = (body, name.as_str()) else {
        let message =
            concat(&["This is one ", &quoted(&name), " event. It does not say what the run is doing."]);
        return Err(DocumentError::at("NOT_RECOGNISED", message, slice.begin())
            .hint("Copy the answer of getRun or getDevToolsSnapshot."));
    };
    let [run_id, event] = fields(body, ["runId", "event"])?;
    let event = event.ok_or_else(|| body.refuse("The devtools.event has no \"event\"."))?;
    let [kind, snapshot] = fields(event, ["kind", "snapshot"])?;
    match (kind.and_then(Slice::text).as_deref(), snapshot) {
        (Some("snapshot"), Some(snapshot)) if is_text(run_id) => of_snapshot(snapshot, origin),
        (Some("snapshot"), Some(_)) => Err(body.refuse("The devtools.event has no \"runId\".").into()),
        // It is not read: whatever it says, the snapshot that it changes is not here.
        (Some("delta"), _) => Err(DocumentError::at(
            "NOT_RECOGNISED",
            "This is a DevTools delta: it changes a snapshot that is not here.",
            body.begin(),
        )
        .hint("Copy a snapshot instead.")),
        (_, _) => Err(event.refuse("Expected a devtools event of kind \"snapshot\" or \"delta\".").into()),
    }
}

fn is_text(field: Option<Slice<'_>>) -> bool {
    field.is_some_and(|field| matches!(field.token(), Ok(Token::String(_))))
}

/// What an object says of a run.
enum Payload<'a> {
    Snapshot,
    InspectOutput,
    WhyOutput,
    StatusOutput,
    RunState,
    Run,
    /// With its rows.
    PsOutput(Slice<'a>),
}

/// What an object says, by its keys; `None` where it is nothing that is read.
fn kind(slice: Slice<'_>) -> Result<Option<Payload<'_>>, ReadError> {
    let names = ["version", "root", "run", "runState", "steps", "nodes", "blockers", "summary"];
    let [version, root, run, run_state, steps, nodes, blockers, summary] = fields(slice, names)?;
    let names = ["runId", "run_id", "state", "computedAt", "verdict", "counts"];
    let [run_id, row_id, state, computed_at, verdict, counts] = fields(slice, names)?;
    let header = || version.and(run_state).and(run_id).is_some();
    Ok(if root.is_some() && (version.is_some() || run_id.is_some()) || header() {
        Some(Payload::Snapshot)
    } else if run.is_some_and(Slice::is_object) && run_state.or(steps).or(nodes).is_some() {
        Some(Payload::InspectOutput)
    } else if run_id.is_some() && blockers.is_some_and(Slice::is_array) && is_text(summary) {
        Some(Payload::WhyOutput)
    } else if is_text(verdict) && counts.is_some_and(Slice::is_object) {
        Some(Payload::StatusOutput)
    } else if run_id.is_some() && state.is_some() && computed_at.is_some() {
        Some(Payload::RunState)
    } else if run_id.or(row_id).is_some() && is_row(slice)? {
        Some(Payload::Run)
    } else if run_id.and(state).is_some() && fields(slice, ["nodeId", "type"])?.iter().all(Option::is_none) {
        return Err(slice.refuse("The run state has no \"computedAt\"."));
    } else {
        ps::rows(slice)?.map(Payload::PsOutput)
    })
}

/// Reads what an envelope held, or a document without one.
fn payload(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    if slice.is_array() {
        return list(slice, origin);
    }
    let kind = if slice.is_object() {
        if let Some(refusal) = acknowledged::refusal(slice, origin.method.as_deref())? {
            return Err(refusal);
        }
        kind(slice)?
    } else {
        None
    };
    let kind = kind.ok_or_else(|| seen::not_recognised(slice))?;
    if !matches!(kind, Payload::Snapshot | Payload::PsOutput(_)) {
        refuse_duplicates(slice)?;
    }
    Ok(match kind {
        Payload::Snapshot => return of_snapshot(slice, origin),
        Payload::InspectOutput => {
            let run = read_inspect_output(slice, &origin.read_from("smithers inspect"))?;
            inspection(Recognised::InspectOutput, Some(run))
        }
        Payload::WhyOutput => {
            let run = read_why_output(slice, &origin.read_from("smithers why"))?;
            inspection(Recognised::WhyOutput, Some(run))
        }
        Payload::StatusOutput => {
            let (run, refused) = read_status_output(slice, &origin.read_from("smithers status"))?;
            let kept = refused.map(|error| problem(slice, &error, "Quota kept as it came."));
            Inspection {
                problems: kept.into_iter().collect(),
                ..inspection(Recognised::StatusOutput, Some(run))
            }
        }
        Payload::RunState => {
            let view = RunStateView::read(slice)?;
            let run = RunInspection {
                run_id: Some(view.run_id.clone()),
                verdict: said(view, None, &origin.read_from("run state")),
                ..RunInspection::default()
            };
            inspection(Recognised::RunState, Some(run))
        }
        Payload::Run => {
            let row = RunRow::read(slice)?;
            let mut run = RunInspection::from_row_by_clock(&row, &origin.read_from("run row"), origin.clock);
            if run.error.is_none() && run.status == Some(Word::Known(RunStatus::Failed)) {
                // What `runWorkflow` answers is no row, and has its error as it was thrown.
                let [error] = fields(slice, ["error"])?;
                run.error = error.and_then(|error| error_text(error.json()));
            }
            inspection(Recognised::Run, Some(run))
        }
        Payload::PsOutput(rows) => {
            let read_from = origin.read_from("smithers ps");
            read_rows(rows, &|row| ps::read_row(row, &read_from))?
        }
    })
}

/// Whether an object with a run id is a run's row. Rows of nodes, attempts, approvals and frames, and
/// events have run ids too.
fn is_row(slice: Slice<'_>) -> Result<bool, ReadError> {
    let names = ["status", "createdAtMs", "created_at_ms", "workflowName", "workflow_name", "runState"];
    let others = fields(slice, ["nodeId", "node_id", "frameNo", "frame_no", "type"])?;
    Ok(others.iter().all(Option::is_none) && fields(slice, names)?.iter().any(Option::is_some))
}

fn of_snapshot(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let (run, problems) = holes::read(slice, &origin.read_from("runState of the snapshot"))?;
    Ok(Inspection { problems, ..inspection(Recognised::Snapshot, Some(run)) })
}

/// Reads a list of rows.
fn list(slice: Slice<'_>, origin: &Origin<'_>) -> Result<Inspection, DocumentError> {
    let asked_for_runs = matches!(origin.method.as_deref(), Some("listRuns" | "runs.list"));
    let (mut known, mut empty, mut broken) = (false, true, None);
    for row in items(slice)? {
        empty = false;
        match is_run(row?) {
            Ok(run) => known = run,
            // One row does not speak for the others.
            Err(error) => broken = broken.or(Some(error)),
        }
        if known {
            break;
        }
    }
    match (known, broken) {
        (true, _) => {}
        (false, Some(error)) => return Err(error.into()),
        (false, None) if empty && asked_for_runs => return Ok(inspection(Recognised::RunList, None)),
        (false, None) => return Err(seen::not_recognised(slice)),
    }
    let read_from = origin.read_from("run row");
    read_rows(slice, &|row| {
        let others = fields(row, ["nodeId", "node_id", "frameNo", "frame_no", "type"])?;
        if others.iter().any(Option::is_some) || acknowledged::refusal(row, None)?.is_some() {
            return Err(row.refuse("Expected a run's row, found something else."));
        }
        RunRow::read(row).map(|row| RunInspection::from_row_by_clock(&row, &read_from, origin.clock))
    })
}

/// Reads the rows of a list. A broken row is named and passed over, the others load.
fn read_rows(
    slice: Slice<'_>,
    read: &dyn Fn(Slice<'_>) -> Result<RunInspection, ReadError>,
) -> Result<Inspection, DocumentError> {
    let mut found = inspection(Recognised::RunList, None);
    let (mut broken, mut first) = (0, None);
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    for (place, row) in items(slice)?.enumerate() {
        let row = row?;
        if place >= MAX_RUNS {
            found.problems.push(format!("Only the first {MAX_RUNS} runs of the list are shown."));
            break;
        }
        match refuse_duplicates(row).and_then(|()| read(row)) {
            Ok(run) => found.problems.extend(add(&mut found.runs, &mut places, run, row)),
            Err(error) => {
                broken += 1;
                if broken == 1 {
                    first = Some(error.clone());
                }
                if broken <= MAX_PROBLEMS {
                    found.problems.push(problem(slice, &error, "Run skipped."));
                }
            }
        }
    }
    if let Some(error) = first.filter(|_| found.runs.is_empty()) {
        return Err(error.into());
    }
    if broken > MAX_PROBLEMS {
        found.problems.push(format!("{} more runs skipped.", broken - MAX_PROBLEMS));
    }
    Ok(found)
}

/// Adds a row, or joins it with one about the same run that the list has already.
fn add(
    runs: &mut Vec<RunInspection>,
    places: &mut BTreeMap<String, u64>,
    run: RunInspection,
    row: Slice<'_>,
) -> Option<String> {
    let id = run.run_id.clone().unwrap_or_default();
    let place = *places.entry(id).or_insert(runs.len() as u64) as usize;
    let Some(known) = runs.get_mut(place) else {
        runs.push(run);
        return None;
    };
    let differ = newest::differ(known, &run);
    let (counts, by_moments) = newest::second_counts(known, &run);
    if counts {
        *known = run;
    }
    let what = if by_moments { "The newer row is shown." } else { "Nothing tells which row is newer." };
    let what =
        concat(&["The run ", &quoted(known.run_id.as_deref().unwrap_or_default()), " is here twice. ", what]);
    differ.then(|| at_place(row, row.begin(), &what))
}

/// Whether an item of a list is a run's row.
pub(super) fn is_run(row: Slice<'_>) -> Result<bool, ReadError> {
    Ok(row.is_object() && has_run_id(row)? && is_row(row)? && acknowledged::refusal(row, None)?.is_none())
}

fn has_run_id(slice: Slice<'_>) -> Result<bool, ReadError> {
    Ok(fields(slice, ["runId", "run_id"])?.iter().any(Option::is_some))
}

/// A problem, and what was done about it.
fn problem(slice: Slice<'_>, error: &ReadError, done: &str) -> String {
    at_place(slice, error.offset, &concat(&[&error.message, " ", done]))
}

fn at_place(slice: Slice<'_>, offset: usize, message: &str) -> String {
    let position = locate(slice.whole(), offset);
    format!("Line {}, column {}: {message}", position.line, position.column)
}
