//! Cases of `tests/vectors/smithers/witness`: what a state hides is told.

use runstate::answer::{AnswerPill, answer, text};
use runstate::document::inspect;
use runstate::freshness::Freshness;
use runstate::pill::Tone;
use runstate::time::Millis;
use serde_json::Value;

const NOW: Millis = Millis(1_795_269_970_000.0);

/// The cases of one file; each has a name, a reason and a source.
fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/smithers/witness/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for case in &cases {
        assert!(["name", "reason", "source"].iter().all(|key| case[key].is_string()), "{case}");
    }
    cases
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Success => "success",
        Tone::Running => "running",
        Tone::Neutral => "neutral",
        Tone::Error => "error",
        Tone::Warning => "warning",
        Tone::Stale => "stale",
        Tone::Review => "review",
    }
}

#[test]
fn tolerated_failures_are_counted_and_never_plain_green() {
    let (mut told, mut refused) = (0, 0);
    for case in cases("tolerated.ndjson") {
        let name = &case["name"];
        let read = inspect(case["document"].to_string().as_bytes(), None, NOW);
        if case["refused"].is_string() {
            refused += 1;
            assert_eq!(case["refused"], read.unwrap_err().message, "{name}");
            continue;
        }
        told += 1;
        let run = read.unwrap().run.unwrap();
        let shown = answer(&run, &Freshness::Live { heard_at: NOW }, NOW);
        let AnswerPill::Pill { pill, .. } = &shown.pill else { panic!("{name}") };
        assert_eq!(case["expect"]["pill"], *pill.label, "{name}");
        assert_eq!((tone(pill.tone), tone(shown.tone)), (tone(shown.tone), tone(pill.tone)), "{name}");
        assert_eq!(case["expect"]["tone"], tone(shown.tone), "{name}");
        assert_eq!(case["expect"]["sentence"], text(&shown.sentence), "{name}");
    }
    assert_eq!((told, refused), (10, 4));
}
