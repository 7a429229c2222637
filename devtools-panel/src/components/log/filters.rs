//! The filters of the events, and the buttons that copy them: one tab stop.

use leptos::prelude::*;
use runstate::format;
use runstate::smithers::wire::EventSeverity;
use runstate::viewer::{EventChoice, Family, FamilyCount, LogQuery};
use runstate::word::Vocabulary;

use super::super::Icon;
use super::super::middle_ellipsis::MiddleEllipsis;
use super::super::roving::roving;
use crate::store::{Copying, CurrentSession, LogQueryState, SessionData, select};
use crate::text::plain_name;

/// Names above this length, in characters, are shortened in the middle.
const SHORT_NAME: usize = 24;

/// The filters. Several families may be pressed; without a pressed one, the events of all families are shown.
#[component]
pub(super) fn LogFilters() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let families = select(data.log, |log| log.families.clone());
    let events = select(data.log, |log| log.events);
    let controls = roving();
    view! {
        <div
            class="list-tools log-tools"
            role="toolbar"
            aria-label="Filter and copy events"
            node_ref=controls
            hidden=move || events.get() == 0
        >
            <NodeChip />
            <AttemptChip />
            <SeverityChip severity=EventSeverity::Error label="Errors" />
            <SeverityChip severity=EventSeverity::Warning label="Warnings and errors" />
            <RunsChip />
            <For
                each=move || families.get()
                key=|count| count.family
                children=move |first| view! { <FamilyChip family=first.family families /> }
            />
            <CopyEvents />
        </div>
    }
}

/// Shows only the events of the selected node.
#[component]
fn NodeChip() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let query = expect_context::<LogQueryState>();
    let only_node = Memo::new(move |_| query.query.with(|query| query.node.clone()));
    let selected =
        Memo::new(move |_| data.focus.with(|focus| focus.selected_key().map(|key| key.node_id.clone())));
    let node = Memo::new(move |_| only_node.get().or(selected.get()));
    let chip = move |node: String| {
        let (title, wanted) = (plain_name(&node), StoredValue::new(node.clone()));
        let on_click = move |_| {
            let node = only_node.with_untracked(Option::is_none).then(|| wanted.get_value());
            query.change(|query| query.node = node);
        };
        view! {
            <button
                type="button"
                class="chip"
                data-node-filter=""
                title=title
                aria-pressed=move || only_node.with(Option::is_some).to_string()
                on:click=on_click
            >
                "Only "
                <MiddleEllipsis text=node short=SHORT_NAME />
            </button>
        }
    };
    move || node.get().map(chip)
}

/// A button that is pressed while its filter is on. `is_shown` says whether there is something to filter by.
#[component]
fn Chip(
    /// The name of the filter, for tests and tools.
    filter: &'static str,
    /// The text.
    #[prop(into)]
    label: Signal<String>,
    /// Whether the button is on screen.
    #[prop(into)]
    is_shown: Signal<bool>,
    /// Whether it is pressed.
    #[prop(into)]
    is_on: Signal<bool>,
    /// Turns the filter on or off.
    turn: impl Fn(&mut LogQuery, bool) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let query = expect_context::<LogQueryState>();
    view! {
        <button
            type="button"
            class="chip"
            data-filter=filter
            hidden=move || !is_shown.get()
            aria-pressed=move || is_on.get().to_string()
            on:click=move |_| query.change(|query| turn(query, !is_on.get_untracked()))
        >
            {label}
        </button>
    }
}

/// Shows only events of the attempt of the selected one.
#[component]
fn AttemptChip() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let query = expect_context::<LogQueryState>();
    let only = Memo::new(move |_| query.query.with(|query| query.attempt));
    let selected = select(data.log, |log| log.selected_attempt);
    let attempt = Memo::new(move |_| only.get().or(selected.get()));
    let label =
        move || format!("Only attempt {}", format::count(f64::from(attempt.get().unwrap_or_default())));
    let turn =
        move |query: &mut LogQuery, is_on: bool| query.attempt = attempt.get_untracked().filter(|_| is_on);
    view! {
        <Chip
            filter="attempt"
            label=Signal::derive(label)
            is_shown=Signal::derive(move || attempt.get().is_some())
            is_on=Signal::derive(move || only.get().is_some())
            turn
        />
    }
}

/// Shows only events of at least this severity.
#[component]
fn SeverityChip(
    /// The severity.
    severity: EventSeverity,
    /// Its name.
    label: &'static str,
) -> impl IntoView {
    let query = expect_context::<LogQueryState>();
    view! {
        <Chip
            filter=severity.as_str()
            label=Signal::stored(label.to_owned())
            is_shown=Signal::stored(true)
            is_on=Signal::derive(move || query.query.with(|query| query.severity) == Some(severity))
            turn=move |query: &mut LogQuery, is_on: bool| query.severity = is_on.then_some(severity)
        />
    }
}

/// Shows the events of all runs of a file with several.
#[component]
fn RunsChip() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let runs = select(data.log, |log| log.runs);
    let query = expect_context::<LogQueryState>();
    let label = move || format!("All {} runs of the file", format::count(runs.get() as f64));
    view! {
        <Chip
            filter="runs"
            label=Signal::derive(label)
            is_shown=Signal::derive(move || runs.get() > 1)
            is_on=Signal::derive(move || query.query.with(|query| query.all_runs))
            turn=|query: &mut LogQuery, is_on: bool| query.all_runs = is_on
        />
    }
}

/// Copies the selected row, or all rows with these filters.
#[component]
fn CopyEvents() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let (session, copying) = (expect_context::<CurrentSession>(), expect_context::<Copying>());
    let selected = select(data.log, |log| log.selected.is_some() || log.is_selected_hidden);
    let total = select(data.log, |log| log.total);
    let button =
        move |action: &'static str, events: EventChoice, label: &'static str, is_shown: Signal<bool>| {
            view! {
                <button
                    type="button"
                    class="btn btn-small"
                    data-action=action
                    title="As NDJSON, without secrets"
                    hidden=move || !is_shown.get()
                    on:click=move |_| copying.copy_events(events, session)
                >
                    <Icon outline=icondata_lu::LuCopy.data />
                    {label}
                </button>
            }
        };
    view! {
        {button("copy-event", EventChoice::Selected, "Copy event", selected.into())}
        {button("copy-events", EventChoice::Shown, "Copy all shown", Signal::derive(move || total.get() > 0))}
    }
}

/// One family with its count.
#[component]
fn FamilyChip(
    /// The family.
    family: Family,
    /// All families.
    families: Memo<Vec<FamilyCount>>,
) -> impl IntoView {
    let query = expect_context::<LogQueryState>();
    let count = Memo::new(move |_| {
        families.with(|families| families.iter().find(|count| count.family == family).copied())
    });
    let is_on = move || query.query.with(|query| query.families.contains(&family));
    let on_click = move |_| {
        query.change(|query| match query.families.iter().position(|known| *known == family) {
            Some(at) => drop(query.families.remove(at)),
            None => query.families.push(family),
        });
    };
    view! {
        <button
            type="button"
            class="chip"
            data-family=family.as_str()
            aria-pressed=move || is_on().to_string()
            on:click=on_click
        >
            {family.label()}
            " "
            <b>{move || count.get().map(|count| format::count(count.count as f64))}</b>
        </button>
    }
}
