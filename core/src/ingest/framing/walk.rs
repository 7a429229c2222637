//! A walk through one JSON value that tolerates what changes no value, and says where it failed.

use memchr::memchr;
use memchr::memmem;

use super::noise::noise_length;
use crate::json::MAX_NESTING;
use crate::json::words::{number_end, plain_end};

/// A part of a value that is not JSON, and that is repaired in a copy of the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repair {
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) kind: RepairKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RepairKind {
    /// An escape sequence, a byte order mark or another invisible character between tokens: removed.
    Noise,
    /// A raw control character in a string: escaped.
    ControlCharacter(u8),
    /// `NaN`, `Infinity` or `-Infinity`: replaced by `null`.
    NotANumber,
}

/// Why a value is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text ends inside the value.
    CutOff,
    /// A line ends inside a string, and the next line is a whole value.
    CutLine,
    /// The text is not JSON, or nests too deep.
    Syntax,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The value ends before this offset.
    Whole(usize),
    /// The walk failed at this offset.
    Broken(usize, Fault),
}

/// An object or list that was closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Container {
    pub(super) begin: usize,
    pub(super) end: usize,
    /// The number of objects and lists around it.
    pub(super) nesting: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Value,
    FirstItem,
    FirstKey,
    Key,
    Colon,
    After,
}

#[derive(Clone, Copy)]
struct Open {
    begin: usize,
    is_object: bool,
}

/// A walk through one value, without recursion. What it met until it ended decides how reading continues.
///
/// A walk that begins at a container that was open at a fault fails at the same byte, so it need not be tried.
pub(super) struct Walk {
    open: Vec<Open>,
    expect: Expect,
    pub(super) repairs: Vec<Repair>,
    /// The number of keys.
    pub(super) keys: usize,
    /// The container that was closed last.
    pub(super) closed: Option<Container>,
}

impl Walk {
    pub(super) fn new() -> Self {
        Self { open: Vec::new(), expect: Expect::Value, repairs: Vec::new(), keys: 0, closed: None }
    }

    /// Walks through the value that begins at `begin`.
    pub(super) fn run(&mut self, bytes: &[u8], begin: usize) -> End {
        self.open.clear();
        self.repairs.clear();
        (self.expect, self.keys, self.closed) = (Expect::Value, 0, None);
        let mut at = begin;
        loop {
            match self.step(bytes, at) {
                Ok(next) => at = next,
                Err((at, fault)) => return End::Broken(at, fault),
            }
            if self.open.is_empty() && self.expect == Expect::After {
                return End::Whole(at);
            }
        }
    }

    /// Whether the container that begins at this offset was open at the end of the walk.
    pub(super) fn is_open(&self, begin: usize) -> bool {
        self.open.binary_search_by_key(&begin, |open| open.begin).is_ok()
    }

    /// Whether the value is a list of objects, as far as the walk came.
    pub(super) fn is_list_of_objects(&self) -> bool {
        self.open.first().is_some_and(|list| !list.is_object)
            && (self.open.get(1).is_some_and(|item| item.is_object)
                || self.closed.is_some_and(|closed| closed.nesting == 1))
    }

    /// Reads one token and returns the offset behind it.
    fn step(&mut self, bytes: &[u8], at: usize) -> Result<usize, (usize, Fault)> {
        let Some(&byte) = bytes.get(at) else { return Err((bytes.len(), Fault::CutOff)) };
        match (byte, self.expect) {
            (b' ' | b'\n' | b'\r' | b'\t', _) => Ok(at + 1),
            (b'"', Expect::FirstKey | Expect::Key) => {
                self.keys += 1;
                self.expect = Expect::Colon;
                self.string(bytes, at)
            }
            (b'"', Expect::Value | Expect::FirstItem) => {
                self.expect = Expect::After;
                self.string(bytes, at)
            }
            (b':', Expect::Colon) => {
                self.expect = Expect::Value;
                Ok(at + 1)
            }
            (b',', Expect::After) => {
                let in_object = self.open.last().is_some_and(|open| open.is_object);
                self.expect = if in_object { Expect::Key } else { Expect::Value };
                Ok(at + 1)
            }
            (b'{' | b'[', Expect::Value | Expect::FirstItem) => self.open(at, byte == b'{'),
            (b'}' | b']', _) => self.close(at, byte == b'}'),
            (b'-' | b'0'..=b'9' | b't' | b'f' | b'n' | b'N' | b'I', Expect::Value | Expect::FirstItem) => {
                self.expect = Expect::After;
                self.scalar(bytes, at)
            }
            _ => self.noise(bytes, at),
        }
    }

    fn open(&mut self, at: usize, is_object: bool) -> Result<usize, (usize, Fault)> {
        if self.open.len() >= MAX_NESTING {
            return Err((at, Fault::Syntax));
        }
        self.open.push(Open { begin: at, is_object });
        self.expect = if is_object { Expect::FirstKey } else { Expect::FirstItem };
        Ok(at + 1)
    }

