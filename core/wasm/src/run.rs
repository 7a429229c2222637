//! The result of `inspect` for a Smithers document.

use runstate::smithers::wire;
use std::collections::BTreeMap;

use runstate::actions::actions_for_refusal;
use runstate::clock::Reading;
use runstate::evidence::Evidence;
use runstate::freshness::Freshness;
use runstate::ingest::Document;
use runstate::refusal::Refusal;
use runstate::run as core;
use runstate::run::ReportedBlocker as WhyEntry;
use runstate::summary::answer;
use runstate::word::Vocabulary;
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::Tsify;

use crate::error::Error;
use crate::node::TreeNode;
use crate::opened_document::ViewedAt;
use crate::output::{Json, millis, to_js};
use crate::report::{Action, Answer, Report};
use crate::view::RunStateView;

/// The result of `inspect` for a Smithers document. Fields that the document does not contain are absent.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct SmithersInspection {
    #[tsify(type = "\"smithers\"")]
    system: &'static str,
    #[tsify(type = "Recognised")]
    recognised: &'static str,
    /// The document's only run; absent if the document is a list or an error.
    run: Option<RunInspection>,
    /// The runs of a list, each with its own verdict; empty if the document is not a list.
    #[tsify(type = "ListedRun[]")]
    runs: Vec<Json>,
    refusal: Option<SmithersRefusal>,
    /// The parts that could not be read or joined, one sentence each.
    problems: Vec<String>,
}

/// An error that a Gateway returned, and the possible actions.
#[derive(Serialize, Tsify)]
pub struct SmithersRefusal {
    #[serde(flatten)]
    refusal: Refusal,
    actions: Vec<Action>,
}

/// All facts about a run. Times are milliseconds since 1970.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RunInspection {
    run_id: Option<String>,
    workflow: Option<String>,
    frame_no: Option<f64>,
    seq: Option<f64>,
    created_at_ms: Option<f64>,
    started_at_ms: Option<f64>,
    finished_at_ms: Option<f64>,
    parent_run_id: Option<String>,
    verdict: Verdict,
    /// The number of nodes in each state, as the server counted them.
    #[tsify(type = "Record<string, number>")]
    summary: BTreeMap<String, u64>,
    /// The state of each node, as the server listed them; empty if the document has no such list.
    nodes: Vec<NodeStatus>,
    /// The tree of nodes.
    tree: Option<TreeNode>,
    /// The server's message about the failure of the run.
    error: Option<String>,
    /// The tolerated failures of a succeeded run, as far as they are named.
    failed_children: Vec<String>,
    /// Whether the row's status is `continued`: the work goes on in another run.
    continued: bool,
    /// What blocks the run according to `smithers why`; empty if its output was not read.
    reported_blockers: Vec<WhyEntry>,
    #[serde(flatten)]
    report: Report,
}

/// A run in a list; `header` returns the other facts. Times are milliseconds since 1970.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ListedRun {
    run_id: Option<String>,
    workflow: Option<String>,
    created_at_ms: Option<f64>,
    started_at_ms: Option<f64>,
    finished_at_ms: Option<f64>,
    parent_run_id: Option<String>,
    verdict: Verdict,
    /// The number of nodes in each state, as the server counted them.
    #[tsify(type = "Record<string, number>")]
    summary: BTreeMap<String, u64>,
    /// The server's message about the failure of the run.
    error: Option<String>,
    /// Whether the row's status is `continued`: the work goes on in another run.
    continued: bool,
    answer: Answer,
}

/// The shown state of a run, and its source: a server (`said`), or Runstate's rule (`derived`). `absent` differs from the
/// state `unknown`: the document contains nothing from which a state follows.
#[derive(Serialize, Tsify)]
#[serde(tag = "source", rename_all = "lowercase")]
pub enum Verdict {
    Absent,
    Said {
        #[tsify(type = "ForeignRunStateView")]
        view: RunStateView,
        evidence: Evidence,
    },
    Derived {
        #[tsify(type = "ForeignRunStateView")]
        view: RunStateView,
        evidence: Evidence,
    },
}

