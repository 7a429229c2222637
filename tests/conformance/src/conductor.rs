//! The captured runs of tnh-conductor, its damaged directories, and our own cases, as files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use runstate::conductor::derive::ConductorRun;
use runstate::conductor::read_run_directory;
use runstate::conductor::wire::Timestamp;
use runstate::file::File;
use runstate::time::Millis;
use serde::Deserialize;
use serde_json::Value;

use crate::files::Files;

#[derive(Deserialize)]
pub struct Write {
    pub seq: u64,
    pub op: String,
    pub file: String,
    pub content: String,
}

/// A row of `runs/*/expected.ndjson`.
#[derive(Deserialize)]
pub struct Expected {
    pub after_seq: Option<u64>,
    pub now: Option<String>,
    pub view: Value,
}

/// A row of `malformed/expected.ndjson`, or of `valid/` and `invalid/`, which contain their files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    pub case: String,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub origin: String,
    pub now: String,
    pub directory: Option<String>,
    /// Files by path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Texts without a name.
    #[serde(default)]
    pub pasted: Vec<String>,
    /// The code of the refusal, if no file can be read.
    pub error: Option<String>,
    pub run_id: Option<String>,
    #[serde(default)]
    pub view: Value,
    pub source: Option<Value>,
    pub liveness: Option<String>,
    #[serde(default)]
    pub problems: Vec<String>,
    #[serde(default)]
    pub notes: Vec<String>,
    /// The visits of steps in the log.
    pub visits: Option<Value>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/conductor")
}

pub fn rows<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

pub fn at(text: &str) -> Millis {
    Timestamp::parse(text).and_then(|stamp| stamp.at).unwrap()
}

pub fn runs() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder().join("runs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The directory after so many writes.
pub fn fold(writes: &[Write], until: u64) -> Files {
    let mut files = Files::new();
    for write in writes.iter().filter(|write| write.seq <= until) {
        let content = files.entry(write.file.clone()).or_default();
        match &*write.op {
            "replace" | "copy" => *content = write.content.clone().into_bytes(),
            "append" => content.extend(write.content.as_bytes()),
            other => panic!("no such write: {other}"),
        }
    }
    files
}

pub fn read(files: &Files, now: Millis, directory: Option<&str>) -> ConductorRun {
    let files: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    read_run_directory(&files, now, directory).unwrap()
}
