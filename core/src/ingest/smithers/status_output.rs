//! Reads the output of `smithers status RUN --json`.

use crate::evidence::{Input, Signal, Value};
use crate::json::{ReadError, Slice, decisive, fields, optional, optionals};
use crate::number::Number;
use crate::run::{RunInspection, Witness, server_witness, without_link};
use crate::smithers::derive::{quota, status, text};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked, ReasonUnhealthy, RunState, RunStateView, RunStatus};
use crate::text::join;
use crate::time::Millis;
use crate::word::Word;

/// The counted states. `other` is not a state, and `total` is the sum.
const COUNTED: [(&str, NodeState); 8] = [
    ("finished", NodeState::Finished),
    ("inProgress", NodeState::InProgress),
    ("pending", NodeState::Pending),
    ("failed", NodeState::Failed),
    ("waitingApproval", NodeState::WaitingApproval),
    ("waitingEvent", NodeState::WaitingEvent),
    ("waitingTimer", NodeState::WaitingTimer),
    ("skipped", NodeState::Skipped),
];

/// The command's word for a node whose last attempt reached a usage limit; a node's row never contains it.
const PARKED: &str = "quota-parked";

/// Reads the command's output. The state is the one in `liveness`, which the command computes in the same way as every
/// surface of Smithers; its verdict and its reason are evidence.
///
/// A `quota` whose shape differs from that of the released command is returned as a problem, and the rest loads.
pub(crate) fn read_status_output(
    slice: Slice<'_>,
    read_from: &str,
) -> Result<(RunInspection, Option<ReadError>), ReadError> {
    let names = ["runId", "workflow", "status", "reason", "counts", "bottleneck"];
    let [run_id, workflow, column, reason, counts, bottleneck] = fields(slice, names)?;
    let moments = fields(slice, ["startedAtMs", "finishedAtMs", "generatedAtMs"])?;
    let [started, finished, at] = optionals(moments, Slice::read_time)?;
    let [workflow, reason] = optionals([workflow, reason], Slice::read_text)?;
    let run_id = slice.need("runId", run_id)?.read_text()?;
    let column: Word<RunStatus> = slice.need("status", column)?.read()?;
    let (mut verdict, refused) = read_verdict(slice, &run_id, at.map(Millis), read_from)?;
    let word = read_word(slice)?;
    let failed = reason.as_deref().filter(|_| word == "failed");
    let error = failed.map(|text| text.strip_prefix("run failed: ").unwrap_or(text).to_owned());
    if let Some(Witness { evidence, .. }) = &mut verdict {
        evidence.inputs.push(status(Some(&column)));
        evidence
            .inputs
            .push(Input { value: Value::Word(word), ..text(Signal::CommandVerdict, String::new()) });
        evidence.inputs.extend(reason.map(|reason| text(Signal::CommandReason, reason)));
    }
    let run = RunInspection {
        verdict,
        run_id: Some(run_id),
        workflow,
        started_at: started.map(Millis),
        finished_at: finished.map(Millis),
        summary: optional(counts, read_counts)?.unwrap_or_default(),
        nodes: optional(bottleneck, |nodes| nodes.read_items(read_node))?.unwrap_or_default().into(),
        error: error.map(without_link),
        continued: column.known() == Some(RunStatus::Continued),
        status: Some(column),
        ..RunInspection::default()
    };
    Ok((run, refused))
}

fn read_word(slice: Slice<'_>) -> Result<String, ReadError> {
    let [word] = fields(slice, ["verdict"])?;
    slice.need("verdict", word)?.read_text()
}

