//! A session with a live Gateway: drives the core's client with the browser's network and timers.

use futures::{FutureExt, StreamExt, select};
use runstate::error_code::ErrorCode;
use runstate::file::File;
use runstate::format;
use runstate::gateway::{
    ANSWER_LIMIT_MS, ClientEffect, ClientInput, ClientOptions, DETAIL_LIMIT_MS, OpenFailure, Token,
};
use runstate::ingest::{Document, DocumentError, Incoming, open};
use runstate::time::Millis;
use runstate::viewer::{GatewaySource, Viewer};
use runstate::word::Vocabulary;

use super::connection::{Connection, ConnectionEvent};
use super::diagnosis::{Diagnosis, Finding};
use super::document::{Chunks, begin_log, next_chunk, read_all};
use super::protocol::{
    Answer, Call, Command, Event, ExportRequest, ExportedFile, InputFile, Printout, RunKey,
};
use super::rest::{Rest, RestAnswer};
use super::worker::{
    Commands, copy_events, copy_value, exported_view, now, post, post_updates, printout, show, sleep,
    write_export,
};
use crate::problem::Problem;

struct GatewaySession {
    viewer: Viewer,
    connection: Connection,
    /// The second connection, for the details of nodes: their answers can be large, and must not delay the others.
    details: Connection,
    /// The stored events; `None` if the page is not of the Gateway's origin.
    rest: Option<Rest>,
    diagnosis: Diagnosis,
    /// Whether the Gateway has ever answered; afterwards failures are not diagnosed.
    has_answered: bool,
    visible: bool,
    /// The time at which the client must be called again.
    wake_at: Option<Millis>,
    /// The same for the second connection.
    details_wake_at: Option<Millis>,
    /// The same for the stored events.
    events_wake_at: Option<Millis>,
    /// The large logs that are being added, of which the first one is read.
    adding: Vec<AddedLog>,
    /// The logs that have been read, each with the id of the question and its name. They are added one turn later, so that
    /// commands are answered in between.
    read: Vec<(u32, String, Result<Document, Problem>)>,
    /// The questions that are answered once the stored events have arrived, each with its id.
    waiting: Vec<(u32, Call)>,
}

/// A large log that is read in chunks, to be added to the events of the run on screen.
struct AddedLog {
    /// The id of the question.
    id: u32,
    name: String,
    log: Incoming,
    rest: Chunks,
}

/// Connects, and serves the page's commands until the worker is terminated.
pub(super) async fn serve(
    address: String,
    token: Option<String>,
    run_id: Option<String>,
    mut commands: Commands,
) {
    let mut session = GatewaySession::new(address, token, run_id);
    post(&Event::Accepted);
    session.handle(None).await;
    loop {
        post_updates(&mut session.viewer);
        session.handle_details(None).await;
        session.ask_for_events();
        session.answer_waiting();
        let at_once = (!session.read.is_empty()).then(now);
        let times =
            [at_once, session.wake_at, session.details_wake_at, session.events_wake_at].into_iter().flatten();
        let wake_at = times.reduce(|one, other| if one <= other { one } else { other });
        select! {
            event = session.connection.next().fuse() => session.on_connection_event(event).await,
            event = session.details.next().fuse() => session.on_details_event(event).await,
            answer = Rest::next(&mut session.rest).fuse() => session.on_events(&answer),
            chunk = next_chunk(session.adding.first_mut().map(|adding| &mut adding.rest)).fuse() => session.on_chunk(chunk),
            finding = session.diagnosis.next().fuse() => session.on_finding(finding).await,
            command = commands.next() => match command {
                Some(command) => session.on_command(command).await,
                None => return,
            },
            () = sleep(&session.viewer, session.visible, wake_at).fuse() => {
                session.add_read_logs();
                session.handle(Some(ClientInput::Timer)).await;
            }
        }
    }
}

