//! Collects what documents say about runs, then joins the statements about each run in order of time.

mod run_builder;
mod supplement;

mod answer;
mod event;
mod gateway_events;
mod join;
mod lines;
mod log;
mod markup;
mod rows;
mod socket;
mod text;

use crate::json;
use crate::run::lionagi::LionagiInspection;
pub(crate) use join::{Channel, LiveRuns};
pub(crate) use lines::{begins_a_list, has_values};
use socket::Socket;
pub(super) use text::is_stream;

use super::DocumentError;
use crate::clock::Reading;
use crate::json::{Position, ReadError, Slice, locate};
use crate::log::EventLog;
use crate::refusal::Refusal;
use crate::run::RunInspection;
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{Boundary, NodeState};
use crate::text::{concat, join, quoted};
use crate::time::Millis;
use crate::tree::Delta;
use crate::word::Word;

/// Maximum number of problems that are listed; further ones are counted.
const MAX_PROBLEMS: usize = 20;

/// An error response of the server, and its text in the list of problems.
pub(super) struct RefusalProblem {
    pub(super) refusal: Refusal,
    pub(super) problem: String,
}

/// What one document, frame or event says.
pub(super) enum Statement {
    /// The response to a request for one run: its row, its view, or the output of `smithers inspect`.
    Run(Box<RunInspection>),
    /// The output of `smithers status`: the run with a few of its nodes.
    Status(Box<RunInspection>),
    /// Rows of a list, which weigh less than a response about the run itself.
    Rows(Vec<RunInspection>),
    /// A snapshot; `old` where a frame was requested by its number.
    Snapshot { run: Box<RunInspection>, old: bool },
    /// A change of the previous snapshot.
    Delta { run_id: String, delta: Delta },
    /// The response of `listNodeStates`; only its request names the run.
    Nodes { run_id: Option<String>, rows: Vec<NodeStatus> },
    /// Facts about a run other than its state.
    Supplement(Box<supplement::Supplement>),
    /// Time travel past side effects outside the run.
    Boundary { run_id: String, boundary: Boundary },
    /// An event about one node.
    Node { run_id: String, node: NodeEvent },
    /// The run by its event log; `from_nodes` where its state only follows from events of nodes.
    Log { run: Box<RunInspection>, from_nodes: bool },
    /// `run.completed`.
    End { run_id: String, status: String, read_from: String },
    /// Time travel, a retry or a resume: earlier statements about the run's state no longer hold.
    Rewind { run_id: String },
    /// An error response.
    Refusal(Refusal),
}

/// An event about one node. Most carry neither iteration nor attempt (protocol section 3.5).
pub(super) struct NodeEvent {
    node_id: String,
    iteration: Option<u32>,
    state: Word<NodeState>,
    attempt: Option<u32>,
    /// The attempt failed and will be retried.
    retrying: bool,
    /// The event's name, and where it was read.
    event: String,
    read_from: String,
}

struct TimedStatement {
    when: StatementTime,
    statement: Statement,
}

/// The time of a statement, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct StatementTime {
    at: Option<Millis>,
    /// The number of its piece, from 1. Within a piece the order decides what is newer; between pieces only times do.
    piece: usize,
}

/// All statements, and the problems of what could not be read.
#[derive(Default)]
pub(super) struct Collector {
    statements: Vec<TimedStatement>,
    /// The number of pieces read so far.
    pieces: usize,
    problems: Vec<String>,
    more_problems: usize,
    /// Documents of lionagi.
    pub(super) sessions: Vec<LionagiInspection>,
    /// Event logs, and the pieces that they are joined from.
    pub(super) logs: Vec<EventLog>,
    log_pieces: Vec<log::Piece>,
    /// The number of log pieces.
    log_count: usize,
    /// Error responses, listed as problems where other documents can be shown.
    pub(super) refusals: Vec<RefusalProblem>,
    /// The number of documents, without recorded frames.
    pub(super) documents: usize,
    /// Whether the tables of a database are being read.
    in_dump: bool,
    /// Whether frames of a socket were read.
    has_frames: bool,
    /// Whether a HAR file was read.
    pub(super) has_traffic: bool,
}