/// Reads the state that the command computed, with its quota: the quota is the reason of a run that waits for one, and
/// evidence for every other state.
fn read_verdict(
    slice: Slice<'_>,
    run_id: &str,
    at: Option<Millis>,
    read_from: &str,
) -> Result<(Option<Witness>, Option<ReadError>), ReadError> {
    let [liveness, limit] = fields(slice, ["liveness", "quota"])?;
    let (limit, refused) = match (decisive(limit.map(Slice::strict), Quota::read), limit) {
        (Ok(limit), _) => (limit, None),
        (Err(error), kept) => {
            let kept = kept.map(|kept| text(Signal::Quota, kept.without_space()));
            (Some(Quota { facts: kept.into_iter().collect(), reason: None }), Some(error))
        }
    };
    let Some((state, unhealthy)) = decisive(liveness, read_liveness)? else {
        return Ok((None, refused));
    };
    let Quota { reason, facts } = limit.unwrap_or_default();
    let blocked = reason.filter(|_| state.known() == Some(RunState::WaitingQuota));
    // The evidence already contains the reason.
    let skipped = usize::from(blocked.is_some());
    let computed_at = at.and_then(|at| at.to_iso().ok());
    let view = RunStateView { run_id: run_id.to_owned(), computed_at, state, blocked, unhealthy };
    let mut verdict = server_witness(view, None, read_from);
    verdict.evidence.inputs.extend(facts.into_iter().skip(skipped));
    Ok((Some(verdict), refused))
}

/// The usage limits: how many nodes are parked, some of their ids, and when the first limit ends.
#[derive(Default)]
struct Quota {
    reason: Option<ReasonBlocked>,
    /// The numbers, then the ids.
    facts: Vec<Input>,
}

impl Quota {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let [count, ids, reset] = fields(slice, ["parkedCount", "parkedNodeIds", "resetAtMs"])?;
        let count = Number(f64::from(slice.need("parkedCount", count)?.read_small()?));
        let ids: Vec<String> = slice.need("parkedNodeIds", ids)?.read()?;
        let reset_at_ms = optional(reset, Slice::read_time)?.map(Number);
        let mut facts = vec![quota(count, reset_at_ms)];
        if !ids.is_empty() {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            facts.push(text(Signal::ParkedNodes, join(&ids, ", ")));
        }
        Ok(Self { reason: Some(ReasonBlocked::Quota { quota_blocked_count: count, reset_at_ms }), facts })
    }
}

type Liveness = (Word<RunState>, Option<ReasonUnhealthy>);

fn read_liveness(slice: Slice<'_>) -> Result<Liveness, ReadError> {
    let [state, unhealthy] = fields(slice, ["state", "unhealthy"])?;
    Ok((slice.need("state", state)?.read()?, optional(unhealthy, ReasonUnhealthy::read)?))
}

fn read_counts(slice: Slice<'_>) -> Result<Vec<(Word<NodeState>, u64)>, ReadError> {
    let mut counts = Vec::new();
    for ((_, state), count) in COUNTED.into_iter().zip(fields(slice, COUNTED.map(|(name, _)| name))?) {
        if let Some(count) = optional(count, Slice::read_small)? {
            counts.push((state.into(), u64::from(count)));
        }
    }
    Ok(counts)
}

/// Reads a node that blocks the run. The duration is printed only in words (`running 14m 27s`) and is not read.
fn read_node(slice: Slice<'_>) -> Result<NodeStatus, ReadError> {
    let [node_id, iteration, state] = fields(slice, ["nodeId", "iteration", "state"])?;
    let state: Word<NodeState> = slice.need("state", state)?.read()?;
    Ok(NodeStatus::from_state(
        slice.need("nodeId", node_id)?.read_text()?,
        optional(iteration, Slice::read_small)?.unwrap_or(0),
        if state.as_str() == PARKED { NodeState::WaitingQuota.into() } else { state },
    ))
}

#[cfg(test)]
mod tests {
    use crate::file::File;
    use crate::header::Header;
    use crate::ingest::{Document, open};
    use crate::summary::text;
    use crate::time::Millis;

    const NOW: Millis = Millis(1_795_296_000_000.0);

