//! The same run through a feed that does not deliver.

use super::*;
use crate::evidence::Signal;
use crate::smithers::wire::RunState;

#[test]
fn a_lost_feed_puts_everything_in_the_past() {
    let nodes = vec![node("unit-tests", 0, "in-progress", "14:03:00")];
    let beat = input(Signal::EngineHeartbeat, Value::Time(at("14:05:21")), Some(30_000.0), true);
    let run = with_inputs(with_nodes(r#""state":"running""#, nodes), vec![beat]);
    let answer = shown(&run, &lost());
    assert_eq!(text(&answer.sentence), "Was running unit-tests. Nothing has arrived for 47 s.");
    assert_eq!(text(&answer.meta), "Reconnecting: try 4 in 8 s. Last update at 14:05:23Z.");
    assert_eq!(pill_of(&answer), ("Running".into(), Tone::Neutral, Some("as of 47 s ago".into())));
    assert_eq!(answer.tone, Tone::Stale);
    assert_eq!(
        text(&answer.because),
        "Why, as of 14:05:23Z: last heartbeat 2 s before that, limit 30 s \
         (runs.get, 14:06:08Z); feed lost: last frame 47 s ago, limit 37 s"
    );

    let resyncing = shown(&run, &Freshness::Resyncing { as_of: at("13:52:10") });
    assert_eq!(text(&resyncing.sentence), "Was running unit-tests. Reading the current snapshot.");
    assert_eq!(pill_of(&resyncing), ("Running".into(), Tone::Neutral, Some("as of 14 min ago".into())));
    assert_eq!(resyncing.tone, Tone::Neutral);

    let late = shown(&run, &Freshness::Late { read_at: at("14:05:51") });
    assert_eq!(text(&late.sentence), "Running unit-tests.");
}

#[test]
fn an_end_outlasts_the_feed() {
    for state in ["failed", "cancelled", "succeeded"] {
        let run = run(&format!(r#""state":"{state}""#));
        let recorded = Freshness::Recorded { at: Some(at("2026-11-18T14:06:08.000Z")) };
        for freshness in [lost(), Freshness::Resyncing { as_of: at("13:00:00") }, recorded] {
            let answer = shown(&run, &freshness);
            assert_eq!(pill_of(&answer).2, None, "{state}");
            assert_eq!(answer, shown(&run, &live()), "{state}");
        }
    }
}

#[test]
fn a_recording_speaks_of_its_own_time() {
    let recorded = Freshness::Recorded { at: Some(at("2026-11-18T14:06:10.000Z")) };
    let fields = r#""state":"waiting-approval","blocked":{"kind":"approval","nodeId":"review-gate","requestedAt":"2026-11-18T14:01:58.000Z"}"#;
    let run = with_nodes(fields, vec![node("review-gate", 12, "waiting-approval", "")]);
    let answer = shown(&run, &recorded);
    assert_eq!(text(&answer.sentence), "Was waiting for a decision at review-gate, iteration 12.");
    assert_eq!(text(&answer.meta), "Asked 4 min 12 s before the recording, 14:01:58Z.");
    assert_eq!(pill_of(&answer), ("Waiting for approval".into(), Tone::Review, Some("on 18 Nov".into())));
    assert_eq!(answer.tone, Tone::Review);

    let undated = shown(&run, &Freshness::Recorded { at: None });
    assert_eq!(pill_of(&undated).2.as_deref(), Some("as of 14:06:08Z"));
}

#[test]
fn states_of_old_data_show_their_age() {
    for state in RunState::ALL {
        let run = run(&format!(r#""state":"{}""#, state.as_str()));
        for freshness in
            [lost(), Freshness::Resyncing { as_of: at("13:00:00") }, Freshness::Recorded { at: None }]
        {
            let answer = shown(&run, &freshness);
            assert_eq!(pill_of(&answer).2.is_none(), state.is_terminal(), "{state:?} {freshness:?}");
            if !state.is_terminal() {
                let sentence = text(&answer.sentence);
                let past = ["Was ", "was ", "had "].iter().any(|word| sentence.contains(word));
                assert!(past, "{state:?}: {sentence}");
            }
        }
    }
}
