//! What a collector of a page's traffic hands over. The collector runs in the developer tools; it knows the browser and
//! nothing of runs, and leaves out headers and everything that a page sends to prove who it is.

use serde::{Deserialize, Serialize};

use crate::time::Millis;

/// One thing that was observed. Moments are by the browser's clock.
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
    /// The answer to a request that is over.
    Answer {
        /// When it was whole.
        at: Millis,
        /// When the request was sent.
        started: Millis,
        /// The address, without credentials and without parameters that may hold some.
        url: String,
        /// The HTTP method.
        method: String,
        /// Method, run, node and frame in the body of the request, as JSON.
        request: Option<String>,
        /// The HTTP status; `None` from a collector that does not say it.
        #[serde(default)]
        status: Option<u16>,
        /// The body.
        body: String,
    },
    /// An answer whose body the developer tools do not give out, because it is too large.
    TooLarge {
        /// When it was whole.
        at: Millis,
        /// The address.
        url: String,
    },
    /// A text frame of a socket.
    Frame {
        /// When it passed.
        at: Millis,
        /// Identifies a socket of the page.
        socket: String,
        /// The address.
        url: String,
        /// Whether the page sent it. Of such a frame only the question is left.
        sent: bool,
        /// The text.
        text: String,
    },
    /// A message of an event stream (`text/event-stream`).
    Message {
        /// When it came.
        at: Millis,
        /// Identifies a stream of the page.
        stream: String,
        /// The address.
        url: String,
        /// The value of `event:`; empty where there is none.
        event: String,
        /// The value of `data:`.
        data: String,
    },
    /// A socket or an event stream has ended.
    End {
        /// When that was observed.
        at: Millis,
        /// Which one.
        stream: String,
        /// How.
        cause: EndCause,
    },
    /// The page was reloaded, or has navigated.
    Navigated {
        /// When.
        at: Millis,
        /// Where it is now.
        url: String,
        /// Whether what was observed before is kept: by the panel's switch, or by that of the developer tools.
        kept: bool,
    },
    /// Somebody cleared the network log of the developer tools.
    Cleared {
        /// When that was observed.
        at: Millis,
    },
    /// The collector dropped its oldest entries for want of room.
    Dropped {
        /// How many.
        count: u64,
    },
    /// The collector has polled the developer tools.
    Poll(Poll),
    /// The developer tools did not give the collector their log.
    FailedPoll {
        /// When it gave up.
        at: Millis,
        /// How long until the next poll, milliseconds.
        next_ms: f64,
    },
}

/// One poll of the developer tools by the collector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Poll {
    /// When.
    pub at: Millis,
    /// How long until the next one, milliseconds.
    pub next_ms: f64,
    /// When the collector began.
    pub started_at: Millis,
    /// How many finished requests the page has made since it was loaded.
    pub requests: u64,
    /// How many sockets whose messages are read.
    pub sockets: u64,
    /// How many event streams.
    #[serde(default)]
    pub event_streams: u64,
    /// How many sockets whose messages the developer tools do not give to extensions, as Firefox’s do not.
    #[serde(default)]
    pub hidden_socket_count: u64,
    /// Whether the page was loaded while the collector was running. A socket from before is never shown to it.
    pub saw_page_load: bool,
    /// Whether the network log has what the page requests now; it can be switched off. Of requests that it does not have,
    /// only the finished ones are seen.
    #[serde(default = "is_recorded")]
    pub recording: bool,
    /// The sockets and event streams that are open.
    pub open_streams: Vec<String>,
    /// The addresses of those sockets, each once.
    pub hidden_sockets: Vec<String>,
}

/// What a collector does not say.
fn is_recorded() -> bool {
    true
}

crate::vocabulary! {
    /// How a socket or an event stream ended.
    pub enum EndCause ("end of a stream") {
        /// One of its ends closed it.
        Closed = "closed",
        /// The page was reloaded or has navigated.
        Navigated = "navigated",
        /// The developer tools do not show it any more, for somebody cleared their log.
        Cleared = "cleared",
    }
}
