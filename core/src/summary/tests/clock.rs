//! The clock's error in times and countdowns.

use super::*;
use crate::actions::ActionKind;
use crate::clock::Reading;
use crate::evidence::Signal;
use crate::header::RunReport;
use crate::header::smithers_header;
use crate::smithers::wire::read_run;
use crate::summary::answer;

const TIMER: &str = r#""state":"waiting-timer","blocked":{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:18:13.000Z"}"#;
const APPROVAL: &str = r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:01:58.000Z"}"#;

fn meta(fields: &str, freshness: &Freshness, error_ms: f64) -> String {
    text(&answer(&run(fields), freshness, Reading { now: at(NOW), error_ms }).meta)
}

#[test]
fn a_countdown_shows_the_clocks_error() {
    for (error_ms, expected) in [
        (0.0, "Wakes in 12 min 03 s."),
        (4.0, "Wakes in 12 min 03 s."),
        (190.0, "Wakes in 12 min 03 s (± 0.2 s)."),
        (2_000.0, "Wakes in 12 min 03 s (± 2.0 s)."),
        (41_000.0, "Wakes in 12 min 03 s (± 41 s)."),
        (f64::INFINITY, "Wakes at 14:18:13Z."),
        (f64::NAN, "Wakes at 14:18:13Z."),
    ] {
        assert_eq!(meta(TIMER, &live(), error_ms), expected, "{error_ms}");
    }
}

#[test]
fn an_age_shows_the_clocks_error_if_it_changes_the_figure() {
    for (error_ms, expected) in [
        (190.0, "Asked 4 min 12 s ago, 14:01:58Z."),
        (999.0, "Asked 4 min 12 s ago, 14:01:58Z."),
        (1_000.0, "Asked 4 min 12 s ago (± 1.0 s), 14:01:58Z."),
        (f64::INFINITY, "Asked at 14:01:58Z."),
    ] {
        assert_eq!(meta(APPROVAL, &live(), error_ms), expected, "{error_ms}");
    }
}

#[test]
fn past_times_do_not_depend_on_the_clock() {
    let recorded = Freshness::Recorded { at: Some(at("14:06:08")) };
    for freshness in [recorded, lost()] {
        for fields in [TIMER, APPROVAL] {
            let words = meta(fields, &freshness, 2_000.0);
            assert!(!words.contains('±'), "{words}");
        }
    }
}

#[test]
fn a_countdown_is_a_span_followed_by_its_error() {
    let answer = answer(&run(TIMER), &live(), Reading { now: at(NOW), error_ms: 190.0 });
    let place = answer.meta.iter().position(|part| matches!(part, Span::Until { .. })).unwrap();
    assert_eq!(answer.meta[place].text(), "12 min 03 s");
    assert_eq!(answer.meta[place + 1].text(), " (± 0.2 s).");
}

/// The run an hour later than the timer's time, by a clock that may be off by so much.
fn late(error_ms: f64) -> (String, Vec<ActionKind>) {
    let clock = Reading { now: at("15:18:13"), error_ms };
    let report = RunReport::new(&run(TIMER), &Freshness::Live { read_at: clock.now }, clock);
    (text(&report.answer.meta), report.actions.iter().map(|action| action.kind).collect())
}

#[test]
fn nothing_is_overdue_by_a_clock_that_nothing_bounds() {
    assert_eq!(late(0.0).1, [ActionKind::Resume]);
    let (words, found) = late(3_000_000.0);
    assert_eq!(
        (&*words, &*found),
        ("Should have woken 1 h ago (± 50 min), 14:18:13Z.", &[ActionKind::Resume][..])
    );
    // The time may not have come yet.
    assert_eq!(late(4_000_000.0).1, [ActionKind::Wait]);
    for error_ms in [f64::INFINITY, f64::NAN] {
        assert_eq!(late(error_ms), ("Wakes at 14:18:13Z.".to_owned(), vec![ActionKind::Wait]));
    }
}

#[test]
fn an_unbounded_clock_error_hides_ages() {
    let stale = r#""state":"stale","unhealthy":{"kind":"engine-heartbeat-stale","lastHeartbeatAt":"2026-11-21T14:05:00.000Z"}"#;
    let because = |error_ms| {
        let mut run = run(stale);
        let evidence = &mut run.verdict.as_mut().unwrap().evidence;
        evidence.inputs =
            vec![input(Signal::EngineHeartbeat, Value::Time(at("14:05:00")), Some(30_000.0), true)];
        let answer = answer(&run, &live(), Reading { now: at(NOW), error_ms });
        (text(&answer.sentence), text(&answer.because))
    };
    let (sentence, why) = because(0.0);
    assert!(sentence.contains("for 1 min") && why.contains("ago"), "{sentence} {why}");
    let (sentence, why) = because(f64::INFINITY);
    assert_eq!(sentence, "The engine has not reported. It may still be working.");
    assert!(why.contains("last heartbeat at 14:05:00Z") && !why.contains("ago"), "{why}");
}

#[test]
fn a_row_that_is_read_by_no_clock_has_moments_and_no_ages() {
    let row = read_run(r#"{"runId":"r","status":"running","heartbeatAtMs":1795269968000}"#).unwrap();
    let now = at(NOW);
    let header = |error_ms| {
        let clock = Reading { now, error_ms };
        let run = RunInspection::from_row(&row, "listRuns", clock);
        let header = smithers_header(&run, &Freshness::recorded(&run), clock);
        (text(&header.answer.because), header.evidence.into_iter().map(|line| line.age).collect::<String>())
    };
    let (why, ages) = header(0.0);
    assert!(why.contains("before that") && !ages.is_empty(), "{why} {ages}");
    let (why, ages) = header(f64::INFINITY);
    assert!(why.contains("last heartbeat at ") && !why.contains("before that"), "{why}");
    assert_eq!(ages, "");
}
