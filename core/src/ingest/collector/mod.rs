//! What several answers, frames and events tell of runs, gathered in the order in which it was told.

mod run_builder;
mod supplement;
mod supplements;

mod answer;
mod caveat;
mod event;
mod join;
mod lines;
mod log;
mod markup;
mod pushed;
mod rows;
mod socket;
mod text;

use crate::json;
use crate::run::lionagi::LionagiInspection;
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

/// How many problems are named one by one.
const MAX_PROBLEMS: usize = 20;

/// How a problem begins that an answer is which says no.
pub(super) const NO: &str = "The server answered no, with ";

/// One thing that was told.
pub(super) enum Statement {
    /// A run that was asked about: its row, its view, or the output of `smithers inspect`.
    Run(Box<RunInspection>),
    /// The output of `smithers status`: an answer about the run with a few of its nodes.
    Status(Box<RunInspection>),
    /// Rows of a list: less than an answer about the run itself.
    Listed(Vec<RunInspection>),
    /// A snapshot; `old` where somebody asked for a frame by its number.
    Snapshot { run: Box<RunInspection>, old: bool },
    /// A change of the snapshot before.
    Delta { run_id: String, delta: Delta },
    /// The answer of `listNodeStates`; it names its run in the question only.
    Nodes { run_id: Option<String>, rows: Vec<NodeStatus> },
    /// What tells something of a run beside its state.
    Supplement(Box<supplement::Supplement>),
    /// Time travel over effects outside the run.
    Crossed { run_id: String, boundary: Boundary },
    /// An event about one node.
    Node { run_id: String, node: NodeEvent },
    /// What the event log of a run says of it, and whether its state only follows from what nodes did.
    Logged { run: Box<RunInspection>, from_nodes: bool },
    /// `run.completed`.
    Ended { run_id: String, status: String, read_from: String },
    /// Time travel, a retry or a resume: whatever was said of the run's state is over.
    Jumped { run_id: String },
    /// A question was refused.
    Refused(Refusal),
}

/// An event about one node. Most carry neither iteration nor attempt (protocol section 3.5).
pub(super) struct NodeEvent {
    node_id: String,
    iteration: Option<u32>,
    state: Word<NodeState>,
    attempt: Option<u32>,
    /// It failed and will be tried again.
    retrying: bool,
    /// The event's name, and where it was read.
    event: String,
    read_from: String,
}

struct TimedStatement {
    when: When,
    statement: Statement,
}

/// When something was told, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct When {
    at: Option<Millis>,
    /// Which piece it is from, counted from 1: inside of one the order tells what is newer, between two only a moment does.
    piece: usize,
}

/// Everything that was told, and what could not be read of it.
#[derive(Default)]
pub(super) struct Collector {
    statements: Vec<TimedStatement>,
    /// How many pieces were begun.
    pieces: usize,
    problems: Vec<String>,
    more_problems: usize,
    /// Documents of lionagi.
    pub(super) sessions: Vec<LionagiInspection>,
    /// Event logs, and the pieces of which they are put together.
    pub(super) logs: Vec<EventLog>,
    log_pieces: Vec<log::Piece>,
    /// How many there were.
    taken: usize,
    /// Answers that say no, as problems of what else there is.
    pub(super) refused: Vec<String>,
    /// How many documents there were, recorded frames not counted.
    pub(super) documents: usize,
    /// The tables of a database are being read.
    in_dump: bool,
    /// Something came from the frames of a socket.
    frames: bool,
    /// Something came from a HAR file.
    pub(super) traffic: bool,
}

/// What was asked, as far as the recording tells.
#[derive(Clone, Default)]
pub(crate) struct Asked {
    /// The RPC method, else the HTTP method and path.
    pub(crate) method: Option<String>,
    /// The run that was asked about.
    pub(crate) run_id: Option<String>,
    /// The node, and its iteration.
    pub(crate) node: Option<(String, u32)>,
    /// A frame was asked for by its number.
    pub(crate) old_frame: bool,
    /// How much was asked for at most.
    pub(crate) limit: Option<u32>,
    /// Somebody else was asked than a Gateway or Studio: an error is nothing to us there.
    pub(crate) elsewhere: bool,
}

/// Where something comes from.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The file's name.
    pub(super) name: Option<&'a str>,
    /// Which part of the file, where a position in the file says nothing.
    pub(super) part: Option<&'a str>,
    /// When it was told, where the recording has a time.
    pub(super) at: Option<Millis>,
    /// The moment of reading, and how far it may be off.
    pub(super) clock: Reading,
    /// The text breaks off: a field that is not here may have been there.
    pub(super) cut: bool,
}

impl Context<'_> {
    /// What was told at a moment.
    pub(super) fn at(self, at: Option<Millis>) -> Self {
        Self { at, ..self }
    }

    /// What is wrong, with the file and the place.
    fn problem(self, whole: &str, offset: Option<usize>, message: &str) -> String {
        let place = offset.map(|offset| locate(whole, offset).to_string());
        self::place(&[self.name, self.part, place.as_deref()], message)
    }
}

/// A problem after the place where it is: file, part, line and column, as far as they are known.
pub(super) fn place(parts: &[Option<&str>], message: &str) -> String {
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

/// The problem that a refusal is where the rest loads.
pub(super) fn refusal(error: &DocumentError, name: Option<&str>, part: Option<&str>) -> String {
    let position = error.position.as_ref().map(Position::to_string);
    place(&[name, part, position.as_deref()], &error.message)
}

impl Collector {
    /// Takes a statement in.
    pub(super) fn tell(&mut self, at: Option<Millis>, statement: Statement) {
        self.statements.push(TimedStatement { when: When { at, piece: self.pieces }, statement });
    }

    /// How much was told.
    pub(super) fn len(&self) -> usize {
        self.statements.len() + self.sessions.len() + self.taken
    }

    /// Notes what could not be read.
    pub(super) fn note(&mut self, problem: String) {
        if !self.is_full() {
            self.problems.push(problem);
        }
    }

    /// Whether problems are only counted from now on, and this one is. Finding a place takes a look at the whole text.
    fn is_full(&mut self) -> bool {
        let full = self.problems.len() >= MAX_PROBLEMS;
        self.more_problems += usize::from(full);
        full
    }

    /// Notes what is wrong at a place of a text.
    fn trouble(&mut self, slice: Slice<'_>, message: &str, context: Context<'_>) {
        if !self.is_full() {
            self.problems.push(context.problem(slice.whole(), Some(slice.begin()), message));
        }
    }

    /// Notes a value that could not be read.
    fn unread(&mut self, whole: &str, error: &ReadError, context: Context<'_>) {
        if !self.is_full() {
            self.problems.push(context.problem(whole, Some(error.offset), &error.message));
        }
    }

    /// Notes a document that could not be read.
    fn refused(&mut self, error: DocumentError, whole: &str, context: Context<'_>) {
        if !self.is_full() {
            self.problems.push(refusal(&error.place(whole), context.name, context.part));
        }
    }

    /// The problems, the last one counting those that are not named.
    pub(super) fn take_problems(&mut self) -> Vec<String> {
        let mut problems = std::mem::take(&mut self.problems);
        if self.more_problems > 0 {
            problems.push(format!("{} more problems.", self.more_problems));
        }
        problems
    }
}

/// A word in quotes for a problem.
fn named(word: &str) -> String {
    quoted(json::cut(word))
}
