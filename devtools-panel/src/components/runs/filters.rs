//! The filters of the list by system and by state, each with its count, and the order: one tab stop.

use leptos::prelude::*;
use runstate::format;
use runstate::ingest::System;
use runstate::viewer::{StateCount, SystemCount};
use runstate::word::Vocabulary;

use super::super::Icon;
use super::super::outline::outline;
use super::super::roving::roving;
use super::search::SortField;
use crate::store::{RunListState, SessionData, select};
use crate::text::{attribute, middle_cut};

/// Number of state chips in a narrow list before "more".
const SHOWN_STATES: usize = 4;

/// The filters and the order.
#[component]
pub(super) fn ListTools() -> impl IntoView {
    let controls = roving();
    view! {
        <div class="list-tools" role="toolbar" aria-label="Filters and order" node_ref=controls>
            <SystemFilter />
            <StateFilter />
            // The last one: its own arrow keys are up and down.
            <SortField />
        </div>
    }
}

/// The filter by system, shown if the list has runs of several.
#[component]
fn SystemFilter() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let run_list = expect_context::<RunListState>();
    let systems = select(data.runs, |list| list.systems.clone());
    let total = select(data.runs, |list| list.total);
    let is_chosen = move |system: Option<System>| run_list.query.with(|query| query.system == system);
    let choose = move |system: Option<System>| run_list.find(|query| query.system = system);
    let button = move |first: SystemCount| {
        let system = first.system;
        let count = move || {
            let text = |count: &SystemCount| (count.system == system).then(|| count.count.clone());
            systems.with(|systems| systems.iter().find_map(text))
        };
        view! {
            <button
                type="button"
                data-system=system.as_str()
                aria-pressed=move || is_chosen(Some(system)).to_string()
                on:click=move |_| choose(Some(system))
            >
                {first.label}
                " "
                <b>{count}</b>
            </button>
        }
    };
    view! {
        <Show when=move || systems.with(|systems| !systems.is_empty())>
            <div class="segmented" role="group" aria-label="System">
                <button type="button" aria-pressed=move || is_chosen(None).to_string() on:click=move |_| choose(None)>
                    "All "
                    <b>{move || format::count(total.get() as f64)}</b>
                </button>
                <For each=move || systems.get() key=|count| count.system children=button />
            </div>
        </Show>
    }
}

/// The filter by state. Several chips may be pressed; without a pressed chip, the list shows all runs.
#[component]
fn StateFilter() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let run_list = expect_context::<RunListState>();
    let states = select(data.runs, |list| list.states.clone());
    let is_open = RwSignal::new(false);
    let hidden = Memo::new(move |_| {
        let is_hidden =
            |state: &&StateCount| !run_list.query.with(|query| query.states.contains(&state.label));
        states.with(|states| states.iter().skip(SHOWN_STATES).filter(is_hidden).count())
    });
    view! {
        <div
            class="chip-row"
            role="group"
            aria-label="Filter by state"
            data-open=move || is_open.get().then_some("")
        >
            <For
                each=move || states.get()
                key=|state| state.label.clone()
                children=move |first| view! { <StateChip first states /> }
            />
            <Show when=move || { hidden.get() > 0 }>
                <button
                    type="button"
                    class="chip more"
                    aria-expanded=move || is_open.get().to_string()
                    on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
                >
                    {move || if is_open.get() { "Fewer".to_owned() } else { format!("{} more", format::count(hidden.get() as f64)) }}
                </button>
            </Show>
        </div>
    }
}

/// One state with its count.
#[component]
fn StateChip(
    /// The state when its chip was first drawn.
    first: StateCount,
    /// All states.
    states: Memo<Vec<StateCount>>,
) -> impl IntoView {
    let run_list = expect_context::<RunListState>();
    let label = StoredValue::new(first.label.clone());
    let is_pressed = Memo::new(move |_| {
        run_list.query.with(|query| label.with_value(|label| query.states.contains(label)))
    });
    let count = Memo::new(move |_| {
        let text =
            |state: &StateCount| label.with_value(|label| *label == state.label).then(|| state.count.clone());
        states.with(|states| states.iter().find_map(text))
    });
    let on_click = move |_| {
        let label = label.get_value();
        run_list.find(|query| match query.states.iter().position(|known| *known == label) {
            Some(at) => {
                query.states.remove(at);
            }
            None => query.states.push(label),
        });
    };
    let words = middle_cut(&first.label);
    view! {
        <button
            type="button"
            class="chip chip-state"
            data-state-filter=attribute(&first.label)
            aria-pressed=move || is_pressed.get().to_string()
            on:click=on_click
        >
            <span class="chip-icon" data-tone=first.tone.as_str()>
                <Icon outline=outline(first.icon) />
            </span>
            <span class=if first.known { "" } else { "code" }>{words}</span>
            " "
            <b>{count}</b>
        </button>
    }
}