/// The request of a recorded response, as far as the recording has it.
#[derive(Clone, Default)]
pub(crate) struct Request {
    /// The RPC method, else the HTTP method and path.
    pub(crate) method: Option<String>,
    /// The requested run.
    pub(crate) run_id: Option<String>,
    /// The requested node and its iteration.
    pub(crate) node: Option<(String, u32)>,
    /// Whether a frame was requested by its number.
    pub(crate) past_frame: bool,
    /// The maximum number of requested items.
    pub(crate) limit: Option<u32>,
    /// Whether the server is neither a Gateway nor Studio: its errors are ignored.
    pub(crate) other_server: bool,
}

/// The origin of a value.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The file's name.
    pub(super) name: Option<&'a str>,
    /// The part of the file, where a position in the file does not identify it.
    pub(super) part: Option<&'a str>,
    /// The time of the recording, where it has one.
    pub(super) at: Option<Millis>,
    /// The time of reading with its error.
    pub(super) clock: Reading,
    /// Whether the text is truncated: a missing field may have followed.
    pub(super) cut: bool,
}

impl Context<'_> {
    /// The same origin at another time.
    pub(super) fn at(self, at: Option<Millis>) -> Self {
        Self { at, ..self }
    }

    /// The text of a problem, with its file and position.
    fn problem(self, whole: &str, offset: Option<usize>, message: &str) -> String {
        let place = offset.map(|offset| locate(whole, offset).to_string());
        with_place(&[self.name, self.part, place.as_deref()], message)
    }
}

/// Prefixes a message with its file, part, line and column, as far as they are known.
pub(super) fn with_place(parts: &[Option<&str>], message: &str) -> String {
    let known: Vec<&str> = parts.iter().copied().flatten().collect();
    let mut text = join(&known, ", ");
    if parts.first().is_none_or(Option::is_none)
        && let Some(first) = text.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    let separator = if text.is_empty() { "" } else { ": " };
    concat(&[&text, separator, message])
}

/// The text of an error of one document among others.
pub(super) fn document_problem(error: &DocumentError, name: Option<&str>, part: Option<&str>) -> String {
    let position = error.position.as_ref().map(Position::to_string);
    with_place(&[name, part, position.as_deref()], &error.message)
}

impl Collector {
    /// Adds a statement.
    pub(super) fn add(&mut self, at: Option<Millis>, statement: Statement) {
        self.statements.push(TimedStatement { when: StatementTime { at, piece: self.pieces }, statement });
    }

    /// The number of statements, sessions and log pieces.
    pub(super) fn count(&self) -> usize {
        self.statements.len() + self.sessions.len() + self.log_count
    }

    /// Adds a problem.
    pub(super) fn add_problem(&mut self, problem: String) {
        if !self.count_if_full() {
            self.problems.push(problem);
        }
    }

    /// Whether the list of problems is full; this problem is counted then. Checked first, as finding a position reads the whole text.
    fn count_if_full(&mut self) -> bool {
        let full = self.problems.len() >= MAX_PROBLEMS;
        self.more_problems += usize::from(full);
        full
    }

    /// Adds a problem at the position of a value.
    fn add_problem_at(&mut self, slice: Slice<'_>, message: &str, context: Context<'_>) {
        if !self.count_if_full() {
            self.problems.push(context.problem(slice.whole(), Some(slice.begin()), message));
        }
    }

    /// Adds a value that could not be read.
    fn add_read_error(&mut self, whole: &str, error: &ReadError, context: Context<'_>) {
        if !self.count_if_full() {
            self.problems.push(context.problem(whole, Some(error.offset), &error.message));
        }
    }

    /// Adds a document that could not be read.
    fn add_document_error(&mut self, error: DocumentError, whole: &str, context: Context<'_>) {
        if !self.count_if_full() {
            self.problems.push(document_problem(&error.place(whole), context.name, context.part));
        }
    }

    /// Returns the problems; the last one counts those that are not listed.
    pub(super) fn take_problems(&mut self) -> Vec<String> {
        let mut problems = std::mem::take(&mut self.problems);
        if self.more_problems > 0 {
            problems.push(format!("{} more problems.", self.more_problems));
        }
        problems
    }
}

/// A word in quotes, shortened.
fn quoted_word(word: &str) -> String {
    quoted(json::cut(word))
}
