//! An event log that is read while it comes in. What its run is doing is told at its end; until then, how much was read.

use super::Document;
use super::open::open_log;
use super::unpack;
use super::unpack::split;
use crate::conductor::wire;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::file::File;
use crate::format;
use crate::freshness::Freshness;
use crate::header::{Header, of_run};
use crate::json::Reader;
use crate::log::{self, EventLog, LogProgress};
use crate::run::{RunInspection, Verdict};
use crate::smithers::wire::{RunState, RunStateView};
use crate::summary::Line;
use crate::text::{concat, head};
use crate::time::Millis;

/// Among so many lines another system's event makes a log that of the other system.
const FIRST_LINES: usize = 20;

/// A file that is read piece by piece: an event log of Smithers.
///
/// A log of which a part was read says nothing of what its run is doing: that stands at its end. When all of it is read, it is
/// the document that [`open`](super::open) makes of the whole.
///
/// ```
/// use runstate::summary::text;
/// use runstate::ingest::Incoming;
/// use runstate::time::Millis;
///
/// let event = |number: u32| format!("{{\"type\":\"FrameCommitted\",\"runId\":\"r\",\"frameNo\":{number},\"timestampMs\":{number}}}\n");
/// let log: String = (0..40_000).map(event).collect();
/// let log = log + "{\"type\":\"RunFinished\",\"runId\":\"r\",\"timestampMs\":50000}\n" + &" ".repeat(20_000_000);
/// let (first, rest) = log.as_bytes().split_at(2_000_000);
///
/// let mut incoming = Incoming::begin(Some("events.ndjson"), first, log.len() as u64, Millis(60_000.0)).unwrap();
/// let header = incoming.header(Millis(60_000.0));
/// assert_eq!((header.name.as_str(), header.state.as_deref()), ("r", Some("unknown")));
/// assert_eq!(
///     text(&header.answer.sentence),
///     "Read 2 of 23 MB. What the run is doing is told when the whole log is read."
/// );
/// incoming.push(rest);
/// assert!(incoming.is_whole());
/// let document = incoming.finish().unwrap();
/// assert_eq!(document.header(None, Millis(60_000.0)).unwrap().state.as_deref(), Some("succeeded"));
///
/// // Any other document is read as a whole.
/// assert!(Incoming::begin(None, b"{\"runId\":\"r\",\"state\":\"running\"}", 9_000_000, Millis(0.0)).is_none());
/// ```
#[derive(Debug)]
pub struct Incoming {
    log: EventLog,
    name: Option<String>,
    began: Millis,
    read: u64,
    size: u64,
    broken: bool,
}

impl Incoming {
    /// Begins with the first bytes of a file that has `size` of them. `None` where they do not tell that all of it is an event log,
    /// and where it is small: a file of 16 MiB is looked through first for lines of tnh-conductor.
    pub fn begin(name: Option<&str>, first: &[u8], size: u64, now: Millis) -> Option<Self> {
        if size <= split::MAX_BYTES as u64 || !is_log(File { name, bytes: first }) {
            return None;
        }
        let name = name.map(str::to_owned);
        let mut incoming = Self { log: EventLog::new(), name, began: now, read: 0, size, broken: false };
        incoming.push(first);
        incoming.log.progress().map(|_| incoming)
    }

    /// When it was begun: all of it is read for that moment.
    ///
    /// ```
    /// use runstate::ingest::Incoming;
    /// use runstate::time::Millis;
    ///
    /// let log = "{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1}\n".repeat(20);
    /// let incoming = Incoming::begin(None, log.as_bytes(), 20_000_000, Millis(7.0)).unwrap();
    /// assert_eq!((incoming.began(), incoming.is_whole()), (Millis(7.0), false));
    /// ```
    #[must_use]
    pub fn began(&self) -> Millis {
        self.began
    }

