//! The state and the facts of a run according to its events. Times are milliseconds since 1970.

use std::collections::BTreeMap;

use runstate::evidence::Evidence;
use runstate::log::{self as core, Caveat, LogCounts as EventCounts, OtherRun, Tokens, ToolCalls};
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::output::millis;
use crate::view::{Open, ReasonBlocked};

/// The state and the facts of a run according to its events, as of the last one. Times are milliseconds since 1970.
// Its reason has the form of `view`, and the core knows more than it returns.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct EventLogView {
    run_id: Option<String>,
    workflow: Option<String>,
    /// The state of the run when the last event was written.
    state: String,
    #[tsify(type = "ReasonBlocked | { kind: string & {}; [field: string]: unknown }")]
    blocked: Option<Open<ReasonBlocked>>,
    evidence: Evidence,
    /// Whether events are missing after the one that determines the state.
    across_gap: bool,
    /// Why the state may be outdated.
    caveats: Vec<Caveat>,
    as_of_ms: Option<f64>,
    age_ms: Option<f64>,
    started_at_ms: Option<f64>,
    ended_at_ms: Option<f64>,
    /// The number of starts of the engine.
    starts: u32,
    continued_as: Option<String>,
    error: Option<String>,
    /// The tolerated failures of a succeeded run, as far as they are named.
    failed_children: Vec<String>,
    /// The number of tolerated failures, including those that are not named.
    failed_child_count: u64,
    /// The number of nodes in each state.
    #[tsify(type = "Record<string, number>")]
    nodes: BTreeMap<String, u64>,
    open_approvals: u64,
    open_timers: u64,
    calls: ToolCalls,
    tokens: Tokens,
    counts: EventCounts,
    other_runs: Vec<OtherRun>,
}

impl From<core::LogView> for EventLogView {
    fn from(view: core::LogView) -> Self {
        let nodes = view.nodes.into_iter().map(|(state, count)| (state.as_str().to_owned(), count));
        Self {
            run_id: view.run_id,
            workflow: view.workflow,
            state: view.state.to_string(),
            blocked: view.blocked.map(Open::from),
            evidence: view.evidence,
            across_gap: view.across_gap,
            caveats: view.caveats,
            as_of_ms: millis(view.as_of),
            age_ms: view.age_ms,
            started_at_ms: millis(view.started_at),
            ended_at_ms: millis(view.ended_at),
            starts: view.starts,
            continued_as: view.continued_as,
            error: view.error,
            failed_children: view.failed_children,
            failed_child_count: view.failed_child_count,
            nodes: nodes.collect(),
            open_approvals: view.open_approvals,
            open_timers: view.open_timers,
            calls: view.calls,
            tokens: view.tokens,
            counts: view.counts,
            other_runs: view.other_runs,
        }
    }
}
