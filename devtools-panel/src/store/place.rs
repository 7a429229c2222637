//! What the panel shows of its source, for the page's address and for a host page.

use leptos::prelude::*;
use runstate::viewer::{Place, PlaceView, Screen};

use super::sessions::Sessions;
use crate::session::protocol::Command;

impl Sessions {
    /// What is shown of the session on screen; `None` while there is nothing, and until a requested place is on screen.
    pub(crate) fn place(&self) -> Option<Place> {
        let shown =
            self.data.status.with(|status| (status.screen != Screen::Nothing).then(|| status.run.clone()));
        let mut query = self.run_list.query.get();
        query.folded.clear();
        let node = self.data.focus.with(|focus| focus.selected_key().cloned());
        let is_shown = self.requested_place.with(Option::is_none);
        let mut place = Place::of_run(shown?);
        (place.node, place.query) = (node, query);
        // A run that a Gateway has not sent yet is named.
        let is_run = self.data.status.with(|status| status.screen == Screen::Run || status.run.is_some());
        if is_run {
            place.view = self.state.place_view.get();
            (place.tree, place.log) = (self.tree_query.get(), self.log_query.get());
        }
        is_shown.then_some(place)
    }

    /// Shows a place of the source that is being opened, else of the one on screen.
    pub(crate) fn go_in_newest(&self, place: Place) {
        let is_opening = self.session.workers.try_update_value(|workers| {
            let candidate = workers.candidate.as_mut();
            candidate.map(|candidate| candidate.place = place.clone()).is_some()
        });
        if is_opening == Some(false) && self.opened.with_untracked(Option::is_some) {
            self.go(place);
        }
    }

    /// Shows a place of the source on screen.
    pub(crate) fn go(&self, place: Place) {
        self.run_list.show(place.query.clone());
        self.state.show_session();
        self.state.chosen_events.set(place.view.map(|view| view == PlaceView::Events));
        if place.node.is_some() {
            self.state.open_node(false);
        }
        if self.data.status.with_untracked(|status| status.run != place.run) {
            self.leave_run();
        }
        self.tree_query.show(&place.tree);
        self.log_query.show(place.log.clone());
        if self.session.send(&Command::Show(Box::new(place.clone()))) {
            self.requested_place.set(Some(place));
            self.note_requested_place();
        }
    }

    /// Notes that the requested place is on screen, once the session has sent it.
    pub(super) fn note_requested_place(&self) {
        let is_shown = self.requested_place.with_untracked(|place| {
            place.as_ref().is_some_and(|Place { run, node, .. }| {
                let shows_run = self
                    .data
                    .status
                    .with_untracked(|status| status.screen != Screen::Nothing && status.run == *run);
                shows_run && self.data.focus.with_untracked(|focus| focus.selected_key() == node.as_ref())
            })
        });
        if is_shown {
            self.requested_place.set(None);
        }
    }
}
