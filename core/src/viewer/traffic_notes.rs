//! Notes about a page's traffic: the missing parts, the reasons, and possible remedies.

use serde::{Deserialize, Serialize};

use crate::format;
use crate::ingest::traffic::{
    FailedPoll, LargeAnswers, MAX_UNREAD_SERVERS, Missing, Navigation, Poll, Server, Traffic, UnreadServers,
};
use crate::refusal::Cause;
use crate::text::concat;
use crate::time::Millis;

/// Delay of the panel behind the page, milliseconds, above which a note reports it, while a socket or event stream is open.
/// Without one, the collector polls every 1.5 s.
const SLOW_POLL_MS: f64 = 2_500.0;
const SLOW_IDLE_POLL_MS: f64 = 4_000.0;
/// From how many requests or bytes on a network log is large.
const LARGE_LOG_ENTRIES: u64 = 5_000;
const LARGE_LOG_BYTES: f64 = 50e6;

/// A note about a missing part of the traffic and the reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TrafficNote {
    /// The subject of the note.
    pub kind: NoteKind,
    /// The text of the note.
    pub text: String,
    /// Whether a reload of the page helps.
    pub reload: bool,
    /// The Gateway to which a connection helps, if any.
    pub connect: Option<ConnectTarget>,
}

/// A Gateway to which a person may connect, for filling in a form. It never contains a token.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConnectTarget {
    /// The address of the Gateway's socket; empty if it is unknown.
    pub address: String,
    /// The id of the run to open; empty to choose one.
    pub run_id: String,
}

impl ConnectTarget {
    /// Makes a target from a Gateway's HTTP or socket address, without the parameters of the address.
    pub(super) fn new(url: &str, run_id: &str) -> Self {
        let url = url.split(['?', '#']).next().unwrap_or_default();
        let address = match url.split_once("://") {
            Some(("http", rest)) => concat(&["ws://", rest]),
            Some(("https", rest)) => concat(&["wss://", rest]),
            _ => url.to_owned(),
        };
        Self { address, run_id: run_id.to_owned() }
    }
}

crate::vocabulary! {
    /// The subject of a note about a page's traffic.
    pub enum NoteKind ("note about traffic") {
        /// The page was loaded before the developer tools were opened.
        Late = "late",
        /// The developer tools do not give the messages of a socket to extensions.
        HiddenSocket = "hidden-socket",
        /// A Gateway was observed that has sent no run or has refused the page.
        NoRuns = "no-runs",
        /// The developer tools did not provide their log.
        FailedPoll = "failed-poll",
        /// The recording of the network log is switched off.
        NotRecorded = "not-recorded",
        /// The page was reloaded or has navigated.
        Navigated = "navigated",
        /// The network log was cleared.
        Cleared = "cleared",
        /// An answer was too large.
        TooLarge = "too-large",
        /// The page has more servers than are read.
        ManyServers = "many-servers",
        /// Frames or entries are missing.
        Missing = "missing",
        /// Reading the traffic takes so long that the panel is behind the page.
        Slow = "slow",
    }
}

/// Returns the path of an address, the part that changes within a site.
pub(super) fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or(url, |at| &rest[at..])
}

pub(super) fn counted(count: u64, one: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{} {one}{end}", format::count(count as f64))
}

/// Joins texts to “a”, “a and b” or “a, b and c”.
pub(super) fn listed(all: &[String]) -> String {
    match all {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => all.concat(),
    }
}

pub(super) fn notes(traffic: &Traffic, now: Millis) -> Vec<TrafficNote> {
    let poll = traffic.last_poll();
    let texts = [
        (NoteKind::FailedPoll, traffic.failed_poll().map(|failed| failed_poll(failed, now))),
        (NoteKind::NotRecorded, poll.and_then(not_recorded)),
        (NoteKind::Late, poll.and_then(|poll| late(poll, now))),
        (NoteKind::HiddenSocket, poll.and_then(hidden_sockets)),
        (NoteKind::NoRuns, no_runs(traffic)),
        (NoteKind::Navigated, traffic.navigation().and_then(|navigation| navigated(navigation, now))),
        (NoteKind::Cleared, traffic.cleared_at().map(|at| log_cleared(at, now))),
        (NoteKind::TooLarge, too_large(traffic, now)),
        (NoteKind::ManyServers, many_servers(traffic.unread_servers())),
        (NoteKind::Missing, missing(traffic.missing())),
        (NoteKind::Slow, poll.and_then(slow)),
    ];
    let note = |(kind, text): (NoteKind, Option<String>)| {
        Some(TrafficNote {
            kind,
            text: text?,
            reload: helps_reload(kind, poll),
            connect: target(kind, traffic),
        })
    };
    texts.into_iter().filter_map(note).collect()
}

