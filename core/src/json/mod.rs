//! Reading JSON in place: tokens, raw slices and positions, without a tree of values.
//!
//! No function recurses, so a hostile document cannot exhaust the small stack of a WebAssembly module. Only the errors are
//! public: [`ReadError`] with its byte offset, and [`Position`] with line and column.

pub(crate) mod salvage;

mod de;
mod error;
pub(crate) mod fields;
mod misspelt;
mod position;
mod reader;
mod scan;
mod text;
mod type_mismatches;
mod typed;
pub(crate) mod words;
mod write;

pub(crate) use de::{Decisive, lenient, record};
pub use error::{ReadError, ReadErrorKind};
pub(crate) use fields::{Items, Slice, fields, items, row_fields, spelt_fields};
pub(crate) use misspelt::ask_for_field;
pub use position::Position;
pub(crate) use position::{column, lines, locate};
pub(crate) use reader::{Reader, Token};
pub(crate) use scan::Scan;
pub(crate) use text::cut;
pub(crate) use type_mismatches::TypeMismatches;
pub(crate) use typed::{decisive, optional, optionals, read_with_serde};
pub(crate) use write::Writer;

/// The maximum nesting of JSON. A tree of 257 levels needs about 520; deeper texts are refused before they are read.
pub(crate) const MAX_NESTING: usize = 1200;

#[cfg(test)]
mod tests {
    use crate::json::{MAX_NESTING, ReadErrorKind};
    use crate::tree::Tree;

    #[test]
    fn values_that_nest_too_deep_are_refused() {
        let deep = "[".repeat(MAX_NESTING + 1) + &"]".repeat(MAX_NESTING + 1);
        let refused = Tree::from_json(&format!(
            r#"{{"id":1,"type":"workflow","name":"w","props":{deep},"children":[]}}"#
        ))
        .unwrap_err();
        assert_eq!(refused.kind, ReadErrorKind::TooDeep);
    }
}
