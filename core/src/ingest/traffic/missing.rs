//! Describes the parts of the traffic that are missing.

use super::sender::origin;
use crate::time::Millis;

/// Maximum number of servers beyond the limit that are counted.
pub(crate) const MAX_UNREAD_SERVERS: usize = 100;

/// The numbers of messages that are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Missing {
    /// The messages that the collector dropped for lack of space.
    pub(crate) dropped: u64,
    /// The messages that the collector could not read.
    pub(crate) unreadable: u64,
    /// The events whose numbers were skipped.
    pub(crate) events: u64,
}

/// The last poll, if the developer tools did not provide their log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FailedPoll {
    /// The time at which the collector gave up.
    pub(crate) at: Millis,
    /// The time until the next poll, milliseconds.
    pub(crate) next_ms: f64,
}

/// The servers beyond the limit, whose traffic is not read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct UnreadServers {
    /// The addresses, each once; at most [`MAX_UNREAD_SERVERS`].
    pub(crate) addresses: Vec<String>,
}

impl UnreadServers {
    /// Adds a server.
    pub(super) fn add(&mut self, address: &str) {
        let is_known = self.addresses.iter().any(|known| known == address);
        if !is_known && self.addresses.len() < MAX_UNREAD_SERVERS {
            self.addresses.push(address.to_owned());
        }
    }
}

/// Answers that were too large to be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LargeAnswers {
    /// The time of the last such answer.
    pub(crate) at: Millis,
    /// The address of the last such answer.
    pub(crate) url: String,
    /// The maximum size of an answer that the developer tools provide, MB.
    pub(crate) limit_mb: u64,
    /// The number of such answers.
    pub(crate) count: u64,
}

impl LargeAnswers {
    /// Returns the scheme, host and port of the last such answer.
    pub(crate) fn origin(&self) -> String {
        origin(&self.url)
    }

    /// Whether the address of the last such answer could be that of a Gateway's method.
    pub(crate) fn may_be_rpc(&self) -> bool {
        self.url.strip_prefix(&self.origin()).is_some_and(|path| path.starts_with("/v1/rpc/"))
    }
}
