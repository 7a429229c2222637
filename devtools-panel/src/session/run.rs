//! The worker's side of a session: one task that owns the source and answers the page's commands.

use futures::channel::mpsc::unbounded;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::MessageEvent;

use super::protocol::{Event, Source};
use super::worker::{Commands, post, scope};
use super::{document, gateway, traffic};

/// Starts the worker. A message that cannot be read throws; the page receives that as the worker's `error` event.
pub(crate) fn run() {
    let (sender, commands) = unbounded();
    let mut commands = Some(commands);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        // The first message is the source, all others are commands.
        if let Some(commands) = commands.take() {
            let source = serde_wasm_bindgen::from_value(message.data()).unwrap_throw();
            wasm_bindgen_futures::spawn_local(serve(source, commands));
        } else {
            let command = serde_wasm_bindgen::from_value(message.data()).unwrap_throw();
            // Fails only for a refused source, whose worker the page terminates.
            let _ = sender.unbounded_send(command);
        }
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The handler lives as long as the worker.
    on_message.forget();
    post(&Event::Ready);
}

/// Serves the session of a source.
async fn serve(source: Source, commands: Commands) {
    match source {
        Source::Gateway { address, token, run_id } => {
            gateway::serve(address, token, run_id, commands).await;
        }
        Source::Files { files, name } => document::serve(files, name, commands).await,
        Source::Recording => document::serve_recording(commands).await,
        Source::ExportedPage(page) => document::serve_exported_page(&page, commands).await,
        Source::Traffic => traffic::serve(commands).await,
    }
}
