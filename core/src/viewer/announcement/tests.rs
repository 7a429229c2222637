//! The announcements and their times.

use super::{Announcement, AnnouncementKind, Announcer};
use crate::evidence::Evidence;
use crate::freshness::Freshness;
use crate::run::{RunInspection, Witness, WitnessSource};
use crate::time::Millis;

fn announcement(kind: AnnouncementKind, words: &str) -> Announcement {
    Announcement { kind, words: words.into() }
}

fn running() -> Announcement {
    announcement(AnnouncementKind::Ordinary, "running")
}

fn failed() -> Announcement {
    announcement(AnnouncementKind::Failed, "failed")
}

fn due(announcer: &mut Announcer, now: f64) -> Option<String> {
    announcer.due(Millis(now))
}

/// An announcer that has seen these runs at 0, each of them running.
fn watching(labels: &[&str]) -> Announcer {
    let mut announcer = Announcer::default();
    for label in labels {
        announcer.observe(label, &running(), Millis(0.0));
    }
    announcer
}

#[test]
fn the_first_state_of_a_run_is_not_announced() {
    let mut announcer = Announcer::default();
    announcer.observe("a", &failed(), Millis(0.0));
    assert_eq!(due(&mut announcer, 9_000.0), None);
}

#[test]
fn a_flicker_is_dropped() {
    let mut announcer = watching(&["a"]);
    announcer.observe("a", &failed(), Millis(1_000.0));
    announcer.observe("a", &running(), Millis(1_184.0));
    assert_eq!(due(&mut announcer, 9_000.0), None);
}

#[test]
fn a_change_waits_from_its_first_observation_and_is_announced_once() {
    let mut announcer = watching(&["a"]);
    announcer.observe("a", &failed(), Millis(1_000.0));
    announcer.observe("a", &failed(), Millis(1_400.0));
    assert_eq!(due(&mut announcer, 1_499.0), None);
    assert_eq!(due(&mut announcer, 1_500.0).as_deref(), Some("Run a: failed"));
    announcer.observe("a", &failed(), Millis(9_000.0));
    assert_eq!(due(&mut announcer, 99_000.0), None);
}

#[test]
fn only_relevant_changes_are_announced() {
    let spoken = |from: AnnouncementKind, to: AnnouncementKind| {
        let mut announcer = Announcer::default();
        announcer.observe("a", &announcement(from, "before"), Millis(0.0));
        announcer.observe("a", &announcement(to, "after"), Millis(1.0));
        due(&mut announcer, 1_000.0).is_some()
    };
    for to in [
        AnnouncementKind::Waiting,
        AnnouncementKind::Stale,
        AnnouncementKind::Failed,
        AnnouncementKind::Ended,
    ] {
        assert!(spoken(AnnouncementKind::Ordinary, to), "into {to:?}");
    }
    assert!(spoken(AnnouncementKind::Stale, AnnouncementKind::Ordinary), "out of stale");
    for from in [
        AnnouncementKind::Ordinary,
        AnnouncementKind::Waiting,
        AnnouncementKind::Failed,
        AnnouncementKind::Ended,
    ] {
        assert!(!spoken(from, AnnouncementKind::Ordinary), "out of {from:?}");
    }
}

#[test]
fn five_seconds_lie_between_utterances() {
    let mut announcer = watching(&["a", "b"]);
    announcer.observe("a", &failed(), Millis(1_000.0));
    assert!(due(&mut announcer, 1_500.0).is_some());
    announcer.observe("b", &failed(), Millis(2_000.0));
    assert_eq!(due(&mut announcer, 6_499.0), None);
    assert_eq!(due(&mut announcer, 6_500.0).as_deref(), Some("Run b: failed"));
}

