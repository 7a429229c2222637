//! The search and the filters of the events of the run on screen.

use leptos::prelude::*;
use runstate::viewer::{LogAction, LogQuery, LogWindow, PaneAction};

use super::current_session::CurrentSession;

/// What a person searches and filters in the events. What the worker finds is later.
#[derive(Clone, Copy)]
pub(crate) struct LogQueryState {
    session: CurrentSession,
    /// The query with the text of the search field as it was typed.
    pub(crate) query: ReadSignal<LogQuery>,
    set_query: WriteSignal<LogQuery>,
}

impl LogQueryState {
    pub(super) fn new(session: CurrentSession) -> Self {
        let (query, set_query) = signal(LogQuery::default());
        Self { session, query, set_query }
    }

    /// Changes the query.
    pub(crate) fn change(self, change: impl FnOnce(&mut LogQuery)) {
        let mut query = self.query.get_untracked();
        change(&mut query);
        self.session.act(PaneAction::Log(LogAction::Query(trimmed(&query))));
        self.set_query.set(query);
    }

    /// The query; reactive.
    pub(super) fn get(self) -> LogQuery {
        self.query.with(trimmed)
    }

    /// Shows another query, which the worker knows.
    pub(super) fn show(self, query: LogQuery) {
        self.set_query.set(query);
    }

    /// Ends the query that the worker has ended, because another run is on screen.
    pub(super) fn follow(self, before: &LogWindow, now: &LogWindow) {
        let is_ended = now.query == LogQuery::default() && before.query != now.query;
        if is_ended && self.query.with_untracked(trimmed) == before.query {
            self.show(LogQuery::default());
        }
    }
}

fn trimmed(query: &LogQuery) -> LogQuery {
    let mut query = query.clone();
    query.search = query.search.trim().to_owned();
    query
}
