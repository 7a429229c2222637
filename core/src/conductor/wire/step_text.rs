//! The JSON files of steps, as they were written: a detail shows all of their fields.

use std::sync::Arc;

use super::file_kind::{FileKind, FilePath};
use crate::json::{Slice, fields};

/// The maximum size of a file that is kept, bytes.
const MAX_BYTES: usize = 256 << 10;

/// A JSON file of a step. Each visit of the step overwrites the one before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepText {
    pub(crate) step_id: String,
    /// The name of the file without its folder.
    pub(crate) file: String,
    /// Its text, an object.
    pub(crate) json: Arc<str>,
}

impl StepText {
    /// Reads a file; `None` if it is not of a step, is not a whole object, or is very large. A manifest without a path names
    /// its step.
    pub(crate) fn read(path: FilePath<'_>, kind: FileKind, text: &str) -> Option<Self> {
        let is_of_step = match kind {
            FileKind::Manifest
            | FileKind::GateRequest
            | FileKind::GateOutcome
            | FileKind::PlannerDecision
            | FileKind::AuxiliaryFile => true,
            FileKind::Status | FileKind::Metadata | FileKind::Events | FileKind::FinalState => false,
        };
        let object = Slice::from_text(text).ok().filter(|object| is_of_step && object.is_object())?;
        let named = || fields(object, ["step_id"]).ok()?[0]?.text().filter(|_| kind == FileKind::Manifest);
        let step_id = path.step.map(str::to_owned).or_else(named)?;
        let file = if path.base.is_empty() { kind.file_name() } else { path.base };
        (text.len() <= MAX_BYTES).then(|| Self { step_id, file: file.to_owned(), json: object.json().into() })
    }
}

#[cfg(test)]
mod tests {
    use super::{FileKind, FilePath, MAX_BYTES, StepText};

    #[test]
    fn a_file_belongs_to_the_step_of_its_path_or_of_its_manifest() {
        let read = |path, kind, text: &str| {
            StepText::read(FilePath::new(path), kind, text).map(|found| (found.step_id, found.file))
        };
        let of = |step: &str, file: &str| Some((step.to_owned(), file.to_owned()));
        let path = "artifacts/a/policy_summary.json";
        assert_eq!(read(path, FileKind::AuxiliaryFile, "{}"), of("a", "policy_summary.json"));
        assert_eq!(read("", FileKind::Manifest, r#"{"step_id":"b"}"#), of("b", "manifest.json"));
        assert_eq!(read("", FileKind::GateRequest, r#"{"step_id":"b"}"#), None, "of any step");
        assert_eq!(read(path, FileKind::AuxiliaryFile, "[]"), None);
        assert_eq!(read(path, FileKind::AuxiliaryFile, "{"), None);
        assert_eq!(read("status.json", FileKind::Status, "{}"), None);
        let large = format!(r#"{{"a":"{}"}}"#, "x".repeat(MAX_BYTES));
        assert_eq!(read(path, FileKind::AuxiliaryFile, &large), None);
    }
}
