//! `compute_run_state`: the requested rows, their order, and the errors.

use std::cell::RefCell;

use runstate::error_code::ErrorCode;
use runstate::smithers::derive::{ComputeError, ComputeRunStateOptions, RunStateAdapter, compute_run_state};
use runstate::smithers::wire::{ApprovalRow, AttemptRow, NodeRow, ReasonBlocked, RunRow, SandboxRow};
use runstate::time::Millis;

#[derive(Default)]
struct Database {
    run: Option<RunRow>,
    approvals: Vec<ApprovalRow>,
    nodes: Vec<NodeRow>,
    attempts: Vec<AttemptRow>,
    broken: bool,
    asked: RefCell<Vec<String>>,
}

impl Database {
    fn with(status: &str) -> Self {
        let run = serde_json::from_str(&format!(r#"{{"runId":"r1","status":"{status}"}}"#)).unwrap();
        Self { run: Some(run), ..Self::default() }
    }

    fn ask<T>(&self, question: impl Into<String>, answer: T) -> Result<T, String> {
        self.asked.borrow_mut().push(question.into());
        if self.broken { Err("disk on fire".to_owned()) } else { Ok(answer) }
    }
}

impl RunStateAdapter for Database {
    type Error = String;

    fn get_run(&self, _: &str) -> Result<Option<RunRow>, String> {
        self.ask("run", self.run.clone())
    }

    fn list_pending_approvals(&self, _: &str) -> Result<Vec<ApprovalRow>, String> {
        self.ask("approvals", self.approvals.clone())
    }

    fn list_nodes(&self, _: &str) -> Result<Vec<NodeRow>, String> {
        self.ask("nodes", self.nodes.clone())
    }

    fn list_attempts(&self, _: &str, node: &str, iteration: f64) -> Result<Vec<AttemptRow>, String> {
        self.ask(format!("attempts {node}#{iteration}"), self.attempts.clone())
    }

    fn list_sandboxes(&self, _: &str) -> Result<Option<Vec<SandboxRow>>, String> {
        self.ask("sandboxes", None)
    }
}

fn node(node_id: &str, iteration: Option<f64>, state: &str) -> NodeRow {
    NodeRow::new(node_id, iteration, Some(state))
}

fn attempt(state: &str, meta: &str) -> AttemptRow {
    AttemptRow::new(Some(state), Some(meta.into()))
}

fn options() -> ComputeRunStateOptions<'static> {
    ComputeRunStateOptions::new(Millis(1_700_000_000_000.0))
}

fn blocked(database: &Database) -> Option<ReasonBlocked> {
    compute_run_state(database, "r1", &options()).unwrap().view.blocked
}

#[test]
fn a_run_that_does_not_exist_is_an_error_and_no_state() {
    let error = compute_run_state(&Database::default(), "nowhere", &options()).unwrap_err();
    assert_eq!(error, ComputeError::RunNotFound { run_id: "nowhere".into() });
    assert_eq!(error.code(), Some(ErrorCode::RunNotFound));
    assert_eq!(error.to_string(), r#"expected a run with the id "nowhere", found none"#);
}

#[test]
fn a_database_that_fails_speaks_for_itself() {
    let database = Database { broken: true, ..Database::with("running") };
    let error = compute_run_state(&database, "r1", &options()).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (None, "disk on fire"));
}

#[test]
fn a_time_beyond_the_calendar_is_an_error() {
    let options = ComputeRunStateOptions::new(Millis(f64::INFINITY));
    let error = compute_run_state(&Database::with("finished"), "r1", &options).unwrap_err();
    assert!(matches!(error, ComputeError::InvalidTime(_)));
}

#[test]
fn only_what_the_status_needs_is_asked_for() {
    for (status, asked) in [
        ("finished", vec!["run"]),
        ("paused", vec!["run"]),
        ("waiting-quota", vec!["run"]),
        ("nonsense", vec!["run"]),
        ("running", vec!["run", "sandboxes"]),
        ("waiting-approval", vec!["run", "approvals"]),
        ("waiting-timer", vec!["run", "nodes"]),
        ("waiting-event", vec!["run", "nodes", "nodes"]),
    ] {
        let database = Database::with(status);
        compute_run_state(&database, "r1", &options()).unwrap();
        assert_eq!(*database.asked.borrow(), asked, "{status}");
    }
}

#[test]
fn every_waiting_timer_is_asked_for_and_the_next_one_counts() {
    let database = Database {
        nodes: vec![
            node("a", Some(2.0), "waiting-timer"),
            node("b", None, "finished"),
            node("c", None, "waiting-timer"),
        ],
        attempts: vec![
            attempt("failed", r#"{"timer":{"firesAtMs":1}}"#),
            attempt("waiting-timer", r#"{"timer":{"firesAtMs":"1700000005000.9"}}"#),
        ],
        ..Database::with("waiting-timer")
    };
    let wake_at = "2023-11-14T22:13:25.000Z".to_owned();
    assert_eq!(blocked(&database), Some(ReasonBlocked::Timer { node_id: "a".into(), wake_at }));
    assert_eq!(*database.asked.borrow(), ["run", "nodes", "attempts a#2", "attempts c#0"]);
}

#[test]
fn the_oldest_approval_counts_and_one_without_a_time_does_not() {
    let approval = |node_id: &str, requested_at_ms| ApprovalRow::new(node_id, requested_at_ms);
    let database = Database {
        approvals: vec![
            approval("none", None),
            approval("late", Some(5.0)),
            approval("early", Some(3.0)),
            approval("tie", Some(3.0)),
        ],
        ..Database::with("waiting-approval")
    };
    assert_eq!(
        blocked(&database).and_then(|reason| reason.node_id().map(str::to_owned)),
        Some("early".into())
    );
}

#[test]
fn the_event_key_is_read_from_newer_and_older_databases() {
    for (meta, key) in [
        (r#"{"waitForEvent":{"signalName":"s","correlationId":" c "}}"#, "c"),
        (r#"{"waitForEvent":{"signalName":" s ","correlationId":" "}}"#, "s"),
        (r#"{"waitForEvent":{"signalName":"s"},"event":{"correlationKey":"old"}}"#, "s"),
        (r#"{"event":{"correlationKey":"old","eventName":"name"},"correlationKey":"older"}"#, "old"),
        (r#"{"event":{"eventName":"name"},"correlationKey":"older"}"#, "older"),
        (r#"{"event":{"eventName":"name"}}"#, "name"),
        (r#"{"waitForEvent":{"signalName":""},"correlationKey":7}"#, ""),
        (r#"[{"correlationKey":"k"}]"#, ""),
        (r#"{"correlationKey":"k""#, ""),
        ("", ""),
    ] {
        let database = Database {
            nodes: vec![node("a", None, "waiting-event"), node("b", None, "waiting-event")],
            attempts: vec![attempt("waiting-event", meta)],
            ..Database::with("waiting-event")
        };
        let expected = ReasonBlocked::Event { node_id: "a".into(), correlation_key: key.into() };
        assert_eq!(blocked(&database), Some(expected), "{meta}");
        assert_eq!(*database.asked.borrow(), ["run", "nodes", "attempts a#0"]);
    }
}
