//! From the files to the view (protocol section 6).

use super::ended::End;
use super::exit::{exit, failure};
use super::liveness::{Limits, StatusAge, seen};
use super::notes;
use super::phase::{contradiction, phase};
use super::steps::visits;
use super::view::{ConductorRun, Gate, Note, PlannerDecision, RunSource, Silence, Terminal};
use crate::conductor::wire::Metadata;
use crate::conductor::wire::Stamp;
use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{ConductorEventType, ConductorState, Lifecycle, Liveness, Phase, Why};
use crate::conductor::wire::{Directory, StatusFile, of_step};
use crate::evidence::Evidence;
use crate::json;
use crate::text::{concat, join, quoted};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// Derives what the run does. `name` is the directory's, where the caller knows it.
pub(crate) fn derive(
    mut directory: Directory,
    name: Option<&str>,
    now: Millis,
    limits: &Limits,
) -> ConductorRun {
    let run_id = directory.one_run();
    let name = name.map(str::to_owned).or_else(|| directory.name.clone());
    let other_run = run_id.clone().zip(name).filter(|(run_id, name)| run_id != name);
    let status = std::mem::replace(&mut directory.status, StatusFile::Absent);
    let mut run = base(&directory, &status, now);
    run.run_id = run_id;
    let end = End::read(&directory);
    if let Some((run_id, name)) = &other_run {
        let message = concat(&["The run is ", &quoted(run_id), ", its directory ", &quoted(name), "."]);
        directory.problems.add(&directory.status_file, None, message);
        run.run_id = None;
    }
    by_status(&mut run, &mut directory, &status, other_run.is_some(), end.as_ref(), now, limits);
    if let (ConductorState::Unknown, Some(end)) = (run.state, end) {
        let End { termination, last_step_id, file, .. } = end;
        run.notes.push(Note::EndedElsewhere {
            termination: termination.as_str().to_owned(),
            last_step_id,
            file,
        });
    }
    if let Some(log) = directory.log.as_ref().filter(|log| !log.foreign.is_empty()) {
        let words: Vec<String> = log.foreign.iter().map(|word| quoted(json::cut(word))).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let count = log.foreign_events.to_string();
        let events = if log.foreign_events == 1 { " event has a type" } else { " events have types" };
        let message = concat(&[&count, events, " that Runstate does not know: ", &join(&words, ", "), "."]);
        directory.problems.add(&directory.log_file, None, message);
    }
    run.problems = directory.problems.finish();
    run
}

/// What the status says, as far as it can be read.
fn by_status(
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
            unknown(run, Phase::Absent, Why::StatusAbsent);
            let named = directory.beside.iter().find_map(|file| file.run_id.clone());
            run.run_id = run.run_id.take().or(named.filter(|_| !other_run));
            run.notes.extend(records(directory));
            run.evidence.read_from.clear();
        }
        StatusFile::Unreadable(_) => unknown(run, Phase::Unreadable, Why::StatusUnreadable),
        StatusFile::Malformed => unknown(run, Phase::Malformed, Why::StatusMalformed),
        StatusFile::Read(_, _) if other_run => unknown(run, Phase::Malformed, Why::RunIdMismatch),
        StatusFile::Read(status, faults) if !faults.is_empty() => {
            unknown(run, Phase::Malformed, Why::StatusMalformed);
            notes::faulty(&mut run.evidence, status, faults);
        }
        StatusFile::Read(status, _) => read(run, directory, status, end, now, limits),
    }
}

/// How many steps are named one by one.
const MAX_STEPS: usize = 5;

