//! A source that shows a live Gateway.

mod freshness;

use super::gateway_log::{EventDraft, GatewayLog};
use super::list_origin::ListOrigin;
use super::row_detail::RowDetail;
use super::run_data::RunData;
use super::run_facts::RunFacts;
use super::run_log::RunLog;
use super::viewer_source::{ViewerSource, add_clock};
use super::{Link, NoTree, Screen, Status};
use crate::clock::Reading;
use crate::export::{draft, draft_list};
use crate::format;
use crate::gateway::{
    Client, ClientEffect, ClientInput, ClientOptions, ConnectionPhase, DetailAnswer, DetailQuestion, Details,
};
use crate::header::{Header, smithers_header};
use crate::ingest::{Document, DocumentError, ListRow, RunEvent};
use crate::refusal::Cause;
use crate::run::RunInspection;
use crate::summary::{AnswerPill, clock_note, freshness_pill};
use crate::time::Millis;
use crate::viewer::announcement::{Announcement, Announcer};

/// A client of one Gateway, which shows its runs or one of them.
///
/// ```
/// use runstate::gateway::{ClientEffect, ClientOptions, Transport};
/// use runstate::time::Millis;
/// use runstate::viewer::{GatewaySource, Screen, Update, Viewer};
///
/// let url = "ws://127.0.0.1:7331".to_owned();
/// let options = ClientOptions::new(url, 1);
/// let mut viewer = Viewer::new(GatewaySource::connect(options, Millis(0.0)));
/// let (effects, _wake_at) = viewer.gateway().unwrap().handle(None, Millis(0.0));
/// assert!(matches!(&effects[..], [ClientEffect::Open { .. }]));
/// let updates = viewer.updates(Millis(0.0));
/// assert!(matches!(&updates[0], Update::Status(status) if status.screen == Screen::Connecting));
/// ```
#[derive(Debug)]
pub struct GatewaySource {
    client: Box<Client>,
    details: Box<Details>,
    url: String,
    announcer: Announcer,
    log: Box<GatewayLog>,
}

impl GatewaySource {
    /// Starts to connect.
    pub fn connect(options: ClientOptions, now: Millis) -> Self {
        let url = options.url.clone();
        let details = Box::new(Details::new(&options));
        let client = Box::new(Client::new(options, now));
        Self { client, details, url, announcer: Announcer::default(), log: Box::default() }
    }

    /// Passes an input to the client. Returns the effects for the adapter and the time of the next call with
    /// [`ClientInput::Timer`].
    pub fn handle(
        &mut self,
        input: Option<ClientInput<'_>>,
        now: Millis,
    ) -> (Vec<ClientEffect>, Option<Millis>) {
        if let Some(input) = input {
            if matches!(input, ClientInput::Watch(_) | ClientInput::List) {
                // A different run's state is not a change of state.
                self.announcer = Announcer::default();
            }
            match &input {
                ClientInput::Watch(run_id) => self.details.show(Some(run_id)),
                ClientInput::List => self.details.show(None),
                ClientInput::Authorise(token) => {
                    self.details.authorise(token.clone());
                    self.log.ask_again();
                }
                ClientInput::Opened | ClientInput::ReconnectNow => self.details.forget_failures(),
                ClientInput::Text(_)
                | ClientInput::HttpResponse(_)
                | ClientInput::Closed { .. }
                | ClientInput::OpenFailed(_)
                | ClientInput::Refused(_)
                | ClientInput::Timer
                | ClientInput::Visible(_)
                | ClientInput::Stop => {}
            }
            self.client.handle(input, now);
            self.log.take(&self.client);
        }
        (std::iter::from_fn(|| self.client.next_effect()).collect(), self.client.wake_at())
    }

    /// Passes an input of the second connection, which carries the answers about single nodes. Returns the effects for the
    /// adapter of that connection and the time of the next call without an input. Call it after each
    /// [`Viewer::updates`](crate::viewer::Viewer::updates), in which a pane may have asked something.
    pub fn handle_details(
        &mut self,
        input: Option<ClientInput<'_>>,
        now: Millis,
    ) -> (Vec<ClientEffect>, Option<Millis>) {
        self.details.handle(input, now);
        (std::iter::from_fn(|| self.details.next_effect()).collect(), self.details.wake_at())
    }

    /// Asks the Gateway for the stored events of the run on screen from now on: the page is of its origin, and can read them.
    pub fn ask_for_stored_events(&mut self) {
        self.log.ask_for_stored();
    }

    /// Returns the path of the Gateway's REST interface that has the next stored events, if any are to be asked for, and the
    /// time of the next call. Call it after each [`Viewer::updates`](crate::viewer::Viewer::updates), and pass the answer to
    /// [`take_stored_events`](Self::take_stored_events).
    pub fn stored_events(&mut self, now: Millis) -> (Option<String>, Option<Millis>) {
        self.log.request(&self.client, now)
    }

    /// Asks for the stored events up to now, for an export or a printout, which wait while
    /// [`waits_for_events`](Self::waits_for_events).
    pub fn need_stored_events(&mut self, now: Millis) {
        self.log.need(&self.client, now);
    }

