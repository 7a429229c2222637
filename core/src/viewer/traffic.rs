//! Shows the runs that were observed in a page's traffic.

mod freshness;
mod server_line;
#[cfg(test)]
mod tests;

use super::announcement::{Announcement, Announcer};
use super::row_detail::RowDetail;
use super::run_data::RunData;
use super::run_facts::RunFacts;
use super::run_log::RunLog;
use super::traffic_notes::ConnectTarget;
use super::viewer_source::{ServerRows, ViewerSource};
use super::{Link, NoTree, Screen, Status, traffic_notes, traffic_status};
use crate::clock::Reading;
use crate::format;
use crate::header::{Field, Header, smithers_header};
use crate::ingest::traffic::{Entry, Sender, Server, Traffic};
use crate::ingest::{Document, DocumentError, ListRow};
use crate::lionagi::derive::legacy_chip;
use crate::run::lionagi::LionagiInspection;
use crate::summary::{AnswerPill, Span, freshness_pill};
use crate::text::concat;
use crate::time::Millis;

/// What the events in a page's traffic do not contain.
const RECEIVED: &str = "Only events that the page’s own sockets receive are listed, with the time of their arrival; a Gateway may \
                        push some twice. Open the run’s stream.ndjson for the whole log.";

/// Why a session of Studio has no events.
const NO_STUDIO_EVENTS: &str =
    "No signals of this session were seen in this page’s traffic. Open the session in Studio.";

/// The observed traffic of a page and its servers, and the run of it that is on screen.
///
/// ```
/// use runstate::ingest::traffic::Entry;
/// use runstate::time::Millis;
/// use runstate::viewer::{Screen, TrafficSource, Update, Viewer};
///
/// let mut viewer = Viewer::new(TrafficSource::default());
/// let body = r#"{"ok":true,"apiVersion":"v1","payload":{"runId":"r1","status":"waiting-timer"}}"#;
/// let (url, method) = ("http://127.0.0.1:7331/rpc".to_owned(), "POST".to_owned());
/// let request = Some(r#"{"method":"getRun","params":{"runId":"r1"}}"#.to_owned());
/// let at = Millis(1_700_000_000_000.0);
/// let (status, body, service_worker) = (Some(200), body.to_owned(), false);
/// let entry = Entry::Answer { at, started: at, url, method, request, status, service_worker, body };
/// viewer.traffic().unwrap().take(&[entry]);
/// viewer.traffic().unwrap().choose(0, "r1");
/// let now = Millis(at.0 + 12_000.0);
/// let header = viewer.updates(now).into_iter().find_map(|update| match update {
///     Update::Header(header) => header,
///     _ => None,
/// }).unwrap();
/// assert_eq!(header.state.as_deref(), Some("waiting-timer"));
/// assert_eq!(header.freshness.value(), Some("seen"));
/// ```
#[derive(Debug, Default)]
pub struct TrafficSource {
    traffic: Box<Traffic>,
    /// The sender of the chosen run, and the run's id.
    chosen: Option<(Sender, String)>,
    /// The run that was on screen when the page was reloaded; it is shown again once the page's traffic contains it.
    awaited: Option<(Sender, String)>,
    /// The server and the index of each row.
    rows: Vec<(usize, usize)>,
    /// All senders that were ever observed; their indexes are the numbers of the servers.
    senders: Vec<Sender>,
    announcer: Announcer,
}

impl TrafficSource {
    /// Reads the entries of one poll.
    pub fn take(&mut self, entries: &[Entry]) {
        for entry in entries {
            if let Entry::Navigated { url, kept: false, .. } = entry {
                self.leave_page(url);
            }
            self.traffic.take(entry);
        }
        self.traffic.settle();
        self.list_rows();
        if self.place_of(self.awaited.as_ref()).is_some() {
            self.chosen = self.awaited.take();
            self.announcer = Announcer::default();
        }
        if self.place().is_none() {
            self.chosen = None;
        }
    }

    /// Leaves the run on screen when the page was reloaded or has navigated to another address. If the page's first
    /// address is unknown, this counts as a reload.
    fn leave_page(&mut self, url: &str) {
        let chosen = self.chosen.take();
        let is_reload = self.traffic.navigation().is_none_or(|before| before.url == url);
        self.awaited = if is_reload { chosen.or_else(|| self.awaited.take()) } else { None };
    }

    /// Forgets everything that was observed.
    pub fn clear(&mut self) {
        self.traffic.clear();
        self.list_rows();
        (self.chosen, self.awaited) = (None, None);
    }

    /// Shows a run of the list. `row` is its index at the time when the list was sent; rows may have moved since then.
    pub fn choose(&mut self, row: usize, run_id: &str) {
        let servers = self.traffic.servers();
        let has_run = |server: &&Server| server.find(run_id).is_some();
        let here = self.rows.get(row).map(|(server, _)| &servers[*server]).filter(has_run);
        let server = here.or_else(|| servers.iter().find(has_run));
        self.chosen = server.map(|server| (server.sender().clone(), run_id.to_owned()));
        self.awaited = None;
        self.announcer = Announcer::default();
    }

