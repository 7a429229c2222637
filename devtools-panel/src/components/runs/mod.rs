//! Runs to choose from: the answer of `listRuns`, each with its own verdict.

mod row;

use std::collections::HashMap;

use leptos::prelude::*;
use runstate::format;
use runstate::lionagi::LEGACY_TOOLTIP;
use runstate::pill::{self, Taxonomy};
use runstate::session::Listed;

use crate::connect::screen_with;
use crate::el::{El, Key, button, each, el, el_of, group, when};
use crate::kept::{Kept, Slot, kept};
use crate::pill::{Pill, icon_of};
use crate::store::{Screen, Store};
use row::{RunLine, row};

/// How many rows are drawn at first, and how many more at a wish: a list of ten thousand is not drawn at once.
const AT_ONCE: usize = 200;

/// A list as far as it is drawn.
#[derive(Clone, Default, PartialEq)]
struct Lines {
    /// A row stays one element while others come and go, so that the keyboard does not lose it.
    order: Vec<Key>,
    by_key: HashMap<Key, RunLine>,
    /// How many there are in all.
    total: usize,
}

/// The rows of sessions from before the status vocabulary (seed 001), or the others, each with its place. Without a chip to be
/// behind, every row is among the others, whatever it calls itself.
fn rows_of(store: Store, rows: &[Listed], legacy: bool) -> impl Iterator<Item = (usize, &Listed)> {
    let apart = store.status.with(|status| status.legacy.is_some());
    let is_legacy =
        |Listed { row, .. }: &Listed| row.taxonomy != Taxonomy::Run && row.state.as_deref() == Some("legacy");
    rows.iter().enumerate().filter(move |(_, listed)| (apart && is_legacy(listed)) == legacy)
}

fn lines(store: Store, legacy: bool, drawn: usize) -> Lines {
    let now = store.now();
    let mut lines = Lines::default();
    store.rows.with(|rows| {
        let mut seen = HashMap::<&str, u32>::new();
        for (index, Listed { row, pill }) in rows_of(store, rows, legacy) {
            lines.total += 1;
            if lines.total > drawn {
                continue;
            }
            let above = seen.entry(&row.id).or_default();
            let key = (row.id.clone(), *above);
            *above += 1;
            let state = (row.taxonomy, pill.clone());
            let age = row.at.map(|at| format::ago(now.since(at))).unwrap_or_default();
            let line = RunLine { index, id: row.id.clone(), name: row.name.clone(), state, age };
            lines.order.push(key.clone());
            lines.by_key.insert(key, line);
        }
    });
    lines
}

/// The screen that lists runs.
pub(crate) fn runs_screen(store: Store) -> El {
    let total = kept(move || store.rows.with(|rows| rows_of(store, rows, false).count()));
    // Plays of a show are listed after the show itself.
    let plays = move || {
        store.rows.with(|rows| rows.iter().filter(|listed| listed.row.taxonomy == Taxonomy::Play).count())
    };
    let heading = move || match (total.get(), plays()) {
        (0, _) => "No runs here yet".to_owned(),
        (1, 0) => "1 run".to_owned(),
        (n, 0) => format!("{} runs", format::count(n as f64)),
        (_, n) => format!("{} plays", format::count(n as f64)),
    };
    screen_with("runs", "runs-name", |h2| h2.live_text(heading))
        .view(when(move || total.get() == 0, move || nothing(store)))
        .view(list(store, false))
        .view(legacy(store))
}

fn nothing(store: Store) -> AnyView {
    group(vec![
        el_of("P", "lead").say("A run appears here as soon as it starts.").done(),
        el_of("P", "acts")
            .with(button("btn btn-s", move || store.screen.set(Screen::Connect)).say("Open something else"))
            .done(),
    ])
}

/// The rows, then a button for those that are not drawn yet.
fn list(store: Store, legacy: bool) -> AnyView {
    let drawn = Slot::new(AT_ONCE);
    let lines: Kept<Lines> = kept(move || {
        store.tick.track();
        lines(store, legacy, drawn.get())
    });
    let keys = move || lines.with(|lines| lines.order.clone());
    let one =
        move |key: Key| row(store, kept(move || lines.with(|lines| lines.by_key.get(&key).cloned()))).done();
    let left = move || lines.with(|lines| lines.total - lines.order.len());
    let more = move || format!("Show {} more of {}", left().min(AT_ONCE), format::count(left() as f64));
    group(vec![
        el_of("UL", "rlist").view(each(keys, one)).done(),
        when(
            move || left() > 0,
            move || {
                el_of("P", "acts")
                    .with(
                        button("btn btn-s", move || drawn.update(|drawn| *drawn += AT_ONCE))
                            .attr("data-action", "more")
                            .live_text(more),
                    )
                    .done()
            },
        ),
    ])
}

/// The one muted chip that stands for all legacy sessions; they are in no count, and open behind it where they are at hand.
fn legacy(store: Store) -> AnyView {
    let chip = kept(move || store.status.with(|status| status.legacy.clone()));
    let chips = move || chip.get().map(|text| (text, 0)).into_iter().collect();
    let view = move |(text, _): Key| {
        let words = pill::legacy(text);
        let chip = Pill {
            taxonomy: Taxonomy::Session,
            value: "legacy".to_owned(),
            words,
            as_of: None,
            dense: true,
            prefix: Some("Status: "),
        };
        el_of("DETAILS", "chips")
            .attr("data-field", "legacy")
            .with(
                el("SUMMARY")
                    .attr("title", LEGACY_TOOLTIP)
                    .with(el_of("SPAN", "twist").view(icon_of(icondata_lu::LuChevronRight.data)))
                    .with(chip.el()),
            )
            .with(el_of("P", "sub").say(LEGACY_TOOLTIP))
            .view(list(store, true))
            .done()
    };
    each(chips, view)
}
