//! The tree of a run's nodes: a WAI-ARIA tree of which only the rows in sight exist.

mod data;
mod keys;
mod row;
mod window;

use runstate::format;
use runstate::tree::{NodeId, Row, Tree};

use crate::el::{El, Key, Ref, each, el, el_of};
use crate::kept::{Kept, kept};
use crate::store::Store;
use row::tree_row;
use window::Window;

pub(crate) use keys::reveal;

/// The pane with the tree of the run in view; not there for who looks at what has none.
pub(crate) fn tree_pane(store: Store) -> El {
    let rows = kept(move || {
        store.copy.changed.track();
        let collapsed = store.collapsed.get();
        store.with_tree(|tree| tree.visible(&collapsed)).unwrap_or_default()
    });
    let count = move || {
        store.copy.changed.track();
        store.with_tree(Tree::len).unwrap_or_default()
    };
    let heading = move || match count() {
        1 => "1 node".to_owned(),
        n => format!("{} nodes", format::count(n as f64)),
    };
    el_of("SECTION", "pane tree-pane")
        .attr("data-pane", "tree")
        .live_attr("hidden", move || (!store.copy.present.get()).then(String::new))
        .attr("id", "tree")
        .attr("aria-labelledby", "tree-name")
        .with(
            el_of("DIV", "pane-head")
                .with(el("H2").attr("id", "tree-name").say("Tree"))
                .with(el_of("SPAN", "sub").live_text(heading)),
        )
        .with(columns())
        .with(tree_list(store, rows))
}

fn columns() -> El {
    let named = |class: &'static str, name: &'static str| el_of("SPAN", class).say(name);
    el_of("DIV", "cols")
        .attr("aria-hidden", "true")
        .with(el("SPAN").say("Node"))
        .with(el_of("SPAN", "fill"))
        .with(named("prog", "Done"))
        .with(named("stw", "State"))
        .with(named("dur", "Time"))
}

/// A length of whole and tenths of CSS pixels.
fn pixels(length: f64) -> String {
    let tenths = (length * 10.0).round() as i64;
    format!("{}.{}px", tenths / 10, tenths % 10)
}

/// The scrolling list. One tab stop: the active row is named by `aria-activedescendant`, so focus survives updates.
fn tree_list(store: Store, rows: Kept<Vec<Row>>) -> El {
    let scroller = Ref::new();
    let window = Window::new(scroller);
    let shown = kept(move || {
        store.copy.changed.track();
        store.tick.track();
        let range = rows.with(|rows| window.range(rows.len()));
        rows.with(|rows| data::read(store, &rows[range.clone()], range.start))
    });
    let keyed =
        move || shown.with(|rows| rows.iter().map(|row| (row.id.0.to_string(), row.position)).collect());
    let active = move || {
        let id = store.selected.get()?;
        shown.with(|rows| rows.iter().any(|row| row.id == id)).then(|| row::dom_id(id))
    };
    let above = move || {
        let above = shown.with(|rows| rows.first().map_or(0, |row| row.at)) as f64;
        format!("translateY({})", pixels(above * window.row_height()))
    };
    let total = move || pixels(rows.with(Vec::len) as f64 * window.row_height());
    let row = move |key: Key| {
        // `keyed` wrote it.
        let id = NodeId(key.0.parse().unwrap_or_default());
        let data = kept(move || shown.with(|rows| rows.iter().find(|row| row.id == id).cloned()));
        tree_row(store, id, data).done()
    };
    keys::follow_selection(store, rows, scroller, window);
    let list = el_of("DIV", "tree")
        .attr("role", "tree")
        .attr("aria-label", "Nodes")
        .attr("tabindex", "0")
        .live_attr("aria-activedescendant", active)
        .live_style("height", total)
        .on("keydown", move |event| keys::act(store, rows, &event, window.page()))
        .on("focus", move |_| keys::select_something(store, rows))
        .with(
            el_of("DIV", "tree-window")
                .attr("role", "presentation")
                .live_style("transform", above)
                .view(each(keyed, row)),
        );
    el_of("DIV", "scroll").reached_by(scroller).on("scroll", move |_| window.measure()).with(list)
}
