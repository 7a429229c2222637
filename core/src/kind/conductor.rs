//! Recognises the files of a tnh-conductor run, by content or by name.

use std::borrow::Cow;

use super::{Keys, table};
use crate::conductor::wire::{FileKind, FilePath, is_list, read_final_state, text};
use crate::file::File;
use crate::json::salvage::salvage;
use crate::json::{Reader, Slice, fields, lines};
use crate::text::{bytes_after_byte_order_mark, head};

/// The number of lines of a log that are searched for the first event.
const MAX_LINES: usize = 20;

/// The size limit of an object that is recognised without its name. The kernel writes some kilobytes.
const MAX_OBJECT_BYTES: usize = 1024 * 1024;

/// The size limit of an event. The kernel writes about 250 bytes.
const MAX_EVENT_BYTES: usize = 64 * 1024;

/// The kind of a file. Artifacts of a step may contain anything, even files of another run, so their name decides.
pub(crate) fn file_kind(file: &File<'_>) -> Option<FileKind> {
    let path = FilePath::new(file.name.unwrap_or_default());
    let by_name = || table::conductor_name(path);
    if path.step.is_some() {
        let auxiliary = || is_auxiliary_name(file).then(|| kind_by_content(file.bytes)).flatten();
        by_name().or_else(|| auxiliary().filter(|kind| *kind == FileKind::AuxiliaryFile))
    } else {
        kind_by_content(file.bytes).or_else(by_name)
    }
}

/// Whether one of the files belongs to a run of tnh-conductor. Only the content decides: a `status.json`, a `metadata.json`,
/// an event, a manifest or a `final-state.txt`.
pub(crate) fn recognises(files: &[File<'_>]) -> bool {
    files.iter().any(|file| match kind_by_content(file.bytes) {
        Some(
            FileKind::Status
            | FileKind::Metadata
            | FileKind::Events
            | FileKind::Manifest
            | FileKind::FinalState,
        ) => true,
        Some(
            FileKind::GateRequest
            | FileKind::GateOutcome
            | FileKind::PlannerDecision
            | FileKind::AuxiliaryFile,
        )
        | None => false,
    })
}

/// Whether values would be taken for a file of a run of tnh-conductor, if each of them stood on a line of its own.
pub(crate) fn recognises_values(values: &[&str]) -> bool {
    // A first value that is a list makes the text one.
    let first =
        values.first().is_some_and(|first| recognises(&[File { name: None, bytes: first.as_bytes() }]));
    let is_of_run = |value: &&str| value.len() <= MAX_OBJECT_BYTES && LineKind::from_line(value).is_some();
    first || values.iter().take(MAX_LINES).any(is_of_run)
}

/// Whether a file has the name of a file of a step that does not contain its state.
pub(crate) fn is_auxiliary_name(file: &File<'_>) -> bool {
    table::AUXILIARY_NAMES.contains(&FilePath::new(file.name.unwrap_or_default()).base)
}

/// Whether this is a `status.json` that is being written: a file of that name that is empty, or truncated after a key of
/// tnh-conductor (protocol section 2).
pub(crate) fn is_unfinished_status(file: &File<'_>) -> bool {
    let path = FilePath::new(file.name.unwrap_or_default());
    if table::conductor_name(path) != Some(FileKind::Status) || kind_by_content(file.bytes).is_some() {
        return false;
    }
    let Some(text) = text_up_to(file.bytes, MAX_EVENT_BYTES).map(str::trim_ascii) else { return false };
    let object = text.strip_prefix('{').map(str::trim_ascii_start);
    let has_key = || {
        object.is_some_and(|rest| ["\"run_id\"", "\"workflow_id\""].iter().any(|key| rest.starts_with(key)))
    };
    let truncated = || Reader::new(text, 0).skip_value().is_err_and(|error| error.offset >= text.len());
    text.is_empty() || has_key() && truncated()
}

/// The kind of a line of a text, or of an item of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LineKind {
    /// An event.
    Event,
    /// A status, metadata or a manifest.
    Document,
}

impl LineKind {
    /// The kind of a line; `None` if it is not of tnh-conductor.
    pub(crate) fn from_line(line: &str) -> Option<Self> {
        let keys = Keys::read(Slice::from_text(line).ok()?).ok()?;
        let is_event = keys.has("event_type") && !keys.repeats(&["event_type"]);
        if is_event { Some(Self::Event) } else { Self::from_item(&keys) }
    }

    /// The kind of an item of a list; `None` if it is not of tnh-conductor.
    pub(super) fn from_item(keys: &Keys<'_>) -> Option<Self> {
        match table::conductor(keys)? {
            FileKind::Events => Some(Self::Event),
            FileKind::Status | FileKind::Metadata | FileKind::Manifest => Some(Self::Document),
            FileKind::FinalState
            | FileKind::GateRequest
            | FileKind::GateOutcome
            | FileKind::PlannerDecision
            | FileKind::AuxiliaryFile => None,
        }
    }
}

