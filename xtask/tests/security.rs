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

/// The first sentence of an item that no test follows. The texts are between the tests; an item may begin with its subject.
fn untested(item: &str) -> Option<&str> {
    let last = item.rsplit(" -->").next().unwrap_or(item).trim();
    let is_row = item.starts_with("| ");
    (!is_row && !last.is_empty()).then_some(last)
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
    assert_eq!(untested(item), Some("They are never stored."));
    assert_eq!(untested("Kept. <!-- a.rs: kept -->\n"), None);
    assert_eq!(tests_of("| host <!-- a.mjs: b --> | c |"), [("a.mjs", "b")]);
    assert_eq!(items("\n- one\n- two\n").len(), 2);
    assert_eq!(items("\n| head |\n|---|\n| row |\n").len(), 1);
}
