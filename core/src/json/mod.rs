//! Reading JSON in place: tokens, raw slices and positions, without a tree of values.
//!
//! Nothing here recurses, so a hostile document cannot exhaust the small stack of a WebAssembly module.

mod error;
mod fields;
mod pack;
mod position;
mod reader;
mod text;
mod typed;
mod write;

pub use error::{ReadError, ReadErrorKind};
pub(crate) use fields::{Items, Slice, fields, items, row_fields};
pub(crate) use pack::{Pack, Unpack};
pub use position::Position;
pub(crate) use position::locate;
pub(crate) use reader::{Reader, Token};
pub(crate) use text::cut;
pub(crate) use typed::{optional, optionals, read_with_serde};
pub(crate) use write::Writer;

/// How deep JSON may nest. A tree of 257 levels needs about 520; what nests deeper is refused before it is read.
pub const MAX_NESTING: usize = 1200;
