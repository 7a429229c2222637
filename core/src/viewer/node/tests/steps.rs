//! The detail of visits of steps of tnh-conductor runs.

use std::collections::BTreeMap;

use super::events::events;
use super::*;

#[test]
fn a_visit_of_a_step_has_what_the_files_say() {
    let status = r#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
        "updated_at":"2026-11-21T20:41:00Z","lifecycle_state":"completed","current_step_id":"STOP",
        "last_completed_step_id":"STOP","termination":"completed"}"#;
    let event = |second: u32, step: &str, event: &str, next: &str| {
        format!(
            r#"{{"timestamp":"2026-11-21T20:40:{second}Z","run_id":"20261121T204038Z","step_id":"{step}","event_type":"{event}"{next}}}"#
        ) + "\n"
    };
    let log = [
        event(39, "test", "step_started", ""),
        event(41, "test", "step_failed", r#","next_step_id":"fix""#),
        event(41, "fix", "step_started", ""),
        event(51, "fix", "step_completed", r#","next_step_id":"test""#),
        event(51, "test", "step_started", ""),
        event(59, "test", "step_failed", r#","next_step_id":"STOP""#),
    ]
    .concat();
    let manifest = r#"{"step_id":"test","opcode":"RUN_VALIDATION","termination":"error",
        "evidence_summary":{"notes":["policy: default","2 tests failed"]},"artifacts":[]}"#;
    let files = [
        File { name: Some("status.json"), bytes: status.as_bytes() },
        File { name: Some("events.ndjson"), bytes: log.as_bytes() },
        File { name: Some("artifacts/test/manifest.json"), bytes: manifest.as_bytes() },
    ];
    let mut viewer = Viewer::new(DocumentSource::new(open(&files, NOW).unwrap(), "run"));
    let window = select(&mut viewer, "test", 1);
    assert_eq!((state(&window), window.error.as_deref()), (Some("failed"), None));
    assert_eq!((field(&window, "visit"), field(&window, "opcode")), (Some("2 of 2"), Some("RUN_VALIDATION")));
    assert_eq!((field(&window, "outcome"), field(&window, "duration")), (Some("error"), Some("8.0 s")));
    assert_eq!(field(&window, "nextStep"), Some("STOP"));
    let window = select(&mut viewer, "test", 0);
    assert_eq!((state(&window), field(&window, "opcode")), (Some("failed"), None));
    assert_eq!(
        window.missing,
        [
            "The manifest describes visit 2; that of this visit has been overwritten. Its events are kept: open Events."
        ]
    );
    let visits = window.iterations.unwrap();
    assert_eq!((visits.next, visits.are_visits), (Some(1), true));
    let window = select(&mut viewer, "fix", 0);
    let no_manifest =
        "The manifest: not in this document. Open the whole run directory with events.ndjson and artifacts.";
    assert_eq!((state(&window), &*window.missing), (Some("finished"), &[no_manifest.to_owned()][..]));
    assert_eq!(window.tabs, [NodeTab::Summary, NodeTab::Events]);
    assert_eq!(
        select(&mut viewer, "fix", 1).missing,
        ["A node with this id: not in this document. Select another node."]
    );
}

/// The files of a captured run of tnh-conductor after its first writes.
pub(super) fn written(run: &str, writes: usize) -> Viewer {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/conductor/runs").join(run);
    let text = fs::read_to_string(path.join("writes.ndjson")).unwrap();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for write in
        text.lines().take(writes).map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
    {
        let file = files.entry(write["file"].as_str().unwrap().to_owned()).or_default();
        if write["op"] == "replace" {
            file.clear();
        }
        file.push_str(write["content"].as_str().unwrap());
    }
    let files: Vec<File<'_>> =
        files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
    Viewer::new(DocumentSource::new(open(&files, NOW).unwrap(), "run"))
}

#[test]
fn the_files_of_a_step_are_in_its_detail() {
    let all = usize::MAX;
    let gate = select(&mut written("gate-rejected-then-fix", all), "final_review", 1);
    assert_eq!(
        (field(&gate, "gate"), field(&gate, "gateOutcome"), field(&gate, "outcome")),
        (Some("requires_approval"), Some("gate_approved"), Some("gate_approved"))
    );
    assert_eq!(gate.missing, [""; 0]);
    let before = select(&mut written("gate-rejected-then-fix", all), "final_review", 0);
    assert_eq!((field(&before, "gate"), field(&before, "policy")), (None, None));
    assert_eq!(
        before.missing,
        [
            "The manifest describes visit 2; that of this visit has been overwritten. Its events are kept: open Events."
        ]
    );

    let planned = select(&mut written("gate-rejected-then-fix", all), "assess", 1);
    assert_eq!(field(&planned, "decision"), Some("success"));
    assert_eq!(field(&planned, "plannedStep"), Some("final_review (the kernel does not follow it)"));
    let unsafe_step = select(&mut written("evaluate-unsafe-rollback", all), "assess", 0);
    assert_eq!(field(&unsafe_step, "riskFlags"), Some("policy_violation"));
    let mut broken = written("policy-hard-violation", all);
    let steps: Vec<String> = ["implement"].map(str::to_owned).into();
    let policies: Vec<String> = steps
        .iter()
        .filter_map(|step| field(&select(&mut broken, step, 0), "policy").map(str::to_owned))
        .collect();
    assert!(policies.iter().any(|policy| policy.contains("violation forbidden_path: ")), "{policies:?}");
}

#[test]
fn everything_that_the_files_of_a_step_say_is_one_object() {
    let mut viewer = written("gate-rejected-then-fix", usize::MAX);
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Raw))), NOW);
    let window = select(&mut viewer, "final_review", 1);
    let rows = window.body.value.unwrap().rows;
    let names: Vec<_> = rows.iter().filter_map(|row| row.name.as_deref()).collect();
    assert_eq!((window.tab, names.first()), (NodeTab::Raw, Some(&"manifest")), "{names:?}");
    assert!(names.contains(&"gate_outcome") && names.contains(&"policy_summary"), "{names:?}");
    let steps = events(&mut viewer, "final_review", 1);
    assert!(steps.events.iter().all(|row| row.node.as_ref().is_some_and(|node| node.iteration == Some(1))));
    assert_eq!((&*steps.events[0].name, steps.missing), ("step_started", Vec::new()));
    viewer.handle(ViewCommand::Act(PaneAction::Node(NodeAction::Tab(NodeTab::Raw))), NOW);
    let window = select(&mut viewer, "final_review", 0);
    assert_eq!((window.tabs, window.tab), (vec![NodeTab::Summary, NodeTab::Events], NodeTab::Summary));
}

