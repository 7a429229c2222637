//! Event logs in several files, pages of events, and logs with missing parts.

use super::recordings::{NOW, notes, opened, state};
use super::vectors::text as read;

use runstate::ingest::Document;
use runstate::log::{Caveat, EventLog, Filter, LogRow};
use serde_json::{Value, json};

/// The lines of a text in two parts.
fn halves(text: &str, at: usize) -> (String, String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (first, second) = lines.split_at(at);
    (first.concat(), second.concat())
}

fn summary(document: &mut Document) -> String {
    let problems = document.problems().texts();
    let run = document.smithers().unwrap().run.as_ref().unwrap();
    let nodes: Vec<_> = run.nodes.iter().map(|node| (&node.node_id, node.state.to_string())).collect();
    let found = format!(
        "{:?} {:?} {:?} {nodes:?} {problems:?}",
        run.view(),
        run.started_at.map(|at| at.0),
        run.finished_at.map(|at| at.0)
    );
    let events = document.logs().iter_mut().map(|log| log.counts().events).collect::<Vec<_>>();
    format!("{found} {events:?}")
}

#[test]
fn a_log_in_pieces_is_one_log() {
    for run in ["fail-a", "approval-a", "timer-a", "quick-a", "steps-a"] {
        let text = read(&format!("logs/stream/{run}.ndjson"));
        let whole = summary(&mut opened(&[("log.ndjson", text.clone())]));
        for cut in [1, 5, text.lines().count() - 1] {
            let (first, second) = halves(&text, cut);
            for files in [
                [("a.ndjson", first.clone()), ("b.ndjson", second.clone())],
                [("b.ndjson", second.clone()), ("a.ndjson", first.clone())],
                [("a.ndjson", text.clone()), ("b.ndjson", second.clone())],
            ] {
                assert_eq!(summary(&mut opened(&files)), whole, "{run} cut at {cut}: {}", files[0].0);
            }
        }
    }
    // Without its beginning it is still a piece.
    let (_, second) = halves(&read("logs/stream/fail-a.ndjson"), 5);
    let alone = opened(&[("b.ndjson", second)]);
    assert!(
        alone
            .problems()
            .texts()
            .iter()
            .any(|problem| problem.ends_with("does not begin with the run's start."))
    );
}

/// An answer with some of the events, asked for with a limit.
fn page(run: &str, range: std::ops::Range<usize>, limit: Option<usize>) -> String {
    let mut capture: Value = serde_json::from_str(&read(&format!("logs/rest/{run}.json"))).unwrap();
    let events = capture["response"]["body"]["data"].as_array().unwrap()[range].to_vec();
    capture["response"]["body"]["data"] = json!(events);
    let query = limit.map(|limit| format!("?limit={limit}")).unwrap_or_default();
    capture["request"]["path"] = json!(format!("/v1/api/runs/{run}/events{query}"));
    capture.to_string()
}

#[test]
fn pages_of_events_are_one_log() {
    let whole = summary(&mut opened(&[("events.json", page("fail-a", 0..15, None))]));
    let pages = || {
        [(0..6, "1.json"), (5..11, "2.json"), (11..15, "3.json")]
            .map(|(range, name)| (name, page("fail-a", range, Some(6))))
    };
    for turn in 0..3 {
        let mut pages = pages();
        pages.rotate_left(turn);
        assert_eq!(summary(&mut opened(&pages)), whole, "{turn}");
    }
    // A page that is missing in the middle is missing.
    let document =
        opened(&[("1.json", page("fail-a", 0..5, None)), ("3.json", page("fail-a", 11..15, None))]);
    assert!(
        document.problems().texts()[0].contains("Events are missing: 6, in one place"),
        "{:?}",
        document.problems().texts()
    );
}

#[test]
fn a_page_that_is_full_may_not_be_the_last() {
    let found = |range, limit| opened(&[("1.json", page("fail-a", range, limit))]).problems().texts();
    let full = "1.json: fail-a: The number of events is the requested maximum: the next page may have more.";
    assert_eq!(found(0..6, Some(6)), [full]);
    assert!(found(0..6, Some(7)).is_empty() && found(0..6, None).is_empty());
    assert!(found(0..15, Some(15)).is_empty(), "the run's end is on it");
}

