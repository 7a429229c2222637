//! A run directory, or any part of it, read file by file.

use super::auxiliary;
use super::auxiliary::AuxiliaryFile;
use super::event::{EventLog, read_log};
use super::event_list::{is_list, read_list};
use super::final_state::{self, FinalState};
use super::kind::{Kind, Place, text};
use super::manifest::{self, GateRequest, Manifest};
use super::metadata::{self, Metadata};
use super::problem::Problems;
use super::status::{self, StatusDocument};
use crate::evidence::Signal;
use crate::file::File;
use crate::json::salvage::{Salvaged, salvage};
use crate::json::{ReadError, ReadErrorKind, Slice, locate};
use crate::text::{concat, quoted};

/// What is known of `status.json`.
pub(crate) enum StatusFile {
    /// There is none.
    Absent,
    /// It is empty or cut off: no state, and what is whole of it.
    Unreadable(Box<StatusDocument>),
    /// It is no object, or has a key twice.
    Malformed,
    /// It was read; the fields without which no state can be named.
    Read(Box<StatusDocument>, Vec<Signal>),
}

/// A file of one step: the step where the path names it, and what was read.
pub(crate) type OfStep<T> = (Option<String>, T);

/// Everything that was read.
pub(crate) struct Directory {
    /// The directory's name, where the paths have one.
    pub(crate) name: Option<String>,
    pub(crate) status: StatusFile,
    pub(crate) status_file: String,
    pub(crate) metadata: Option<Metadata>,
    pub(crate) metadata_file: String,
    pub(crate) log: Option<EventLog>,
    pub(crate) log_file: String,
    pub(crate) final_state: Option<FinalState>,
    pub(crate) manifests: Vec<(String, Manifest)>,
    pub(crate) gate_requests: Vec<OfStep<GateRequest>>,
    pub(crate) gate_outcomes: Vec<OfStep<String>>,
    pub(crate) planner_decisions: Vec<OfStep<String>>,
    /// How steps ran, as far as files beside their manifests tell.
    pub(crate) beside: Vec<AuxiliaryFile>,
    pub(crate) problems: Problems,
    /// Whether anything at all belongs to such a directory.
    pub(crate) recognised: bool,
}