    /// Shows the list again.
    pub fn list(&mut self) {
        (self.chosen, self.awaited) = (None, None);
    }

    /// Returns the observed traffic of the server whose run is on screen, secrets included, for
    /// [`export`](crate::export::export).
    ///
    /// # Errors
    /// [`DocumentError`] if no run is on screen.
    pub fn draft(&self) -> Result<String, DocumentError> {
        let server = self.place().map(|(server, _)| server);
        server.and_then(|server| self.traffic.har(server)).ok_or_else(DocumentError::closed)
    }

    /// Returns the server and the index of the run on screen.
    fn place(&self) -> Option<(usize, usize)> {
        self.place_of(self.chosen.as_ref())
    }

    fn place_of(&self, run: Option<&(Sender, String)>) -> Option<(usize, usize)> {
        let (sender, run_id) = run?;
        let server = self.traffic.servers().iter().position(|server| server.sender() == sender)?;
        Some((server, self.traffic.servers()[server].find(run_id)?))
    }

    fn server(&self) -> Option<(&Server, usize, usize)> {
        let (server, place) = self.place()?;
        Some((&self.traffic.servers()[server], server, place))
    }

    /// Records the servers and the indexes of the rows.
    fn list_rows(&mut self) {
        let servers = self.traffic.servers();
        for sender in servers.iter().map(Server::sender) {
            if !self.senders.contains(sender) {
                self.senders.push(sender.clone());
            }
        }
        let places = |(server, known): (usize, &Server)| (0..known.len()).map(move |place| (server, place));
        self.rows = servers.iter().enumerate().flat_map(places).collect();
    }

    /// Returns the Gateway and the id of the run on screen.
    fn connect_target(&self) -> Option<ConnectTarget> {
        let (server, ..) = self.server().filter(|(server, ..)| server.is_gateway())?;
        let (_, run_id) = self.chosen.as_ref()?;
        Some(ConnectTarget::new(&server.sender().origin, run_id))
    }

    fn number_of(&self, server: &Server) -> usize {
        self.senders.iter().position(|sender| sender == server.sender()).unwrap_or(self.senders.len())
    }

    /// Returns the numbers of observed answers and messages.
    fn counts(&self, server: &Server, number: usize) -> Vec<Field> {
        let (answers, _) = server.last_answer();
        let answers = (answers > 0).then(|| format!("{} over HTTP", format::count(answers as f64)));
        let messages = self.traffic.counts_of(number).map(|counts| {
            let (received, sent) = (format::count(counts.received as f64), format::count(counts.sent as f64));
            let missing = match counts.missing {
                0 => "none".to_owned(),
                missing => format::count(missing as f64),
            };
            format!("{received} in, {sent} out, {missing} missing")
        });
        let answers = Field::text("seenBy", "Responses", answers);
        answers.into_iter().chain(Field::text("messages", "Messages", messages)).collect()
    }
}

impl ViewerSource for TrafficSource {
    fn name(&self) -> &str {
        self.chosen.as_ref().map(|(sender, _)| sender.origin.as_str()).unwrap_or_default()
    }

    fn screen(&self) -> Screen {
        match (self.place(), self.rows.is_empty()) {
            (Some(_), _) => Screen::Run,
            (None, false) => Screen::Runs,
            (None, true) => Screen::Traffic,
        }
    }

    fn status(&self, now: Millis) -> Status {
        let problems = self.server().and_then(|(server, ..)| server.problems());
        Status {
            screen: self.screen(),
            source: "this page’s traffic".to_owned(),
            has_list: true,
            link: Link::Traffic(Box::new(traffic_status::status(&self.traffic, self.connect_target(), now))),
            ..problems.map_or_else(Status::default, |problems| Status::with_problems(None, problems))
        }
    }

    fn no_tree(&self, _: Millis) -> NoTree {
        match self.server() {
            Some((server, ..)) if !server.is_gateway() => NoTree::in_lionagi(),
            Some(_) | None => NoTree::in_traffic(),
        }
    }

    fn rows(&self) -> Vec<ListRow> {
        let rows = |server: &Server| {
            let rows = server.rows();
            let ahead = server.now(Millis(0.0)).0;
            rows.into_iter().map(move |row| by_viewers_clock(row, ahead))
        };
        self.traffic.servers().iter().flat_map(rows).collect()
    }

    fn row(&self, row: usize) -> Option<ListRow> {
        let (server, place) = *self.rows.get(row)?;
        let server = &self.traffic.servers()[server];
        let row = match server.run(place) {
            Some(run) => ListRow::from_run(run),
            None => server.rows().into_iter().nth(place)?,
        };
        Some(by_viewers_clock(row, server.now(Millis(0.0)).0))
    }

    fn rows_changed_after(&self, version: u64) -> Option<Vec<usize>> {
        self.traffic.rows_changed_after(version)
    }

    fn legacy_label(&self) -> Option<String> {
        let documents = self.traffic.servers().iter().filter_map(Server::document);
        legacy_chip(documents.filter_map(Document::lionagi).map(LionagiInspection::legacy_sessions).sum())
    }

