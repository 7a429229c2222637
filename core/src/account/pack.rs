//! What an account is made of, as text for another build of this crate: the one that reads documents and the one that has
//! the words may be two downloads.

use super::Account;
use crate::clock::Reading;
use crate::evidence::{Evidence, Value};
use crate::inspection::{NodeStatus, RunInspection, Verdict};
use crate::json::Pack;
use crate::smithers::{Attempt, RunStateView, Target, Witness};
use crate::time::Millis;
use crate::word::Vocabulary;

/// What stands in front of a verdict, and in front of an input's value.
pub(super) const VERDICTS: [&str; 3] = ["absent", "said", "derived"];
pub(super) const VALUES: [&str; 4] = ["absent", "word", "time", "text"];

impl Account {
    /// What the account of a run is made of, in the form that [`Account::unpack`] reads. `live` is whether the run was heard
    /// of just now; else what is told of it is told of when it was recorded.
    ///
    /// See [`Account::unpack`] for an example.
    pub fn pack(run: &RunInspection, clock: Reading, live: bool) -> String {
        let mut out = Pack::new();
        out.optional_number(Some(clock.now.0));
        out.optional_number(Some(clock.error_ms));
        out.flag(live);
        out.optional(run.run_id.as_deref());
        time(&mut out, run.created_at);
        time(&mut out, run.started_at);
        time(&mut out, run.finished_at);
        verdict(&mut out, &run.verdict);
        out.list(&run.summary, |out, (state, count)| {
            out.text(state.as_str());
            out.number(*count as f64);
        });
        out.list(&run.nodes, node);
        let tree = run.tree.as_ref().filter(|tree| !tree.is_empty());
        out.optional(tree.map(crate::tree::Tree::to_json).as_deref());
        out.optional(run.error.as_deref());
        out.list(&run.failed_children, |out, key| out.text(key));
        out.number(run.failed_child_count as f64);
        out.flag(run.continued);
        out.optional(run.continued_as.as_deref());
        out.optional(run.status.as_ref().map(crate::word::Word::as_str));
        row(&mut out, run);
        out.list(&run.witnesses, witness);
        out.list(&run.attempts, attempt);
        boundary(&mut out, run);
        out.list(&run.caveats, |out, caveat| out.text(caveat));
        out.list(&run.told, |out, told| {
            out.text(told.kind.as_str());
            target(out, told.node.as_ref());
            out.text(&told.reason);
            out.optional(told.command.as_deref());
            out.optional(told.deny.as_deref());
            time(out, told.until);
        });
        out.finish()
    }
}

fn time(out: &mut Pack, time: Option<Millis>) {
    out.optional_number(time.map(|time| time.0));
}

fn small(out: &mut Pack, number: Option<u32>) {
    out.optional_number(number.map(f64::from));
}

fn verdict(out: &mut Pack, verdict: &Verdict) {
    let [absent, said, derived] = VERDICTS;
    let (kind, view, evidence) = match verdict {
        Verdict::Absent => return out.text(absent),
        Verdict::Said { view, evidence } => (said, view, evidence),
        Verdict::Derived { view, evidence } => (derived, view, evidence),
    };
    out.text(kind);
    out.text(&json(view));
    pack_evidence(out, evidence);
}

fn json(view: &RunStateView) -> String {
    let mut json = String::new();
    view.write_json(&mut json);
    json
}

fn pack_evidence(out: &mut Pack, evidence: &Evidence) {
    let [absent, word, moment, text] = VALUES;
    out.list(&evidence.inputs, |out, input| {
        out.text(input.name);
        match &input.value {
            Value::Absent => out.text(absent),
            Value::Word(value) => {
                out.text(word);
                out.text(value);
            }
            Value::Time(at) => {
                out.text(moment);
                time(out, Some(*at));
            }
            Value::Text(value) => {
                out.text(text);
                out.text(value);
            }
        }
        time(out, input.at);
        out.optional_number(input.limit_ms);
        out.flag(input.decisive);
    });
    out.text(&evidence.read_from);
    time(out, evidence.read_at);
}

fn node(out: &mut Pack, node: &NodeStatus) {
    out.text(&node.node_id);
    out.number(f64::from(node.iteration));
    out.text(node.state.as_str());
    small(out, node.last_attempt);
    out.optional(node.label.as_deref());
    for at in [node.updated_at, node.started_at, node.finished_at] {
        time(out, at);
    }
}

fn row(out: &mut Pack, run: &RunInspection) {
    out.flag(run.row.is_some());
    if let Some(row) = &run.row {
        time(out, row.heartbeat_at);
        out.optional(row.owner.as_deref());
        time(out, row.cancel_requested_at);
        out.text(&row.read_from);
    }
}

fn witness(out: &mut Pack, witness: &Witness) {
    out.text(witness.source.as_str());
    out.text(witness.state.as_str());
    time(out, witness.at);
    pack_evidence(out, &witness.evidence);
}

fn attempt(out: &mut Pack, attempt: &Attempt) {
    out.text(&attempt.node_id);
    out.number(f64::from(attempt.iteration));
    small(out, attempt.attempt);
    out.text(attempt.state.as_str());
    time(out, attempt.started_at);
    time(out, attempt.heartbeat_at);
    out.optional_number(attempt.heartbeat_timeout_ms);
    small(out, attempt.retries);
    out.optional(attempt.signal.as_deref());
    out.optional(attempt.correlation_id.as_deref());
    time(out, attempt.read_at);
}

fn boundary(out: &mut Pack, run: &RunInspection) {
    out.flag(run.boundary.is_some());
    if let Some(boundary) = &run.boundary {
        out.optional(boundary.operation.as_deref());
        out.number(boundary.effects as f64);
        out.flag(boundary.late);
        time(out, boundary.at);
    }
}

fn target(out: &mut Pack, target: Option<&Target>) {
    out.optional(target.map(|target| &*target.node_id));
    if let Some(target) = target {
        out.number(f64::from(target.iteration));
    }
}
