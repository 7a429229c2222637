//! Reads the pieces of the opened files with the reader of their system, and joins the results.

use super::collector::{Collector, RefusalProblem};
use super::content::Content;
use super::unpack::Piece;
use super::{Document, DocumentError, System, conductor, lionagi};
use crate::clock::Reading;
use crate::conductor::derive::ConductorRun;
use crate::conductor::wire;
use crate::error_code::ErrorCode;
use crate::kind;
use crate::log::EventLog;
use crate::problem::{Problem, Problems};
use crate::refusal::Refusal;
use crate::text::{concat, join};
use crate::time::Millis;

/// The state of reading the pieces.
pub(super) struct DocumentReader {
    collector: Collector,
    systems: Vec<Option<System>>,
    problems: Problems,
    /// Problems of pieces that no reader accepts, with the index of the piece.
    unread_pieces: Vec<(usize, Problem)>,
    refusals: RecordedRefusals,
}

/// Error responses in recorded traffic and their times. A later success ends them.
#[derive(Default)]
struct RecordedRefusals {
    responses: Vec<(Option<Millis>, RefusalProblem)>,
    last_success: Option<Millis>,
}

impl RecordedRefusals {
    /// Adds the error responses of an entry; `has_content` tells whether the entry has other content.
    fn add(&mut self, piece: &Piece<'_>, responses: Vec<RefusalProblem>, has_content: bool) {
        if has_content && responses.is_empty() && piece.at > self.last_success {
            self.last_success = piece.at;
        }
        // A missing node or old frame is not an error of the run.
        if piece.request.node.is_none() && !piece.request.past_frame {
            self.responses.extend(responses.into_iter().map(|response| (piece.at, response)));
        }
    }

    /// Returns the error responses after the last success, without duplicates.
    fn latest(self) -> Vec<RefusalProblem> {
        let mut last: Vec<RefusalProblem> = Vec::new();
        for (at, response) in self.responses {
            let is_last = self.last_success.is_none() || at > self.last_success;
            if is_last && !last.iter().any(|known| is_same(&known.refusal, &response.refusal)) {
                last.push(response);
            }
        }
        last
    }
}

/// Whether two requests got the same error.
fn is_same(one: &Refusal, other: &Refusal) -> bool {
    one.code == other.code && one.message == other.message
}

impl DocumentReader {
    pub(super) fn new(pieces: &[Piece<'_>], problems: Problems) -> Self {
        let mut collector = Collector::default();
        collector.has_traffic = pieces.iter().any(|piece| piece.traffic);
        let is_run_file = |piece: &&Piece<'_>| {
            let file = piece.file();
            !piece.traffic
                && piece.system.is_none_or(|system| system == System::Conductor)
                && (kind::conductor::recognises(&[file]) || kind::conductor::is_unfinished_status(&file))
        };
        let systems =
            pieces.iter().map(|piece| Some(piece).filter(is_run_file).map(|_| System::Conductor)).collect();
        Self {
            collector,
            systems,
            problems,
            unread_pieces: Vec::new(),
            refusals: RecordedRefusals::default(),
        }
    }

    /// Makes a reader of one event log that was read elsewhere.
    pub(super) fn from_log(log: EventLog, name: Option<&str>, now: Millis) -> Self {
        let mut reader = Self::new(&[], Problems::default());
        reader.systems.push(None);
        reader.collector.take_log(log, name, Reading::exact(now));
        reader.record_system(0, (0, 0));
        reader
    }

    pub(super) fn read(
        &mut self,
        place: usize,
        piece: &Piece<'_>,
        clock: Reading,
    ) -> Result<(), DocumentError> {
        // An auxiliary file of a run of tnh-conductor has no state.
        let is_auxiliary = || {
            kind::conductor::is_auxiliary_name(&piece.file())
                && !piece.traffic
                && self.systems.contains(&Some(System::Conductor))
        };
        if self.systems[place].is_some() || is_auxiliary() {
            return Ok(());
        }
        let before = (self.collector.count(), self.collector.sessions.len());
        let refused = self.collector.refusals.len();
        let read = self.collector.read_piece(piece, clock);
        if piece.traffic {
            let refused = self.collector.refusals.split_off(refused);
            self.refusals.add(piece, refused, self.collector.count() > before.0);
        }
        self.record_system(place, before);
        let Err(error) = read else { return Ok(()) };
        let is_other = error.code == ErrorCode::NotRecognised && !piece.request.asks_for_states();
        if piece.traffic && (piece.request.other_server || is_other) {
            return Ok(());
        }
        self.unread_pieces.push((place, piece.error_problem(&error)));
        Err(error)
    }

    /// Records the system of a piece by the statements that were added.
    fn record_system(&mut self, place: usize, before: (usize, usize)) {
        let (statements, sessions) =
            (self.collector.count() - before.0, self.collector.sessions.len() - before.1);
        self.systems[place] = match (statements > sessions, sessions > 0) {
            (true, _) => Some(System::Smithers),
            (false, true) => Some(System::Lionagi),
            (false, false) => None,
        };
    }