/// Whether this is a file of a step about a decision or its environment. It can be opened alone, but does not imply that the
/// other files of its folder belong to a run.
pub(crate) fn is_decision_file(file: &File<'_>) -> bool {
    matches!(
        kind_by_content(file.bytes),
        Some(
            FileKind::GateRequest
                | FileKind::GateOutcome
                | FileKind::PlannerDecision
                | FileKind::AuxiliaryFile
        )
    )
}

/// Whether a file of a run directory is one that is read.
pub(crate) fn is_run_file(file: &File<'_>) -> bool {
    file_kind(file).is_some()
}

/// The id of the run in a status, in metadata or in the first event of a log.
pub(crate) fn run_id(file: &File<'_>, kind: Option<FileKind>) -> Option<String> {
    let read_id = |slice: Slice<'_>| fields(slice, ["run_id"]).ok().and_then(|[id]| id?.text());
    match kind? {
        FileKind::Status | FileKind::Metadata => read_id(Slice::from_text(&one_object(file.bytes)?.0).ok()?),
        FileKind::Events => first_events(file.bytes).find_map(read_id),
        FileKind::FinalState
        | FileKind::Manifest
        | FileKind::GateRequest
        | FileKind::GateOutcome
        | FileKind::PlannerDecision
        | FileKind::AuxiliaryFile => None,
    }
}

/// The kind of a file, decided by its content.
fn kind_by_content(bytes: &[u8]) -> Option<FileKind> {
    let bytes = bytes_after_byte_order_mark(bytes);
    if let Some((text, truncated)) = one_object(bytes) {
        let object = Slice::from_text(&text).ok()?;
        let keys = if truncated { Keys::read_truncated(object) } else { Keys::read(object) };
        return table::conductor(&keys.ok()?);
    }
    if first_events(bytes).next().is_some() {
        return Some(FileKind::Events);
    }
    // `a:b` may be anything: the termination must be a known word.
    let end = text_up_to(bytes, MAX_EVENT_BYTES).and_then(read_final_state)?;
    end.termination.known().map(|_| FileKind::FinalState)
}

/// The text, unless it is longer than the limit: documents of other systems may have a hundred megabytes.
fn text_up_to(bytes: &[u8], limit: usize) -> Option<&str> {
    if bytes.len() > limit { None } else { text(bytes).ok() }
}

/// The text of an object, or of the complete fields of a truncated one, and whether it is truncated.
fn one_object(bytes: &[u8]) -> Option<(Cow<'_, str>, bool)> {
    // An item of a list of several systems is preceded by spaces in place of the earlier items.
    // Spaces after a truncated number show that the number is complete.
    let text = text_up_to(bytes.trim_ascii_start(), MAX_OBJECT_BYTES).filter(|text| text.starts_with('{'))?;
    match Reader::new(text, 0).skip_value() {
        Ok((_, end)) => {
            let ends = text.get(end..).is_some_and(|rest| rest.trim_ascii_start().is_empty());
            ends.then_some((Cow::Borrowed(text), false))
        }
        Err(error) if error.offset < text.trim_ascii_end().len() => None,
        Err(_) => salvage(text).map(|salvaged| (Cow::Owned(salvaged.text), true)),
    }
}

/// The events among the first lines of a log, or the first items of a list.
fn first_events(bytes: &[u8]) -> Box<dyn Iterator<Item = Slice<'_>> + '_> {
    let is_event = |slice: &Slice<'_>| {
        Keys::read(*slice).is_ok_and(|keys| table::conductor(&keys) == Some(FileKind::Events))
    };
    if is_list(bytes) {
        let list = bytes.trim_ascii_start().strip_prefix(b"[").unwrap_or_default();
        // A list of several systems contains spaces in place of the other systems' items.
        let text = head(list.trim_ascii_start());
        let mut reader = Reader::at_item(text, 0);
        let items = std::iter::from_fn(move || reader.skip_value().ok());
        let items = items.map(move |range| Slice::new(text).part(range));
        return Box::new(items.take(MAX_LINES).filter(is_event));
    }
    let lines = lines(bytes).map(|line| line.bytes.trim_ascii()).filter(|line| !line.is_empty());
    let read = |line| text_up_to(line, MAX_EVENT_BYTES).and_then(|line| Slice::from_text(line).ok());
    Box::new(lines.take(MAX_LINES).filter_map(read).filter(is_event))
}

