//! Documents that tell something of a run, and not its state: its approvals, attempts, frames, plan and outputs.
//!
//! Each stands beside the answers about the run: it fills in what they leave out and overrules nothing. Where there is
//! no answer, the run's state is `unknown`, and the evidence names what was read.

use std::collections::BTreeMap;

use super::rows::{after_colon, approval, attempt, awaits, frame, node, node_id};
use super::run_builder::Wait;
use super::{Asked, Collector, Context, Statement, markup};
use crate::evidence::Signal;
use crate::ingest::DocumentError;
use crate::ingest::hints::NOT_RECOGNISED;
use crate::ingest::validate::refuse_duplicates;
use crate::json::{ReadError, Slice, fields, items, optional, row_fields};
use crate::run::RunInspection;
use crate::run::error_text;
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, read_attempt};
use crate::text::{concat, quoted};
use crate::word::{Vocabulary, Word};

/// How many rows are looked at for one that tells what the list is of.
const LOOK_AT: usize = 32;

/// How many things are named one by one.
const MAX_NAMED: usize = 5;

/// What a document tells of a run beside its state.
pub(crate) struct Supplement {
    /// What joins the run. Without a run id it is of the only run that there is.
    pub(super) run: RunInspection,
    /// What attempts wait for.
    pub(super) waits: Vec<Wait>,
    /// What the document is.
    pub(super) name: Signal,
    /// What it says, as far as that is named.
    words: String,
    /// How many rows there are.
    count: usize,
    pub(super) read_from: String,
    /// What was asked, where the recording tells: the method, and the node.
    pub(super) question: Option<(String, Option<(String, u32)>)>,
}

/// What a row is of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Row {
    Attempt,
    Node,
    Approval,
    Frame,
    Task,
    Descendant,
}

/// The tables of a database that are read, as its dump names them.
const TABLES: [&str; 5] =
    ["_smithers_runs", "_smithers_nodes", "_smithers_attempts", "_smithers_approvals", "_smithers_frames"];

/// What an empty list is of, by the method that answers with it.
const LISTS: [(&str, Row); 7] = [
    ("approvals.list", Row::Approval),
    ("listApprovals", Row::Approval),
    ("attempts.list", Row::Attempt),
    ("frames.list", Row::Frame),
    ("listNodeStates", Row::Node),
    ("listRunDescendants", Row::Descendant),
    ("runs.descendants", Row::Descendant),
];

