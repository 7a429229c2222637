//! The inspected page's traffic; only in developer tools.

use leptos::prelude::*;

use super::current_session::CurrentSession;
use crate::browser::devtools::{self, TrafficSubscription};
use crate::session::protocol::Command;

/// The traffic that the developer tools collect.
#[derive(Clone, Copy)]
pub(crate) struct TrafficLog {
    /// Whether traffic is kept across navigations, at first as in an earlier panel.
    pub(crate) is_preserved: ReadSignal<bool>,
    set_preserved: WriteSignal<bool>,
    subscription: StoredValue<Option<TrafficSubscription>, LocalStorage>,
    session: CurrentSession,
}

impl TrafficLog {
    pub(super) fn new(session: CurrentSession) -> Self {
        let (is_preserved, set_preserved) = signal(devtools::preserves_log());
        Self { is_preserved, set_preserved, subscription: StoredValue::new_local(None), session }
    }

    /// Delivers the traffic to the session with this number, until another session replaces it.
    pub(super) fn subscribe(self, id: u32) {
        let workers = self.session.workers;
        let subscription = TrafficSubscription::new(self.is_preserved.get_untracked(), move |entries| {
            workers.with_value(|workers| {
                let current = workers.current.iter().map(|(known, session)| (known, session));
                let candidate = workers.candidate.iter().map(|candidate| (&candidate.id, &candidate.session));
                let session = current.chain(candidate).find(|(known, _)| **known == id);
                session.inspect(|(_, session)| session.send(&Command::AddTraffic(entries))).is_some()
            })
        });
        self.subscription.set_value(Some(subscription));
    }

    /// Discards the collected traffic.
    pub(crate) fn clear(self) {
        devtools::clear();
        self.session.send(&Command::ClearTraffic);
    }

    /// Toggles whether traffic is kept across navigations.
    pub(crate) fn toggle_preserved(self) {
        self.set_preserved.update(|is_preserved| *is_preserved = !*is_preserved);
        devtools::preserve(self.is_preserved.get_untracked());
    }
}
