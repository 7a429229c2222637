//! Tests which rows of the list are read again when the traffic changes.

use super::*;
use crate::viewer::viewer_source::ViewerSource;

fn run(ms: f64, run_id: &str, result: &str) -> Entry {
    get_run(ms, run_id, format!(r#"{{"apiVersion":"v1",{result}}}"#))
}

fn studio(ms: f64, sessions: &str) -> Entry {
    Entry::Answer {
        at: at(ms),
        started: at(ms),
        url: "http://127.0.0.1:8765/api/runs/".to_owned(),
        method: "GET".to_owned(),
        request: None,
        status: Some(200),
        service_worker: false,
        body: format!(r#"{{"runs":{sessions}}}"#),
    }
}

fn navigated(ms: f64) -> Entry {
    Entry::Navigated { at: at(ms), url: "http://127.0.0.1:7331/".to_owned(), kept: false }
}

const THREE: &str = r#"[{"runId":"r1","status":"waiting-approval"},{"runId":"r2","status":"paused"},{"runId":"r3","status":"failed"}]"#;
const FAILED: &str = r#""ok":true,"payload":{"runId":"r2","status":"failed"}"#;
const GONE: &str = r#""ok":false,"error":{"code":"NOT_FOUND","message":"Run not found"}"#;
const SESSIONS: &str = r#"[{"id":"s1","status":"running","invocation_kind":"agent"},{"id":"s2","status":"completed","invocation_kind":"agent"}]"#;

/// What happens one after the other, and the rows that it changes; `None` if rows were added, removed or moved.
fn steps() -> Vec<(Vec<Entry>, Option<Vec<usize>>)> {
    let challenge = |ms: f64, seq| {
        event(ms, seq, "connect.challenge", &format!(r#"{{"ts":{}}}"#, START + ms + 3_600_000.0))
    };
    vec![
        (vec![answer(0.0, 7331, THREE)], None),
        (vec![Entry::Poll(poll(100.0))], Some(vec![])),
        (vec![run(200.0, "r2", FAILED)], Some(vec![1])),
        (vec![run(300.0, "r3", GONE)], Some(vec![2])),
        (vec![run(400.0, "r9", GONE)], Some(vec![])),
        (vec![Entry::Cleared { at: at(500.0) }], Some(vec![])),
        (vec![challenge(600.0, 1)], None),
        (vec![challenge(700.0, 2)], Some(vec![])),
        (vec![event(800.0, 3, "run.heartbeat", r#"{"runId":"r1"}"#)], Some(vec![0])),
        (vec![answer(900.0, 7332, THREE)], None),
        (vec![run(1_000.0, "r2", FAILED), run(1_100.0, "r1", GONE)], Some(vec![0, 1])),
        (vec![studio(1_200.0, SESSIONS)], None),
        (vec![studio(1_300.0, &SESSIONS.replace("running", "failed"))], None),
        (vec![run(1_400.0, "r4", &FAILED.replace("r2", "r4"))], None),
        (vec![navigated(1_500.0), answer(1_600.0, 7331, THREE)], None),
        (vec![navigated(1_700.0)], None),
    ]
}

#[test]
fn only_rows_that_the_traffic_is_about_are_read_again() {
    let mut source = TrafficSource::default();
    for (number, (entries, expected)) in steps().into_iter().enumerate() {
        let version = source.list_version();
        source.take(&entries);
        assert_eq!(source.rows_changed_after(version), expected, "step {number}");
        let all = source.rows();
        let single: Vec<_> = (0..all.len()).map(|row| source.row(row).unwrap()).collect();
        assert_eq!(single, all, "step {number}");
        assert_eq!(source.row(all.len()), None);
    }
}

#[test]
fn the_list_after_changes_is_that_of_the_whole_traffic() {
    let mut entries = Vec::new();
    let mut followed = viewer(&[]);
    let mut shown = None;
    let runs = |viewer: &mut Viewer, ms: f64| {
        let updates = viewer.updates(at(ms)).into_iter();
        updates
            .filter_map(|update| if let Update::Runs(list) = update { Some(list) } else { None })
            .next_back()
    };
    for (number, (next, _)) in steps().into_iter().enumerate() {
        let ms = 100.0 * number as f64 + 150.0;
        followed.traffic().unwrap().take(&next);
        entries.extend(next);
        shown = runs(&mut followed, ms).or(shown);
        assert_eq!(shown, runs(&mut viewer(&entries), ms), "step {number}");
    }
}

#[test]
fn cleared_traffic_has_no_rows() {
    let mut source = TrafficSource::default();
    source.take(&[answer(0.0, 7331, THREE)]);
    let version = source.list_version();
    source.clear();
    assert_eq!((source.rows_changed_after(version), source.rows()), (None, Vec::new()));
}

#[test]
fn a_session_of_studio_has_its_branches_as_a_tree() {
    let answer = |ms: f64, branches: &str| {
        let body = format!(
            r#"{{"session_id":"s1","status":"running","invocation_kind":"agent","branches":[{branches}]}}"#
        );
        match studio(ms, "[]") {
            Entry::Answer { at, started, method, request, status, service_worker, .. } => {
                let url = "http://127.0.0.1:8765/api/runs/s1".to_owned();
                Entry::Answer { at, started, url, method, request, status, service_worker, body }
            }
            other => other,
        }
    };
    let mut viewer =
        viewer(&[studio(0.0, SESSIONS), answer(100.0, r#"{"id":"b1","name":"main","messages":[]}"#)]);
    viewer.traffic().unwrap().choose(0, "s1");
    let titles = |viewer: &Viewer| -> Vec<String> {
        viewer.all_rows(at(200.0)).unwrap().into_iter().map(|row| row.title).collect()
    };
    assert_eq!(titles(&viewer), ["s1", "main"]);
    let two = r#"{"id":"b1","name":"main","messages":[]},{"id":"b2","name":"review","messages":[]}"#;
    viewer.traffic().unwrap().take(&[answer(300.0, two)]);
    assert_eq!(titles(&viewer), ["s1", "main", "review"]);
    viewer.traffic().unwrap().choose(1, "s2");
    assert_eq!(titles(&viewer), ["s2"]);
}
