//! The events of the run of a live Gateway: those that it pushes, and a stored log that a person has added.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::run_log::RunLog;
use crate::error_code::ErrorCode;
use crate::format;
use crate::gateway::{Client, StoredEvents};
use crate::ingest::{Document, DocumentError, RunEvent, feed_events, log_events};
use crate::log::{FeedRow, LogUnion, Repeats};
use crate::text::{concat, join};
use crate::time::Millis;

/// What the events that a Gateway pushes do not contain.
const RECEIVED: &str = "Earlier events are not listed: a Gateway pushes only new ones, with the time of their arrival in place of \
                        their own, and may push some twice. Drop the run’s stream.ndjson here to add the earlier ones.";

/// Why a connection over HTTP has no events.
const NO_EVENTS_OVER_HTTP: &str = "A Gateway sends no events over HTTP. Connect with ws:// or wss:// to see new events, \
                                   or drop the run’s stream.ndjson here.";

/// What of the events is not stored.
const LATER: &str = "Later ones have the time of their arrival in place of their own.";

/// The same over HTTP.
const NO_LATER: &str = "A Gateway sends no later ones over HTTP.";

/// That events after the stored ones were lost, and what to do.
const INCOMPLETE: &str = "Some of them were not received: drop the file again to add them.";

/// The events of the run on screen that were stored before they were pushed.
#[derive(Debug, Default)]
pub(super) struct GatewayLog {
    /// The stored log of a run that a person has added.
    added: Option<LogFile>,
    /// What the Gateway sends; `None` if it sends them only to pages of another origin.
    stored: Option<Box<StoredEvents>>,
}

/// The maximum size of the events in an export, bytes.
const MAX_DRAFT_BYTES: usize = 50_000_000;

/// The events of a live run for an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventDraft {
    /// The stored events as NDJSON, secrets included.
    pub text: String,
    /// The number of events that are left out: pushed ones, which have no time of their own, and those after 50 MB.
    pub left_out: usize,
    /// What the Gateway has not sent of the stored events, as a sentence.
    pub lack: Option<&'static str>,
}

impl EventDraft {
    /// The events up to the first one that makes the text longer than a limit in bytes; `None` in place of one without a time.
    fn of_lines<'a>(lines: impl IntoIterator<Item = Option<Cow<'a, str>>>, max_bytes: usize) -> Self {
        let (mut draft, mut is_full) = (Self::default(), false);
        for line in lines {
            is_full |= line.as_ref().is_some_and(|line| draft.text.len() + line.len() >= max_bytes);
            match line.filter(|_| !is_full) {
                Some(line) => {
                    draft.text.push_str(&line);
                    draft.text.push('\n');
                }
                None => draft.left_out += 1,
            }
        }
        draft
    }

    /// What the export does not contain, as sentences; `None` if it contains all events.
    #[must_use]
    pub fn missing(&self) -> Option<String> {
        let left_out = (self.left_out > 0).then(|| {
            let count = format::count(self.left_out as f64);
            concat(&[
                "Events not exported, because they have no stored time or are after 50 MB: ",
                &count,
                ".",
            ])
        });
        let sentences: Vec<&str> = left_out.as_deref().into_iter().chain(self.lack).collect();
        (!sentences.is_empty()).then(|| join(&sentences, " "))
    }
}

/// A stored log, and the name of its file.
#[derive(Debug)]
struct LogFile {
    log: LogUnion,
    name: String,
}

impl GatewayLog {
    /// Adds the events of a file to those of the run on screen. Returns their number.
    ///
    /// # Errors
    /// [`DocumentError`] if the file is no event log of the run.
    pub(super) fn add(
        &mut self,
        document: Document,
        name: &str,
        client: &Client,
    ) -> Result<u64, DocumentError> {
        let run_id = client.run_id().ok_or_else(DocumentError::closed)?;
        let found =
            document.run_id().map_or_else(|| "another document".to_owned(), |id| concat(&["run ", id]));
        let stored = document.into_event_log();
        let count = stored.as_ref().map_or(0, |log| log.count_events(Some(run_id)));
        let log = stored.and_then(|log| LogUnion::new(log, run_id, client.received()));
        let log = log.ok_or_else(|| {
            let message =
                concat(&["Expected the events of run ", run_id, ", found ", &found, " in ", name, "."]);
            DocumentError::new(ErrorCode::InvalidInput, message)
        })?;
        self.added = Some(LogFile { log, name: name.to_owned() });
        Ok(count)
    }

    /// Asks the Gateway for stored events from now on.
    pub(super) fn ask_for_stored(&mut self) {
        self.stored = Some(Box::default());
    }

    /// Asks again for stored events, with another token.
    pub(super) fn ask_again(&mut self) {
        if let Some(stored) = &mut self.stored {
            stored.ask_again();
        }
    }

    /// Records that the events are on screen.
    pub(super) fn want(&mut self) {
        if let Some(stored) = &mut self.stored {
            stored.want();
        }
    }

