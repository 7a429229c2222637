//! Runs to choose from: the answer of `listRuns`, each with its own verdict.

use std::collections::HashMap;

use leptos::prelude::*;
use runstate::document::ListRow;
use runstate::format;
use runstate::pill::{Taxonomy, pill};

use crate::connect::screen_with;
use crate::el::{El, Key, button, each, el, el_of, group, live, when};
use crate::kept::{Kept, kept};
use crate::pill::Pill;
use crate::source::{file, gateway};
use crate::store::{Screen, Store};

/// One run as text. A row stays one element while others come and go, so that the keyboard does not lose it.
#[derive(Clone, PartialEq)]
struct RunLine {
    index: usize,
    /// How many rows above have the same id.
    above: u32,
    id: String,
    name: String,
    state: Option<(Taxonomy, String)>,
    age: String,
}

fn lines(store: Store) -> Vec<RunLine> {
    let now = store.now();
    let mut ids = HashMap::<String, u32>::new();
    let line = |(index, row): (usize, ListRow)| RunLine {
        index,
        above: {
            let seen = ids.entry(row.id.clone()).or_default();
            std::mem::replace(seen, *seen + 1)
        },
        id: row.id,
        name: row.name,
        state: row.state.map(|state| (row.taxonomy, state)),
        age: row.at.map(|at| format::ago(now.since(at))).unwrap_or_default(),
    };
    store.rows.get().into_iter().enumerate().map(line).collect()
}

/// The screen that lists runs.
pub(crate) fn runs_screen(store: Store) -> El {
    let lines = kept(move || {
        store.tick.track();
        lines(store)
    });
    let none = move || lines.with(Vec::is_empty);
    let heading = move || match lines.with(Vec::len) {
        0 => "No runs here yet".to_owned(),
        1 => "1 run".to_owned(),
        n => format!("{} runs", format::count(n as f64)),
    };
    let keys = move || lines.with(|lines| lines.iter().map(|line| (line.id.clone(), line.above)).collect());
    let row = move |(id, above): Key| {
        let data = kept(move || {
            lines.with(|lines| lines.iter().find(|line| line.id == id && line.above == above).cloned())
        });
        row(store, data).done()
    };
    screen_with("runs", "runs-name", |h2| h2.live_text(heading))
        .view(when(none, move || nothing(store)))
        .with(el_of("UL", "rlist").view(each(keys, row)))
}

fn nothing(store: Store) -> AnyView {
    group(vec![
        el_of("P", "lead").say("A run appears here as soon as it starts.").done(),
        el_of("P", "acts")
            .with(button("btn btn-s", move || store.screen.set(Screen::Connect)).say("Open something else"))
            .done(),
    ])
}

fn row(store: Store, line: Kept<Option<RunLine>>) -> El {
    let read =
        move |part: fn(&RunLine) -> &String| move || line.with(|line| line.as_ref().map(part).cloned());
    let text = move |part| {
        let read = read(part);
        move || read().unwrap_or_default()
    };
    let choose = move || {
        let chosen = line.with_untracked(|line| line.as_ref().map(|line| (line.id.clone(), line.index)));
        let Some((id, index)) = chosen else { return };
        if store.status.with_untracked(|status| status.live) {
            gateway::watch(store, &id);
            crate::host::focus_later("#snapshot-name");
        } else {
            file::choose(store, Some(index));
        }
    };
    let state = kept(move || line.with(|line| line.as_ref().and_then(|line| line.state.clone())));
    let first = el_of("SPAN", "r1")
        .with(el_of("SPAN", "r-name").live_text(text(|line| &line.name)))
        .with(el_of("SPAN", "r-age").live_text(text(|line| &line.age)));
    let second = el_of("SPAN", "r2")
        .view(live(move || run_pill(state.get()).done()))
        .with(el_of("SPAN", "r-id").live_text(text(|line| &line.id)));
    el("LI")
        .with(button("rrow", choose).live_attr("data-run", read(|line| &line.id)).with(first).with(second))
}

fn run_pill(state: Option<(Taxonomy, String)>) -> El {
    match state {
        Some((taxonomy, value)) => {
            let words = pill(taxonomy, &value);
            let prefix = Some(if taxonomy == Taxonomy::Run { "Run state: " } else { "Status: " });
            Pill { taxonomy, value, words, as_of: None, dense: true, prefix }.el()
        }
        None => el_of("SPAN", "absent").say("no run state"),
    }
}
