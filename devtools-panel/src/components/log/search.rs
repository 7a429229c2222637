//! The search of the events, and how far it is.

use leptos::html;
use leptos::prelude::*;
use runstate::format;
use web_sys::KeyboardEvent;

use super::super::search_box::SearchBox;
use crate::store::{Announcements, LogQueryState, Panel, SessionData, select};

/// What a search matches.
const HELP: &str = "Finds events whose JSON has all these words. Only the case of A to Z is ignored, and \" or a line break are \
                    searched as \\\" and \\n.";

/// The search field.
#[component]
pub(super) fn LogSearch(
    /// The grid, to which the arrow down and Enter go.
    grid: NodeRef<html::Div>,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let query = expect_context::<LogQueryState>();
    let help_id = expect_context::<Panel>().element_id("log-search-help");
    let events = select(data.log, |log| log.events);
    let found = select(data.log, |log| log.query.search.clone());
    let searched = select(data.log, |log| log.searched);
    let matches = select(data.log, |log| log.matches);
    let typed = Memo::new(move |_| query.query.with(|query| query.search.clone()));
    announce_result(found, searched, matches);
    let on_search = move |text| query.change(|query| query.search = text);
    let on_key = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "ArrowDown" | "Enter")
            && let Some(grid) = grid.get_untracked()
        {
            event.prevent_default();
            // Focusing can only fail on an element that is no longer on the page.
            let _ = grid.focus();
        }
    };
    view! {
        <div class="search-row log-search" hidden=move || events.get() == 0>
            <SearchBox
                name="search-events"
                label="Search events"
                placeholder="Words in the event"
                help=HELP
                described_by=help_id.clone()
                value=typed
                on_search
                on_key
            />
            <span class="visually-hidden" id=help_id.clone()>
                {HELP}
            </span>
            <span class="secondary-text" data-field="log-searched" hidden=move || found.with(String::is_empty)>
                {move || {
                    let rows = format!("{} found", format::count(matches.get() as f64));
                    match searched.get() {
                        Some(percent) => format!("{rows}, {percent} % searched"),
                        None => rows,
                    }
                }}
            </span>
        </div>
    }
}

/// Announces how many events a search has found, once it has ended.
fn announce_result(found: Memo<String>, searched: Memo<Option<u32>>, matches: Memo<u64>) {
    let announcements = expect_context::<Announcements>();
    Effect::new(move |before: Option<String>| {
        let (text, is_searching) = (found.get(), searched.get().is_some());
        let before = before.unwrap_or_default();
        if is_searching || text == before {
            return before;
        }
        if !text.is_empty() {
            let matches = matches.get_untracked();
            let events = if matches == 1 {
                "1 event".to_owned()
            } else {
                format!("{} events", format::count(matches as f64))
            };
            announcements.announce(format!("Search: {events} found."));
        }
        text
    });
}
