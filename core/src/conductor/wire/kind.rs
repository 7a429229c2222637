//! Which file of a run directory this is: by what it holds, and by its name where that does not tell.

use std::borrow::Cow;

use super::auxiliary;
use super::event_list::is_list;
use super::final_state;
use super::words::{GateOutcome, PlannerStatus};
use crate::file::File;
use crate::json::salvage::salvage;
use crate::json::{Reader, Slice, fields};
use crate::text::head;
use crate::text::whole_characters;
use crate::word::Vocabulary;

/// A file of a run directory that is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
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

/// Where in the run directory a file lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place<'a> {
    /// The run directory's own path, as far as the file's name has one.
    pub(crate) root: &'a str,
    /// The step whose artifact it is.
    pub(crate) step: Option<&'a str>,
    /// The name without the folders.
    base: &'a str,
}

/// How many lines may stand before the first event of a log.
const STRAY_LINES: usize = 20;

/// The largest object that is known without its name; those that the kernel writes have some kilobytes.
const OBJECT_BYTES: usize = 1024 * 1024;

/// The longest line that may be an event; those that the kernel writes have some 250 bytes.
const SMALL_BYTES: usize = 64 * 1024;

impl<'a> Place<'a> {
    /// The place that a relative path names.
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

    fn kind(self) -> Option<Kind> {
        match (self.base, self.step) {
            ("status.json", None) => Some(Kind::Status),
            ("metadata.json", None) => Some(Kind::Metadata),
            ("events.ndjson", None) => Some(Kind::Events),
            ("final-state.txt", None) => Some(Kind::FinalState),
            ("manifest.json", Some(_)) => Some(Kind::Manifest),
            ("gate_request.json", Some(_)) => Some(Kind::GateRequest),
            ("gate_outcome.json", Some(_)) => Some(Kind::GateOutcome),
            ("planner_decision.json", Some(_)) => Some(Kind::PlannerDecision),
            _ => None,
        }
    }
}

/// Which file this is. A step's artifacts can hold anything, a copy of another run's files too: there the name counts.
pub(crate) fn kind(file: &File<'_>) -> Option<Kind> {
    let place = Place::new(file.name.unwrap_or_default());
    if place.step.is_some() {
        let beside = || is_companion(file).then(|| content(file.bytes)).flatten();
        place.kind().or_else(|| beside().filter(|kind| *kind == Kind::AuxiliaryFile))
    } else {
        content(file.bytes).or_else(|| place.kind())
    }
}

/// Whether these are files of a tnh-conductor run, by what they hold and not by their names: a `status.json`, a
/// `metadata.json`, an event, a manifest or a `final-state.txt`.
///
/// ```
/// use runstate::conductor::wire::recognises;
/// use runstate::file::File;
///
/// let pasted = |text: &'static str| [File { name: None, bytes: text.as_bytes() }];
/// assert!(recognises(&pasted(r#"{"run_id":"r","lifecycle_state":"running"}"#)));
/// assert!(recognises(&pasted("completed:STOP")));
/// assert!(!recognises(&pasted(r#"{"runId":"r","state":"running"}"#)));
/// ```
pub fn recognises(files: &[File<'_>]) -> bool {
    files.iter().any(|file| match content(file.bytes) {
        Some(Kind::Status | Kind::Metadata | Kind::Events | Kind::Manifest | Kind::FinalState) => true,
        Some(Kind::GateRequest | Kind::GateOutcome | Kind::PlannerDecision | Kind::AuxiliaryFile) | None => {
            false
        }
    })
}

/// The files that the kernel writes beside a step's manifest and that tell no state (protocol section 1).
const COMPANIONS: [&str; 10] = [
    "policy_summary.json",
    "runner_metadata.json",
    "validation_report.json",
    "validation_stdout.txt",
    "validation_stderr.txt",
    "workspace_diff.txt",
    "workspace_status.json",
    "harness_report.json",
    "transcript.ndjson",
    "final_response.txt",
];

/// Whether a file is known as one that tells no state, by its name.
pub(crate) fn is_companion(file: &File<'_>) -> bool {
    COMPANIONS.contains(&Place::new(file.name.unwrap_or_default()).base)
}

/// Whether this is a `status.json` that is just being written: of that name, and empty or cut off after a key of tnh-conductor
/// (protocol section 2). It tells nothing yet, and is no broken document.
pub(crate) fn is_unfinished_status(file: &File<'_>) -> bool {
    let place = Place::new(file.name.unwrap_or_default());
    if place.kind() != Some(Kind::Status) || content(file.bytes).is_some() {
        return false;
    }
    let Some(text) = small(file.bytes, SMALL_BYTES).map(str::trim_ascii) else { return false };
    let begun = text.strip_prefix('{').map(str::trim_ascii_start);
    let key = || {
        begun.is_some_and(|rest| ["\"run_id\"", "\"workflow_id\""].iter().any(|key| rest.starts_with(key)))
    };
    let cut = || Reader::new(text, 0).skip_value().is_err_and(|error| error.offset >= text.len());
    text.is_empty() || key() && cut()
}

/// What a line of a text is that holds a value a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Line {
    /// An event.
    Event,
    /// A status, the metadata or a manifest.
    Document,
}

