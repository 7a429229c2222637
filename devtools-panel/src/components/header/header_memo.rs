//! Values that are read from the header.

use leptos::prelude::*;
use runstate::header::Header;

use crate::store::Store;

/// A value that is read from the header; it changes only when the value does.
pub(super) fn header_memo<T>(store: Store, read: fn(&Header) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| store.header(|header| header.map(read).unwrap_or_default()))
}