    /// Whether the Gateway may still send stored events that are needed.
    pub fn waits_for_events(&self, now: Millis) -> bool {
        self.log.is_waited_for(now)
    }

    /// What the Gateway has not sent of the stored events that are needed, as a sentence.
    pub fn missing_events(&self) -> Option<&'static str> {
        self.log.lack()
    }

    /// Takes the answer to a path of stored events; `None` if there was none.
    pub fn take_stored_events(&mut self, path: &str, answer: Option<&str>, now: Millis) {
        self.log.take_stored(path, answer, now);
    }

    /// Records that the events of the run are on screen.
    pub(super) fn want_events(&mut self) {
        self.log.want();
    }

    /// Adds the events of an event log to those of the run on screen. Returns their number.
    ///
    /// # Errors
    /// [`DocumentError`] if the document is no event log of the run.
    pub(super) fn add_events(&mut self, document: Document, name: &str) -> Result<u64, DocumentError> {
        self.log.add(document, name, &self.client)
    }

    /// Asks a question about the run on screen over the second connection; `state` is what is known of the node.
    pub(super) fn ask(&mut self, question: DetailQuestion, state: String, now: Millis) {
        self.details.ask(question, state, now);
    }

    /// Asks again what has failed.
    pub(super) fn ask_again(&mut self) {
        self.details.forget_failures();
    }

    /// The run or the list on screen as the responses it was derived from, secrets included, for
    /// [`export`](crate::export::export).
    ///
    /// # Errors
    /// [`DocumentError`] if neither is on screen.
    pub fn draft(&self, now: Millis) -> Result<String, DocumentError> {
        let (now, known) = (self.client.clock().now(now), self.client.inspection());
        let draft_text = match (&known.run, self.client.listed(), self.client.run_id()) {
            (Some(run), _, _) => draft(run, now),
            (None, Some(answer), None) if !known.runs.is_empty() => {
                Some(draft_list(answer, &known.runs, self.client.approvals(), now))
            }
            (None, _, _) => None,
        };
        draft_text.ok_or_else(DocumentError::closed)
    }

    /// The stored events of the run on screen, secrets included, to be exported together with its [`draft`](Self::draft).
    pub fn draft_events(&self) -> EventDraft {
        self.log.draft(&self.client)
    }

    /// The server's time.
    pub(super) fn server_now(&self, now: Millis) -> Millis {
        self.client.clock().now(now)
    }

    fn link(&self, now: Millis) -> Link {
        match self.screen() {
            Screen::Connecting => Link::Connecting {
                has_answered: self.client.clock().read(now).is_some(),
                failure: self.client.open_failure(),
                retry_in: self.client.retry().map(|retry| format::age(retry.at.since(now))),
            },
            Screen::Run | Screen::Refusal
                if (self.watched().is_some() || self.opening().is_some())
                    && self.shown_freshness(now).is_lost() =>
            {
                Link::Lost
            }
            Screen::Run | Screen::Runs | Screen::Refusal | Screen::Nothing | Screen::Traffic => {
                Link::Connected
            }
        }
    }

    /// All data about a listed run: for the watched run, that of its header.
    fn newest<'a>(&'a self, listed: &'a RunInspection) -> &'a RunInspection {
        let watched = self.watched().filter(|run| run.run_id.is_some() && run.run_id == listed.run_id);
        watched.unwrap_or(listed)
    }

    fn watched(&self) -> Option<&RunInspection> {
        self.client.inspection().run.as_ref()
    }

    /// What the list knows about the run that is being opened, so that its header is there before the Gateway answers.
    fn opening(&self) -> Option<&RunInspection> {
        let run_id = self.client.run_id().filter(|_| self.client.refusal().is_none())?;
        if self.watched().is_some() {
            return None;
        }
        let mut rows = self.client.inspection().runs.iter();
        rows.find(|row| row.run_id.as_deref() == Some(run_id)).map(|row| self.newest(row))
    }
}

impl ViewerSource for GatewaySource {
    fn screen(&self) -> Screen {
        let is_listed = self.client.revision().runs > 0;
        match (self.watched(), self.client.phase(), self.client.refusal()) {
            // The run is gone: its last state is no state that it has.
            (Some(_), _, Some(refusal)) if refusal.cause() == Cause::Run => Screen::Refusal,
            (Some(_), _, _) => Screen::Run,
            (None, _, Some(_)) => Screen::Refusal,
            (None, _, None) if self.opening().is_some() => Screen::Run,
            (None, ConnectionPhase::Choosing, None) if is_listed => Screen::Runs,
            (
                None,
                ConnectionPhase::Connecting
                | ConnectionPhase::Handshaking
                | ConnectionPhase::Choosing
                | ConnectionPhase::Watching
                | ConnectionPhase::Waiting
                | ConnectionPhase::Stopped,
                None,
            ) => Screen::Connecting,
        }
    }

