//! Derives a run's state from its files (protocol section 6).

use super::end::{End, failure_text, find_exit};
use super::evidence;
use super::liveness::{Limits, StatusAge, evaluate_age};
use super::phase::{contradiction, phase};
use super::route::last_route;
use super::run::{ConductorRun, Gate, Note, PlannerDecision, RunSource, StaleHeartbeat, Terminal};
use super::steps::visits;
use crate::conductor::wire::{
    ConductorEventType, ConductorState, Directory, EventLog, Lifecycle, Liveness, Metadata, Phase,
    StatusDocument, StatusFile, Timestamp, UnknownReason, find_step_file,
};
use crate::evidence::Evidence;
use crate::json;
use crate::problem::Problems;
use crate::text::{concat, join, quoted};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// Derives the state of a run. `name` is the name of its directory, if the caller knows it.
pub(crate) fn derive(
    mut directory: Directory,
    name: Option<&str>,
    now: Millis,
    limits: &Limits,
) -> ConductorRun {
    let run_id = directory.keep_one_run();
    let name = name.map(str::to_owned).or_else(|| directory.name.clone());
    let other_run = run_id.clone().zip(name).filter(|(run_id, name)| run_id != name);
    let status = std::mem::replace(&mut directory.status, StatusFile::Absent);
    let mut run = run_without_state(&directory, &status, now);
    run.run_id = run_id;
    let end = End::find(&directory);
    if let Some((run_id, name)) = &other_run {
        let message = concat(&["The run is ", &quoted(run_id), ", its directory ", &quoted(name), "."]);
        directory.problems.add_to_file(&directory.status_file, None, message);
        run.run_id = None;
    }
    derive_status(&mut run, &mut directory, &status, other_run.is_some(), end.as_ref(), now, limits);
    if let (ConductorState::Unknown, Some(end)) = (run.state, end) {
        let End { termination, last_step_id, file, .. } = end;
        run.notes.push(Note::EndedElsewhere {
            termination: termination.as_str().to_owned(),
            last_step_id,
            file,
        });
    }
    let readable = match &status {
        StatusFile::Read(status, _) => Some(&**status),
        StatusFile::Unreadable(_) | StatusFile::Absent | StatusFile::Malformed => None,
    };
    run.last_route = last_route(&directory, readable, &run);
    add_unknown_event_types(&mut directory);
    run.problems = directory.problems;
    run
}

fn add_unknown_event_types(directory: &mut Directory) {
    let Some(log) = directory.log.as_ref().filter(|log| !log.unknown_types.is_empty()) else { return };
    let words: Vec<String> = log.unknown_types.iter().map(|word| quoted(json::cut(word))).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let count = log.unknown_type_count.to_string();
    let events = if log.unknown_type_count == 1 { " event has a type" } else { " events have types" };
    let message = concat(&[&count, events, " that Runstate does not know: ", &join(&words, ", "), "."]);
    directory.problems.add_to_file(&directory.log_file, None, message);
}

/// Derives the state from `status.json`, or returns the reason why that is impossible.
fn derive_status(
    run: &mut ConductorRun,
    directory: &mut Directory,
    status: &StatusFile,
    other_run: bool,
    end: Option<&End>,
    now: Millis,
    limits: &Limits,
) {
    match status {
        StatusFile::Absent => {
            set_file_unusable(run, Phase::Absent, UnknownReason::StatusAbsent);
            let named = directory.auxiliary_files.iter().find_map(|file| file.run_id.clone());
            run.run_id = run.run_id.take().or(named.filter(|_| !other_run));
            run.notes.extend(step_records(directory));
            run.evidence.read_from.clear();
        }
        StatusFile::Unreadable(_) => {
            set_file_unusable(run, Phase::Unreadable, UnknownReason::StatusUnreadable);
            if let Some(end) = end.filter(|end| !other_run && end.is_settled(directory, now, limits)) {
                set_recorded_end(run, directory, end);
            }
        }
        StatusFile::Malformed => set_file_unusable(run, Phase::Malformed, UnknownReason::StatusMalformed),
        StatusFile::Read(_, _) if other_run => {
            set_file_unusable(run, Phase::Malformed, UnknownReason::RunIdMismatch);
        }
        StatusFile::Read(status, faults) if !faults.is_empty() => {
            set_file_unusable(run, Phase::Malformed, UnknownReason::StatusMalformed);
            evidence::add_malformed_status(&mut run.evidence, status, faults);
        }
        StatusFile::Read(status, _) => derive_readable_status(run, directory, status, end, now, limits),
    }
}

