//! The keyboard of the tree (WAI-ARIA tree pattern), folding, and bringing a node into view.

use leptos::prelude::*;
use runstate::tree::{NodeId, Row, Tree};
use wasm_bindgen::JsCast;

use super::window::Window;
use crate::el::Ref;
use crate::kept::Kept;
use crate::store::Store;

/// Selects the node with this id, unfolds what hides it, and moves the keyboard to the tree.
pub(crate) fn reveal(store: Store, node_id: &str) {
    let found = with_tree(store, |tree| {
        let index = tree.find_node(node_id, None)?;
        let mut above = Vec::new();
        let mut at = tree.node(index).parent;
        while let Some(parent) = at {
            above.push(tree.node(parent).id);
            at = tree.node(parent).parent;
        }
        Some((tree.node(index).id, above))
    });
    let Some((id, above)) = found.flatten() else { return };
    store.collapsed.update(|collapsed| collapsed.retain(|id| !above.contains(id)));
    store.selected.set(Some(id));
    let tree = document().query_selector("[role=tree]").ok().flatten();
    if let Some(tree) = tree.and_then(|tree| tree.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Focus can only fail on an element that is not on the page any more.
        let _ = tree.focus();
    }
}

/// Folds or unfolds a node.
pub(crate) fn toggle(store: Store, id: NodeId) {
    store.collapsed.update(|collapsed| {
        if !collapsed.remove(&id) {
            collapsed.insert(id);
        }
    });
}

/// Gives the tree an active row when the keyboard enters it.
pub(crate) fn select_something(store: Store, rows: Kept<Vec<Row>>) {
    let visible = store.selected.get_untracked().is_some_and(|id| position(store, rows, id).is_some());
    if !visible {
        select(store, rows, 0);
    }
}

/// Keeps the selected row in sight.
pub(crate) fn follow_selection(store: Store, rows: Kept<Vec<Row>>, scroller: Ref, window: Window) {
    Effect::new(move |before: Option<Option<NodeId>>| {
        let selected = store.selected.get();
        scroller.track();
        if let (Some(id), true) = (selected, before != Some(selected))
            && let Some(at) = position(store, rows, id)
        {
            window.show(at);
        }
        selected
    });
}

/// What a key asks of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ask {
    To(usize),
    Fold,
    Unfold,
    UnfoldSiblings,
    Letter(char),
}

/// Acts on a key press; keys that mean nothing here are left to the browser.
pub(crate) fn act(store: Store, rows: Kept<Vec<Row>>, event: &web_sys::Event, page: usize) {
    let Some(event) = event.dyn_ref::<web_sys::KeyboardEvent>() else { return };
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let last = rows.with_untracked(Vec::len).saturating_sub(1);
    let at = store.selected.get_untracked().and_then(|id| position(store, rows, id)).unwrap_or(0);
    let ask = match event.key().as_str() {
        "ArrowDown" => Ask::To((at + 1).min(last)),
        "ArrowUp" => Ask::To(at.saturating_sub(1)),
        "PageDown" => Ask::To((at + page).min(last)),
        "PageUp" => Ask::To(at.saturating_sub(page)),
        "Home" => Ask::To(0),
        "End" => Ask::To(last),
        "ArrowRight" => Ask::Unfold,
        "ArrowLeft" => Ask::Fold,
        "*" => Ask::UnfoldSiblings,
        key => match single_letter(key) {
            Some(letter) => Ask::Letter(letter),
            None => return,
        },
    };
    event.prevent_default();
    match ask {
        Ask::To(target) => select(store, rows, target),
        Ask::Fold => fold(store, rows, at),
        Ask::Unfold => unfold(store, rows, at),
        Ask::UnfoldSiblings => unfold_siblings(store, rows, at),
        Ask::Letter(letter) => seek(store, rows, at, letter),
    }
}

fn single_letter(key: &str) -> Option<char> {
    let mut letters = key.chars();
    letters
        .next()
        .filter(|letter| letters.next().is_none() && (letter.is_ascii_alphanumeric() || !letter.is_ascii()))
}

fn with_tree<T>(store: Store, read: impl FnOnce(&Tree) -> T) -> Option<T> {
    store.with_tree(read)
}

fn row_at(rows: Kept<Vec<Row>>, at: usize) -> Option<Row> {
    rows.with_untracked(|rows| rows.get(at).copied())
}

fn id_of(store: Store, row: &Row) -> Option<NodeId> {
    with_tree(store, |tree| tree.node(row.index).id)
}

fn position(store: Store, rows: Kept<Vec<Row>>, id: NodeId) -> Option<usize> {
    let index = with_tree(store, |tree| tree.find(id)).flatten()?;
    rows.with_untracked(|rows| rows.iter().position(|row| row.index == index))
}

fn select(store: Store, rows: Kept<Vec<Row>>, at: usize) {
    if let Some(id) = row_at(rows, at).and_then(|row| id_of(store, &row)) {
        store.selected.set(Some(id));
    }
}

/// Left: closes an open row, else goes to the parent.
fn fold(store: Store, rows: Kept<Vec<Row>>, at: usize) {
    let Some(row) = row_at(rows, at) else { return };
    if row.expanded {
        if let Some(id) = id_of(store, &row) {
            toggle(store, id);
        }
    } else if let Some(parent) =
        with_tree(store, |tree| tree.node(row.index).parent.map(|parent| tree.node(parent).id)).flatten()
    {
        store.selected.set(Some(parent));
    }
}

/// Right: opens a closed row, else goes to the first child.
fn unfold(store: Store, rows: Kept<Vec<Row>>, at: usize) {
    let Some(row) = row_at(rows, at) else { return };
    if row.expandable && !row.expanded {
        if let Some(id) = id_of(store, &row) {
            toggle(store, id);
        }
    } else if row.expandable {
        select(store, rows, at + 1);
    }
}

/// `*`: opens the row and its siblings.
fn unfold_siblings(store: Store, rows: Kept<Vec<Row>>, at: usize) {
    let Some(row) = row_at(rows, at) else { return };
    let siblings = with_tree(store, |tree| match tree.node(row.index).parent {
        Some(parent) => tree.node(parent).children.iter().map(|child| tree.node(*child).id).collect(),
        None => vec![tree.node(row.index).id],
    });
    let siblings = siblings.unwrap_or_default();
    store.collapsed.update(|collapsed| collapsed.retain(|id| !siblings.contains(id)));
}

/// A letter goes to the next row whose name starts with it.
fn seek(store: Store, rows: Kept<Vec<Row>>, at: usize, letter: char) {
    let wanted = letter.to_string();
    let found = rows.with_untracked(|rows| {
        with_tree(store, |tree| {
            let starts = |row: &Row| {
                let title = tree.node(row.index).title();
                title.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(&wanted))
            };
            (at + 1..rows.len()).chain(0..at.min(rows.len())).find(|at| starts(&rows[*at]))
        })
    });
    if let Some(found) = found.flatten() {
        select(store, rows, found);
    }
}
