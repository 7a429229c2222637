//! The filters of the events by family and by node, each with its count: one tab stop.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{Family, FamilyCount, LogAction, PaneAction};
use runstate::word::Vocabulary;

use super::super::middle_ellipsis::MiddleEllipsis;
use super::super::roving::roving;
use crate::store::{CurrentSession, SessionData, select};
use crate::text::plain_name;

/// Names above this length, in characters, are shortened in the middle.
const SHORT_NAME: usize = 24;

/// The filters. Several families may be pressed; without a pressed one, the events of all families are shown.
#[component]
pub(super) fn LogFilters() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let families = select(data.log, |log| log.families.clone());
    let controls = roving();
    view! {
        <div
            class="list-tools log-tools"
            role="toolbar"
            aria-label="Filter events"
            node_ref=controls
            hidden=move || families.with(Vec::is_empty)
        >
            <NodeChip />
            <For
                each=move || families.get()
                key=|count| count.family
                children=move |first| view! { <FamilyChip family=first.family families /> }
            />
        </div>
    }
}

/// Shows only the events of the selected node.
#[component]
fn NodeChip() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let session = expect_context::<CurrentSession>();
    let only_node = select(data.log, |log| log.only_node.clone());
    let selected =
        Memo::new(move |_| data.focus.with(|focus| focus.selected_key().map(|key| key.node_id.clone())));
    let node = Memo::new(move |_| only_node.get().or(selected.get()));
    let chip = move |node: String| {
        let (title, wanted) = (plain_name(&node), StoredValue::new(node.clone()));
        let on_click = move |_| {
            let node = only_node.with_untracked(Option::is_none).then(|| wanted.get_value());
            session.act(PaneAction::Log(LogAction::Node(node)));
        };
        view! {
            <button
                type="button"
                class="chip"
                data-node-filter=""
                title=title
                aria-pressed=move || only_node.with(Option::is_some).to_string()
                on:click=on_click
            >
                "Only "
                <MiddleEllipsis text=node short=SHORT_NAME />
            </button>
        }
    };
    move || node.get().map(chip)
}

/// One family with its count.
#[component]
fn FamilyChip(
    /// The family.
    family: Family,
    /// All families.
    families: Memo<Vec<FamilyCount>>,
) -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    let count = Memo::new(move |_| {
        families.with(|families| families.iter().find(|count| count.family == family).copied())
    });
    let is_on = move || count.get().is_some_and(|count| count.is_on);
    let on_click = move |_| {
        let chosen = families.with_untracked(|families| {
            let others = families.iter().filter(|count| count.is_on && count.family != family);
            let others = others.map(|count| count.family);
            others.chain((!untrack(is_on)).then_some(family)).collect()
        });
        session.act(PaneAction::Log(LogAction::Families(chosen)));
    };
    view! {
        <button
            type="button"
            class="chip"
            data-family=family.as_str()
            aria-pressed=move || is_on().to_string()
            on:click=on_click
        >
            {family.label()}
            " "
            <b>{move || count.get().map(|count| format::count(count.count as f64))}</b>
        </button>
    }
}
