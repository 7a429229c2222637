//! The files of a run directory, or of a part of it.

use super::event::{EventLog, read_log};
use super::event_list::{is_list, read_list};
use super::file_kind::{FileKind, FilePath, is_run_id, text};
use super::json_file::{JsonFile, Need};
use super::metadata::{FinalState, Metadata, read_final_state};
use super::status::{self, StatusDocument};
use super::step_files::{AuxiliaryFile, GateRequest, Manifest, read_auxiliary, read_word};
use super::step_text::StepText;
use crate::evidence::Signal;
use crate::file::File;
use crate::json::salvage::{Salvage, salvage};
use crate::json::{ReadError, ReadErrorKind, Slice, locate};
use crate::problem::Problems;
use crate::text::{bytes_after_byte_order_mark, concat, quoted};

/// The result of reading `status.json`.
pub(crate) enum StatusFile {
    /// It does not exist.
    Absent,
    /// It is empty or truncated. Contains its complete fields.
    Unreadable(Box<StatusDocument>),
    /// It is not an object, or has duplicate keys.
    Malformed,
    /// It was read. Contains the required fields that are missing or invalid.
    Read(Box<StatusDocument>, Vec<Signal>),
}

/// A file of a step: the step, if the path contains it, and the content.
pub(crate) type StepFile<T> = (Option<String>, T);

/// The content of a run directory.
pub(crate) struct Directory {
    /// The name of the directory, if the paths contain it.
    pub(crate) name: Option<String>,
    pub(crate) status: StatusFile,
    pub(crate) status_file: String,
    pub(crate) metadata: Option<Metadata>,
    pub(crate) metadata_file: String,
    pub(crate) log: Option<EventLog>,
    pub(crate) log_file: String,
    pub(crate) final_state: Option<FinalState>,
    pub(crate) manifests: Vec<(String, Manifest)>,
    pub(crate) gate_requests: Vec<StepFile<GateRequest>>,
    pub(crate) gate_outcomes: Vec<StepFile<String>>,
    pub(crate) planner_decisions: Vec<StepFile<String>>,
    pub(crate) auxiliary_files: Vec<AuxiliaryFile>,
    /// The files of steps, as they were written.
    pub(crate) step_texts: Vec<StepText>,
    pub(crate) problems: Problems,
    /// Whether at least one file belongs to a run directory.
    pub(crate) recognised: bool,
}

