//! A JSON value as rows of a tree, read from its text only as far as it is open. Everything is shown as it was written.

#[cfg(test)]
mod tests;
mod window;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

pub use window::{ValueKind, ValueRow, ValueWindow};

use crate::format;
use crate::json::{Reader, Slice, Token};
use crate::text::{concat, json};

/// The number of members of an object or a list above which they are shown in ranges of this length.
const RANGE: usize = 1000;
/// Maximum length of the value in a row, in characters.
const MAX_PREVIEW: usize = 120;
/// Size above which the members of a closed object or list are not counted, bytes.
const MAX_COUNTED: usize = 64 << 10;
/// The maximum number of rows that are opened again when the value changes.
const MAX_REOPENED: usize = 100;

/// What a row is called.
#[derive(Clone, Debug, PartialEq)]
enum Name {
    Whole,
    /// The place of a key between its quotes, and whether the object has it more than once.
    Key(Range<usize>, bool),
    Index(usize),
    /// The positions of the members.
    Range(Range<usize>),
}

/// A row, with the place of its value in the text. A range has the place of its object or list.
#[derive(Clone, Debug)]
struct Row {
    name: Name,
    value: Range<usize>,
    depth: usize,
    is_open: bool,
    position: usize,
    set_size: usize,
}

/// A value with its open rows.
#[derive(Debug)]
pub(super) struct ValueTree {
    text: Arc<str>,
    rows: Vec<Row>,
    selected: Option<usize>,
}

impl ValueTree {
    /// The value at a place of a text whose grammar was checked. An object or a list is open.
    pub(super) fn new(text: Arc<str>, value: Range<usize>) -> Self {
        let root = Row { name: Name::Whole, value, depth: 0, is_open: false, position: 1, set_size: 1 };
        let mut tree = Self { text, rows: vec![root], selected: None };
        tree.open(0);
        tree
    }

    /// Opens and selects the same rows as another value, as far as this one has them.
    pub(super) fn follow(&mut self, other: &Self) {
        let selected = other.selected.map(|row| other.path(row));
        let open = (0..other.rows.len()).filter(|row| other.rows[*row].is_open).take(MAX_REOPENED);
        for (path, is_range) in open.map(|row| (other.path(row), other.kind(row) == ValueKind::Range)) {
            let same = (0..self.rows.len())
                .find(|row| self.path(*row) == path && (self.kind(*row) == ValueKind::Range) == is_range);
            if let Some(row) = same {
                self.open(row);
            }
        }
        self.selected = selected.and_then(|path| (0..self.rows.len()).find(|row| self.path(*row) == path));
    }

    pub(super) fn window(&self, window: &Range<usize>) -> ValueWindow {
        let total = self.rows.len();
        let first = window.start.min(total);
        let rows = (first..window.end.clamp(first, total)).map(|row| self.row(row)).collect();
        ValueWindow { total, first, rows, selected: self.selected }
    }

    pub(super) fn selected(&self) -> Option<usize> {
        self.selected
    }

    /// Selects a row, at most the last one.
    pub(super) fn select(&mut self, row: usize) {
        self.selected = Some(row.min(self.rows.len() - 1));
    }

    pub(super) fn move_by(&mut self, by: i32) {
        let row = self.selected.map_or(0, |row| row.saturating_add_signed(by as isize));
        self.select(row);
    }

    /// Opens the selected row, or selects its first member.
    pub(super) fn expand(&mut self) {
        let Some(row) = self.selected else { return };
        if self.rows[row].is_open {
            self.select(row + 1);
        } else {
            self.open(row);
        }
    }

    /// Closes the selected row, or selects the row above it.
    pub(super) fn collapse(&mut self) {
        let Some(row) = self.selected else { return };
        if self.rows[row].is_open {
            self.close(row);
        } else if let Some(parent) = self.parent(row) {
            self.selected = Some(parent);
        }
    }

    /// Opens or closes a row.
    pub(super) fn toggle(&mut self, row: usize) {
        if self.rows.get(row).is_some_and(|row| row.is_open) { self.close(row) } else { self.open(row) }
    }

    /// The value of a row as it was written; of a range, its whole object or list.
    pub(super) fn json(&self, row: usize) -> Option<&str> {
        self.rows.get(row).map(|row| &self.text[row.value.clone()])
    }

    /// The text of a row, if it is one.
    pub(super) fn text(&self, row: usize) -> Option<String> {
        Slice::new(self.json(row)?).text()
    }

