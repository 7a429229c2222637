//! Reads one document: a response, a recorded exchange or a bare payload.

use super::{Collector, Context, RefusalProblem, Statement, members};
use crate::clock::Reading;
use crate::error_code::ErrorCode;
use crate::frame::Envelope;
use crate::ingest::hints::unread_list;
use crate::ingest::lionagi;
use crate::ingest::request::recorded_exchange;
use crate::ingest::rows::{RowNames, read_rows};
use crate::ingest::{DocumentError, smithers, truncated};
use crate::json::{ReadError, Slice, TypeMismatches, items};
use crate::kind::{self, ItemKind, Keys, MAX_EXAMINED_ROWS, MixedList, Row};
use crate::lionagi::wire;
use crate::problem::Problems;
use crate::refusal::Refusal;
use crate::run::newest;
use crate::run::{DocumentKind, Fact, Inspection};
use crate::smithers::wire::NodeStatus;
use crate::text::concat;

impl Collector {
    /// Reads a document: a recorded exchange, a response in its envelope, or a bare payload.
    pub(crate) fn read_document(
        &mut self,
        slice: Slice<'_>,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        self.read_answer(slice, context)?;
        self.documents += 1;
        Ok(())
    }

    /// Reads a document without counting it: a response on a socket is part of its recording. A field of another type counts
    /// as absent, and is a problem.
    pub(super) fn read_answer(
        &mut self,
        slice: Slice<'_>,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let lost = TypeMismatches::default();
        self.read_tolerantly(slice.tolerant(&lost), &lost, context)?;
        let problems = Problems::from_lost(lost, slice.whole());
        if let Some((_, of_answer)) = &mut self.answer {
            of_answer.append(problems.clone());
        }
        self.problems.append(problems.in_file(context.name, context.part));
        Ok(())
    }

    fn read_tolerantly(
        &mut self,
        slice: Slice<'_>,
        absent: &TypeMismatches,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let exchange = recorded_exchange(slice)?;
        let (slice, request) = match &exchange {
            Some((body, request)) => (*body, request),
            None => (slice, context.request),
        };
        let context = Context { request, ..context };
        if let Some((list, kind)) = list_rows(slice)? {
            return match kind {
                Rows::NodeStates => self.read_node_states(list, context),
                Rows::Attempts => self.read_supplement_rows(Row::Attempt, list, context),
                Rows::Events => Ok(self.read_events(list, context)?),
            };
        }
        let (slice, whole) = (kind::smithers_list_in_envelope(slice).unwrap_or(slice), slice);
        if let Some(parts) = split_mixed_list(slice) {
            return self.read_each(&parts, context);
        }
        let found = smithers::read_answer(slice, request, context.name, context.clock());
        match found {
            Ok(found)
                if found.is_certain() && !matches!(found.kind, DocumentKind::Run | DocumentKind::RunList) =>
            {
                self.add_inspection(found, context);
            }
            // Rows of several systems contain a status.
            Ok(ref found) if !found.is_certain() && kind::lionagi(slice).is_some() => {
                absent.clear();
                return self.read_session(slice, context);
            }
            Err(_) if kind::lionagi(slice).is_some() => {
                absent.clear();
                return self.read_session(slice, context);
            }
            Ok(found) => {
                let has_rows = matches!(found.kind, DocumentKind::Run | DocumentKind::RunList);
                self.add_inspection(found, context);
                if let Some(events) = members::events(whole).filter(|_| has_rows) {
                    self.read_events(events, context)?;
                }
            }
            Err(error) if error.code != ErrorCode::NotRecognised => return Err(error),
            Err(error) => {
                absent.clear();
                if self.read_supplement(Envelope::body_of(slice)?, context)? {
                    return Ok(());
                }
                self.read_members(slice, error, context)?;
            }
        }
        Ok(())
    }