/// What of tnh-conductor a line is; `None` for anything else.
pub(crate) fn line(line: &str) -> Option<Line> {
    let slice = Slice::of_text(line).ok()?;
    let [event_type] = fields(slice, ["event_type"]).ok()?;
    if event_type.is_some() {
        return Some(Line::Event);
    }
    of_item(slice)
}

/// What of tnh-conductor an item of a list is; `None` for anything else.
pub(crate) fn of_item(item: Slice<'_>) -> Option<Line> {
    match object(item, false)? {
        Kind::Events => Some(Line::Event),
        Kind::Status | Kind::Metadata | Kind::Manifest => Some(Line::Document),
        Kind::FinalState
        | Kind::GateRequest
        | Kind::GateOutcome
        | Kind::PlannerDecision
        | Kind::AuxiliaryFile => None,
    }
}

/// Whether this is what a planner decided, what a gate asked, or what came of it: too little to make a run of what lies beside
/// it, and enough to be opened alone.
pub(crate) fn is_record(file: &File<'_>) -> bool {
    matches!(
        content(file.bytes),
        Some(Kind::GateRequest | Kind::GateOutcome | Kind::PlannerDecision | Kind::AuxiliaryFile)
    )
}

/// Whether a file of a run directory is one that is read.
pub(crate) fn is_read(file: &File<'_>) -> bool {
    kind(file).is_some()
}

/// The run that a status, a metadata file or the first event of a log names.
pub(crate) fn run_id(file: &File<'_>, kind: Option<Kind>) -> Option<String> {
    let named = |slice: Slice<'_>| fields(slice, ["run_id"]).ok().and_then(|[id]| id?.text());
    match kind? {
        Kind::Status | Kind::Metadata => named(Slice::of_text(&one_object(file.bytes)?.0).ok()?),
        Kind::Events => events(file.bytes).find_map(named),
        Kind::FinalState
        | Kind::Manifest
        | Kind::GateRequest
        | Kind::GateOutcome
        | Kind::PlannerDecision
        | Kind::AuxiliaryFile => None,
    }
}

/// The text without a byte order mark, as far as it is UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, usize> {
    let text = std::str::from_utf8(whole_characters(bytes)).map_err(|error| error.valid_up_to())?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn content(bytes: &[u8]) -> Option<Kind> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Some((text, cut)) = one_object(bytes) {
        let kind = object(Slice::of_text(&text).ok()?, cut);
        // Half an event tells nothing, and half a decision is none.
        let in_parts = |kind: &Kind| matches!(kind, Kind::Status | Kind::Metadata | Kind::Manifest);
        return kind.filter(|kind| !cut || in_parts(kind));
    }
    if events(bytes).next().is_some() {
        return Some(Kind::Events);
    }
    // Only a known word: without a name, `a:b` is no more a final state than anything else.
    let ended = small(bytes, SMALL_BYTES).and_then(final_state::read)?;
    ended.termination.known().map(|_| Kind::FinalState)
}

