//! The session of a document: reads files, shows them, exports them.

use futures::future::{Fuse, FusedFuture};
use futures::{FutureExt, StreamExt, select};
use js_sys::{JsString, Uint8Array};
use runstate::error_code::ErrorCode;
use runstate::export::{ExportFacts, draft};
use runstate::file::File;
use runstate::format;
use runstate::ingest::{Document, DocumentError, ExportedPage, Incoming, open};
use runstate::run::{Inspection, Recording};
use runstate::time::Millis;
use runstate::viewer::{DocumentSource, NodeKey, ViewCommand, Viewer};
use runstate::word::Vocabulary;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::protocol::{
    Answer, Call, Command, Event, ExportInfo, ExportRequest, ExportedFile, InputFile, RunKey,
};
use super::worker::{
    Commands, NamedBytes, copy_events, copy_value, exported_view, now, post, post_updates, printout, show,
    sleep, write_export,
};
use crate::problem::Problem;

/// Files above this size, in bytes, are probed first, so that an event log is read in chunks and shown meanwhile.
const LARGE_FILE: f64 = (1 << 24) as f64;
/// Bytes of a large file that are probed.
const FIRST_CHUNK: f64 = (1 << 20) as f64;
/// Bytes of a log that are read at once.
const CHUNK: f64 = (1 << 22) as f64;

/// The session of a document.
struct DocumentSession {
    viewer: Viewer,
    content: Exportable,
    /// The time at which the files were read; an export is derived for the same time.
    read_at: Millis,
    /// The rest of a log that is still being read.
    rest: Option<Chunks>,
    visible: bool,
    /// Metadata of the document, if it is inside an exported page.
    export_info: Option<ExportInfo>,
}

/// The source of an export.
enum Exportable {
    Files(Vec<InputFile>),
    Text(String),
}

/// A file that is read chunk by chunk; the next chunk is requested while the last one is processed.
pub(super) struct Chunks {
    blob: Blob,
    position: f64,
    next: Fuse<JsFuture>,
}

/// Opens files and serves the page's commands until the worker is terminated. Refuses files that it cannot read.
pub(super) async fn serve(files: Vec<InputFile>, name: String, commands: Commands) {
    let read_at = now();
    match read(&files, name, read_at).await {
        Ok((source, rest, export_info)) => {
            let content = Exportable::Files(files);
            let viewer = Viewer::new(source);
            DocumentSession { viewer, content, read_at, rest, visible: true, export_info }
                .serve(commands)
                .await;
        }
        Err(problem) => post(&Event::Refused(problem)),
    }
}

/// Opens the built-in recording: a real run's responses, so that the panel has content at first.
pub(super) async fn serve_recording(commands: Commands) {
    let read_at = now();
    let recording = Recording {
        run: include_str!("recording/run.json"),
        snapshot: include_str!("recording/snapshot.json"),
        nodes: include_str!("recording/nodes.json"),
    };
    match recording.read(read_at) {
        Ok(run) => {
            let content = Exportable::Text(draft(&run, read_at).unwrap_or_default());
            let document = Document::from(Inspection::from_answers(run));
            let viewer = Viewer::new(DocumentSource::new(document, "built-in recording"));
            DocumentSession { viewer, content, read_at, rest: None, visible: true, export_info: None }
                .serve(commands)
                .await;
        }
        Err(error) => post(&Event::Refused(DocumentError::from(error).into())),
    }
}

/// Opens the document inside an exported page, on the run and the selection that were on screen.
pub(super) async fn serve_exported_page(page: &InputFile, commands: Commands) {
    let read_at = now();
    match open_exported_page(&page.content.as_string().unwrap_or_default(), read_at) {
        Ok((viewer, document, export_info)) => {
            let content = Exportable::Text(document);
            DocumentSession { viewer, content, read_at, rest: None, visible: true, export_info }
                .serve(commands)
                .await;
        }
        // The reader cannot repair an exported page, so all errors get the same hint.
        Err(error) => post(&Event::Refused(Problem::from(error).with_hint(ExportedPage::HINT))),
    }
}