    /// Claims step files. Alone, they do not claim other files; if no reader accepts anything, the step files are
    /// shown.
    fn claim_step_files(&mut self, pieces: &[Piece<'_>]) {
        if self.systems.iter().all(Option::is_none) {
            let is_step_file =
                |piece: &Piece<'_>| !piece.traffic && kind::conductor::is_decision_file(&piece.file());
            self.systems =
                pieces.iter().map(|piece| is_step_file(piece).then_some(System::Conductor)).collect();
        }
    }

    /// Returns the document, or `None` if nothing has content, and the system of each piece.
    pub(super) fn finish(
        mut self,
        pieces: &[Piece<'_>],
        now: Millis,
    ) -> (Option<Document>, Vec<Option<System>>) {
        // An export is read for the time at which its content was first opened.
        let now = Millis::latest(pieces.iter().filter_map(|piece| piece.read_at)).unwrap_or(now);
        self.claim_step_files(pieces);
        let runs = self.conductor_runs(pieces, now);
        self.add_unread_pieces(pieces, !runs.is_empty());
        let mut refused = std::mem::take(&mut self.collector.refusals);
        refused.append(&mut std::mem::take(&mut self.refusals).latest());
        self.collector.join_logs();
        let logs = std::mem::take(&mut self.collector.logs);
        let mut sessions = std::mem::take(&mut self.collector.sessions);
        // The first document of a session decides which session is in view.
        sessions.sort_by_key(|document| document.refusal.is_some());
        let sessions = lionagi::join(sessions, now);
        let log_runs = std::mem::take(&mut self.collector.log_runs);
        let only_answer = if pieces.len() == 1 { self.collector.take_only_answer() } else { None };
        let mut inspection = match only_answer {
            _ if log_runs.len() > 0 => self.collector.list_of_logs(),
            Some(answer) => answer,
            None => self.collector.join(now),
        };
        self.problems.append_all(std::mem::take(&mut inspection.problems));
        let found = [
            (!inspection.is_nothing()).then(|| Content::Smithers(Box::new(inspection))),
            sessions.map(|sessions| Content::Lionagi(Box::new(sessions))),
            (!runs.is_empty()).then_some(Content::Conductor(runs)),
        ];
        let mut found: Vec<Document> = found.into_iter().flatten().map(Document::new).collect();
        if let Some(first) = found.first_mut() {
            first.add_log_runs(log_runs);
        }
        let Some(shown) = shown_document(&found) else { return (None, self.systems) };
        let document = found.remove(shown);
        // An error response is shown if no other content exists; otherwise it is a problem.
        refused.retain(|other| document.refusal().is_none_or(|shown| !is_same(shown, &other.refusal)));
        for other in refused {
            self.problems.append_all(other.problem);
        }
        for other in found {
            self.problems.append_all(left_out_problem(pieces, &self.systems, other.system()));
        }
        (Some(document.with(logs, self.problems)), self.systems)
    }

    /// Adds the problems of the pieces that no reader accepts. `has_run` tells whether there is a run of tnh-conductor,
    /// whose artifacts can be of any format.
    fn add_unread_pieces(&mut self, pieces: &[Piece<'_>], has_run: bool) {
        for (place, problem) in std::mem::take(&mut self.unread_pieces) {
            let name = pieces.get(place).and_then(|piece| piece.name.as_deref());
            let is_artifact = has_run && name.is_some_and(|name| name.contains("artifacts/"));
            if self.systems.get(place) == Some(&None) && !is_artifact {
                self.problems.add(problem);
            }
        }
    }

    /// Returns the run of each run directory in which a file is recognised by its content. The other files are
    /// recognised by their names: a status that is being written is empty.
    fn conductor_runs(&mut self, pieces: &[Piece<'_>], now: Millis) -> Vec<ConductorRun> {
        let known =
            pieces.iter().zip(&self.systems).filter(|(_, system)| **system == Some(System::Conductor));
        let mut roots: Vec<&str> = known.map(|(piece, _)| wire::root_of(&piece.file())).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut files = Vec::new();
        for (piece, system) in pieces.iter().zip(&mut self.systems) {
            let file = piece.file();
            let has_root = |root| roots.binary_search(&root).is_ok();
            let is_of_run =
                || !piece.traffic && has_root(wire::root_of(&file)) && kind::conductor::is_run_file(&file);
            if *system == Some(System::Conductor) || system.is_none() && is_of_run() {
                *system = Some(System::Conductor);
                files.push(file);
            }
        }
        let (runs, problems) = conductor::read_runs(&files, now);
        self.problems.append_all(problems);
        runs
    }
}

/// Returns the index of the document to show: the first with a run in view, else with rows, else the first.
fn shown_document(found: &[Document]) -> Option<usize> {
    let with_run = found.iter().position(Document::has_run);
    let with_rows = || found.iter().position(|document| document.row_count() > 0);
    with_run.or_else(with_rows).or((!found.is_empty()).then_some(0))
}

/// Returns the names of the pieces of the systems that `wanted` accepts.
fn names<'a>(
    pieces: &'a [Piece<'_>],
    systems: &[Option<System>],
    wanted: &dyn Fn(System) -> bool,
) -> Vec<&'a str> {
    let taken = pieces.iter().zip(systems).filter(|(_, system)| system.is_some_and(wanted));
    let mut names: Vec<&str> = taken.map(|(piece, _)| piece.name.as_deref().unwrap_or("text")).collect();
    names.dedup();
    names
}

/// Returns the problem that names the pieces of a system that is not shown.
fn left_out_problem(pieces: &[Piece<'_>], systems: &[Option<System>], left_out: System) -> Problem {
    let (own, others) = (
        names(pieces, systems, &|system| system == left_out),
        names(pieces, systems, &|system| system != left_out),
    );
    // A file of several systems is in pieces of one name, or in one piece that several readers accept.
    let mixed = own.iter().all(|name| others.contains(name));
    let own = if own.is_empty() { others } else { own };
    let (shown, more) = own.split_at(own.len().min(5));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let message = if mixed {
        ["Content of ", left_out.name(), " was omitted."]
    } else {
        ["Omitted, because it belongs to ", left_out.name(), "."]
    };
    Problem::new(concat(&message)).in_file(Some(&concat(&[&join(shown, ", "), &more])), None)
}
