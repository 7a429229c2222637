//! Every path in ARCHITECTURE.md exists, and it stays an overview.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The words in code marks that are paths: they contain a slash or end in a file extension.
fn paths(text: &str) -> Vec<&str> {
    let spans = text.split('`').skip(1).step_by(2);
    let is_path = |span: &&str| {
        let extension = Path::new(span).extension().is_some();
        !span.contains(char::is_whitespace) && (span.contains('/') || extension)
    };
    spans.filter(is_path).collect()
}

#[test]
fn every_path_named_in_the_architecture_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let named = paths(&text);
    assert!(named.len() > 15, "only {} paths found", named.len());
    let missing: Vec<_> = named.into_iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:?}");
}

#[test]
fn every_top_folder_is_in_the_architecture() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(root()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let built = ["target", "dist", "node_modules"].contains(&name.as_str()) || name.starts_with('.');
        if entry.file_type().unwrap().is_dir() && !built {
            assert!(text.contains(&format!("`{name}/`")), "{name}/ is not described");
        }
    }
}

#[test]
fn the_architecture_is_an_overview() {
    let words = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap().split_whitespace().count();
    assert!(
        words <= 4000,
        "ARCHITECTURE.md has {words} words; what one file does belongs in its first lines"
    );
}

#[test]
fn words_that_are_no_paths_are_left_alone() {
    assert_eq!(
        paths("`now` and `core/` and `Trunk.toml` and `cargo xtask run` a/b"),
        ["core/", "Trunk.toml"]
    );
}
