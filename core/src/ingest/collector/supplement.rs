//! Reads documents with facts about a run other than its state: its approvals, attempts, frames, plan and outputs.
//!
//! A supplement adds facts that the answers about the run do not contain and overrules nothing. Without an answer, the
//! run's state is `unknown`, and the evidence names the documents that were read.

use std::collections::BTreeMap;

use super::rows::{approval, attempt, error_suffix, frame, node_id, read_wait};
use super::{Collector, Context, Statement, markup};
use crate::error_code::ErrorCode;
use crate::evidence::Signal;
use crate::ingest::DocumentError;
use crate::ingest::request::Request;
use crate::ingest::validate::refuse_duplicates;
use crate::json::{ReadError, Slice, decisive, fields, items, optional, row_fields};
use crate::kind::{self, Keys, MAX_EXAMINED_ROWS, Row};
use crate::run::error_text;
use crate::run::{Fact, Supplement, Wait};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{NodeState, read_attempt};
use crate::text::{concat, quoted};
use crate::word::{Vocabulary, Word};

/// The tables of a database dump that are read.
const TABLES: [&str; 5] =
    ["_smithers_runs", "_smithers_nodes", "_smithers_attempts", "_smithers_approvals", "_smithers_frames"];

/// The kind of an empty list, by its method.
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
    /// Reads a document that may be a supplement. Returns whether it is a supplement.
    pub(super) fn read_supplement(
        &mut self,
        body: Slice<'_>,
        context: Context<'_>,
    ) -> Result<bool, DocumentError> {
        // The responses of another server may look the same.
        if context.request.other_server {
            return Ok(false);
        }
        if body.is_array() {
            let rows = items(body)?.take(MAX_EXAMINED_ROWS).map_while(Result::ok);
            let kind = rows.filter_map(|row| Keys::read(row).ok()).find_map(|keys| kind::row(&keys));
            let Some(kind) = kind else { return Ok(self.read_empty_list(body, context)) };
            self.read_supplement_rows(kind, body, context)?;
            return Ok(true);
        }
        if !body.is_object() || self.read_dump(body, context)? {
            return Ok(body.is_object());
        }
        if let Some(supplement) = object(body, context.request)? {
            refuse_duplicates(body)?;
            self.add_supplement(supplement, context);
            return Ok(true);
        }
        let kind = kind::row(&Keys::read(body)?);
        if let Some(kind) = kind {
            self.read_supplement_rows(kind, body, context)?;
        }
        Ok(kind.is_some())
    }

    /// Reads rows of one kind, or a single row, into a supplement for each run.
    pub(super) fn read_supplement_rows(
        &mut self,
        kind: Row,
        rows: Slice<'_>,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let mut places: BTreeMap<String, u64> = BTreeMap::new();
        let mut supplements: Vec<Supplement> = Vec::new();
        let mut read = |row: Slice<'_>| read_row(kind, row, &mut supplements, &mut places);
        if rows.is_array() {
            self.each_row(rows, context, &mut read)?;
        } else {
            read(rows)?;
        }
        for supplement in supplements {
            self.add_supplement(supplement, context);
        }
        Ok(())
    }

    /// Adds the number of nodes of a `listNodeStates` response to the evidence.
    pub(super) fn count_nodes(&mut self, count: usize, context: Context<'_>) {
        self.add_supplement(Supplement::with_count(Row::Node.signal(), count), context);
    }

    /// Reads an empty list, whose kind follows from the request.
    fn read_empty_list(&mut self, body: Slice<'_>, context: Context<'_>) -> bool {
        let method = context.request.method.as_deref().unwrap_or_default();
        let found = LISTS.iter().find(|(name, _)| *name == method);
        let found = found.filter(|_| {
            context.request.run_id.is_some() && items(body).is_ok_and(|mut of| of.next().is_none())
        });
        if let Some((_, kind)) = found {
            let mut supplement = Supplement::with_words(kind.signal(), "none");
            supplement.run.lacks_request = *kind == Row::Approval;
            self.add_supplement(supplement, context);
        }
        found.is_some()
    }

    fn add_supplement(&mut self, mut supplement: Supplement, context: Context<'_>) {
        supplement.read_from = context.request.read_from(context.name, supplement.name.as_str());
        supplement.question =
            context.request.method.clone().map(|method| (method, context.request.node.clone()));
        supplement.run.run_id = supplement.run.run_id.or_else(|| context.request.run_id.clone());
        supplement.run.attempts.iter_mut().for_each(|attempt| attempt.read_at = context.at);
        let statement = match supplement.run.run_id.clone() {
            Some(run_id) => Statement::Fact { run_id, fact: Fact::Supplement(Box::new(supplement)) },
            None => Statement::Supplement(Box::new(supplement)),
        };
        self.add(context.at, statement);
    }

    /// Reads the dump of a database, in which each table is a list of rows. If the dump contains one run, that run is
    /// in view.
    fn read_dump(&mut self, body: Slice<'_>, context: Context<'_>) -> Result<bool, DocumentError> {
        // A row of a table is never a dump.
        if self.in_dump {
            return Ok(false);
        }
        let tables = fields(body, TABLES)?;
        self.in_dump = true;
        let found = self.read_tables(tables, context);
        self.in_dump = false;
        found
    }

    /// Reads all tables and returns whether any was recognised; the first error is returned afterwards.
    fn read_tables(
        &mut self,
        tables: [Option<Slice<'_>>; TABLES.len()],
        context: Context<'_>,
    ) -> Result<bool, DocumentError> {
        let (mut found, mut refused) = (false, None);
        for table in tables.into_iter().flatten().filter(|table| table.is_array()) {
            let mut rows = items(table)?;
            let read = match (rows.next().transpose()?, rows.next()) {
                (None, _) => continue,
                (Some(row), None) => self.read_document(row, context),
                (Some(_), Some(_)) => self.read_document(table, context),
            };
            match read {
                Err(error) if error.code != ErrorCode::NotRecognised => refused = refused.or(Some(error)),
                read => found |= read.is_ok(),
            }
        }
        refused.map_or(Ok(found), Err)
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

/// Reads a row into the supplement of its run.
fn read_row(
    kind: Row,
    row: Slice<'_>,
    supplements: &mut Vec<Supplement>,
    places: &mut BTreeMap<String, u64>,
) -> Result<(), ReadError> {
    let [run_id] = row_fields(row, ["runId"], ["run_id"])?;
    let run_id = decisive(run_id, Slice::read_text)?;
    let next = supplements.len() as u64;
    let place = places.get(run_id.as_deref().unwrap_or_default()).copied().unwrap_or(next);
    if place < next {
        return add_row(kind, row, &mut supplements[place as usize]);
    }
    let mut supplement = Supplement::new(kind.signal());
    add_row(kind, row, &mut supplement)?;
    places.insert(run_id.clone().unwrap_or_default(), next);
    supplement.run.run_id = run_id;
    supplements.push(supplement);
    Ok(())
}

/// Adds one row.
fn add_row(kind: Row, row: Slice<'_>, supplement: &mut Supplement) -> Result<(), ReadError> {
    let run = &mut supplement.run;
    let words = match kind {
        Row::Attempt => {
            let words = attempt(row)?;
            let mut read = read_attempt(row)?;
            if let Some(reason) = read_wait(row, &mut read)? {
                let (node_id, iteration) = (read.node_id.clone(), read.iteration);
                let waits = NodeStatus::from_state(node_id.clone(), iteration, read.state.clone());
                run.nodes.push(NodeStatus { updated_at: read.started_at, ..waits });
                supplement.waits.push(Wait { node_id, iteration, reason });
            }
            run.attempts.push(read);
            words
        }
        Row::Node => {
            run.nodes.push(row.read()?);
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
    supplement.add(&words);
    Ok(())
}

/// Reads an object that is not a row of a table.
fn object(body: Slice<'_>, request: &Request) -> Result<Option<Supplement>, ReadError> {
    let names =
        ["runId", "frameNo", "xml", "tasks", "tag", "children", "summary", "source", "events", "timeline"];
    let [run_id, frame_no, xml, tasks, tag, children, summary, source, events, timeline] =
        fields(body, names)?;
    let run_id = decisive(run_id, Slice::read_text)?;
    let mut supplement = if let (Some(xml), Some(tasks)) = (xml, tasks) {
        let words = concat(&[&items(tasks)?.count().to_string(), " planned tasks"]);
        let mut supplement = Supplement::with_words(Signal::Graph, &words);
        supplement.run.frame_no = Some(body.need("frameNo", frame_no)?.read_number()?);
        supplement.run.tree = (xml.json() != "null").then(|| markup::tree(xml, Some(tasks))).transpose()?;
        supplement
    } else if tag.and(children).is_some() {
        let mut supplement = Supplement::with_words(Signal::Markup, "the structure");
        supplement.run.tree = Some(markup::tree(body, None)?);
        supplement
    } else if let (Some(summary), Some(_), Some(_)) = (summary, source, &run_id) {
        Supplement::with_words(Signal::WhatHappened, &quoted(&summary.read_text()?))
    } else if let (Some(events), Some(_)) = (events.filter(|events| events.is_array()), &run_id) {
        Supplement::with_words(Signal::Events, &items(events)?.count().to_string())
    } else if let Some(timeline) = timeline.filter(|timeline| timeline.is_object()) {
        let [run_id, frames] = fields(timeline, ["runId", "frames"])?;
        let frames = items(timeline.need("frames", frames)?)?.count();
        let mut supplement =
            Supplement::with_words(Signal::Timeline, &concat(&[&frames.to_string(), " frames"]));
        supplement.run.run_id = Some(timeline.need("runId", run_id)?.read_text()?);
        return Ok(Some(supplement));
    } else {
        return output(body, request);
    };
    supplement.run.run_id = run_id;
    Ok(Some(supplement))
}

/// Reads the response of `getNodeOutput`; the request names the node.
fn output(body: Slice<'_>, request: &Request) -> Result<Option<Supplement>, ReadError> {
    let [status, row, schema, error] = fields(body, ["status", "row", "schema", "error"])?;
    let (Some(status), Some(_), Some(_)) = (status, row, schema) else { return Ok(None) };
    let status = status.read_text()?;
    let error = error_suffix(error.and_then(|error| error_text(error.json())));
    let node = request.node.as_ref();
    let named = node.map(|(node, iteration)| concat(&[node, ", iteration ", &iteration.to_string(), ", "]));
    let mut supplement =
        Supplement::with_words(Signal::Output, &concat(&[&named.unwrap_or_default(), &status, &error]));
    if let Some((node, iteration)) = node.filter(|_| status == "failed") {
        supplement.run.nodes.push(NodeStatus::from_state(
            node.clone(),
            *iteration,
            Word::Known(NodeState::Failed),
        ));
    }
    Ok(Some(supplement))
}
