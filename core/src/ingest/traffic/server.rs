//! Holds the knowledge about one server that a page uses: a Gateway or Studio.

use crate::problem::Problems;
use std::borrow::Cow;
use std::collections::BTreeSet;

use super::exchange::Exchange;
use super::sender::Sender;
use super::studio::Answers;
use crate::frame::Envelope;
use crate::ingest::collector::{Channel, LiveRuns};
use crate::ingest::document_run::session_row;
use crate::ingest::request::Request;
use crate::ingest::unpack::Piece;
use crate::ingest::{Document, ListRow};
use crate::json::Slice;
use crate::log::EventFeed;
use crate::refusal::{Cause, Refusal};
use crate::run::RunInspection;
use crate::text::json;
use crate::time::Millis;

/// The change of the estimate of a server's clock, in milliseconds, from which on the times of all its rows are others.
const CLOCK_STEP_MS: f64 = 1_000.0;

/// A server that a page uses.
pub(crate) struct Server {
    sender: Sender,
    data: ServerData,
    answers: Answers,
    /// The number of answers.
    count: u64,
    last_answer: Option<Millis>,
    /// The Gateway's refusal in its last answer to a request of the page.
    refusal: Option<Refusal>,
    /// The runs that the Gateway did not have when the page last requested them.
    missing_runs: BTreeSet<String>,
    /// The revision of the traffic in which rows were last added, removed or moved, or all of them changed.
    moved_in: u64,
    /// The number of runs and the clock at that time.
    listed: (usize, Millis),
}

/// The known data of a server, by its system.
enum ServerData {
    Gateway(Box<LiveRuns>),
    Studio { document: Option<Box<Document>>, is_new: bool },
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("sender", &self.sender).finish_non_exhaustive()
    }
}

impl Server {
    pub(super) fn gateway(sender: Sender) -> Self {
        Self::new(sender, ServerData::Gateway(Box::default()))
    }

    pub(super) fn studio(sender: Sender) -> Self {
        Self::new(sender, ServerData::Studio { document: None, is_new: false })
    }

    fn new(sender: Sender, data: ServerData) -> Self {
        let missing_runs = BTreeSet::new();
        Self {
            sender,
            data,
            answers: Answers::default(),
            count: 0,
            last_answer: None,
            refusal: None,
            missing_runs,
            moved_in: 0,
            listed: (0, Millis(0.0)),
        }
    }

    /// Returns the sender of the answers.
    pub(crate) fn sender(&self) -> &Sender {
        &self.sender
    }

    /// Whether the server is a Gateway of Smithers.
    pub(crate) fn is_gateway(&self) -> bool {
        matches!(self.data, ServerData::Gateway(_))
    }

    pub(super) fn answer(&mut self, exchange: Exchange) {
        self.count += 1;
        self.last_answer = Some(exchange.at);
        match &mut self.data {
            ServerData::Gateway(runs) => {
                let piece = piece(&exchange);
                let result = result(&exchange.body);
                let request = piece.request.clone();
                runs.answer(piece, exchange.started, exchange.at);
                if let Some(result) = &result {
                    note_missing_run(&mut self.missing_runs, runs, &request, result);
                }
                self.refusal = result.and_then(Result::err);
            }
            ServerData::Studio { is_new, .. } => *is_new = true,
        }
        self.answers.keep(exchange);
    }

    /// Reads the text of an event stream that has arrived so far. A Gateway's stream only reports that something
    /// changed.
    pub(super) fn stream(&mut self, exchange: Exchange) {
        if let ServerData::Studio { is_new, .. } = &mut self.data {
            self.answers.keep(exchange);
            *is_new = true;
        }
    }

