//! The table of kinds: the keys of each kind of document. The first matching rule decides.

use super::{Keys, MAX_EXAMINED_ROWS};
use crate::conductor::wire::{FileKind, FilePath, GateOutcome, PlannerStatus, read_auxiliary};
use crate::json::{Slice, fields, items};
use crate::lionagi::wire::LionagiDocumentKind as Lionagi;
use crate::word::Vocabulary;

/// A kind and the rule for its keys.
type Rule<K> = (K, fn(&Keys<'_>) -> bool);

/// A document about one run of Smithers, or the list that `smithers ps` prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SmithersKind {
    Snapshot,
    InspectOutput,
    WhyOutput,
    StatusOutput,
    RunState,
    Run,
    PsOutput,
}

const SMITHERS: [Rule<SmithersKind>; 7] = [
    (SmithersKind::Snapshot, |keys| {
        keys.has("root") && keys.any(["version", "runId"]) || keys.all(["version", "runState", "runId"])
    }),
    (SmithersKind::InspectOutput, |keys| {
        keys.get("run").is_some_and(|run| has_key(run, "id")) && keys.any(["runState", "steps", "nodes"])
    }),
    (SmithersKind::WhyOutput, |keys| keys.all(["runId", "summary"]) && keys.is_list("blockers")),
    (SmithersKind::StatusOutput, |keys| keys.is_text("verdict") && keys.is_object("counts")),
    (SmithersKind::RunState, |keys| keys.all(["runId", "state", "computedAt"])),
    (SmithersKind::Run, |keys| keys.any(["runId", "run_id"]) && is_run_row(keys)),
    (SmithersKind::PsOutput, is_ps_output),
];

/// A row of a table of Smithers' database other than that of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Row {
    Frame,
    Attempt,
    Task,
    Node,
    Approval,
    Descendant,
}

const ROWS: [Rule<Row>; 6] = [
    (Row::Frame, |keys| keys.any(["xmlJson", "xml_json"])),
    (Row::Attempt, |keys| has_node(keys) && keys.all(["attempt", "state"])),
    (Row::Task, |keys| has_node(keys) && keys.has("ordinal")),
    (Row::Node, |keys| has_node(keys) && keys.has("state") && keys.any(["runId", "run_id"])),
    (Row::Approval, |keys| {
        has_node(keys) && keys.any(["requestedAtMs", "requested_at_ms"]) && keys.any(["runId", "run_id"])
    }),
    (Row::Descendant, |keys| keys.any(["runId", "run_id"]) && keys.has("depth")),
];

const LIONAGI_RESPONSES: [Rule<Lionagi>; 7] = [
    (Lionagi::ErrorResponse, |keys| {
        keys.only("detail") && (keys.is_list("detail") || keys.is_text("detail"))
    }),
    (Lionagi::Lifecycle, |keys| keys.all(["contract_version", "ok"])),
    (Lionagi::AgentStatus, |keys| keys.all(["exit_class", "entity_type"])),
    (Lionagi::Doctor, |keys| keys.is_list("phantom_sessions")),
    (Lionagi::AdminHealth, |keys| {
        keys.get("sessions").is_some_and(|sessions| has_key(sessions, "unhealthy"))
    }),
    (Lionagi::Stats, |keys| keys.get("db").is_some_and(|db| has_key(db, "sessions_by_status"))),
    (Lionagi::InvocationList, |keys| keys.is_list("invocations")),
];

/// Plays, shows and rows of sessions, which occur as documents and as items of lists.
const LIONAGI_ROWS: [Rule<Lionagi>; 5] = [
    (Lionagi::Show, |keys| keys.has("topic") && keys.is_list("plays")),
    (Lionagi::PlayList, |keys| keys.all(["topic", "play_name", "status"])),
    (Lionagi::ShowList, |keys| keys.all(["topic", "play_count", "latest_status"]) && !keys.has("play_name")),
    (Lionagi::Invocation, |keys| {
        is_lionagi_row(keys) && keys.all(["id", "status"]) && keys.any(["session_count", "skill"])
    }),
    (Lionagi::Session, |keys| is_lionagi_row(keys) && is_session(keys)),
];

