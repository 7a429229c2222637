//! Drafts of exports from a live feed. They contain secrets; [`export`](crate::export::export) redacts them.

use crate::ingest::export_format::KEY;
use crate::number::Number;
use crate::run::RunInspection;
use crate::smithers::wire::{
    ApprovalRequest, ReasonBlocked, RunStateView, write_approval, write_attempt, write_node_states,
};
use crate::text::{concat, json};
use crate::time::Millis;

/// A run of a live feed, as an export without a hash and with all secrets: the Gateway's last answer to `getRun`,
/// verbatim, the tree, the nodes, and the attempts. Pass it to [`export`](crate::export::export) to redact the secrets.
/// `None` if the run is not from such an answer.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::export::{ExportOptions, draft, export};
/// use runstate::run::Recording;
/// use runstate::time::Millis;
///
/// let recording = Recording {
///     run: r#"{"type":"res","id":"1","ok":true,"payload":{"runId":"r1","status":"waiting-timer","configJson":"{}"}}"#,
///     snapshot: r#"{"type":"res","id":"2","ok":true,"payload":{"version":1,"runId":"r1","frameNo":3,"seq":3,
///         "root":{"id":1,"type":"timer","name":"timer","props":{"id":"nap"}}}}"#,
///     nodes: r#"{"type":"res","id":"3","ok":true,"payload":[{"nodeId":"nap","iteration":0,"state":"waiting-timer"}]}"#,
/// };
/// let now = Millis(1_700_000_000_000.0);
/// let draft = draft(&recording.read(now)?, now).unwrap();
/// let exported = export(&[File { name: None, bytes: draft.as_bytes() }], &ExportOptions::new(now))?;
/// assert_eq!(exported.redacted, 1);
/// let document = open(&[File { name: None, bytes: &exported.bytes }], now)?;
/// assert_eq!(document.header(None, now).unwrap().state.as_deref(), Some("waiting-timer"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draft(run: &RunInspection, now: Millis) -> Option<String> {
    let answer = run.answer.as_deref()?;
    let run_id = json(run.run_id.as_deref().unwrap_or_default());
    let read_at = read_at(run, now);
    let run_field = concat(&[r#","runId":"#, &run_id]);
    let mut entries = vec![entry(&read_at, "getRun", &run_field, answer)];
    if let (Some(tree), Some(frame_no)) = (&run.tree, run.frame_no) {
        let [frame, seq] = [frame_no, run.seq.unwrap_or(frame_no)].map(|number| Number(number).to_text());
        let begin = [r#"{"version":1,"runId":"#, &run_id, r#","frameNo":"#, &frame, r#","seq":"#, &seq];
        let root = tree.to_json();
        let snapshot = concat(&[&concat(&begin), r#","root":"#, &root, "}"]);
        entries.push(entry(&read_at, "getDevToolsSnapshot", &run_field, &snapshot));
    }
    if !run.nodes.is_empty() {
        entries.push(entry(&read_at, "listNodeStates", &run_field, &write_node_states(&run.nodes)));
    }
    let request = run.named_approval().and_then(write_approval);
    entries.extend(request.map(|request| entry(&read_at, "listApprovals", &run_field, &request)));
    if run.waits_without_request() {
        let more = concat(&[&run_field, r#","at":"#, &read_at]);
        entries.push(entry(&read_at, "listApprovals", &more, "[]"));
    }
    for attempt in &run.attempts {
        let at =
            attempt.read_at.map(|at| concat(&[r#","at":"#, &Number(at.0).to_text()])).unwrap_or_default();
        let rows = write_attempt(attempt);
        entries.extend(rows.map(|rows| entry(&read_at, "attempts.list", &concat(&[&run_field, &at]), &rows)));
    }
    Some(content(&entries))
}

/// A list of runs of a live feed, in the same form: the Gateway's last answer to `listRuns`, verbatim, with the time for
/// which `runs` were derived from it, and the requests for a decision that name the nodes of those that wait.
pub(crate) fn draft_list(
    answer: &str,
    runs: &[RunInspection],
    requests: &[ApprovalRequest],
    now: Millis,
) -> String {
    let read_at = runs.first().map_or_else(|| Number(now.0).to_text(), |run| read_at(run, now));
    let mut entries = vec![entry(&read_at, "listRuns", "", answer)];
    for run in runs {
        let Some(ReasonBlocked::Approval { node_id, .. }) = run.view().and_then(|view| view.blocked.as_ref())
        else {
            continue;
        };
        let is_named =
            |request: &&ApprovalRequest| request.run_id == run.run_id && request.node_id == *node_id;
        let request = requests.iter().find(is_named).and_then(write_approval);
        entries.extend(request.map(|request| entry(&read_at, "listApprovals", "", &request)));
    }
    content(&entries)
}

/// The time of the derivation, or the server's time, so that the export shows the same state.
fn read_at(run: &RunInspection, now: Millis) -> String {
    Number(run.view().and_then(RunStateView::computed_time).unwrap_or(now).0).to_text()
}

fn entry(read_at: &str, method: &str, more: &str, content: &str) -> String {
    concat(&[r#"{"readAt":"#, read_at, r#","method":""#, method, "\"", more, r#","json":"#, content, "}"])
}

fn content(entries: &[String]) -> String {
    concat(&[r#"{""#, KEY, r#"":1,"hash":"","content":{"entries":["#, &entries.join(","), "]}}"])
}

#[cfg(test)]
mod tests {
    use crate::export::draft_list;
    use crate::file::File;
    use crate::ingest::open;
    use crate::run::RunInspection;
    use crate::smithers::wire::read_rows;
    use crate::time::Millis;

    #[test]
    fn a_draft_of_a_list_is_read_for_its_own_time() {
        let now = Millis(1_700_000_000_000.0);
        let answer =
            r#"[{"runId":"a","status":"running","heartbeatAtMs":1700000000000,"runtimeOwnerId":"pid:1"}]"#;
        let rows: Vec<RunInspection> = read_rows(answer)
            .unwrap()
            .iter()
            .map(|row| RunInspection::from_row(row, "listRuns", now))
            .collect();
        let draft = draft_list(answer, &rows, &[], Millis(now.0 + 60_000.0));
        let later = open(&[File { name: None, bytes: draft.as_bytes() }], Millis(now.0 + 120_000.0)).unwrap();
        assert_eq!(later.rows()[0].state.as_deref(), Some("running"), "as it was then");
    }
}