    /// Reads a frame of a socket. Before the server is known, only the requests in the frames are kept.
    pub(super) fn frame(
        server: Option<&mut Self>,
        channel: &mut Channel,
        text: &str,
        sent: bool,
        at: Millis,
    ) {
        let Some(server) = server else { return LiveRuns::default().frame(channel, text, sent, at) };
        match &mut server.data {
            ServerData::Gateway(runs) => {
                if let Some(result) = result(text).filter(|_| !sent) {
                    if let Some(request) = channel.request_of(text) {
                        note_missing_run(&mut server.missing_runs, runs, request, &result);
                    }
                    server.refusal = result.err();
                }
                runs.frame(channel, text, sent, at);
            }
            ServerData::Studio { .. } => {}
        }
    }

    /// Whether Studio's answers are about sessions.
    pub(super) fn has_sessions(&mut self) -> bool {
        self.settle(0);
        matches!(&self.data, ServerData::Studio { document: Some(_), .. })
    }

    /// Finishes the runs with new statements, in a revision of the traffic.
    pub(super) fn settle(&mut self, revision: u64) {
        match &mut self.data {
            ServerData::Gateway(runs) => {
                runs.finish(revision);
                let (len, clock) = (runs.len(), runs.clock().now(Millis(0.0)));
                let (known_len, known_clock) = self.listed;
                if len != known_len || clock.since(known_clock).abs() >= CLOCK_STEP_MS {
                    (self.moved_in, self.listed) = (revision, (len, clock));
                }
            }
            ServerData::Studio { document, is_new } => {
                if std::mem::take(is_new) {
                    *document = self.answers.read().map(Box::new);
                    self.moved_in = revision;
                }
            }
        }
    }

    /// Returns the indexes of the rows that changed after a revision; `None` if any were added, removed or moved, or if
    /// all of them changed.
    pub(super) fn rows_changed_after(&self, revision: u64) -> Option<Vec<usize>> {
        if self.moved_in > revision {
            return None;
        }
        match &self.data {
            ServerData::Gateway(runs) => Some(runs.finished_after(revision).collect()),
            ServerData::Studio { .. } => Some(Vec::new()),
        }
    }

    pub(super) fn answers(&self) -> &Answers {
        &self.answers
    }

    /// Returns the number of known runs of the server.
    pub(crate) fn len(&self) -> usize {
        match &self.data {
            ServerData::Gateway(runs) => runs.len(),
            ServerData::Studio { document, .. } => document.as_ref().map_or(0, |document| rows_of(document)),
        }
    }

    /// Returns a run of a Gateway.
    pub(crate) fn run(&self, place: usize) -> Option<&RunInspection> {
        match &self.data {
            ServerData::Gateway(runs) => runs.run(place),
            ServerData::Studio { .. } => None,
        }
    }

    /// Returns the events that the page's sockets have received from a Gateway.
    pub(crate) fn received(&self) -> Option<&EventFeed> {
        match &self.data {
            ServerData::Gateway(runs) => Some(runs.received()),
            ServerData::Studio { .. } => None,
        }
    }

    /// Returns Studio's answers as one document.
    pub(crate) fn document(&self) -> Option<&Document> {
        match &self.data {
            ServerData::Gateway(_) => None,
            ServerData::Studio { document, .. } => document.as_deref(),
        }
    }

    /// Returns the rows of the runs in the order of their indexes.
    pub(crate) fn rows(&self) -> Vec<ListRow> {
        match &self.data {
            ServerData::Gateway(runs) => {
                (0..runs.len()).filter_map(|place| runs.run(place)).map(ListRow::from_run).collect()
            }
            ServerData::Studio { document: None, .. } => Vec::new(),
            ServerData::Studio { document: Some(document), .. } => {
                let rows = document.rows();
                if rows.is_empty() { session_in_view(document).into_iter().collect() } else { rows }
            }
        }
    }

    /// Returns the index of a run.
    pub(crate) fn find(&self, run_id: &str) -> Option<usize> {
        match &self.data {
            ServerData::Gateway(runs) => runs.find(run_id),
            ServerData::Studio { .. } => self.rows().iter().position(|row| row.id == run_id),
        }
    }

