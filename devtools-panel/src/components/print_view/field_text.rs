//! The text of a field in a printout.

use runstate::header::FieldValue;

use super::secrets::without_secrets;
use crate::text::{bounded_name, long_text};

/// The text of a field, and whether it is code. Times are printed in full, because a printout has no tooltips.
pub(super) fn field_text(value: FieldValue) -> (String, bool) {
    match value {
        FieldValue::Id(text) => (bounded_name(&text), true),
        FieldValue::Code(text) => (bounded_name(&without_secrets(text)), true),
        FieldValue::Text(text) => (long_text(&without_secrets(text)), false),
        FieldValue::Time { iso, text } => (iso.unwrap_or(text), false),
    }
}