impl Collector {
    /// Takes in a document that tells something of a run beside its state. Whether it was one.
    pub(super) fn part(
        &mut self,
        body: Slice<'_>,
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<bool, DocumentError> {
        // Whoever else was asked: what looks so there is somebody else's.
        if asked.elsewhere {
            return Ok(false);
        }
        if body.is_array() {
            let rows = items(body)?.take(LOOK_AT).map_while(Result::ok);
            let kind = rows.filter(|row| row.is_object()).find_map(|row| kind(row).ok().flatten());
            let Some(kind) = kind else { return Ok(self.nothing(body, asked, context)) };
            self.parts(kind, body, asked, context)?;
            return Ok(true);
        }
        if !body.is_object() || self.tables(body, asked, context)? {
            return Ok(body.is_object());
        }
        if let Some(part) = object(body, asked)? {
            refuse_duplicates(body)?;
            self.tell_part(part, asked, context);
            return Ok(true);
        }
        let kind = kind(body)?;
        if let Some(kind) = kind {
            self.parts(kind, body, asked, context)?;
        }
        Ok(kind.is_some())
    }

    /// Rows of one kind, or one row: a part for each run.
    pub(super) fn parts(
        &mut self,
        kind: Row,
        rows: Slice<'_>,
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let mut places: BTreeMap<String, u64> = BTreeMap::new();
        let mut parts: Vec<Supplement> = Vec::new();
        let mut read = |row: Slice<'_>| read_row(kind, row, &mut parts, &mut places);
        if rows.is_array() {
            self.each_row(rows, context, &mut read)?;
        } else {
            read(rows)?;
        }
        for part in parts {
            self.tell_part(part, asked, context);
        }
        Ok(())
    }

    /// The answer of `listNodeStates` beside the rows themselves.
    pub(super) fn count_nodes(&mut self, count: usize, asked: &Asked, context: Context<'_>) {
        self.tell_part(Supplement { count, ..Supplement::new(Row::Node.signal()) }, asked, context);
    }

    /// A list of nothing: what it is of, the question tells.
    fn nothing(&mut self, body: Slice<'_>, asked: &Asked, context: Context<'_>) -> bool {
        let method = asked.method.as_deref().unwrap_or_default();
        let found = LISTS.iter().find(|(name, _)| *name == method);
        let found =
            found.filter(|_| asked.run_id.is_some() && items(body).is_ok_and(|mut of| of.next().is_none()));
        if let Some((_, kind)) = found {
            self.tell_part(Supplement::saying(kind.signal(), "none"), asked, context);
        }
        found.is_some()
    }

    fn tell_part(&mut self, mut part: Supplement, asked: &Asked, context: Context<'_>) {
        part.read_from = match (&asked.method, context.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => concat(&[part.name.as_str(), " in ", name]),
            (None, None) => part.name.to_string(),
        };
        part.question = asked.method.clone().map(|method| (method, asked.node.clone()));
        part.run.run_id = part.run.run_id.or_else(|| asked.run_id.clone());
        part.run.attempts.iter_mut().for_each(|attempt| attempt.read_at = context.at);
        self.tell(context.at, Statement::Supplement(Box::new(part)));
    }

    /// The dump of a database: each table is a list of rows. One run is the run in view.
    fn tables(
        &mut self,
        body: Slice<'_>,
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<bool, DocumentError> {
        // No row of a table is a dump: what nests so is nobody's, however deep.
        if self.in_dump {
            return Ok(false);
        }
        let tables = fields(body, TABLES)?;
        self.in_dump = true;
        let found = self.each_table(tables, asked, context);
        self.in_dump = false;
        found
    }

    /// Whether a table told something. A refusal is heard when all of them were read.
    fn each_table(
        &mut self,
        tables: [Option<Slice<'_>>; TABLES.len()],
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<bool, DocumentError> {
        let (mut found, mut refused) = (false, None);
        for table in tables.into_iter().flatten().filter(|table| table.is_array()) {
            let mut rows = items(table)?;
            let read = match (rows.next().transpose()?, rows.next()) {
                (None, _) => continue,
                (Some(row), None) => self.document(row, asked, context),
                (Some(_), Some(_)) => self.document(table, asked, context),
            };
            match read {
                Err(error) if error.code != NOT_RECOGNISED => refused = refused.or(Some(error)),
                read => found |= read.is_ok(),
            }
        }
        refused.map_or(Ok(found), Err)
    }
}

/// What a row is of, by its keys. Events have a type, and are none.
pub(super) fn kind(row: Slice<'_>) -> Result<Option<Row>, ReadError> {
    let names = ["nodeId", "state", "attempt", "requestedAtMs", "xmlJson", "ordinal", "depth", "type"];
    let columns = ["node_id", "", "", "requested_at_ms", "xml_json", "", "", ""];
    let [node, state, attempt, requested, xml, ordinal, depth, other] = row_fields(row, names, columns)?;
    let [run_id] = row_fields(row, ["runId"], ["run_id"])?;
    Ok(if other.is_some() {
        None
    } else if xml.is_some() {
        Some(Row::Frame)
    } else if node.and(attempt).and(state).is_some() {
        Some(Row::Attempt)
    } else if node.and(ordinal).is_some() {
        Some(Row::Task)
    } else if node.and(state).and(run_id).is_some() {
        Some(Row::Node)
    } else if node.and(requested).and(run_id).is_some() {
        Some(Row::Approval)
    } else {
        run_id.and(depth).map(|_| Row::Descendant)
    })
}

impl Supplement {
    fn new(name: Signal) -> Self {
        Self {
            run: RunInspection::default(),
            waits: Vec::new(),
            name,
            words: String::new(),
            count: 0,
            read_from: String::new(),
            question: None,
        }
    }

    fn saying(name: Signal, words: &str) -> Self {
        Self { words: words.to_owned(), count: 1, ..Self::new(name) }
    }

    /// Adds what a row says, if it says more than that it is there.
    fn add(&mut self, words: &str) {
        if self.count < MAX_NAMED && !words.is_empty() {
            self.words.push_str(if self.words.is_empty() { "" } else { "; " });
            self.words.push_str(words);
        }
        self.count += 1;
    }

    /// What all of it says.
    pub(super) fn told(&self) -> String {
        let count = self.count.to_string();
        match (self.count, &*self.words) {
            (_, "") => count,
            (1, words) => words.to_owned(),
            (_, words) => {
                let more = if self.count > MAX_NAMED { "; and more" } else { "" };
                concat(&[&count, " in all: ", words, more])
            }
        }
    }
}

impl Row {
    fn signal(self) -> Signal {
        match self {
            Self::Attempt => Signal::Attempts,
            Self::Node => Signal::Nodes,
            Self::Approval => Signal::Approvals,
            Self::Frame => Signal::Frames,
            Self::Task => Signal::PlannedTasks,
            Self::Descendant => Signal::RunHierarchy,
        }
    }
}

/// Reads a row into the part of its run.
fn read_row(
    kind: Row,
    row: Slice<'_>,
    parts: &mut Vec<Supplement>,
    places: &mut BTreeMap<String, u64>,
) -> Result<(), ReadError> {
    let [run_id] = row_fields(row, ["runId"], ["run_id"])?;
    let run_id = optional(run_id, Slice::read_text)?;
    let next = parts.len() as u64;
    let place = places.get(run_id.as_deref().unwrap_or_default()).copied().unwrap_or(next);
    if place < next {
        return of_row(kind, row, &mut parts[place as usize]);
    }
    let mut part = Supplement::new(kind.signal());
    of_row(kind, row, &mut part)?;
    places.insert(run_id.clone().unwrap_or_default(), next);
    part.run.run_id = run_id;
    parts.push(part);
    Ok(())
}

/// What one row tells.
fn of_row(kind: Row, row: Slice<'_>, part: &mut Supplement) -> Result<(), ReadError> {
    let run = &mut part.run;
    let words = match kind {
        Row::Attempt => {
            let words = attempt(row)?;
            let mut read = read_attempt(row)?;
            if let Some(reason) = awaits(row, &mut read)? {
                let (node_id, iteration) = (read.node_id.clone(), read.iteration);
                let waits = NodeStatus::bare(node_id.clone(), iteration, read.state.clone());
                run.nodes.push(NodeStatus { updated_at: read.started_at, ..waits });
                part.waits.push(Wait { node_id, iteration, reason });
            }
            run.attempts.push(read);
            words
        }
        Row::Node => {
            run.nodes.push(node(row)?);
            String::new()
        }
        Row::Approval => approval(row, run)?,
        Row::Frame => frame(row, run)?,
        Row::Task => node_id(row)?,
        Row::Descendant => {
            let [parent, depth] = fields(row, ["parentRunId", "depth"])?;
            run.parent_run_id = optional(parent, Slice::read_text)?;
            let parent = run.parent_run_id.as_deref().unwrap_or("none");
            concat(&["depth ", depth.map_or("", Slice::json), ", parent ", parent])
        }
    };
    part.add(&words);
    Ok(())
}

/// What an object tells that is no row of a table.
fn object(body: Slice<'_>, asked: &Asked) -> Result<Option<Supplement>, ReadError> {
    let names =
        ["runId", "frameNo", "xml", "tasks", "tag", "children", "summary", "source", "events", "timeline"];
    let [run_id, frame_no, xml, tasks, tag, children, summary, source, events, timeline] =
        fields(body, names)?;
    let run_id = optional(run_id, Slice::read_text)?;
    let mut part = if let (Some(xml), Some(tasks)) = (xml, tasks) {
        let words = concat(&[&items(tasks)?.count().to_string(), " planned tasks"]);
        let mut part = Supplement::saying(Signal::Graph, &words);
        part.run.frame_no = Some(body.need("frameNo", frame_no)?.read_number()?);
        part.run.tree = (xml.json() != "null").then(|| markup::tree(xml, Some(tasks))).transpose()?;
        part
    } else if tag.and(children).is_some() {
        let mut part = Supplement::saying(Signal::Markup, "the structure");
        part.run.tree = Some(markup::tree(body, None)?);
        part
    } else if let (Some(summary), Some(_), Some(_)) = (summary, source, &run_id) {
        Supplement::saying(Signal::WhatHappened, &quoted(&summary.read_text()?))
    } else if let (Some(events), Some(_)) = (events.filter(|events| events.is_array()), &run_id) {
        Supplement::saying(Signal::Events, &items(events)?.count().to_string())
    } else if let Some(timeline) = timeline.filter(|timeline| timeline.is_object()) {
        let [run_id, frames] = fields(timeline, ["runId", "frames"])?;
        let frames = items(timeline.need("frames", frames)?)?.count();
        let mut part = Supplement::saying(Signal::Timeline, &concat(&[&frames.to_string(), " frames"]));
        part.run.run_id = Some(timeline.need("runId", run_id)?.read_text()?);
        return Ok(Some(part));
    } else {
        return output(body, asked);
    };
    part.run.run_id = run_id;
    Ok(Some(part))
}

/// The answer of `getNodeOutput`. Which node it is of, the question tells.
fn output(body: Slice<'_>, asked: &Asked) -> Result<Option<Supplement>, ReadError> {
    let [status, row, schema, error] = fields(body, ["status", "row", "schema", "error"])?;
    let (Some(status), Some(_), Some(_)) = (status, row, schema) else { return Ok(None) };
    let status = status.read_text()?;
    let error = after_colon(error.and_then(|error| error_text(error.json())));
    let node = asked.node.as_ref();
    let named = node.map(|(node, iteration)| concat(&[node, ", iteration ", &iteration.to_string(), ", "]));
    let mut part =
        Supplement::saying(Signal::Output, &concat(&[&named.unwrap_or_default(), &status, &error]));
    if let Some((node, iteration)) = node.filter(|_| status == "failed") {
        part.run.nodes.push(NodeStatus::bare(node.clone(), *iteration, Word::Known(NodeState::Failed)));
    }
    Ok(Some(part))
}