    /// Asks for the stored events up to now, for an export or a printout.
    pub(super) fn need(&mut self, client: &Client, now: Millis) {
        if let Some(stored) = &mut self.stored {
            stored.show(client.run_id());
            stored.need(version(client), now);
        }
    }

    /// Whether the Gateway may still send stored events that are needed.
    pub(super) fn is_waited_for(&self, now: Millis) -> bool {
        self.stored.as_ref().is_some_and(|stored| stored.is_waited_for(now))
    }

    /// The path of stored events to ask for, and when to call again.
    pub(super) fn request(&mut self, client: &Client, now: Millis) -> (Option<String>, Option<Millis>) {
        let Some(stored) = &mut self.stored else { return (None, None) };
        stored.show(client.run_id());
        stored.request(version(client), now)
    }

    /// Takes the answer to a path; `None` if there was none.
    pub(super) fn take_stored(&mut self, path: &str, answer: Option<&str>, now: Millis) {
        if let Some(stored) = &mut self.stored {
            stored.take(path, answer, now);
        }
    }

    /// Takes what was pushed meanwhile.
    pub(super) fn take(&mut self, client: &Client) {
        if let (Some(LogFile { log, .. }), Some(received)) = (&mut self.added, client.received()) {
            log.take(received);
        }
    }

    /// The last events of the run on screen, the newest first.
    pub(super) fn last_events(&self, client: &Client) -> Vec<RunEvent> {
        let Some((log, run_id)) = self.log(client).zip(client.run_id()) else { return Vec::new() };
        match log {
            RunLog::Stored { log, .. } => log_events(log, run_id),
            RunLog::Received { events, .. } => feed_events(events, run_id),
            RunLog::Signals(_) | RunLog::Conductor(_) | RunLog::Absent(_) => Vec::new(),
        }
    }

    /// The stored events of the run on screen.
    pub(super) fn draft(&self, client: &Client) -> EventDraft {
        let Some((log, run_id)) = self.log(client).zip(client.run_id()) else { return EventDraft::default() };
        let draft = match log {
            RunLog::Stored { log, .. } => EventDraft::of_lines(log.lines_of(run_id), MAX_DRAFT_BYTES),
            RunLog::Received { events, .. } => {
                let is_of_run =
                    |row: &&FeedRow| matches!(row, FeedRow::Event(event) if &*event.run_id == run_id);
                EventDraft {
                    left_out: events.rows().iter().filter(is_of_run).count(),
                    ..EventDraft::default()
                }
            }
            // Those of other systems, which no Gateway has.
            RunLog::Signals(_) | RunLog::Conductor(_) | RunLog::Absent(_) => EventDraft::default(),
        };
        EventDraft { lack: self.lack(), ..draft }
    }

    /// What the Gateway has not sent of the stored events that an export or a printout needs, as a sentence.
    pub(super) fn lack(&self) -> Option<&'static str> {
        self.stored.as_ref()?.lack()
    }

    /// The events of the run on screen; `None` if no run is.
    pub(super) fn log<'a>(&'a self, client: &'a Client) -> Option<RunLog<'a>> {
        let run_id = client.run_id()?;
        let received = client.received();
        let stored = self.stored.as_ref().filter(|stored| stored.is_of(run_id));
        if let Some((stored, log)) = stored.and_then(|stored| Some((stored, stored.log()?))) {
            return Some(RunLog::Stored { log, run_id: None, live: Some(stored.note()) });
        }
        if let Some(added) = self.added.as_ref().filter(|added| added.log.run_id() == run_id) {
            let log = added.log.log();
            let has_several = log.run_ids().nth(1).is_some();
            let live = Some(added.note(received.is_some()));
            return Some(RunLog::Stored { log, run_id: has_several.then(|| run_id.to_owned()), live });
        }
        let run_id = run_id.to_owned();
        Some(received.map_or(RunLog::Absent(NO_EVENTS_OVER_HTTP), |events| RunLog::Received {
            events,
            run_id,
            note: RECEIVED,
        }))
    }
}

/// A number that grows when the run changes.
fn version(client: &Client) -> u64 {
    let received = client.received().map_or(0, |events| events.first() + events.rows().len() as u64);
    received + client.revision().header
}

impl LogFile {
    /// Where the events come from, as sentences.
    fn note(&self, is_pushed: bool) -> String {
        let until = format::date_clock(self.log.stored_until());
        let later = match (is_pushed, self.log.is_incomplete()) {
            (true, false) => LATER.to_owned(),
            (true, true) => concat(&[LATER, " ", INCOMPLETE]),
            (false, _) => NO_LATER.to_owned(),
        };
        let repeats = self.log.repeats().map_or_else(String::new, repeats_note);
        concat(&["Events until ", &until, " are those of ", &self.name, ". ", &later, &repeats])
    }
}

/// What was pushed after the end of the run and is not listed, as a sentence after another one.
fn repeats_note(repeats: Repeats) -> String {
    concat(&[
        " Pushed after the end of the run and left out as repeats, by type and node: ",
        &format::count(f64::from(repeats.count)),
        ", until ",
        &format::date_clock(repeats.until),
        ".",
    ])
}
