//! Reads the output of `smithers ps --json`: a list of runs with the server's own states and the reasons of waits.

use crate::json::{Decisive, ReadError, Slice, decisive, fields, lenient, optional, optionals, record};
use crate::run::{RunInspection, Witness, server_witness};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, ReasonBlocked, ReasonUnhealthy, RunState, RunStateView, RunStatus};
use crate::time::Millis;
use crate::word::Word;

/// Reads a row. `started` is an age in words (`14m ago`) and is not read.
pub(crate) fn read_row(slice: Slice<'_>, read_from: &str) -> Result<RunInspection, ReadError> {
    let names = ["id", "workflow", "parentRunId", "dbStatus", "finishedAtMs", "timer", "pendingApprovals"];
    let [id, workflow, parent, status, finished, timer, approvals] = fields(slice, names)?;
    let [workflow, parent_run_id] = optionals([workflow, parent], Slice::read_text)?;
    let run_id = slice.need("id", id)?.read_text()?;
    let status: Option<Word<RunStatus>> = decisive(status, Slice::read)?;
    let timer: Option<Timer> = optional(timer, Slice::read)?;
    let mut nodes = optional(approvals, read_approvals)?.unwrap_or_default();
    nodes.extend(
        timer.as_ref().map(|timer| waiting_node(&timer.node_id, timer.iteration, NodeState::WaitingTimer)),
    );
    Ok(RunInspection {
        verdict: verdict(slice, &run_id, timer, read_from)?,
        run_id: Some(run_id),
        workflow,
        parent_run_id,
        finished_at: optional(finished, Slice::read_time)?.map(Millis),
        nodes: nodes.into(),
        continued: status.as_ref().and_then(Word::known) == Some(RunStatus::Continued),
        status,
        ..RunInspection::default()
    })
}

/// Returns the state that the command computed. The command does not print its time, so the view has no time.
fn verdict(
    slice: Slice<'_>,
    run_id: &str,
    timer: Option<Timer>,
    read_from: &str,
) -> Result<Option<Witness>, ReadError> {
    let [state, unhealthy] = fields(slice, ["state", "unhealthy"])?;
    let Some(state) = decisive(state, Slice::read)? else { return Ok(None) };
    let state: Word<RunState> = state;
    let asleep = state.known() == Some(RunState::WaitingTimer);
    let blocked = timer
        .filter(|_| asleep)
        .map(|timer| ReasonBlocked::Timer { node_id: timer.node_id, wake_at: timer.fires_at });
    let unhealthy = optional(unhealthy, ReasonUnhealthy::read)?;
    let view = RunStateView { run_id: run_id.to_owned(), computed_at: None, state, blocked, unhealthy };
    Ok(Some(server_witness(view, None, read_from)))
}

record! {
    struct Timer {
        #[serde(rename = "id")]
        node_id: String,
        #[serde(default, deserialize_with = "lenient")]
        iteration: u32,
        #[serde(rename = "firesAt")]
        fires_at: String,
    }
}

record! {
    #[serde(rename_all = "camelCase")]
    struct PendingApproval {
        node_id: String,
        #[serde(default, deserialize_with = "lenient")]
        iteration: u32,
        status: Decisive<String>,
    }
}

/// Reads the nodes that wait for a decision. The command does not print the beginning of the wait, so they become
/// waiting nodes and not the reason of the view.
fn read_approvals(slice: Slice<'_>) -> Result<Vec<NodeStatus>, ReadError> {
    let approvals: Vec<PendingApproval> = slice.read()?;
    let open = approvals
        .iter()
        .filter(|approval| approval.status.as_deref().is_none_or(|status| status == "requested"));
    Ok(open.map(|one| waiting_node(&one.node_id, one.iteration, NodeState::WaitingApproval)).collect())
}

fn waiting_node(node_id: &str, iteration: u32, state: NodeState) -> NodeStatus {
    NodeStatus::from_state(node_id.to_owned(), iteration, Word::Known(state))
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
            (r#""state":[]"#, "Expected a run state as text"),
            (r#""state":{}"#, "Expected a run state as text"),
        ] {
            let found = opened(row, r#",{"id":"r2","dbStatus":"failed"}"#).unwrap();
            assert_eq!(found.rows().len(), 1);
            assert!(found.problems().texts()[0].contains(begin), "{:?}", found.problems());
            // If the row is the only one, the list is refused with its error.
            let refused = opened(row, "").unwrap_err();
            assert!(refused.message.contains(begin) && refused.position.is_some(), "{refused:?}");
        }
    }

    #[test]
    fn fields_that_cannot_be_read_are_absent_and_named() {
        for (row, begin) in [
            (r#""state":"running","timer":{"id":"nap"}"#, "timer`: The field `firesAt` is missing."),
            (r#""pendingApprovals":{}"#, "pendingApprovals`: Expected a list"),
            (r#""pendingApprovals":[{}]"#, "pendingApprovals[0]`: The field `nodeId` is missing."),
            (r#""state":"stale","unhealthy":"dead""#, "unhealthy`: Expected an object"),
            (r#""finishedAtMs":"soon""#, "finishedAtMs`: Expected a number"),
        ] {
            let found = opened(row, r#",{"id":"r2","dbStatus":"failed"}"#).unwrap();
            assert_eq!(found.rows().len(), 2);
            let problems = found.problems().texts();
            assert!(problems.len() == 1 && problems[0].contains(begin), "{problems:?}");
        }
    }
}
