//! What is said of a page's traffic besides its runs: how much was read, what is missing, and what can be done.

use serde::{Deserialize, Serialize};

use crate::format;
use crate::ingest::traffic::{FailedPoll, LargeAnswers, Navigation, Poll, Traffic};
use crate::time::Millis;

/// Beyond this interval between two polls, milliseconds, the delay is worth a sentence.
const SLOW_POLL_MS: f64 = 1_000.0;

/// What was read of a page's traffic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TrafficStatus {
    /// The heading where no run was observed.
    pub heading: String,
    /// What this panel does, or why there is nothing.
    pub lead: String,
    /// How much was read.
    pub counts: String,
    /// What is missing, the most important first.
    pub notes: Vec<TrafficNote>,
}

/// Something that is missing, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TrafficNote {
    /// What it is about.
    pub kind: NoteKind,
    /// The sentences.
    pub text: String,
    /// Whether it helps to reload the page.
    pub reload: bool,
    /// Whether it helps to connect to the Gateway.
    pub connect: bool,
}

crate::vocabulary! {
    /// What a note about a page's traffic is about.
    pub enum NoteKind ("note about traffic") {
        /// The page was loaded before the developer tools were opened.
        Late = "late",
        /// The developer tools do not give the messages of a socket to extensions.
        HiddenSocket = "hidden-socket",
        /// The developer tools did not give out their log.
        FailedPoll = "failed-poll",
        /// The recording of the network log is switched off.
        NotRecorded = "not-recorded",
        /// The page was reloaded or has navigated.
        Navigated = "navigated",
        /// The network log was cleared.
        Cleared = "cleared",
        /// An answer was too large.
        TooLarge = "too-large",
        /// Frames or entries are missing.
        Missing = "missing",
        /// It takes so long to read the traffic that it is read less often.
        Slow = "slow",
    }
}

/// What is said of the traffic as a whole.
pub(super) fn status(traffic: &Traffic, now: Millis) -> TrafficStatus {
    let dropped = traffic.navigation().filter(|navigation| !navigation.kept && navigation.runs > 0);
    let (heading, lead) = match dropped {
        Some(navigation) => ("Cleared when the page navigated", cleared(navigation, now)),
        None => (
            "No run seen in this page yet",
            "This panel reads the answers and sockets that the page already has. It adds no code to the page and \
             needs no token."
                .to_owned(),
        ),
    };
    TrafficStatus {
        heading: heading.to_owned(),
        lead,
        counts: counts(traffic, now),
        notes: notes(traffic, now),
    }
}

fn cleared(navigation: &Navigation, now: Millis) -> String {
    let Navigation { at, url, runs, servers, .. } = navigation;
    let at = format::moment(*at, now);
    let runs =
        if *runs == 1 { "The run".to_owned() } else { format!("The {} runs", format::count(*runs as f64)) };
    let was = if runs == "The run" { "was" } else { "were" };
    format!(
        "The page navigated to {} at {at}. {runs} seen before, of {}, {was} dropped because Preserve log is off.",
        path(url),
        servers.join(" and "),
    )
}

/// The path of an address, which is what changes within a site.
fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or(url, |at| &rest[at..])
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
    let counted = |count: u64, one: &str| {
        let end = if count == 1 { "" } else { "s" };
        format!("{} {one}{end}", format::count(count as f64))
    };
    let (requests, sockets) = (counted(poll.requests, "request"), counted(poll.sockets, "socket"));
    let none = if traffic.servers().is_empty() { ", none from a Gateway or Studio" } else { "" };
    format!("{requests} and {sockets} checked since {since}{none}.")
}

fn notes(traffic: &Traffic, now: Millis) -> Vec<TrafficNote> {
    let poll = traffic.last_poll();
    let texts = [
        (NoteKind::FailedPoll, traffic.failed_poll().map(|failed| failed_poll(failed, now))),
        (NoteKind::NotRecorded, poll.and_then(not_recorded)),
        (NoteKind::Late, poll.and_then(|poll| late(poll, now))),
        (NoteKind::HiddenSocket, poll.and_then(hidden_sockets)),
        (NoteKind::Navigated, traffic.navigation().and_then(|navigation| navigated(navigation, now))),
        (NoteKind::Cleared, traffic.cleared_at().map(|at| log_cleared(at, now))),
        (NoteKind::TooLarge, traffic.too_large().map(|large| too_large(large, now))),
        (NoteKind::Missing, missing(traffic.missing())),
        (NoteKind::Slow, poll.and_then(slow)),
    ];
    let note = |(kind, text): (NoteKind, Option<String>)| {
        Some(TrafficNote { kind, text: text?, reload: helps_reload(kind), connect: helps_connect(kind) })
    };
    texts.into_iter().filter_map(note).collect()
}

