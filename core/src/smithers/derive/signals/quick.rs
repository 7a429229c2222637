//! Rows in one pass.

use std::borrow::Cow;

use super::{RowSignals, asks_for_error};
use crate::json::words::begins_with;
use crate::json::{Reader, Scan, Slice, Text};
use crate::smithers::wire::RunRow;
use crate::smithers::wire::{COLUMNS, NAMES};
use crate::word::Word;

/// The rows of a text, one after another.
#[derive(Default)]
pub(super) struct Rows<'a> {
    pub(super) found: Vec<RowSignals<'a>>,
    /// The keys of the row before, with what stands around them: mostly this row has the same at the same places.
    keys: Vec<(&'a [u8], Column)>,
}

impl<'a> Rows<'a> {
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
        ended(&mut scan)
    }

    /// A line with one row, or an empty one.
    pub(super) fn line(&mut self, line: &'a str) -> Option<()> {
        let mut scan = Scan::new(line.as_bytes());
        scan.space();
        if scan.peek().is_some() {
            self.row(line, &mut scan, false)?;
        }
        ended(&mut scan)
    }

    /// The row that begins here.
    fn row(&mut self, text: &'a str, scan: &mut Scan<'a>, of_list: bool) -> Option<()> {
        let begin = scan.at;
        let row = if let Some(row) = self.quick(text, scan) {
            row
        } else {
            let mut reader = if of_list { Reader::of_item(text, begin) } else { Reader::new(text, begin) };
            let place = reader.skip_value().ok()?;
            scan.at = place.1;
            RunRow::read(Slice::new(text).part(place)).ok()?.into()
        };
        self.found.push(row);
        Some(())
    }

    /// `None` for a row that is out of the ordinary.
    pub(super) fn quick(&mut self, text: &'a str, scan: &mut Scan<'a>) -> Option<RowSignals<'a>> {
        let mut found = Found::default();
        let (mut seen, mut place) = (0, 0);
        scan.take(b'{')?;
        loop {
            let Column { bit, kind } = self.key(scan, place)?;
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
            value(text, scan, kind, &mut found)?;
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

    /// The key that stands here, as the one of this place in its row.
    #[inline]
    fn key(&mut self, scan: &mut Scan<'a>, place: usize) -> Option<Column> {
        let begin = scan.at;
        if let Some((key, column)) = self.keys.get(place)
            && begins_with(scan.bytes, begin, key)
        {
            scan.at += key.len();
            return Some(*column);
        }
        let column = Column::of(scan.key()?);
        let key = (scan.bytes.get(begin..scan.at)?, column);
        match self.keys.get_mut(place) {
            Some(before) => *before = key,
            None => self.keys.push(key),
        }
        Some(column)
    }
}

/// A field of a row, by its place in [`NAMES`].
#[derive(Clone, Copy)]
struct Column {
    /// A bit of its own; none for a field that a row does not have.
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
    /// A field that rows of a list do not have.
    OfOneRow,
    /// Anything that is no field of a row.
    Foreign,
}

impl Column {
    fn of(key: &[u8]) -> Self {
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
            "summary" | "runState" | "failedChildKeys" => Kind::OfOneRow,
            name if name.ends_with("Ms") || name == "failedChildren" => Kind::Number,
            _ => Kind::Text,
        };
        Self { bit: 1 << place, kind }
    }
}

/// What one row says, its texts as they stand there.
#[derive(Default)]
struct Found<'a> {
    run_id: Option<Written<'a>>,
    status: Option<Written<'a>>,
    started_at_ms: Option<f64>,
    heartbeat_at_ms: Option<f64>,
    owner: Option<Written<'a>>,
    error: Option<Written<'a>>,
}

/// A text between its quotes.
struct Written<'a> {
    text: &'a str,
    escaped: bool,
}

impl<'a> Written<'a> {
    fn decode(self) -> Cow<'a, str> {
        if self.escaped { Text::new(self.text).decode() } else { Cow::Borrowed(self.text) }
    }
}

impl<'a> Found<'a> {
    fn signals(self) -> Option<RowSignals<'a>> {
        let status = self.status.map(|status| Word::new(&status.decode()));
        let error = self.error.filter(|_| asks_for_error(status.as_ref()));
        Some(RowSignals {
            run_id: self.run_id?.decode(),
            status,
            started_at_ms: self.started_at_ms,
            heartbeat_at_ms: self.heartbeat_at_ms,
            runtime_owner_id: self.owner.map(Written::decode),
            error_json: error.map(Written::decode),
        })
    }
}

fn ended(scan: &mut Scan<'_>) -> Option<()> {
    scan.space();
    scan.peek().is_none().then_some(())
}

#[inline]
fn value<'a>(text: &'a str, scan: &mut Scan<'a>, kind: Kind, found: &mut Found<'a>) -> Option<()> {
    match kind {
        Kind::RunId => written(text, scan, &mut found.run_id),
        Kind::Status => written(text, scan, &mut found.status),
        Kind::Owner => written(text, scan, &mut found.owner),
        Kind::Error => written(text, scan, &mut found.error),
        Kind::StartedAt => number(scan, &mut found.started_at_ms),
        Kind::HeartbeatAt => number(scan, &mut found.heartbeat_at_ms),
        Kind::Text => written(text, scan, &mut None),
        Kind::Number => number(scan, &mut None),
        Kind::OfOneRow => scan.word(b"null"),
        Kind::Foreign => scan.value(),
    }
}

/// A text or null.
#[inline]
fn written<'a>(text: &'a str, scan: &mut Scan<'a>, found: &mut Option<Written<'a>>) -> Option<()> {
    if scan.peek()? != b'"' {
        return scan.word(b"null");
    }
    let begin = scan.at + 1;
    let escaped = scan.text()?;
    *found = Some(Written { text: text.get(begin..scan.at - 1)?, escaped });
    Some(())
}

/// A number that is easily read, or null.
#[inline]
fn number(scan: &mut Scan<'_>, found: &mut Option<f64>) -> Option<()> {
    if scan.peek()? == b'n' {
        return scan.word(b"null");
    }
    *found = Some(scan.whole()? as f64);
    Some(())
}
