//! The line below the list of runs.

use leptos::prelude::*;

use crate::store::{SessionData, select};

/// The scope of search and filters.
#[component]
pub(super) fn ListFoot() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let foot = select(data.runs, |list| list.foot.clone());
    view! {
        <Show when=move || foot.with(Option::is_some)>
            <p data-field="list-foot">{foot}</p>
        </Show>
    }
}
