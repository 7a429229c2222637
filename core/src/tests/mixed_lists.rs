//! JSON lists with items of several systems: each item is read by its own system's reader, or reported.

use runstate::file::File;
use runstate::ingest::{Document, System, open};
use runstate::time::Millis;
use runstate::word::Vocabulary;

const NOW: Millis = Millis(1_795_350_000_000.0);

const SMITHERS: &str = r#"{"runId":"of-smithers","status":"finished"}"#;
const LIONAGI: &str = r#"{"session_id":"of-lionagi","status":"completed","invocation_kind":"agent"}"#;
const STATUS: &str = r#"{"run_id":"20261121T204038Z","workflow_id":"w","lifecycle_state":"completed","current_step_id":"STOP"}"#;
const EVENT: &str = r#"{"timestamp":"2026-11-21T20:41:01Z","run_id":"20261121T204038Z","step_id":"a","event_type":"step_started"}"#;
const NOBODYS: &str = r#"{"a":1}"#;

fn opened(text: &str) -> Document {
    open(&[File { name: Some("x.json"), bytes: text.as_bytes() }], NOW)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The ids of the runs that are shown, in view or in the list.
fn shown(document: &Document) -> Vec<String> {
    let header = document.header(None, NOW);
    let in_view = header.map(|header| format!("{:?}", header.fields));
    document.rows().into_iter().map(|row| row.id).chain(in_view).collect()
}

/// Every order of the items.
fn orders(items: &[&'static str]) -> Vec<Vec<&'static str>> {
    if items.len() < 2 {
        return vec![items.to_vec()];
    }
    let mut all = Vec::new();
    for place in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(place);
        all.extend(orders(&rest).into_iter().map(|order| [&[first], order.as_slice()].concat()));
    }
    all
}

#[test]
fn in_every_order_a_run_is_shown_as_one_of_its_own_system_and_the_others_are_named() {
    let all = [SMITHERS, LIONAGI, STATUS, EVENT, NOBODYS];
    let mut seen = 0;
    for few in 1..1_usize << all.len() {
        let items: Vec<_> =
            all.iter().enumerate().filter(|(at, _)| few >> at & 1 == 1).map(|(_, item)| *item).collect();
        if !items.iter().any(|item| *item != NOBODYS) {
            continue;
        }
        for order in orders(&items) {
            for text in [format!("[{}]", order.join(",")), format!("[\n{}\n]\n", order.join(",\n"))] {
                let document = opened(&text);
                let own = match document.system() {
                    System::Smithers => "of-smithers",
                    System::Lionagi => "of-lionagi",
                    System::Conductor => "20261121T204038Z",
                };
                let shown = shown(&document);
                assert!(shown.iter().all(|id| id.contains(own)), "{text}: {shown:?}");
                assert!(!shown.is_empty(), "{text}");
                let problems = document.problems().texts();
                for (item, system) in
                    [(SMITHERS, "Smithers"), (LIONAGI, "lionagi"), (STATUS, "tnh-conductor")]
                {
                    let left_out = problems
                        .iter()
                        .any(|problem| problem.ends_with(&format!("Content of {system} was omitted.")));
                    let is_shown = document.system().as_str() == system.to_ascii_lowercase();
                    assert_eq!(left_out, order.contains(&item) && !is_shown, "{text}: {problems:?}");
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn a_list_of_one_system_is_what_it_was() {
    for (items, system, rows) in [
        ([SMITHERS, r#"{"runId":"b","status":"failed"}"#], System::Smithers, 2),
        ([LIONAGI, r#"{"session_id":"b","status":"failed"}"#], System::Lionagi, 2),
        ([EVENT, EVENT], System::Conductor, 0),
    ] {
        let document = opened(&format!("[{}]", items.join(",")));
        assert_eq!((document.system(), document.rows().len()), (system, rows));
        assert!(document.problems().is_empty(), "{:?}", document.problems().texts());
    }
}

#[test]
fn what_is_too_much_to_be_taken_out_is_named() {
    let statuses: Vec<String> = (0..70).map(|at| STATUS.replace("204038", &format!("2040{at:02}"))).collect();
    let document = opened(&format!("[{}]", statuses.join(",")));
    assert_eq!(document.rows().len(), 64);
    let problems = document.problems().texts();
    let named = problems.iter().filter(|problem| problem.contains("a JSON list of objects"));
    assert_eq!(named.count(), 1, "{:?}", document.problems().texts());
}

#[test]
fn a_broken_row_of_one_system_takes_nothing_from_the_other() {
    for broken in [
        r#"{"session_id":7,"status":"failed"}"#,
        r#"{"run_id":7,"workflow_id":"w","lifecycle_state":"running"}"#,
    ] {
        let document = opened(&format!("[{SMITHERS},\n{broken}]"));
        let problems = document.problems().texts();
        assert!(problems.iter().any(|problem| problem.contains("ine 2, column ")), "{problems:?}");
    }
    for text in
        ["[]", "[[]]", "[7]", r#"[{"lifecycle_state":"running"}]"#, r#"[{"session_id":"s"},{"run_id":"r"}]"#]
    {
        assert!(open(&[File { name: None, bytes: text.as_bytes() }], NOW).is_err(), "{text}");
    }
}

#[test]
fn in_a_list_of_megabytes_nothing_is_lost() {
    let large = format!(r#"{{"runId":"of-smithers","status":"failed","error":"{}"}}"#, "x".repeat(3 << 20));
    for item in [STATUS, EVENT] {
        for text in [format!("[{large},{item}]"), format!("[\n{large},\n{item}\n]\n")] {
            let document = opened(&text);
            let (problems, other) = (
                document.problems().texts(),
                match document.system() {
                    System::Smithers => "Content of tnh-conductor was omitted.",
                    System::Lionagi | System::Conductor => "Content of Smithers was omitted.",
                },
            );
            assert!(problems.iter().any(|problem| problem.ends_with(other)), "{problems:?}");
            assert!(
                problems.iter().all(|problem| !problem.contains("contains nothing about a run")),
                "{problems:?}"
            );
        }
    }
}

#[test]
fn rows_of_smithers_in_an_envelope_of_lionagi_are_read_as_what_they_are() {
    let other = r#"{"runId":"of-smithers-too","status":"failed"}"#;
    for envelope in [
        format!(r#"{{"sessions":[{SMITHERS},{other}]}}"#),
        format!(r#"{{"runs":[{SMITHERS},{other}],"total":2,"page":1,"per_page":20}}"#),
        format!(r#"{{"per_page":20,"sessions":[{SMITHERS},{other}]}}"#),
        format!(r#"{{"sessions":[{NOBODYS},{SMITHERS},{other}],"truncated":false}}"#),
    ] {
        let document = opened(&envelope);
        assert_eq!((document.system(), document.rows().len()), (System::Smithers, 2), "{envelope}");
        let ids: Vec<String> = document.rows().into_iter().map(|row| row.id).collect();
        assert_eq!(ids, ["of-smithers", "of-smithers-too"], "{envelope}");
        assert_eq!(
            document.problems().texts().len(),
            envelope.matches(NOBODYS).count(),
            "{:?}",
            document.problems().texts()
        );
    }
    let both = opened(&format!(r#"{{"runs":[{LIONAGI},{SMITHERS}],"per_page":20}}"#));
    assert_eq!((both.rows().len(), both.problems().texts().len()), (1, 1), "{:?}", both.problems().texts());
    assert!(both.problems().texts()[0].ends_with("was omitted."), "{:?}", both.problems().texts());
}
