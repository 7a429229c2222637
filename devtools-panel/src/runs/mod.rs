//! Runs to choose from: the answer of `listRuns`, each with its own verdict.

use leptos::prelude::*;
use runstate::format;
use runstate::pill::{Taxonomy, pill};

use crate::pill::Pill;
use crate::source::gateway;
use crate::store::{Held, Screen, Store};

/// One run as text.
#[derive(Clone, PartialEq)]
struct RunLine {
    index: usize,
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
        let line = |(index, run): (usize, &runstate::inspection::RunInspection)| RunLine {
            index,
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
    let none = move || lines.with(Vec::is_empty);
    let heading = move || match lines.with(Vec::len) {
        0 => "No runs here yet".to_owned(),
        1 => "1 run".to_owned(),
        n => format!("{} runs", format::count(n as f64)),
    };
    let choose = move |line: &RunLine| {
        let live = store.with_held(|held| matches!(held, Held::Live { .. }));
        if live {
            gateway::watch(store, &line.id);
        } else {
            store.choose(Some(line.index));
        }
        crate::host::focus_later("#snapshot-name");
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
                <For each=move || lines.get() key=|line| (line.index, line.clone().id, line.state.clone(), line.age.clone()) let:line>
                    <li>
                        <button class="rrow" type="button" data-run=line.id.clone() on:click={
                            let line = line.clone();
                            move |_| choose(&line)
                        }>
                            <span class="r1"><span class="r-name">{line.name.clone()}</span><span class="r-age">{line.age.clone()}</span></span>
                            <span class="r2"><RunPill state=line.state.clone()/><span class="r-id">{line.id.clone()}</span></span>
                        </button>
                    </li>
                </For>
            </ul>
        </section>
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