fn open_exported_page(
    data: &str,
    now: Millis,
) -> Result<(Viewer, String, Option<ExportInfo>), DocumentError> {
    let page = ExportedPage::read(data)?;
    let export_info = export_info(&page);
    let ExportedPage { run, view, document, .. } = page;
    let (shows_node, shows_events) = (view.node.is_some(), view.shows_events);
    let export_info = export_info.map(|info| ExportInfo { shows_node, shows_events, ..info });
    let opened = open(&[File { name: None, bytes: document.as_bytes() }], now)?;
    let run = run.filter(|run| *run < opened.rows().len());
    let mut source = DocumentSource::new(opened, "this file");
    source.choose(run);
    let mut viewer = Viewer::new(source);
    if let Some(event) = view.event {
        viewer.select_event(event, now);
    }
    if let Some((node_id, iteration)) = view.node {
        viewer.handle(ViewCommand::Select(Some(NodeKey { node_id, iteration })), now);
    }
    Ok((viewer, document, export_info))
}

/// Metadata of the document inside an exported page.
fn export_info(page: &ExportedPage) -> Option<ExportInfo> {
    ExportFacts::read(&page.document).map(|facts| ExportInfo {
        exported_at: page.exported_at.to_iso().ok(),
        exported: format::date_clock(page.exported_at),
        sha256: facts.hash.trim_start_matches("sha256:").to_owned(),
        hash_matches: facts.hash_matches,
        shows_node: false,
        shows_events: None,
        left_out: facts.left_out,
        rules: facts.rules,
    })
}

impl DocumentSession {
    async fn serve(mut self, mut commands: Commands) {
        post(&Event::Accepted);
        if let Some(info) = self.export_info.take() {
            post(&Event::ExportInfo(info));
        }
        loop {
            post_updates(&mut self.viewer);
            select! {
                command = commands.next() => match command {
                    Some(command) => self.on_command(command).await,
                    None => return,
                },
                chunk = next_chunk(self.rest.as_mut()).fuse() => self.on_chunk(chunk),
                () = sleep(&self.viewer, self.visible, None).fuse() => {}
            }
        }
    }

    /// Adds a chunk of a log; `None` means that the rest cannot be read.
    fn on_chunk(&mut self, chunk: Option<Vec<u8>>) {
        let Some(document) = self.viewer.document() else { return };
        let expects_more = if let Some(bytes) = chunk {
            document.push(&bytes)
        } else {
            document.break_off();
            false
        };
        if !expects_more {
            self.rest = None;
        }
    }

    async fn on_command(&mut self, command: Command) {
        match command {
            Command::Choose(RunKey { index, .. }) => self.viewer.choose(Some(index)),
            Command::Show(place) => {
                if let Some(document) = self.viewer.document() {
                    match &place.run {
                        Some(run_id) => document.choose_run(run_id),
                        None => document.choose(None),
                    }
                }
                show(&mut self.viewer, *place);
            }
            Command::List => self.viewer.choose(None),
            Command::View(command) => self.viewer.handle(command, now()),
            Command::Visible(visible) => self.visible = visible,
            Command::Call { id, call } => {
                let result = self.answer(call).await;
                post(&Event::Reply { id, result });
            }
            // A document has no connection and no traffic.
            Command::Authorize { .. }
            | Command::Reconnect
            | Command::AddTraffic(_)
            | Command::ClearTraffic => {}
        }
    }

    async fn answer(&mut self, call: Call) -> Result<Answer, Problem> {
        match call {
            Call::Export(request) => Ok(Answer::Export(self.export(&request).await?)),
            Call::CopyValue(what) => copy_value(&self.viewer, what),
            Call::Printout => Ok(Answer::Printout(printout(&mut self.viewer))),
            Call::CopyEvents(events) => copy_events(&mut self.viewer, events),
            // Only a live run takes events.
            Call::AddEvents(_) => Err(DocumentError::closed().into()),
        }
    }

