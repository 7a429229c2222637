//! The pane with the list of runs.

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::pill::Taxonomy;
use runstate::viewer::{ListOrigin, PaneAction, RunList, RunsAction, Screen};
use web_sys::KeyboardEvent;

use super::super::header::{ABSENT, run_id};
use super::super::heading::heading_focus;
use super::super::keyboard::has_modifier;
use super::super::virtual_list::{ScrollArea, Scroller};
use super::super::{AnswerPillView, PillSize, ProblemCard, TrafficCounts, TrafficNotes};
use super::cursor::RunCursor;
use super::filters::ListTools;
use super::foot::ListFoot;
use super::group::{GroupedRows, Groups};
use super::legacy::LegacyRows;
use super::list::RunLists;
use super::no_runs::{NoMatchingRun, NoRuns};
use super::search::SearchField;
use super::servers::Servers;
use crate::store::{CurrentSession, Panel, RunListState, ScreenState, SessionData, select};
use crate::text::bounded;

/// Heading, search and filters, then the runs by the attention that they need.
#[component]
pub(crate) fn RunsPane() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let state = expect_context::<ScreenState>();
    let run_list = expect_context::<RunListState>();
    let session = expect_context::<CurrentSession>();
    let heading = heading_focus::<html::H2>();
    let heading_id = panel.element_id("runs-name");
    let (scroller, search) = (Scroller::new(), NodeRef::<html::Input>::new());
    let is_screen = Memo::new(move |_| state.screen.get() == Screen::Runs);
    let title = select(data.runs, |list| list.heading.clone());
    let total = select(data.runs, |list| list.total);
    let groups = select(data.runs, |list| list.groups.clone());
    let is_listed = move || data.runs.with(Option::is_some);
    let has = move |test: fn(&RunList) -> bool| data.runs.with(|list| list.as_ref().is_some_and(test));
    let cursor = RunCursor::of_groups(scroller, groups);
    let rows = GroupedRows { groups, cursor };
    let legacy_range = RwSignal::new(0..0);
    send_requests(session, run_list, cursor, legacy_range);
    keep_scroll(run_list, scroller, is_screen, cursor);
    show_current(data, is_screen, cursor);
    let is_live = select(data.runs, |list| list.origin.is_some().then_some(""));
    Effect::new(move |was: Option<bool>| {
        let is_back = is_screen.get() && was == Some(false);
        if is_back && state.take_heading_focus() {
            // Focusing can only fail on an element that is no longer on the page.
            let _ = heading.get_untracked().map(|heading| heading.focus());
        }
        is_screen.get()
    });
    let on_heading_keydown = move |event: KeyboardEvent| {
        if event.key() == "ArrowDown" && !has_modifier(&event) && cursor.has_rows() {
            event.prevent_default();
            cursor.focus_first();
        }
    };
    view! {
        <section
            role=panel.section_role().unwrap_or("navigation")
            class="pane runs-pane"
            id=panel.element_id("runs")
            data-pane="runs"
            data-live=is_live
            data-screen=move || is_screen.get().then_some("runs")
            aria-labelledby=heading_id.clone()
        >
            <div class="pane-head">
                <h2 id=heading_id.clone() tabindex="-1" node_ref=heading on:keydown=on_heading_keydown>
                    {title}
                </h2>
                <Origin />
            </div>
            <Show when=move || { total.get() > 0 }>
                <SearchField field=search cursor />
                <ListTools />
            </Show>
            <ColumnHeads />
            <ScrollArea scroller on:scroll=move |_| save_scroll(run_list, scroller, is_screen.get_untracked())>
                <Show when=move || is_screen.get()>
                    <ProblemCard />
                    <TrafficNotes />
                </Show>
                <Show when=move || is_listed() && total.get() == 0>
                    <NoRuns />
                </Show>
                <RunLists cursor label="Runs" search>
                    <Groups server=None list=rows />
                    <Servers list=rows />
                </RunLists>
                <Show when=move || has(|list| list.no_match.is_some())>
                    <NoMatchingRun />
                </Show>
                <Show when=move || has(|list| list.legacy.is_some())>
                    <LegacyRows scroller search range=legacy_range />
                </Show>
            </ScrollArea>
            <div class="pane-foot">
                <ListFoot />
                <TrafficCounts />
            </div>
        </section>
    }
}

