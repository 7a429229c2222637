//! What was opened: one document, or several files that are one.

use super::content::{Content, System};
use crate::conductor::ConductorRun;
use crate::header::Header;
use crate::inspection::{Inspection, Refusal, RunInspection};
use crate::lionagi;
use crate::log::EventLog;
use crate::pill::Taxonomy;
use crate::time::Millis;
use crate::tree::Tree;

/// One of the files that are opened together.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its name or relative path; a pasted text has none.
    pub name: Option<&'a str>,
    /// What it holds.
    pub bytes: &'a [u8],
}

/// What was opened, of whichever system.
#[derive(Debug)]
pub struct Document {
    content: Content,
    logs: Vec<EventLog>,
    problems: Vec<String>,
}

/// One run of a list to choose from.
#[derive(Clone, Debug, PartialEq)]
pub struct ListRow {
    /// The run's id.
    pub id: String,
    /// What a person calls it.
    pub name: String,
    /// The vocabulary of the state.
    pub taxonomy: Taxonomy,
    /// The state's word, where there is one.
    pub state: Option<String>,
    /// When it began.
    pub at: Option<Millis>,
}

impl From<Inspection> for Document {
    fn from(inspection: Inspection) -> Self {
        Self::new(Content::Smithers(Box::new(inspection)), Vec::new(), Vec::new())
    }
}

impl Document {
    pub(super) fn new(mut content: Content, logs: Vec<EventLog>, mut problems: Vec<String>) -> Self {
        problems.append(&mut content.take_problems());
        Self { content, logs, problems }
    }

    /// The system that it is of. Of files of several systems the one with a run in view is opened, and the others are named
    /// among the problems.
    pub fn system(&self) -> System {
        self.content.system()
    }

    /// Everything that is known of a Smithers run or list; `None` for the other systems.
    pub fn smithers(&self) -> Option<&Inspection> {
        match &self.content {
            Content::Smithers(inspection) => Some(inspection),
            Content::Lionagi(_) | Content::Conductor(_) => None,
        }
    }

    /// Everything that is known of lionagi's sessions; `None` for the other systems.
    pub fn lionagi(&self) -> Option<&lionagi::Inspection> {
        match &self.content {
            Content::Lionagi(inspection) => Some(inspection),
            Content::Smithers(_) | Content::Conductor(_) => None,
        }
    }

    /// Everything that is known of a run of tnh-conductor; `None` for the other systems.
    pub fn conductor(&self) -> Option<&ConductorRun> {
        match &self.content {
            Content::Conductor(run) => Some(run),
            Content::Smithers(_) | Content::Lionagi(_) => None,
        }
    }

    /// What was recognised, as a word.
    pub fn recognised(&self) -> &'static str {
        self.content.recognised()
    }

    /// What could not be read although the rest loads, each with its place.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// What the server refused, if the document is a refusal.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.content.refusal()
    }

    /// Whether the document is about one run, so that there is a header without choosing.
    pub fn has_run(&self) -> bool {
        self.content.has_run()
    }

    /// The runs to choose from; empty where one run is in view.
    pub fn rows(&self) -> Vec<ListRow> {
        self.content.rows()
    }

    /// The header of the run, or of a row of the list; `None` where there is no such run.
    pub fn header(&self, row: Option<usize>, now: Millis) -> Option<Header> {
        self.content.header(row, now)
    }

    /// The structure of the run, or of a row of the list.
    pub fn tree(&self, row: Option<usize>) -> Option<&Tree> {
        self.content.tree(row)
    }

    /// The event logs among the files.
    pub fn logs(&mut self) -> &mut [EventLog] {
        &mut self.logs
    }
}

impl ListRow {
    /// The row of a Smithers run.
    pub fn of_run(run: &RunInspection) -> Self {
        let id = run.run_id.clone().unwrap_or_default();
        Self {
            name: run.workflow.clone().unwrap_or_else(|| id.clone()),
            id,
            taxonomy: Taxonomy::Run,
            state: run.verdict.view().map(|view| view.state.as_str().to_owned()),
            at: run.started_at.or(run.created_at),
        }
    }
}