    fn close(&mut self, at: usize, is_object: bool) -> Result<usize, (usize, Fault)> {
        let empty = if is_object { Expect::FirstKey } else { Expect::FirstItem };
        let fits = self.expect == Expect::After || self.expect == empty;
        let Some(open) = self.open.last().filter(|open| fits && open.is_object == is_object) else {
            return Err((at, Fault::Syntax));
        };
        self.closed = Some(Container { begin: open.begin, end: at + 1, nesting: self.open.len() - 1 });
        self.open.pop();
        self.expect = Expect::After;
        Ok(at + 1)
    }

    fn noise(&mut self, bytes: &[u8], at: usize) -> Result<usize, (usize, Fault)> {
        match noise_length(bytes, at) {
            0 => Err((at, Fault::Syntax)),
            length => {
                self.repairs.push(Repair { at, length, kind: RepairKind::Noise });
                Ok(at + length)
            }
        }
    }

    /// Walks over the string whose opening quote is at `begin`.
    fn string(&mut self, bytes: &[u8], begin: usize) -> Result<usize, (usize, Fault)> {
        let mut at = begin + 1;
        loop {
            at = plain_end(bytes, at);
            match bytes.get(at) {
                Some(b'"') => return Ok(at + 1),
                Some(b'\\') => at = escape_end(bytes, at)?,
                Some(b'\n') if is_whole_line(bytes, at + 1) => return Err((at, Fault::CutLine)),
                Some(&byte) => {
                    let kind = RepairKind::ControlCharacter(byte);
                    self.repairs.push(Repair { at, length: 1, kind });
                    at += 1;
                }
                None => return Err((bytes.len(), Fault::CutOff)),
            }
        }
    }

    fn scalar(&mut self, bytes: &[u8], at: usize) -> Result<usize, (usize, Fault)> {
        let rest = bytes.get(at..).unwrap_or_default();
        for word in ["true", "false", "null"] {
            if rest.starts_with(word.as_bytes()) {
                return Ok(at + word.len());
            }
        }
        for word in ["NaN", "Infinity", "-Infinity"] {
            if rest.starts_with(word.as_bytes()) {
                self.repairs.push(Repair { at, length: word.len(), kind: RepairKind::NotANumber });
                return Ok(at + word.len());
            }
        }
        let is_number = matches!(rest.first(), Some(b'-' | b'0'..=b'9'));
        let end = if is_number { number_end(bytes, at) } else { Err(word_end(bytes, at)) };
        end.map_err(|at| (at, if at >= bytes.len() { Fault::CutOff } else { Fault::Syntax }))
    }
}

/// The offset behind the escape whose backslash is at `at`.
fn escape_end(bytes: &[u8], at: usize) -> Result<usize, (usize, Fault)> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let digits = bytes.get(at + 2..).unwrap_or_default().iter().take(4);
            match digits.clone().position(|digit| !digit.is_ascii_hexdigit()) {
                Some(other) => Err((at + 2 + other, Fault::Syntax)),
                None if digits.len() < 4 => Err((bytes.len(), Fault::CutOff)),
                None => Ok(at + 6),
            }
        }
        Some(_) => Err((at + 1, Fault::Syntax)),
        None => Err((bytes.len(), Fault::CutOff)),
    }
}

/// The end of the letters at `at`; at the end of the text they may be a word that is cut off.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let words = ["true", "false", "null", "NaN", "Infinity"];
    if words.iter().any(|word| word.as_bytes().starts_with(rest)) { bytes.len() } else { at }
}

/// Whether the line that begins at `begin` is a value by itself, so that a string cannot continue on it.
fn is_whole_line(bytes: &[u8], begin: usize) -> bool {
    let rest = bytes.get(begin..).unwrap_or_default();
    let line = rest.get(..memchr(b'\n', rest).unwrap_or(rest.len())).unwrap_or_default().trim_ascii_end();
    // The value may follow a prefix.
    let Some(start) = memmem::find(line, b"{\"").filter(|_| line.ends_with(b"}")) else { return false };
    let mut strict = Walk::new();
    strict.run(line, start) == End::Whole(line.len()) && strict.repairs.is_empty()
}

/// A copy of a part of the text with its repairs.
pub(super) fn repaired(bytes: &[u8], begin: usize, end: usize, repairs: &[Repair]) -> Vec<u8> {
    let mut copy = Vec::with_capacity(end - begin);
    let mut at = begin;
    for repair in repairs {
        copy.extend_from_slice(bytes.get(at..repair.at).unwrap_or_default());
        match repair.kind {
            RepairKind::Noise => {}
            RepairKind::ControlCharacter(b'\n') => copy.extend_from_slice(b"\\n"),
            RepairKind::ControlCharacter(b'\r') => copy.extend_from_slice(b"\\r"),
            RepairKind::ControlCharacter(b'\t') => copy.extend_from_slice(b"\\t"),
            RepairKind::ControlCharacter(byte) => copy.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            RepairKind::NotANumber => copy.extend_from_slice(b"null"),
        }
        at = repair.at + repair.length;
    }
    copy.extend_from_slice(bytes.get(at..end).unwrap_or_default());
    copy
}
