//! Every promise of SECURITY.md names the tests that hold it to its word.

use std::fs;
use std::path::{Path, PathBuf};

/// The sections whose items are promises.
const SECTIONS: [&str; 4] =
    ["What Runstate protects", "Who is trusted, by host", "What it does not", "Verifying a release"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The items of a section: those of its list, or the rows of its table without the head.
fn items(section: &str) -> Vec<&str> {
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    if !rows.is_empty() {
        return rows;
    }
    section.split("\n- ").skip(1).collect()
}

/// The paths and the names in an item: `<!-- path: name -->`.
fn tests_of(item: &str) -> Vec<(&str, &str)> {
    let comments = item.split("<!-- ").skip(1).filter_map(|rest| rest.split_once(" -->"));
    comments.filter_map(|(comment, _)| comment.split_once(": ")).collect()
}

/// The first sentence of an item that no test follows. In the last two cells of a row, a semicolon ends a sentence.
fn untested(item: &str) -> Option<String> {
    let is_row = item.starts_with("| ");
    let cells: Vec<&str> = item.trim_matches(['|', ' ', '\n']).split(" | ").collect();
    let promises = if is_row { &cells[cells.len().saturating_sub(2)..] } else { &[item][..] };
    promises.iter().find_map(|promise| {
        let texts = promise.split("<!-- ").enumerate().map(|(place, rest)| match place {
            0 => rest,
            _ => rest.split_once(" -->").map_or("", |(_, text)| text),
        });
        let texts: Vec<&str> = texts.map(|text| text.trim_matches([';', ' ', '\n'])).collect();
        let (last, tested) = texts.split_last()?;
        let ends = if is_row { ["; ", "; "] } else { [". ", ".\n"] };
        let first = tested.iter().find_map(|text| ends.iter().find_map(|end| Some(text.split_once(end)?.0)));
        first.or(Some(*last).filter(|last| !last.is_empty())).map(str::to_owned)
    })
}

#[test]
fn every_promise_names_tests_that_exist() {
    let text = read("SECURITY.md");
    let mut count = 0;
    for section in SECTIONS {
        let (_, rest) =
            text.split_once(&format!("## {section}\n")).unwrap_or_else(|| panic!("no section {section}"));
        let section_text = rest.split("\n## ").next().unwrap_or(rest);
        let items = items(section_text);
        assert!(!items.is_empty(), "{section}");
        for item in items {
            let tests = tests_of(item);
            assert!(!tests.is_empty(), "no test is named: {item}");
            assert_eq!(untested(item), None, "no test follows this sentence");
            for (path, name) in tests {
                assert!(read(path).contains(name), "{path} has no test {name:?}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "only {count} tests are named");
}

#[test]
fn a_promise_without_a_test_is_found() {
    let item = "Tokens are kept. <!-- a.rs: kept -->\n  They are never stored.";
    assert_eq!(tests_of(item), [("a.rs", "kept")]);
    assert_eq!(untested(item).as_deref(), Some("They are never stored."));
    assert_eq!(untested("Kept. Never stored. <!-- a.rs: kept -->").as_deref(), Some("Kept"));
    assert_eq!(
        untested("| host | all | show <!-- a.mjs: b --> | run <!-- a.mjs: c -->; read <!-- a.mjs: d --> |"),
        None
    );
    assert_eq!(
        untested("| host | all | show <!-- a.mjs: b --> | run; read <!-- a.mjs: c --> |").as_deref(),
        Some("run")
    );
    assert_eq!(untested("| host | all | show | read <!-- a.mjs: c --> |").as_deref(), Some("show"));
    assert_eq!(
        untested("| host | all | show <!-- a.mjs: b --> | read <!-- a.mjs: c -->; run |").as_deref(),
        Some("run")
    );
    assert_eq!(untested("Kept. <!-- a.rs: kept -->\n"), None);
    assert_eq!(tests_of("| host <!-- a.mjs: b --> | c |"), [("a.mjs", "b")]);
    assert_eq!(items("\n- one\n- two\n").len(), 2);
    assert_eq!(items("\n| head |\n|---|\n| row |\n").len(), 1);
}
