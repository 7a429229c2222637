//! The properties that the author gave the node, on demand.

use leptos::prelude::*;
use runstate::format;

use super::super::Icon;
use crate::store::{SessionData, select};
use crate::text::{bounded, bounded_name};

/// The properties; nothing if there are none.
#[component]
pub(super) fn Props() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let props = select(data.node, |node| node.props.clone());
    let rows = move || {
        let row = |name: &str, value: &str| {
            view! { <div><dt class="code">{bounded_name(name)}</dt><dd class="code">{bounded(value)}</dd></div> }
        };
        props.get().iter().map(|prop| row(&prop.name, &prop.value)).collect_view()
    };
    view! {
        <details class="node-props" data-field="props" hidden=move || props.with(Vec::is_empty)>
            <summary>
                <span class="disclosure">
                    <Icon outline=icondata_lu::LuChevronRight.data />
                </span>
                "Properties "
                <span class="secondary-text">{move || props.with(|props| format::count(props.len() as f64))}</span>
            </summary>
            <dl>{rows}</dl>
        </details>
    }
}
