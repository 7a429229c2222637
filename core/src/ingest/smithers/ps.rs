//! What `smithers ps --json` prints: a list of runs with the server's own states, and what each waits for.

use crate::json::{ReadError, Slice, fields, items, optional, optionals};
use crate::run::said;
use crate::run::{RunInspection, Verdict};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked, ReasonUnhealthy, RunState, RunStateView, RunStatus};
use crate::time::Millis;
use crate::word::Word;

/// How many rows are looked at for one that tells what the list is of.
const LOOK_AT: usize = 32;

/// The rows, where the object is the command's output: its rows have the column of the database beside the state. With no
/// run at all only the command's own hints tell.
pub(crate) fn rows(slice: Slice<'_>) -> Result<Option<Slice<'_>>, ReadError> {
    let [runs, hints] = fields(slice, ["runs", "cta"])?;
    let Some(runs) = runs.filter(|runs| runs.is_array()) else { return Ok(None) };
    let mut empty = true;
    for row in items(runs)?.take(LOOK_AT) {
        let row = row?;
        empty = false;
        if row.is_object() {
            let Ok([id, status, workflow]) = fields(row, ["id", "dbStatus", "workflow"]) else { continue };
            if id.is_some() && status.or(workflow).is_some() {
                return Ok(Some(runs));
            }
        }
    }
    Ok((empty && hints.is_some_and(Slice::is_object)).then_some(runs))
}

/// Reads a row. `started` is an age in words and no moment (`14m ago`); it is not read.
pub(crate) fn read_row(slice: Slice<'_>, read_from: &str) -> Result<RunInspection, ReadError> {
    let names = ["id", "workflow", "parentRunId", "dbStatus", "finishedAtMs", "timer", "pendingApprovals"];
    let [id, workflow, parent, status, finished, timer, approvals] = fields(slice, names)?;
    let [workflow, parent_run_id] = optionals([workflow, parent], Slice::read_text)?;
    let run_id = slice.need("id", id)?.read_text()?;
    let status: Option<Word<RunStatus>> = optional(status, Slice::read_word)?;
    let timer = optional(timer, read_timer)?;
    let mut nodes = optional(approvals, read_approvals)?.unwrap_or_default();
    nodes.extend(
        timer.as_ref().map(|timer| waiting(&timer.node_id, timer.iteration, NodeState::WaitingTimer)),
    );
    Ok(RunInspection {
        verdict: verdict(slice, &run_id, timer, read_from)?,
        run_id: Some(run_id),
        workflow,
        parent_run_id,
        finished_at: optional(finished, Slice::read_number)?.map(Millis),
        nodes,
        continued: status.as_ref().and_then(Word::known) == Some(RunStatus::Continued),
        status,
        ..RunInspection::default()
    })
}

/// The state that the command computed. When it did is not printed: the view says no moment then, and none is made up.
fn verdict(
    slice: Slice<'_>,
    run_id: &str,
    timer: Option<Timer>,
    read_from: &str,
) -> Result<Verdict, ReadError> {
    let [state, unhealthy] = fields(slice, ["state", "unhealthy"])?;
    let Some(state) = optional(state, Slice::read_word)? else { return Ok(Verdict::Absent) };
    let state: Word<RunState> = state;
    let asleep = state.known() == Some(RunState::WaitingTimer);
    let blocked = timer
        .filter(|_| asleep)
        .map(|timer| ReasonBlocked::Timer { node_id: timer.node_id, wake_at: timer.fires_at });
    let unhealthy = optional(unhealthy, ReasonUnhealthy::read)?;
    let view = RunStateView { run_id: run_id.to_owned(), computed_at: None, state, blocked, unhealthy };
    Ok(said(view, None, read_from))
}

struct Timer {
    node_id: String,
    iteration: u32,
    fires_at: String,
}

fn read_timer(slice: Slice<'_>) -> Result<Timer, ReadError> {
    let [id, iteration, fires_at] = fields(slice, ["id", "iteration", "firesAt"])?;
    Ok(Timer {
        node_id: slice.need("id", id)?.read_text()?,
        iteration: optional(iteration, Slice::read_small)?.unwrap_or(0),
        fires_at: slice.need("firesAt", fires_at)?.read_text()?,
    })
}

/// The nodes that ask for a decision. Since when is not printed, so they are nodes that wait, and no reason of the view.
fn read_approvals(slice: Slice<'_>) -> Result<Vec<NodeStatus>, ReadError> {
    let mut asking = Vec::new();
    for item in items(slice)? {
        let item = item?;
        let [node_id, iteration, status] = fields(item, ["nodeId", "iteration", "status"])?;
        let status = optional(status, Slice::read_text)?;
        let iteration = optional(iteration, Slice::read_small)?.unwrap_or(0);
        let node_id = item.need("nodeId", node_id)?.read_text()?;
        if status.is_none_or(|status| status == "requested") {
            asking.push(waiting(&node_id, iteration, NodeState::WaitingApproval));
        }
    }
    Ok(asking)
}

fn waiting(node_id: &str, iteration: u32, state: NodeState) -> NodeStatus {
    NodeStatus::bare(node_id.to_owned(), iteration, Word::Known(state))
}

#[cfg(test)]
mod tests {
    use crate::file::File;
    use crate::header::Header;
    use crate::ingest::{Document, DocumentError, open};
    use crate::summary::text;
    use crate::time::Millis;

    const NOW: Millis = Millis(1_795_296_000_000.0);

    fn opened(row: &str, other: &str) -> Result<Document, DocumentError> {
        let json = format!(
            r#"{{"runs":[{{"id":"r1","workflow":"w","dbStatus":"running",{row}}}{other}],"cta":{{}}}}"#
        );
        open(&[File { name: None, bytes: json.as_bytes() }], NOW)
    }

    fn header(row: &str) -> Header {
        opened(row, "").unwrap().header(Some(0), NOW).unwrap()
    }

    #[test]
    fn the_state_is_the_servers_and_has_no_moment() {
        let found = header(r#""state":"running","started":"14m ago""#);
        assert_eq!(found.state.as_deref(), Some("running"));
        assert!(
            found.fields.iter().all(|field| !matches!(&*field.field, "computedAt" | "startedAt")),
            "{found:?}"
        );
        assert!(found.evidence.iter().all(|line| line.read_at.is_none() && line.read_from == "smithers ps"));
    }

    #[test]
    fn what_a_run_waits_for_is_named() {
        let timer =
            r#""timer":{"id":"nap","iteration":2,"firesAt":"2026-11-22T21:02:20.238Z","remaining":"1d"}"#;
        let found = header(&format!(r#""state":"waiting-timer",{timer}"#));
        assert_eq!(found.blocked.as_deref(), Some("timer"));
        assert!(text(&found.answer.sentence).contains("nap"), "{}", text(&found.answer.sentence));
        let found = header(
            r#""state":"waiting-approval","pendingApprovals":[{"nodeId":"ship","status":"requested"},
                {"nodeId":"old","status":"approved"}]"#,
        );
        assert!(text(&found.answer.sentence).contains("ship"), "{}", text(&found.answer.sentence));
        let commands: Vec<_> = found.actions.iter().filter_map(|action| action.command.as_deref()).collect();
        assert_eq!(commands.first(), Some(&"smithers approve r1 --node ship --iteration 0"));
        assert!(commands.iter().all(|command| !command.contains("old")));
    }

    #[test]
    fn a_timer_of_a_run_that_does_not_sleep_is_no_reason() {
        let timer = r#""timer":{"id":"nap","firesAt":"2026-11-22T21:02:20.238Z"}"#;
        assert_eq!(header(&format!(r#""state":"running",{timer}"#)).blocked, None);
        assert_eq!(header(timer).state, None, "a row without a state has none");
    }

    #[test]
    fn rows_that_cannot_be_read_are_named() {
        for (row, begin) in [
            (r#""state":7"#, "Expected a run state as text"),
            (r#""state":"running","timer":{"id":"nap"}"#, "The field `firesAt` is missing."),
            (r#""pendingApprovals":{}"#, "Expected a list"),
            (r#""pendingApprovals":[{}]"#, "The field `nodeId` is missing."),
            (r#""state":"stale","unhealthy":"dead""#, "Expected an object"),
            (r#""finishedAtMs":"soon""#, "Expected a number"),
        ] {
            let found = opened(row, r#",{"id":"r2","dbStatus":"failed"}"#).unwrap();
            assert_eq!(found.rows().len(), 1);
            assert!(found.problems()[0].contains(begin), "{:?}", found.problems());
            // Alone, it is what the list is refused for.
            let refused = opened(row, "").unwrap_err();
            assert!(refused.message.contains(begin) && refused.position.is_some(), "{refused:?}");
        }
    }
}
