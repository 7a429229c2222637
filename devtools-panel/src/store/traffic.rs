//! The session that shows the inspected page's traffic; only in developer tools.

use leptos::prelude::*;

use super::Store;
use crate::browser::devtools::{self, TrafficSubscription};
use crate::session::protocol::{Command, Source};

impl Store {
    /// Shows the inspected page's traffic.
    pub(crate) fn open_traffic(self) {
        self.sessions.update_value(|sessions| sessions.traffic_restarts = 0);
        self.start_traffic();
    }

    pub(super) fn start_traffic(self) {
        self.start(None, &Source::Traffic);
        let Some(id) = self.sessions.with_value(|sessions| sessions.candidate.as_ref().map(|(id, _)| *id))
        else {
            return;
        };
        let preserves_log = self.preserves_log.get_untracked();
        let subscription = TrafficSubscription::new(preserves_log, move |entries| {
            self.sessions.with_value(|sessions| {
                let all = sessions.current.iter().chain(&sessions.candidate);
                let session = all.into_iter().find(|(known, _)| *known == id);
                session.inspect(|(_, session)| session.send(&Command::AddTraffic(entries))).is_some()
            })
        });
        self.traffic_subscription.set_value(Some(subscription));
    }

    /// Whether the session shows the traffic of the inspected page.
    pub(crate) fn shows_traffic(self) -> bool {
        self.status(|status| status.link.traffic().is_some())
    }

    /// Discards the collected traffic.
    pub(crate) fn clear_traffic(self) {
        devtools::clear();
        self.send(&Command::ClearTraffic);
    }

    /// Whether traffic is kept across navigations.
    pub(crate) fn preserves_log(self) -> bool {
        self.preserves_log.get()
    }

    /// Toggles whether traffic is kept across navigations.
    pub(crate) fn toggle_preserve_log(self) {
        self.preserves_log.set(!self.preserves_log.get_untracked());
        devtools::preserve(self.preserves_log.get_untracked());
    }
}
