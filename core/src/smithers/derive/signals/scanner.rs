//! Reads ordinary rows in one pass.

use std::borrow::Cow;

use super::{RowSignals, needs_error};
use crate::json::words::begins_with;
use crate::json::{Reader, Scan, Slice, Text};
use crate::smithers::wire::RunRow;
use crate::smithers::wire::{COLUMNS, NAMES};
use crate::word::Word;

/// Scans the rows of a text.
#[derive(Default)]
pub(super) struct RowScanner<'a> {
    pub(super) found: Vec<RowSignals<'a>>,
    /// The keys of the previous row, with the bytes around them. The next row usually has the same keys at the same
    /// positions. In three series of alternating rounds of `cargo xtask bench rows`, the module was 2.9 times as fast as
    /// JavaScript with these keys, and 2.5, 2.8 and 3.1 times without them; the budget is 2.7 times.
    keys: Vec<(&'a [u8], Column)>,
}

impl<'a> RowScanner<'a> {
    /// A list of rows.
    pub(super) fn list(&mut self, text: &'a str) -> Option<()> {
        let mut scan = Scan::new(text.as_bytes());
        scan.space();
        scan.take(b'[')?;
        scan.space();
        if scan.take(b']').is_none() {
            loop {
                self.row(text, &mut scan, true)?;
                scan.space();
                match scan.peek()? {
                    b',' => scan.at += 1,
                    b']' => break,
                    _ => return None,
                }
                scan.space();
            }
            scan.at += 1;
        }
        at_end(&mut scan)
    }

    /// A line with one row, or an empty one.
    pub(super) fn line(&mut self, line: &'a str) -> Option<()> {
        let mut scan = Scan::new(line.as_bytes());
        scan.space();
        if scan.peek().is_some() {
            self.row(line, &mut scan, false)?;
        }
        at_end(&mut scan)
    }

    /// Reads the row at the scanner's position.
    fn row(&mut self, text: &'a str, scan: &mut Scan<'a>, in_list: bool) -> Option<()> {
        let begin = scan.at;
        let row = if let Some(row) = self.scan_row(text, scan) {
            row
        } else {
            let mut reader = if in_list { Reader::at_item(text, begin) } else { Reader::new(text, begin) };
            let place = reader.skip_value().ok()?;
            scan.at = place.1;
            RunRow::read(Slice::new(text).part(place)).ok()?.into()
        };
        self.found.push(row);
        Some(())
    }

    /// Reads an ordinary row; `None` for any other.
    pub(super) fn scan_row(&mut self, text: &'a str, scan: &mut Scan<'a>) -> Option<RowSignals<'a>> {
        let mut found = ScannedRow::default();
        let (mut known_fields, mut place) = (0, 0);
        scan.take(b'{')?;
        loop {
            let Column { bit, kind } = self.key(scan, place)?;
            if known_fields & bit != 0 {
                return None;
            }
            known_fields |= bit;
            scan_value(text, scan, kind, &mut found)?;
            scan.space();
            match scan.peek()? {
                b',' => scan.at += 1,
                b'}' => break,
                _ => return None,
            }
            place += 1;
        }
        scan.at += 1;
        found.signals()
    }

    /// Reads the key at the scanner's position; `place` is its index in the row.
    #[inline]
    fn key(&mut self, scan: &mut Scan<'a>, place: usize) -> Option<Column> {
        let begin = scan.at;
        if let Some((key, column)) = self.keys.get(place)
            && begins_with(scan.bytes, begin, key)
        {
            scan.at += key.len();
            return Some(*column);
        }
        let column = Column::new(scan.key()?);
        let key = (scan.bytes.get(begin..scan.at)?, column);
        match self.keys.get_mut(place) {
            Some(before) => *before = key,
            None => self.keys.push(key),
        }
        Some(column)
    }
}

/// A field of a row.
#[derive(Clone, Copy)]
struct Column {
    /// The bit of its index in [`NAMES`]; 0 for an unknown field.
    bit: u32,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    RunId,
    Status,
    StartedAt,
    HeartbeatAt,
    Owner,
    Error,
    /// A text that the derivation does not read.
    Text,
    /// A number that the derivation does not read.
    Number,
    /// A field that only single rows have.
    SingleRowOnly,
    /// An unknown field.
    Foreign,
}

