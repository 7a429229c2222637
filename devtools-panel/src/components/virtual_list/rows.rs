//! The rows of a long list that are near its visible part.

use std::hash::Hash;

use leptos::prelude::*;
use leptos_use::use_resize_observer;
use wasm_bindgen::JsCast;
use web_sys::ResizeObserverSize;

use super::VirtualList;

/// The element of a list with its rendered rows. The style sheet sets the height of a row as `--row`.
#[component]
pub(crate) fn VirtualRows<T, K, V>(
    /// The list.
    list: VirtualList,
    /// The position of the first row of `rows`, from 0.
    #[prop(into)]
    first: Signal<usize>,
    /// The rows to render.
    rows: Memo<Vec<T>>,
    /// The key of a row, which keeps its element while its content changes.
    key: fn(&T) -> K,
    /// Renders a row.
    row: impl Fn(Memo<T>) -> V + Clone + Send + 'static,
) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: IntoView + 'static,
{
    measure_row(list);
    let children = move |item: T| row(row_memo(rows, item, key));
    view! {
        <div
            class="virtual-list"
            role="presentation"
            node_ref=list.elements.space
            style:height=move || list.height()
            // Of a shortened list, the program moves the rows with each scroll, and the browser must not scroll after them.
            style:overflow-anchor=move || list.geometry.get().is_some_and(|now| now.sizes.is_shortened()).then_some("none")
        >
            <div
                class="virtual-rows"
                role="presentation"
                node_ref=list.elements.window
                style:top=move || list.row_top(first.get())
            >
                <For each=move || rows.get() key=key children=children />
            </div>
        </div>
    }
}

/// Measures the height of a row whenever the rendered rows change their height.
fn measure_row(list: VirtualList) {
    let _ = use_resize_observer(list.elements.window, move |entries, _| {
        let size = entries[0].content_box_size().get(0);
        let height = size.unchecked_into::<ResizeObserverSize>().block_size();
        let count = entries[0].target().child_element_count();
        if count > 0 && height > 0.0 {
            let row = Some(height / f64::from(count));
            // In the next frame: an observer that changes the size of elements around its own causes an error event.
            request_animation_frame(move || {
                if list.row.try_get_untracked().is_some_and(|known| known != row) {
                    list.row.set(row);
                }
            });
        }
    });
}

/// The current value of a row; its last value once the list no longer contains it.
fn row_memo<T, K>(rows: Memo<Vec<T>>, row: T, key: fn(&T) -> K) -> Memo<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
    K: PartialEq + 'static,
{
    Memo::new(move |previous: Option<&T>| {
        let key_of_row = key(&row);
        let found = rows.with(|rows| rows.iter().find(|other| key(other) == key_of_row).cloned());
        found.or_else(|| previous.cloned()).unwrap_or_else(|| row.clone())
    })
}