impl Directory {
    /// Reads the files of one run, each of its kind; those of another directory are left out and said.
    pub(crate) fn read(files: &[File<'_>], kinds: &[Option<Kind>]) -> Self {
        let of = |wanted: Kind| kinds.iter().position(|kind| *kind == Some(wanted));
        let first = of(Kind::Status).or(of(Kind::Metadata)).or(of(Kind::Events));
        let first = first.or_else(|| kinds.iter().position(Option::is_some));
        let root = first.and_then(|at| files.get(at)).map_or("", |file| root_of(file));
        let mut directory = Self::empty(root);
        for (file, kind) in files.iter().zip(kinds.iter().copied()) {
            directory.recognised |=
                kind.is_some() || Place::new(file.name.unwrap_or_default()).step.is_some();
            let Some(kind) = kind else { continue };
            if root_of(file) == root {
                directory.add(file, kind);
            } else {
                let other = "This is a file of another directory; it was left out.";
                directory.problems.add(file.name.unwrap_or_default(), None, other);
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
            beside: Vec::new(),
            problems: Problems::default(),
            recognised: false,
        }
    }

    fn add(&mut self, file: &File<'_>, kind: Kind) {
        let name = file.name.unwrap_or(kind.file_name());
        let twice = match kind {
            Kind::Status => !matches!(self.status, StatusFile::Absent),
            Kind::Metadata => self.metadata.is_some(),
            Kind::Events => self.log.is_some(),
            Kind::FinalState => self.final_state.is_some(),
            Kind::Manifest
            | Kind::GateRequest
            | Kind::GateOutcome
            | Kind::PlannerDecision
            | Kind::AuxiliaryFile => false,
        };
        if twice {
            self.add_second(file, kind);
            return;
        }
        if kind == Kind::Events {
            name.clone_into(&mut self.log_file);
            let bytes = file.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file.bytes);
            self.log = Some(match is_list(bytes).then(|| text(bytes)) {
                Some(Ok(text)) => read_list(name, text, &mut self.problems),
                Some(Err(_)) | None => read_log(name, bytes, &mut self.problems),
            });
            return;
        }
        match text(file.bytes) {
            Ok(text) => self.add_text(name, text, kind, Place::new(name).step),
            Err(at) => {
                let before = file.bytes.get(..at).and_then(|start| std::str::from_utf8(start).ok());
                let position = before.map(|before| locate(before, at));
                self.problems.add(name, position, "The text is not UTF-8.");
                if kind == Kind::Status {
                    self.status = StatusFile::Unreadable(Box::default());
                }
            }
        }
    }

    /// A file that is there twice: the one that was written last tells.
    fn add_second(&mut self, file: &File<'_>, kind: Kind) {
        let mut second = Self::empty("");
        second.add(file, kind);
        let order = second.written_at(kind).total_cmp(&self.written_at(kind));
        let mut left_out = file.name.unwrap_or(kind.file_name()).to_owned();
        if order.is_gt() {
            left_out = match kind {
                Kind::Status => {
                    self.status = second.status;
                    std::mem::replace(&mut self.status_file, second.status_file)
                }
                Kind::Metadata => {
                    self.metadata = second.metadata;
                    std::mem::replace(&mut self.metadata_file, second.metadata_file)
                }
                Kind::Events => {
                    self.log = second.log;
                    std::mem::replace(&mut self.log_file, second.log_file)
                }
                Kind::FinalState
                | Kind::Manifest
                | Kind::GateRequest
                | Kind::GateOutcome
                | Kind::PlannerDecision
                | Kind::AuxiliaryFile => left_out,
            };
            self.problems.append(second.problems);
        }
        let words = if order.is_eq() {
            ["There is a ", kind.file_name(), " already; this one was left out."]
        } else {
            ["There is a later ", kind.file_name(), "; this one was left out."]
        };
        self.problems.add(&left_out, None, concat(&words));
    }

    /// The last moment that such a file tells.
    fn written_at(&self, kind: Kind) -> f64 {
        let stamp = match kind {
            Kind::Status => match &self.status {
                StatusFile::Read(status, _) => status.updated_at.as_ref(),
                StatusFile::Absent | StatusFile::Unreadable(_) | StatusFile::Malformed => None,
            },
            Kind::Metadata => {
                self.metadata.as_ref().and_then(|of| of.ended_at.as_ref().or(of.started_at.as_ref()))
            }
            Kind::Events => {
                self.log.as_ref().and_then(|log| log.events.last()).and_then(|event| event.timestamp.as_ref())
            }
            Kind::FinalState
            | Kind::Manifest
            | Kind::GateRequest
            | Kind::GateOutcome
            | Kind::PlannerDecision
            | Kind::AuxiliaryFile => None,
        };
        stamp.and_then(|stamp| stamp.at).map_or(f64::NEG_INFINITY, |at| at.0)
    }

    fn add_text(&mut self, name: &str, text: &str, kind: Kind, step: Option<&str>) {
        let step = step.map(str::to_owned);
        // Half a decision is none.
        let in_parts = matches!(kind, Kind::Status | Kind::Metadata | Kind::Manifest | Kind::GateRequest);
        let whole =
            Some(text).filter(|_| in_parts).and_then(|text| salvage(text, 0)).filter(|whole| whole.cut);
        let cut = whole.is_some();
        let text = match &whole {
            Some(Salvaged { text: whole, errors, .. }) => {
                for error in errors {
                    self.problems.error(name, text, error);
                }
                whole
            }
            None => text,
        };
        let read = match kind {
            Kind::Status => {
                name.clone_into(&mut self.status_file);
                self.add_status(name, text, cut);
                Ok(())
            }
            Kind::Events => Ok(()),
            Kind::FinalState => {
                self.final_state = final_state::read(text);
                if self.final_state.is_none() {
                    let expected = "Expected a word, a colon and a step, as `completed:STOP`.";
                    self.problems.add(name, None, expected);
                }
                Ok(())
            }
            Kind::Metadata => Slice::of_text(text)
                .and_then(|slice| metadata::read(name, slice, cut, &mut self.problems))
                .map(|metadata| {
                    name.clone_into(&mut self.metadata_file);
                    self.metadata = Some(metadata);
                }),
            Kind::Manifest => Slice::of_text(text)
                .and_then(|slice| manifest::read(name, slice, cut, &mut self.problems))
                .map(|manifest| self.manifests.push((name.to_owned(), manifest))),
            Kind::GateRequest => Slice::of_text(text)
                .and_then(manifest::read_gate_request)
                .map(|request| self.gate_requests.push((step, request))),
            Kind::GateOutcome => decision(text, "outcome", step, &mut self.gate_outcomes),
            Kind::PlannerDecision => decision(text, "status", step, &mut self.planner_decisions),
            Kind::AuxiliaryFile => {
                Slice::of_text(text).map(|slice| self.beside.extend(auxiliary::read(slice)))
            }
        };
        if let Err(error) = read {
            self.problems.error(name, text, &error);
        }
    }

    fn add_status(&mut self, name: &str, text: &str, cut: bool) {
        if text.trim_ascii().is_empty() {
            // The writer truncates, then writes (protocol section 2): no state, and no fault of anybody's.
            self.status = StatusFile::Unreadable(Box::default());
            self.problems.add(name, None, "The file is empty: it is just being written. Read it again.");
            return;
        }
        let read = Slice::of_text(text).and_then(|slice| status::read(name, slice, cut, &mut self.problems));
        self.status = match read {
            // What the rest would have said decides, whatever is here.
            Ok((status, _)) if cut => StatusFile::Unreadable(Box::new(status)),
            Ok((status, faults)) => StatusFile::Read(Box::new(status), faults),
            Err(error) => {
                self.problems.error(name, text, &error);
                match error.kind {
                    ReadErrorKind::Syntax => StatusFile::Unreadable(Box::default()),
                    ReadErrorKind::TooDeep
                    | ReadErrorKind::TooLarge
                    | ReadErrorKind::DuplicateKey
                    | ReadErrorKind::Invalid => StatusFile::Malformed,
                }
            }
        };
    }

    /// Leaves out what other files tell of another run, and gives the run's id. What tells it first: the status, the
    /// metadata, the first event.
    pub(crate) fn one_run(&mut self) -> Option<String> {
        let metadata_id = self.metadata.as_ref().and_then(|metadata| metadata.run_id.clone());
        let first_event = self.log.as_ref().and_then(|log| log.events.first());
        let run_id = match &self.status {
            StatusFile::Read(status, _) | StatusFile::Unreadable(status) => status.run_id.clone(),
            StatusFile::Absent | StatusFile::Malformed => None,
        };
        let run_id = run_id.or(metadata_id.clone()).or_else(|| first_event?.run_id.clone())?;
        if let Some(other) = metadata_id.filter(|other| *other != run_id) {
            let message = concat(&["This is of the run ", &quoted(&other), "; it was left out."]);
            self.problems.add(&self.metadata_file, None, message);
            self.metadata = None;
        }
        if let Some(log) = &mut self.log {
            let before = log.events.len();
            log.events.retain(|event| event.run_id.as_deref().is_none_or(|id| id == run_id));
            let lost = before - log.events.len();
            if lost > 0 {
                let message = concat(&[&lost.to_string(), " events are of another run and were left out."]);
                self.problems.add(&self.log_file, None, message);
            }
        }
        Some(run_id)
    }

    /// The manifest of a step's last visit and its file.
    pub(crate) fn manifest(&self, step_id: &str) -> Option<&(String, Manifest)> {
        self.manifests.iter().find(|(_, manifest)| manifest.step_id.as_deref() == Some(step_id))
    }
}

/// The file that tells of a step; a pasted one has no path and is taken for the step that is asked about.
pub(crate) fn of_step<'a, T>(files: &'a [OfStep<T>], step_id: &str) -> Option<&'a T> {
    let named = files.iter().find(|(step, _)| step.as_deref() == Some(step_id));
    named.or_else(|| files.iter().find(|(step, _)| step.is_none())).map(|(_, content)| content)
}

fn decision(
    text: &str,
    field: &str,
    step: Option<String>,
    into: &mut Vec<OfStep<String>>,
) -> Result<(), ReadError> {
    let word = manifest::read_word(Slice::of_text(text)?, field)?;
    into.extend(word.map(|word| (step, word)));
    Ok(())
}

/// The run directory that a file lies in, as far as its name has one.
pub(crate) fn root_of<'a>(file: &File<'a>) -> &'a str {
    file.name.map_or("", |name| Place::new(name).root)
}

/// Whether a folder is named as a run is, `20261121T204038Z`. A copy under another name is no mistake.
pub(crate) fn is_run_id(name: &str) -> bool {
    name.len() == 16
        && name.bytes().enumerate().all(|(at, byte)| match at {
            8 => byte == b'T',
            15 => byte == b'Z',
            _ => byte.is_ascii_digit(),
        })
}

impl Kind {
    fn file_name(self) -> &'static str {
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