fn helps_reload(kind: NoteKind, poll: Option<&Poll>) -> bool {
    match kind {
        // A reload empties the log, but makes no busy machine faster.
        NoteKind::Slow => poll.is_some_and(is_large),
        NoteKind::Late
        | NoteKind::Cleared
        | NoteKind::Missing
        | NoteKind::FailedPoll
        | NoteKind::NotRecorded => true,
        NoteKind::HiddenSocket
        | NoteKind::NoRuns
        | NoteKind::Navigated
        | NoteKind::TooLarge
        | NoteKind::ManyServers => false,
    }
}

/// Returns the Gateway to which a connection helps: the Gateway that the note is about, else the first one.
fn target(kind: NoteKind, traffic: &Traffic) -> Option<ConnectTarget> {
    let connect_target = |server: &Server| ConnectTarget::new(&server.sender().origin, "");
    let first = || traffic.servers().iter().find(|server| server.is_gateway()).map(connect_target);
    let target = match kind {
        NoteKind::HiddenSocket => traffic
            .last_poll()
            .and_then(|poll| poll.hidden_sockets.first())
            .map(|url| ConnectTarget::new(url, "")),
        NoteKind::NoRuns => gateways_without_runs(traffic).next().map(connect_target),
        NoteKind::TooLarge => {
            let may_be_gateway =
                |large: &&LargeAnswers| large.may_be_rpc() || traffic.gateway_at(&large.url).is_some();
            let large = traffic.too_large().filter(may_be_gateway);
            return large.map(|large| ConnectTarget::new(&large.origin(), ""));
        }
        NoteKind::Missing => traffic.gateway_with_gaps().map(connect_target).or_else(first),
        NoteKind::Slow => first(),
        NoteKind::Late
        | NoteKind::Cleared
        | NoteKind::Navigated
        | NoteKind::ManyServers
        | NoteKind::FailedPoll
        | NoteKind::NotRecorded => return None,
    };
    Some(target.unwrap_or_default())
}

/// Says who answered, for a run that a service worker reported.
pub(super) fn service_worker(address: &str) -> String {
    format!(
        "A service worker of this page answered in place of {address}, so this is what the page says. Connect to the server to \
         see what it says itself."
    )
}

fn gateways_without_runs(traffic: &Traffic) -> impl Iterator<Item = &Server> {
    traffic.servers().iter().filter(|server| server.is_gateway() && server.len() == 0)
}

/// Lists the Gateways that were observed without a run, each with the reason if it refused the page.
fn no_runs(traffic: &Traffic) -> Option<String> {
    let sentence = |server: &Server| {
        let sender = server.sender();
        let answers = if sender.is_service_worker {
            format!("The {}", sender.name())
        } else {
            format!("The Gateway {}", sender.address())
        };
        match server.refusal().map(|refusal| (refusal.cause(), &refusal.code)) {
            None | Some((Cause::Run, _)) => {
                format!("{answers} has not sent any run to this page.")
            }
            Some((Cause::Token | Cause::Origin | Cause::Host | Cause::Other, code)) => {
                format!("{answers} refused the last request of this page: {}.", short(code))
            }
        }
    };
    let sentences: Vec<String> = gateways_without_runs(traffic).map(sentence).collect();
    let advice = if gateways_without_runs(traffic)
        .any(|server| server.refusal().is_some_and(|refusal| refusal.cause() == Cause::Token))
    {
        "Sign in to the page again, or connect to the Gateway with a token."
    } else {
        "Open a part of the page that shows runs, or connect to the Gateway."
    };
    (!sentences.is_empty()).then(|| format!("{} {advice}", sentences.join(" ")))
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
            "The page was loaded before DevTools was opened at {at}. Earlier requests are not available, and the \
             browser never gives extensions the messages of a WebSocket that was opened before DevTools. Reload the \
             page to see its connections."
        )
    })
}