/// The maximum number of listed steps.
const MAX_STEPS: usize = 5;

/// Notes on the files of steps, if there are neither a status nor metadata nor events.
fn step_records(directory: &Directory) -> Vec<Note> {
    if directory.metadata.is_some() || directory.log.is_some() {
        return Vec::new();
    }
    let record = |what: &'static str, value: &str| Note::Record { what, value: value.to_owned() };
    let decided = directory.planner_decisions.iter().map(|(_, word)| record("The planner decided", word));
    let asked = directory.gate_requests.iter();
    let asked =
        asked.map(|(_, request)| record("A gate asked:", request.gate.as_deref().unwrap_or("no kind")));
    let outcome = directory.gate_outcomes.iter().map(|(_, word)| record("The gate answered", word));
    let auxiliary = directory.auxiliary_files.iter().map(|file| record(file.what, &file.value));
    let steps = directory.manifests.iter().take(MAX_STEPS).map(|(_, step)| {
        let words =
            [step.step_id.as_deref(), step.opcode.as_ref().map(Word::as_str), step.termination.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        record("A step:", &join(&words, " "))
    });
    decided.chain(asked).chain(outcome).chain(auxiliary).chain(steps).collect()
}

/// The fields of a run that do not depend on its state.
fn run_without_state(directory: &Directory, status: &StatusFile, now: Millis) -> ConductorRun {
    let none = StatusDocument::default();
    let status = match status {
        StatusFile::Read(status, _) | StatusFile::Unreadable(status) => status,
        StatusFile::Absent | StatusFile::Malformed => &none,
    };
    let metadata = directory.metadata.as_ref();
    let from_metadata = |field: fn(&Metadata) -> Option<&Timestamp>| metadata.and_then(field);
    let started =
        status.started_at.as_ref().or_else(|| from_metadata(|metadata| metadata.started_at.as_ref()));
    ConductorRun {
        run_id: None,
        workflow_id: status
            .workflow_id
            .clone()
            .or_else(|| metadata.and_then(|metadata| metadata.workflow_id.clone())),
        state: ConductorState::Unknown,
        phase: Phase::Absent,
        blocked: None,
        unhealthy: None,
        terminal: None,
        decision: None,
        last_route: None,
        unknown_reason: None,
        source: source(status),
        liveness: Liveness::NotKnown,
        failure: None,
        started_at: started.and_then(|started| started.at),
        updated_at: status.updated_at.as_ref().and_then(|updated| updated.at),
        ended_at: from_metadata(|metadata| metadata.ended_at.as_ref()).and_then(|ended| ended.at),
        visits: directory.log.as_ref().map(visits).unwrap_or_default(),
        step_texts: directory.step_texts.clone(),
        last_events: directory.log.as_ref().map(EventLog::last).unwrap_or_default(),
        notes: directory.log.is_none().then_some(Note::NoEvents).into_iter().collect(),
        evidence: Evidence {
            inputs: Vec::new(),
            read_from: directory.status_file.clone(),
            read_at: Some(now),
        },
        problems: Problems::default(),
    }
}

fn source(status: &StatusDocument) -> RunSource {
    RunSource {
        lifecycle_state: status.lifecycle_state.clone(),
        termination: status.termination.clone(),
        blocking_reason: status.blocking_reason.clone(),
        active_opcode: status.active_opcode.clone(),
        runner_family: status.active_runner_family.clone(),
        current_step_id: status.current_step_id.clone(),
        last_completed_step_id: status.last_completed_step_id.clone(),
        last_route_target: status.last_route_target.clone(),
        worktree_path: status.worktree_path.clone(),
        elapsed_seconds: status.elapsed_seconds,
        updated_at: status.updated_at.as_ref().map(|updated| updated.text.clone()),
    }
}

/// Sets the state to unknown because of the file `status.json`.
fn set_file_unusable(run: &mut ConductorRun, phase: Phase, reason: UnknownReason) {
    set_unknown(run, phase, reason);
    evidence::add_status_file(&mut run.evidence, reason);
}

fn set_unknown(run: &mut ConductorRun, phase: Phase, reason: UnknownReason) {
    run.phase = phase;
    run.unknown_reason = Some(reason);
}

/// Derives the state from a `status.json` with all required fields.
fn derive_readable_status(
    run: &mut ConductorRun,
    directory: &mut Directory,
    status: &StatusDocument,
    end: Option<&End>,
    now: Millis,
    limits: &Limits,
) {
    add_unknown_words(directory, status);
    evidence::add_status(&mut run.evidence, status);
    let Some(lifecycle) = status.lifecycle_state.as_ref().and_then(Word::known) else {
        return set_unknown(run, Phase::Unrecognised, UnknownReason::LifecycleUnrecognised);
    };
    let phase = phase(status);
    if let Some(names) = contradiction(status, phase, lifecycle) {
        let names = join(names, "` and `");
        let message =
            concat(&["`", &names, "` contradict each other: tnh-conductor never writes this combination."]);
        directory.problems.add_to_file(&directory.status_file, None, message);
        return set_unknown(run, Phase::Contradictory, UnknownReason::StatusContradictory);
    }
    run.phase = phase;
    if phase == Phase::Terminal {
        return set_ended(run, directory, lifecycle, status.current_step_id.clone());
    }
    if let Some(end) = end
        && end_applies(run, directory, status, end, now, limits)
    {
        return;
    }
    derive_active(run, directory, status, phase, now, limits);
}

/// Handles an end that another file reports although `status.json` shows an active run. Returns whether the run has
/// ended.
fn end_applies(
    run: &mut ConductorRun,
    directory: &mut Directory,
    status: &StatusDocument,
    end: &End,
    now: Millis,
    limits: &Limits,
) -> bool {
    match end.lifecycle().filter(|_| end.overrides(status, now, limits)) {
        Some(_) => return set_recorded_end(run, directory, end),
        None if end.precedes(status) => {
            let message = "It says that the run ended, yet the status was written later.";
            directory.problems.add_to_file(&end.file, None, message);
        }
        None => run.notes.push(Note::Ending),
    }
    false
}

/// Sets the end that another file than `status.json` records. Returns whether its termination is known.
fn set_recorded_end(run: &mut ConductorRun, directory: &Directory, end: &End) -> bool {
    let Some(declared) = end.lifecycle() else { return false };
    set_ended(run, directory, declared, end.last_step_id.clone());
    run.unknown_reason = None;
    run.notes.push(Note::StatusOutOfDate);
    evidence::set_end(&mut run.evidence, end);
    if let Some(terminal) = &mut run.terminal {
        terminal.by_metadata = true;
    }
    true
}

/// Sets the state of a run that has ended, with the manifest of its last step as evidence.
fn set_ended(run: &mut ConductorRun, directory: &Directory, declared: Lifecycle, last: Option<String>) {
    let exit = find_exit(directory, declared, last.as_deref());
    let failed = declared == Lifecycle::Failed;
    run.state = if failed { ConductorState::Failed } else { ConductorState::Succeeded };
    run.phase = Phase::Terminal;
    run.liveness = Liveness::Ended;
    run.failure = if failed { failure_text(directory, &exit) } else { None };
    evidence::add_exit(&mut run.evidence, &exit, &directory.log_file);
    run.terminal = Some(Terminal { declared, last_step_id: last, exit, by_metadata: false });
}

/// Derives the state of a run that has not ended: before its first step, in a step, or between two.
fn derive_active(
    run: &mut ConductorRun,
    directory: &Directory,
    status: &StatusDocument,
    phase: Phase,
    now: Millis,
    limits: &Limits,
) {
    let waiting = status.lifecycle_state.as_ref().and_then(Word::known) == Some(Lifecycle::Waiting);
    let StatusAge { liveness, limit_ms, unknown_reason, notes } = evaluate_age(status, phase, now, limits);
    run.liveness = liveness;
    run.notes.extend(notes);
    run.state = if waiting { ConductorState::WaitingApproval } else { ConductorState::Running };
    if waiting {
        run.blocked = Some(gate(directory, status));
    }
    if let Some(next) = &status.last_route_target {
        run.decision = Some(decision(directory, status, next));
    }
    if liveness == Liveness::Stale {
        run.state = ConductorState::Stale;
        let text = status.updated_at.as_ref().map(|updated| updated.text.clone()).unwrap_or_default();
        run.unhealthy = Some(StaleHeartbeat { last_heartbeat_at: text });
    } else if unknown_reason.is_some() {
        run.state = ConductorState::Unknown;
        run.unknown_reason = unknown_reason;
    }
    evidence::mark_decisive(&mut run.evidence, run.state, phase, limit_ms);
}

fn gate(directory: &Directory, status: &StatusDocument) -> Gate {
    let step_id = status.current_step_id.as_deref();
    let events = directory.log.as_ref().map_or(&[][..], |log| &log.events);
    let request_time = |id: &str| {
        let last = events.iter().rev().find(|event| {
            let is_gate_event =
                event.is(ConductorEventType::GateRequested) || event.is(ConductorEventType::GateResolved);
            event.is_of(id) && (is_gate_event || event.ends_step())
        })?;
        // Otherwise the last request is that of an earlier visit.
        last.timestamp.as_ref().filter(|_| last.is(ConductorEventType::GateRequested))
    };
    let event_time = step_id.and_then(request_time);
    let time = event_time.or(status.updated_at.as_ref());
    Gate {
        node_id: status.current_step_id.clone(),
        requested_at: time.map(|time| time.text.clone()),
        requested: time.and_then(|time| time.at),
        approximate: event_time.is_none(),
        request: step_id.and_then(|id| find_step_file(&directory.gate_requests, id)).cloned(),
    }
}

/// The decision on the next step. The outcome is that of `status.json`, or of the files of the step.
fn decision(directory: &Directory, status: &StatusDocument, next: &str) -> PlannerDecision {
    let step_id = status.last_completed_step_id.as_deref();
    let termination = || status.termination.as_ref().map(|word| word.as_str().to_owned());
    let from_files = || {
        let step_id = step_id?;
        let planner = find_step_file(&directory.planner_decisions, step_id);
        planner.or_else(|| find_step_file(&directory.gate_outcomes, step_id)).cloned()
    };
    PlannerDecision {
        step_id: step_id.map(str::to_owned),
        status: status.blocking_reason.clone().or_else(termination).or_else(from_files),
        next_step_id: next.to_owned(),
    }
}

fn add_unknown_words(directory: &mut Directory, status: &StatusDocument) {
    let lifecycle = unknown_word(status.lifecycle_state.as_ref());
    let opcode = unknown_word(status.active_opcode.as_ref());
    let family = unknown_word(status.active_runner_family.as_ref());
    let termination = unknown_word(status.termination.as_ref());
    for (what, word) in [lifecycle, opcode, family, termination].into_iter().flatten() {
        let message =
            concat(&["The ", what, " ", &quoted(word), " is not known; it is shown as it was written."]);
        directory.problems.add_to_file(&directory.status_file, None, message);
    }
}

fn unknown_word<V: Vocabulary>(word: Option<&Word<V>>) -> Option<(&'static str, &str)> {
    word.filter(|word| word.known().is_none()).map(|word| (V::NAME, word.as_str()))
}
