//! Rows of a value: as written, opened lazily, in ranges, with paths.

use super::{ValueKind, ValueRow, ValueTree, bytes};
use crate::word::Vocabulary;

fn tree(json: &str) -> ValueTree {
    ValueTree::new(json.into(), 0..json.len())
}

fn rows(tree: &ValueTree) -> Vec<ValueRow> {
    tree.window(&(0..10_000)).rows
}

/// Depth, name and value of each row.
fn shown(tree: &ValueTree) -> Vec<String> {
    let text = |row: &ValueRow| {
        let name = row.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        let size = row.size.as_ref().map(|size| format!(" {size}")).unwrap_or_default();
        format!("{}{name}{}{size}", " ".repeat(row.depth), row.preview)
    };
    rows(tree).iter().map(text).collect()
}

#[test]
fn values_are_shown_as_they_were_written() {
    let found = tree(
        r#"{"big":9007199254740993,"huge":1e400,"zero":-0,"half":"\ud800","e":"","n":null,"o":{},"a":[ ],"t":true,"<img onerror>":"\u202e"}"#,
    );
    assert_eq!(
        shown(&found)[1..],
        [
            " big: 9007199254740993",
            " huge: 1e400",
            " zero: -0",
            " half: \"\\ud800\"",
            " e: \"\"",
            " n: null",
            " o: {}",
            " a: []",
            " t: true",
            " <img onerror>: \"\\u202e\"",
        ]
    );
    let kinds: Vec<ValueKind> = rows(&found)[1..].iter().map(|row| row.kind).collect();
    let words: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(
        words,
        ["number", "number", "number", "text", "text", "null", "object", "list", "boolean", "text"]
    );
    assert!(rows(&found)[1..].iter().all(|row| row.is_open.is_none()), "nothing is inside");
}