    /// Reads the members of an object that are documents: other people's dashboards and bug reports put a run beside its events,
    /// under names of their own. Without such a member, or if none can be read, the object is refused with `error`, or with that
    /// of the first member. In recorded traffic, the objects of other servers are not searched.
    fn read_members(
        &mut self,
        slice: Slice<'_>,
        mut error: DocumentError,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        if context.request.other_server {
            return Err(error);
        }
        let (mut any, mut refused) = (false, Vec::new());
        for member in members::documents(slice) {
            match self.read_answer(member, context) {
                Ok(()) => any = true,
                Err(error) => refused.push(error),
            }
        }
        let mut refused = refused.into_iter();
        if !any {
            error = refused.next().unwrap_or(error);
            return Err(error);
        }
        let mut problems = Problems::default();
        for error in refused {
            problems.add(error.place(slice.whole()).problem());
        }
        for (key, begin) in members::other_lists(slice) {
            problems.add(unread_list(slice.whole(), &key, begin));
        }
        if let Some((_, of_answer)) = &mut self.answer {
            of_answer.append(problems.clone());
        }
        self.problems.append(problems.in_file(context.name, context.part));
        Ok(())
    }

    /// Reads each part of a mixed list with the reader of its system. An unreadable part does not affect the others.
    fn read_each(&mut self, parts: &[String], context: Context<'_>) -> Result<(), DocumentError> {
        let (mut any, mut refused) = (false, Vec::new());
        for text in parts {
            match self.read_document(Slice::from_text(text)?, context) {
                Ok(()) => any = true,
                Err(error) => refused.push((error, text)),
            }
        }
        let mut refused = refused.into_iter();
        if !any && let Some((error, _)) = refused.next() {
            return Err(error);
        }
        for (error, text) in refused {
            self.add_document_error(error, text, context);
        }
        Ok(())
    }

    fn read_node_states(&mut self, list: Slice<'_>, context: Context<'_>) -> Result<(), DocumentError> {
        let mut rows = Vec::new();
        self.each_row(list, context, &mut |row| {
            rows.push(row.read::<NodeStatus>()?);
            Ok(())
        })?;
        let updated = rows.iter().filter_map(|row| row.updated_at);
        let at = context.at.or(updated.reduce(|a, b| if b > a { b } else { a }));
        if context.request.run_id.is_some() {
            self.count_nodes(rows.len(), context);
        }
        self.add(
            at,
            match context.request.run_id.clone() {
                Some(run_id) => Statement::Fact { run_id, fact: Fact::Nodes(rows) },
                None => Statement::Nodes(rows),
            },
        );
        Ok(())
    }

    /// Reads the rows of a list. An unreadable row is reported and skipped; if all rows are unreadable, the error is
    /// returned.
    pub(super) fn each_row<'a>(
        &mut self,
        list: Slice<'a>,
        context: Context<'_>,
        read: &mut dyn FnMut(Slice<'a>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let names = RowNames { one: "Entry", many: "entries", limit: usize::MAX };
        let mut problems = Problems::default();
        let result = read_rows(list, names, &mut problems, |row, _| read(row))?;
        self.problems.append(problems.in_file(context.name, context.part));
        result.error_of_all()
    }

    fn read_session(&mut self, slice: Slice<'_>, context: Context<'_>) -> Result<(), DocumentError> {
        let part = kind::lionagi(slice).map_or("session", wire::LionagiDocumentKind::part);
        let read_from = context.request.read_from(context.name, part);
        let mut found = lionagi::read_document(slice, &read_from, context.clock().now)?;
        if found.refusal.is_some() && context.request.other_server {
            return Ok(());
        }
        if context.cut {
            let doubtful = found.clear_uncertain(&read_from, context.clock().now);
            if let Some(status) = doubtful {
                let what =
                    concat(&["The status is ", &status, ". The part that is missing may say otherwise."]);
                self.problems.add(context.problem(what));
            }
        }
        let problems = std::mem::take(&mut found.problems);
        self.problems.append(problems.in_file(context.name, context.part));
        if let Some(refusal) = &found.refusal {
            self.add_refusal(refusal, context);
        }
        self.sessions.push(found);
        Ok(())
    }

    /// Adds an error response, which is shown if no other content exists.
    fn add_refusal(&mut self, refusal: &Refusal, context: Context<'_>) {
        let Refusal { code, message, .. } = refusal;
        let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
        let said = concat(&["The server refused the request with ", code, ": ", message, end]);
        let problem = context.problem(said);
        self.refusals.push(RefusalProblem { refusal: refusal.clone(), problem });
    }

