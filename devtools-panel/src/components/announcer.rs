//! The one polite voice of the panel.

use crate::el::{El, el_of};
use crate::store::Store;

/// A visually hidden status region, empty at first; it speaks derived changes of state only.
pub(crate) fn announcer(store: Store) -> El {
    el_of("DIV", "vh").attr("role", "status").live_text(move || store.spoken.get())
}