/// What the files of steps tell where there is no run to tell it of: no status, no metadata and no event.
fn records(directory: &Directory) -> Vec<Note> {
    if directory.metadata.is_some() || directory.log.is_some() {
        return Vec::new();
    }
    let record = |what: &'static str, said: &str| Note::Record { what, said: said.to_owned() };
    let decided = directory.planner_decisions.iter().map(|(_, word)| record("The planner decided", word));
    let asked = directory.gate_requests.iter();
    let asked =
        asked.map(|(_, request)| record("A gate asked:", request.gate.as_deref().unwrap_or("no kind")));
    let outcome = directory.gate_outcomes.iter().map(|(_, word)| record("The gate answered", word));
    let beside = directory.beside.iter().map(|file| record(file.what, &file.said));
    let steps = directory.manifests.iter().take(MAX_STEPS).map(|(_, step)| {
        let words =
            [step.step_id.as_deref(), step.opcode.as_ref().map(Word::as_str), step.termination.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        record("A step:", &join(&words, " "))
    });
    decided.chain(asked).chain(outcome).chain(beside).chain(steps).collect()
}

/// What is known whatever the state.
fn base(directory: &Directory, status: &StatusFile, now: Millis) -> ConductorRun {
    let none = StatusDocument::default();
    let status = match status {
        StatusFile::Read(status, _) | StatusFile::Unreadable(status) => status,
        StatusFile::Absent | StatusFile::Malformed => &none,
    };
    let metadata = directory.metadata.as_ref();
    let by_metadata = |stamp: fn(&Metadata) -> Option<&Stamp>| metadata.and_then(stamp);
    let started = status.started_at.as_ref().or_else(|| by_metadata(|of| of.started_at.as_ref()));
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
        why: None,
        source: source(status),
        liveness: Liveness::NotKnown,
        failure: None,
        started_at: started.and_then(|stamp| stamp.at),
        updated_at: status.updated_at.as_ref().and_then(|stamp| stamp.at),
        ended_at: by_metadata(|of| of.ended_at.as_ref()).and_then(|stamp| stamp.at),
        visits: directory.log.as_ref().map(visits).unwrap_or_default(),
        notes: directory.log.is_none().then_some(Note::NoEvents).into_iter().collect(),
        evidence: Evidence {
            inputs: Vec::new(),
            read_from: directory.status_file.clone(),
            read_at: Some(now),
        },
        problems: Vec::new(),
    }
}

/// The raw words.
fn source(status: &StatusDocument) -> RunSource {
    RunSource {
        lifecycle_state: status.lifecycle_state.clone(),
        termination: status.termination.clone(),
        blocking_reason: status.blocking_reason.clone(),
        active_opcode: status.active_opcode.clone(),
        runner_family: status.active_runner_family.clone(),
        current_step_id: status.current_step_id.clone(),
        last_route_target: status.last_route_target.clone(),
        updated_at: status.updated_at.as_ref().map(|stamp| stamp.text.clone()),
    }
}

fn unknown(run: &mut ConductorRun, phase: Phase, why: Why) {
    run.phase = phase;
    run.why = Some(why);
    notes::missing(&mut run.evidence, why);
}

/// A status whose fields can be read.
fn read(
    run: &mut ConductorRun,
    directory: &mut Directory,
    status: &StatusDocument,
    end: Option<&End>,
    now: Millis,
    limits: &Limits,
) {
    say_foreign_words(directory, status);
    notes::status(&mut run.evidence, status);
    let Some(lifecycle) = status.lifecycle_state.as_ref().and_then(Word::known) else {
        return undecided(run, Phase::Unrecognised, Why::LifecycleUnrecognised);
    };
    let phase = phase(status);
    if let Some(names) = contradiction(status, phase, lifecycle) {
        let names = join(names, "` and `");
        let message = concat(&["`", &names, "` do not go together: the kernel never writes them so."]);
        directory.problems.add(&directory.status_file, None, message);
        return undecided(run, Phase::Contradictory, Why::StatusContradictory);
    }
    run.phase = phase;
    if phase == Phase::Terminal {
        return ended(run, directory, lifecycle, status.current_step_id.clone());
    }
    if let Some(end) = end
        && by_end(run, directory, status, end, now, limits)
    {
        return;
    }
    going_on(run, directory, status, phase, now, limits);
}

/// What another file says of the end; whether that is the answer.
fn by_end(
    run: &mut ConductorRun,
    directory: &mut Directory,
    status: &StatusDocument,
    end: &End,
    now: Millis,
    limits: &Limits,
) -> bool {
    match end.declared().filter(|_| end.holds(status, now, limits)) {
        Some(declared) => {
            ended(run, directory, declared, end.last_step_id.clone());
            run.notes.push(Note::StatusOutOfDate);
            notes::ended_by(&mut run.evidence, end);
            if let Some(terminal) = &mut run.terminal {
                terminal.by_metadata = true;
            }
            return true;
        }
        None if end.is_before(status) => {
            let message = "It says that the run ended, yet the status was written later.";
            directory.problems.add(&end.file, None, message);
        }
        None => run.notes.push(Note::Ending),
    }
    false
}