#[test]
fn a_silent_change_settles_without_waiting_for_its_turn() {
    let waiting = announcement(AnnouncementKind::Waiting, "waiting for approval at gate");
    let mut announcer = watching(&["a"]);
    announcer.observe("a", &waiting, Millis(0.0));
    assert!(due(&mut announcer, 500.0).is_some());
    announcer.observe("a", &running(), Millis(1_000.0));
    assert_eq!(due(&mut announcer, 1_500.0), None);
    announcer.observe("a", &waiting, Millis(2_000.0));
    assert!(due(&mut announcer, 5_500.0).is_some());
}

#[test]
fn changes_between_calls_are_one_summary() {
    let mut announcer = watching(&["a", "b", "c", "d"]);
    announcer.observe("a", &failed(), Millis(1_000.0));
    announcer.observe("b", &announcement(AnnouncementKind::Ended, "succeeded"), Millis(2_000.0));
    announcer.observe("c", &announcement(AnnouncementKind::Waiting, "paused"), Millis(3_000.0));
    announcer.observe("d", &failed(), Millis(4_000.0));
    announcer.observe("d", &running(), Millis(5_000.0));
    assert_eq!(
        due(&mut announcer, 60_000.0).as_deref(),
        Some("3 runs changed, 1 failed, 1 waiting, 1 ended")
    );
    assert_eq!(due(&mut announcer, 99_000.0), None);
}

#[test]
fn words_are_full_and_carry_no_age() {
    let run = |fields: &str| {
        let view = format!(r#"{{"runId":"r","computedAt":"2026-11-21T14:06:08.031Z",{fields}}}"#);
        let view = serde_json::from_str(&view).unwrap();
        RunInspection {
            verdict: Some(Witness::new(WitnessSource::Server, view, Evidence::default())),
            ..RunInspection::default()
        }
    };
    let now = Millis(0.0);
    let live = Freshness::Live { read_at: now };
    let lost = Freshness::Lost { as_of: now, attempt: 1, retry_at: None, silence_limit_ms: None };
    let gate = run(
        r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:06:08.031Z"}"#,
    );
    let cases = [
        (&gate, &live, AnnouncementKind::Waiting, "waiting for approval at gate"),
        (&gate, &lost, AnnouncementKind::Stale, "feed lost, was waiting for approval"),
        (
            &run(r#""state":"waiting-event","blocked":{"kind":"provider","nodeId":"patch","code":"auth"}"#),
            &live,
            AnnouncementKind::Waiting,
            "waiting for provider at patch",
        ),
        (&run(r#""state":"orphaned""#), &live, AnnouncementKind::Stale, "orphaned"),
        (&run(r#""state":"failed""#), &lost, AnnouncementKind::Failed, "failed"),
        (&run(r#""state":"hibernating""#), &live, AnnouncementKind::Ordinary, "“hibernating”"),
        (&RunInspection::default(), &lost, AnnouncementKind::Ordinary, ""),
    ];
    for (run, freshness, kind, words) in cases {
        assert_eq!(Announcement::from_run(run, freshness), announcement(kind, words));
    }
    let mut announcer = watching(&["a"]);
    announcer.observe("a", &announcement(AnnouncementKind::Stale, "stale"), Millis(1.0));
    assert!(due(&mut announcer, 501.0).is_some());
    announcer.observe("a", &announcement(AnnouncementKind::Ordinary, ""), Millis(10_000.0));
    assert_eq!(due(&mut announcer, 20_000.0), None, "nothing is said where nothing is known");
}

#[test]
fn a_waiting_run_is_announced() {
    use crate::time::Millis;
    use crate::viewer::announcement::{Announcement, AnnouncementKind, Announcer};
    let mut announcer = Announcer::default();
    let running = Announcement { kind: AnnouncementKind::Ordinary, words: "running".into() };
    let waiting =
        Announcement { kind: AnnouncementKind::Waiting, words: "waiting for approval at review-gate".into() };
    announcer.observe("build-42", &running, Millis(0.0));
    announcer.observe("build-42", &waiting, Millis(1000.0));
    assert_eq!(announcer.due(Millis(1400.0)), None);
    let spoken = announcer.due(Millis(1500.0));
    assert_eq!(spoken.as_deref(), Some("Run build-42: waiting for approval at review-gate"));
}
