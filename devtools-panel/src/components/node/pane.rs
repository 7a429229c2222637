//! The pane with the detail of the selected node.

use leptos::html;
use leptos::prelude::*;
use runstate::summary::AnswerPill;
use runstate::viewer::NodeWindow;
use web_sys::{Element, KeyboardEvent};

use super::super::keyboard::has_modifier;
use super::super::{LogElement, TreeElement};
use super::body::NodeBody;
use super::head::NodeHead;
use super::tabs::NodeTabs;
use crate::store::{Panel, PanelView, ScreenState, SessionData, select};
use crate::text::attribute;

/// The detail of the selected node; hidden until a person opens it unless the panel shows nothing else, and while no node is
/// selected.
#[component]
pub(crate) fn NodePane() -> impl IntoView {
    let (data, panel) = (expect_context::<SessionData>(), expect_context::<Panel>());
    let state = expect_context::<ScreenState>();
    let (tree, log) = (use_context::<TreeElement>(), use_context::<LogElement>());
    let heading = NodeRef::<html::H2>::new();
    let heading_id = panel.element_id("node-name");
    let is_shown = Memo::new(move |_| {
        // The last window stays when the pane is closed, also if another node is selected then.
        let is_of_selection = data.node.with(|node| {
            let key = node.as_ref().map(|node| node.key.as_ref());
            data.focus.with(|focus| focus.selection.is_some() && key == Some(focus.selected_key()))
        });
        match panel.view.get() {
            PanelView::Full => state.shows_node.get() && is_of_selection,
            PanelView::Node => is_of_selection,
            PanelView::Header | PanelView::Tree | PanelView::Log => false,
        }
    });
    let is_alone = move || panel.view.get() == PanelView::Node;
    Effect::new(move |was_shown: Option<bool>| {
        let Some(heading) = heading.get().filter(|_| is_shown.get()) else { return false };
        if state.takes_node_focus.get() {
            state.takes_node_focus.set(false);
            // Focusing can only fail on an element that is no longer on the page.
            let _ = heading.focus();
        } else if was_shown != Some(true) && is_below_window(&heading) {
            heading.scroll_into_view_with_bool(false);
        }
        true
    });
    let close = Callback::new(move |()| {
        state.shows_node.set(false);
        match (state.shows_events.get_untracked(), tree, log) {
            (true, _, Some(log)) => log.focus(),
            (_, Some(tree), _) => tree.focus(),
            (_, None, _) => {}
        }
    });
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" && !has_modifier(&event) && !is_alone() {
            event.prevent_default();
            close.run(());
        }
    };
    let key = select(data.node, |node| node.key.clone());
    let state_word = select(data.node, state_word);
    let is_gone = select(data.node, |node| node.is_gone);
    view! {
        <Show when=move || is_alone() && !is_shown.get()>
            <p class="log-note" data-field="no-node">"No node of this run is selected."</p>
        </Show>
        <section
            role=panel.section_role()
            class="pane node-pane"
            id=panel.element_id("node")
            data-pane="node"
            data-node=move || key.with(|key| key.as_ref().map(|key| attribute(&key.node_id)))
            data-iteration=move || key.with(|key| key.as_ref().map(|key| key.iteration.to_string()))
            data-state=state_word
            data-gone=move || is_gone.get().then_some("")
            hidden=move || !is_shown.get()
            aria-labelledby=heading_id.clone()
            on:keydown=on_keydown
        >
            <NodeHead heading heading_id=heading_id.clone() close is_alone=Signal::derive(is_alone) />
            <NodeTabs />
            <NodeBody />
        </section>
    }
}

/// Whether an element is out of sight, as a pane is that opens below a high tree.
fn is_below_window(element: &Element) -> bool {
    let height = window().inner_height().ok().and_then(|height| height.as_f64());
    height.is_some_and(|height| element.get_bounding_client_rect().bottom() > height)
}

/// The word of the node's state.
fn state_word(node: &NodeWindow) -> Option<String> {
    node.state.as_ref().and_then(AnswerPill::value).map(attribute)
}
