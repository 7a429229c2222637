//! The pane with the events.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::LogWindow;

use super::super::{Icon, Isolated};
use super::element::LogElement;
use super::filters::LogFilters;
use super::list::LogRows;
use super::search::LogSearch;
use crate::store::{Panel, PanelView, ScreenState, SessionData, select};
use crate::text::bounded;

/// The pane with the events of the run on screen, while a person chose them or the panel shows nothing else.
#[component]
pub(crate) fn LogPane() -> impl IntoView {
    let ScreenState { shows_events, .. } = expect_context();
    let Panel { view, .. } = expect_context();
    view! {
        <Show when=move || shows_events.get() || view.get() == PanelView::Log>
            <Events />
        </Show>
    }
}

#[component]
fn Events() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let heading_id = panel.element_id("log-name");
    let has_log = select(data.log, |_| true);
    let events = select(data.log, |log| log.events);
    let missing = select(data.log, |log| log.missing);
    let note = select(data.log, |log| log.note.clone());
    let empty = select(data.log, empty);
    let is_hidden = select(data.log, |log| log.is_selected_hidden);
    let LogElement(grid) = use_context().unwrap_or_default();
    let sentence =
        move |text: Memo<Option<String>>| text.get().map(|text| view! { <Isolated text=bounded(&text) /> });
    view! {
        <section
            role=panel.section_role()
            class="pane log-pane"
            data-pane="log"
            id=panel.element_id("log")
            aria-labelledby=heading_id.clone()
        >
            <div class="pane-head">
                <h2 id=heading_id.clone()>"Events"</h2>
                <span class="secondary-text" data-field="log-count">
                    {move || has_log.get().then(|| format::count(events.get() as f64))}
                </span>
                <span class="log-missing" data-field="log-missing" hidden=move || missing.get() == 0>
                    <Icon outline=icondata_lu::LuUnlink.data />
                    {move || format::count(missing.get() as f64)}
                    " missing"
                </span>
            </div>
            <LogSearch grid />
            <LogFilters />
            <p class="log-note" data-field="log-note" hidden=move || note.with(Option::is_none)>
                {move || sentence(note)}
            </p>
            <p class="log-note" data-field="log-selected" hidden=move || !is_hidden.get()>
                "The selected event is filtered out."
            </p>
            <p class="log-note" data-field="log-empty" hidden=move || empty.with(Option::is_none)>
                {move || sentence(empty)}
            </p>
            <LogRows grid />
        </section>
    }
}

/// Why no row is shown.
fn empty(log: &LogWindow) -> Option<String> {
    let filtered = if log.query.search.is_empty() {
        "No event of this run has what the filters ask for. Press a filter again to remove it."
    } else {
        "No event with these filters contains all these words. Search for others, or remove a filter."
    };
    let is_filtered = log.matches == 0 && log.searched.is_none();
    log.empty.clone().or_else(|| is_filtered.then(|| filtered.to_owned()))
}
