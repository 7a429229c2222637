//! One row of the tree.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use runstate::pill::{Taxonomy, pill};
use runstate::smithers::NodeState;
use runstate::tree::NodeId;
use runstate::word::Vocabulary;

use super::data::RowData;
use super::keys;
use crate::pill::{Glyph, IconOf, Pill};
use crate::store::Store;

/// Levels drawn as guides; deeper rows print their depth instead.
const MAX_GUIDES: u32 = 12;

/// The element id of a row, for `aria-activedescendant`.
pub(crate) fn dom_id(id: NodeId) -> String {
    format!("node-{}", id.0)
}

/// A row that follows `data`; it stays the same element while its node stays in sight.
#[component]
pub(crate) fn TreeRow(id: NodeId, data: Memo<Option<RowData>>) -> impl IntoView {
    let store = Store::use_context();
    let read = move |f: fn(&RowData) -> Option<String>| move || data.with(|row| row.as_ref().and_then(f));
    let selected = move || if store.selected.get() == Some(id) { "true" } else { "false" };
    // Leptos has no method for this attribute.
    let level = custom_attribute("aria-level", read(|row| Some((row.depth + 1).to_string())));
    view! {
        <div
            role="treeitem"
            class="row trow"
            id=dom_id(id)
            data-node=read(|row| Some(row.title.clone()))
            data-state=read(|row| row.state_word().map(str::to_owned))
            data-below=read(|row| row.below.as_ref().map(|word| word.as_str().to_owned()))
            {..level}
            aria-posinset=read(|row| Some(row.position.to_string()))
            aria-setsize=read(|row| Some(row.set_size.to_string()))
            aria-expanded=read(|row| row.expandable.then(|| row.expanded.to_string()))
            aria-selected=selected
            on:click=move |_| store.selected.set(Some(id))
            on:dblclick=move |_| keys::toggle(store, id)
        >
            {move || data.get().map(|row| view! { <Cells row=row/> })}
        </div>
    }
}

#[component]
fn Cells(row: RowData) -> impl IntoView {
    let store = Store::use_context();
    let id = row.id;
    let fold = move |event: web_sys::MouseEvent| {
        event.stop_propagation();
        store.selected.set(Some(id));
        keys::toggle(store, id);
    };
    let guides = (0..row.depth.min(MAX_GUIDES)).map(|_| view! { <i class="guide"></i> }).collect_view();
    let deep = (row.depth > MAX_GUIDES)
        .then(|| view! { <span class="deep"><span class="vh">"level "</span>{row.depth}</span> });
    let twist = row.expandable.then(|| view! { <IconOf outline=icondata_lu::LuChevronRight/> });
    let state = row.state.as_ref().map(|word| {
        view! { <Pill taxonomy=Taxonomy::Node value=word.as_str() words=pill(Taxonomy::Node, word.as_str()) dense=true/> }
    });
    let below = row.below.as_ref().map(|word| {
        let words = pill(Taxonomy::Node, word.as_str());
        view! { <span class="below"><Glyph icon=words.icon/>{words.label.into_owned()}</span> }
    });
    view! {
        {guides}
        <span class="twist" on:click=fold>{twist}</span>
        {deep}
        <span class="nm" title=row.title.clone()><span class="mid"><span class="mid-a">{row.title.clone()}</span></span></span>
        {row.iteration.map(|iteration| view! { <span class="iter">"#"{iteration}</span> })}
        {row.kind.clone().map(|kind| view! { <span class="kind">{kind}</span> })}
        {row.label.clone().map(|label| view! { <span class="lbl" title=label.clone()>{label.clone()}</span> })}
        <Bubble state=NodeState::Failed count=row.failed what="failed inside"/>
        <Bubble state=NodeState::WaitingApproval count=row.waiting what="waiting inside"/>
        {row.attempt.clone().map(|attempt| view! {
            <span class="att"><IconOf outline=icondata_lu::LuRotateCw/><span class="vh">"attempt "</span>{attempt}</span>
        })}
        <span class="fill"></span>
        <span class="prog">{row.done.map(|(done, all)| view! { <Progress done=done all=all/> })}</span>
        <span class="stw">{state}{below}</span>
        <span class="dur">{row.time.clone()}</span>
    }
}

/// What a folded row hides: an icon and a count.
#[component]
fn Bubble(state: NodeState, count: u32, what: &'static str) -> impl IntoView {
    (count > 0).then(|| {
        let words = pill(Taxonomy::Node, state.as_str());
        view! {
            <span class="bubble" data-tone=words.tone.as_str()>
                <Glyph icon=words.icon/>
                {count}
                <span class="vh">" "{what}</span>
            </span>
        }
    })
}

#[component]
fn Progress(done: u32, all: u32) -> impl IntoView {
    let share = format!("{:.1}%", f64::from(done) * 100.0 / f64::from(all.max(1)));
    view! {
        <span class="count">{done}"/"{all}<span class="vh">" done"</span></span>
        <span class="pbar" aria-hidden="true"><i style:width=share></i></span>
    }
}
