//! What `smithers status RUN --json` prints.

use super::facts::{status, text};
use super::run_inspection::{said, without_link};
use super::{NodeState, ReasonUnhealthy, RunStateView, RunStatus};
use crate::evidence::{Input, Value};
use crate::inspection::{NodeStatus, RunInspection, Verdict};
use crate::json::{ReadError, Slice, fields, optional, optionals};
use crate::time::Millis;
use crate::word::Word;

/// The counted states. `other` is no state, and `total` no count of one.
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

/// Reads the command's output. The state is the one in `liveness`, which the command computes as every surface of Smithers
/// does; its verdict and its reason are words of its own, and stand beside it as evidence.
pub(crate) fn read_status_output(slice: Slice<'_>, read_from: &str) -> Result<RunInspection, ReadError> {
    let names = ["runId", "workflow", "status", "verdict", "reason", "counts", "bottleneck", "liveness"];
    let [run_id, workflow, column, word, reason, counts, bottleneck, liveness] = fields(slice, names)?;
    let moments = fields(slice, ["startedAtMs", "finishedAtMs", "generatedAtMs"])?;
    let [started, finished, at] = optionals(moments, Slice::read_number)?;
    let [workflow, reason] = optionals([workflow, reason], Slice::read_text)?;
    let run_id = slice.need("runId", run_id)?.read_text()?;
    let column: Word<RunStatus> = slice.need("status", column)?.read_word()?;
    let word = slice.need("verdict", word)?.read_text()?;
    let failed = reason.as_deref().filter(|_| word == "failed");
    let error = failed.map(|text| text.strip_prefix("run failed: ").unwrap_or(text).to_owned());
    let mut verdict = optional(liveness, read_liveness)?.map_or(Verdict::Absent, |(state, unhealthy)| {
        let computed_at = at.and_then(|at| Millis(at).to_iso().ok());
        let view = RunStateView { run_id: run_id.clone(), computed_at, state, blocked: None, unhealthy };
        said(view, None, read_from)
    });
    if let Verdict::Said { evidence, .. } = &mut verdict {
        evidence.inputs.push(status(Some(&column)));
        evidence.inputs.push(Input { value: Value::Word(word), ..text("command's verdict", String::new()) });
        evidence.inputs.extend(reason.map(|reason| text("command's reason", reason)));
    }
    Ok(RunInspection {
        verdict,
        run_id: Some(run_id),
        workflow,
        started_at: started.map(Millis),
        finished_at: finished.map(Millis),
        summary: optional(counts, read_counts)?.unwrap_or_default(),
        nodes: optional(bottleneck, |nodes| nodes.read_items(read_node))?.unwrap_or_default(),
        error: error.map(without_link),
        continued: column.known() == Some(RunStatus::Continued),
        status: Some(column),
        ..RunInspection::default()
    })
}

type Liveness = (Word<super::RunState>, Option<ReasonUnhealthy>);

fn read_liveness(slice: Slice<'_>) -> Result<Liveness, ReadError> {
    let [state, unhealthy] = fields(slice, ["state", "unhealthy"])?;
    Ok((slice.need("state", state)?.read_word()?, optional(unhealthy, ReasonUnhealthy::read)?))
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

/// A node that holds the run up. Since when is told in words only (`running 14m 27s`), and not read.
fn read_node(slice: Slice<'_>) -> Result<NodeStatus, ReadError> {
    let [node_id, iteration, state] = fields(slice, ["nodeId", "iteration", "state"])?;
    Ok(NodeStatus::bare(
        slice.need("nodeId", node_id)?.read_text()?,
        optional(iteration, Slice::read_small)?.unwrap_or(0),
        slice.need("state", state)?.read_word()?,
    ))
}

#[cfg(test)]
mod tests {
    use crate::answer::text;
    use crate::document::{Document, File, open};
    use crate::header::Header;
    use crate::time::Millis;

    const NOW: Millis = Millis(1_795_296_000_000.0);

    /// The output for a run whose column says `running`, with other values where `parts` has them.
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
                ("server's answer", "running"),
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

    #[test]
    fn what_cannot_be_read_is_refused() {
        for (part, other) in [
            (r#""runId":"r1","#, ""),
            (r#""status":"running","#, ""),
            (r#""status":"running""#, r#""status":7"#),
            (r#""workflow":"w""#, r#""workflow":7"#),
            (r#""none finished""#, "7"),
            (r#""failed":2"#, r#""failed":-2"#),
            (r#""nodeId":"grind","#, ""),
            (r#""iteration":3"#, r#""iteration":"x""#),
            (r#""state":"in-progress","#, ""),
            (r#"{"state":"running"}"#, r#""running""#),
            (r#"{"state":"running"}"#, "{}"),
            (r#"{"state":"running"}"#, r#"{"state":"stale","unhealthy":7}"#),
            ("1795294789219", r#""then""#),
            ("1795295657084", "true"),
            (r#""status""#, r#""verdict":"done","status""#),
        ] {
            let text = printed(&[(part, other)]);
            assert!(open(&[File { name: None, bytes: text.as_bytes() }], NOW).is_err(), "{text}");
        }
    }
}
