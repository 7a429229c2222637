//! The parts of the detail, of which one is on screen.

use leptos::prelude::*;
use runstate::viewer::{NodeAction, NodeTab, PaneAction};
use runstate::word::Vocabulary;

use super::super::roving::roving;
use crate::store::{CurrentSession, Panel, SessionData, select};

/// The name of a part.
fn name(tab: NodeTab) -> &'static str {
    match tab {
        NodeTab::Summary => "Summary",
        NodeTab::Messages => "Messages",
        NodeTab::Attempts => "Attempts",
        NodeTab::Output => "Output",
        NodeTab::Calls => "Calls",
        NodeTab::Events => "Events",
        NodeTab::Raw => "Raw JSON",
    }
}

/// The element id of a part's tab.
pub(super) fn tab_id(panel: Panel, tab: NodeTab) -> String {
    panel.element_id(&format!("node-tab-{}", tab.as_str()))
}

/// The element id of the part on screen.
pub(super) fn body_id(panel: Panel) -> String {
    panel.element_id("node-part")
}

/// One tab for each part that the node has; nothing if that is only the summary.
#[component]
pub(super) fn NodeTabs() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let (panel, session) = (expect_context::<Panel>(), expect_context::<CurrentSession>());
    let tabs = select(data.node, |node| node.tabs.clone());
    let shown = select(data.node, |node| node.tab);
    let controls = roving();
    let tab = move |tab: NodeTab| {
        view! {
            <button
                type="button"
                role="tab"
                id=tab_id(panel, tab)
                data-tab=tab.as_str()
                aria-controls=body_id(panel)
                aria-selected=move || (shown.get() == tab).to_string()
                on:click=move |_| {
                    session.act(PaneAction::Node(NodeAction::Tab(tab)));
                }
            >
                {name(tab)}
            </button>
        }
    };
    view! {
        <div class="node-tabs" role="tablist" aria-label="Parts of the detail" hidden=move || tabs.with(|tabs| tabs.len() < 2) node_ref=controls>
            <For each=move || tabs.get() key=|tab| *tab children=tab />
        </div>
    }
}