#[cfg(test)]
mod tests {
    use super::{FileKind, file_kind, recognises};
    use crate::file::File;

    fn kind(name: Option<&str>, text: &str) -> Option<FileKind> {
        file_kind(&File { name, bytes: text.as_bytes() })
    }

    #[test]
    fn the_content_decides_before_the_name() {
        let metadata = r#"{"run_id":"r","workflow_id":"w","entry_step":"a"}"#;
        let manifest = r#"{"step_id":"a","opcode":"GATE","evidence_summary":{},"artifacts":[]}"#;
        let event = r#"{"run_id":"r","step_id":"a","event_type":"step_started"}"#;
        for (name, text, expected) in [
            (Some("status.json"), metadata, FileKind::Metadata),
            (None, metadata, FileKind::Metadata),
            (Some("x.txt"), manifest, FileKind::Manifest),
            (None, event, FileKind::Events),
            (None, &format!("not json\n\n{event}\n{event}"), FileKind::Events),
            (None, "\u{feff}{\"run_id\":\"r\",\"lifecycle_state\":7}", FileKind::Status),
            (None, r#"{"workflow_id":"w","active_opcode":null}"#, FileKind::Status),
            (None, "killed_idle:a", FileKind::FinalState),
            (None, r#"{"gate":"g","timeout_seconds":null}"#, FileKind::GateRequest),
            (None, r#"{"outcome":"gate_rejected"}"#, FileKind::GateOutcome),
            (None, r#"{"status":"partial","next_step":null,"blockers":[]}"#, FileKind::PlannerDecision),
            (Some("status.json"), "", FileKind::Status),
            (Some("run/status.json"), "[]", FileKind::Status),
            (Some("final-state.txt"), "abandoned:x", FileKind::FinalState),
            (Some("artifacts/a/manifest.json"), "{", FileKind::Manifest),
        ] {
            assert_eq!(kind(name, text), Some(expected), "{name:?} {text}");
        }
    }

    #[test]
    fn documents_of_other_systems_have_no_kind() {
        for text in [
            "",
            "{}",
            "[]",
            "null",
            "a:b",
            "abandoned:x",
            r#"{"runId":"r","state":"running"}"#,
            r#"{"run_id":"r","status":"running"}"#,
            r#"{"run_id":"r","workflow_id":"w"}"#,
            r#"{"lifecycle_state":"running"}"#,
            r#"{"type":"RunStarted","runId":"r","timestampMs":1}"#,
            r#"{"event_type":"signup","user":"u"}"#,
            r#"{"step_id":"a","opcode":"GATE"}"#,
            r#"{"outcome":"approved"}"#,
            r#"{"status":"success"}"#,
            r#"{"run_id":"r","lifecycle_state":"running"#,
            r#"{"run_id":"r","lifecycle_state":"running","run_id":"s"}"#,
            r#"{"run_id":"r","lifecycle_state":"running","event_type":"signup"}"#,
            r#"{"run_id":"r","step_id":"a","event_type":"step_sta"#,
            r#"{"gate":"g","timeout_seconds":1,"outcome":"#,
        ] {
            assert_eq!(kind(None, text), None, "{text}");
            assert!(!recognises(&[File { name: Some("status.json"), bytes: text.as_bytes() }]), "{text}");
        }
    }

    #[test]
    fn an_artifact_with_the_content_of_a_status_is_an_artifact() {
        let status = r#"{"run_id":"r","lifecycle_state":"running"}"#;
        assert_eq!(kind(Some("artifacts/a/status.json"), status), None);
        assert_eq!(kind(Some("artifacts/a/fixtures/report.json"), status), None);
    }

    #[test]
    fn a_pasted_file_of_a_run_directory_is_recognised() {
        let is_recognised = |text: &str| recognises(&[File { name: None, bytes: text.as_bytes() }]);
        assert!(is_recognised(r#"{"run_id":"r","lifecycle_state":"running"}"#));
        assert!(is_recognised("completed:STOP"));
        assert!(!is_recognised(r#"{"runId":"r","state":"running"}"#));
    }

    #[test]
    fn a_file_of_a_step_is_not_recognised_as_a_run() {
        let writes =
            include_str!("../../../tests/vectors/conductor/runs/agent-error-routed-to-stop/writes.ndjson");
        let mut step_files = 0;
        for write in writes.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
            let is_of_step = write["file"].as_str().unwrap().starts_with("artifacts/");
            let bytes = write["content"].as_str().unwrap().as_bytes();
            if is_of_step && !write["file"].as_str().unwrap().ends_with("manifest.json") {
                step_files += 1;
                assert!(!recognises(&[File { name: None, bytes }]), "{}", write["file"]);
            }
        }
        assert!(step_files > 2, "{step_files}");
    }
}