/// The text where it is short enough to be looked at: another system's documents have a hundred megabytes.
fn small(bytes: &[u8], limit: usize) -> Option<&str> {
    if bytes.len() > limit { None } else { text(bytes).ok() }
}

/// One object and nothing else, or what is whole of one that is cut off, and whether it is.
fn one_object(bytes: &[u8]) -> Option<(Cow<'_, str>, bool)> {
    // What was taken out of a list of several systems has the space before it that says where it was.
    let text = small(bytes.trim_ascii(), OBJECT_BYTES).filter(|text| text.starts_with('{'))?;
    match Reader::new(text, 0).skip_value() {
        Ok((_, end)) => {
            let ends = text.get(end..).is_some_and(|rest| rest.trim_ascii_start().is_empty());
            ends.then_some((Cow::Borrowed(text), false))
        }
        Err(error) if error.offset < text.trim_ascii_end().len() => None,
        Err(_) => salvage(text, 0).map(|whole| (Cow::Owned(whole.text), true)),
    }
}

/// The events at the beginning of a log, a line each or in a list. Another system's documents have a hundred megabytes.
fn events(bytes: &[u8]) -> Box<dyn Iterator<Item = Slice<'_>> + '_> {
    let is_event = |slice: &Slice<'_>| object(*slice, false) == Some(Kind::Events);
    if is_list(bytes) {
        let list = bytes.trim_ascii_start().strip_prefix(b"[").unwrap_or_default();
        // What was taken out of a list of several systems has space in place of what is of the others.
        let text = head(list.trim_ascii_start());
        let mut reader = Reader::of_item(text, 0);
        let listed = std::iter::from_fn(move || reader.skip_value().ok());
        let listed = listed.map(move |place| Slice::new(text).part(place));
        return Box::new(listed.take(STRAY_LINES).filter(is_event));
    }
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let read = |line| small(line, SMALL_BYTES).and_then(|line| Slice::of_text(line).ok());
    Box::new(lines.take(STRAY_LINES).filter_map(read).filter(is_event))
}

/// What an object is, by its keys; of one that is cut off the last ones are not there.
fn object(slice: Slice<'_>, cut: bool) -> Option<Kind> {
    let [run_id, workflow_id, lifecycle, event_type, step_id] =
        fields(slice, ["run_id", "workflow_id", "lifecycle_state", "event_type", "step_id"]).ok()?;
    let ids = usize::from(run_id.is_some()) + usize::from(workflow_id.is_some());
    if event_type.is_some() {
        return (run_id.is_some() && step_id.is_some()).then_some(Kind::Events);
    }
    let names = ["active_opcode", "active_runner_family", "last_route_target", "last_completed_step_id"];
    let status = present(fields(slice, names).ok()?) + usize::from(lifecycle.is_some());
    if status + ids.min(1) >= 2 && status > 0 {
        return Some(Kind::Status);
    }
    let names = ["entry_step", "artifacts_root", "workspace_context", "schema_versions"];
    if ids == 2 && present(fields(slice, names).ok()?) > 0 {
        return Some(Kind::Metadata);
    }
    let names = ["opcode", "evidence_summary", "artifacts"];
    if step_id.is_some() && present(fields(slice, names).ok()?) >= if cut { 1 } else { 3 } {
        return Some(Kind::Manifest);
    }
    if cut && ids == 2 {
        let [updated_at, version] = fields(slice, ["updated_at", "workflow_version"]).ok()?;
        return updated_at.map(|_| Kind::Status).or(version.map(|_| Kind::Metadata));
    }
    decided(slice)
}

