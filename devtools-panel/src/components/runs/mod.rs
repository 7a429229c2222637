//! Runs to choose from.

mod list;
mod row;

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::lionagi::derive::LEGACY_TOOLTIP;
use runstate::pill::{self, Taxonomy};
use runstate::viewer::{RunList, RunWindow};
use web_sys::Event;

use super::heading::heading_focus;
use super::{Icon, StatusPill};
use crate::session::protocol::Command;
use crate::store::Store;
use list::RunRows;
pub use row::RunItem;

/// The list of runs, and the legacy sessions under it.
#[component]
pub(crate) fn RunsScreen(
    /// The element that scrolls.
    scroller: NodeRef<html::Div>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let heading = heading_focus::<html::H2>();
    let heading_id = store.element_id("runs-name");
    let title = list_part(store, |list| list.heading.clone());
    let runs = list_part(store, |list| list.runs.clone());
    let is_empty = Memo::new(move |_| runs.with(|runs| runs.total == 0));
    let has_legacy =
        Memo::new(move |_| store.runs.with(|list| list.as_ref().is_some_and(|list| list.legacy.is_some())));
    let (runs_range, legacy_range) = (RwSignal::new(0..0), RwSignal::new(0..0));
    Effect::new(move |_| {
        store.send(&Command::ShowRuns { runs: runs_range.get(), legacy: legacy_range.get() });
    });
    view! {
        <section class="screen" data-screen="runs" aria-labelledby=heading_id.clone()>
            <h2 id=heading_id.clone() tabindex="-1" node_ref=heading>
                {title}
            </h2>
            <Show when=move || is_empty.get() && store.runs.with(Option::is_some)>
                <NoRuns />
            </Show>
            <RunRows window=runs scroller range=runs_range />
            <Show when=move || has_legacy.get()>
                <LegacyRows scroller range=legacy_range />
            </Show>
        </section>
    }
}

/// What to do about an empty list.
#[component]
fn NoRuns() -> impl IntoView {
    let store = expect_context::<Store>();
    view! {
        <p class="lead">"A run appears here as soon as it starts."</p>
        <p class="acts">
            <button type="button" class="btn btn-s" on:click=move |_| store.choose_source()>
                "Open something else"
            </button>
        </p>
    }
}

/// The one muted chip that stands for all legacy sessions. They are in no count, and their rows open on demand.
#[component]
fn LegacyRows(
    /// The element that scrolls.
    scroller: NodeRef<html::Div>,
    /// The rows to request.
    range: RwSignal<Range<usize>>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let label = legacy_part(store, |label, _| label.to_owned());
    let rows = legacy_part(store, |_, rows| rows.clone());
    let (is_open, open_range) = (RwSignal::new(false), RwSignal::new(0..0));
    let on_toggle =
        move |event: Event| is_open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
    Effect::new(move |_| range.set(if is_open.get() { open_range.get() } else { 0..0 }));
    view! {
        <details class="chips" data-field="legacy" on:toggle=on_toggle>
            <summary title=LEGACY_TOOLTIP>
                <span class="twist">
                    <Icon outline=icondata_lu::LuChevronRight.data />
                </span>
                {move || {
                    let pill = pill::legacy(label.get());
                    view! {
                        <StatusPill taxonomy=Taxonomy::Session value="legacy".to_owned() pill dense=true prefix=Some("Status: ") />
                    }
                }}
            </summary>
            <p class="sub">{LEGACY_TOOLTIP}</p>
            <RunRows window=rows scroller range=open_range />
        </details>
    }
}

/// A part of the list, which changes only when that part does.
fn list_part<T>(store: Store, read: fn(&RunList) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| store.runs.with(|list| list.as_ref().map(read).unwrap_or_default()))
}

fn legacy_part<T>(store: Store, read: fn(&str, &RunWindow) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| {
        let read = |list: &RunList| list.legacy.as_ref().map(|legacy| read(&legacy.label, &legacy.runs));
        store.runs.with(|list| list.as_ref().and_then(read).unwrap_or_default())
    })
}
