//! Defines the entries that a collector of a page's traffic delivers. The collector runs in the developer tools. It
//! knows the browser but not runs, and omits headers and all credentials that a page sends.

use serde::{Deserialize, Serialize};

use crate::time::Millis;

/// One observation of the collector. Times are of the browser's clock.
///
/// ```
/// use runstate::ingest::traffic::Entry;
///
/// let json = r#"{"kind":"navigated","at":1700000000000,"url":"http://127.0.0.1:8080/ops","kept":false}"#;
/// let entry: Entry = serde_json::from_str(json)?;
/// assert!(matches!(entry, Entry::Navigated { kept: false, .. }));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Entry {
    /// The answer to a completed request.
    Answer {
        /// The time at which the answer was complete.
        at: Millis,
        /// The time at which the request was sent.
        started: Millis,
        /// The address, without credentials and without parameters that may contain them.
        url: String,
        /// The HTTP method.
        method: String,
        /// The method, run, node and frame in the body of the request, as JSON.
        request: Option<String>,
        /// The HTTP status; `None` from a collector that does not report it.
        #[serde(default)]
        status: Option<u16>,
        /// Whether a service worker of the page answered in place of the server at the address.
        #[serde(default)]
        service_worker: bool,
        /// The body of the answer.
        body: String,
    },
    /// An answer whose body the developer tools do not provide, at least not whole, because it is too large.
    TooLarge {
        /// The time at which the answer was complete.
        at: Millis,
        /// The address of the request.
        url: String,
        /// The maximum size of an answer that the developer tools provide, MB.
        limit_mb: u64,
    },
    /// A text frame of a socket.
    Frame {
        /// The time at which the frame passed.
        at: Millis,
        /// The collector's name of the socket, unique within the page.
        socket: String,
        /// The address of the socket.
        url: String,
        /// Whether the page sent the frame. Of a sent frame, only the request is kept.
        sent: bool,
        /// The text of the frame.
        text: String,
    },
    /// A message of an event stream (`text/event-stream`).
    Message {
        /// The time at which the message arrived.
        at: Millis,
        /// The collector's name of the stream, unique within the page.
        stream: String,
        /// The address of the stream.
        url: String,
        /// Whether a service worker of the page answered in place of the server at the address.
        #[serde(default)]
        service_worker: bool,
        /// The value of `event:`; empty if the message has none.
        event: String,
        /// The value of `data:`.
        data: String,
    },
    /// The end of a socket or an event stream.
    End {
        /// The time at which the end was observed.
        at: Millis,
        /// The collector's name of the socket or stream.
        stream: String,
        /// The cause of the end.
        cause: EndCause,
    },
    /// A reload or navigation of the page.
    Navigated {
        /// The time of the navigation.
        at: Millis,
        /// The address of the page after the navigation.
        url: String,
        /// Whether the earlier observations are kept, by the panel's switch or by that of the developer tools.
        kept: bool,
    },
    /// The user cleared the network log of the developer tools.
    Cleared {
        /// The time at which the clearing was observed.
        at: Millis,
    },
    /// The collector dropped its oldest entries for lack of space.
    Dropped {
        /// The number of dropped entries.
        count: u64,
    },
    /// A server that the collector does not read, because the page has too many; reported once.
    UnreadServer {
        /// The time of its first message.
        at: Millis,
        /// The address of the server.
        url: String,
    },
    /// The collector could not read a message of a server.
    Unreadable {
        /// The time at which it tried.
        at: Millis,
    },
    /// A poll of the developer tools by the collector.
    Poll(Poll),
    /// The developer tools did not give the collector their log.
    FailedPoll {
        /// The time at which the collector gave up.
        at: Millis,
        /// The time until the next poll, milliseconds.
        next_ms: f64,
    },
}

/// One poll of the developer tools by the collector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Poll {
    /// The time of the poll.
    pub at: Millis,
    /// The time until the next poll, milliseconds.
    pub next_ms: f64,
    /// The time from the request for the log until it was read, milliseconds.
    #[serde(default)]
    pub read_ms: f64,
    /// The number of requests in the log.
    #[serde(default)]
    pub log_entries: u64,
    /// The size of their responses, bytes.
    #[serde(default)]
    pub log_bytes: f64,
    /// The time at which the collector began.
    pub started_at: Millis,
    /// The number of completed requests of the page since it was loaded.
    pub requests: u64,
    /// The number of sockets whose messages are read.
    pub sockets: u64,
    /// The number of event streams.
    #[serde(default)]
    pub event_streams: u64,
    /// The number of sockets whose messages the developer tools do not give to extensions, such as those of Firefox.
    #[serde(default)]
    pub hidden_socket_count: u64,
    /// Whether the page was loaded while the collector was running. The collector never sees a socket that was opened
    /// earlier.
    pub saw_page_load: bool,
    /// Whether the network log records the page's current requests; recording can be switched off. Of unrecorded
    /// requests, only the completed ones are observed.
    #[serde(default = "is_recorded")]
    pub recording: bool,
    /// The sockets and event streams that are open.
    pub open_streams: Vec<String>,
    /// The addresses of the sockets whose messages are hidden, each once.
    pub hidden_sockets: Vec<String>,
}

/// Returns the default for collectors that do not report `recording`.
fn is_recorded() -> bool {
    true
}

crate::vocabulary! {
    /// The cause of the end of a socket or an event stream.
    pub enum EndCause ("end of a stream") {
        /// One of the two sides closed it.
        Closed = "closed",
        /// The page was reloaded or has navigated.
        Navigated = "navigated",
        /// The developer tools do not show it any more because the user cleared their log.
        Cleared = "cleared",
        /// The developer tools do not give its later messages to extensions, because it is too large.
        Truncated = "truncated",
    }
}