    /// Takes in the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.log.push(bytes);
        self.read += bytes.len() as u64;
    }

    /// Whether all of it was read.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.read >= self.size
    }

    /// Says that the rest cannot be read, and what is wrong, in words.
    ///
    /// ```
    /// use runstate::summary::text;
    /// use runstate::ingest::Incoming;
    /// use runstate::time::Millis;
    ///
    /// let log = "{\"type\":\"RunStarted\",\"runId\":\"r\",\"timestampMs\":1}\n".repeat(30_000);
    /// let mut incoming = Incoming::begin(None, log.as_bytes(), 90_000_000, Millis(7.0)).unwrap();
    /// assert!(incoming.break_off().contains("beyond 1 of 90 MB"));
    /// let header = incoming.header(Millis(7.0));
    /// assert_eq!(header.state.as_deref(), Some("unknown"), "what came after the start is not known");
    /// assert!(text(&header.answer.sentence).starts_with("Only the first 1 of 90 MB could be read."));
    /// ```
    pub fn break_off(&mut self) -> String {
        self.broken = true;
        let name = self.name.as_deref().unwrap_or("the log");
        let hint = ". It may have been moved or changed; choose it again.";
        concat(&["The browser could not read ", name, " beyond ", &self.amount(), hint])
    }

    /// What there is to say while a part was read.
    #[must_use]
    pub fn header(&self, now: Millis) -> Header {
        let so_far = self.log.progress();
        let run = self.run(so_far.as_ref());
        let mut header = of_run(&run, &Freshness::recorded(&run), now);
        let words = if self.broken {
            ["Only the first ", " could be read. What the run is doing is not known."]
        } else {
            ["Read ", ". What the run is doing is told when the whole log is read."]
        };
        let [before, after] = words;
        header.answer.sentence = Line::new(&concat(&[before, &self.amount(), after])).parts();
        if let Some(so_far) = so_far {
            header.name = so_far.name();
            let events = format::count(f64::from(so_far.events));
            let last = Line::new(&concat(&[&events, " events so far, the last one of "]));
            header.answer.meta = last.time(so_far.last_event_at, now).words(".").parts();
        }
        header
    }

    /// The document that all of it is. Nothing is left here: a second time it is `None`.
    pub fn finish(&mut self) -> Option<Document> {
        open_log(std::mem::take(&mut self.log), self.name.as_deref(), self.began)
    }

    /// How much was read: never all of it.
    fn amount(&self) -> String {
        const MEGABYTE: u64 = 1_000_000;
        concat(&[
            &(self.read / MEGABYTE).to_string(),
            " of ",
            &self.size.div_ceil(MEGABYTE).to_string(),
            " MB",
        ])
    }

    /// What is known of the run: who it is, and that no state is told yet.
    fn run(&self, so_far: Option<&LogProgress>) -> RunInspection {
        let read = Input {
            name: Signal::LogRead,
            value: Value::Text(self.amount()),
            at: None,
            limit_ms: None,
            decisive: true,
        };
        let from = self.name.as_deref().unwrap_or_default();
        let read_from = concat(&["event log ", from]).trim_ascii_end().to_owned();
        let view = RunStateView {
            run_id: so_far.and_then(|so_far| so_far.run_id.clone()).unwrap_or_default(),
            computed_at: None,
            state: RunState::Unknown.into(),
            blocked: None,
            unhealthy: None,
        };
        RunInspection {
            run_id: so_far.and_then(|so_far| so_far.run_id.clone()),
            workflow: so_far.and_then(|so_far| so_far.workflow.clone()),
            started_at: so_far.and_then(|so_far| so_far.started_at),
            verdict: Verdict::Derived {
                view,
                evidence: Evidence { inputs: vec![read], read_from, read_at: None },
            },
            ..RunInspection::default()
        }
    }
}

/// Whether a file that begins like this is an event log for [`open`](super::open), whatever comes after.
fn is_log(file: File<'_>) -> bool {
    let text = head(file.bytes);
    let lines =
        file.bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let whole = lines.take(FIRST_LINES).filter(|line| line.ends_with(b"\n")).count();
    whole == FIRST_LINES
        && log::is_event_log(text)
        && !may_be_one_value(text)
        && unpack::first_key(file.bytes).is_none()
        && !wire::recognises(&[file])
}

/// Whether a text that begins like this may be one JSON value.
fn may_be_one_value(text: &str) -> bool {
    let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    match Reader::new(text, begin).skip_value() {
        Ok((_, end)) => text.get(end..).is_none_or(|rest| rest.trim_ascii().is_empty()),
        // No token goes over the end of a line: what is wrong before one is not that the text is cut.
        Err(error) => !text.get(error.offset..).is_some_and(|rest| rest.contains('\n')),
    }
}