/// A file of tnh-conductor: its kind, the keys that must not be duplicated, and the rule.
type FileRule = (FileKind, &'static [&'static str], fn(&Keys<'_>) -> bool);

const IDS: [&str; 2] = ["run_id", "workflow_id"];
const STATUS: [&str; 5] = [
    "lifecycle_state",
    "active_opcode",
    "active_runner_family",
    "last_route_target",
    "last_completed_step_id",
];
const METADATA: [&str; 4] = ["entry_step", "artifacts_root", "workspace_context", "schema_versions"];
const MANIFEST: [&str; 3] = ["opcode", "evidence_summary", "artifacts"];
const DECISION: [&str; 6] = ["gate", "timeout_seconds", "outcome", "status", "next_step", "blockers"];

/// The files of a run of tnh-conductor that are one object, and its events.
const CONDUCTOR: [FileRule; 10] = [
    (FileKind::Events, &["run_id", "workflow_id", "lifecycle_state", "event_type", "step_id"], |keys| {
        keys.all(["event_type", "run_id", "step_id"])
    }),
    (FileKind::Status, &STATUS, |keys| {
        keys.any(STATUS) && keys.count(STATUS) + usize::from(keys.any(IDS)) >= 2
    }),
    (FileKind::Metadata, &METADATA, |keys| keys.all(IDS) && keys.any(METADATA)),
    (FileKind::Manifest, &MANIFEST, |keys| {
        keys.has("step_id") && (keys.all(MANIFEST) || keys.truncated() && keys.any(MANIFEST))
    }),
    (FileKind::Status, &["updated_at", "workflow_version"], |keys| {
        keys.truncated() && keys.all(IDS) && keys.has("updated_at")
    }),
    (FileKind::Metadata, &[], |keys| keys.truncated() && keys.all(IDS) && keys.has("workflow_version")),
    (FileKind::GateRequest, &DECISION, |keys| keys.all(["gate", "timeout_seconds"])),
    (FileKind::GateOutcome, &[], |keys| keys.is_one_of("outcome", GateOutcome::WORDS)),
    (FileKind::PlannerDecision, &[], |keys| {
        keys.is_one_of("status", PlannerStatus::WORDS) && keys.all(["next_step", "blockers"])
    }),
    (FileKind::AuxiliaryFile, &[], |keys| read_auxiliary(keys.object()).is_some()),
];

/// The files of a run of tnh-conductor that are recognised by their names, and whether they are artifacts of a step.
const CONDUCTOR_NAMES: [(&str, bool, FileKind); 8] = [
    ("status.json", false, FileKind::Status),
    ("metadata.json", false, FileKind::Metadata),
    ("events.ndjson", false, FileKind::Events),
    ("final-state.txt", false, FileKind::FinalState),
    ("manifest.json", true, FileKind::Manifest),
    ("gate_request.json", true, FileKind::GateRequest),
    ("gate_outcome.json", true, FileKind::GateOutcome),
    ("planner_decision.json", true, FileKind::PlannerDecision),
];

/// The files of a step of tnh-conductor that do not contain its state (protocol section 1).
pub(super) const AUXILIARY_NAMES: [&str; 10] = [
    "policy_summary.json",
    "runner_metadata.json",
    "validation_report.json",
    "validation_stdout.txt",
    "validation_stderr.txt",
    "workspace_diff.txt",
    "workspace_status.json",
    "harness_report.json",
    "transcript.ndjson",
    "final_response.txt",
];

fn first<K: Copy>(rules: &[Rule<K>], keys: &Keys<'_>) -> Option<K> {
    rules.iter().find(|(_, holds)| holds(keys)).map(|(kind, _)| *kind)
}

/// The kind of a document of Smithers.
pub(crate) fn smithers(keys: &Keys<'_>) -> Option<SmithersKind> {
    first(&SMITHERS, keys)
}

/// The kind of a row. Events have a type and are not rows.
pub(crate) fn row(keys: &Keys<'_>) -> Option<Row> {
    if keys.has("type") { None } else { first(&ROWS, keys) }
}

/// The kind of an object of lionagi; `None` for any other.
pub(crate) fn lionagi(keys: &Keys<'_>) -> Option<Lionagi> {
    first(&LIONAGI_RESPONSES, keys)
        .or_else(|| lionagi_row(keys))
        .or_else(|| is_session_list(keys).then_some(Lionagi::SessionList))
        .or_else(|| is_session_part(keys).then_some(Lionagi::SessionPart))
}

/// The kind of an item of a list of lionagi's.
fn lionagi_row(keys: &Keys<'_>) -> Option<Lionagi> {
    first(&LIONAGI_ROWS, keys)
}

/// The kind of the first recognised item of a list; the reader of the list reports the others.
pub(super) fn lionagi_rows(list: Slice<'_>) -> Option<Lionagi> {
    for item in items(list).ok()?.take(MAX_EXAMINED_ROWS) {
        let Ok(keys) = Keys::read(item.ok()?) else { continue };
        let found = lionagi_row(&keys);
        if found.is_some() || keys.any(["runId", "nodeId"]) {
            return found;
        }
    }
    None
}

/// The kind of an object of tnh-conductor; `None` for any other.
pub(super) fn conductor(keys: &Keys<'_>) -> Option<FileKind> {
    for (kind, once, holds) in CONDUCTOR {
        if keys.repeats(once) {
            return None;
        }
        if holds(keys) {
            // An object with an event type can only be an event; a truncated event or decision is useless.
            let allowed = match kind {
                FileKind::Events => !keys.truncated(),
                FileKind::Status | FileKind::Metadata | FileKind::Manifest => !keys.has("event_type"),
                FileKind::FinalState
                | FileKind::GateRequest
                | FileKind::GateOutcome
                | FileKind::PlannerDecision
                | FileKind::AuxiliaryFile => !keys.has("event_type") && !keys.truncated(),
            };
            return allowed.then_some(kind);
        }
    }
    None
}

/// The kind of a file of tnh-conductor by its name.
pub(super) fn conductor_name(path: FilePath<'_>) -> Option<FileKind> {
    let mut names = CONDUCTOR_NAMES.into_iter();
    let found = names.find(|(name, is_step, _)| *name == path.base && *is_step == path.step.is_some());
    found.map(|(.., kind)| kind)
}

/// Whether an object with a run id is a run's row. Rows of nodes, attempts, approvals and frames, and events have run
/// ids, too.
pub(crate) fn is_run_row(keys: &Keys<'_>) -> bool {
    let names = ["status", "createdAtMs", "created_at_ms", "workflowName", "workflow_name", "runState"];
    keys.any(names) && !keys.any(["nodeId", "node_id", "frameNo", "frame_no", "type"])
}

/// Whether this is a row of `listNodeStates`.
pub(crate) fn is_node_state(keys: &Keys<'_>) -> bool {
    keys.all(["nodeId", "state"]) && !keys.any(["type", "runId"])
}

/// Whether this is an event of a Smithers run.
pub(crate) fn is_event(keys: &Keys<'_>) -> bool {
    keys.any(["type", "event"]) && keys.has("timestampMs")
}

fn has_node(keys: &Keys<'_>) -> bool {
    keys.any(["nodeId", "node_id"])
}

/// The output of `smithers ps`: its rows have the column of the database next to the state. Without a run it is
/// recognised by the command's hints.
fn is_ps_output(keys: &Keys<'_>) -> bool {
    let Some(rows) = keys.get("runs").and_then(|runs| items(runs).ok()) else { return false };
    let mut empty = true;
    for row in rows.take(MAX_EXAMINED_ROWS).map_while(Result::ok) {
        empty = false;
        if let Ok([id, status, workflow]) = fields(row, ["id", "dbStatus", "workflow"])
            && id.is_some()
            && status.or(workflow).is_some()
        {
            return true;
        }
    }
    empty && keys.is_object("cta")
}

/// Smithers' rows have `runId` or `workflow_name`, and none of lionagi's columns; a play of a show names a session, and
/// its status is of another vocabulary.
fn is_lionagi_row(keys: &Keys<'_>) -> bool {
    !keys.any(["runId", "nodeId", "play_name"])
}

fn is_session(keys: &Keys<'_>) -> bool {
    let has_own = keys.any(["invocation_kind", "status_reason_code", "last_message_at", "effective_health"]);
    // Admin health omits unneeded fields.
    has_own && keys.any(["session_id", "status"]) || keys.all(["session_id", "status"])
}

fn is_session_list(keys: &Keys<'_>) -> bool {
    let list = keys.get("runs").or_else(|| keys.get("sessions")).filter(|list| list.is_array());
    let has_sessions = |list| matches!(lionagi_rows(list), Some(Lionagi::Session | Lionagi::Invocation));
    list.is_some_and(|list| has_sessions(list) || keys.any(["per_page", "truncated"]))
}

/// Whether an object has facts about sessions outside of their rows.
fn is_session_part(keys: &Keys<'_>) -> bool {
    let first_has = |list: &str, key: &str| {
        let first = keys.get(list).and_then(|list| items(list).ok()?.next()?.ok());
        first.is_some_and(|first| first.is_object() && has_key(first, key))
    };
    first_has("events", "actor")
        || first_has("artifacts", "session_id")
        || keys.get("dispositions").is_some_and(|all| all.is_object() && all.json() != "{}")
        || keys.has("item_id") && (keys.has("source_status") || first_has("history", "source_status"))
        || keys.all(["resumable", "run_id"])
}

/// Whether a value is an object with a key.
fn has_key(slice: Slice<'_>, name: &str) -> bool {
    fields(slice, [name]).is_ok_and(|[found]| found.is_some())
}
