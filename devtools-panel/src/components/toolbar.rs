//! The panel's own row under the header.

use runstate::session::Showing;

use crate::el::{El, button, el_of, when};
use crate::host;
use crate::kept::{Kept, Slot};
use crate::pill::icon_of;
use crate::source::{file, gateway};
use crate::store::{Screen, Store};

/// Brand, list of runs, open, export, theme. `exporting` says whether the row for that is open.
pub(crate) fn toolbar(store: Store, view: Kept<Showing>, exporting: Slot<bool>) -> El {
    let listed = move || view.get() == Showing::Run && store.status.with(|status| status.listed);
    let reading = move || store.reading.get().map_or_else(String::new, |name| format!("Reading {name}…"));
    el_of("DIV", "toolbar")
        .attr("role", "toolbar")
        .attr("aria-label", "Panel")
        .with(el_of("SPAN", "brand").view(icon_of(icondata_lu::LuActivity.data)).say("Runstate"))
        .view(when(listed, move || to_list(store).done()))
        .with(el_of("SPAN", "sub").live_text(reading))
        .with(el_of("SPAN", "fill"))
        .view(when(move || view.get() != Showing::Nothing, move || open(store).done()))
        .view(when(move || can_export(store, view), move || export(exporting).done()))
        .with(
            button("btn-icon", host::toggle_theme)
                .attr("data-action", "theme")
                .attr("aria-label", "Theme")
                .view(icon_of(icondata_lu::LuSunMoon.data)),
        )
}

/// Whether there is something to save: a document, or the run or the list of a feed.
pub(crate) fn can_export(store: Store, view: Kept<Showing>) -> bool {
    match view.get() {
        Showing::Run => true,
        // A list of no runs is no document.
        Showing::Runs if !store.rows.with(Vec::is_empty) => true,
        Showing::Runs | Showing::Refusal => !store.status.with(|status| status.live),
        Showing::Nothing | Showing::Connecting => false,
    }
}

fn export(exporting: Slot<bool>) -> El {
    button("btn btn-s", move || exporting.update(|open| *open = !*open))
        .attr("data-action", "export")
        .live_attr("aria-expanded", move || Some(exporting.get().to_string()))
        .view(icon_of(icondata_lu::LuDownload.data))
        .with(el_of("SPAN", "w").say("Export"))
}

fn to_list(store: Store) -> El {
    let go = move || {
        if store.status.with_untracked(|status| status.live) {
            gateway::list(store);
        } else {
            file::choose(store, None);
        }
    };
    button("btn btn-s", go)
        .attr("data-action", "runs")
        .view(icon_of(icondata_lu::LuList.data))
        .with(el_of("SPAN", "w").say("All runs"))
}

fn open(store: Store) -> El {
    let go = move || {
        store.screen.set(Screen::Connect);
        host::focus_later(".screen h2");
    };
    button("btn btn-s", go)
        .attr("data-action", "open")
        .view(icon_of(icondata_lu::LuFolderOpen.data))
        .with(el_of("SPAN", "w").say("Open"))
}
