//! The events of the run on screen, as its source has them.

use crate::conductor::wire::LastEvents;
use crate::ingest::Document;
use crate::lionagi::wire::Stream;
use crate::log::{EventFeed, EventLog};

/// Why a document of lionagi has no signals.
pub(super) const NO_SIGNALS: &str = "This document contains no signals of the session. Open what GET /api/sessions/{id}/signals/stream of \
                          Studio sends together with it.";

/// Why a document of Smithers has no events.
const NO_LOG: &str = "This document contains no events of the run, only what they led to. Open the run’s stream.ndjson or the \
                      output of smithers events --json together with it.";

/// The events of the run on screen.
pub(super) enum RunLog<'a> {
    /// A stored log; `run_id` is the run if the log has several. `live` says what of a live log is not stored.
    Stored { log: &'a EventLog, run_id: Option<String>, live: Option<String> },
    /// What a server has pushed; `note` says what that does not contain.
    Received { events: &'a EventFeed, run_id: String, note: &'static str },
    /// The signals of a session of lionagi.
    Signals(&'a Stream),
    /// The events of a run of tnh-conductor.
    Conductor(&'a LastEvents),
    /// None: the reason, and what to do, as sentences.
    Absent(&'static str),
}

impl<'a> RunLog<'a> {
    /// The events of a run of a document: its only one, or that in a row of its list.
    pub(super) fn of_document(document: &'a Document, row: Option<usize>, run_id: &str) -> Self {
        if let Some(found) = document.lionagi() {
            let session = row.map_or(found.session.as_ref(), |row| found.sessions.get(row));
            let stream = session.and_then(|session| session.stream.as_ref());
            return stream.map_or(Self::Absent(NO_SIGNALS), Self::Signals);
        }
        if let Some(run) = document.conductor_runs().get(row.unwrap_or(0)) {
            return Self::Conductor(&run.last_events);
        }
        let log = document.event_logs().iter().find(|log| log.run_ids().any(|id| id == run_id));
        log.map_or(Self::Absent(NO_LOG), |log| {
            let has_several = log.run_ids().nth(1).is_some();
            Self::Stored { log, run_id: has_several.then(|| run_id.to_owned()), live: None }
        })
    }
}
