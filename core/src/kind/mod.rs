//! Recognises the kind of a document: one pass over the keys of an object ([`Keys`]), and one table of the kinds of all
//! documents (`table.rs`), in the order of the attempts. Files of tnh-conductor may also be recognised by name. The
//! reader of each kind reads the document.

pub(crate) mod acknowledgement;
pub(crate) mod conductor;
mod keys;
mod list;
mod table;

pub(crate) use conductor::LineKind;
pub(crate) use keys::Keys;
pub(crate) use list::{ItemKind, MixedList, blank, is_run, smithers_list_in_envelope};
pub(crate) use table::{Row, SmithersKind, is_event, is_node_state, row, smithers};

use crate::json::Slice;
use crate::lionagi::wire::LionagiDocumentKind;

/// Maximum number of rows that are examined to recognise a list.
pub(crate) const MAX_EXAMINED_ROWS: usize = 32;

/// The kind of a document of lionagi, an object or a list; `None` for any other.
pub(crate) fn lionagi(slice: Slice<'_>) -> Option<LionagiDocumentKind> {
    if slice.is_array() { list::lionagi_list(slice) } else { table::lionagi(&Keys::read(slice).ok()?) }
}
