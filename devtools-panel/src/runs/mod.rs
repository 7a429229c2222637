//! Runs to choose from: the answer of `listRuns`, each with its own verdict.

use std::collections::HashMap;

use leptos::prelude::*;
use runstate::format;
use runstate::pill::{Taxonomy, pill};

use crate::pill::Pill;
use crate::source::gateway;
use crate::store::{Held, Screen, Store};

/// Which row: the run's id, and how many rows above have the same. A row stays one element while others come and go, so that
/// the keyboard does not lose it.
type RowKey = (String, usize);

/// One run as text.
#[derive(Clone, PartialEq)]
struct RunLine {
    index: usize,
    above: usize,
    id: String,
    name: String,
    state: Option<String>,
    age: String,
}

fn lines(store: Store) -> Vec<RunLine> {
    let now = crate::host::local_now();
    store.with_held(|held| {
        let (runs, now) = match held {
            Held::Nothing => return Vec::new(),
            Held::Document { inspection, .. } => (&inspection.runs, now),
            Held::Live { feed, .. } => (&feed.inspection().runs, feed.clock().now(now)),
        };
        let mut ids = HashMap::<String, usize>::new();
        let line = |(index, run): (usize, &runstate::inspection::RunInspection)| RunLine {
            index,
            above: {
                let seen = ids.entry(run.run_id.clone().unwrap_or_default()).or_default();
                std::mem::replace(seen, *seen + 1)
            },
            id: run.run_id.clone().unwrap_or_default(),
            name: run.workflow.clone().or_else(|| run.run_id.clone()).unwrap_or_default(),
            state: run.verdict.view().map(|view| view.state.as_str().to_owned()),
            age: run.started_at.or(run.created_at).map(|at| format::ago(now.since(at))).unwrap_or_default(),
        };
        runs.iter().enumerate().map(line).collect()
    })
}

/// The screen that lists runs.
#[component]
pub(crate) fn RunsScreen() -> impl IntoView {
    let store = Store::use_context();
    let lines = Memo::new(move |_| {
        store.runs.track();
        store.tick.track();
        lines(store)
    });
    let keys = move || {
        lines.with(|lines| lines.iter().map(|line| (line.id.clone(), line.above)).collect::<Vec<_>>())
    };
    let none = move || lines.with(Vec::is_empty);
    let heading = move || match lines.with(Vec::len) {
        0 => "No runs here yet".to_owned(),
        1 => "1 run".to_owned(),
        n => format!("{} runs", format::count(n as f64)),
    };
    view! {
        <section class="screen" data-screen="runs" aria-labelledby="runs-name">
            <h2 id="runs-name" tabindex="-1">{heading}</h2>
            <Show when=none>
                <p class="lead">"A run appears here as soon as it starts."</p>
                <p class="acts">
                    <button class="btn btn-s" type="button" on:click=move |_| store.screen.set(Screen::Connect)>
                        "Open something else"
                    </button>
                </p>
            </Show>
            <ul class="rlist">
                <For each=keys key=RowKey::clone let:key>
                    <RunRow line=Memo::new(move |_| lines.with(|lines| {
                        lines.iter().find(|line| (&line.id, line.above) == (&key.0, key.1)).cloned()
                    }))/>
                </For>
            </ul>
        </section>
    }
}

#[component]
fn RunRow(line: Memo<Option<RunLine>>) -> impl IntoView {
    let store = Store::use_context();
    let id = move || line.with(|line| line.as_ref().map(|line| line.id.clone()));
    let choose = move |_| {
        let Some(line) = line.get_untracked() else { return };
        if store.with_held(|held| matches!(held, Held::Live { .. })) {
            gateway::watch(store, &line.id);
        } else {
            store.choose(Some(line.index));
        }
        crate::host::focus_later("#snapshot-name");
    };
    let state = Memo::new(move |_| line.with(|line| line.as_ref().and_then(|line| line.state.clone())));
    view! {
        <li>
            <button class="rrow" type="button" data-run=id on:click=choose>
                <span class="r1">
                    <span class="r-name">{move || line.get().map(|line| line.name)}</span>
                    <span class="r-age">{move || line.get().map(|line| line.age)}</span>
                </span>
                <span class="r2">{move || view! { <RunPill state=state.get()/> }}<span class="r-id">{id}</span></span>
            </button>
        </li>
    }
}

#[component]
fn RunPill(state: Option<String>) -> impl IntoView {
    match state {
        Some(state) => {
            let words = pill(Taxonomy::Run, &state);
            view! { <Pill taxonomy=Taxonomy::Run value=state words=words dense=true prefix="Run state: "/> }
                .into_any()
        }
        None => view! { <span class="absent">"no run state"</span> }.into_any(),
    }
}