    async fn export(&mut self, request: &ExportRequest) -> Result<ExportedFile, Problem> {
        let files = match &self.content {
            Exportable::Files(files) => read_all(files).await?,
            Exportable::Text(text) => vec![(None, text.clone().into_bytes())],
        };
        let run = self.viewer.document().and_then(|document| document.chosen());
        let view = exported_view(&mut self.viewer, request);
        Ok(write_export(&files, self.read_at, request, run, view)?)
    }
}

/// Reads files completely, or the beginning of one large event log; the rest of the log follows in chunks. A single exported page also
/// has metadata.
async fn read(
    files: &[InputFile],
    name: String,
    now: Millis,
) -> Result<(DocumentSource, Option<Chunks>, Option<ExportInfo>), Problem> {
    if let [file] = files
        && let Some((log, rest)) = begin_log(file, now).await?
    {
        return Ok((DocumentSource::reading(log, name), Some(rest), None));
    }
    let files = read_all(files).await?;
    let files: Vec<File<'_>> =
        files.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
    let document = open(&files, now)?;
    let export_info = match files.as_slice() {
        [page] => ExportedPage::from_html(page.bytes).as_ref().and_then(export_info),
        _ => None,
    };
    Ok((DocumentSource::new(document, name), None, export_info))
}

/// Reads the beginning of a large event log, of which the rest follows in chunks; `None` for any other file.
pub(super) async fn begin_log(file: &InputFile, now: Millis) -> Result<Option<(Incoming, Chunks)>, Problem> {
    let name = file.name.as_deref();
    let Some(blob) = file.content.dyn_ref::<Blob>().filter(|blob| blob.size() > LARGE_FILE) else {
        return Ok(None);
    };
    let first = read_blob(name, &slice(blob, 0.0, FIRST_CHUNK)).await?;
    let log = Incoming::begin(name, &first, blob.size() as u64, now);
    Ok(log.map(|log| (log, Chunks::after(blob.clone(), FIRST_CHUNK))))
}

/// Reads files completely.
pub(super) async fn read_all(files: &[InputFile]) -> Result<Vec<NamedBytes>, Problem> {
    let mut read = Vec::new();
    for InputFile { name, content } in files {
        let bytes = match content.dyn_ref::<JsString>() {
            Some(text) => String::from(text).into_bytes(),
            None => read_blob(name.as_deref(), content.unchecked_ref()).await?,
        };
        read.push((name.clone(), bytes));
    }
    Ok(read)
}

async fn read_blob(name: Option<&str>, blob: &Blob) -> Result<Vec<u8>, Problem> {
    let Ok(buffer) = JsFuture::from(blob.array_buffer()).await else {
        let message = format!("The browser could not read {}.", name.unwrap_or("the file"));
        return Err(Problem::new(ErrorCode::Unreadable.as_str(), message)
            .with_hint("It may have been moved or changed; choose it again."));
    };
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn slice(blob: &Blob, from: f64, to: f64) -> Blob {
    // Fails only for a closed blob; this code never closes one.
    blob.slice_with_f64_and_f64(from, to).unwrap_or_else(|_| blob.clone())
}

impl Chunks {
    fn after(blob: Blob, position: f64) -> Self {
        let next = JsFuture::from(slice(&blob, position, position + CHUNK).array_buffer()).fuse();
        Self { blob, position: position + CHUNK, next }
    }
}

/// Returns the next chunk of a log, `None` if it cannot be read; pending while no log is being read.
pub(super) async fn next_chunk(rest: Option<&mut Chunks>) -> Option<Vec<u8>> {
    let Some(chunks) = rest else { return std::future::pending().await };
    if chunks.next.is_terminated() {
        return std::future::pending().await;
    }
    let buffer: JsValue = (&mut chunks.next).await.ok()?;
    if chunks.position < chunks.blob.size() {
        *chunks = Chunks::after(chunks.blob.clone(), chunks.position);
    }
    Some(Uint8Array::new(&buffer).to_vec())
}
