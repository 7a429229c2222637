//! The panel's state: the last values that the session sent, and the person's choices on this page.
//!
//! Data flows one way. The state consists of small contexts, each with signals that components read and methods that
//! send commands; only the contexts write the signals.

mod added_events;
mod announcements;
mod copying;
mod current_session;
mod data;
mod exports;
mod host_page;
mod last_problem;
mod log_query;
mod opened;
mod opening;
mod panel;
mod place;
mod run_list;
mod screen_state;
mod sessions;
mod traffic_log;
mod tree_query;

use leptos::prelude::*;
use runstate::viewer::Update;

pub(crate) use self::announcements::Announcements;
pub(crate) use self::copying::Copying;
pub(crate) use self::current_session::CurrentSession;
pub(crate) use self::data::{SessionData, select};
pub(crate) use self::exports::{Export, Exports};
pub use self::host_page::PanelView;
pub(crate) use self::host_page::{ActionRequest, HostEvent, HostPage, ScreenContent};
pub(crate) use self::last_problem::LastProblem;
pub(crate) use self::log_query::LogQueryState;
pub(crate) use self::opened::Opened;
pub(crate) use self::panel::Panel;
pub(crate) use self::run_list::{ChosenRow, RunListState};
pub(crate) use self::screen_state::ScreenState;
pub(crate) use self::sessions::Sessions;
pub(crate) use self::traffic_log::TrafficLog;
pub(crate) use self::tree_query::TreeQueryState;

/// The contexts of one panel.
#[derive(Clone)]
pub struct Store {
    pub(crate) sessions: Sessions,
    pub(crate) copying: Copying,
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

impl Store {
    /// A panel without a session, on the connect screen.
    #[must_use]
    pub fn new() -> Self {
        Self::with_host_page(None)
    }

    /// The state of a panel embedded in a host page.
    pub(crate) fn embedded(host_page: HostPage) -> Self {
        Self::with_host_page(Some(host_page))
    }

    fn with_host_page(host_page: Option<HostPage>) -> Self {
        let (announcements, problem) = (Announcements::new(), LastProblem::new());
        Self {
            sessions: Sessions::new(Panel::new(host_page), announcements, CurrentSession::new(problem)),
            copying: Copying::new(announcements, problem),
        }
    }

    /// Provides the contexts to the components.
    pub fn provide(&self) {
        let Sessions {
            panel,
            data,
            state,
            run_list,
            tree_query,
            log_query,
            announcements,
            session,
            exports,
            traffic,
            ..
        } = self.sessions;
        provide_context(self.sessions);
        provide_context(self.copying);
        provide_context(panel);
        provide_context(data);
        provide_context(state);
        provide_context(run_list);
        provide_context(tree_query);
        provide_context(log_query);
        provide_context(announcements);
        provide_context(session);
        provide_context(session.problem);
        provide_context(exports);
        provide_context(traffic);
    }

    /// Stores an update of the session.
    pub fn apply(&self, update: Update) {
        self.sessions.apply(update);
    }
}