fn undecided(run: &mut ConductorRun, phase: Phase, why: Why) {
    run.phase = phase;
    run.why = Some(why);
}

/// The run has ended; the exit's own file is what that rests on.
fn ended(run: &mut ConductorRun, directory: &Directory, declared: Lifecycle, last: Option<String>) {
    let exit = exit(directory, declared, last.as_deref());
    let failed = declared == Lifecycle::Failed;
    run.state = if failed { ConductorState::Failed } else { ConductorState::Succeeded };
    run.phase = Phase::Terminal;
    run.liveness = Liveness::Ended;
    run.failure = if failed { failure(directory, &exit) } else { None };
    notes::exit(&mut run.evidence, &exit);
    if let Some(file) = &exit.file {
        run.evidence.read_from.clone_from(file);
    }
    run.terminal = Some(Terminal { declared, last_step_id: last, exit, by_metadata: false });
}

/// A run that has not ended: initial, in a step, or between two.
fn going_on(
    run: &mut ConductorRun,
    directory: &Directory,
    status: &StatusDocument,
    phase: Phase,
    now: Millis,
    limits: &Limits,
) {
    let waiting = status.lifecycle_state.as_ref().and_then(Word::known) == Some(Lifecycle::Waiting);
    let StatusAge { liveness, limit_ms, why, notes } = seen(status, phase, now, limits);
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
        let text = status.updated_at.as_ref().map(|stamp| stamp.text.clone()).unwrap_or_default();
        run.unhealthy = Some(Silence { last_heartbeat_at: text });
    } else if why.is_some() {
        run.state = ConductorState::Unknown;
        run.why = why;
    }
    notes::decided(&mut run.evidence, run.state, phase, limit_ms);
}

fn gate(directory: &Directory, status: &StatusDocument) -> Gate {
    let step_id = status.current_step_id.as_deref();
    let events = directory.log.as_ref().map_or(&[][..], |log| &log.events);
    let of_step = |id: &str| {
        let last = events.iter().rev().find(|event| {
            let about =
                event.is(ConductorEventType::GateRequested) || event.is(ConductorEventType::GateResolved);
            event.is_of(id) && (about || event.ends_step())
        })?;
        // An older visit's request, when the log lags behind.
        last.timestamp.as_ref().filter(|_| last.is(ConductorEventType::GateRequested))
    };
    let asked = step_id.and_then(of_step);
    let stamp = asked.or(status.updated_at.as_ref());
    Gate {
        node_id: status.current_step_id.clone(),
        requested_at: stamp.map(|stamp| stamp.text.clone()),
        requested: stamp.and_then(|stamp| stamp.at),
        approximate: asked.is_none(),
        request: step_id.and_then(|id| self::of_step(&directory.gate_requests, id)).cloned(),
    }
}

/// The outcome that chose the route: the status's own words first, then those of the step's files.
fn decision(directory: &Directory, status: &StatusDocument, next: &str) -> PlannerDecision {
    let step_id = status.last_completed_step_id.as_deref();
    let termination = || status.termination.as_ref().map(|word| word.as_str().to_owned());
    let by_file = || {
        let step_id = step_id?;
        let planner = of_step(&directory.planner_decisions, step_id);
        planner.or_else(|| of_step(&directory.gate_outcomes, step_id)).cloned()
    };
    PlannerDecision {
        step_id: step_id.map(str::to_owned),
        status: status.blocking_reason.clone().or_else(termination).or_else(by_file),
        next_step_id: next.to_owned(),
    }
}

fn say_foreign_words(directory: &mut Directory, status: &StatusDocument) {
    let lifecycle = foreign(status.lifecycle_state.as_ref());
    let opcode = foreign(status.active_opcode.as_ref());
    let family = foreign(status.active_runner_family.as_ref());
    let termination = foreign(status.termination.as_ref());
    for (what, word) in [lifecycle, opcode, family, termination].into_iter().flatten() {
        let message = concat(&["The ", what, " ", &quoted(word), " is not known; it is kept as it came."]);
        directory.problems.add(&directory.status_file, None, message);
    }
}

fn foreign<V: Vocabulary>(word: Option<&Word<V>>) -> Option<(&'static str, &str)> {
    word.filter(|word| word.known().is_none()).map(|word| (V::NAME, word.as_str()))
}
