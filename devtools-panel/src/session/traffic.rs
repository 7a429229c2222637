//! The session of the inspected page's traffic: reads the collected entries.

use futures::{FutureExt, StreamExt, select};
use runstate::file::File;
use runstate::ingest::open;
use runstate::ingest::traffic::Entry;
use runstate::viewer::{TrafficSource, Viewer};
use wasm_bindgen::JsValue;

use super::protocol::{Command, Event, ExportRequest, RunKey};
use super::worker::{Commands, now, post, post_export, post_printout, post_updates, sleep};

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
            () = sleep(session.visible, None).fuse() => {}
        }
    }
}

impl TrafficSession {
    fn on_command(&mut self, command: Command) {
        let Some(traffic) = self.viewer.traffic() else { return };
        match command {
            Command::AddTraffic(entries) => add_entries(traffic, entries),
            Command::ClearTraffic => traffic.clear(),
            Command::Choose(RunKey { index, run_id }) => {
                traffic.choose(index, &run_id);
                self.run_id = run_id;
            }
            Command::List => traffic.list(),
            Command::Export(request) => self.export(&request),
            Command::Printout => post_printout(&mut self.viewer),
            Command::FindRuns(query) => self.viewer.find_runs(query),
            Command::ShowRuns { runs, legacy } => self.viewer.show_runs(runs, legacy),
            Command::Tree(action) => self.viewer.act_on_tree(&action),
            Command::Visible(visible) => self.visible = visible,
            // The session has no connection: it only reads the page's traffic.
            Command::Authorize { .. } | Command::Reconnect => {}
        }
    }

    fn export(&mut self, request: &ExportRequest) {
        let Some(traffic) = self.viewer.traffic() else { return };
        let files = traffic.draft().map(|draft| vec![(None, draft.into_bytes())]);
        // An exported page opens on the run on screen; any other export opens on the list of its server.
        let run = match &files {
            Ok(files) if request.single_file.is_string() => {
                files.first().and_then(|(_, har)| self.row_in(har))
            }
            Ok(_) | Err(_) => None,
        };
        post_export(files, now(), request, run);
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