    /// Returns the output for a run whose column contains `running`, with the values of `parts` in place of its own.
    fn printed(parts: &[(&str, &str)]) -> String {
        let whole = r#"{"runId":"r1","workflow":"w","status":"running","verdict":"stalled","reason":"none finished",
            "counts":{"finished":1,"failed":2,"other":4,"total":7},
            "bottleneck":[{"nodeId":"grind","iteration":3,"state":"in-progress","detail":"running 14m 27s"}],
            "liveness":{"state":"running"},"startedAtMs":1795294789219,"finishedAtMs":null,
            "generatedAtMs":1795295657084}"#;
        parts.iter().fold(whole.to_owned(), |text, (part, other)| {
            assert!(text.contains(part), "{part}");
            text.replacen(part, other, 1)
        })
    }

    fn opened(parts: &[(&str, &str)]) -> Document {
        open(&[File { name: None, bytes: printed(parts).as_bytes() }], NOW).unwrap()
    }

    fn header(parts: &[(&str, &str)]) -> Header {
        opened(parts).header(None, NOW).unwrap()
    }

    #[test]
    fn the_state_is_that_of_liveness_and_the_commands_own_words_stand_beside_it() {
        let found = header(&[]);
        assert_eq!(found.state.as_deref(), Some("running"));
        let said: Vec<_> = found.evidence.iter().map(|line| (&*line.name, &*line.value)).collect();
        assert_eq!(
            said,
            [
                ("server's response", "running"),
                ("run row status", "running"),
                ("command's verdict", "stalled"),
                ("command's reason", "none finished"),
            ]
        );
        assert!(found.evidence.iter().all(|line| line.read_from == "smithers status"));
        assert!(found.evidence.iter().all(|line| line.read_at.as_deref() == Some("21:14:17Z")), "{found:?}");
    }

    #[test]
    fn without_liveness_there_is_no_state_and_without_a_moment_no_time() {
        assert_eq!(header(&[(r#"{"state":"running"}"#, "null")]).state, None);
        let found = header(&[("1795295657084", "null")]);
        assert!(found.evidence.iter().all(|line| line.read_at.is_none()));
        assert!(found.fields.iter().all(|field| field.field != "computedAt"));
        assert_eq!(header(&[(r#"{"state":"running"}"#, r#"{"state":"dozing"}"#)]).state.unwrap(), "dozing");
    }

    #[test]
    fn nodes_and_counts_are_those_that_are_states() {
        let document = opened(&[]);
        let run = document.smithers().unwrap().run.as_ref().unwrap();
        let counts: Vec<_> = run.summary.iter().map(|(state, count)| (state.as_str(), *count)).collect();
        assert_eq!(counts, [("finished", 1), ("failed", 2)]);
        let nodes: Vec<_> = run.nodes.iter().map(|node| (&*node.node_id, node.iteration)).collect();
        assert_eq!((nodes, run.nodes[0].started_at), (vec![("grind", 3)], None));
    }

    #[test]
    fn the_reason_of_a_failed_run_is_its_error_and_of_no_other() {
        let failed = [
            (
                r#""verdict":"stalled","reason":"none finished""#,
                r#""verdict":"failed","reason":"run failed: boom""#,
            ),
            (r#"{"state":"running"}"#, r#"{"state":"failed"}"#),
        ];
        assert_eq!(text(&header(&failed).answer.sentence), "Failed: boom.");
        let cancelled = header(&[(r#"{"state":"running"}"#, r#"{"state":"failed"}"#)]);
        assert_eq!(text(&cancelled.answer.sentence), "Failed.");
    }

    const WAITING: (&str, &str) = (r#"{"state":"running"}"#, r#"{"state":"waiting-quota"}"#);

    /// Returns the parts of an output with a quota.
    fn with_quota(quota: &str) -> String {
        format!(r#""finishedAtMs":null,"quota":{quota}"#)
    }

    /// Returns the header's lines of evidence about the quota.
    fn quota_lines(found: &Header) -> Vec<(&str, &str)> {
        let lines = found.evidence.iter().map(|line| (&*line.name, &*line.value));
        lines.filter(|(name, _)| matches!(*name, "quota" | "parked nodes")).collect()
    }

    #[test]
    fn a_quota_is_the_reason_of_a_run_that_waits_for_one_and_evidence_beside_another_state() {
        let quota =
            with_quota(r#"{"parkedCount":4,"parkedNodeIds":["grind","b"],"resetAtMs":1795298540238}"#);
        let parked = (r#""state":"in-progress""#, r#""state":"quota-parked""#);
        let with = (r#""finishedAtMs":null"#, &*quota);
        let lines =
            [("quota", "4 held back, resets at 2026-11-21T22:02:20.238Z"), ("parked nodes", "grind, b")];
        let found = header(&[with, parked, WAITING]);
        assert_eq!(found.blocked.as_deref(), Some("quota"));
        assert_eq!(text(&found.answer.sentence), "Was waiting for provider quota at grind.");
        assert_eq!(quota_lines(&found), lines);
        let found = header(&[with, parked]);
        assert_eq!((found.state.as_deref(), found.blocked.as_deref()), (Some("running"), None));
        assert_eq!(quota_lines(&found), lines);
    }

    #[test]
    fn a_quota_of_another_shape_is_kept_as_it_came_and_named() {
        for shape in [
            "7",
            r#""until noon""#,
            "[1]",
            "{}",
            r#"{"parkedCount":-1,"parkedNodeIds":[]}"#,
            r#"{"parkedCount":1}"#,
            r#"[" a\" ","\\",1]"#,
            r#"{"parkedCount":1,"parkedNodeIds":[7]}"#,
            r#"{"parkedCount":1,"parkedNodeIds":[],"resetAtMs":"noon"}"#,
        ] {
            let quota = with_quota(shape);
            let parts = [(r#""finishedAtMs":null"#, &*quota), WAITING];
            assert_eq!(quota_lines(&header(&parts)), [("quota", shape)]);
            assert_eq!(header(&parts).blocked, None);
            let document = opened(&parts);
            assert!(
                document.problems().texts()[0].ends_with("The quota is shown unchanged."),
                "{:?}",
                document.problems()
            );
        }
        let wide = with_quota("[ \n 1 , \" \\\" \" ]");
        let found = header(&[(r#""finishedAtMs":null"#, &*wide)]);
        assert_eq!(quota_lines(&found), [("quota", r#"[1," \" "]"#)]);
        let quota = with_quota("null");
        let none = opened(&[(r#""finishedAtMs":null"#, &*quota)]);
        assert_eq!(none.problems().texts().len(), 0);
    }

    #[test]
    fn a_field_that_decides_refuses_the_output_and_others_are_named() {
        let opened = |part: &str, other: &str| {
            let text = printed(&[(part, other)]);
            open(&[File { name: None, bytes: text.as_bytes() }], NOW)
        };
        for (part, other) in [
            (r#""runId":"r1","#, ""),
            (r#""status":"running","#, ""),
            (r#""status":"running""#, r#""status":7"#),
            (r#"{"state":"running"}"#, r#""running""#),
            (r#"{"state":"running"}"#, "{}"),
            (r#""status""#, r#""verdict":"done","status""#),
        ] {
            assert!(opened(part, other).is_err(), "{part}: {other}");
        }
        for (part, other, field) in [
            (r#""workflow":"w""#, r#""workflow":7"#, "`workflow`: "),
            (r#""none finished""#, "7", "`reason`: "),
            (r#""failed":2"#, r#""failed":-2"#, "`counts.failed`: "),
            (r#""nodeId":"grind","#, "", "`bottleneck[0]`: "),
            (r#""iteration":3"#, r#""iteration":"x""#, "`bottleneck[0].iteration`: "),
            (r#""state":"in-progress","#, "", "`bottleneck[0]`: "),
            (r#"{"state":"running"}"#, r#"{"state":"stale","unhealthy":7}"#, "`liveness.unhealthy`: "),
            ("1795294789219", r#""then""#, "`startedAtMs`: "),
            ("1795295657084", "true", "`generatedAtMs`: "),
        ] {
            let document = opened(part, other).unwrap();
            let problems = document.problems().texts();
            assert!(problems.len() == 1 && problems[0].contains(field), "{other}: {problems:?}");
        }
    }
}