    /// Returns the times of the last statements about the run and about its state, by the server's clock, and the
    /// channel that delivered its events.
    pub(crate) fn times(&self, place: usize) -> (Option<Millis>, Option<Millis>, Option<usize>) {
        match &self.data {
            ServerData::Gateway(runs) => runs.times(place),
            ServerData::Studio { .. } => (self.answers.last(), self.answers.last(), None),
        }
    }

    /// Returns the time of the last statement about all nodes of the run, by the server's clock.
    pub(crate) fn nodes_at(&self, place: usize) -> Option<Millis> {
        match &self.data {
            ServerData::Gateway(runs) => runs.nodes_at(place),
            ServerData::Studio { .. } => None,
        }
    }

    /// Whether the Gateway no longer had the run when the page last requested it.
    pub(crate) fn lacks(&self, place: usize) -> bool {
        let run_id = self.run(place).and_then(|run| run.run_id.as_ref());
        run_id.is_some_and(|run_id| self.missing_runs.contains(run_id))
    }

    /// Returns the server's time at a time of the viewer's clock.
    pub(crate) fn now(&self, local: Millis) -> Millis {
        match &self.data {
            ServerData::Gateway(runs) => runs.clock().now(local),
            ServerData::Studio { .. } => local,
        }
    }

    /// Returns the Gateway's refusal in its last answer to a request of the page; `None` if it did not refuse the
    /// request.
    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// Returns the number of answers and the time of the last one.
    pub(crate) fn last_answer(&self) -> (u64, Option<Millis>) {
        (self.count, self.last_answer)
    }

    /// Returns the problems of unreadable content.
    pub(crate) fn problems(&self) -> Option<&Problems> {
        match &self.data {
            ServerData::Gateway(runs) => Some(runs.problems()),
            ServerData::Studio { document, .. } => document.as_ref().map(|document| document.problems()),
        }
    }
}

/// Notes whether the Gateway has the run that was requested.
fn note_missing_run(
    missing: &mut BTreeSet<String>,
    runs: &mut LiveRuns,
    request: &Request,
    result: &Result<(), Refusal>,
) {
    let (Some("getRun" | "runs.get"), Some(run_id)) = (request.method.as_deref(), &request.run_id) else {
        return;
    };
    match result {
        Ok(()) => {
            missing.remove(run_id);
        }
        Err(refusal) if refusal.cause() == Cause::Run => {
            missing.insert(run_id.clone());
            runs.renew(run_id);
        }
        // Access was refused, or the server failed: this says nothing about the run.
        Err(_) => {}
    }
}

fn rows_of(document: &Document) -> usize {
    if document.has_run() { 1 } else { document.row_count() }
}

/// Returns the only session that all answers are about.
fn session_in_view(document: &Document) -> Option<ListRow> {
    let session = document.lionagi()?.session.as_ref()?;
    Some(ListRow { state: session.row.status.label().map(str::to_owned), ..session_row(session) })
}

/// Returns whether an answer of a Gateway refuses its request; `None` for a text that is not an answer.
fn result(text: &str) -> Option<Result<(), Refusal>> {
    let envelope = Envelope::read(Slice::from_text(text).ok()?).ok()?;
    envelope.is_ok()?;
    Some(envelope.error.and_then(|_| envelope.refusal(None)).map_or(Ok(()), Err))
}

fn piece(exchange: &Exchange) -> Piece<'_> {
    let Exchange { url, method, request, body, .. } = exchange;
    let path = url.split_once("://").map_or(&**url, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
    let (method, path) = (json(method), json(path));
    let question = request.as_deref().and_then(|request| Slice::from_text(request).ok());
    let request =
        Request::read_http(Some(Slice::new(&method)), Some(Slice::new(&path)), question).unwrap_or_default();
    Piece { request, traffic: true, ..Piece::new(Cow::Borrowed(body.as_bytes())) }
}