    /// The value of the same place in another text with the same structure; `None` if that has no such place.
    pub(super) fn value_in<'a>(&self, row: usize, other: &'a Self) -> Option<&'a str> {
        let mut value = other.rows.first()?.value.clone();
        for member in self.members_to(row) {
            let (mut number, mut found) = (0, None);
            other.members(&value, &mut |_, place| {
                if number == member {
                    found = Some(place);
                }
                number += 1;
            });
            value = found?;
        }
        Some(&other.text[value])
    }

    /// The numbers of the members that lead to a row, the outermost first.
    fn members_to(&self, row: usize) -> Vec<usize> {
        let mut numbers = Vec::new();
        let mut at = Some(row);
        while let Some(row) = at {
            at = self.parent(row);
            let before = match at.map(|above| &self.rows[above].name) {
                Some(Name::Range(range)) => range.start,
                Some(Name::Whole | Name::Key(..) | Name::Index(_)) | None => 0,
            };
            if matches!(self.rows[row].name, Name::Key(..) | Name::Index(_)) {
                numbers.push(before + self.rows[row].position - 1);
            }
        }
        numbers.reverse();
        numbers
    }

    /// The path of a row, as a program would write it.
    pub(super) fn path(&self, row: usize) -> String {
        let mut names = Vec::new();
        let mut at = Some(row);
        while let Some(row) = at {
            names.push(self.step(row));
            at = self.parent(row);
        }
        names.iter().rev().map(String::as_str).collect()
    }

    /// The last part of a path.
    fn step(&self, row: usize) -> String {
        match &self.rows[row].name {
            Name::Whole => "$".to_owned(),
            Name::Range(_) => String::new(),
            Name::Index(index) => concat(&["[", &index.to_string(), "]"]),
            Name::Key(place, _) => {
                let key = self.key(place.clone());
                let is_plain = key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                    && key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                if is_plain { concat(&[".", &key]) } else { concat(&["[", &json(&key), "]"]) }
            }
        }
    }

    fn key(&self, place: Range<usize>) -> String {
        let quoted = &self.text[place.start - 1..=place.end];
        Slice::new(quoted).text().unwrap_or_else(|| self.text[place].to_owned())
    }

    fn parent(&self, row: usize) -> Option<usize> {
        let depth = self.rows[row].depth;
        (0..row).rev().find(|above| self.rows[*above].depth < depth)
    }

    fn kind(&self, row: usize) -> ValueKind {
        let Row { name, value, .. } = &self.rows[row];
        match (name, self.text.as_bytes().get(value.start)) {
            (Name::Range(_), _) => ValueKind::Range,
            (_, Some(b'{')) => ValueKind::Object,
            (_, Some(b'[')) => ValueKind::List,
            (_, Some(b'"')) => ValueKind::Text,
            (_, Some(b't' | b'f')) => ValueKind::Boolean,
            (_, Some(b'n')) => ValueKind::Null,
            (_, _) => ValueKind::Number,
        }
    }

    fn row(&self, row: usize) -> ValueRow {
        let Row { name, value, depth, is_open, position, set_size } = self.rows[row].clone();
        let kind = self.kind(row);
        let json = &self.text[value.clone()];
        let is_nested = matches!(kind, ValueKind::Object | ValueKind::List);
        let is_empty = is_nested && json[1..json.len() - 1].trim_ascii().is_empty();
        let is_foldable = kind == ValueKind::Range || (is_nested && !is_empty);
        let preview = match kind {
            ValueKind::Range => String::new(),
            ValueKind::Object if !is_empty => "{…}".to_owned(),
            ValueKind::List if !is_empty => "[…]".to_owned(),
            ValueKind::Object | ValueKind::List => {
                if kind == ValueKind::List { "[]" } else { "{}" }.to_owned()
            }
            ValueKind::Text | ValueKind::Number | ValueKind::Boolean | ValueKind::Null => start(json),
        };
        let is_cut = preview.ends_with('…') && !json.ends_with('…');
        let is_text = kind == ValueKind::Text;
        ValueRow {
            is_long_text: is_text && (is_cut || json.contains("\\n")),
            is_duplicate: matches!(name, Name::Key(_, true)),
            size: match kind {
                ValueKind::Object | ValueKind::List if is_foldable => Some(self.size(&value, kind)),
                ValueKind::Text | ValueKind::Number if is_cut => Some(bytes(json.len())),
                ValueKind::Object
                | ValueKind::List
                | ValueKind::Range
                | ValueKind::Text
                | ValueKind::Number
                | ValueKind::Boolean
                | ValueKind::Null => None,
            },
            name: match name {
                Name::Whole => None,
                Name::Key(place, _) => Some(self.text[place].to_owned()),
                Name::Index(index) => Some(index.to_string()),
                Name::Range(range) => {
                    Some(concat(&["[", &range.start.to_string(), " … ", &(range.end - 1).to_string(), "]"]))
                }
            },
            path: self.path(row),
            is_open: is_foldable.then_some(is_open),
            kind,
            depth,
            preview,
            position,
            set_size,
        }
    }

    /// How much an object or a list contains.
    fn size(&self, value: &Range<usize>, kind: ValueKind) -> String {
        if value.len() > MAX_COUNTED {
            return bytes(value.len());
        }
        let mut number = 0;
        self.members(value, &mut |_, _| number += 1);
        let noun = match (kind == ValueKind::List, number) {
            (true, 1) => " item",
            (true, _) => " items",
            (false, 1) => " key",
            (false, _) => " keys",
        };
        concat(&[&format::count(f64::from(number)), noun])
    }

    /// Shows the members of a row.
    fn open(&mut self, row: usize) {
        let Some(parent) = self.rows.get(row).filter(|row| !row.is_open).cloned() else { return };
        let children = self.children(&parent);
        if children.is_empty() {
            return;
        }
        if let Some(selected) = self.selected.as_mut().filter(|selected| **selected > row) {
            *selected += children.len();
        }
        self.rows[row].is_open = true;
        self.rows.splice(row + 1..=row, children);
    }

    /// Hides the members of a row.
    fn close(&mut self, row: usize) {
        let depth = self.rows[row].depth;
        let below = self.rows[row + 1..].iter().take_while(|below| below.depth > depth).count();
        self.rows.drain(row + 1..=row + below);
        self.rows[row].is_open = false;
        self.selected = self.selected.map(|selected| match selected {
            selected if selected > row + below => selected - below,
            selected => selected.min(row),
        });
    }

    /// The rows of the members of a row, or of ranges of them.
    fn children(&self, parent: &Row) -> Vec<Row> {
        let (mut found, mut keys, mut twice) = (Vec::new(), HashSet::new(), HashSet::new());
        let (mut number, shown) = (
            0,
            match &parent.name {
                Name::Range(range) => range.clone(),
                Name::Whole | Name::Key(..) | Name::Index(_) => 0..RANGE,
            },
        );
        self.members(&parent.value, &mut |key, value| {
            if let Some(key) = &key
                && !keys.insert(&self.text[key.clone()])
            {
                twice.insert(&self.text[key.clone()]);
            }
            if shown.contains(&number) {
                found.push((key.map_or(Name::Index(number), |key| Name::Key(key, false)), value));
            }
            number += 1;
        });
        if number > RANGE && !matches!(parent.name, Name::Range(_)) {
            let begins = (0..number).step_by(RANGE);
            found = begins
                .map(|begin| (Name::Range(begin..(begin + RANGE).min(number)), parent.value.clone()))
                .collect();
        }
        let (depth, set_size) = (parent.depth + 1, found.len());
        let row = |(position, (name, value)): (usize, (Name, Range<usize>))| {
            let name = match name {
                Name::Key(place, _) => {
                    let is_duplicate = twice.contains(&self.text[place.clone()]);
                    Name::Key(place, is_duplicate)
                }
                Name::Whole | Name::Index(_) | Name::Range(_) => name,
            };
            Row { name, value, depth, is_open: false, position, set_size }
        };
        (1..).zip(found).map(row).collect()
    }

    /// Calls `take` with the place of the key, if there is one, and the place of the value of each member.
    fn members(&self, value: &Range<usize>, take: &mut dyn FnMut(Option<Range<usize>>, Range<usize>)) {
        let mut reader = Reader::new(&self.text, value.start);
        if !matches!(reader.token(), Ok(Token::ObjectStart | Token::ArrayStart)) {
            return;
        }
        let (inside, mut key) = (reader.nesting(), None);
        // The text was checked, so the only other end is that of the value.
        while let Ok(token) = reader.token() {
            match token {
                Token::Key(text) => {
                    let begin = reader.start() + 1;
                    key = Some(begin..begin + text.raw().len());
                }
                Token::ObjectEnd | Token::ArrayEnd => return,
                Token::ObjectStart
                | Token::ArrayStart
                | Token::String(_)
                | Token::Number(_)
                | Token::Bool
                | Token::Null => {
                    let begin = reader.start();
                    if reader.nesting() > inside {
                        reader.skip_checked_rest();
                    }
                    take(key.take(), begin..reader.at());
                }
            }
        }
    }
}

/// The beginning of a value.
fn start(json: &str) -> String {
    match json.char_indices().nth(MAX_PREVIEW) {
        Some((end, _)) => concat(&[&json[..end], "…"]),
        None => json.to_owned(),
    }
}

/// A size for people.
pub(super) fn bytes(size: usize) -> String {
    let size = size as f64;
    match size {
        ..1e3 => concat(&[&format::count(size), " bytes"]),
        ..1e6 => format!("{:.1} kB", size / 1e3),
        _ => format!("{:.1} MB", size / 1e6),
    }
}