impl Column {
    fn new(key: &[u8]) -> Self {
        let place = |names: &[&str]| names.iter().position(|name| name.as_bytes() == key && !key.is_empty());
        let Some(place) = place(&NAMES).or_else(|| place(&COLUMNS)) else {
            return Self { bit: 0, kind: Kind::Foreign };
        };
        let kind = match NAMES[place] {
            "runId" => Kind::RunId,
            "status" => Kind::Status,
            "startedAtMs" => Kind::StartedAt,
            "heartbeatAtMs" => Kind::HeartbeatAt,
            "runtimeOwnerId" => Kind::Owner,
            "errorJson" => Kind::Error,
            "summary" | "runState" | "failedChildKeys" => Kind::SingleRowOnly,
            name if name.ends_with("Ms") || name == "failedChildren" => Kind::Number,
            _ => Kind::Text,
        };
        Self { bit: 1 << place, kind }
    }
}

/// The fields of a row.
#[derive(Default)]
struct ScannedRow<'a> {
    run_id: Option<RawText<'a>>,
    status: Option<RawText<'a>>,
    started_at_ms: Option<f64>,
    heartbeat_at_ms: Option<f64>,
    owner: Option<RawText<'a>>,
    error: Option<RawText<'a>>,
}

/// A text between its quotes.
struct RawText<'a> {
    text: &'a str,
    escaped: bool,
}

impl<'a> RawText<'a> {
    fn decode(self) -> Cow<'a, str> {
        if self.escaped { Text::new(self.text).decode() } else { Cow::Borrowed(self.text) }
    }
}

impl<'a> ScannedRow<'a> {
    fn signals(self) -> Option<RowSignals<'a>> {
        let status = self.status.map(|status| Word::new(&status.decode()));
        let error = self.error.filter(|_| needs_error(status.as_ref()));
        Some(RowSignals {
            run_id: self.run_id?.decode(),
            status,
            started_at_ms: self.started_at_ms,
            heartbeat_at_ms: self.heartbeat_at_ms,
            runtime_owner_id: self.owner.map(RawText::decode),
            error_json: error.map(RawText::decode),
        })
    }
}

fn at_end(scan: &mut Scan<'_>) -> Option<()> {
    scan.space();
    scan.peek().is_none().then_some(())
}

#[inline]
fn scan_value<'a>(text: &'a str, scan: &mut Scan<'a>, kind: Kind, found: &mut ScannedRow<'a>) -> Option<()> {
    match kind {
        Kind::RunId => scan_text(text, scan, &mut found.run_id),
        Kind::Status => scan_text(text, scan, &mut found.status),
        Kind::Owner => scan_text(text, scan, &mut found.owner),
        Kind::Error => scan_text(text, scan, &mut found.error),
        Kind::StartedAt => scan_number(scan, &mut found.started_at_ms),
        Kind::HeartbeatAt => scan_number(scan, &mut found.heartbeat_at_ms),
        Kind::Text => scan_text(text, scan, &mut None),
        Kind::Number => scan_number(scan, &mut None),
        Kind::SingleRowOnly => scan.word(b"null"),
        Kind::Foreign => scan.value(),
    }
}

/// A text or null.
#[inline]
fn scan_text<'a>(text: &'a str, scan: &mut Scan<'a>, found: &mut Option<RawText<'a>>) -> Option<()> {
    if scan.peek()? != b'"' {
        return scan.word(b"null");
    }
    let begin = scan.at + 1;
    let escaped = scan.text()?;
    *found = Some(RawText { text: text.get(begin..scan.at - 1)?, escaped });
    Some(())
}

/// A whole number or null.
#[inline]
fn scan_number(scan: &mut Scan<'_>, found: &mut Option<f64>) -> Option<()> {
    if scan.peek()? == b'n' {
        return scan.word(b"null");
    }
    *found = Some(scan.whole()? as f64);
    Some(())
}
