//! The servers of a page's traffic, under which the list shows their runs.

use serde::{Deserialize, Serialize};

use super::Runs;
use super::arrange::runs;
use crate::format;
use crate::viewer::Attention;
use crate::viewer::viewer_source::ServerRows;

/// A server that a page talks to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ServerRuns {
    /// Identifies it among the servers of the page.
    pub number: usize,
    /// Host and port.
    pub address: String,
    /// The number of its runs, and how many of them search and filters show, as text.
    pub count: String,
    /// The page's connection to it, with the time of the last observation.
    pub line: String,
}

impl Runs {
    /// The server number of each row; `None` for rows after those of servers.
    pub(super) fn servers_of_rows(servers: &[ServerRows]) -> impl Iterator<Item = Option<usize>> {
        let numbers = |server: &ServerRows| std::iter::repeat_n(Some(server.number), server.len);
        servers.iter().flat_map(numbers).chain(std::iter::repeat(None))
    }

    /// The servers in the order of the list: the one with the most urgent run first.
    pub(super) fn server_order(&self) -> Vec<Option<usize>> {
        if self.servers.is_empty() {
            return vec![None];
        }
        let urgency = |number: &Option<usize>| {
            let entries = self.entries.iter().filter(|entry| entry.group.server == *number);
            entries.map(|entry| entry.group.attention).min().unwrap_or(Attention::Unknown)
        };
        let mut order: Vec<_> = self.servers.iter().map(|server| Some(server.number)).collect();
        order.sort_by_cached_key(urgency);
        order
    }

    /// The servers with their counts; `line_of` describes the page's connection to one.
    pub(super) fn server_runs(&self, line_of: impl Fn(usize) -> String) -> Vec<ServerRuns> {
        let order = self.arrangement.servers.iter().copied().flatten();
        let found = order.filter_map(|number| self.servers.iter().find(|server| server.number == number));
        let server_runs = |server: &ServerRows| {
            let (listed, shown) = self.arrangement.counts_of(server.number);
            let all = runs(listed);
            let shown = format::count(shown as f64);
            ServerRuns {
                number: server.number,
                address: server.address.clone(),
                count: if self.query.is_all() { all } else { format!("{shown} of {all}") },
                line: line_of(server.number),
            }
        };
        found.map(server_runs).collect()
    }
}
