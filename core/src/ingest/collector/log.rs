//! Reads event logs and joins the logs of one run.

use crate::problem::Problem;
use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::{Collector, Context, Statement, quoted_word};
use crate::clock::Reading;
use crate::format;
use crate::ingest::request::NO_REQUEST;
use crate::json::{Position, ReadError, Slice, items};
use crate::log::{Caveat, EventLog, LogNode, LogView};
use crate::run::{RunInspection, Witness};
use crate::smithers::wire::NodeStatus;
use crate::smithers::wire::{Attempt, NodeState};
use crate::text::{concat, join};
use crate::time::Millis;
use crate::word::Word;

/// An event log, or one page of it.
pub(super) struct Piece {
    log: EventLog,
    /// The time of its first event.
    first_event_at: f64,
    name: Option<String>,
    part: Option<String>,
    now: Millis,
    /// Whether it has as many events as were requested.
    is_full: bool,
}

/// The maximum number of runs of a log that are shown, as of a list. Each takes about three kilobytes.
const MAX_LOG_RUNS: usize = 100_000;

impl Collector {
    /// Adds an event log of which every line was read.
    pub(crate) fn take_log(&mut self, mut log: EventLog, name: Option<&str>, clock: Reading) {
        self.pieces += 1;
        log.finish();
        let context = Context { request: &NO_REQUEST, name, part: None, at: None, clock, cut: false };
        self.add_log(log, false, context);
    }

    /// Reads a list of events in the form of the REST interface.
    pub(super) fn read_events(&mut self, list: Slice<'_>, context: Context<'_>) -> Result<(), ReadError> {
        let mut log = EventLog::new();
        let mut count = 0;
        for event in items(list)? {
            log.push_value(event?.json());
            count += 1;
        }
        log.finish();
        for problem in log.problems() {
            let position = Position { line: problem.line as usize, column: problem.column, path: None };
            self.problems
                .add_with(|| Problem { position: Some(position), ..context.problem(&*problem.message) });
        }
        self.problems.count(log.undescribed_problems());
        self.add_log(log, context.request.limit.is_some_and(|limit| count >= limit), context);
        Ok(())
    }

    /// Adds an event log; `is_full` if it has as many events as were requested.
    pub(super) fn add_log(&mut self, mut log: EventLog, is_full: bool, context: Context<'_>) {
        let first_event_at = log.first_event_at().map_or(f64::INFINITY, |at| at.0);
        let (name, part) = (context.name.map(str::to_owned), context.part.map(str::to_owned));
        self.log_count += 1;
        self.log_pieces.push(Piece { log, first_event_at, name, part, now: context.clock.now, is_full });
    }

    /// Joins the logs of the same run, in any order of opening, and adds the runs.
    pub(crate) fn join_logs(&mut self) {
        let mut pieces = std::mem::take(&mut self.log_pieces);
        pieces.sort_by(|first, second| first.first_event_at.total_cmp(&second.first_event_at));
        let mut joined: BTreeMap<usize, (Piece, Vec<String>)> = BTreeMap::new();
        for (group, piece) in groups(&pieces).into_iter().zip(pieces) {
            let name = piece.name.clone();
            match joined.entry(group) {
                Entry::Occupied(entry) => {
                    let (known, names) = entry.into_mut();
                    known.log.append_log(piece.log);
                    (known.is_full, known.part) =
                        (piece.is_full, known.part.take().filter(|_| known.name == name));
                    names.extend(name.filter(|name| !names.contains(name)));
                }
                Entry::Vacant(entry) => {
                    entry.insert((piece, name.into_iter().collect()));
                }
            }
        }
        for (piece, names) in joined.into_values() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.add_log_run(piece, &join(&names, ", "));
        }
    }

    fn add_log_run(&mut self, mut piece: Piece, names: &str) {
        let read_from =
            if names.is_empty() { "event log".to_owned() } else { concat(&["event log ", names]) };
        if piece.log.run_ids().nth(MAX_LOG_RUNS).is_some() {
            let message = format!("Only the first {MAX_LOG_RUNS} runs of the log are shown.");
            self.problems.append_all(Problem::new(message).in_file(Some(names), piece.part.as_deref()));
        }
        for (view, nodes) in piece.log.run_views(piece.now, MAX_LOG_RUNS) {
            let run_id = view.run_id.as_deref().unwrap_or_default();
            for message in view.caveats.iter().filter(|it| is_problem(it)).filter_map(caveat) {
                let problem = Problem::new(concat(&[run_id, ": ", &message]));
                self.problems.add(problem.in_file(Some(names), piece.part.as_deref()));
            }
            let open = view.caveats.contains(&Caveat::EndMayBeMissing);
            if piece.is_full && open {
                let message = "The number of events is the requested maximum: the next page may have more.";
                let problem = Problem::new(concat(&[run_id, ": ", message]));
                self.problems.add(problem.in_file(Some(names), piece.part.as_deref()));
            }
            let as_of = view.as_of;
            let from_nodes = view.caveats.contains(&Caveat::FromNodes);
            let attempts = nodes.iter().filter_map(attempt).collect();
            let nodes = nodes.into_iter().filter_map(node_status).collect();
            let run = RunInspection { nodes, attempts, ..run_from_view(view, read_from.clone()) };
            self.add(as_of, Statement::Log { run: Box::new(run), from_nodes });
        }
        self.logs.push(piece.log);
    }
}

/// Returns the group of each piece, as the index of the group's first piece. Pieces that share a run, directly or
/// through other pieces, form one group.
fn groups(pieces: &[Piece]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..pieces.len()).collect();
    let mut first_piece: HashMap<&str, usize> = HashMap::new();
    for (place, piece) in pieces.iter().enumerate() {
        for run_id in piece.log.run_ids() {
            let known = *first_piece.entry(run_id).or_insert(place);
            let (known, own) = (first_of(&mut groups, known), first_of(&mut groups, place));
            groups[known.max(own)] = known.min(own);
        }
    }
    (0..pieces.len()).map(|place| first_of(&mut groups, place)).collect()
}