/// The state of a node, as the server listed it. Times are milliseconds since 1970.
// What the core's record reads with a default would be optional in TypeScript.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct NodeStatus {
    node_id: String,
    iteration: u32,
    state: String,
    last_attempt: Option<u32>,
    label: Option<String>,
    updated_at_ms: Option<f64>,
    started_at_ms: Option<f64>,
    finished_at_ms: Option<f64>,
}

impl SmithersInspection {
    pub(crate) fn new(
        inspection: &core::Inspection,
        document: &Document,
        problems: &[String],
        ViewedAt { clock, live }: ViewedAt,
    ) -> Result<Self, Error> {
        // Each becomes an object at once: the module's memory never shrinks.
        let listed = |run: &core::RunInspection| to_js(&ListedRun::new(run, clock, live)).map(Json::from);
        let runs = document.read_smithers_runs(listed);
        Ok(Self {
            system: "smithers",
            recognised: inspection.kind.as_str(),
            run: inspection.run.as_ref().map(|run| RunInspection::new(run, clock, live)),
            runs: runs.into_iter().collect::<Result<_, _>>()?,
            refusal: inspection.refusal.as_ref().map(|refusal| SmithersRefusal {
                refusal: refusal.clone(),
                actions: actions_for_refusal(refusal).iter().map(Action::from).collect(),
            }),
            problems: problems.to_vec(),
        })
    }
}

/// The freshness of a document: read just now, or recorded.
pub(crate) fn freshness(run: &core::RunInspection, clock: Reading, live: bool) -> Freshness {
    if live { Freshness::live_or_recorded(run, clock) } else { Freshness::recorded(run) }
}

fn summary(run: &core::RunInspection) -> BTreeMap<String, u64> {
    run.summary.iter().map(|(state, count)| (state.to_string(), *count)).collect()
}

impl ListedRun {
    fn new(run: &core::RunInspection, clock: Reading, live: bool) -> Self {
        Self {
            run_id: run.run_id.clone(),
            workflow: run.workflow.clone(),
            created_at_ms: millis(run.created_at),
            started_at_ms: millis(run.started_at),
            finished_at_ms: millis(run.finished_at),
            parent_run_id: run.parent_run_id.clone(),
            verdict: run.verdict.as_ref().into(),
            summary: summary(run),
            error: run.error.clone(),
            continued: run.continued,
            answer: (&answer(run, &freshness(run, clock, live), clock)).into(),
        }
    }
}

impl RunInspection {
    fn new(run: &core::RunInspection, clock: Reading, live: bool) -> Self {
        Self {
            run_id: run.run_id.clone(),
            workflow: run.workflow.clone(),
            frame_no: run.frame_no,
            seq: run.seq,
            created_at_ms: millis(run.created_at),
            started_at_ms: millis(run.started_at),
            finished_at_ms: millis(run.finished_at),
            parent_run_id: run.parent_run_id.clone(),
            verdict: run.verdict.as_ref().into(),
            summary: summary(run),
            nodes: run.nodes.iter().map(NodeStatus::from).collect(),
            tree: run.tree.as_ref().map(|tree| TreeNode::new(tree, tree.root())),
            error: run.error.clone(),
            failed_children: run.failed_children.clone(),
            continued: run.continued,
            reported_blockers: run.reported_blockers.clone(),
            report: Report::new(run, &freshness(run, clock, live), clock),
        }
    }
}

impl From<Option<&core::Witness>> for Verdict {
    fn from(verdict: Option<&core::Witness>) -> Self {
        let Some(verdict) = verdict else { return Self::Absent };
        let (view, evidence) = (verdict.view.clone().into(), verdict.evidence.clone());
        if verdict.is_derived() { Self::Derived { view, evidence } } else { Self::Said { view, evidence } }
    }
}

impl From<&wire::NodeStatus> for NodeStatus {
    fn from(node: &wire::NodeStatus) -> Self {
        Self {
            node_id: node.node_id.clone(),
            iteration: node.iteration,
            state: node.state.to_string(),
            last_attempt: node.last_attempt,
            label: node.label.clone(),
            updated_at_ms: millis(node.updated_at),
            started_at_ms: millis(node.started_at),
            finished_at_ms: millis(node.finished_at),
        }
    }
}