#[test]
fn members_are_shown_when_their_row_is_open() {
    let mut found = tree(r#"{"a":{"b":[1,2]},"c":3}"#);
    assert_eq!(shown(&found), ["{…} 2 keys", " a: {…} 1 key", " c: 3"]);
    found.toggle(1);
    found.toggle(2);
    assert_eq!(shown(&found)[1..], [" a: {…} 1 key", "  b: […] 2 items", "   0: 1", "   1: 2", " c: 3"]);
    found.select(5);
    found.toggle(1);
    assert_eq!((shown(&found).len(), found.selected()), (3, Some(2)), "the selection moves with its row");
    found.toggle(1);
    found.select(2);
    found.toggle(1);
    assert_eq!(found.selected(), Some(1), "a row that is hidden leaves the selection to the row above");
    found.toggle(7);
    found.toggle(2);
    assert_eq!(shown(&found).len(), 3, "there is nothing to open");
}

#[test]
fn keys_move_as_the_aria_pattern_says() {
    let mut found = tree("[[1],2]");
    found.expand();
    assert_eq!(found.selected(), None, "nothing is selected");
    found.move_by(1);
    assert_eq!(found.selected(), Some(0));
    found.move_by(1);
    found.expand();
    found.expand();
    assert_eq!((found.selected(), found.path(2)), (Some(2), "$[0][0]".to_owned()));
    found.collapse();
    assert_eq!(found.selected(), Some(1));
    found.collapse();
    assert_eq!(shown(&found).len(), 3);
    found.move_by(99);
    assert_eq!(found.selected(), Some(2));
    found.move_by(-99);
    assert_eq!(found.selected(), Some(0));
    found.select(usize::MAX);
    assert_eq!(found.selected(), Some(2));
}

#[test]
fn a_path_is_what_a_program_would_write() {
    let mut found = tree(r#"{"suites":[{"name":1}],"a b":2,"\u00e9":3,"_x1":4,"1x":5,"\"":6}"#);
    found.toggle(1);
    found.toggle(2);
    let paths: Vec<String> = rows(&found).into_iter().map(|row| row.path).collect();
    assert_eq!(
        paths,
        [
            "$",
            "$.suites",
            "$.suites[0]",
            "$.suites[0].name",
            "$[\"a b\"]",
            "$[\"é\"]",
            "$._x1",
            "$[\"1x\"]",
            "$[\"\\\"\"]"
        ]
    );
}

#[test]
fn a_key_that_occurs_twice_is_marked_and_both_are_shown() {
    let found = tree(r#"{"a":1,"b":2,"a":3}"#);
    let marked: Vec<bool> = rows(&found)[1..].iter().map(|row| row.is_duplicate).collect();
    assert_eq!((marked, shown(&found).len()), (vec![true, false, true], 4));
}

#[test]
fn a_million_items_are_ranges_of_a_thousand() {
    let json = format!("[{}0]", "0,".repeat(999_999));
    let mut found = tree(&json);
    let all = found.window(&(0..3));
    assert_eq!((all.total, all.rows[1].name.as_deref()), (1001, Some("[0 … 999]")));
    assert_eq!(all.rows[0].size.as_deref(), Some("2.0 MB"));
    found.toggle(1000);
    let last = found.window(&(2000..2001)).rows.remove(0);
    assert_eq!((last.name.as_deref(), &*last.path, last.depth), (Some("999999"), "$[999999]", 2));
    assert_eq!((last.position, last.set_size), (1000, 1000));
    let exact = tree(&format!("[{}0]", "0,".repeat(999)));
    assert_eq!(exact.window(&(0..1)).total, 1001, "a thousand items are no range");
    let rest = tree(&format!("{{{}\"k\":1}}", "\"k\":0,".repeat(1000)));
    let ranges = rows(&rest);
    assert_eq!((ranges.len(), ranges[2].name.as_deref()), (3, Some("[1000 … 1000]")));
}

#[test]
fn deep_values_open_level_by_level() {
    let json = "[".repeat(256) + "1" + &"]".repeat(256);
    let mut found = tree(&json);
    for row in 1..256 {
        found.toggle(row);
    }
    let last = rows(&found).pop().unwrap();
    assert_eq!((last.depth, &*last.preview), (256, "1"));
}

#[test]
fn a_long_text_is_cut_and_can_be_opened() {
    let long = "ä".repeat(200);
    let found = tree(&format!(r#"["{long}","a\nb","short"]"#));
    let row = &rows(&found)[1];
    assert_eq!((row.preview.chars().count(), row.size.as_deref()), (121, Some("402 bytes")));
    let openable: Vec<bool> = rows(&found)[1..].iter().map(|row| row.is_long_text).collect();
    assert_eq!(openable, [true, true, false]);
    assert_eq!((found.text(1), found.text(2)), (Some(long), Some("a\nb".to_owned())));
    assert_eq!((found.text(0), found.text(9), found.json(9)), (None, None, None));
}

#[test]
fn a_later_value_keeps_the_open_rows() {
    let mut found = tree(r#"{"a":[1],"b":{"c":2}}"#);
    found.toggle(2);
    found.select(3);
    let mut later = tree(r#"{"new":0,"a":[1],"b":{"c":3}}"#);
    later.follow(&found);
    assert_eq!(shown(&later).last().map(String::as_str), Some("  c: 3"));
    assert_eq!(later.selected(), Some(4));
    let mut other = tree("7");
    other.follow(&found);
    assert_eq!((shown(&other), other.selected()), (vec!["7".to_owned()], None));
}

#[test]
fn a_value_can_be_a_part_of_a_text() {
    let text = r#"{"row":{"n":1},"status":"produced"}"#;
    let found = ValueTree::new(text.into(), 7..14);
    assert_eq!(
        (shown(&found), found.json(0)),
        (vec!["{…} 1 key".to_owned(), " n: 1".to_owned()], Some(r#"{"n":1}"#))
    );
}

#[test]
fn sizes_are_for_people() {
    assert_eq!((&*bytes(0), &*bytes(999)), ("0 bytes", "999 bytes"));
    assert_eq!((&*bytes(64_000), &*bytes(20_000_000)), ("64.0 kB", "20.0 MB"));
}
