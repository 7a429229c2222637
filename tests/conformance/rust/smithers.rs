//! Every recorded vector of `deriveRunState` and `computeRunStateFromRow` agrees, or stands in the divergences list.

mod divergences;
mod vectors;

use divergences::Divergences;
use runstate::smithers::{ReasonUnhealthy, RunState, RunStateView};
use vectors::{Answered, Mode, Outcome, Vector};

type Answer = fn(&Vector, Mode) -> Answered;

const FILES: [(&str, Answer); 2] = [("derive", vectors::derive), ("compute", vectors::compute)];

fn rows(file: &str) -> Vec<Vector> {
    vectors::read(&format!("{file}-vectors.ndjson"))
}

/// Every row that does not agree and is not listed so, or that is listed and agrees.
fn disagreements(mode: Mode) -> Vec<String> {
    let list = Divergences::read();
    let mut problems = Vec::new();
    for (file, answer) in FILES {
        for vector in rows(file) {
            let (ours, _) = answer(&vector, mode);
            let row = vector.index;
            match list.class(file, row, mode) {
                None if ours != vector.expected => {
                    problems.push(format!("{file} {row}: expected {:?}, found {ours:?}", vector.expected));
                }
                Some(class) if ours == vector.expected => {
                    problems.push(format!("{file} {row}: is listed as {} and agrees", class.id));
                }
                Some(class) if !class.ours.explains(&vector.expected, &ours) => {
                    problems.push(format!("{file} {row}: is listed as {}, found {ours:?}", class.id));
                }
                None | Some(_) => {}
            }
        }
    }
    problems
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "{} rows:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn every_row_agrees_as_given() {
    assert_none(&disagreements(Mode::AsGiven));
}

#[test]
fn every_row_agrees_with_the_released_settings() {
    assert_none(&disagreements(Mode::Released));
}

#[test]
fn the_list_counts_the_rows_and_gives_every_reason() {
    let list = Divergences::read();
    let mut listed = Vec::new();
    for (file, _) in FILES {
        let indices: Vec<u64> = rows(file).iter().map(|row| row.index).collect();
        assert_eq!(list.counts[file], indices.len(), "{file}");
        for class in &list.classes {
            assert!(class.reason.len() > 40, "{} has no reason", class.id);
            for row in class.rows.get(file).into_iter().flatten() {
                assert!(indices.contains(row), "{file} has no row {row}");
                listed.push((file, *row));
            }
        }
    }
    let before = listed.len();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(before, listed.len(), "a row stands in two classes");
}

#[test]
fn the_list_is_sorted() {
    for class in Divergences::read().classes {
        for (file, rows) in class.rows {
            assert!(rows.is_sorted(), "{} {file}", class.id);
        }
    }
}

/// Seed 000: `blocked` with `waiting-*` alone, `unhealthy` with `stale`, `orphaned` or `recovering` alone.
fn keeps_the_seeds_invariants(view: &RunStateView) -> bool {
    let (waits, ails) = match view.state.known() {
        Some(
            RunState::WaitingApproval
            | RunState::WaitingEvent
            | RunState::WaitingTimer
            | RunState::WaitingQuota,
        ) => (true, false),
        Some(RunState::Stale | RunState::Orphaned | RunState::Recovering) => (false, true),
        Some(
            RunState::Running
            | RunState::Paused
            | RunState::Failed
            | RunState::Cancelled
            | RunState::Succeeded
            | RunState::Unknown,
        ) => (false, false),
        None => return false,
    };
    (waits || view.blocked.is_none()) && ails == view.unhealthy.is_some()
}

#[test]
fn the_seeds_invariants_hold_without_later_signals() {
    for (file, answer) in FILES {
        let mut answers = 0;
        for vector in rows(file) {
            if let (_, Some(derivation)) = answer(&vector, Mode::Seed) {
                answers += 1;
                assert!(
                    keeps_the_seeds_invariants(&derivation.view),
                    "{file} {}: {:?}",
                    vector.index,
                    derivation.view
                );
            }
        }
        assert!(answers > 400, "{file}: {answers} answers");
    }
}

