//! One group of the list: a heading that collapses it, and its rows.

use leptos::prelude::*;
use runstate::viewer::{GroupId, RunGroup};
use runstate::word::Vocabulary;

use super::super::Icon;
use super::cursor::RunCursor;
use super::list::RunRows;
use crate::store::{Panel, RunListState, SessionData, select};

/// The list that its groups share.
#[derive(Clone, Copy)]
pub(super) struct GroupedRows {
    /// All groups.
    pub(super) groups: Memo<Vec<RunGroup>>,
    /// The active row.
    pub(super) cursor: RunCursor,
}

/// The groups of a server, or all groups of a list without servers.
#[component]
pub(super) fn Groups(
    /// The number of the server.
    server: Option<usize>,
    /// The list that the groups share.
    list: GroupedRows,
) -> impl IntoView {
    let ids = Memo::new(move |_| {
        let ids = |groups: &Vec<RunGroup>| groups.iter().map(|group| group.id).collect::<Vec<_>>();
        let mut ids = list.groups.with(ids);
        ids.retain(|id| id.server == server);
        ids
    });
    view! { <For each=move || ids.get() key=|id| *id children=move |id| view! { <GroupRows id list /> } /> }
}

/// The heading with its count, and the rows under it.
#[component]
fn GroupRows(
    /// The id of the group.
    id: GroupId,
    /// The list that the groups share.
    list: GroupedRows,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let run_list = expect_context::<RunListState>();
    let server = id.server.map(|number| format!("{number}-")).unwrap_or_default();
    let name_id = panel.element_id(&format!("runs-{server}{}", id.attention.as_str()));
    let group = select(data.runs, move |list| list.groups.iter().find(|group| group.id == id).cloned());
    let heading = select(group, |group| (group.label.clone(), group.count.clone()));
    let is_folded = select(group, |group| group.is_folded);
    let window = select(group, |group| group.runs.clone());
    let fold = view! {
        <button
            type="button"
            class="fold"
            aria-expanded=move || (!is_folded.get()).to_string()
            on:click=move |_| run_list.toggle_group(id)
        >
            <Icon outline=icondata_lu::LuChevronRight.data />
            {move || heading.get().0}
            " "
            <b>{move || heading.get().1}</b>
        </button>
    };
    // Under the heading of a server, this heading is one level deeper.
    let heading = match id.server {
        None => view! { <h3 id=name_id.clone()>{fold}</h3> }.into_any(),
        Some(_) => view! { <h4 id=name_id.clone()>{fold}</h4> }.into_any(),
    };
    view! {
        <div class="run-group" data-group=id.attention.as_str()>
            {heading}
            <RunRows window cursor=list.cursor group=Some(id) name_id />
        </div>
    }
}
