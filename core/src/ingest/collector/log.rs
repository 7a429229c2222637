//! Reads event logs and joins the logs of one run.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::log_runs::{Source, caveat};
use super::{Collector, Context, Statement};
use crate::clock::Reading;
use crate::ingest::request::NO_REQUEST;
use crate::json::{Position, ReadError, Slice, items};
use crate::log::{Caveat, EventLog};
use crate::problem::Problem;
use crate::run::Fact;
use crate::text::{concat, join};
use crate::time::Millis;

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

/// The maximum number of runs of a log that are shown, as of a list.
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
            self.add_log_runs(piece, &join(&names, ", "));
        }
        // Statements about the runs of a log, or its only run, are joined with it.
        if !self.statements.is_empty() || self.log_runs.len() == 1 {
            let logs = std::mem::take(&mut self.logs);
            for (as_of, run, from_nodes) in std::mem::take(&mut self.log_runs).into_runs(&logs) {
                let run_id = run.run_id.clone().unwrap_or_default();
                let fact = Fact::Log { run: Box::new(run), from_nodes };
                self.add(as_of, Statement::Fact { run_id, fact });
            }
            self.logs = logs;
        }
        self.log_runs.sort();
    }

    fn add_log_runs(&mut self, mut piece: Piece, names: &str) {
        let read_from =
            if names.is_empty() { "event log".to_owned() } else { concat(&["event log ", names]) };
        if piece.log.run_ids().nth(MAX_LOG_RUNS).is_some() {
            let message = format!("Only the first {MAX_LOG_RUNS} runs of the log are shown.");
            self.problems.append_all(Problem::new(message).in_file(Some(names), piece.part.as_deref()));
        }
        let source = Source { index: piece.log.run_index(), read_from, now: piece.now };
        let count = piece.log.run_ids().take(MAX_LOG_RUNS).count() as u32;
        for number in 0..count {
            let (view, _) = source.view(&piece.log, number);
            let problem = |message: &str| {
                let message = concat(&[view.run_id.as_deref().unwrap_or_default(), ": ", message]);
                Problem::new(message).in_file(Some(names), piece.part.as_deref())
            };
            for (found, message) in
                view.caveats.iter().filter(|it| is_problem(it)).filter_map(|it| Some((it, caveat(it)?)))
            {
                self.problems.add(Problem { position: position(found), ..problem(&message) });
            }
            if piece.is_full && view.caveats.contains(&Caveat::EndMayBeMissing) {
                self.problems.add(problem(
                    "The number of events is the requested maximum: the next page may have more.",
                ));
            }
            self.log_runs.add(number, view.as_of);
        }
        self.log_runs.end_log(source);
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

/// The position of what the caveat is about, if it is at one line.
fn position(caveat: &Caveat) -> Option<Position> {
    let Caveat::TimesOutOfRange { line, .. } = caveat else { return None };
    line.map(|line| Position { line: line as usize, column: 1, path: None })
}

/// Whether the caveat means that the log is incomplete. The other caveats apply to every log.
fn is_problem(caveat: &Caveat) -> bool {
    match caveat {
        Caveat::Lost { .. }
        | Caveat::AfterTheEnd { .. }
        | Caveat::NoStart
        | Caveat::TimesInSeconds { .. }
        | Caveat::TimesOutOfRange { .. } => true,
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