impl GatewaySession {
    fn new(address: String, token: Option<String>, run_id: Option<String>) -> Self {
        let token = token.filter(|token| !token.is_empty());
        let connection = Connection::new(&address, token.clone(), ANSWER_LIMIT_MS);
        let details = Connection::new(&address, token.clone(), DETAIL_LIMIT_MS);
        let rest = Rest::new(&address, token.clone());
        let mut options = ClientOptions::new(address, (js_sys::Math::random() * f64::from(u32::MAX)) as u64);
        options.token = token.map(Token::new);
        options.run_id = run_id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
        options.transport = connection.transport();
        let diagnosis = Diagnosis::new(&options.url, options.transport);
        let mut source = GatewaySource::connect(options, now());
        if rest.is_some() {
            source.ask_for_stored_events();
        }
        Self {
            viewer: Viewer::new(source),
            connection,
            details,
            rest,
            diagnosis,
            has_answered: false,
            visible: true,
            wake_at: None,
            details_wake_at: None,
            events_wake_at: None,
            adding: Vec::new(),
            read: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Passes an input to the client and performs the effects that it returns.
    async fn handle(&mut self, input: Option<ClientInput<'_>>) {
        let Some(client) = self.viewer.gateway() else { return };
        let (effects, wake_at) = client.handle(input, now());
        self.wake_at = wake_at;
        carry_out(effects, &mut self.connection).await;
    }

    /// The same for the second connection.
    async fn handle_details(&mut self, input: Option<ClientInput<'_>>) {
        let Some(client) = self.viewer.gateway() else { return };
        let (effects, wake_at) = client.handle_details(input, now());
        self.details_wake_at = wake_at;
        carry_out(effects, &mut self.details).await;
    }

    /// Asks for stored events if the core wants some.
    fn ask_for_events(&mut self) {
        let Some(rest) = &mut self.rest else { return };
        let Some(client) = self.viewer.gateway() else { return };
        let (path, wake_at) = client.stored_events(now());
        self.events_wake_at = wake_at;
        if let Some(path) = path {
            rest.ask(path);
        }
    }

    /// Answers the questions that no longer wait for stored events.
    fn answer_waiting(&mut self) {
        let is_waiting = |source: &mut GatewaySource| source.waits_for_events(now());
        if !self.waiting.is_empty() && !self.viewer.gateway().is_some_and(is_waiting) {
            self.answer_at_once();
        }
    }

    /// Answers the questions that wait, with the events that have arrived.
    fn answer_at_once(&mut self) {
        for (id, call) in std::mem::take(&mut self.waiting) {
            let result = match call {
                Call::Export(request) => self.export(&request).map(Answer::Export).map_err(Problem::from),
                Call::Printout => Ok(Answer::Printout(self.printout())),
                Call::CopyValue(_) | Call::CopyEvents(_) | Call::AddEvents(_) => continue,
            };
            post(&Event::Reply { id, result });
        }
    }

    fn on_events(&mut self, answer: &RestAnswer) {
        if let Some(client) = self.viewer.gateway() {
            client.take_stored_events(&answer.path, answer.text.as_deref(), now());
        }
    }

    async fn on_details_event(&mut self, event: ConnectionEvent) {
        self.handle_details(Some(event.input())).await;
    }

    async fn on_connection_event(&mut self, event: ConnectionEvent) {
        match &event {
            ConnectionEvent::Opened => {}
            ConnectionEvent::Text(_) | ConnectionEvent::Response(_) => self.has_answered = true,
            ConnectionEvent::Redirected => {
                self.handle(Some(ClientInput::OpenFailed(OpenFailure::Redirected))).await;
            }
            ConnectionEvent::Closed { .. } if self.has_answered => {}
            ConnectionEvent::Closed { .. } => self.diagnosis.start(),
        }
        self.handle(Some(event.input())).await;
    }

    async fn on_finding(&mut self, finding: Finding) {
        let input = match finding {
            Finding::Failed(failure) => ClientInput::OpenFailed(failure),
            Finding::Refused(refusal) => ClientInput::Refused(refusal),
        };
        self.handle(Some(input)).await;
    }

    async fn on_command(&mut self, command: Command) {
        match command {
            Command::Choose(RunKey { run_id, .. }) => {
                self.answer_at_once();
                self.handle(Some(ClientInput::Watch(&run_id))).await;
            }
            Command::Show(place) => {
                self.answer_at_once();
                let input = place.run.as_deref().map_or(ClientInput::List, ClientInput::Watch);
                self.handle(Some(input)).await;
                show(&mut self.viewer, *place);
            }
            Command::List => {
                self.answer_at_once();
                self.handle(Some(ClientInput::List)).await;
            }
            Command::Reconnect => self.handle(Some(ClientInput::ReconnectNow)).await,
            Command::Authorize { token } => {
                self.connection.set_token(token.clone());
                self.details.set_token(token.clone());
                if let Some(rest) = &mut self.rest {
                    rest.set_token(token.clone());
                }
                self.handle(Some(ClientInput::Authorise(Some(Token::new(token))))).await;
            }
            Command::Visible(visible) => {
                self.visible = visible;
                self.handle(Some(ClientInput::Visible(visible))).await;
            }
            Command::View(command) => self.viewer.handle(command, now()),
            Command::Call { id, call } => self.on_call(id, call).await,
            // These commands apply only to the inspected page's traffic.
            Command::AddTraffic(_) | Command::ClearTraffic => {}
        }
    }

    /// Answers a question, now or when the stored events that it needs have arrived.
    async fn on_call(&mut self, id: u32, call: Call) {
        let result = match call {
            Call::Export(_) | Call::Printout => {
                if let Some(source) = self.viewer.gateway() {
                    source.need_stored_events(now());
                }
                self.waiting.push((id, call));
                return;
            }
            Call::CopyValue(what) => copy_value(&self.viewer, what),
            Call::CopyEvents(events) => copy_events(&mut self.viewer, events),
            Call::AddEvents(file) => match self.add_events(id, file).await {
                Ok(Some(answer)) => Ok(answer),
                Ok(None) => return,
                Err(problem) => Err(problem),
            },
        };
        post(&Event::Reply { id, result });
    }

    fn printout(&mut self) -> Printout {
        let missing = self.viewer.gateway().and_then(|source| source.missing_events()).map(str::to_owned);
        Printout { missing, ..printout(&mut self.viewer) }
    }

    /// Adds an event log to the events of the run on screen; `None` if it is large, and is added when it has been read.
    async fn add_events(&mut self, id: u32, file: InputFile) -> Result<Option<Answer>, Problem> {
        let name = file.name.clone().unwrap_or_else(|| "the pasted text".to_owned());
        if let Some((log, rest)) = begin_log(&file, now()).await? {
            self.adding.push(AddedLog { id, name, log, rest });
            return Ok(None);
        }
        let files = read_all(&[file]).await?;
        let files: Vec<File<'_>> =
            files.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
        self.add_document(open(&files, now())?, &name).map(Some)
    }

    /// Adds a chunk of a log; `None` means that the rest cannot be read.
    fn on_chunk(&mut self, chunk: Option<Vec<u8>>) {
        let Some(AddedLog { log, .. }) = self.adding.first_mut() else { return };
        if let Some(bytes) = &chunk {
            log.push(bytes);
            if !log.is_whole() {
                return;
            }
        }
        let document = chunk.and_then(|_| log.finish()).ok_or_else(|| {
            let message = log.break_off();
            Problem::new(ErrorCode::Unreadable.as_str(), message)
        });
        let AddedLog { id, name, .. } = self.adding.remove(0);
        self.read.push((id, name, document));
    }

    fn add_read_logs(&mut self) {
        for (id, name, document) in std::mem::take(&mut self.read) {
            let result = document.and_then(|document| self.add_document(document, &name));
            post(&Event::Reply { id, result });
        }
    }

    fn add_document(&mut self, document: Document, name: &str) -> Result<Answer, Problem> {
        let count = self.viewer.add_events(document, name)?;
        let count = format::count(count as f64);
        Ok(Answer::AddEvents(format!("The events of this run have the {count} events of {name} now.")))
    }

    fn export(&mut self, request: &ExportRequest) -> Result<ExportedFile, DocumentError> {
        let client = self.viewer.gateway().ok_or_else(DocumentError::closed)?;
        let (draft, events) = (client.draft(now())?, client.draft_events());
        let missing = events.missing();
        let mut files = vec![(None, draft.into_bytes())];
        if !events.text.is_empty() {
            files.push((Some("events.ndjson".to_owned()), events.text.into_bytes()));
        }
        let view = exported_view(&mut self.viewer, request);
        let mut file = write_export(&files, now(), request, None, view)?;
        if let Some(missing) = missing {
            file.summary = format!("{} {missing}", file.summary);
        }
        Ok(file)
    }
}

/// Performs effects on a connection.
async fn carry_out(effects: Vec<ClientEffect>, connection: &mut Connection) {
    for effect in effects {
        match effect {
            ClientEffect::Open { url } => connection.open(&url),
            ClientEffect::Send(frame) => connection.send(frame).await,
            ClientEffect::Close => connection.close(),
        }
    }
}
