//! Collects statements about runs from documents, then joins the statements about each run in chronological order.

mod supplement;

mod answer;
mod event;
mod framed;
mod join;
mod lines;
mod log;
mod log_runs;
mod markup;
mod members;
mod replay;
mod rows;
mod socket;
mod text;

use crate::json;
use crate::problem::{Problem, Problems};
use crate::run::lionagi::LionagiInspection;
pub(crate) use join::{Channel, LiveRuns};
pub(crate) use log_runs::LogRuns;
use socket::Socket;
pub(crate) use text::is_stream;

use super::DocumentError;
use super::request::Request;
use crate::clock::Reading;
use crate::json::{ReadError, Slice};
use crate::log::EventLog;
use crate::refusal::Refusal;
use crate::run::newest::StatementTime;
use crate::run::{DocumentKind, Fact, RunInspection, Supplement};
use crate::smithers::wire::NodeStatus;
use crate::text::quoted;
use crate::time::Millis;

/// An error response of the server, and its text in the list of problems.
pub(super) struct RefusalProblem {
    pub(super) refusal: Refusal,
    pub(super) problem: Problem,
}

/// A statement of one document, frame or event.
pub(super) enum Statement {
    /// About one run.
    Fact { run_id: String, fact: Fact },
    /// Rows of a list of runs.
    Rows(Vec<RunInspection>),
    /// A response of `listNodeStates` to a request that does not name the run.
    Nodes(Vec<NodeStatus>),
    /// A supplement that does not name its run.
    Supplement(Box<Supplement>),
    /// An error response.
    Refusal(Refusal),
}

struct TimedStatement {
    time: StatementTime,
    /// The time by which it is sorted.
    order: f64,
    statement: Statement,
}

/// All statements, and the problems of unreadable content.
#[derive(Default)]
pub(super) struct Collector {
    statements: Vec<TimedStatement>,
    /// The number of pieces read so far.
    pieces: usize,
    problems: Problems,
    /// Documents of lionagi.
    pub(super) sessions: Vec<LionagiInspection>,
    /// The event logs, each joined from its pieces.
    pub(super) logs: Vec<EventLog>,
    log_pieces: Vec<log::Piece>,
    /// The runs of the logs, if nothing else is known about them.
    pub(super) log_runs: LogRuns,
    /// The number of log pieces.
    log_count: usize,
    /// Error responses, which are listed as problems if other documents can be shown.
    pub(super) refusals: Vec<RefusalProblem>,
    /// The number of documents that were read, not counting recorded frames.
    pub(super) documents: usize,
    /// The kind and the problems of the last answer about runs; `None` if its text was damaged or has several
    /// values.
    answer: Option<(DocumentKind, Problems)>,
    /// Whether the tables of a database are being read.
    in_dump: bool,
    /// Whether frames of a socket were read.
    has_frames: bool,
    /// Whether a HAR file was read.
    pub(super) has_traffic: bool,
}

/// The origin of a value.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The request to which the text is the response, as far as it is known.
    pub(super) request: &'a Request,
    /// The file's name.
    pub(super) name: Option<&'a str>,
    /// The part of the file, if a position in the file does not identify it.
    pub(super) part: Option<&'a str>,
    /// The time of the recording, if it has one.
    pub(super) at: Option<Millis>,
    /// The time of reading and its error.
    pub(super) clock: Reading,
    /// Whether the text is truncated, so that a missing field may have followed.
    pub(super) cut: bool,
}

impl Context<'_> {
    /// Returns the same origin at another time.
    pub(super) fn at(self, at: Option<Millis>) -> Self {
        Self { at, ..self }
    }

    /// Makes a problem of this origin.
    fn problem(self, message: impl Into<String>) -> Problem {
        Problem::new(message).in_file(self.name, self.part)
    }
}

impl Collector {
    /// Adds a statement.
    pub(super) fn add(&mut self, at: Option<Millis>, statement: Statement) {
        let time = StatementTime { at, piece: self.pieces };
        self.statements.push(TimedStatement { time, order: 0.0, statement });
    }

    /// Returns the number of statements, sessions and log pieces.
    pub(super) fn count(&self) -> usize {
        self.statements.len() + self.sessions.len() + self.log_count
    }

    /// Adds a problem at the position of a value.
    fn add_problem_at(&mut self, slice: Slice<'_>, message: &str, context: Context<'_>) {
        self.problems.add_with(|| {
            Problem::at(slice.whole(), slice.begin(), message).in_file(context.name, context.part)
        });
    }

    /// Adds the error of an unreadable value.
    fn add_read_error(&mut self, whole: &str, error: &ReadError, context: Context<'_>) {
        self.problems.add_with(|| Problem::from_error(whole, error, "").in_file(context.name, context.part));
    }

    /// Adds the error of an unreadable document.
    fn add_document_error(&mut self, error: DocumentError, whole: &str, context: Context<'_>) {
        self.problems.add_with(|| error.place(whole).problem().in_file(context.name, context.part));
    }
}

/// Returns a word in quotes, shortened.
fn quoted_word(word: &str) -> String {
    quoted(json::cut(word))
}
