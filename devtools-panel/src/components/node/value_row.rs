//! One row of a value.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use runstate::viewer::{NodeAction, PaneAction, ValueKind, ValueRow};
use runstate::word::Vocabulary;

use super::super::Icon;
use crate::store::CurrentSession;
use crate::text::{attribute, bounded, bounded_name};

/// A row and its position in the list, from 0.
pub(super) type PlacedValue = (usize, ValueRow);

/// The depth up to which rows are indented; a number says the depth of deeper ones.
const MAX_INDENT: usize = 12;

/// A row; its element stays the same while its place stays in the window.
#[component]
pub(super) fn ValueItem(
    /// The row and its position, from 0.
    row: Memo<PlacedValue>,
    /// Whether the row is selected.
    #[prop(into)]
    is_selected: Signal<bool>,
    /// The id of the element, for `aria-activedescendant`.
    element_id: String,
) -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    let place = row.with_untracked(|(place, _)| *place);
    let act = move |action| {
        session.act(PaneAction::Node(action));
    };
    let on_click = move |_| {
        let is_foldable = row.with_untracked(|(_, row)| row.is_open.is_some());
        act(if is_foldable { NodeAction::Toggle { row: place } } else { NodeAction::Select { row: place } });
    };
    let on_dblclick = move || {
        let chosen = row.with_untracked(|(_, row)| row.clone());
        if let Some(action) = open(place, &chosen).filter(|_| chosen.is_open.is_none()) {
            act(action);
        }
    };
    let level = custom_attribute("aria-level", move || row.with(|(_, row)| row.depth + 1).to_string());
    view! {
        <div
            class="row value-row"
            role="treeitem"
            id=element_id
            data-path=move || row.with(|(_, row)| attribute(&row.path))
            data-kind=move || row.with(|(_, row)| row.kind.as_str())
            style:padding-left=move || row.with(|(_, row)| format!("calc({} * var(--indent) + var(--s3))", row.depth.min(MAX_INDENT)))
            aria-posinset=move || row.with(|(_, row)| row.position).to_string()
            aria-setsize=move || row.with(|(_, row)| row.set_size).to_string()
            aria-expanded=move || row.with(|(_, row)| row.is_open.map(|is_open| is_open.to_string()))
            aria-selected=move || is_selected.get().to_string()
            on:click=on_click
            on:dblclick=move |_| on_dblclick()
            {..level}
        >
            {move || row.with(|(_, row)| cells(row))}
        </div>
    }
}

/// What opening a row does.
pub(super) fn open(row: usize, chosen: &ValueRow) -> Option<NodeAction> {
    if chosen.is_open.is_some() {
        Some(NodeAction::Toggle { row })
    } else {
        chosen.is_long_text.then_some(NodeAction::OpenText { row })
    }
}

fn cells(row: &ValueRow) -> impl IntoView + use<> {
    let ValueRow { name, kind, depth, preview, size, is_open, is_duplicate, .. } = row;
    let is_member = matches!(
        kind,
        ValueKind::Object
            | ValueKind::List
            | ValueKind::Text
            | ValueKind::Number
            | ValueKind::Boolean
            | ValueKind::Null
    );
    view! {
        <span class="disclosure">{is_open.map(|_| view! { <Icon outline=icondata_lu::LuChevronRight.data /> })}</span>
        {(*depth > MAX_INDENT).then(|| view! { <span class="depth">{depth.to_string()}</span> })}
        {name
            .as_deref()
            .map(|name| {
                let text = bounded_name(name);
                view! { <bdi class="value-name">{text}</bdi>{is_member.then_some(": ")} }
            })}
        <bdi class="value-text">{bounded(preview)}</bdi>
        {size.clone().map(|size| view! { <span class="value-size">{size}</span> })}
        {is_duplicate.then(|| view! { <span class="value-size">"key occurs twice"</span> })}
    }
}
