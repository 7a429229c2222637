//! The tree of a run of tnh-conductor: its steps in the order of their first visits. The visits of a step are its iterations,
//! of which the tree has the last one, as it has of a loop of Smithers.

use std::collections::HashMap;

use super::{Draft, SystemTree};
use crate::conductor::derive::{ConductorRun, Visit};
use crate::conductor::wire::{ConductorState, Timestamp};
use crate::json::{Slice, fields};
use crate::pill::Taxonomy;
use crate::smithers::wire::NodeState;

/// The steps of a run; `None` without events, which alone contain the visits.
pub(in crate::ingest) fn conductor_tree(run: &ConductorRun) -> Option<SystemTree> {
    let mut steps: Vec<Draft> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for visit in &run.visits {
        let place = *places.entry(&visit.step_id).or_insert(steps.len());
        match steps.get_mut(place) {
            Some(step) => *step = draft(run, visit),
            None => steps.push(draft(run, visit)),
        }
    }
    if steps.is_empty() {
        return None;
    }
    let name = run.workflow_id.as_ref().or(run.run_id.as_ref());
    let root = Draft {
        node_type: "workflow",
        title: name.map_or("run without id", String::as_str).to_owned(),
        state: Some((Taxonomy::Conductor, run.display_state().to_owned())),
        children: steps,
        ..Draft::default()
    };
    root.into_tree()
}

/// A step as its last visit so far leaves it.
fn draft(run: &ConductorRun, visit: &Visit) -> Draft {
    let at = |time: &Option<Timestamp>| time.as_ref().and_then(|time| time.at);
    Draft {
        node_type: "step",
        title: visit.step_id.clone(),
        id: Some(visit.step_id.clone()),
        is_work: true,
        iteration: visit.attempt.saturating_sub(1),
        kind: opcode(run, &visit.step_id),
        counted: visit_state(run, visit, visit.attempt),
        started_at: at(&visit.started_at),
        finished_at: at(&visit.ended_at),
        ..Draft::default()
    }
}

/// The opcode of a step: that of its manifest, or that of the status while the step runs.
fn opcode(run: &ConductorRun, step_id: &str) -> Option<String> {
    let mut manifests = run.step_texts.iter().filter(|text| text.file == "manifest.json");
    let manifest = manifests.find(|text| text.step_id == step_id);
    let of_manifest = || fields(Slice::new(&manifest?.json), ["opcode"]).ok()?[0]?.text();
    let is_current = run.source.current_step_id.as_deref() == Some(step_id);
    let active = run.source.active_opcode.as_ref().filter(|_| is_current);
    of_manifest().or_else(|| active.map(|opcode| opcode.as_str().to_owned()))
}

/// The number of the last visit of a step.
pub(crate) fn last_visit(run: &ConductorRun, step_id: &str) -> Option<u32> {
    run.visits.iter().filter(|visit| visit.step_id == step_id).map(|visit| visit.attempt).max()
}

/// The state of a visit; `None` for one that has not ended in a run of which nobody knows whether it goes on. `last` is the
/// number of the last visit of its step.
pub(crate) fn visit_state(run: &ConductorRun, visit: &Visit, last: u32) -> Option<NodeState> {
    match visit.failed {
        Some(true) => return Some(NodeState::Failed),
        Some(false) => return Some(NodeState::Finished),
        None => {}
    }
    let is_current = visit.attempt == last && run.source.current_step_id.as_ref() == Some(&visit.step_id);
    match run.state {
        ConductorState::Running => is_current.then_some(NodeState::InProgress),
        ConductorState::WaitingApproval => is_current.then_some(NodeState::WaitingApproval),
        ConductorState::Stale
        | ConductorState::Failed
        | ConductorState::Succeeded
        | ConductorState::Unknown => None,
    }
}
