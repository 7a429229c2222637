//! The components, one folder for each region of the screen.

use leptos::prelude::*;

mod announcer;
mod connect;
mod copy_button;
mod error_text;
mod example_strip;
mod export;
mod exported_page;
mod header;
mod heading;
mod icon;
mod isolated;
mod keyboard;
mod keys;
mod log;
mod marked;
mod middle_ellipsis;
mod node;
mod outline;
mod pane_keys;
mod pill;
mod print_view;
mod problem_card;
mod roving;
mod rule_counts;
mod runs;
mod search_box;
mod search_key;
mod splitter;
mod toolbar;
mod traffic;
mod tree;
mod virtual_list;

pub(crate) use announcer::Announcer;
pub(crate) use connect::{ConnectScreen, ConnectingScreen, RefusalScreen};
pub(crate) use copy_button::CopyButton;
pub(crate) use example_strip::ExampleStrip;
pub(crate) use export::ExportForm;
pub(crate) use exported_page::ExportedPageStrip;
pub use header::SnapshotHeader;
pub(crate) use header::title;
pub use icon::Icon;
pub(crate) use isolated::Isolated;
pub(crate) use keys::{KeyBar, KeyDialog, KeyList, SingleKeys};
pub(crate) use log::LogElement;
use log::{LogPane, ViewSwitch};
use node::NodePane;
pub(crate) use pane_keys::on_pane_key;
pub use pill::{AnswerPillView, PillSize, StatusPill};
pub(crate) use print_view::PrintView;
pub(crate) use problem_card::ProblemCard;
pub use runs::RunItem;
pub(crate) use runs::RunsPane;
pub(crate) use search_key::on_search_key;
pub(crate) use splitter::{PaneWidths, SizedPane, Splitter};
pub(crate) use toolbar::Toolbar;
use traffic::TrafficNotes;
pub(crate) use traffic::{ConnectToRun, TrafficCounts, TrafficScreen};
pub(crate) use tree::TreeElement;
pub use tree::TreeItem;
use tree::{NoTreeNote, TreePane};

use crate::store::{Panel, PanelView};

/// What is below the header of a run, from top to bottom.
#[component]
pub(crate) fn RunPanes() -> impl IntoView {
    let Panel { view, .. } = expect_context();
    view! {
        <ProblemCard />
        <TrafficNotes />
        <div class="tree-and-node">
            <div class="run-panes">
                <Show when=move || view.get() == PanelView::Full>
                    <ViewSwitch />
                </Show>
                <Show when=move || matches!(view.get(), PanelView::Full | PanelView::Log)>
                    <LogPane />
                </Show>
                <Show when=move || matches!(view.get(), PanelView::Full | PanelView::Tree)>
                    <TreePane />
                    <NoTreeNote />
                </Show>
            </div>
            <Show when=move || view.get() == PanelView::Full>
                <Splitter pane=SizedPane::Node />
            </Show>
            <NodePane />
        </div>
    }
}
