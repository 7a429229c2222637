//! Keeps facts of an older answer that a newer one does not contain.

use crate::evidence::{Input, Signal, Value};
use crate::run::{RunInspection, Witness};
use crate::text::concat;

/// Copies facts that only the older answer contains to the newer answer if both have the same state.
pub(super) fn carry_over(old: &mut RunInspection, fresh: &mut RunInspection) {
    if !have_same_state(old, fresh) {
        return;
    }
    // The command lists everything: a wait that it does not list is over.
    let derived = fresh.verdict.as_ref().is_some_and(Witness::is_derived);
    let by_command = derived && fresh.row.is_none() && fresh.status.is_some();
    let named = fresh.view().and_then(|view| view.blocked.as_ref()?.node_id());
    let mut nodes = old.reported_blockers.iter().filter_map(|blocker| blocker.node.as_ref());
    if !by_command && named.is_none_or(|named| nodes.any(|node| node.node_id == named)) {
        fresh.reported_blockers = std::mem::take(&mut old.reported_blockers);
    }
    carry_over_reason(old, fresh);
    fresh.error = fresh.error.take().or(old.error.take());
    if fresh.failed_children.is_empty() {
        fresh.failed_children = std::mem::take(&mut old.failed_children);
    }
    fresh.failed_child_count = fresh.failed_child_count.max(old.failed_child_count);
    fresh.continued |= old.continued;
    fresh.continued_as = fresh.continued_as.take().or(old.continued_as.take());
    fresh.finished_at = fresh.finished_at.or(old.finished_at);
    fresh.status = fresh.status.take().or(old.status.take());
}

/// Copies facts to a newer view, which contains only a state and its reason.
pub(super) fn carry_over_to_view(old: &mut RunInspection, fresh: &mut RunInspection) {
    if have_same_state(old, fresh) {
        carry_over_reason(old, fresh);
    } else {
        old.reported_blockers.clear();
    }
}

/// Whether both have the same state or, if one has no state, the same status column.
fn have_same_state(old: &RunInspection, fresh: &RunInspection) -> bool {
    match (old.view(), fresh.view()) {
        (Some(old), Some(fresh)) => old.state == fresh.state,
        (_, _) => old.status.is_none() || fresh.status.is_none() || old.status == fresh.status,
    }
}

/// Keeps the reason of a wait; the evidence names its source.
fn carry_over_reason(old: &RunInspection, fresh: &mut RunInspection) {
    let (Some(was), Some(Witness { view, evidence, .. })) = (&old.verdict, &mut fresh.verdict) else {
        return;
    };
    let Some(reason) = &was.view.blocked else { return };
    if view.blocked.is_none() {
        let words = concat(&[reason.kind(), ", from ", &was.evidence.read_from]);
        let input = Input::new(Signal::EarlierReason, Value::Text(words), false);
        evidence.inputs.push(Input { at: was.view.computed_time(), ..input });
        view.blocked = Some(reason.clone());
    }
}
