//! The state and the facts of a run according to its events. Times are milliseconds since 1970.

use std::collections::BTreeMap;

use runstate::log as core;
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::evidence::Evidence;
use crate::output::millis;
use crate::view::{Open, ReasonBlocked};

/// The state and the facts of a run according to its events, as of the last one. Times are milliseconds since 1970.
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

/// A reason why the state of a log may be outdated. The sequence numbers of `left-out` may belong to frames, which
/// `smithers events --json` does not print.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Caveat {
    Lost {
        events: u64,
        gaps: u64,
    },
    LeftOut {
        events: u64,
        gaps: u64,
    },
    Unread {
        lines: u64,
    },
    Repeated {
        events: u64,
    },
    NoStart,
    FromNodes,
    AfterTheEnd {
        events: u32,
    },
    UnreadAtEnd {
        lines: u64,
    },
    #[serde(rename_all = "camelCase")]
    UnknownLast {
        event_type: String,
    },
    #[serde(rename_all = "camelCase")]
    Contradicted {
        state: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        at_ms: Option<f64>,
    },
    TimesInSeconds {
        events: u32,
    },
    TimesGoBack {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
        ms: f64,
    },
    NewestFirst,
    EndMayBeMissing,
}

/// Another run in the same log.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct OtherRun {
    run_id: String,
    state: String,
}

/// The numbers of tool calls.
#[derive(Serialize, Tsify)]
pub struct ToolCalls {
    started: u64,
    answered: u64,
    failed: u64,
}

/// The numbers of used tokens, and of the reports about them.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    reports: u64,
    input: f64,
    output: f64,
    cache_read: f64,
    cache_write: f64,
    reasoning: f64,
}

/// The numbers of lines and events of a log, of unreadable lines, repeated events, gaps and lost events.
#[derive(Serialize, Tsify)]
pub struct EventCounts {
    lines: u64,
    events: u64,
    unread: u64,
    repeated: u64,
    gaps: u64,
    lost: u64,
}

/// A node in one iteration, according to the events.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct EventLogNode {
    node_id: String,
    iteration: u32,
    /// Absent, like `changedAtMs` and `row`, if no event reports a state: heartbeats, calls and tokens do not.
    #[tsify(type = "NodeState")]
    state: Option<&'static str>,
    retrying: bool,
    attempt: Option<u32>,
    starts: u32,
    changed_at_ms: Option<f64>,
    started_at_ms: Option<f64>,
    ended_at_ms: Option<f64>,
    heartbeats: u32,
    heartbeat_at_ms: Option<f64>,
    across_gap: bool,
    row: Option<u32>,
    /// The calls of this iteration; `tokens` are those of this iteration as well.
    calls: ToolCalls,
    tokens: Tokens,
}

impl From<core::LogView> for EventLogView {
    fn from(view: core::LogView) -> Self {
        let nodes = view.nodes.into_iter().map(|(state, count)| (state.as_str().to_owned(), count));
        let other = |run: core::OtherRun| OtherRun { run_id: run.run_id, state: run.state.to_string() };
        Self {
            run_id: view.run_id,
            workflow: view.workflow,
            state: view.state.to_string(),
            blocked: view.blocked.map(Open::from),
            evidence: (&view.evidence).into(),
            across_gap: view.across_gap,
            caveats: view.caveats.into_iter().map(Caveat::from).collect(),
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
            calls: view.calls.into(),
            tokens: (&view.tokens).into(),
            counts: (&view.counts).into(),
            other_runs: view.other_runs.into_iter().map(other).collect(),
        }
    }
}

impl From<core::Caveat> for Caveat {
    fn from(caveat: core::Caveat) -> Self {
        match caveat {
            core::Caveat::Lost { events, gaps } => Self::Lost { events, gaps },
            core::Caveat::LeftOut { events, gaps } => Self::LeftOut { events, gaps },
            core::Caveat::Unread { lines } => Self::Unread { lines },
            core::Caveat::Repeated { events } => Self::Repeated { events },
            core::Caveat::NoStart => Self::NoStart,
            core::Caveat::FromNodes => Self::FromNodes,
            core::Caveat::AfterTheEnd { events } => Self::AfterTheEnd { events },
            core::Caveat::UnreadAtEnd { lines } => Self::UnreadAtEnd { lines },
            core::Caveat::UnknownLast { event_type } => Self::UnknownLast { event_type },
            core::Caveat::Contradicted { state, at } => {
                Self::Contradicted { state: state.to_string(), at_ms: millis(at) }
            }
            core::Caveat::TimesGoBack { line, ms } => Self::TimesGoBack { line, ms },
            core::Caveat::TimesInSeconds { events } => Self::TimesInSeconds { events },
            core::Caveat::NewestFirst => Self::NewestFirst,
            core::Caveat::EndMayBeMissing => Self::EndMayBeMissing,
        }
    }
}

impl From<core::ToolCalls> for ToolCalls {
    fn from(calls: core::ToolCalls) -> Self {
        Self { started: calls.started, answered: calls.answered, failed: calls.failed }
    }
}

impl From<&core::Tokens> for Tokens {
    fn from(tokens: &core::Tokens) -> Self {
        Self {
            reports: tokens.reports,
            input: tokens.input,
            output: tokens.output,
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
            reasoning: tokens.reasoning,
        }
    }
}

impl From<&core::LogCounts> for EventCounts {
    fn from(counts: &core::LogCounts) -> Self {
        Self {
            lines: counts.lines,
            events: counts.events,
            unread: counts.unread,
            repeated: counts.repeated,
            gaps: counts.gaps,
            lost: counts.lost,
        }
    }
}

impl From<core::LogNode> for EventLogNode {
    fn from(node: core::LogNode) -> Self {
        Self {
            node_id: node.node_id,
            iteration: node.iteration,
            state: node.state.map(Vocabulary::as_str),
            retrying: node.retrying,
            attempt: node.attempt,
            starts: node.starts,
            changed_at_ms: millis(node.changed_at),
            started_at_ms: millis(node.started_at),
            ended_at_ms: millis(node.ended_at),
            heartbeats: node.heartbeats,
            heartbeat_at_ms: millis(node.heartbeat_at),
            across_gap: node.across_gap,
            row: node.row,
            calls: node.calls.into(),
            tokens: (&node.tokens).into(),
        }
    }
}
