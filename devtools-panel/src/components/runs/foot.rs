//! The line below the list of runs.

use leptos::prelude::*;

use super::cursor::RunCursor;
use crate::store::{SessionData, select};

/// The visible row range, and the scope of search and filters.
#[component]
pub(super) fn ListFoot(
    /// The rows.
    cursor: RunCursor,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let foot = select(data.runs, |list| list.foot.clone());
    let visible_rows = Memo::new(move |_| cursor.visible_rows());
    let rows = Memo::new(move |_| {
        let rows = visible_rows.get();
        data.runs.with(|list| list.as_ref().and_then(|list| list.visible_rows_text(&rows)))
    });
    // Hidden from assistive technology; rows have aria-posinset.
    let rows_line =
        move || rows.get().map(|rows| view! { <span aria-hidden="true" data-field="rows">{rows}</span> });
    view! {
        <Show when=move || rows.with(Option::is_some) || foot.with(Option::is_some)>
            <p data-field="list-foot">
                {rows_line}
                " "
                {foot}
            </p>
        </Show>
    }
}