    fn rows_on_screen(&self) -> Vec<usize> {
        let place = self.place();
        self.rows.iter().position(|known| Some(*known) == place).into_iter().collect()
    }

    fn servers(&self) -> Vec<ServerRows> {
        let rows = |server: &Server| ServerRows {
            number: self.number_of(server),
            address: server.sender().name(),
            len: server.len(),
        };
        self.traffic.servers().iter().map(rows).collect()
    }

    fn server_line(&self, number: usize, now: Millis) -> String {
        let servers = self.traffic.servers();
        let server = servers.iter().position(|known| self.number_of(known) == number);
        server.map(|server| self.line_of(server, now)).unwrap_or_default()
    }

    fn row_detail(&self, row: usize, now: Millis) -> RowDetail {
        let Some((server, place)) = self.rows.get(row).copied() else { return RowDetail::default() };
        let known = &self.traffic.servers()[server];
        let server_now = known.now(now);
        let detail = match (known.document(), known.run(place)) {
            (Some(document), _) => {
                let only = document.run(None).map(|run| RowDetail::from_only_run(run, now));
                let listed = || document.read_run(Some(place), |run| RowDetail::from_row(run, now));
                only.or_else(listed).unwrap_or_default()
            }
            (None, Some(run)) => {
                RowDetail::from_run(run, &self.row_freshness(server, place, now), server_now)
            }
            (None, None) => RowDetail::default(),
        };
        let (last_observed, ..) = known.times(place);
        RowDetail { updated_at: last_observed, ..detail }.moved_by(now.since(server_now))
    }

    fn log(&self) -> Option<RunLog<'_>> {
        let (server, _, place) = self.server()?;
        let (_, run_id) = self.chosen.as_ref()?;
        Some(match (server.received(), server.document()) {
            (Some(events), _) => RunLog::Received { events, run_id: run_id.clone(), note: RECEIVED },
            (None, Some(document)) => {
                RunLog::of_document(document, (!document.has_run()).then_some(place), run_id)
            }
            (None, None) => RunLog::Absent(NO_STUDIO_EVENTS),
        })
    }

    fn header(&self, now: Millis) -> Option<Header> {
        let (server, number, place) = self.server()?;
        let freshness = self.freshness(number, place, now);
        let server_now = server.now(now);
        if let Some(document) = server.document() {
            let mut header = document.header((!document.has_run()).then_some(place), now)?;
            let (pill, word) = freshness_pill(&freshness, server_now);
            header.freshness = AnswerPill::Pill { pill, value: word.into(), as_of: None };
            return Some(header);
        }
        let mut header = smithers_header(server.run(place)?, &freshness, Reading::exact(server_now));
        header.fields.extend(self.counts(server, number));
        if server.sender().is_service_worker {
            let note = traffic_notes::service_worker(server.sender().address());
            header.answer.notes.push(vec![Span::Text { text: note }]);
        }
        Some(header)
    }

    fn facts(&self) -> Option<RunFacts<'_>> {
        let (server, _, place) = self.server()?;
        match server.document() {
            Some(document) => RunFacts::of_document(document, (!document.has_run()).then_some(place)),
            None => server.run(place).map(RunFacts::Smithers),
        }
    }

    fn run(&self, now: Millis) -> RunData<'_> {
        let Some((server, number, place)) = self.server() else { return RunData::default() };
        let server_now = server.now(now);
        let document = server.document().map(|found| (found, (!found.has_run()).then_some(place)));
        let old_nodes = self.old_nodes(number, place, now);
        let known_until = self.freshness(number, place, now).known_until(server_now);
        RunData {
            tree: match document {
                Some((document, row)) => document.tree(row),
                None => server.run(place).and_then(|run| run.tree.as_ref()),
            },
            states: document.and_then(|(document, row)| document.node_states(row)),
            known_until: Millis::earliest([known_until, old_nodes].into_iter().flatten()),
            age: old_nodes.map(|at| format!("as of {}", format::ago(server_now.since(at)))),
        }
    }

    fn announcement(&mut self, now: Millis) -> Option<String> {
        let found = self.place().and_then(|(server, place)| {
            let Some(run) = self.traffic.servers()[server].run(place) else {
                let row = *self.rows_on_screen().first()?;
                return Announcement::from_row(self.row(row)?, self.row_detail(row, now));
            };
            let label = run.workflow.clone().or_else(|| run.run_id.clone()).unwrap_or_default();
            Some((label, Announcement::from_run(run, &self.freshness(server, place, now))))
        });
        if let Some((label, announcement)) = found {
            self.announcer.observe(&label, &announcement, now);
        }
        self.announcer.due(now)
    }

    fn list_version(&self) -> u64 {
        self.traffic.revision()
    }

    fn shown_run(&self) -> Option<String> {
        self.chosen.as_ref().map(|(sender, run_id)| concat(&[&sender.name(), "\n", run_id]))
    }
}

/// A row with its time by the viewer's clock, because each server has a clock of its own.
fn by_viewers_clock(row: ListRow, ahead_ms: f64) -> ListRow {
    ListRow { at: row.at.map(|at| Millis(at.0 - ahead_ms)), ..row }
}