    /// Reads a stream of events about a session. If the stream does not name the session, the request does.
    pub(super) fn read_stream(&mut self, text: &str, context: Context<'_>) -> Result<(), DocumentError> {
        let read_from = match (&context.request.method, context.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => name.to_owned(),
            (None, None) => "stream of events".to_owned(),
        };
        let path = context.request.method.as_deref().and_then(|method| method.split_once("/sessions/"));
        let session_id = path.and_then(|(_, rest)| rest.split('/').next()).map(str::to_owned);
        let mut found = lionagi::read_stream(text, &read_from, session_id, context.clock().now)?;
        let problems = std::mem::take(&mut found.problems);
        self.problems.append(problems.in_file(context.name, context.part));
        self.documents += 1;
        self.sessions.push(found);
        Ok(())
    }

    /// Adds a recognised document.
    fn add_inspection(&mut self, found: Inspection, context: Context<'_>) {
        let Inspection { kind, mut run, runs, refusal, problems } = found;
        self.answer = Some((kind, problems.clone()));
        if let Some(run) = run.as_mut().filter(|_| context.cut) {
            // The blockers name the reason for which a run waits, whatever its status is.
            truncated::remove_unsure_state(run, kind == DocumentKind::WhyOutput);
        }
        self.problems.append(problems.in_file(context.name, context.part));
        if let Some(refusal) = refusal.filter(|_| !context.request.other_server) {
            self.add_refusal(&refusal, context);
            self.add(context.at, Statement::Refusal(refusal));
        }
        if let Some(run) = run {
            // The command reads the state at the time of printing, whatever it derives.
            let printed = newest::printed_at(&run).filter(|_| kind == DocumentKind::WhyOutput);
            let moment = newest::latest_time(&run).or(printed);
            let run_id = run.run_id.clone().unwrap_or_default();
            let run = Box::new(run);
            let fact = match kind {
                DocumentKind::Snapshot => Fact::Snapshot { run, old: context.request.past_frame },
                DocumentKind::StatusOutput => Fact::Status(run),
                DocumentKind::RunState
                | DocumentKind::Run
                | DocumentKind::RunList
                | DocumentKind::InspectOutput
                | DocumentKind::WhyOutput
                | DocumentKind::ErrorResponse
                | DocumentKind::Gateway
                | DocumentKind::Answers
                | DocumentKind::Traffic
                | DocumentKind::Capture
                | DocumentKind::EventLog => Fact::Answer(run),
            };
            self.add(context.at.or(moment), Statement::Fact { run_id, fact });
        }
        if !runs.is_empty() {
            self.add(context.at, Statement::Rows(runs));
        }
    }
}

impl Context<'_> {
    /// Returns the time for derived states: the exact time of the recording, else the time of reading.
    fn clock(self) -> Reading {
        self.at.map_or(self.clock, Reading::exact)
    }
}

/// The kind of a list's rows other than runs.
enum Rows {
    NodeStates,
    Attempts,
    Events,
}

/// Returns the list of rows other than runs, bare or in a response, and the kind of the rows.
fn list_rows(slice: Slice<'_>) -> Result<Option<(Slice<'_>, Rows)>, ReadError> {
    let list = Some(Envelope::body_of(slice)?);
    let Some(list) = list.filter(|list| list.is_array()) else { return Ok(None) };
    for item in items(list)?.take(MAX_EXAMINED_ROWS) {
        let Ok(keys) = Keys::read(item?) else { continue };
        if kind::row(&keys) == Some(Row::Attempt) {
            return Ok(Some((list, Rows::Attempts)));
        }
        if kind::is_node_state(&keys) {
            return Ok(Some((list, Rows::NodeStates)));
        }
        if kind::is_event(&keys) {
            return Ok(Some((list, Rows::Events)));
        }
        if kind::is_run(&keys) || kind::lionagi(keys.object()).is_some() {
            break;
        }
    }
    Ok(None)
}

/// Splits a list that contains runs of Smithers and rows of lionagi into the rows of lionagi and all other rows.
fn split_mixed_list(slice: Slice<'_>) -> Option<[String; 2]> {
    let list = MixedList::read(slice)?;
    let is_lionagi = |kind| kind == Some(ItemKind::Lionagi);
    let both = list.has(is_lionagi) && list.has(|kind| kind == Some(ItemKind::Smithers));
    both.then(|| [list.only(slice, is_lionagi), list.only(slice, |kind| kind != Some(ItemKind::Lionagi))])
}

/// Whether the error is that of an unrelated value in a Gateway's recording; such values are ignored.
pub(super) fn is_other(error: &DocumentError) -> bool {
    error.code == ErrorCode::NotRecognised
}