impl Directory {
    /// Reads the files of one run. `kinds` has the kind of each file. Files of other directories are omitted and become a
    /// problem.
    pub(crate) fn read(files: &[File<'_>], kinds: &[Option<FileKind>]) -> Self {
        let position = |wanted: FileKind| kinds.iter().position(|kind| *kind == Some(wanted));
        let main = position(FileKind::Status).or(position(FileKind::Metadata)).or(position(FileKind::Events));
        let main = main.or_else(|| kinds.iter().position(Option::is_some));
        let root = main.and_then(|index| files.get(index)).map_or("", |file| root_of(file));
        let mut directory = Self::empty(root);
        for (file, kind) in files.iter().zip(kinds.iter().copied()) {
            directory.recognised |=
                kind.is_some() || FilePath::new(file.name.unwrap_or_default()).step.is_some();
            let Some(kind) = kind else { continue };
            if root_of(file) == root {
                directory.add(file, kind);
            } else {
                let other = "This is a file of another directory; it was omitted.";
                directory.problems.add_to_file(file.name.unwrap_or_default(), None, other);
            }
        }
        directory
    }

    fn empty(root: &str) -> Self {
        let name = root.rsplit('/').next().filter(|name| is_run_id(name)).map(str::to_owned);
        Self {
            name,
            status: StatusFile::Absent,
            status_file: "status.json".to_owned(),
            metadata: None,
            metadata_file: "metadata.json".to_owned(),
            log: None,
            log_file: "events.ndjson".to_owned(),
            final_state: None,
            manifests: Vec::new(),
            gate_requests: Vec::new(),
            gate_outcomes: Vec::new(),
            planner_decisions: Vec::new(),
            auxiliary_files: Vec::new(),
            step_texts: Vec::new(),
            problems: Problems::default(),
            recognised: false,
        }
    }

    fn add(&mut self, file: &File<'_>, kind: FileKind) {
        let name = file.name.unwrap_or(kind.file_name());
        let exists = match kind {
            FileKind::Status => !matches!(self.status, StatusFile::Absent),
            FileKind::Metadata => self.metadata.is_some(),
            FileKind::Events => self.log.is_some(),
            FileKind::FinalState => self.final_state.is_some(),
            FileKind::Manifest
            | FileKind::GateRequest
            | FileKind::GateOutcome
            | FileKind::PlannerDecision
            | FileKind::AuxiliaryFile => false,
        };
        if exists {
            self.add_second(file, kind);
            return;
        }
        if kind == FileKind::Events {
            name.clone_into(&mut self.log_file);
            let bytes = bytes_after_byte_order_mark(file.bytes);
            self.log = Some(match is_list(bytes).then(|| text(bytes)) {
                Some(Ok(text)) => read_list(name, text, &mut self.problems),
                Some(Err(_)) | None => read_log(name, bytes, &mut self.problems),
            });
            return;
        }
        match text(file.bytes) {
            Ok(text) => {
                let path = FilePath::new(file.name.unwrap_or_default());
                self.step_texts.extend(StepText::read(path, kind, text));
                self.add_text(name, text, kind, path.step);
            }
            Err(at) => {
                let before = file.bytes.get(..at).and_then(|start| std::str::from_utf8(start).ok());
                let position = before.map(|before| locate(before, at));
                self.problems.add_to_file(name, position, "The text is not UTF-8.");
                if kind == FileKind::Status {
                    self.status = StatusFile::Unreadable(Box::default());
                }
            }
        }
    }

    /// Adds a second file of the same kind. The later one is kept.
    fn add_second(&mut self, file: &File<'_>, kind: FileKind) {
        let mut second = Self::empty("");
        second.add(file, kind);
        let order = second.written_at(kind).total_cmp(&self.written_at(kind));
        let mut left_out = file.name.unwrap_or(kind.file_name()).to_owned();
        if order.is_gt() {
            left_out = match kind {
                FileKind::Status => {
                    self.status = second.status;
                    std::mem::replace(&mut self.status_file, second.status_file)
                }
                FileKind::Metadata => {
                    self.metadata = second.metadata;
                    std::mem::replace(&mut self.metadata_file, second.metadata_file)
                }
                FileKind::Events => {
                    self.log = second.log;
                    std::mem::replace(&mut self.log_file, second.log_file)
                }
                FileKind::FinalState
                | FileKind::Manifest
                | FileKind::GateRequest
                | FileKind::GateOutcome
                | FileKind::PlannerDecision
                | FileKind::AuxiliaryFile => left_out,
            };
            self.problems.append(second.problems);
        }
        let words = if order.is_eq() {
            ["There is a ", kind.file_name(), " already; this one was omitted."]
        } else {
            ["There is a later ", kind.file_name(), "; this one was omitted."]
        };
        self.problems.add_to_file(&left_out, None, concat(&words));
    }

    /// The time at which the file of this kind was written, according to its content; minus infinity if unknown.
    fn written_at(&self, kind: FileKind) -> f64 {
        let time = match kind {
            FileKind::Status => match &self.status {
                StatusFile::Read(status, _) => status.updated_at.as_ref(),
                StatusFile::Absent | StatusFile::Unreadable(_) | StatusFile::Malformed => None,
            },
            FileKind::Metadata => {
                self.metadata.as_ref().and_then(|data| data.ended_at.as_ref().or(data.started_at.as_ref()))
            }
            FileKind::Events => {
                self.log.as_ref().and_then(|log| log.events.last()).and_then(|event| event.timestamp.as_ref())
            }
            FileKind::FinalState
            | FileKind::Manifest
            | FileKind::GateRequest
            | FileKind::GateOutcome
            | FileKind::PlannerDecision
            | FileKind::AuxiliaryFile => None,
        };
        time.and_then(|time| time.at).map_or(f64::NEG_INFINITY, |at| at.0)
    }

    /// The complete parts of a truncated file; `None` if it is not truncated.
    fn salvage(&mut self, name: &str, text: &str, kind: FileKind) -> Option<String> {
        // A truncated decision is of no use.
        let may_be_truncated = matches!(
            kind,
            FileKind::Status | FileKind::Metadata | FileKind::Manifest | FileKind::GateRequest
        );
        let Salvage { text: complete, errors, .. } =
            Some(text).filter(|_| may_be_truncated).and_then(salvage).filter(|found| found.cut)?;
        for error in &errors {
            self.problems.add_file_error(name, text, error);
        }
        Some(complete)
    }

    fn add_text(&mut self, name: &str, text: &str, kind: FileKind, step: Option<&str>) {
        let step = step.map(str::to_owned);
        let salvaged = self.salvage(name, text, kind);
        let text = salvaged.as_deref().unwrap_or(text);
        let file = JsonFile { name, text, truncated: salvaged.is_some() };
        let read = match kind {
            FileKind::Status => {
                name.clone_into(&mut self.status_file);
                self.add_status(file);
                Ok(())
            }
            FileKind::Events => Ok(()),
            FileKind::FinalState => {
                self.add_final_state(name, text);
                Ok(())
            }
            FileKind::Metadata => {
                file.read(&[Need::Required(Signal::RunId)], &mut self.problems).map(|(metadata, _)| {
                    name.clone_into(&mut self.metadata_file);
                    self.metadata = Some(metadata);
                })
            }
            FileKind::Manifest => file
                .read(&[Need::Required(Signal::StepId)], &mut self.problems)
                .map(|(manifest, _)| self.manifests.push((name.to_owned(), manifest))),
            FileKind::GateRequest => file
                .read(&[], &mut self.problems)
                .map(|(request, _)| self.gate_requests.push((step, request))),
            FileKind::GateOutcome => read_decision(text, "outcome", step, &mut self.gate_outcomes),
            FileKind::PlannerDecision => read_decision(text, "status", step, &mut self.planner_decisions),
            FileKind::AuxiliaryFile => {
                Slice::from_text(text).map(|slice| self.auxiliary_files.extend(read_auxiliary(slice)))
            }
        };
        if let Err(error) = read {
            self.problems.add_file_error(name, text, &error);
        }
    }

    fn add_final_state(&mut self, name: &str, text: &str) {
        self.final_state = read_final_state(text);
        if self.final_state.is_none() {
            let expected = "Expected a word, a colon and a step, as `completed:STOP`.";
            self.problems.add_to_file(name, None, expected);
        }
    }

    fn add_status(&mut self, file: JsonFile<'_>) {
        if file.text.trim_ascii().is_empty() {
            // The kernel truncates the file before it writes it (protocol section 2).
            self.status = StatusFile::Unreadable(Box::default());
            self.problems.add_to_file(file.name, None, "The file is empty.");
            return;
        }
        self.status = match file.read(&status::DECISIVE, &mut self.problems) {
            // The fields that are missing might change the state.
            Ok((status, _)) if file.truncated => StatusFile::Unreadable(Box::new(status)),
            Ok((status, faults)) => StatusFile::Read(Box::new(status), faults),
            Err(error) => {
                self.problems.add_file_error(file.name, file.text, &error);
                match error.kind {
                    ReadErrorKind::Syntax | ReadErrorKind::UnexpectedEnd => {
                        StatusFile::Unreadable(Box::default())
                    }
                    ReadErrorKind::TooDeep
                    | ReadErrorKind::TooLarge
                    | ReadErrorKind::DuplicateKey
                    | ReadErrorKind::Invalid => StatusFile::Malformed,
                }
            }
        };
    }

    /// Removes metadata and events of other runs. Returns the id of the run: that of the status, the metadata or the first
    /// event.
    pub(crate) fn keep_one_run(&mut self) -> Option<String> {
        let metadata_id = self.metadata.as_ref().and_then(|metadata| metadata.run_id.clone());
        let first_event = self.log.as_ref().and_then(|log| log.events.first());
        let run_id = match &self.status {
            StatusFile::Read(status, _) | StatusFile::Unreadable(status) => status.run_id.clone(),
            StatusFile::Absent | StatusFile::Malformed => None,
        };
        let run_id = run_id.or(metadata_id.clone()).or_else(|| first_event?.run_id.clone())?;
        if let Some(other) = metadata_id.filter(|other| *other != run_id) {
            let message = concat(&["This belongs to the run ", &quoted(&other), "; it was omitted."]);
            self.problems.add_to_file(&self.metadata_file, None, message);
            self.metadata = None;
        }
        if let Some(log) = &mut self.log {
            let before = log.events.len();
            log.events.retain(|event| event.run_id.as_deref().is_none_or(|id| id == run_id));
            let removed = before - log.events.len();
            if removed > 0 {
                let message =
                    concat(&[&removed.to_string(), " events belong to another run and were omitted."]);
                self.problems.add_to_file(&self.log_file, None, message);
            }
        }
        Some(run_id)
    }

    /// The file name and the manifest of the last visit of a step.
    pub(crate) fn manifest(&self, step_id: &str) -> Option<&(String, Manifest)> {
        self.manifests.iter().find(|(_, manifest)| manifest.step_id.as_deref() == Some(step_id))
    }
}

/// The content of the file of a step. A pasted file has no path, and counts as the file of any step.
pub(crate) fn find_step_file<'a, T>(files: &'a [StepFile<T>], step_id: &str) -> Option<&'a T> {
    let pasted = || files.iter().find(|(step, _)| step.is_none());
    named_step_file(files, step_id).or_else(|| pasted().map(|(_, content)| content))
}

/// The content of the file in the folder of a step.
pub(crate) fn named_step_file<'a, T>(files: &'a [StepFile<T>], step_id: &str) -> Option<&'a T> {
    files.iter().find(|(step, _)| step.as_deref() == Some(step_id)).map(|(_, content)| content)
}

fn read_decision(
    text: &str,
    field: &str,
    step: Option<String>,
    into: &mut Vec<StepFile<String>>,
) -> Result<(), ReadError> {
    let word = read_word(Slice::from_text(text)?, field)?;
    into.extend(word.map(|word| (step, word)));
    Ok(())
}

/// The path of the run directory of a file; empty if the name has no folder.
pub(crate) fn root_of<'a>(file: &File<'a>) -> &'a str {
    file.name.map_or("", |name| FilePath::new(name).root)
}
