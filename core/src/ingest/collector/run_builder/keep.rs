//! What an older answer told and a newer one leaves out.

use crate::evidence::{Input, Signal, Value};
use crate::run::{RunInspection, Verdict};
use crate::text::concat;

/// Hands on what the older answer told, if the newer one says the same state and leaves it out.
pub(super) fn keep(old: &mut RunInspection, fresh: &mut RunInspection) {
    if !same(old, fresh) {
        return;
    }
    // The command names everything: what it leaves out is over.
    let by_command =
        matches!(fresh.verdict, Verdict::Derived { .. }) && fresh.row.is_none() && fresh.status.is_some();
    let named = fresh.verdict.view().and_then(|view| view.blocked.as_ref()?.node_id());
    let mut nodes = old.told.iter().filter_map(|told| told.node.as_ref());
    if !by_command && named.is_none_or(|named| nodes.any(|node| node.node_id == named)) {
        fresh.told = std::mem::take(&mut old.told);
    }
    keep_reason(old, fresh);
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

/// The same for a newer view, which is nothing but a state and its reason.
pub(super) fn keep_beside_view(old: &mut RunInspection, fresh: &mut RunInspection) {
    if same(old, fresh) {
        keep_reason(old, fresh);
    } else {
        old.told.clear();
    }
}

/// Whether both say the same; one without a state may say it with the column alone.
fn same(old: &RunInspection, fresh: &RunInspection) -> bool {
    match (old.verdict.view(), fresh.verdict.view()) {
        (Some(old), Some(fresh)) => old.state == fresh.state,
        (_, _) => old.status.is_none() || fresh.status.is_none() || old.status == fresh.status,
    }
}

/// What the run waits for stays what it was, and the evidence says who told it.
fn keep_reason(old: &RunInspection, fresh: &mut RunInspection) {
    let (Some(was), Some(evidence_of_old)) = (old.verdict.view(), old.verdict.evidence()) else { return };
    let Some(reason) = &was.blocked else { return };
    let (Verdict::Said { view, evidence } | Verdict::Derived { view, evidence }) = &mut fresh.verdict else {
        return;
    };
    if view.blocked.is_none() {
        let words = concat(&[reason.kind(), ", told by ", &evidence_of_old.read_from]);
        let (value, at) = (Value::Text(words), was.said_at());
        evidence.inputs.push(Input {
            name: Signal::EarlierReason,
            value,
            at,
            limit_ms: None,
            decisive: false,
        });
        view.blocked = Some(reason.clone());
    }
}
