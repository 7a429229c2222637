//! The files of `tests/vectors/smithers`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The path of a file or a folder.
pub(crate) fn path(name: impl AsRef<Path>) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers").join(name)
}

pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The values of a file that has one in each line.
pub(crate) fn lines(name: &str) -> Vec<Value> {
    text(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The cases of a file, each with a name, a reason and a source.
pub(crate) fn cases(name: &str) -> Vec<Value> {
    let cases = lines(name);
    for case in &cases {
        assert!(["name", "reason", "source"].iter().all(|key| case[key].is_string()), "{case}");
    }
    cases
}

/// The answer in a file, alone or in its recorded exchange; `None` if the file does not exist.
pub(crate) fn answer(name: impl AsRef<Path>) -> Option<Value> {
    let document: Value = serde_json::from_str(&fs::read_to_string(path(name)).ok()?).unwrap();
    Some(document.pointer("/response/body").unwrap_or(&document).clone())
}

/// The payload of that answer.
pub(crate) fn payload(name: impl AsRef<Path>) -> Option<Value> {
    answer(name).map(|answer| answer["payload"].clone())
}
