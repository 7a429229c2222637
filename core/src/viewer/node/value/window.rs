//! The rows of a JSON value that are on screen.

use serde::{Deserialize, Serialize};

/// Some consecutive rows of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ValueWindow {
    /// The number of rows, given what is open.
    pub total: usize,
    /// The position of the first row of the window, from 0.
    pub first: usize,
    /// The rows of the window.
    pub rows: Vec<ValueRow>,
    /// The position of the selected row.
    pub selected: Option<usize>,
}

/// A row of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ValueRow {
    /// The key, the index, or the range of indexes; `None` for the whole value.
    pub name: Option<String>,
    /// The kind of value.
    pub kind: ValueKind,
    /// The number of objects and lists around it.
    pub depth: usize,
    /// The value as it was written, or its beginning.
    pub preview: String,
    /// How much it contains, if that is not in the row.
    pub size: Option<String>,
    /// Whether its members are shown; `None` if it has none.
    pub is_open: Option<bool>,
    /// Whether the row shows only a part of a text, which can be opened.
    pub is_long_text: bool,
    /// Whether its object has the key more than once.
    pub is_duplicate: bool,
    /// Its path: `$.suites[3].name`.
    pub path: String,
    /// Its position among the rows with the same parent, from 1.
    pub position: usize,
    /// The number of rows with the same parent.
    pub set_size: usize,
}

crate::vocabulary! {
    /// The kind of a JSON value.
    pub enum ValueKind ("kind of value") {
        /// An object.
        Object = "object",
        /// A list.
        List = "list",
        /// Consecutive members of a large object or list.
        Range = "range",
        /// A text.
        Text = "text",
        /// A number.
        Number = "number",
        /// `true` or `false`.
        Boolean = "boolean",
        /// `null`.
        Null = "null",
    }
}
