//! Every recorded vector of `deriveRunState` and `computeRunStateFromRow` agrees, and contains the released package's
//! answer.

use std::collections::BTreeSet;

use runstate::evidence::Signal;
use runstate::smithers::wire::{ReasonUnhealthy, RunState, RunStateView};
use runstate_conformance::vectors::{Answered, Mode, Outcome, Vector};
use runstate_conformance::{classes, vectors};

type Answer = fn(&Vector, Mode) -> Answered;

const FOLDERS: [(&str, Answer); 2] = [("derive", vectors::derive), ("compute", vectors::compute)];

fn rows(folder: &str) -> Vec<Vector> {
    vectors::read(folder).into_iter().flatten().collect()
}

/// Every row that is not answered or refused as expected.
fn disagreements(mode: Mode) -> Vec<String> {
    let mut problems = Vec::new();
    for (folder, answer) in FOLDERS {
        let classes = classes::read(folder);
        for vector in rows(folder) {
            let agrees_then = mode == Mode::Released && classes[&vector.class].gone_with_released_settings;
            let expected = if agrees_then { vector.released() } else { vector.expected() };
            let (ours, _) = answer(&vector, mode);
            if ours != expected {
                problems.push(format!("{}: expected {expected:?}, found {ours:?}", vector.name));
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
fn a_row_that_the_released_package_answers_otherwise_is_of_a_class_that_says_why() {
    for (folder, _) in FOLDERS {
        let classes = classes::read(folder);
        for vector in rows(folder) {
            let (ours, theirs) = (vector.expected(), vector.released());
            let class = &classes[&vector.class];
            // An input that both refuse, the released package with an error of the engine, counts as refused.
            let both_refuse = |other: &Outcome| matches!(other, Outcome::Refused(_) | Outcome::InvalidTime);
            let agrees = ours == theirs || both_refuse(&ours) && both_refuse(&theirs);
            assert!(agrees || class.diverges, "{} is of {}", vector.name, vector.class);
        }
    }
}

#[test]
fn every_class_has_a_reason_a_source_and_rows() {
    for (folder, _) in FOLDERS {
        let used: BTreeSet<String> = rows(folder).into_iter().map(|row| row.class).collect();
        for (id, class) in classes::read(folder) {
            assert!(class.reason.len() > 40 && class.source.len() > 8, "{folder}: {id}");
            assert!(used.contains(&id), "{folder}: {id} has no row");
        }
    }
}

#[test]
fn names_are_unique_and_refusals_are_at_least_half() {
    for ((folder, _), at_least) in FOLDERS.into_iter().zip([3000, 600]) {
        let [valid, invalid] = vectors::read(folder);
        assert!(
            invalid.len() >= valid.len(),
            "{folder}: {} refusals, {} answers",
            invalid.len(),
            valid.len()
        );
        let names: BTreeSet<&str> = valid.iter().chain(&invalid).map(|row| row.name.as_str()).collect();
        assert_eq!(names.len(), valid.len() + invalid.len(), "{folder}: a name stands twice");
        assert!(names.len() > at_least);
    }
}

/// Seed 000: `blocked` only with `waiting-*`, `unhealthy` only with `stale`, `orphaned` or `recovering`.
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
    for (folder, answer) in FOLDERS {
        let mut answers = 0;
        for vector in rows(folder) {
            if let (_, Some(derivation)) = answer(&vector, Mode::Seed) {
                answers += 1;
                assert!(
                    keeps_the_seeds_invariants(&derivation.view),
                    "{}: {:?}",
                    vector.name,
                    derivation.view
                );
            }
        }
        assert!(answers > 400, "{folder}: {answers} answers");
    }
}

#[test]
fn later_signals_are_what_breaks_the_seeds_invariants() {
    let mut kinds = Vec::new();
    for (folder, answer) in FOLDERS {
        for vector in rows(folder) {
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
        for (folder, answer) in FOLDERS {
            for vector in rows(folder) {
                let (outcome, derivation) = answer(&vector, mode);
                let Some(derivation) = derivation else { continue };
                let evidence = &derivation.evidence;
                let decisive = evidence.inputs.iter().filter(|input| input.decisive).count();
                assert!((1..=3).contains(&decisive), "{}: {evidence:?}", vector.name);
                assert_eq!(evidence.inputs[0].name, Signal::RunRowStatus);
                assert!(evidence.read_at.is_some() && matches!(outcome, Outcome::Json(_)));
            }
        }
    }
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
