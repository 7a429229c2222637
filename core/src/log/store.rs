//! The events of a log as columns.

use std::borrow::Cow;

use memchr::memchr;

use super::column::{Column, Times};
use super::dedup::{DedupIndex, Wanted};
use super::effect::{Effect, effect};
use super::hash_index::{Table, hash};
use super::interner::Names;
use super::raw::{Block, RawText};
use super::scan::{Fields, Found, value_end};
use crate::json::{Reader, Slice, fields};
use crate::smithers::wire::{Category, EventType, Scope};
use crate::text::contains_ignoring_case;
use crate::word::Word;

/// No number: of a sequence, a unit, a place.
pub(super) const NONE: u32 = u32::MAX;
/// A row that says again what another row said, under another sequence number.
const REPEAT: u16 = 0x8000;
/// A row whose event is text inside it.
const ESCAPED: u16 = 0x4000;
/// A row whose event is the payload of a frame.
const PUSHED: u16 = 0x2000;
/// The name that stands for the run itself among its nodes. No node has it: it is not UTF-8.
const THE_RUN: &[u8] = &[0xff];

/// A type of event that occurred.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) word: Word<EventType>,
    pub(super) scope: Scope,
    pub(super) effect: Effect,
    pub(super) count: u64,
}

/// A node in one round of its loop, or the run itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unit {
    pub(super) node: u32,
    pub(super) iteration: u32,
}

/// The columns, and the names in them.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) raw: RawText,
    /// Where the event begins in the text.
    place: Column<u32>,
    time: Times,
    /// Shorter than the others: it ends with the last event that has a sequence number.
    seq: Column<u32>,
    kind: Column<u16>,
    unit: Column<u32>,
    attempt: Column<u16>,
    /// What the text of the event hashes to, to find it again.
    hash: Column<u32>,
    seen: DedupIndex,
    pub(super) with_seq: u32,
    pub(super) repeated: u64,
    kind_names: Names,
    pub(super) kinds: Vec<Kind>,
    pub(super) runs: Names,
    pub(super) nodes: Names,
    /// The unit that each node had last, so that most events find theirs at once.
    latest: Vec<u32>,
    pub(super) units: Column<Unit>,
    unit_table: Table,
}

/// What became of an event.
pub(super) enum Added {
    /// It is a row now.
    Row,
    /// It was there before.
    Repeat,
    /// It lacks a field that its type has.
    Lacks(&'static str),
    /// There are more types than a log can have.
    TooManyTypes,
}

impl Store {
    pub(super) fn len(&self) -> u32 {
        self.place.len() as u32
    }

    /// Adds the event that was found in a line of the block.
    pub(super) fn add(&mut self, block: &Block, line: usize, found: &Found<'_>) -> Added {
        let kind = self.kind_number(found.event_type);
        let Some(entry) = self.kinds.get(usize::from(kind)) else { return Added::TooManyTypes };
        let is_output = entry.word.known().map(EventType::category) == Some(Category::Output);
        if let Some(lacks) = lacks(entry.scope, found).filter(|_| !found.pushed) {
            return Added::Lacks(lacks);
        }
        let (begin, end) = (line + found.event.0, line + found.event.1);
        let text = block.bytes.get(begin..end).unwrap_or_default();
        let hash = hash(text);
        // The time of a frame is not in its text.
        let wanted = Wanted { hash, at: if found.pushed { f64::NAN } else { found.at } };
        let same = |row| starts_with(self.place.get(row), &self.raw, block, text);
        let earlier = self.seen.find(wanted, &self.hash, same);
        let mut flags = if found.escaped { ESCAPED } else { 0 } | if found.pushed { PUSHED } else { 0 };
        if let Some(earlier) = earlier {
            if self.is_the_same(earlier, found.seq) {
                self.repeated += 1;
                return Added::Repeat;
            }
            // An agent may well print the same line twice; sequence numbers tell that.
            if !is_output {
                self.repeated += 1;
                flags |= REPEAT;
            }
        }
        if flags & REPEAT == 0
            && let Some(entry) = self.kinds.get_mut(usize::from(kind))
        {
            entry.count += 1;
        }
        let row = self.len();
        let unit = self.unit_of(found);
        self.place.push((block.start + begin) as u32);
        self.time.push(found.at);
        self.kind.push(kind | flags);
        self.unit.push(unit);
        // 0 stands for none, and the largest for those that do not fit.
        let attempt = |attempt: u32| u16::try_from(attempt.saturating_add(1)).unwrap_or(u16::MAX);
        self.attempt.push(found.attempt.map_or(0, attempt));
        self.seen.add(wanted, &self.hash, earlier.is_none());
        self.hash.push(hash);
        self.set_seq(row, found.seq);
        Added::Row
    }

