//! Identifies who sent the answers at an address.

use crate::text::concat;

/// The sender of answers: the server at an address, or a service worker of the page in its place. The browser gives both the same
/// address, but what a worker answers is the page's word, not the server's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sender {
    /// The scheme, host and port of the address, with `http` for `ws`.
    pub(crate) origin: String,
    /// Whether the sender is a service worker.
    pub(crate) is_service_worker: bool,
}

impl Sender {
    /// The sender of what the page received from an address.
    pub(super) fn at(url: &str, is_service_worker: bool) -> Self {
        Self { origin: origin(url), is_service_worker }
    }

    /// Returns the host and port.
    pub(crate) fn address(&self) -> &str {
        self.origin.split_once("://").map_or(&self.origin, |(_, host)| host)
    }

    /// Returns the host and port of a server, or that a service worker stands in its place.
    pub(crate) fn name(&self) -> String {
        if self.is_service_worker {
            concat(&["service worker of this page, in place of ", self.address()])
        } else {
            self.address().to_owned()
        }
    }
}

/// Returns the scheme, host and port of an address, with `http` for `ws`.
pub(super) fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = match scheme {
        "ws" => "http",
        "wss" => "https",
        other => other,
    };
    concat(&[scheme, "://", host])
}

/// Returns the path of an address, without its query; `/` if it has none.
pub(super) fn path(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |at| &rest[at..]);
    path.split(['?', '#']).next().unwrap_or(path)
}
