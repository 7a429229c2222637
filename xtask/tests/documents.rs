//! The documents are linked correctly, and the README stays a first page.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders with documents for people, from the root of the repository.
const FOLDERS: [&str; 6] = ["", "docs", "docs/store", "benches", "core/wasm/npm", "tests/vectors"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    found
}

/// The targets of Markdown's links and images: `[text](target)`.
fn targets(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target).collect()
}

/// The names under which a forge links the headings: lower case, words joined by hyphens, no punctuation.
fn anchors(text: &str) -> Vec<String> {
    let anchor = |heading: &str| {
        let heading = heading.to_lowercase();
        let kept = heading.chars().filter(|&letter| letter.is_alphanumeric() || " -_".contains(letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    };
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

/// What is wrong with a link of a document, or nothing.
fn fault(document: &Path, target: &str) -> Option<&'static str> {
    if target.starts_with("https://") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let linked = if path.is_empty() { document.to_path_buf() } else { document.parent()?.join(path) };
    if !linked.exists() {
        return Some("no such file");
    }
    let is_found = anchor.is_empty() || anchors(&read(&linked)).iter().any(|name| name == anchor);
    (!is_found).then_some("no such heading")
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_of_the_repository() {
    let documents = documents();
    assert!(documents.len() > 10, "only {} documents found", documents.len());
    let mut faults = Vec::new();
    for document in documents {
        for target in targets(&read(&document)) {
            if let Some(fault) = fault(&document, target) {
                faults.push(format!("{}: {target}: {fault}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn links_to_what_is_not_there_are_found() {
    let readme = root().join("README.md");
    assert_eq!(fault(&readme, "docs/limits.md#firefox"), None);
    assert_eq!(fault(&readme, "https://example.org/README.md"), None);
    assert_eq!(fault(&readme, "docs/limit.md"), Some("no such file"));
    assert_eq!(fault(&readme, "docs/limits.md#internet-explorer"), Some("no such heading"));
    assert_eq!(fault(&readme, "#internet-explorer"), Some("no such heading"));
    assert_eq!(targets("[a](b.md) and ![c](d.png)"), ["b.md", "d.png"]);
    assert_eq!(anchors("# One page's `word`\ntext\n## Two"), ["one-pages-word", "two"]);
}

#[test]
fn the_readme_is_a_first_page() {
    let words = read(&root().join("README.md")).split_whitespace().count();
    assert!(words <= 1000, "README.md has {words} words; move what a first reader does not need to docs/");
}

#[test]
fn every_document_of_docs_is_linked_from_the_readme() {
    let readme = read(&root().join("README.md"));
    for document in documents() {
        let name = document.file_name().unwrap().to_str().unwrap();
        let is_in_docs = document.parent() == Some(root().join("docs").as_path());
        assert!(!is_in_docs || readme.contains(&format!("](docs/{name})")), "docs/{name} is not linked");
    }
}
