//! A sentence with links to nodes, words from the wire, and times.

use leptos::either::Either;
use leptos::prelude::*;
use runstate::summary::Span;
use runstate::time::Millis;
use runstate::viewer::TreeAction;
use web_sys::MouseEvent;

use super::super::Isolated;
use super::super::tree::TreeElement;
use crate::store::{CurrentSession, Panel, ScreenState, SessionData};
use crate::text::{attribute, bounded, bounded_name, middle_cut, plain_name};

/// A sentence.
#[component]
pub(in super::super) fn Sentence(
    /// The parts of the sentence.
    parts: Vec<Span>,
) -> impl IntoView {
    parts.into_iter().map(|part| view! { <SentencePart part /> }).collect_view()
}

/// One part of a sentence.
#[component]
fn SentencePart(
    /// The part.
    part: Span,
) -> impl IntoView {
    match part {
        Span::Text { text } => view! { <Isolated text=bounded(&text) /> }.into_any(),
        Span::Code { text } => view! { <code>{bounded_name(&text)}</code> }.into_any(),
        Span::Time { at, text } => view! { <time datetime=iso(at)>{text}</time> }.into_any(),
        Span::Until { at, text } => {
            view! { <time datetime=iso(at) data-countdown="">{text}</time> }.into_any()
        }
        Span::Node { node_id, text } => view! { <NodeLink node_id text /> }.into_any(),
    }
}

fn iso(at: Millis) -> Option<String> {
    at.to_iso().ok()
}

/// A node's name, with a link to the node if the run has a tree.
#[component]
fn NodeLink(
    /// The author's id.
    node_id: String,
    /// The name.
    text: String,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let session = expect_context::<CurrentSession>();
    let panel = expect_context::<Panel>();
    // A printout has neither.
    let (tree, state) = (use_context::<TreeElement>(), use_context::<ScreenState>());
    let has_tree = Memo::new(move |_| data.tree.with(Option::is_some));
    move || {
        let (text, title, data_node) = (middle_cut(&text), plain_name(&node_id), attribute(&node_id));
        if !has_tree.get() {
            return Either::Left(
                view! { <span class="node-link" data-node=data_node title=title>{text}</span> },
            );
        }
        let node_id = node_id.clone();
        let on_click = move |event: MouseEvent| {
            event.prevent_default();
            session.act_on_tree(TreeAction::Reveal { node_id: node_id.clone() });
            if let Some(state) = state {
                state.chosen_events.set(Some(false));
                state.open_node(false);
            }
            if let Some(tree) = tree {
                tree.focus();
            }
        };
        let href = format!("#{}", panel.element_id("tree"));
        Either::Right(
            view! { <a class="node-link" data-node=data_node title=title href=href on:click=on_click>{text}</a> },
        )
    }
}
