//! The session of the inspected page's traffic: reads the collected entries.

use futures::{FutureExt, StreamExt, select};
use runstate::file::File;
use runstate::ingest::traffic::Entry;
use runstate::ingest::{DocumentError, open};
use runstate::viewer::{TrafficSource, Viewer};
use wasm_bindgen::JsValue;

use super::protocol::{Answer, Call, Command, Event, ExportRequest, ExportedFile, RunKey};
use super::worker::{
    Commands, copy_events, copy_value, exported_view, now, post, post_updates, printout, sleep, write_export,
};
use crate::problem::Problem;

struct TrafficSession {
    viewer: Viewer,
    /// The id of the last chosen run.
    run_id: String,
    visible: bool,
}

/// Serves the page's commands until the worker is terminated.
pub(super) async fn serve(mut commands: Commands) {
    let viewer = Viewer::new(TrafficSource::default());
    let mut session = TrafficSession { viewer, run_id: String::new(), visible: true };
    post(&Event::Accepted);
    loop {
        post_updates(&mut session.viewer);
        select! {
            command = commands.next() => match command {
                Some(command) => session.on_command(command),
                None => return,
            },
            () = sleep(&session.viewer, session.visible, None).fuse() => {}
        }
    }
}

impl TrafficSession {
    fn on_command(&mut self, command: Command) {
        match command {
            Command::AddTraffic(entries) => self.change(|traffic| add_entries(traffic, entries)),
            Command::ClearTraffic => self.change(TrafficSource::clear),
            Command::Choose(RunKey { index, run_id }) => {
                self.change(|traffic| traffic.choose(index, &run_id));
                self.run_id = run_id;
            }
            Command::List => self.change(TrafficSource::list),
            Command::View(command) => self.viewer.handle(command, now()),
            Command::Call { id, call } => {
                let result = self.answer(call);
                post(&Event::Reply { id, result });
            }
            Command::Visible(visible) => self.visible = visible,
            // The session has no connection: it only reads the page's traffic. No address names a
            // run of a page's traffic.
            Command::Authorize { .. } | Command::Reconnect | Command::Show { .. } => {}
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut TrafficSource)) {
        if let Some(traffic) = self.viewer.traffic() {
            change(traffic);
        }
    }

    fn answer(&mut self, call: Call) -> Result<Answer, Problem> {
        match call {
            Call::Export(request) => Ok(Answer::Export(self.export(&request)?)),
            Call::CopyValue(what) => copy_value(&self.viewer, what),
            Call::Printout => Ok(Answer::Printout(printout(&mut self.viewer))),
            Call::CopyEvents(events) => copy_events(&mut self.viewer, events),
            // Only a live run takes events.
            Call::AddEvents(_) => Err(DocumentError::closed().into()),
        }
    }

    fn export(&mut self, request: &ExportRequest) -> Result<ExportedFile, DocumentError> {
        let traffic = self.viewer.traffic().ok_or_else(DocumentError::closed)?;
        let har = traffic.draft()?.into_bytes();
        // An exported page opens on the run on screen; any other export opens on the list of its server.
        let run = if request.single_file.is_string() { self.row_in(&har) } else { None };
        let view = exported_view(&mut self.viewer, request);
        write_export(&[(None, har)], now(), request, run, view)
    }

    /// The row of the run on screen in a HAR file; `None` if it is the only run.
    fn row_in(&self, har: &[u8]) -> Option<usize> {
        let document = open(&[File { name: None, bytes: har }], now()).ok()?;
        document.rows().iter().position(|row| row.id == self.run_id)
    }
}

fn add_entries(traffic: &mut TrafficSource, entries: JsValue) {
    match serde_wasm_bindgen::from_value::<Vec<Entry>>(entries) {
        Ok(entries) => traffic.take(&entries),
        Err(error) => leptos::logging::error!("cannot read the collected traffic entries: {error}"),
    }
}