/// The heads of the columns, where the list is wide enough for some.
#[component]
fn ColumnHeads() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let total = select(data.runs, |list| list.total);
    view! {
        <div class="run-columns" aria-hidden="true" hidden=move || total.get() == 0>
            <span>"Run"</span>
            <span>"State"</span>
            <span>"Reason"</span>
            <span>"Time"</span>
            <span>"Id"</span>
        </div>
    }
}

/// The server of the list, and how fresh its rows are: said once, not in every row.
#[component]
fn Origin() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let origin = select(data.runs, |list| list.origin.clone());
    move || {
        origin.get().map(|origin| {
            let ListOrigin { address, freshness, .. } = *origin;
            view! {
                <p class="list-origin" data-field="origin">
                    <span class="code">{bounded(&address)}</span>
                    <AnswerPillView taxonomy=Taxonomy::Freshness pill=freshness absent=ABSENT size=PillSize::Dense />
                </p>
            }
        })
    }
}

/// Scrolls the row of the run on screen into view when another run is shown, or when its row moves to another group.
fn show_current(data: SessionData, is_screen: Memo<bool>, cursor: RunCursor) {
    let current = select(data.runs, |list| list.current);
    let shown = Memo::new(move |_| {
        let (group, _) = current.get()?;
        let run = data.header.with(|header| header.as_ref().and_then(run_id).map(str::to_owned))?;
        Some((run, group))
    });
    Effect::new(move |_| {
        // With the focus in the list, a person moves it.
        if shown.with(Option::is_none) || is_screen.get() || cursor.has_focus.get_untracked() {
            return;
        }
        // The list is laid out in the next frame.
        request_animation_frame(move || {
            if let Some((group, row)) = current.try_get_untracked().flatten() {
                cursor.show_row(group, row);
            }
        });
    });
}

/// Sends the worker the query and the visible row range.
fn send_requests(
    session: CurrentSession,
    run_list: RunListState,
    cursor: RunCursor,
    legacy: RwSignal<Range<usize>>,
) {
    Effect::new(move |_| session.act(PaneAction::Runs(RunsAction::Find(run_list.query.get()))));
    Effect::new(move |_| {
        let groups = cursor.ranges().into_iter().filter_map(|(group, rows)| Some((group?, rows))).collect();
        session.act(PaneAction::Runs(RunsAction::Show { groups, legacy: legacy.get() }));
    });
}

/// Keeps the scroll position while another screen hides the list, or while the list is narrow next to a run.
fn keep_scroll(run_list: RunListState, scroller: Scroller, is_screen: Memo<bool>, cursor: RunCursor) {
    Effect::new(move |_| {
        let is_screen = is_screen.get();
        run_list.query.track();
        // Read now: until then the list may scroll to keep a row in its place.
        let saved = run_list.saved_scroll(is_screen);
        // The rows have their new height in the next frame.
        request_animation_frame(move || {
            // The list may have been removed by then.
            let Some(element) = scroller.element.try_get_untracked().flatten() else { return };
            let Some(saved) = saved else { return };
            element.set_scroll_top(saved);
            if !is_screen {
                cursor.show_active();
            }
        });
    });
}

fn save_scroll(run_list: RunListState, scroller: Scroller, is_screen: bool) {
    if let Some(scroller) = scroller.element.get_untracked().filter(|scroller| scroller.client_height() > 0) {
        run_list.save_scroll(is_screen, scroller.scroll_top());
    }
}
