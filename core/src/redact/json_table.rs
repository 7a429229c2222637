//! Tables in JSON, as the answers of databases: `{"columns":["user","password"],"rows":[["mira","…"]]}`.

use super::keys::{Name, names_secret};

/// The keys of the names of the columns.
const COLUMNS: [&str; 4] = ["columnnames", "columns", "fields", "header"];

/// The keys of the rows.
const ROWS: [&str; 3] = ["data", "rows", "values"];

/// What a list or an object is in a table.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Other,
    Columns,
    Rows,
    Row,
}

/// An open list or object that can be a part of a table.
#[derive(Default)]
pub(super) struct TablePart {
    part: Part,
    /// The number of items so far.
    items: usize,
    /// Of an object: the columns whose name is that of a secret.
    secret_columns: Vec<usize>,
}

impl TablePart {
    /// The part that a list or an object inside this one is; `key` is its key, unless it is an item of a list.
    pub(super) fn inner(&self, key: Option<&str>) -> Self {
        let part = match key {
            Some(key) if COLUMNS.contains(&key) => Part::Columns,
            Some(key) if ROWS.contains(&key) => Part::Rows,
            None if self.part == Part::Rows => Part::Row,
            Some(_) | None => Part::Other,
        };
        Self { part, ..Self::default() }
    }

    /// Enters an item of a list.
    pub(super) fn add_item(&mut self) {
        self.items += 1;
    }

    /// Enters the text of an item, which can be the name of a column of the object around the list.
    pub(super) fn add_name(&mut self, text: &str, object: &mut Self) {
        if self.part == Part::Columns && names_secret(text).is_some_and(|name| name != Name::Code) {
            object.secret_columns.push(self.items);
        }
    }

    /// Whether the next item is a secret, because of its column in the object around the rows.
    pub(super) fn has_secret(&self, object: &Self) -> bool {
        self.part == Part::Row && object.secret_columns.contains(&self.items)
    }
}