#[test]
fn what_the_command_prints_lacks_frames_and_nothing_else() {
    for run in ["fail-a", "quick-b", "approval-a"] {
        let text = read(&format!("logs/cli/events-{run}.ndjson"));
        let document = opened(&[("events.ndjson", text.clone())]);
        assert!(document.problems().is_empty(), "{run}: {:?}", document.problems().texts());
        assert!(notes(&document).is_empty(), "{run}: {:?}", notes(&document));
        let mut log = EventLog::new();
        log.push(text.as_bytes());
        let view = log.view(NOW);
        assert!(!view.across_gap && log.gaps().is_empty() && log.counts().lost == 0, "{run}");
        assert!(view.caveats.iter().any(|caveat| matches!(caveat, Caveat::LeftOut { .. })), "{run}");
        assert!(log.nodes(run).iter().all(|node| !node.across_gap), "{run}");
        let gaps = log.rows(0, 1000, &Filter::default());
        assert!(!gaps.rows.iter().any(|row| matches!(row, LogRow::Gap(_))), "{run}");
    }
    // Everything is printed on demand, and then a number that is missing is missing; so is the beginning.
    let (raw, printed) = (read("logs/cli/events-raw-quick-b.ndjson"), read("logs/cli/events-quick-b.ndjson"));
    let without = |text: &str, from: usize, to: usize| -> String {
        let kept = text.split_inclusive('\n').enumerate().filter(|(line, _)| !(from..to).contains(line));
        kept.map(|(_, line)| line).collect()
    };
    for text in [without(&raw, 20, 23), without(&printed, 0, 3)] {
        let document = opened(&[("events.ndjson", text)]);
        assert!(
            document.problems().texts()[0].contains("Events are missing: 3"),
            "{:?}",
            document.problems().texts()
        );
    }
}

#[test]
fn the_header_says_what_a_log_does_not() {
    for (run, expected) in [("cancel-a", "running"), ("can-a", "running"), ("fail-a", "failed")] {
        let document = opened(&[("log.ndjson", read(&format!("logs/stream/{run}.ndjson")))]);
        assert_eq!(state(&document).as_deref(), Some(expected), "{run}");
        let end =
            "The end may be missing: a log does not always record that a run was cancelled or continued.";
        let found = if expected == "running" { vec![end.to_owned()] } else { Vec::new() };
        assert_eq!(notes(&document), found, "{run}");
    }
    let text = read("logs/rest/cancel-a.json");
    assert!(notes(&opened(&[("events.json", text)])).is_empty(), "the end is in it");
    let (_, tail) = halves(&read("logs/stream/cancel-a.ndjson"), 3);
    let broken = format!("{tail}oops\n{{\"type\":\"Run");
    let found = notes(&opened(&[("log.ndjson", broken)]));
    let starts = |start: &str| found.iter().any(|note| note.starts_with(start));
    assert!(starts("The log does not begin"), "{found:?}");
    assert!(starts("The end may be missing") && starts("No event gives the run's state"), "{found:?}");
}

/// A page of events with its lines and blanks, and with the escapes that Python writes.
fn formatted_pages(run: &str) -> [String; 2] {
    let page = renamed(&read(&format!("logs/rest/{run}.json")));
    let escaped = |letter: char| match letter {
        letter if letter.is_ascii() => letter.to_string(),
        letter => letter
            .encode_utf16(&mut [0; 2])
            .iter()
            .fold(String::new(), |text, unit| format!("{text}\\u{unit:04x}")),
    };
    [page.clone(), page.chars().map(escaped).collect()]
}

/// The text with letters in a name that some tools escape.
fn renamed(text: &str) -> String {
    text.replace("\"workflowName\":\"", "\"workflowName\":\"ü/\u{1f680}")
        .replace("\"workflowName\": \"", "\"workflowName\": \"ü/\u{1f680}")
}

#[test]
fn an_event_is_listed_once_however_its_text_is_formatted() {
    for run in ["fail-a", "quick-a", "timer-a"] {
        let stream = renamed(&read(&format!("logs/stream/{run}.ndjson")));
        for page in formatted_pages(run) {
            let count = |text: &str| opened(&[("pasted", text.to_owned())]).logs()[0].counts().events;
            let whole = count(&stream).max(count(&page));
            for text in [format!("{stream}\n{page}\n"), format!("{page}\n{stream}")] {
                assert_eq!(count(&text), whole, "{run}");
            }
        }
    }
}

#[test]
fn equal_events_of_different_runs_are_different() {
    let row = |run: &str| {
        format!(r#"{{"runId":"{run}","seq":0,"payload":{{"type":"RunStarted","timestampMs":1}}}}"#)
    };
    let mut log = EventLog::new();
    log.push(format!("{}\n{}\n{}\n", row("a"), row("b"), row("a")).as_bytes());
    assert_eq!((log.counts().events, log.counts().repeated), (2, 1));
}
