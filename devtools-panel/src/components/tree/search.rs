//! The search of the tree: its field, its hits, and the way from one to the next.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use runstate::format;
use runstate::viewer::TreeAction;
use web_sys::KeyboardEvent;

use super::super::Icon;
use super::super::search_box::SearchBox;
use super::TreeElement;
use crate::store::{Announcements, CurrentSession, Panel, SessionData, TreeQueryState, select};

/// The time without another letter after which the number of hits is announced, ms.
const ANNOUNCE_AFTER_MS: u32 = 500;

/// The search field with the number of hits.
#[component]
pub(super) fn TreeSearch() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let session = expect_context::<CurrentSession>();
    let tree = use_context::<TreeElement>().unwrap_or_default();
    let count_id = expect_context::<Panel>().element_id("tree-hits");
    let searched = select(data.tree, |tree| tree.search.clone());
    let hits = select(data.tree, |tree| tree.hits);
    let hit = select(data.tree, |tree| tree.hit);
    let typed = expect_context::<TreeQueryState>().search;
    announce_hits(searched, hits);
    let search = move |text: String| {
        typed.set(text.clone());
        session.act_on_tree(TreeAction::Search { text });
    };
    let on_key = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            event.prevent_default();
            session.act_on_tree(if event.shift_key() {
                TreeAction::PreviousHit
            } else {
                TreeAction::NextHit
            });
        }
        "ArrowDown" => {
            event.prevent_default();
            tree.focus();
        }
        "Escape" if typed.with_untracked(|typed| !typed.is_empty()) => {
            event.prevent_default();
            search(String::new());
        }
        _ => {}
    };
    view! {
        <div class="tree-search">
            <SearchBox
                name="search-nodes"
                label="Search nodes"
                placeholder="Search nodes"
                help="Finds nodes whose id, label or kind has all these words."
                described_by=count_id.clone()
                value=typed
                on_search=search
                on_key
            />
            <span
                class="secondary-text"
                data-field="tree-hits"
                id=count_id.clone()
                hidden=move || searched.with(String::is_empty)
            >
                {move || searched.with(|text| !text.is_empty()).then(|| count(hits.get(), hit.get()))}
            </span>
            <span class="tree-steps" hidden=move || hits.get() == 0>
                <Step
                    action=TreeAction::PreviousHit
                    name="previous-hit"
                    label="Previous hit"
                    outline=icondata_lu::LuChevronUp.data
                />
                <Step action=TreeAction::NextHit name="next-hit" label="Next hit" outline=icondata_lu::LuChevronDown.data />
            </span>
        </div>
    }
}

/// A button that goes to another hit.
#[component]
fn Step(
    /// The action of a click.
    action: TreeAction,
    /// The name of the action, for tests and tools.
    name: &'static str,
    /// The text.
    label: &'static str,
    /// The icon.
    outline: &'static str,
) -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    let on_click = move |_| session.act_on_tree(action.clone());
    view! {
        <button type="button" class="btn-icon" data-action=name aria-label=label title=label on:click=on_click>
            <Icon outline />
        </button>
    }
}

/// The number of hits, and which of them is selected.
fn count(hits: usize, hit: Option<usize>) -> String {
    let all = format::count(hits as f64);
    match (hits, hit) {
        (0, _) => "none found".to_owned(),
        (_, Some(hit)) => format!("{} of {all}", format::count(hit as f64)),
        (_, None) => format!("{all} found"),
    }
}

/// Announces how many nodes a search has found, once a person has stopped typing.
fn announce_hits(searched: Memo<String>, hits: Memo<usize>) {
    let announcements = expect_context::<Announcements>();
    Effect::new(move |pending: Option<Option<Timeout>>| {
        // Dropping the timer cancels it.
        drop(pending);
        let text = searched.get();
        (!text.is_empty()).then(|| {
            Timeout::new(ANNOUNCE_AFTER_MS, move || {
                let Some(hits) = hits.try_get_untracked() else { return };
                let nodes = if hits == 1 { "node" } else { "nodes" };
                announcements.announce(format!("Search: {} {nodes} found.", format::count(hits as f64)));
            })
        })
    });
}
