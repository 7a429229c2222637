//! The summary: request, iterations, facts, error, what is missing, and properties.

use leptos::prelude::*;

use super::super::error_text::ErrorText;
use super::facts::{Facts, IterationButtons, Request};
use super::props::Props;
use crate::store::{SessionData, select};

/// The summary, from top to bottom. Each part is drawn again only if it has changed, so that an open part stays open.
#[component]
pub(super) fn Summary() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let request = select(data.node, |node| node.request.clone());
    let error = select(data.node, |node| node.error.clone());
    let missing = select(data.node, |node| node.missing.clone());
    view! {
        <div class="scroll node-body" tabindex="0" role="group" aria-label="What is known about the node">
            {move || request.get().map(|request| view! { <Request request /> })}
            <IterationButtons />
            <Facts />
            {move || {
                error
                    .get()
                    .map(|error| {
                        view! {
                            <h3>"Error"</h3>
                            <ErrorText error />
                        }
                    })
            }}
            <ul class="missing" data-field="missing" hidden=move || missing.with(Vec::is_empty)>
                {move || missing.get().into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view()}
            </ul>
            <Props />
        </div>
    }
}