/// One of the small files about a decision.
fn decided(slice: Slice<'_>) -> Option<Kind> {
    let [gate, timeout, outcome, status, next_step, blockers] =
        fields(slice, ["gate", "timeout_seconds", "outcome", "status", "next_step", "blockers"]).ok()?;
    let is = |word: Option<Slice<'_>>, words: &[&str]| {
        word.and_then(Slice::text).is_some_and(|word| words.contains(&&*word))
    };
    if gate.is_some() && timeout.is_some() {
        Some(Kind::GateRequest)
    } else if is(outcome, GateOutcome::WORDS) {
        Some(Kind::GateOutcome)
    } else if is(status, PlannerStatus::WORDS) && next_step.is_some() && blockers.is_some() {
        Some(Kind::PlannerDecision)
    } else {
        auxiliary::read(slice).map(|_| Kind::AuxiliaryFile)
    }
}

fn present<const N: usize>(fields: [Option<Slice<'_>>; N]) -> usize {
    fields.iter().filter(|field| field.is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::{Kind, Place, kind, recognises};
    use crate::file::File;

    fn of(name: Option<&str>, text: &str) -> Option<Kind> {
        kind(&File { name, bytes: text.as_bytes() })
    }

    #[test]
    fn a_path_names_the_directory_the_step_and_the_file() {
        let place = |path| {
            let place = Place::new(path);
            (place.root, place.step, place.base)
        };
        assert_eq!(place("status.json"), ("", None, "status.json"));
        assert_eq!(place("./a/b/status.json"), ("a/b", None, "status.json"));
        assert_eq!(place("artifacts/build/manifest.json"), ("", Some("build"), "manifest.json"));
        assert_eq!(place("r/artifacts/a/b/manifest.json"), ("r", Some("a/b"), "manifest.json"));
        assert_eq!(place("artifacts/x.json"), ("artifacts", None, "x.json"));
    }

    #[test]
    fn content_tells_before_the_name_does() {
        let metadata = r#"{"run_id":"r","workflow_id":"w","entry_step":"a"}"#;
        let manifest = r#"{"step_id":"a","opcode":"GATE","evidence_summary":{},"artifacts":[]}"#;
        let event = r#"{"run_id":"r","step_id":"a","event_type":"step_started"}"#;
        for (name, text, expected) in [
            (Some("status.json"), metadata, Kind::Metadata),
            (None, metadata, Kind::Metadata),
            (Some("x.txt"), manifest, Kind::Manifest),
            (None, event, Kind::Events),
            (None, &format!("not json\n\n{event}\n{event}"), Kind::Events),
            (None, "\u{feff}{\"run_id\":\"r\",\"lifecycle_state\":7}", Kind::Status),
            (None, r#"{"workflow_id":"w","active_opcode":null}"#, Kind::Status),
            (None, "killed_idle:a", Kind::FinalState),
            (None, r#"{"gate":"g","timeout_seconds":null}"#, Kind::GateRequest),
            (None, r#"{"outcome":"gate_rejected"}"#, Kind::GateOutcome),
            (None, r#"{"status":"partial","next_step":null,"blockers":[]}"#, Kind::PlannerDecision),
            (Some("status.json"), "", Kind::Status),
            (Some("run/status.json"), "[]", Kind::Status),
            (Some("final-state.txt"), "abandoned:x", Kind::FinalState),
            (Some("artifacts/a/manifest.json"), "{", Kind::Manifest),
        ] {
            assert_eq!(of(name, text), Some(expected), "{name:?} {text}");
        }
    }

    #[test]
    fn what_is_of_another_system_is_not_taken() {
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
        ] {
            assert_eq!(of(None, text), None, "{text}");
            assert!(!recognises(&[File { name: Some("status.json"), bytes: text.as_bytes() }]), "{text}");
        }
    }

    #[test]
    fn an_artifact_that_looks_like_a_status_is_an_artifact() {
        let status = r#"{"run_id":"r","lifecycle_state":"running"}"#;
        assert_eq!(of(Some("artifacts/a/status.json"), status), None);
        assert_eq!(of(Some("artifacts/a/fixtures/report.json"), status), None);
    }
}