#[test]
fn later_signals_are_what_breaks_the_seeds_invariants() {
    let mut kinds = Vec::new();
    for (file, answer) in FILES {
        for vector in rows(file) {
            if let (_, Some(derivation)) = answer(&vector, Mode::Released)
                && !keeps_the_seeds_invariants(&derivation.view)
            {
                kinds.push(
                    derivation.view.unhealthy.as_ref().map_or("none", ReasonUnhealthy::kind).to_owned(),
                );
            }
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["sandbox-unreachable", "timer-overdue"]);
}

#[test]
fn every_answer_names_what_decided() {
    for mode in [Mode::AsGiven, Mode::Released, Mode::Seed] {
        for (file, answer) in FILES {
            for vector in rows(file) {
                let (outcome, derivation) = answer(&vector, mode);
                let Some(derivation) = derivation else { continue };
                let evidence = &derivation.evidence;
                let decisive = evidence.inputs.iter().filter(|input| input.decisive).count();
                assert!((1..=3).contains(&decisive), "{file} {}: {evidence:?}", vector.index);
                assert_eq!(evidence.inputs[0].name, "run row status");
                assert!(evidence.read_at.is_some() && matches!(outcome, Outcome::Json(_)));
            }
        }
    }
}

#[test]
fn refused_rows_say_where_and_what() {
    let mut refused = 0;
    for (file, answer) in FILES {
        for vector in rows(file) {
            if let (Outcome::Refused(refusal), _) = answer(&vector, Mode::AsGiven) {
                refused += 1;
                let text = refusal.to_string();
                assert!(text.starts_with("expected a") && text.contains(", found "), "{text}");
                assert!(!refusal.path.is_empty(), "{text}");
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn an_argument_is_refused_where_the_answer_rests_on_it() {
    for (json, refusal) in [
        ("7", "expected an object for input, found the number 7"),
        ("{}", "expected an object for run, found nothing"),
        (r#"{"run":[]}"#, "expected an object for run, found a list"),
        (
            r#"{"run":{"runId":"r","status":"running","heartbeatAtMs":"soon"}}"#,
            r#"expected a number or null for run.heartbeatAtMs, found the text "soon""#,
        ),
        (
            r#"{"run":{"runId":"r","status":"waiting-timer"},"pendingTimer":{"nodeId":"n"}}"#,
            "expected a number for pendingTimer.firesAtMs, found nothing",
        ),
        (
            r#"{"run":{"runId":"r","status":"waiting-timer"},"pendingTimer":true}"#,
            "expected an object or null for input.pendingTimer, found true",
        ),
        (
            r#"{"run":{"runId":"r","status":"waiting-event"},"parkedEventBlock":{"kind":"nap"}}"#,
            r#"expected "approval-decided-resume-required" or "external-trigger" for parkedEventBlock.kind, found the text "nap""#,
        ),
        (
            r#"{"run":{"runId":"r","status":"running"},"sandboxHeartbeats":5}"#,
            "expected a list for input.sandboxHeartbeats, found the number 5",
        ),
    ] {
        assert_eq!(vectors::read_input(json).unwrap_err().to_string(), refusal);
    }
}

#[test]
fn an_argument_that_the_answer_does_not_rest_on_is_not_judged() {
    for json in [
        r#"{"run":{"runId":"r","status":"finished","heartbeatAtMs":"soon","errorJson":5},"staleThresholdMs":null}"#,
        r#"{"run":{"runId":"r","status":"running"},"pendingTimer":true}"#,
        r#"{"run":{"runId":"r","status":["running"]}}"#,
        r#"{"run":{"runId":"r","status":"running","heartbeatAtMs":null},"sandboxHeartbeats":["x",5,null]}"#,
    ] {
        assert!(vectors::read_input(json).is_ok(), "{json}");
    }
}
