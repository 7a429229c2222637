//! The head of the pane: where the node is, its name, its state, and the button that closes the pane.

use leptos::html;
use leptos::prelude::*;
use runstate::pill::Taxonomy;

use super::super::{AnswerPillView, CopyButton, Icon};
use crate::store::{SessionData, select};
use crate::text::{bounded, bounded_name, middle_cut};

/// The placeholder of a state that is not known; a sentence of the pane says why.
const NOT_KNOWN: &str = "not known";

/// Path, name, kind and state of the node.
#[component]
pub(super) fn NodeHead(
    /// The heading, for the focus.
    heading: NodeRef<html::H2>,
    /// The element id of the heading.
    heading_id: String,
    /// Closes the pane.
    close: Callback<()>,
    /// Whether the panel shows only this pane, which is then not closed.
    is_alone: Signal<bool>,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let path = select(data.node, |node| node.path.clone());
    let title = select(data.node, |node| node.title.clone());
    let kind = select(data.node, |node| node.kind.clone());
    let node_id = select(data.node, |node| node.key.as_ref().map(|key| key.node_id.clone()));
    let pill = select(data.node, |node| Some((node.taxonomy, node.state.clone()?)));
    view! {
        <div class="node-head">
            <ol class="node-path" aria-label="Above it" hidden=move || path.with(Vec::is_empty)>
                {move || path.get().iter().map(|title| view! { <li><bdi>{middle_cut(title)}</bdi></li> }).collect_view()}
            </ol>
            <button
                type="button"
                class="btn-icon"
                data-action="close-node"
                aria-label="Close the node"
                title="Close (Escape)"
                hidden=is_alone
                on:click=move |_| close.run(())
            >
                <Icon outline=icondata_lu::LuX.data />
            </button>
            <div class="node-title">
                <h2 id=heading_id tabindex="-1" node_ref=heading>
                    <bdi>{move || title.with(|title| bounded_name(title))}</bdi>
                </h2>
                {move || kind.get().map(|kind| view! { <span class="kind">{bounded(&kind)}</span> })}
                {move || {
                    node_id
                        .get()
                        .map(|text| view! { <CopyButton class="btn-icon btn-copy" text attr:aria-label="Copy node id" /> })
                }}
                <span class="spacer"></span>
                {move || pill.get().map(|(taxonomy, pill): (Taxonomy, _)| view! { <AnswerPillView taxonomy pill absent=NOT_KNOWN /> })}
            </div>
        </div>
    }
}