/// Returns the first piece of a piece's group and shortens the path for later searches.
fn first_of(groups: &mut [usize], mut place: usize) -> usize {
    while groups[place] != place {
        groups[place] = groups[groups[place]];
        place = groups[place];
    }
    place
}

fn run_from_view(view: LogView, read_from: String) -> RunInspection {
    let mut verdict = Witness::from_log(&view);
    if let Some(verdict) = &mut verdict {
        verdict.evidence.read_from = read_from;
    }
    RunInspection {
        run_id: Some(view.run_id.unwrap_or_default()),
        workflow: view.workflow,
        started_at: view.started_at,
        finished_at: view.ended_at,
        verdict,
        summary: view.nodes.into_iter().map(|(state, count)| (Word::Known(state), count)).collect(),
        error: view.error,
        failed_children: view.failed_children,
        failed_child_count: view.failed_child_count,
        continued: view.continued_as.is_some(),
        continued_as: view.continued_as,
        boundary: view.boundary.map(Box::new),
        caveats: view.caveats.iter().filter_map(caveat).collect(),
        ..RunInspection::default()
    }
}

/// Returns the running attempt with its last heartbeat. The log does not contain the heartbeat timeout.
fn attempt(node: &LogNode) -> Option<Attempt> {
    (node.state == Some(NodeState::InProgress) && !node.retrying).then(|| Attempt {
        node_id: node.node_id.clone(),
        iteration: node.iteration,
        attempt: node.attempt,
        state: Word::Known(NodeState::InProgress),
        started_at: node.started_at,
        // A heartbeat of an earlier attempt does not count.
        heartbeat_at: node.heartbeat_at.filter(|beat| node.started_at.is_none_or(|start| *beat >= start)),
        heartbeat_timeout_ms: None,
        retries: None,
        signal: None,
        correlation_id: None,
        read_at: None,
        texts: None,
    })
}

/// Returns the status of a node; `None` if no event contains its state.
fn node_status(node: LogNode) -> Option<NodeStatus> {
    Some(NodeStatus {
        state: Word::Known(node.state?),
        node_id: node.node_id,
        iteration: node.iteration,
        last_attempt: node.attempt,
        label: None,
        updated_at: node.changed_at,
        started_at: node.started_at,
        finished_at: node.ended_at,
    })
}

/// Returns a caveat as a sentence; `None` if it does not affect the state.
fn caveat(caveat: &Caveat) -> Option<Cow<'static, str>> {
    Some(match caveat {
        Caveat::Lost { events, gaps } => {
            let places = if *gaps == 1 { "one place".to_owned() } else { format!("{gaps} places") };
            format!("Events are missing: {events}, in {places}. The state may be different by now.").into()
        }
        Caveat::AfterTheEnd { events } => {
            format!("Events after the run's end: {events}. Nothing says that it was resumed.").into()
        }
        Caveat::NoStart => "The log does not begin with the run's start.".into(),
        Caveat::FromNodes => "No event gives the run's state: it is derived from what its nodes did.".into(),
        Caveat::EndMayBeMissing => {
            "The end may be missing: a log does not always record that a run was cancelled or continued."
                .into()
        }
        Caveat::UnreadAtEnd { lines: 1 } => {
            "One line after the last event could not be read. The state may be different.".into()
        }
        Caveat::UnreadAtEnd { lines } => {
            format!("{lines} lines after the last event could not be read. The state may be different.")
                .into()
        }
        Caveat::UnknownLast { event_type } => format!(
            "The last event is of a type that Runstate does not know: {}. The state may be different.",
            quoted_word(event_type).trim_matches('"')
        )
        .into(),
        Caveat::Contradicted { state, at } => {
            let at = at.map_or_else(String::new, |at| concat(&[" at ", &format::clock(at)]));
            format!("An event said {state}{at}, yet the run went on.").into()
        }
        Caveat::TimesGoBack { line, ms } => {
            let step = format::duration(*ms);
            let line = line.map_or_else(String::new, |line| format!(" at line {line}"));
            format!("Times go back by {step}{line}. The events are in the order of the file.").into()
        }
        Caveat::TimesInSeconds { events: 1 } => {
            "The time of one event is in seconds; milliseconds are expected. It counts as absent.".into()
        }
        Caveat::TimesInSeconds { events } => format!(
            "The times of {events} events are in seconds; milliseconds are expected. They count as absent."
        )
        .into(),
        Caveat::NewestFirst => "The log is newest first; it was read from its end.".into(),
        // Unreadable lines are reported as problems with their positions.
        Caveat::Unread { .. } | Caveat::LeftOut { .. } | Caveat::Repeated { .. } => return None,
    })
}

/// Whether the caveat means that the log is incomplete. The other caveats apply to every log.
fn is_problem(caveat: &Caveat) -> bool {
    match caveat {
        Caveat::Lost { .. }
        | Caveat::AfterTheEnd { .. }
        | Caveat::NoStart
        | Caveat::TimesInSeconds { .. } => true,
        Caveat::FromNodes
        | Caveat::EndMayBeMissing
        | Caveat::UnreadAtEnd { .. }
        | Caveat::UnknownLast { .. }
        | Caveat::Contradicted { .. }
        | Caveat::TimesGoBack { .. }
        | Caveat::NewestFirst
        | Caveat::Unread { .. }
        | Caveat::LeftOut { .. }
        | Caveat::Repeated { .. } => false,
    }
}
