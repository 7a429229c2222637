//! How far the clock can be off, beside what is counted on it.

use super::*;
use crate::answer::answer_by;
use crate::clock::Reading;

const TIMER: &str = r#""state":"waiting-timer","blocked":{"kind":"timer","nodeId":"soak","wakeAt":"2026-11-21T14:18:13.000Z"}"#;
const APPROVAL: &str = r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:01:58.000Z"}"#;

fn meta(fields: &str, freshness: &Freshness, error_ms: f64) -> String {
    text(&answer_by(&run(fields), freshness, Reading { now: at(NOW), error_ms }).meta)
}

#[test]
fn a_countdown_says_how_far_it_can_be_off() {
    for (error_ms, expected) in [
        (0.0, "Wakes in 12 min 03 s."),
        (4.0, "Wakes in 12 min 03 s."),
        (190.0, "Wakes in 12 min 03 s (± 0.2 s)."),
        (2_000.0, "Wakes in 12 min 03 s (± 2.0 s)."),
        (41_000.0, "Wakes in 12 min 03 s (± 41 s)."),
        (f64::INFINITY, "Wakes in 12 min 03 s."),
        (f64::NAN, "Wakes in 12 min 03 s."),
    ] {
        assert_eq!(meta(TIMER, &live(), error_ms), expected, "{error_ms}");
    }
}

#[test]
fn an_age_says_so_where_it_would_read_otherwise() {
    for (error_ms, expected) in [
        (190.0, "Asked 4 min 12 s ago, 14:01:58Z."),
        (999.0, "Asked 4 min 12 s ago, 14:01:58Z."),
        (1_000.0, "Asked 4 min 12 s ago (± 1.0 s), 14:01:58Z."),
        (f64::INFINITY, "Asked 4 min 12 s ago, 14:01:58Z."),
    ] {
        assert_eq!(meta(APPROVAL, &live(), error_ms), expected, "{error_ms}");
    }
}

#[test]
fn what_was_is_not_counted_on_a_clock() {
    let recorded = Freshness::Recorded { at: Some(at("14:06:08")) };
    for freshness in [recorded, lost()] {
        for fields in [TIMER, APPROVAL] {
            let words = meta(fields, &freshness, 2_000.0);
            assert!(!words.contains('±'), "{words}");
        }
    }
}

#[test]
fn a_countdown_is_a_part_of_its_own_and_its_error_stands_behind_it() {
    let answer = answer_by(&run(TIMER), &live(), Reading { now: at(NOW), error_ms: 190.0 });
    let place = answer.meta.iter().position(|part| matches!(part, Part::Until { .. })).unwrap();
    assert_eq!(answer.meta[place].text(), "12 min 03 s");
    assert_eq!(answer.meta[place + 1].text(), " (± 0.2 s).");
}