    /// Whether an event is one that is there already: the same text under the same number, or without one. A number that only
    /// one of the two had is kept.
    fn is_the_same(&mut self, earlier: u32, seq: Option<u32>) -> bool {
        match (self.seq(earlier), seq) {
            (Some(earlier), Some(seq)) => earlier == seq,
            (None, Some(_)) => {
                self.set_seq(earlier, seq);
                true
            }
            (Some(_) | None, None) => true,
        }
    }

    fn set_seq(&mut self, row: u32, seq: Option<u32>) {
        let Some(seq) = seq else { return };
        while self.seq.len() <= row as usize {
            self.seq.push(NONE);
        }
        self.seq.set(row, seq);
        self.with_seq += 1;
    }

    fn kind_number(&mut self, word: &[u8]) -> u16 {
        let (number, new) = self.kind_names.number(0, word);
        if new && number < u32::from(PUSHED) {
            let word: Word<EventType> = Word::new(self.kind_names.name(number));
            let scope = word.known().map_or(Scope::Run, EventType::scope);
            let effect = word.known().map_or(Effect::Nothing, effect);
            self.kinds.push(Kind { word, scope, effect, count: 0 });
        }
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    fn unit_of(&mut self, found: &Found<'_>) -> u32 {
        let (run, _) = self.runs.number(0, found.run_id);
        let node = self.node(run, found.node_id.unwrap_or(THE_RUN));
        if let (true, None, Some(latest)) = (found.pushed, found.iteration, self.latest.get(node as usize))
            && *latest != NONE
        {
            // A frame that names no round speaks of the one that was named last.
            return *latest;
        }
        self.unit_number(Unit {
            node,
            iteration: found.iteration.filter(|_| found.node_id.is_some()).unwrap_or(0),
        })
    }

    /// The number of a node, or of anything else that is named like one.
    pub(super) fn node(&mut self, run: u32, name: &[u8]) -> u32 {
        let (node, new) = self.nodes.number(run, name);
        if new {
            self.latest.push(NONE);
        }
        node
    }

    fn unit_number(&mut self, wanted: Unit) -> u32 {
        let is = |units: &Column<Unit>, place: u32| {
            units
                .get(place)
                .is_some_and(|unit| unit.node == wanted.node && unit.iteration == wanted.iteration)
        };
        let latest = self.latest.get(wanted.node as usize).copied().unwrap_or(NONE);
        if is(&self.units, latest) {
            return latest;
        }
        let hash = unit_hash(wanted);
        let found = self.unit_table.find(hash, |place| is(&self.units, place));
        let number = found.unwrap_or_else(|| {
            let number = self.units.len() as u32;
            self.units.push(wanted);
            let units = &self.units;
            self.unit_table.insert(hash, number, |place| units.get(place).map_or(0, unit_hash));
            number
        });
        if let Some(latest) = self.latest.get_mut(wanted.node as usize) {
            *latest = number;
        }
        number
    }

    /// The unit of a node in a round, where it occurred.
    pub(super) fn find_unit(&self, wanted: Unit) -> Option<u32> {
        self.unit_table.find(unit_hash(wanted), |place| {
            let unit = self.units.get(place);
            unit.is_some_and(|unit| unit.node == wanted.node && unit.iteration == wanted.iteration)
        })
    }

    pub(super) fn time(&self, row: u32) -> f64 {
        self.time.get(row).unwrap_or_default()
    }

    pub(super) fn seq(&self, row: u32) -> Option<u32> {
        self.seq.get(row).filter(|seq| *seq != NONE)
    }

    pub(super) fn kind(&self, row: u32) -> Option<&Kind> {
        self.kinds.get(self.kind_of(row))
    }

    /// The number of the row's type.
    pub(super) fn kind_of(&self, row: u32) -> usize {
        usize::from(self.kind.get(row).unwrap_or_default() & !(REPEAT | ESCAPED | PUSHED))
    }

    pub(super) fn is_repeat(&self, row: u32) -> bool {
        self.kind.get(row).is_some_and(|kind| kind & REPEAT != 0)
    }

    pub(super) fn unit(&self, row: u32) -> u32 {
        self.unit.get(row).unwrap_or(NONE)
    }

    /// The node of a unit; `None` for the run itself.
    pub(super) fn node_of(&self, unit: u32) -> Option<u32> {
        let node = self.units.get(unit)?.node;
        (!self.nodes.is_name(node, THE_RUN)).then_some(node)
    }

    pub(super) fn run_of(&self, unit: u32) -> u32 {
        self.units.get(unit).map_or(0, |unit| self.nodes.group(unit.node))
    }

    /// The attempt; `None` where the event has none.
    pub(super) fn attempt(&self, row: u32) -> Option<u32> {
        match self.attempt.get(row).unwrap_or_default() {
            0 => None,
            u16::MAX => {
                let text = self.event(row);
                let text = std::str::from_utf8(&text).ok()?;
                let [attempt] = fields(Slice::new(text), ["attempt"]).ok()?;
                attempt?.read_small().ok()
            }
            attempt => Some(u32::from(attempt) - 1),
        }
    }

    /// The attempt as the column has it: enough to tell neighbours apart.
    pub(super) fn short_attempt(&self, row: u32) -> u16 {
        self.attempt.get(row).unwrap_or_default()
    }

    /// Whether the line that the event is in holds this text, which is known sooner than where the event ends.
    pub(super) fn may_hold(&self, row: u32, text: &[u8]) -> bool {
        let rest = self.place.get(row).map(|place| self.raw.from(place)).unwrap_or_default();
        let line = first_line(rest);
        let escaped = self.kind.get(row).is_some_and(|kind| kind & ESCAPED != 0);
        escaped || contains_ignoring_case(line, text)
    }

    /// The event as JSON text.
    pub(super) fn event(&self, row: u32) -> Cow<'_, [u8]> {
        let text = self.place.get(row).map(|place| self.raw.from(place)).unwrap_or_default();
        let text = value_end(text).and_then(|end| text.get(..end)).unwrap_or_else(|| deep_value(text));
        let kind = self.kind.get(row).unwrap_or_default();
        if kind & ESCAPED != 0 {
            return Cow::Owned(unescaped(text).unwrap_or_default().into_bytes());
        }
        if kind & PUSHED != 0 {
            let payload = Fields::of(text).find(|field| field.key == b"payload");
            return Cow::Borrowed(payload.map(|field| field.value).unwrap_or_default());
        }
        Cow::Borrowed(text)
    }

