//! How old the answers of a Gateway are: about the run on screen, its tree, and the rows of the list.

use super::GatewaySource;
use crate::format;
use crate::freshness::Freshness;
use crate::run::RunInspection;
use crate::time::Millis;

impl GatewaySource {
    /// The freshness of a row: that of the header for the watched run, else that of the list. A row has no pill for its
    /// freshness, so a list whose answer is overdue shows its age like one that is being read again.
    pub(super) fn row_freshness(&self, run: &RunInspection, now: Millis) -> Freshness {
        let is_watched = self.watched().is_some_and(|watched| std::ptr::eq(watched, run));
        let freshness = if is_watched { self.client.freshness(now) } else { self.client.list_freshness(now) };
        freshness.late_as_resyncing()
    }

    /// The freshness of the run on screen.
    pub(super) fn shown_freshness(&self, now: Millis) -> Freshness {
        match self.opening() {
            Some(_) => self.client.list_freshness(now).late_as_resyncing(),
            None => self.client.freshness(now),
        }
    }

    /// The age of the tree and of the states in it, if they are older than the requests allow.
    pub(super) fn tree_age(&self, now: Millis) -> Option<String> {
        self.watched()?;
        let old = |freshness: Option<Freshness>| freshness?.late_as_resyncing().old_since();
        let (tree, states) = (old(self.client.tree_freshness(now)), old(self.client.nodes_freshness(now)));
        let as_of = |at: Millis| format!("as of {}", format::ago(self.server_now(now).since(at)));
        match (tree, states) {
            (Some(tree), Some(states)) => Millis::earliest([tree, states]).map(as_of),
            (Some(tree), None) => Some(format!("structure {}", as_of(tree))),
            (None, Some(states)) => Some(format!("states {}", as_of(states))),
            (None, None) => None,
        }
    }
}
