//! Opening files: taken apart, recognised by what they hold, read by the reader of their system, joined.

use super::collector;
use super::collector::{Collector, RefusalProblem, refusal};
use super::content::Content;
use super::export_format::Counts;
use super::unpack::{self, Piece, Unpacked};
use super::{Document, DocumentError, decode, inspect_by_clock, recognise, utf16};
use crate::clock::Reading;
use crate::conductor::derive::ConductorRun;
use crate::conductor::wire;
use crate::error_code::ErrorCode;
use crate::file::File;
use crate::ingest::conductor;
use crate::ingest::lionagi;
use crate::log::EventLog;
use crate::refusal::Refusal;
use crate::text::{concat, join};
use crate::time::Millis;
use crate::word::Vocabulary;

/// Opens what was pasted, dropped or chosen.
///
/// # Errors
/// [`DocumentError`] where nothing of it can be read.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let bytes = br#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}"#;
/// let document = open(&[File { name: None, bytes }], now)?;
/// assert_eq!(document.header(None, now).unwrap().state.as_deref(), Some("running"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn open(files: &[File<'_>], now: Millis) -> Result<Document, DocumentError> {
    open_by_clock(files, Reading::exact(now))
}

/// The same by a clock that may be off: what hangs on an age that cannot be told is `unknown`.
///
/// What was recorded at a known moment, or stands in an export, is read for that moment.
///
/// # Errors
/// As [`open`].
///
/// ```
/// use runstate::clock::Reading;
/// use runstate::file::File;
/// use runstate::ingest::open_by_clock;
/// use runstate::time::Millis;
///
/// let row = br#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000}"#;
/// let clock = Reading { now: Millis(1_700_000_020_000.0), error_ms: 40_000.0 };
/// let document = open_by_clock(&[File { name: None, bytes: row }], clock)?;
/// assert_eq!(document.header(None, clock.now).unwrap().state.as_deref(), Some("unknown"));
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn open_by_clock(files: &[File<'_>], clock: Reading) -> Result<Document, DocumentError> {
    let Unpacked { pieces, problems, mut refused, nothing, .. } = unpack::unpack(files);
    if let [piece] = pieces.as_slice()
        && !piece.traffic
        && !piece.cut
        && !collector::is_stream(piece)
    {
        match inspect_by_clock(
            &piece.bytes,
            piece.name.as_deref(),
            piece.read_at.map_or(clock, Reading::exact),
        ) {
            Ok(inspection) if inspection.is_certain() || !is_of_another_system(piece) => {
                return Ok(Document::new(Content::Smithers(Box::new(inspection)), Vec::new(), problems));
            }
            Ok(_) => {}
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let mut sorting = Sorting::new(&pieces, problems);
    for (place, piece) in pieces.iter().enumerate() {
        if let Err(error) = sorting.read(place, piece, clock) {
            let name = piece.name.as_deref().filter(|_| files.len() > 1);
            // Alone, another reader may know better what is wrong than that it is nothing of Smithers.
            if pieces.len() == 1 && error.code != ErrorCode::NotRecognised {
                refused = refused.filter(|refused| refused.code != ErrorCode::NotRecognised);
            }
            refused = refused.or(Some(error.in_file(name)));
        }
    }
    sorting.finish(&pieces, clock.now).0.ok_or_else(|| {
        let empty =
            || DocumentError::new(ErrorCode::EmptyInput, "There is nothing to read: no file was given.");
        refused.or(nothing).unwrap_or_else(empty)
    })
}

/// The pieces that tell something, and what was not as it came in an export among the files.
///
/// # Errors
/// As [`open`].
pub(crate) fn known_pieces<'a>(
    files: &[File<'a>],
    now: Millis,
) -> Result<(Vec<Piece<'a>>, Counts), DocumentError> {
    let Unpacked { pieces, counts, .. } = unpack::unpack(files);
    let mut sorting = Sorting::new(&pieces, Vec::new());
    for (place, piece) in pieces.iter().enumerate() {
        // What cannot be read is not known, that is all.
        let _ = sorting.read(place, piece, Reading::exact(now));
    }
    let (document, of) = sorting.finish(&pieces, now);
    if document.is_none() {
        // It says why.
        open(files, now)?;
    }
    let conductor = of.contains(&Some(Of::Conductor));
    let known = pieces
        .into_iter()
        .zip(of)
        .filter(|(piece, of)| of.is_some() || conductor && wire::is_read(&piece.file()));
    Ok((known.map(|(piece, _)| piece).collect(), counts))
}

/// The document that an event log is, which was read elsewhere and is all of a file.
pub(super) fn open_log(log: EventLog, name: Option<&str>, now: Millis) -> Option<Document> {
    let piece = Piece::of_file(File { name, bytes: &[] });
    let (heard, problems, unread) = (Collector::default(), Vec::new(), Vec::new());
    let mut sorting = Sorting { heard, of: vec![None], problems, unread, traffic: Traffic::default() };
    sorting.heard.take_log(log, name, Reading::exact(now));
    sorting.took(0, (0, 0));
    sorting.finish(&[piece], now).0
}

/// A row with a status is anybody's: whose it is, the other systems' readers know.
fn is_of_another_system(piece: &Piece<'_>) -> bool {
    !may_be_smithers(&piece.bytes)
}

/// Whether a document is of no other system: then [`inspect`](super::inspect) says of it what [`open`] says, or refuses it.
///
/// ```
/// use runstate::ingest::may_be_smithers;
///
/// assert!(may_be_smithers(br#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"running"}"#));
/// assert!(!may_be_smithers(br#"{"run_id":"20261121T204038Z","lifecycle_state":"running"}"#));
/// ```
pub fn may_be_smithers(bytes: &[u8]) -> bool {
    let converted = utf16::to_utf8(bytes).ok().flatten();
    let bytes = converted.as_ref().map_or(bytes, String::as_bytes);
    !wire::recognises(&[File { name: None, bytes }]) && !decode(bytes).is_ok_and(recognise::is_of_others)
}

/// Which reader took a piece.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Smithers,
    Lionagi,
    Conductor,
}

/// The pieces while they are being read.
struct Sorting {
    heard: Collector,
    of: Vec<Option<Of>>,
    problems: Vec<String>,
    /// Problems of pieces that nobody could read.
    unread: Vec<(usize, String)>,
    traffic: Traffic,
}

/// What recorded traffic says no to, and when. An answer that comes later says that this is over.
#[derive(Default)]
struct Traffic {
    refused: Vec<(Option<Millis>, RefusalProblem)>,
    answered: Option<Millis>,
}

impl Traffic {
    /// Takes in what an entry said no with; none where it told something.
    fn take(&mut self, piece: &Piece<'_>, refused: Vec<RefusalProblem>, told: bool) {
        if told && refused.is_empty() && piece.at > self.answered {
            self.answered = piece.at;
        }
        // Of a node, and of a frame of the past, there may be nothing while all is well.
        if piece.asked.node.is_none() && !piece.asked.old_frame {
            self.refused.extend(refused.into_iter().map(|said| (piece.at, said)));
        }
    }

    /// What was said no to last, each time the same is said once.
    fn at_last(self) -> Vec<RefusalProblem> {
        let mut last: Vec<RefusalProblem> = Vec::new();
        for (at, refused) in self.refused {
            let is_last = self.answered.is_none() || at > self.answered;
            if is_last && !last.iter().any(|known| is_same(&known.refusal, &refused.refusal)) {
                last.push(refused);
            }
        }
        last
    }
}

/// Whether a server answered the same error twice, whatever was asked.
fn is_same(one: &Refusal, other: &Refusal) -> bool {
    one.code == other.code && one.message == other.message
}

impl Sorting {
    fn new(pieces: &[Piece<'_>], problems: Vec<String>) -> Self {
        let mut heard = Collector::default();
        heard.traffic = pieces.iter().any(|piece| piece.traffic);
        let of_run = |piece: &&Piece<'_>| {
            let file = piece.file();
            !piece.traffic && (wire::recognises(&[file]) || wire::is_unfinished_status(&file))
        };
        let of = pieces.iter().map(|piece| Some(piece).filter(of_run).map(|_| Of::Conductor)).collect();
        Self { heard, of, problems, unread: Vec::new(), traffic: Traffic::default() }
    }

    fn read(&mut self, place: usize, piece: &Piece<'_>, clock: Reading) -> Result<(), DocumentError> {
        // What lies beside a run of tnh-conductor under a known name tells no state.
        let beside = || !piece.traffic && self.of.contains(&Some(Of::Conductor));
        if self.of[place].is_some() || wire::is_companion(&piece.file()) && beside() {
            return Ok(());
        }
        let before = (self.heard.len(), self.heard.sessions.len());
        let refused = self.heard.refused.len();
        let read = self.heard.piece(piece, clock);
        if piece.traffic {
            let refused = self.heard.refused.split_off(refused);
            self.traffic.take(piece, refused, self.heard.len() > before.0);
        }
        self.took(place, before);
        let Err(error) = read else { return Ok(()) };
        if piece.traffic && (piece.asked.elsewhere || error.code == ErrorCode::NotRecognised) {
            return Ok(());
        }
        self.unread.push((place, refusal(&error, piece.name.as_deref(), piece.part.as_deref())));
        Err(error)
    }

    /// Says whose a piece was, by what was told since.
    fn took(&mut self, place: usize, before: (usize, usize)) {
        let (told, sessions) = (self.heard.len() - before.0, self.heard.sessions.len() - before.1);
        self.of[place] = match (told > sessions, sessions > 0) {
            (true, _) => Some(Of::Smithers),
            (false, true) => Some(Of::Lionagi),
            (false, false) => None,
        };
    }

    /// Files of steps are too little to make a run of what lies beside them. Where nobody else knows anything, they are what there is.
    fn settle_records(&mut self, pieces: &[Piece<'_>]) {
        if self.of.iter().all(Option::is_none) {
            let of_step = |piece: &Piece<'_>| !piece.traffic && wire::is_record(&piece.file());
            self.of = pieces.iter().map(|piece| of_step(piece).then_some(Of::Conductor)).collect();
        }
    }

    /// What all of it is, `None` where it comes to nothing, and which reader took each piece.
    fn finish(mut self, pieces: &[Piece<'_>], now: Millis) -> (Option<Document>, Vec<Option<Of>>) {
        // An export was opened before, and says what it said then.
        let read_at =
            pieces.iter().filter_map(|piece| piece.read_at).reduce(|a, b| if b > a { b } else { a });
        let now = read_at.unwrap_or(now);
        self.settle_records(pieces);
        let runs = self.conductor_runs(pieces, now);
        for (place, problem) in std::mem::take(&mut self.unread) {
            // The artifacts of a step can be anything.
            let name = pieces.get(place).and_then(|piece| piece.name.as_deref());
            let artifact = !runs.is_empty() && name.is_some_and(|name| name.contains("artifacts/"));
            if self.of.get(place) == Some(&None) && !artifact {
                self.problems.push(problem);
            }
        }
        let mut refused = std::mem::take(&mut self.heard.refused);
        refused.append(&mut std::mem::take(&mut self.traffic).at_last());
        self.heard.settle_logs();
        let logs = std::mem::take(&mut self.heard.logs);
        let mut sessions = std::mem::take(&mut self.heard.sessions);
        // Which session is in view hangs on the first that tells of one.
        sessions.sort_by_key(|document| document.refusal.is_some());
        let sessions = lionagi::join(sessions, now);
        let mut inspection = self.heard.join(now);
        self.problems.append(&mut inspection.problems);
        let found = [
            (!inspection.is_nothing()).then(|| (Of::Smithers, Content::Smithers(Box::new(inspection)))),
            sessions.map(|sessions| (Of::Lionagi, Content::Lionagi(Box::new(sessions)))),
            (!runs.is_empty()).then(|| (Of::Conductor, Content::Conductor(runs))),
        ];
        let mut found: Vec<(Of, Content)> = found.into_iter().flatten().collect();
        let with_run = found.iter().position(|(_, content)| content.has_run());
        let with_rows = || found.iter().position(|(_, content)| !content.rows().is_empty());
        let (_, content) = match with_run.or_else(with_rows).unwrap_or(0) {
            place if place < found.len() => found.remove(place),
            _ => return (None, self.of),
        };
        // An answer that says no is the document where there is no other, and one of its problems where there is.
        refused.retain(|other| content.refusal().is_none_or(|shown| !is_same(shown, &other.refusal)));
        self.problems.extend(refused.into_iter().map(|other| other.problem));
        for (of, other) in found {
            self.problems.push(left_out(pieces, &self.of, of, other.system().as_str()));
        }
        (Some(Document::new(content, logs, self.problems)), self.of)
    }

    /// The run of each run directory, once one of its files is known by what it holds. The others are known by their names:
    /// a status that is just being written is empty.
    fn conductor_runs(&mut self, pieces: &[Piece<'_>], now: Millis) -> Vec<ConductorRun> {
        let known = pieces.iter().zip(&self.of).filter(|(_, of)| **of == Some(Of::Conductor));
        let mut roots: Vec<&str> = known.map(|(piece, _)| wire::root_of(&piece.file())).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut files = Vec::new();
        for (piece, of) in pieces.iter().zip(&mut self.of) {
            let file = piece.file();
            let of_run = |root| roots.binary_search(&root).is_ok();
            let beside = || !piece.traffic && of_run(wire::root_of(&file)) && wire::is_read(&file);
            if *of == Some(Of::Conductor) || of.is_none() && beside() {
                *of = Some(Of::Conductor);
                files.push(file);
            }
        }
        let (runs, mut problems) = conductor::read_runs(&files, now);
        self.problems.append(&mut problems);
        runs
    }
}

/// The names of the pieces that a reader took.
fn names<'a>(pieces: &'a [Piece<'_>], of: &[Option<Of>], wanted: &dyn Fn(Of) -> bool) -> Vec<&'a str> {
    let taken = pieces.iter().zip(of).filter(|(_, of)| of.is_some_and(wanted));
    let mut names: Vec<&str> = taken.map(|(piece, _)| piece.name.as_deref().unwrap_or("text")).collect();
    names.dedup();
    names
}

/// What is said of the pieces of a system that is not shown.
fn left_out(pieces: &[Piece<'_>], of: &[Option<Of>], wanted: Of, system: &str) -> String {
    let (own, others) = (names(pieces, of, &|of| of == wanted), names(pieces, of, &|of| of != wanted));
    // A file of several systems is in pieces of one name, or in one that several readers took.
    let mixed = own.iter().all(|name| others.contains(name));
    let own = if own.is_empty() { others } else { own };
    let (shown, more) = own.split_at(own.len().min(5));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let said = if mixed {
        [": what is of ", system, " was left out."]
    } else {
        [": left out, for it is of ", system, "."]
    };
    concat(&[&join(shown, ", "), &more, &concat(&said)])
}
