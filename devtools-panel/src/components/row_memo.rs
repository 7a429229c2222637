//! Rows that stay the same element while their content changes.

use leptos::prelude::*;

/// The current value of `row` in a list; its last value once the list no longer contains it.
pub(crate) fn row_memo<T>(rows: Memo<Vec<T>>, row: T, is_same: fn(&T, &T) -> bool) -> Memo<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |previous: Option<&T>| {
        let found = rows.with(|rows| rows.iter().find(|other| is_same(other, &row)).cloned());
        found.or_else(|| previous.cloned()).unwrap_or_else(|| row.clone())
    })
}
