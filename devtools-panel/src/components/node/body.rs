//! The part of the detail on screen.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{NodeTab, SchemaField};

use super::super::Icon;
use super::attempts::Attempts;
use super::calls::Calls;
use super::events::Events;
use super::lacking::Lacking;
use super::messages::Messages;
use super::styled_text::TextBlock;
use super::summary::Summary;
use super::tabs::{body_id, tab_id};
use super::text_rows::TextRows;
use super::value_rows::ValueRows;
use crate::store::{Panel, SessionData, select};
use crate::text::{bounded, bounded_name};

/// The part on screen.
#[component]
pub(super) fn NodeBody() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let tab = select(data.node, |node| node.tab);
    let has_tabs = select(data.node, |node| node.tabs.len() > 1);
    view! {
        <div
            class="node-part"
            id=body_id(panel)
            role=move || has_tabs.get().then_some("tabpanel")
            aria-labelledby=move || has_tabs.get().then(|| tab_id(panel, tab.get()))
        >
            {move || match tab.get() {
                NodeTab::Summary => view! { <Summary /> }.into_any(),
                NodeTab::Messages => view! { <Messages /> }.into_any(),
                NodeTab::Attempts => view! { <Attempts /> }.into_any(),
                NodeTab::Calls => view! { <Calls /> }.into_any(),
                NodeTab::Events => view! { <Events /> }.into_any(),
                NodeTab::Output | NodeTab::Raw => view! { <Value /> }.into_any(),
            }}
        </div>
    }
}

/// A value with what is known about it, or the text that was opened from it.
#[component]
fn Value() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let has_text = select(data.node, |node| node.body.text.is_some());
    let has_value = select(data.node, |node| node.body.value.is_some());
    move || {
        if has_text.get() {
            view! { <TextRows /> }.into_any()
        } else if has_value.get() {
            view! {
                <ValueRows>
                    <About />
                </ValueRows>
            }
            .into_any()
        } else {
            view! {
                <div class="scroll node-body" tabindex="0" role="group" aria-label="What is known about the value">
                    <About />
                </div>
            }
            .into_any()
        }
    }
}

/// The error, what is missing, and the schema.
#[component]
fn About() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let error = select(data.node, |node| node.body.error.clone());
    let is_partial = select(data.node, |node| node.body.is_partial);
    let schema = select(data.node, |node| node.body.schema.clone());
    view! {
        {move || error.get().map(|text| view! { <TextBlock label="Error" name="output-error" text /> })}
        <Lacking />
        {move || schema.with(|schema| (!schema.is_empty()).then(|| fields(schema)))}
        <p class="secondary-text" data-field="partial" hidden=move || !is_partial.get()>
            "The node failed. This is what it had written."
        </p>
    }
}

fn fields(schema: &[SchemaField]) -> impl IntoView + use<> {
    let field = |field: &SchemaField| {
        let description = field.description.as_deref().map(|text| format!(": {}", bounded(text)));
        view! { <div><dt class="code">{bounded_name(&field.name)}</dt><dd>{bounded(&field.kind)}{description}</dd></div> }
    };
    view! {
        <details class="node-props" data-field="schema">
            <summary>
                <span class="disclosure">
                    <Icon outline=icondata_lu::LuChevronRight.data />
                </span>
                "Schema "
                <span class="secondary-text">{format::count(schema.len() as f64)}</span>
            </summary>
            <dl>{schema.iter().map(field).collect_view()}</dl>
        </details>
    }
}
