//! What one answer tells.

use super::{Asked, Collector, Context, RefusalProblem, Statement, supplement};
use crate::clock::Reading;
use crate::error_code::ErrorCode;
use crate::ingest::lionagi;
use crate::ingest::recognise::{Listed, Whose};
use crate::ingest::{DocumentError, newest, recognise};
use crate::json::{ReadError, Slice, fields, items};
use crate::lionagi::wire;
use crate::refusal::Refusal;
use crate::run::{Inspection, Recognised};
use crate::smithers::wire::read_node_state;
use crate::text;
use crate::text::concat;

impl Collector {
    /// Takes in a document: a recorded exchange, an answer in its envelope, or a bare payload.
    pub(crate) fn document(
        &mut self,
        slice: Slice<'_>,
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        self.documents += 1;
        let exchange = recorded_exchange(slice)?;
        let (slice, asked) = match &exchange {
            Some((body, asked)) => (*body, asked),
            None => (slice, asked),
        };
        if let Some((list, kind)) = rows_of(slice)? {
            return match kind {
                Rows::NodeStates => self.nodes(list, asked, context),
                Rows::Attempts => self.parts(supplement::Row::Attempt, list, asked, context),
                Rows::Events => Ok(self.events(list, asked.limit, context)?),
            };
        }
        let slice = recognise::runs_in_envelope(slice).unwrap_or(slice);
        if let Some(parts) = of_both(slice) {
            return self.each_part(&parts, asked, context);
        }
        let found = recognise::read_answer(slice, asked.method.as_deref(), context.name, context.clock());
        match found {
            Ok(found) if found.is_certain() => self.inspection(found, asked, context),
            // A row with a status is anybody's.
            Ok(_) | Err(_) if lionagi::kind(slice).is_some() => {
                return self.session(slice, asked, context);
            }
            Ok(found) => self.inspection(found, asked, context),
            Err(error) if error.code != ErrorCode::NotRecognised => return Err(error),
            Err(error) => {
                if !self.part(body_of(slice)?, asked, context)? {
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Lists that were one list, each for the reader of its system. One that cannot be read takes nothing from the others.
    fn each_part(
        &mut self,
        parts: &[String],
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let (mut any, mut refused) = (false, Vec::new());
        for text in parts {
            match self.document(Slice::of_text(text)?, asked, context) {
                Ok(()) => any = true,
                Err(error) => refused.push((error, text)),
            }
        }
        let mut refused = refused.into_iter();
        if !any && let Some((error, _)) = refused.next() {
            return Err(error);
        }
        for (error, text) in refused {
            self.refused(error, text, context);
        }
        Ok(())
    }

    fn nodes(&mut self, list: Slice<'_>, asked: &Asked, context: Context<'_>) -> Result<(), DocumentError> {
        let mut rows = Vec::new();
        self.each_row(list, context, &mut |row| {
            rows.push(read_node_state(row)?);
            Ok(())
        })?;
        let updated = rows.iter().filter_map(|row| row.updated_at);
        let at = context.at.or(updated.reduce(|a, b| if b > a { b } else { a }));
        if asked.run_id.is_some() {
            self.count_nodes(rows.len(), asked, context);
        }
        self.tell(at, Statement::Nodes { run_id: asked.run_id.clone(), rows });
        Ok(())
    }

    /// Reads the rows of a list. A broken one is named and passed over; where there is no other, the list is refused.
    pub(super) fn each_row<'a>(
        &mut self,
        list: Slice<'a>,
        context: Context<'_>,
        read: &mut dyn FnMut(Slice<'a>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let (mut any, mut first) = (false, None);
        for row in items(list)? {
            match read(row?) {
                Ok(()) => any = true,
                Err(error) => {
                    first = first.or(Some(error.clone()));
                    let message = concat(&[&error.message, " Row skipped."]);
                    self.unread(list.whole(), &ReadError { message, ..error }, context);
                }
            }
        }
        first.filter(|_| !any).map_or(Ok(()), Err)
    }

    fn session(
        &mut self,
        slice: Slice<'_>,
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let part = lionagi::kind(slice).map_or("session", wire::LionagiRecognised::part);
        let read_from = match (&asked.method, context.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => concat(&[part, " in ", name]),
            (None, None) => part.to_owned(),
        };
        let mut found = lionagi::read_document(slice, &read_from, context.clock().now)?;
        if found.refusal.is_some() && asked.elsewhere {
            return Ok(());
        }
        if context.cut {
            let untold = found.doubt(&read_from, context.clock().now);
            if let Some(status) = untold {
                let what = concat(&[
                    "The status is ",
                    &status,
                    ". Whether that holds may be behind the end of the text.",
                ]);
                self.note(context.problem("", None, &what));
            }
        }
        for problem in std::mem::take(&mut found.problems) {
            self.note(context.problem("", None, &problem));
        }
        if let Some(refusal) = &found.refusal {
            self.no(refusal, context);
        }
        self.sessions.push(found);
        Ok(())
    }

    /// Notes an answer that says no, for the case that there is more than this.
    fn no(&mut self, refusal: &Refusal, context: Context<'_>) {
        let Refusal { code, message, .. } = refusal;
        let end = if message.ends_with(['.', '!', '?']) { "" } else { "." };
        let said = concat(&["The server answered no, with ", code, ": ", message, end]);
        let problem = context.problem("", None, &said);
        self.refused.push(RefusalProblem { refusal: refusal.clone(), problem });
    }

    /// A stream of events about a session. The question names the session where the stream does not.
    pub(super) fn stream(
        &mut self,
        text: &str,
        asked: &Asked,
        context: Context<'_>,
    ) -> Result<(), DocumentError> {
        let read_from = match (&asked.method, context.name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => name.to_owned(),
            (None, None) => "stream of events".to_owned(),
        };
        let path = asked.method.as_deref().and_then(|method| method.split_once("/sessions/"));
        let session_id = path.and_then(|(_, rest)| rest.split('/').next()).map(str::to_owned);
        let mut found = lionagi::read_stream(text, &read_from, session_id, context.clock().now)?;
        for problem in std::mem::take(&mut found.problems) {
            self.note(context.problem("", None, &problem));
        }
        self.documents += 1;
        self.sessions.push(found);
        Ok(())
    }

    /// Takes in what a document turned out to be.
    fn inspection(&mut self, found: Inspection, asked: &Asked, context: Context<'_>) {
        let Inspection { recognised, mut run, runs, refusal, problems } = found;
        if let Some(run) = run.as_mut().filter(|_| context.cut) {
            // The blockers say what a run waits for, whatever its status says.
            newest::doubt(run, recognised == Recognised::WhyOutput);
        }
        for problem in problems {
            self.note(context.problem("", None, &problem));
        }
        if let Some(refusal) = refusal.filter(|_| !asked.elsewhere) {
            self.no(&refusal, context);
            self.tell(context.at, Statement::Refused(refusal));
        }
        if let Some(run) = run {
            // The command looks when it prints, whatever it derives.
            let printed = newest::printed(&run).filter(|_| recognised == Recognised::WhyOutput);
            let moment = newest::moment(&run).or(printed);
            let run = Box::new(run);
            let statement = match recognised {
                Recognised::Snapshot => Statement::Snapshot { run, old: asked.old_frame },
                Recognised::StatusOutput => Statement::Status(run),
                Recognised::RunState
                | Recognised::Run
                | Recognised::RunList
                | Recognised::InspectOutput
                | Recognised::WhyOutput
                | Recognised::ErrorResponse
                | Recognised::Gateway
                | Recognised::Answers
                | Recognised::Traffic
                | Recognised::Capture
                | Recognised::EventLog => Statement::Run(run),
            };
            self.tell(context.at.or(moment), statement);
        }
        if !runs.is_empty() {
            self.tell(context.at, Statement::Listed(runs));
        }
    }
}

impl Context<'_> {
    /// The moment for what is derived: when it was told, which the recording knows exactly, else that of reading.
    fn clock(self) -> Reading {
        self.at.map_or(self.clock, Reading::exact)
    }
}

/// The answer and the question of a recorded exchange.
fn recorded_exchange(slice: Slice<'_>) -> Result<Option<(Slice<'_>, Asked)>, DocumentError> {
    if !slice.is_object() {
        return Ok(None);
    }
    let [request, response] = fields(slice, ["request", "response"])?;
    let (Some(request), Some(response)) =
        (request.filter(|part| part.is_object()), response.filter(|part| part.is_object()))
    else {
        return Ok(None);
    };
    let [method, path, body] = fields(request, ["method", "path", "body"])?;
    let asked = Asked::of(method, path, body)?;
    let [answer] = fields(response, ["body"])?;
    Ok(Some((answer.ok_or_else(|| recognise::not_json(response))?, asked)))
}

impl Asked {
    /// What an HTTP request asks for: an RPC method in its body or path, else a path.
    pub(crate) fn of(
        method: Option<Slice<'_>>,
        path: Option<Slice<'_>>,
        body: Option<Slice<'_>>,
    ) -> Result<Self, ReadError> {
        let path = path.and_then(Slice::text).unwrap_or_default();
        let body = body.filter(|body| body.is_object());
        if let Some(body) = body {
            let asked = Self::call(body)?;
            if asked.method.is_some() {
                return Ok(asked);
            }
        }
        let verb = method.and_then(Slice::text);
        let (path, query) = path.split_once('?').unwrap_or((&path, ""));
        let node = path.split_once("/nodes/").and_then(|(_, rest)| rest.split('/').next());
        let limit = query.split('&').find_map(|part| part.strip_prefix("limit="));
        if let (Some((_, method)), Some(body)) = (path.split_once("/rpc/"), body) {
            return Ok(Self { method: Some(method.to_owned()), ..Self::params(Some(body))? });
        }
        let run_id = path.split_once("/runs/").and_then(|(_, rest)| rest.split('/').next());
        Ok(Self {
            method: verb.map(|verb| text::concat(&[&verb, " ", path])),
            run_id: run_id.map(str::to_owned),
            node: node.map(|node| (node.to_owned(), 0)),
            limit: limit.and_then(|limit| limit.parse().ok()),
            ..Self::default()
        })
    }

    /// What a request frame asks for.
    pub(super) fn call(body: Slice<'_>) -> Result<Self, ReadError> {
        let [method, params] = fields(body, ["method", "params"])?;
        Ok(Self { method: method.and_then(Slice::text), ..Self::params(params)? })
    }

    fn params(params: Option<Slice<'_>>) -> Result<Self, ReadError> {
        let Some(params) = params.filter(|params| params.is_object()) else { return Ok(Self::default()) };
        let [run_id, frame_no, node_id, iteration] =
            fields(params, ["runId", "frameNo", "nodeId", "iteration"])?;
        let old_frame = frame_no.and_then(Slice::number).is_some();
        let iteration = iteration.and_then(|iteration| iteration.read_small().ok());
        let node = node_id.and_then(Slice::text).map(|node_id| (node_id, iteration.unwrap_or(0)));
        Ok(Self { run_id: run_id.and_then(Slice::text), old_frame, node, ..Self::default() })
    }
}

/// What the rows of a list are, where they are no runs.
enum Rows {
    NodeStates,
    Attempts,
    Events,
}

/// How many rows are looked at for one that tells what the list is of.
const LOOK_AT: usize = 32;

/// A list of rows, alone or as an answer, and what the first one is that tells.
fn rows_of(slice: Slice<'_>) -> Result<Option<(Slice<'_>, Rows)>, ReadError> {
    let list = Some(body_of(slice)?);
    let Some(list) = list.filter(|list| list.is_array()) else { return Ok(None) };
    for item in items(list)?.take(LOOK_AT) {
        // A key that is there twice is for the reader of the row to name.
        let item = item?;
        let is = |kind: fn(Slice<'_>) -> Result<bool, ReadError>| kind(item).unwrap_or(false);
        if is(|row| Ok(supplement::kind(row)? == Some(supplement::Row::Attempt))) {
            return Ok(Some((list, Rows::Attempts)));
        }
        if is(is_node_state) {
            return Ok(Some((list, Rows::NodeStates)));
        }
        if is(super::log::is_events) {
            return Ok(Some((list, Rows::Events)));
        }
        if is(recognise::is_run) || lionagi::kind(item).is_some() {
            break;
        }
    }
    Ok(None)
}

/// The rows of lionagi in a list with runs of Smithers, and all others, as lists of their own.
fn of_both(slice: Slice<'_>) -> Option<[String; 2]> {
    let list = Listed::read(slice)?;
    let of_lionagi = |whose| whose == Some(Whose::Lionagi);
    let both = list.has(of_lionagi) && list.has(|whose| whose == Some(Whose::Smithers));
    both.then(|| [list.only(slice, of_lionagi), list.only(slice, |whose| whose != Some(Whose::Lionagi))])
}

/// What an answer says yes with; a document without an envelope is all of it.
fn body_of(slice: Slice<'_>) -> Result<Slice<'_>, ReadError> {
    if !slice.is_object() {
        return Ok(slice);
    }
    let [ok, payload, data] = fields(slice, ["ok", "payload", "data"])?;
    Ok(payload.or(data).filter(|_| ok.map(Slice::json) == Some("true")).unwrap_or(slice))
}

/// Whether this is a row of `listNodeStates`.
fn is_node_state(row: Slice<'_>) -> Result<bool, ReadError> {
    let [node_id, state, kind, run_id] = fields(row, ["nodeId", "state", "type", "runId"])?;
    Ok(node_id.and(state).is_some() && kind.or(run_id).is_none())
}

/// Whether a value is one that a Gateway's recording holds among others: it is passed over there.
pub(super) fn is_other(error: &DocumentError) -> bool {
    error.code == ErrorCode::NotRecognised
}
