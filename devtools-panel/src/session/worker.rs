//! What every session in a worker shares: the clock, the page's commands, and messages to the page.

use futures::channel::mpsc::UnboundedReceiver;
use gloo_timers::future::TimeoutFuture;
use runstate::export::{ExportFile, ExportOptions, export, file_name, write_page};
use runstate::file::File;
use runstate::ingest::{DocumentError, ExportedPage, ExportedView, open};
use runstate::time::Millis;
use runstate::viewer::{
    EventChoice, LogAction, NodeCopy, PaneAction, Place, TreeAction, ViewCommand, Viewer,
};
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::DedicatedWorkerGlobalScope;

use super::protocol::{Answer, Command, Event, ExportRequest, ExportedFile, Printout};
use crate::problem::Problem;

/// The interval at which ages and countdowns are updated, ms.
const TICK_MS: f64 = 1000.0;

/// The page's commands, in order.
pub(super) type Commands = UnboundedReceiver<Command>;

/// A file with its name, if it has one.
pub(super) type NamedBytes = (Option<String>, Vec<u8>);

/// The current time of this machine's monotonic clock, anchored once to its wall clock: it never jumps while the worker
/// lives.
pub(super) fn now() -> Millis {
    scope().performance().map_or_else(
        || Millis(js_sys::Date::now()),
        |performance| Millis(performance.time_origin() + performance.now()),
    )
}

/// Sends the page an event.
pub(super) fn post(event: &Event) {
    let message = serde_wasm_bindgen::to_value(event).unwrap_throw();
    scope().post_message(&message).unwrap_throw();
}

/// Sends the page the changes since the last update.
pub(super) fn post_updates(viewer: &mut Viewer) {
    let updates = viewer.updates(now());
    if !updates.is_empty() {
        post(&Event::Updates(updates));
    }
}

/// Returns the rows and events that only a printout shows.
pub(super) fn printout(viewer: &mut Viewer) -> Printout {
    Printout {
        rows: viewer.all_rows(now()).unwrap_or_default(),
        events: viewer.last_events(),
        missing: None,
        node: viewer.selected_node(now()).map(Box::new),
    }
}

/// Returns a copy from the value in the detail of a node.
///
/// # Errors
/// [`Problem`] if there is nothing to copy.
pub(super) fn copy_value(viewer: &Viewer, what: NodeCopy) -> Result<Answer, Problem> {
    let nothing = || {
        Problem::new("NOTHING_TO_COPY", "The value is no longer on screen.")
            .with_hint("Select a row and copy it again.")
    };
    viewer.copy_value(what).map(Answer::CopyValue).ok_or_else(nothing)
}

/// Selects the node of a place in the run on screen, and searches and filters its tree and its events.
pub(super) fn show(viewer: &mut Viewer, place: Place) {
    let Place { node, tree: query, log, .. } = place;
    viewer.handle(ViewCommand::Select(node), now());
    viewer.handle(ViewCommand::Act(PaneAction::Tree(TreeAction::Query { query })), now());
    viewer.handle(ViewCommand::Act(PaneAction::Log(LogAction::Query(log))), now());
}

/// Writes events of the run on screen for the clipboard.
///
/// # Errors
/// [`DocumentError`] if no run is on screen.
pub(super) fn copy_events(viewer: &mut Viewer, events: EventChoice) -> Result<Answer, Problem> {
    let copy = viewer.copy_events(events, now()).ok_or_else(DocumentError::closed)?;
    Ok(Answer::CopyEvents(copy))
}

/// Resolves when ages and countdowns need an update, or at `wake_at` if that is earlier; at once while the viewer searches, after
/// the commands that wait. Never resolves for a hidden page without a `wake_at`.
pub(super) fn sleep(
    viewer: &Viewer,
    visible: bool,
    wake_at: Option<Millis>,
) -> impl Future<Output = ()> + use<> {
    let wake_at = if viewer.is_searching() { Some(now()) } else { wake_at };
    sleep_until(visible, wake_at)
}

async fn sleep_until(visible: bool, wake_at: Option<Millis>) {
    // At whole seconds, so that a countdown is never out of date by more than a second.
    let tick = visible.then(|| TICK_MS - now().0.rem_euclid(TICK_MS));
    let wake = wake_at.map(|at| at.since(now()).max(0.0));
    match (tick, wake) {
        (None, None) => std::future::pending().await,
        (Some(delay), None) | (None, Some(delay)) => TimeoutFuture::new(delay.ceil() as u32).await,
        (Some(tick), Some(wake)) => TimeoutFuture::new(tick.min(wake).ceil() as u32).await,
    }
}

/// The parts of a viewer's run that are on screen.
pub(super) fn exported_view(viewer: &mut Viewer, request: &ExportRequest) -> ExportedView {
    let mut view = ExportedView::default();
    let node = viewer.selected_key().filter(|_| request.shows_node);
    view.node = node.map(|key| (key.node_id.clone(), key.iteration));
    view.shows_events = request.shows_events;
    view.event = viewer.selected_event(now()).filter(|_| request.shows_events == Some(true));
    view
}

/// Writes files that were read at `read_at` as one redacted export. `run` is the list row of the run on screen, of which a page
/// shows the same view.
///
/// # Errors
/// [`DocumentError`] if the files cannot be exported.
pub(super) fn write_export(
    files: &[NamedBytes],
    read_at: Millis,
    request: &ExportRequest,
    run: Option<usize>,
    view: ExportedView,
) -> Result<ExportedFile, DocumentError> {
    let files: Vec<File<'_>> =
        files.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect();
    let redact: Vec<&str> = request.redact.iter().map(String::as_str).collect();
    let mut options = ExportOptions::new(read_at);
    options.redact = &redact;
    export_file(&export(&files, &options)?, request, run, view)
}

/// The page from which a build makes the single file.
const SINGLE_FILE_TEMPLATE: &str = include_str!("../../../www/single-file.html");

/// The exported document, or the panel's single file that contains it.
fn export_file(
    exported: &ExportFile,
    request: &ExportRequest,
    run: Option<usize>,
    view: ExportedView,
) -> Result<ExportedFile, DocumentError> {
    let (name, summary) = (export_name(&exported.bytes), exported.summary());
    let Some(single_file) = request.single_file.as_string() else {
        let bytes = js_sys::Uint8Array::from(exported.bytes.as_slice());
        return Ok(ExportedFile { name, bytes, summary });
    };
    let document = String::from_utf8_lossy(&exported.bytes).into_owned();
    let page = ExportedPage::new(now(), run, view, document);
    let html = write_page(SINGLE_FILE_TEMPLATE, &single_file, &page)?;
    let bytes = js_sys::Uint8Array::from(html.as_bytes());
    Ok(ExportedFile { name: name.replace(".json", ".html"), bytes, summary })
}

/// Derives the file name from the redacted export, so that no redacted value appears in it.
fn export_name(exported: &[u8]) -> String {
    let document = open(&[File { name: None, bytes: exported }], now()).ok();
    file_name(document.and_then(|document| document.header(None, now())).as_ref(), now())
}

/// The global scope of the worker.
pub(super) fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}
