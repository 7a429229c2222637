//! Says of the runs of a list that one has ended while a run that it started goes on.

use std::collections::HashMap;

use crate::run::RunInspection;
use crate::smithers::wire::RunState;

/// The maximum number of children that a note of their parent names.
const MAX_NAMED: usize = 3;

/// Adds a note to each run that has ended while a run that it started has not, and to that run.
pub(super) fn add_notes(runs: &mut [RunInspection]) {
    let by_id: HashMap<&str, usize> =
        runs.iter().enumerate().filter_map(|(index, run)| Some((run.run_id.as_deref()?, index))).collect();
    let pairs: Vec<(usize, usize)> = runs
        .iter()
        .enumerate()
        .filter_map(|(child, run)| Some((*by_id.get(run.parent_run_id.as_deref()?)?, child)))
        .filter(|(parent, child)| outlives(&runs[*parent], &runs[*child]))
        .collect();
    let mut children: HashMap<usize, Vec<String>> = HashMap::new();
    for (parent, child) in pairs {
        let note = format!("Its parent run, {}, has ended: {}.", id(&runs[parent]), state(&runs[parent]));
        let name = format!("{} ({})", id(&runs[child]), state(&runs[child]));
        runs[child].caveats.push(note.into());
        children.entry(parent).or_default().push(name);
    }
    for (parent, names) in children {
        let named = names.get(..MAX_NAMED).unwrap_or(&names).join(", ");
        let more = names.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        runs[parent].caveats.push(format!("Runs that it started have not ended: {named}{more}.").into());
    }
}

/// Whether the parent has ended and the child has not. A run that continues its parent begins when the parent ends.
fn outlives(parent: &RunInspection, child: &RunInspection) -> bool {
    let known = |run: &RunInspection| run.known_state().filter(|state| *state != RunState::Unknown);
    let has_ended = |run: &RunInspection| known(run).map(RunState::is_terminal);
    !parent.continued && has_ended(parent) == Some(true) && has_ended(child) == Some(false)
}

fn id(run: &RunInspection) -> &str {
    run.run_id.as_deref().unwrap_or_default()
}

fn state(run: &RunInspection) -> &str {
    run.view().map_or("", |view| view.state.as_str())
}