fn helps_reload(kind: NoteKind) -> bool {
    match kind {
        NoteKind::Late
        | NoteKind::Cleared
        | NoteKind::Missing
        | NoteKind::Slow
        | NoteKind::FailedPoll
        | NoteKind::NotRecorded => true,
        NoteKind::HiddenSocket | NoteKind::Navigated | NoteKind::TooLarge => false,
    }
}

fn helps_connect(kind: NoteKind) -> bool {
    match kind {
        NoteKind::HiddenSocket | NoteKind::TooLarge | NoteKind::Missing | NoteKind::Slow => true,
        NoteKind::Late
        | NoteKind::Cleared
        | NoteKind::Navigated
        | NoteKind::FailedPoll
        | NoteKind::NotRecorded => false,
    }
}

fn failed_poll(failed: FailedPoll, now: Millis) -> String {
    format!(
        "DevTools did not return the network log at {}, so newer traffic is not shown. Runstate tries again every {}. \
         If this continues, reload the page, or close and reopen DevTools.",
        format::moment(failed.at, now),
        format::age(failed.next_ms)
    )
}

fn not_recorded(poll: &Poll) -> Option<String> {
    (!poll.recording).then(|| {
        "The network log is not being recorded, so new WebSockets, event streams and navigations are not seen. Start \
         the recording in the Network panel, then reload the page."
            .to_owned()
    })
}

fn late(poll: &Poll, now: Millis) -> Option<String> {
    let at = format::moment(poll.started_at, now);
    (!poll.saw_page_load).then(|| {
        format!(
            "The page was loaded before DevTools was opened at {at}. What it did before is not known, and a socket \
             from before is never shown to extensions, not even what it carries now. Reload the page to see it."
        )
    })
}

fn hidden_sockets(poll: &Poll) -> Option<String> {
    let hosts: Vec<&str> = poll.hidden_sockets.iter().map(|url| host(url)).collect();
    let sockets = if hosts.len() == 1 { "a socket" } else { "sockets" };
    (!hosts.is_empty()).then(|| {
        format!(
            "Firefox does not give the messages of a socket to extensions. The page has {sockets} to {}, and what it \
             receives there is not known. If it is a Gateway, connect this panel to it with its address and a token, let \
             the page ask over HTTP, or open the page in a Chromium browser.",
            hosts.join(" and ")
        )
    })
}

fn navigated(navigation: &Navigation, now: Millis) -> Option<String> {
    let at = format::moment(navigation.at, now);
    navigation.kept.then(|| {
        format!(
            "The page navigated to {} at {at}. Preserve log is on, so what was seen before is kept. Messages of the \
             last moments before it may be missing.",
            path(&navigation.url)
        )
    })
}

fn log_cleared(at: Millis, now: Millis) -> String {
    format!(
        "The network log was cleared at {}. DevTools no longer shows messages of sockets that were open before. \
         Reload the page to see them again.",
        format::moment(at, now)
    )
}

fn too_large(large: &LargeAnswers, now: Millis) -> String {
    format!(
        "{} of {} at {} could not be read: the browser gives extensions no answer of more than 20 MB. Connect to the \
         Gateway to see such a run.",
        if large.count == 1 {
            "An answer".to_owned()
        } else {
            format!("The last of {} answers", large.count)
        },
        path(&large.url),
        format::moment(large.at, now)
    )
}

fn missing((dropped, events): (u64, u64)) -> Option<String> {
    let events = (events > 0).then(|| match events {
        1 => "1 event is missing: its sequence number was skipped.".to_owned(),
        _ => format!(
            "{} events are missing: their sequence numbers were skipped.",
            format::count(events as f64)
        ),
    });
    let dropped = (dropped > 0).then(|| {
        let messages = if dropped == 1 { "message was" } else { "messages were" };
        format!("{} {messages} dropped because the buffer was full.", format::count(dropped as f64))
    });
    let lost: Vec<String> = events.into_iter().chain(dropped).collect();
    let advice =
        "States that depend on them are shown as unknown. Reload the page, or connect to the Gateway.";
    (!lost.is_empty()).then(|| format!("{} {advice}", lost.join(" ")))
}

fn slow(poll: &Poll) -> Option<String> {
    (poll.next_ms > SLOW_POLL_MS && !poll.open_streams.is_empty()).then(|| {
        format!(
            "Reading this page’s traffic is slow, so it is read only every {}. Reload the page, or connect to the \
             Gateway.",
            format::age(poll.next_ms)
        )
    })
}

/// Host and port of an address.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}
