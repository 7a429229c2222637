//! One row of the tree.

use leptos::prelude::*;
use runstate::pill::{Taxonomy, pill};
use runstate::smithers::NodeState;
use runstate::tree::NodeId;
use runstate::word::Vocabulary;

use super::data::RowData;
use super::keys;
use crate::el::{El, el, el_of, group, hidden, live};
use crate::header::mid;
use crate::kept::Kept;
use crate::pill::{Pill, glyph, icon_of};
use crate::store::Store;

/// Levels drawn as guides; deeper rows print their depth instead.
const MAX_GUIDES: u32 = 12;

/// A longer name gives up its middle.
const SHORT_NAME: usize = 40;

/// The element id of a row, for `aria-activedescendant`.
pub(crate) fn dom_id(id: NodeId) -> String {
    format!("node-{}", id.0)
}

/// A row that follows `data`; it stays the same element while its node stays in sight.
pub(crate) fn tree_row(store: Store, id: NodeId, data: Kept<Option<RowData>>) -> El {
    let read = move |f: fn(&RowData) -> Option<String>| move || data.with(|row| row.as_ref().and_then(f));
    let selected = move || Some((store.selected.get() == Some(id)).to_string());
    el_of("DIV", "row trow")
        .attr("role", "treeitem")
        .attr("id", &dom_id(id))
        .live_attr("data-node", read(|row| Some(row.title.clone())))
        .live_attr("data-state", read(|row| row.state_word().map(str::to_owned)))
        .live_attr("data-below", read(|row| row.below.as_ref().map(|word| word.as_str().to_owned())))
        .live_attr("aria-level", read(|row| Some((row.depth + 1).to_string())))
        .live_attr("aria-posinset", read(|row| Some(row.position.to_string())))
        .live_attr("aria-setsize", read(|row| Some(row.set_size.to_string())))
        .live_attr("aria-expanded", read(|row| row.expandable.then(|| row.expanded.to_string())))
        .live_attr("aria-selected", selected)
        .on("click", move |_| store.selected.set(Some(id)))
        .on("dblclick", move |_| keys::toggle(store, id))
        .view(live(move || data.get().map_or_else(|| ().into_any(), |row| cells(store, row))))
}

fn cells(store: Store, row: RowData) -> AnyView {
    let id = row.id;
    let fold = move |event: web_sys::Event| {
        event.stop_propagation();
        store.selected.set(Some(id));
        keys::toggle(store, id);
    };
    let twist = el_of("SPAN", "twist").on("click", fold);
    let twist = if row.expandable { twist.view(icon_of(icondata_lu::LuChevronRight.data)) } else { twist };
    let name = el_of("SPAN", "nm").attr("title", &row.title).with(mid(&row.title, SHORT_NAME));
    let label = row.label.map(|label| el_of("SPAN", "lbl").attr("title", &label).text(label));
    let attempt = row.attempt.map(|attempt| {
        el_of("SPAN", "att")
            .view(icon_of(icondata_lu::LuRotateCw.data))
            .with(hidden("attempt "))
            .text(attempt)
    });
    let state = row.state.map(|word| {
        let (value, words) = (word.as_str().to_owned(), pill(Taxonomy::Node, word.as_str()));
        Pill { taxonomy: Taxonomy::Node, value, words, as_of: None, dense: true, prefix: None }.el()
    });
    let below = row.below.map(|word| {
        let words = pill(Taxonomy::Node, word.as_str());
        let text =
            row.failed_below.map_or_else(|| words.label.into_owned(), |count| format!("{count} failed"));
        el_of("SPAN", "below").view(glyph(words.icon)).text(text)
    });
    let cells = [
        Some(twist),
        (row.depth > MAX_GUIDES)
            .then(|| el_of("SPAN", "deep").with(hidden("level ")).text(row.depth.to_string())),
        Some(name),
        row.iteration.map(|iteration| el_of("SPAN", "iter").say("#").text(iteration.to_string())),
        row.kind.map(|kind| el_of("SPAN", "kind").text(kind)),
        label,
        bubble(NodeState::Failed, row.failed, "failed inside"),
        bubble(NodeState::WaitingApproval, row.waiting, "waiting inside"),
        attempt,
        Some(el_of("SPAN", "fill")),
        Some(progress(row.done)),
        Some(el_of("SPAN", "stw").maybe(state).maybe(below)),
        Some(el_of("SPAN", "dur").text(row.time)),
    ];
    let guides = (0..row.depth.min(MAX_GUIDES)).map(|_| el_of("I", "guide").done()).collect();
    let cells = cells.into_iter().map(|cell| cell.map_or_else(|| ().into_any(), El::done));
    group(std::iter::once(group(guides)).chain(cells).collect())
}

/// What a folded row hides: an icon and a count.
fn bubble(state: NodeState, count: u32, what: &'static str) -> Option<El> {
    (count > 0).then(|| {
        let words = pill(Taxonomy::Node, state.as_str());
        el_of("SPAN", "bubble")
            .attr("data-tone", words.tone.as_str())
            .view(glyph(words.icon))
            .text(count.to_string())
            .with(hidden(" ").say(what))
    })
}

/// Ended and all tasks below, as figures and as a bar.
fn progress(done: Option<(u32, u32)>) -> El {
    let cell = el_of("SPAN", "prog");
    let Some((done, all)) = done else { return cell };
    let share = format!("{}%", u64::from(done) * 100 / u64::from(all.max(1)));
    let figures =
        el_of("SPAN", "count").text(done.to_string()).say("/").text(all.to_string()).with(hidden(" done"));
    let bar = el_of("SPAN", "pbar")
        .attr("aria-hidden", "true")
        .with(el("I").live_style("width", move || share.clone()));
    cell.with(figures).with(bar)
}
