//! Placeholder for a missing tree.

use leptos::prelude::*;

use crate::store::{Panel, PanelView, ScreenState, SessionData};

/// Why the run on screen has no tree, and how to get one; nothing if it has a tree, or while its events are shown.
#[component]
pub(crate) fn NoTreeNote() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let state = expect_context::<ScreenState>();
    let Panel { view, .. } = expect_context();
    let shows_events = move || state.shows_events.get() && view.get() == PanelView::Full;
    let no_tree = Memo::new(move |_| data.status.with(|status| status.no_tree.clone()));
    move || {
        no_tree.get().filter(|_| !shows_events()).map(|note| {
            let hint = note.hint.map(|hint| {
                view! {
                    <p>{hint}</p>
                    <p class="actions">
                        <button type="button" class="btn btn-small" on:click=move |_| state.choose_source()>
                            "Open something else"
                        </button>
                    </p>
                }
            });
            view! {
                <div class="screen" data-field="no-tree">
                    <h2>"No tree"</h2>
                    <p class="lead">{note.reason}</p>
                    {hint}
                </div>
            }
        })
    }
}