/// The runs of tnh-conductor that were captured, each with the number of its writes.
fn captured() -> Vec<(String, usize)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/conductor/runs");
    let lives = fs::read_dir(&folder).unwrap().map(|run| {
        let run = run.unwrap().file_name().into_string().unwrap();
        let writes = fs::read_to_string(folder.join(&run).join("writes.ndjson")).unwrap().lines().count();
        (run, writes)
    });
    lives.collect()
}

#[test]
fn header_tree_and_detail_name_the_same_state_at_every_step_of_every_captured_life() {
    let (mut trees, mut without_state) = (0, 0);
    for (run, writes) in captured() {
        for written_so_far in (1..=writes).rev().step_by(3) {
            let mut viewer = written(&run, written_so_far);
            let updates = viewer.updates(NOW);
            let header = updates.iter().find_map(|update| match update {
                Update::Header(header) => header.as_ref().and_then(|header| header.answer.pill.value()),
                _ => None,
            });
            let Some(window) = tree(&updates) else { continue };
            trees += 1;
            let at = format!("{run} after {written_so_far} writes");
            assert_eq!((window.rows[0].state.as_deref(), window.rows[0].depth), (header, 0), "{at}");
            for row in &window.rows {
                viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Select { id: row.id })), NOW);
                let detail = shown(&viewer.updates(NOW)).unwrap();
                assert_eq!((&detail.title, state(&detail)), (&row.title, row.state.as_deref()), "{at}");
                assert_eq!((detail.taxonomy, detail.is_gone), (row.taxonomy, false), "{at}");
                assert_eq!(
                    field(&detail, "duration").unwrap_or_default(),
                    row.duration,
                    "{at} {}",
                    row.title
                );
                without_state += usize::from(row.state.is_none());
            }
        }
    }
    assert!(trees > 200 && without_state > 0, "{trees} trees, {without_state} rows without a state");
}

#[test]
fn the_tree_has_the_last_visit_and_the_detail_the_others() {
    let mut viewer = written("validation-fail-fix-loop", usize::MAX);
    let window = tree(&viewer.updates(NOW)).unwrap();
    let row = window.rows.iter().find(|row| row.title == "validate").unwrap();
    assert_eq!((row.iteration, row.state.as_deref()), (Some(1), Some("finished")));
    viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Select { id: row.id })), NOW);
    let detail = shown(&viewer.updates(NOW)).unwrap();
    assert_eq!(detail.iterations.as_ref().unwrap().previous, Some(0));
    let first = select(&mut viewer, "validate", 0);
    assert_eq!(state(&first), Some("failed"));
    assert_eq!(
        first.missing,
        [
            "The manifest describes visit 2; that of this visit has been overwritten. Its events are kept: open Events."
        ]
    );
}
