//! The tree of a run's nodes: a WAI-ARIA tree of which only the rows in sight exist.

mod data;
mod keys;
mod row;
mod window;

use leptos::html::Div;
use leptos::prelude::*;
use runstate::format;
use runstate::tree::Row;

use crate::store::Store;
use row::TreeRow;
use window::Window;

pub(crate) use keys::reveal;

/// The pane with the tree of the run in view.
#[component]
pub(crate) fn TreePane() -> impl IntoView {
    let store = Store::use_context();
    let rows = Memo::new(move |_| {
        store.tree.track();
        let collapsed = store.collapsed.get();
        store.with_run(|run, _, _| run.tree.as_ref().map(|tree| tree.visible(&collapsed))).flatten()
    });
    let count = Memo::new(move |_| {
        store.tree.track();
        store.with_run(|run, _, _| run.tree.as_ref().map_or(0, runstate::tree::Tree::len)).unwrap_or(0)
    });
    let some = Memo::new(move |_| rows.with(Option::is_some));
    let heading = move || match count.get() {
        1 => "1 node".to_owned(),
        n => format!("{} nodes", format::count(n as f64)),
    };
    view! {
        <section class="pane tree-pane" data-pane="tree" id="tree" aria-labelledby="tree-name">
            <div class="pane-head">
                <h2 id="tree-name">"Tree"</h2>
                <Show when=move || some.get()><span class="sub">{heading}</span></Show>
            </div>
            <Show when=move || some.get() fallback=|| view! { <NoTree/> }>
                <div class="cols" aria-hidden="true">
                    <span>"Node"</span>
                    <span class="fill"></span>
                    <span class="prog">"Done"</span>
                    <span class="stw">"State"</span>
                    <span class="dur">"Time"</span>
                </div>
                <TreeList rows=Memo::new(move |_| rows.get().unwrap_or_default())/>
            </Show>
        </section>
    }
}

#[component]
fn NoTree() -> impl IntoView {
    view! {
        <p class="pane-empty">
            "No tree here. A DevTools snapshot carries one; a run row or a bare run state does not."
        </p>
    }
}

/// The scrolling list. One tab stop: the active row is named by `aria-activedescendant`, so focus survives updates.
#[component]
fn TreeList(rows: Memo<Vec<Row>>) -> impl IntoView {
    let store = Store::use_context();
    let scroller = NodeRef::<Div>::new();
    let window = Window::new(scroller);
    let shown = Memo::new(move |_| {
        store.tree.track();
        store.tick.track();
        let range = rows.with(|rows| window.range(rows.len()));
        rows.with(|rows| data::read(store, &rows[range.clone()], range.start))
    });
    let keyed = move || shown.with(|rows| rows.iter().map(|row| (row.id, row.position)).collect::<Vec<_>>());
    let active = move || {
        let id = store.selected.get()?;
        shown.with(|rows| rows.iter().any(|row| row.id == id)).then(|| row::dom_id(id))
    };
    let above = move || {
        format!("{}px", shown.with(|rows| rows.first().map_or(0, |row| row.at)) as f64 * window.row_height())
    };
    let total = move || format!("{}px", rows.with(Vec::len) as f64 * window.row_height());
    keys::follow_selection(store, rows, scroller, window);
    view! {
        <div class="scroll" node_ref=scroller on:scroll=move |_| window.measure()>
            <div
                role="tree"
                aria-label="Nodes"
                class="tree"
                tabindex="0"
                aria-activedescendant=active
                style:height=total
                on:keydown=move |event| keys::act(store, rows, &event, window.page())
                on:focus=move |_| keys::select_something(store, rows)
            >
                <div class="tree-window" role="presentation" style:transform=move || format!("translateY({})", above())>
                    <For each=keyed key=|key| *key let:key>
                        <TreeRow
                            id=key.0
                            data=Memo::new(move |_| shown.with(|rows| rows.iter().find(|row| row.id == key.0).cloned()))
                        />
                    </For>
                </div>
            </div>
        </div>
    }
}
