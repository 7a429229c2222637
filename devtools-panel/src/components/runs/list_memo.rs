//! Values that are read from the list of runs.

use leptos::prelude::*;
use runstate::viewer::RunList;

use crate::store::Store;

/// A value that is read from the list; the default if the session has no list.
pub(super) fn list_memo<T>(store: Store, read: impl Fn(&RunList) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| store.runs(|list| list.map(&read).unwrap_or_default()))
}
