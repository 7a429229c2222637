//! The files of `tests/vectors/smithers`.
// Each test uses only some of these functions.
#![allow(dead_code, unreachable_pub)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The path of a file or a folder.
pub fn path(name: impl AsRef<Path>) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers").join(name)
}

pub fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The values of a file that has one in each line.
pub fn lines(name: &str) -> Vec<Value> {
    text(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The cases of a file, each with a name, a reason and a source.
pub fn cases(name: &str) -> Vec<Value> {
    let cases = lines(name);
    for case in &cases {
        assert!(["name", "reason", "source"].iter().all(|key| case[key].is_string()), "{case}");
    }
    cases
}

/// The answer in a file, alone or in its recorded exchange; `None` if the file does not exist.
pub fn answer(name: impl AsRef<Path>) -> Option<Value> {
    let document: Value = serde_json::from_str(&fs::read_to_string(path(name)).ok()?).unwrap();
    Some(document.pointer("/response/body").unwrap_or(&document).clone())
}

/// The payload of that answer.
pub fn payload(name: impl AsRef<Path>) -> Option<Value> {
    answer(name).map(|answer| answer["payload"].clone())
}
