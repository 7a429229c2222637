//! Reads an event log in parts. The state of its run is known only at the end; until then, the amount that was read is
//! shown.

use super::Document;
use super::open::{open, open_log};
use super::unpack;
use super::unpack::split;
use crate::evidence::{Evidence, Input, Signal, Value};
use crate::file::File;
use crate::format;
use crate::freshness::Freshness;
use crate::header::{Header, smithers_header};
use crate::json::Reader;
use crate::kind;
use crate::log::{self, EventLog, LogProgress};
use crate::run::RunInspection;
use crate::summary::Line;
use crate::text::{after_byte_order_mark, concat, head};
use crate::time::Millis;

/// Number of first lines that are searched: an event of another system among them makes the log one of that system.
const FIRST_LINES: usize = 20;

/// A file that is read in parts: an event log of Smithers.
///
/// A part of a log does not contain the state of its run, which is at the end. After the last part, the result is the
/// document that [`open`](super::open) makes of the whole file.
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
///     "Read 2 of 23 MB. The state of the run is shown once the whole log has been read."
/// );
/// incoming.push(rest);
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
    begun_at: Millis,
    read_bytes: u64,
    size: u64,
    is_broken: bool,
}

impl Incoming {
    /// Starts with the first bytes of a file of `size` bytes. Returns `None` if they do not show that the whole file is
    /// an event log, or if the file is small: the first 16 MiB of a file are searched for lines of tnh-conductor.
    pub fn begin(name: Option<&str>, first: &[u8], size: u64, now: Millis) -> Option<Self> {
        if size <= split::MAX_BYTES as u64 || !is_log(File { name, bytes: first }) {
            return None;
        }
        let name = name.map(str::to_owned);
        let mut incoming =
            Self { log: EventLog::new(), name, begun_at: now, read_bytes: 0, size, is_broken: false };
        incoming.push(first);
        incoming.log.progress().map(|_| incoming)
    }

    /// Adds the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.log.push(bytes);
        self.read_bytes += bytes.len() as u64;
    }

    /// Whether the whole file was read.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.read_bytes >= self.size
    }

    /// Records that the rest cannot be read and returns the problem.
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
        self.is_broken = true;
        let name = self.name.as_deref().unwrap_or("the log");
        let hint = ". It may have been moved or changed; choose it again.";
        concat(&["The browser could not read ", name, " beyond ", &self.amount(), hint])
    }

    /// Returns the run's id, once an event has named it.
    pub(crate) fn run_id(&self) -> Option<String> {
        self.log.progress()?.run_id
    }

    /// Returns the header while only a part has been read.
    #[must_use]
    pub fn header(&self, now: Millis) -> Header {
        let so_far = self.log.progress();
        let run = self.run(so_far.as_ref());
        let mut header = smithers_header(&run, &Freshness::recorded(&run), now);
        let words = if self.is_broken {
            ["Only the first ", " could be read. What the run is doing is not known."]
        } else {
            ["Read ", ". The state of the run is shown once the whole log has been read."]
        };
        let [before, after] = words;
        header.answer.sentence = Line::new(&concat(&[before, &self.amount(), after])).into_spans();
        if let Some(so_far) = so_far {
            header.name = so_far.name();
            let events = format::count(f64::from(so_far.events));
            let last = Line::new(&concat(&[&events, " events so far, the last one of "]));
            header.answer.meta = last.time(so_far.last_event_at, now).words(".").into_spans();
        }
        header
    }

    /// Returns the document of the whole file. A second call returns `None`.
    pub fn finish(&mut self) -> Option<Document> {
        let mut log = std::mem::take(&mut self.log);
        let name = self.name.as_deref();
        log.finish();
        if log.counts().unread == 0 {
            return open_log(log, name, self.begun_at);
        }
        // Lines with damage or with other values: framing reads them.
        let bytes = log.text();
        drop(log);
        open(&[File { name, bytes: &bytes }], self.begun_at).ok()
    }

    /// Returns the amount that was read as text; it is never 100 %.
    fn amount(&self) -> String {
        const MEGABYTE: u64 = 1_000_000;
        concat(&[
            &(self.read_bytes / MEGABYTE).to_string(),
            " of ",
            &self.size.div_ceil(MEGABYTE).to_string(),
            " MB",
        ])
    }

    /// Returns the run without a state.
    fn run(&self, so_far: Option<&LogProgress>) -> RunInspection {
        let read = Input::new(Signal::LogRead, Value::Text(self.amount()), true);
        let from = self.name.as_deref().unwrap_or_default();
        let read_from = concat(&["event log ", from]).trim_ascii_end().to_owned();
        let run = RunInspection {
            run_id: so_far.and_then(|so_far| so_far.run_id.clone()),
            workflow: so_far.and_then(|so_far| so_far.workflow.clone()),
            started_at: so_far.and_then(|so_far| so_far.started_at),
            ..RunInspection::default()
        };
        let evidence = Evidence { inputs: vec![read], read_from, read_at: None };
        RunInspection { verdict: Some(run.unknown_state(evidence)), ..run }
    }
}

/// Whether [`open`](super::open) treats a file with this beginning as an event log, whatever follows.
fn is_log(file: File<'_>) -> bool {
    let text = head(file.bytes);
    let lines =
        file.bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let whole = lines.take(FIRST_LINES).filter(|line| line.ends_with(b"\n")).count();
    whole == FIRST_LINES
        && log::is_event_log(text)
        && !may_be_one_value(text)
        && unpack::first_key(file.bytes).is_none()
        && !kind::conductor::recognises(&[file])
}

/// Whether a text with this beginning may be one JSON value.
fn may_be_one_value(text: &str) -> bool {
    let text = after_byte_order_mark(text);
    match Reader::new(text, 0).skip_value() {
        Ok((_, end)) => text.get(end..).is_none_or(|rest| rest.trim_ascii().is_empty()),
        // No token continues on the next line: an error before the end of a line does not mean that the text is truncated.
        Err(error) => !text.get(error.offset..).is_some_and(|rest| rest.contains('\n')),
    }
}