    pub(super) fn memory(&self) -> usize {
        [
            self.place.memory(),
            self.time.memory(),
            self.seq.memory(),
            self.kind.memory(),
            self.unit.memory(),
            self.attempt.memory(),
            self.hash.memory(),
            self.seen.memory(),
            self.kind_names.memory() + self.runs.memory() + self.nodes.memory(),
            self.kinds.capacity() * size_of::<Kind>(),
            self.latest.capacity() * size_of::<u32>(),
            self.units.memory(),
            self.unit_table.memory(),
        ]
        .iter()
        .sum()
    }
}

fn lacks(scope: Scope, found: &Found<'_>) -> Option<&'static str> {
    let of_node = match scope {
        Scope::Run => return None,
        Scope::Node => None,
        Scope::Attempt => found.attempt.is_none().then_some("attempt"),
    };
    match (found.node_id, found.iteration) {
        (None, _) => Some("nodeId"),
        (Some(_), None) => Some("iteration"),
        (Some(_), Some(_)) => of_node,
    }
}

/// Whether the text at a place of the log begins like this. The last block is not in the log while it is read.
fn starts_with(place: Option<u32>, raw: &RawText, block: &Block, text: &[u8]) -> bool {
    let Some(place) = place else { return false };
    match (place as usize).checked_sub(block.start) {
        Some(place) => block.bytes.get(place..).is_some_and(|bytes| bytes.starts_with(text)),
        None => raw.from(place).starts_with(text),
    }
}

fn unit_hash(unit: Unit) -> u32 {
    let mixed = (u64::from(unit.node) << 32 | u64::from(unit.iteration)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// The bytes up to the first newline.
fn first_line(bytes: &[u8]) -> &[u8] {
    memchr(b'\n', bytes).and_then(|end| bytes.get(..end)).unwrap_or(bytes)
}

/// The value at the beginning of these bytes where it nests deeper than the quick reader goes.
fn deep_value(bytes: &[u8]) -> &[u8] {
    let line = first_line(bytes);
    let text = std::str::from_utf8(line).unwrap_or_default();
    let end = Reader::new(text, 0).skip_value().map_or(0, |(_, end)| end);
    line.get(..end).unwrap_or_default()
}

/// The event that is text inside a row.
fn unescaped(row: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(row).ok()?;
    let [snake, camel] = fields(Slice::new(text), ["payload_json", "payloadJson"]).ok()?;
    snake.or(camel)?.text()
}