    fn status(&self, now: Millis) -> Status {
        let screen = self.screen();
        // The screen of a refusal says it above the last state.
        let listed = self.client.refusal().filter(|_| screen != Screen::Refusal);
        Status {
            screen,
            link: self.link(now),
            source: self.url.clone(),
            run: self.client.run_id().map(str::to_owned),
            has_list: true,
            refusal: self.client.refusal().cloned(),
            ..Status::with_problems(listed, &self.client.inspection().problems)
        }
    }

    fn no_tree(&self, now: Millis) -> NoTree {
        NoTree::in_gateway(self.client.tree_refusal(), self.shown_freshness(now).is_lost())
    }

    fn rows(&self) -> Vec<ListRow> {
        let listed = &self.client.inspection().runs;
        listed.iter().map(|run| ListRow::from_run(self.newest(run))).collect()
    }

    fn row_detail(&self, row: usize, now: Millis) -> RowDetail {
        let Some(listed) = self.client.inspection().runs.get(row) else { return RowDetail::default() };
        let run = self.newest(listed);
        let (freshness, now) = (self.row_freshness(run, now), self.server_now(now));
        let mut detail = RowDetail::from_run(run, &freshness, now);
        // The state of a run that has ended has no age of its own, but another process can reopen the run.
        if let (Some(AnswerPill::Pill { as_of: as_of @ None, .. }), Some(read_at)) =
            (&mut detail.pill, freshness.old_since())
        {
            *as_of = Some(format!("as of {}", format::ago(now.since(read_at))));
        }
        let is_old = |pill: &AnswerPill| matches!(pill, AnswerPill::Pill { as_of: Some(_), .. });
        RowDetail { pill: detail.pill.filter(is_old), ..detail }
    }

    fn header(&self, now: Millis) -> Option<Header> {
        // A row does not say enough to act on it.
        let opening = self.opening().map(|row| RunInspection { reason_is_new: true, ..row.clone() });
        let run = self.watched().or(opening.as_ref())?;
        let reading = self.client.clock().read(now);
        let clock = reading.unwrap_or(Reading { now, error_ms: f64::INFINITY });
        let mut header = smithers_header(run, &self.shown_freshness(now), clock);
        header.answer.notes.extend(reading.and_then(|reading| clock_note(reading, now)));
        let bounded = reading.filter(|reading| reading.error_ms.is_finite());
        add_clock(&mut header, bounded.map(|clock| format::offset(clock.now.since(now), clock.error_ms)));
        Some(header)
    }

    fn run(&self, now: Millis) -> RunData<'_> {
        let states = self.client.nodes_freshness(now);
        let both = [Some(self.client.freshness(now)), states].into_iter().flatten();
        RunData {
            tree: self.watched().and_then(|run| run.tree.as_ref()),
            states: None,
            known_until: Millis::earliest(
                both.filter_map(|freshness| freshness.known_until(self.server_now(now))),
            ),
            age: self.tree_age(now),
        }
    }

    fn log(&self) -> Option<RunLog<'_>> {
        self.log.log(&self.client)
    }

    fn facts(&self) -> Option<RunFacts<'_>> {
        self.watched().map(RunFacts::Smithers)
    }

    fn detail(&self, question: &DetailQuestion) -> Option<&DetailAnswer> {
        self.details.answer(question)
    }

    fn last_events(&mut self) -> Vec<RunEvent> {
        self.log.last_events(&self.client)
    }

    fn announcement(&mut self, now: Millis) -> Option<String> {
        if let Some(run) = self.client.inspection().run.as_ref() {
            let label = run.workflow.as_deref().or(run.run_id.as_deref()).unwrap_or_default();
            self.announcer.observe(label, &Announcement::from_run(run, &self.client.freshness(now)), now);
        }
        self.announcer.due(now)
    }

    fn row(&self, row: usize) -> Option<ListRow> {
        let listed = self.client.inspection().runs.get(row)?;
        Some(ListRow::from_run(self.newest(listed)))
    }

    fn list_version(&self) -> u64 {
        self.client.revision().runs
    }

    fn rows_changed_after(&self, version: u64) -> Option<Vec<usize>> {
        self.client.rows_changed_after(version)
    }

    // The rows of the watched run must match its header.
    fn version_on_screen(&self) -> u64 {
        self.client.revision().header
    }

    fn name(&self) -> &str {
        &self.url
    }

    fn rows_on_screen(&self) -> Vec<usize> {
        let Some(run_id) = self.client.run_id() else { return Vec::new() };
        let rows = self.client.inspection().runs.iter().enumerate();
        rows.filter(|(_, run)| run.run_id.as_deref() == Some(run_id)).map(|(row, _)| row).collect()
    }

    fn shown_run(&self) -> Option<String> {
        self.client.run_id().map(str::to_owned)
    }

    fn list_origin(&self, now: Millis) -> Option<ListOrigin> {
        let (pill, word) = freshness_pill(&self.client.list_freshness(now), self.server_now(now));
        let freshness = AnswerPill::Pill { pill, value: word.into(), as_of: None };
        let (_, address) = self.url.split_once("://")?;
        Some(ListOrigin { address: address.trim_end_matches('/').to_owned(), freshness })
    }

    fn list_now(&self, now: Millis) -> Millis {
        self.server_now(now)
    }
}
