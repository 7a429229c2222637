//! Sessions from before lionagi's status vocabulary.

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::lionagi::derive::LEGACY_TOOLTIP;
use runstate::pill::{self, Taxonomy};
use web_sys::Event;

use super::super::virtual_list::Scroller;
use super::super::{Icon, PillSize, StatusPill};
use super::cursor::RunCursor;
use super::list::{RunLists, RunRows};
use crate::store::{Panel, SessionData, select};

/// One muted chip for all legacy sessions. No count includes them, and their rows open on demand.
#[component]
pub(super) fn LegacyRows(
    /// The element that scrolls.
    scroller: Scroller,
    /// The search field.
    search: NodeRef<html::Input>,
    /// The rows to request.
    range: RwSignal<Range<usize>>,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let name_id = panel.element_id("runs-legacy");
    let legacy = select(data.runs, |list| list.legacy.clone());
    let label = select(legacy, |legacy| legacy.label.clone());
    let window = select(legacy, |legacy| legacy.runs.clone());
    let cursor = RunCursor::of_list(scroller, window);
    let is_open = RwSignal::new(false);
    let on_toggle =
        move |event: Event| is_open.set(event_target::<web_sys::Element>(&event).has_attribute("open"));
    Effect::new(move |_| {
        let rows = cursor.ranges().into_iter().next().map(|(_, rows)| rows);
        range.set(rows.filter(|_| is_open.get()).unwrap_or_default());
    });
    view! {
        <details class="legacy-runs" data-field="legacy" on:toggle=on_toggle>
            <summary id=name_id.clone() title=LEGACY_TOOLTIP>
                <span class="disclosure">
                    <Icon outline=icondata_lu::LuChevronRight.data />
                </span>
                {move || {
                    let pill = pill::legacy(label.get());
                    view! {
                        <StatusPill taxonomy=Taxonomy::Session value="legacy".to_owned() pill size=PillSize::Dense prefix=Some("Status: ") />
                    }
                }}
            </summary>
            <p class="secondary-text">{LEGACY_TOOLTIP}</p>
            // The rows are a separate tab stop, because the keys of the other rows do not reach collapsed rows.
            <RunLists cursor label="Legacy sessions" search>
                <RunRows window cursor group=None name_id />
            </RunLists>
        </details>
    }
}
