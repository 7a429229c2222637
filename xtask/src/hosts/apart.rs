//! The page's module has no words of systems whose runs are never live: their tables belong to the reader of documents.
//!
//! The live part is linked into the page. A pill of lionagi that it could draw would bring all of that system's tables along,
//! and nothing but the size would show it.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail};

use super::dashboard_folder;
use crate::house::House;

/// The tables of pills, each a file of `core/src/pill/`: those of the page, and those of the reader alone.
const LIVE: [&str; 2] = ["smithers", "viewer"];
const READ: [&str; 2] = ["lionagi", "conductor"];

/// Looks for the labels of all tables in both modules as they are built.
pub(crate) fn check(house: &House) -> Result<()> {
    let tables = |names: [&str; 2]| -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for name in names {
            let path = house.root.join("core/src/pill").join(name).with_extension("rs");
            let source = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            found.extend(labels(&source));
        }
        Ok(found)
    };
    let module = |name: &str| {
        let path = dashboard_folder(house).join(name);
        fs::read(&path).with_context(|| format!("reading {}: run `cargo xtask build` first", path.display()))
    };
    let (page, reader) = (module("runstate-panel_bg.wasm")?, module("documents_bg.wasm")?);
    let count = apart(&tables(LIVE)?, &tables(READ)?, &page, &reader)?;
    println!(
        "apart:       {count} labels of other systems are in the reader of documents and not in the page"
    );
    Ok(())
}

/// The labels in a table: texts that begin with a capital. One word alone may stand in a sentence as well.
fn labels(source: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let texts = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    let is_label = |text: &&str| text.starts_with(|first: char| first.is_uppercase()) && text.contains(' ');
    texts.filter(is_label).map(str::to_owned).collect()
}

/// How many labels of `read` the reader has and the page has not. What the page must have and what the reader must have are
/// looked for too: a check that finds no word anywhere says nothing.
fn apart(live: &BTreeSet<String>, read: &BTreeSet<String>, page: &[u8], reader: &[u8]) -> Result<usize> {
    let only: BTreeSet<&String> = read.difference(live).collect();
    if live.is_empty() || only.is_empty() {
        bail!("no labels were found in the tables of pills");
    }
    for (labels, module, wanted, what) in [
        (live.iter().collect(), page, true, "the page lacks labels of its own table of pills"),
        (only.clone(), reader, true, "the reader of documents lacks labels of its tables of pills"),
        (only.clone(), page, false, "the page has the pills of systems that are never live"),
    ] {
        let wrong: Vec<&str> =
            labels.into_iter().map(String::as_str).filter(|label| has(module, label) != wanted).collect();
        if !wrong.is_empty() {
            bail!("{what}: {}", wrong.join("; "));
        }
    }
    Ok(only.len())
}

fn has(module: &[u8], text: &str) -> bool {
    module.windows(text.len()).any(|part| part == text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(labels: &[&str]) -> BTreeSet<String> {
        labels.iter().map(|&label| label.to_owned()).collect()
    }

    #[test]
    fn labels_are_texts_of_several_words_outside_comments_and_tests() {
        let source = r#"
            /// "In a comment"
            Stale => ("Stale running", "stale running", "Stale"), Idle => ("Idle now", Tone::Info),
            #[cfg(test)] mod tests { "In a test" }"#;
        assert_eq!(labels(source), set(&["Idle now", "Stale running"]));
        assert_eq!(labels(""), set(&[]));
    }

    #[test]
    fn a_label_in_the_wrong_module_or_in_none_is_told() {
        let (live, read) = (set(&["Feed lost"]), set(&["Feed lost", "Gate failed"]));
        let told = |page: &str, reader: &str| {
            apart(&live, &read, page.as_bytes(), reader.as_bytes()).map_err(|error| error.to_string())
        };
        assert_eq!(told("..Feed lost", "..Gate failed.."), Ok(1));
        for (page, reader, wrong) in [
            ("Feed lost, Gate failed", "Gate failed", "Gate failed"),
            ("Feed", "Gate failed", "Feed lost"),
            ("Feed lost", "Gate", "Gate failed"),
            ("", "", "Feed lost"),
        ] {
            let error = told(page, reader).unwrap_err();
            assert!(error.ends_with(&format!(": {wrong}")), "{error}");
        }
        for (live, read) in [(set(&[]), read.clone()), (live.clone(), set(&[])), (live.clone(), live.clone())]
        {
            assert!(apart(&live, &read, b"Feed lost", b"Gate failed").is_err());
        }
    }
}
