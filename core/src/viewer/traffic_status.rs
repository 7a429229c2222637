//! Summarises a page's traffic apart from its runs: the amount that was read, and notes about the rest.

use serde::{Deserialize, Serialize};

use super::traffic_notes::{ConnectTarget, TrafficNote, counted, listed, notes, path};
use crate::format;
use crate::ingest::traffic::{Navigation, Traffic};
use crate::time::Millis;

/// A summary of the traffic that was read from a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TrafficStatus {
    /// The heading if no run was observed.
    pub heading: String,
    /// An explanation of this panel, or the reason why it is empty.
    pub lead: String,
    /// The amount of traffic that was read.
    pub counts: String,
    /// The missing parts, the most important first.
    pub notes: Vec<TrafficNote>,
    /// The Gateway and the id of the run on screen; `None` if the run is Studio's or no run is on screen.
    pub connect: Option<ConnectTarget>,
    /// The address of the first observed Gateway, to suggest where a person may connect.
    pub gateway: Option<String>,
}

impl TrafficStatus {
    /// Whether the screen needs a button of its own to reload the page: no note has one.
    pub fn needs_reload_button(&self) -> bool {
        self.notes.iter().all(|note| !note.reload)
    }
}

/// Describes the traffic as a whole; `connect` is the Gateway and the id of the run on screen.
pub(super) fn status(traffic: &Traffic, connect: Option<ConnectTarget>, now: Millis) -> TrafficStatus {
    let dropped = traffic.navigation().filter(|navigation| !navigation.kept && navigation.runs > 0);
    let (heading, lead) = match dropped {
        Some(navigation) => ("Cleared when the page navigated", cleared(navigation, now)),
        None => (
            "No run seen in this page yet",
            "Runstate reads the network traffic of this page. It sends no requests, changes nothing in the page and \
             needs no token."
                .to_owned(),
        ),
    };
    TrafficStatus {
        heading: heading.to_owned(),
        lead,
        counts: counts(traffic, now),
        notes: notes(traffic, now),
        connect,
        gateway: traffic
            .servers()
            .iter()
            .find(|server| server.is_gateway())
            .map(|server| ConnectTarget::new(&server.sender().origin, "").address)
            .filter(|address| !address.is_empty()),
    }
}

fn cleared(navigation: &Navigation, now: Millis) -> String {
    let Navigation { at, url, runs, servers, .. } = navigation;
    let at = format::moment(*at, now);
    let (runs, verb) = match *runs {
        1 => ("The run".to_owned(), "was"),
        many => (format!("The {} runs", format::count(many as f64)), "were"),
    };
    format!(
        "The page navigated to {} at {at}. {runs} from {} {verb} discarded because Preserve log is off.",
        path(url),
        servers.join(" and "),
    )
}

fn counts(traffic: &Traffic, now: Millis) -> String {
    let Some(poll) = traffic.last_poll() else {
        return match traffic.failed_poll() {
            Some(_) => "No data from the network log yet.".to_owned(),
            None => "Waiting for the first data from the network log.".to_owned(),
        };
    };
    let since = match traffic.navigation() {
        Some(navigation) => format!("the page navigated at {}", format::moment(navigation.at, now)),
        None => format!("DevTools was opened at {}", format::moment(poll.started_at, now)),
    };
    let more = [(poll.sockets, "WebSocket"), (poll.event_streams, "event stream")];
    let more = more.into_iter().filter(|(count, _)| *count > 0).map(|(count, one)| counted(count, one));
    let all: Vec<String> = std::iter::once(counted(poll.requests, "request")).chain(more).collect();
    let hidden = match poll.hidden_socket_count {
        0 => String::new(),
        count => format!("; {} cannot be read", counted(count, "WebSocket")),
    };
    let has_none = traffic.servers().is_empty() && traffic.too_large().is_none();
    let none = if has_none { ", none from a Gateway or Studio" } else { "" };
    format!("{} checked since {since}{none}{hidden}.", listed(&all))
}