fn hidden_sockets(poll: &Poll) -> Option<String> {
    let hosts: Vec<&str> = poll.hidden_sockets.iter().map(|url| host(url)).collect();
    let (sockets, these) = match hosts.len() {
        1 => ("a WebSocket", "that is a Gateway: connect to it"),
        _ => ("WebSockets", "one of them is a Gateway: connect to it"),
    };
    (!hosts.is_empty()).then(|| {
        format!(
            "Firefox does not give extensions WebSocket messages. This page has {sockets} to {}. If {these} here, have \
             the page use HTTP, or open the page in a Chromium-based browser.",
            hosts.join(" and ")
        )
    })
}

fn navigated(navigation: &Navigation, now: Millis) -> Option<String> {
    let at = format::moment(navigation.at, now);
    navigation.kept.then(|| {
        format!(
            "The page navigated to {} at {at}. Preserve log is on, so earlier runs are kept. Messages sent just before \
             the navigation may be missing.",
            path(&navigation.url)
        )
    })
}

fn log_cleared(at: Millis, now: Millis) -> String {
    format!(
        "The network log was cleared at {}. DevTools no longer shows messages of WebSockets that were open before. \
         Reload the page to see them again.",
        format::moment(at, now)
    )
}

fn too_large(traffic: &Traffic, now: Millis) -> Option<String> {
    let large = traffic.too_large()?;
    let LargeAnswers { at, url, limit_mb, count } = large;
    // Nothing else connects to Studio.
    let advice = match traffic.gateway_at(url) {
        Some(_) => " Connect to the Gateway to see these runs.",
        None if large.may_be_rpc() => " If the server is a Gateway, connect to it to see its runs.",
        None => "",
    };
    let (path, at) = (path(url), format::moment(*at, now));
    let responses = match count {
        1 => format!("The response from {path} at {at} could not be read."),
        _ => format!(
            "{} responses could not be read, the last one from {path} at {at}.",
            format::count(*count as f64)
        ),
    };
    let limit = format!("DevTools does not give extensions responses larger than {limit_mb} MB.");
    Some(format!("{responses} {limit}{advice}"))
}

fn many_servers(UnreadServers { addresses }: &UnreadServers) -> Option<String> {
    let (named, others) = addresses.split_at(addresses.len().min(3));
    let count = match addresses.len() {
        0 => return None,
        1 => "1 other".to_owned(),
        MAX_UNREAD_SERVERS.. => format!("at least {MAX_UNREAD_SERVERS} others"),
        count => format!("{count} others"),
    };
    let more = (!others.is_empty()).then(|| "more".to_owned());
    let named: Vec<String> = named.iter().cloned().chain(more).collect();
    Some(format!(
        "This page uses more Gateways and Studios than Runstate reads. The runs of {count} ({}) are not listed. Connect to a \
         Gateway to see its runs.",
        listed(&named)
    ))
}

fn missing(Missing { dropped, unreadable, events }: Missing) -> Option<String> {
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
    let unreadable = (unreadable > 0).then(|| {
        let messages = if unreadable == 1 { "message" } else { "messages" };
        format!("{} {messages} could not be read.", format::count(unreadable as f64))
    });
    let lost: Vec<String> = events.into_iter().chain(dropped).chain(unreadable).collect();
    let advice =
        "States that depend on them are shown as unknown. Reload the page, or connect to the Gateway.";
    (!lost.is_empty()).then(|| format!("{} {advice}", lost.join(" ")))
}

fn slow(poll: &Poll) -> Option<String> {
    let limit = if poll.open_streams.is_empty() { SLOW_IDLE_POLL_MS } else { SLOW_POLL_MS };
    let delay = poll.read_ms + poll.next_ms;
    let advice = if is_large(poll) {
        format!(
            "The log is large ({}, {} MB): reload the page to empty it, or connect to the Gateway.",
            counted(poll.log_entries, "request"),
            format::count((poll.log_bytes / 1e6).round())
        )
    } else {
        "Connect to the Gateway to see changes at once.".to_owned()
    };
    (delay > limit).then(|| {
        format!(
            "Reading the network log takes {}, so this panel is up to {} behind the page. {advice}",
            format::age(poll.read_ms),
            format::age(delay)
        )
    })
}

fn is_large(poll: &Poll) -> bool {
    poll.log_entries >= LARGE_LOG_ENTRIES || poll.log_bytes >= LARGE_LOG_BYTES
}

/// Returns a code, or a phrase in place of an empty or long one; servers send short words.
fn short(code: &str) -> &str {
    if code.is_empty() || code.len() > 40 { "without a code" } else { code }
}

/// Returns the host and port of an address.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}
