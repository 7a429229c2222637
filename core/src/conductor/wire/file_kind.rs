//! The files of a run directory.

use crate::text::{after_byte_order_mark, whole_characters};

/// The kinds of files that are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FileKind {
    Status,
    Metadata,
    Events,
    FinalState,
    Manifest,
    GateRequest,
    GateOutcome,
    PlannerDecision,
    /// `artifacts/<step>/policy_summary.json`, `runner_metadata.json` or `workspace_status.json`.
    AuxiliaryFile,
}

impl FileKind {
    /// The name of a file of this kind.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Status => "status.json",
            Self::Metadata => "metadata.json",
            Self::Events => "events.ndjson",
            Self::FinalState => "final-state.txt",
            Self::Manifest => "manifest.json",
            Self::GateRequest => "gate_request.json",
            Self::GateOutcome => "gate_outcome.json",
            Self::PlannerDecision => "planner_decision.json",
            Self::AuxiliaryFile => "runner_metadata.json",
        }
    }
}

/// The path of a file in a run directory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FilePath<'a> {
    /// The path of the run directory; empty if the name has no folder.
    pub(crate) root: &'a str,
    /// The step of the artifact.
    pub(crate) step: Option<&'a str>,
    /// The name without the folders.
    pub(crate) base: &'a str,
}

impl<'a> FilePath<'a> {
    /// Splits a relative path.
    pub(crate) fn new(path: &'a str) -> Self {
        let path = path.strip_prefix("./").unwrap_or(path);
        let (folder, base) = path.rsplit_once('/').unwrap_or(("", path));
        let (root, step) = match folder.strip_prefix("artifacts/") {
            Some(step) => ("", Some(step)),
            None => match folder.split_once("/artifacts/") {
                Some((root, step)) => (root, Some(step)),
                None => (folder, None),
            },
        };
        Self { root, step, base }
    }
}

/// Whether a name has the format of a run id: `20261121T204038Z`.
pub(super) fn is_run_id(name: &str) -> bool {
    name.len() == 16
        && name.bytes().enumerate().all(|(at, byte)| match at {
            8 => byte == b'T',
            15 => byte == b'Z',
            _ => byte.is_ascii_digit(),
        })
}

/// The text without a byte order mark. The error is the offset of the first byte that is not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, usize> {
    let text = std::str::from_utf8(whole_characters(bytes)).map_err(|error| error.valid_up_to())?;
    Ok(after_byte_order_mark(text))
}

#[cfg(test)]
mod tests {
    use super::FilePath;

    #[test]
    fn a_path_is_split_into_directory_step_and_name() {
        let split = |path| {
            let path = FilePath::new(path);
            (path.root, path.step, path.base)
        };
        assert_eq!(split("status.json"), ("", None, "status.json"));
        assert_eq!(split("./a/b/status.json"), ("a/b", None, "status.json"));
        assert_eq!(split("artifacts/build/manifest.json"), ("", Some("build"), "manifest.json"));
        assert_eq!(split("r/artifacts/a/b/manifest.json"), ("r", Some("a/b"), "manifest.json"));
        assert_eq!(split("artifacts/x.json"), ("artifacts", None, "x.json"));
    }
}
