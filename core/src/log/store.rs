//! The events of a log in columns.

use std::borrow::Cow;

use super::column::{Column, Times};
use super::dedup::{DedupIndex, EventKey};
use super::effect::{Effect, effect};
use super::event_form::{comparison_form, escaped_event, first_line, first_value};
use super::hash_index::{HashIndex, hash};
use super::interner::Interner;
use super::raw::{Block, RawText};
use super::scan::{EventFields, EventForm, Fields};
use crate::json::{Slice, fields};
use crate::smithers::wire::{Category, EventType, Scope};
use crate::time::{Millis, is_in_seconds, is_out_of_range};
use crate::word::Word;

/// Represents a missing sequence number, unit or position.
pub(super) const NONE: u32 = u32::MAX;
/// Flag of a row that repeats the event of another row under another sequence number.
const REPEAT: u16 = 0x8000;
/// Flag of a row whose event is a JSON text inside it.
const ESCAPED: u16 = 0x4000;
/// Flag of a row whose event is the payload of a pushed frame.
const PUSHED: u16 = 0x2000;
/// The name of the run itself among its nodes. It is not UTF-8, so no node has it.
const RUN_NAME: &[u8] = &[0xff];

/// An event type that occurred in the log.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) word: Word<EventType>,
    pub(super) scope: Scope,
    pub(super) effect: Effect,
    pub(super) count: u64,
}

impl Kind {
    pub(super) fn category(&self) -> Category {
        self.word.known().map_or(Category::Foreign, EventType::category)
    }
}

/// A node in one loop iteration, or the run itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unit {
    pub(super) node: u32,
    pub(super) iteration: u32,
}

/// The columns, and the interned names they refer to.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub(super) raw: RawText,
    /// The start of the event in the text.
    place: Column<u32>,
    time: Times,
    /// Shorter than the other columns: ends at the last event with a sequence number.
    seq: Column<u32>,
    kind: Column<u16>,
    unit: Column<u32>,
    attempt: Column<u16>,
    /// The hash of the event's text, to find repeats.
    hash: Column<u32>,
    duplicates: DedupIndex,
    pub(super) seq_count: u32,
    pub(super) repeated: u64,
    kind_names: Interner,
    pub(super) kinds: Vec<Kind>,
    pub(super) runs: Interner,
    pub(super) nodes: Interner,
    /// The last unit of each node: most events belong to it.
    last_units: Vec<u32>,
    pub(super) units: Column<Unit>,
    unit_table: HashIndex,
}

/// The result of adding an event.
pub(super) enum Addition {
    /// It is a new row.
    Row,
    /// It repeats an event of the log.
    Repeat,
    /// It lacks a field that its type requires.
    MissingField(&'static str),
    /// The log has too many event types.
    TooManyTypes,
}

impl Store {
    pub(super) fn len(&self) -> u32 {
        self.place.len() as u32
    }

    /// Adds an event of a line in the block.
    pub(super) fn add(&mut self, block: &Block, line: usize, found: &EventFields<'_>) -> Addition {
        let kind = self.kind_number(found.event_type);
        let Some(entry) = self.kinds.get(usize::from(kind)) else { return Addition::TooManyTypes };
        let is_output = entry.word.known().map(EventType::category) == Some(Category::Output);
        if let Some(field) = missing_field(entry.scope, found).filter(|_| !found.pushed) {
            return Addition::MissingField(field);
        }
        let (begin, end) = (line + found.event.0, line + found.event.1);
        let text = block.bytes.get(begin..end).unwrap_or_default();
        let form = comparison_form(text, found.form);
        let hash = hash(&form);
        // The time of a pushed frame is not part of its text.
        let wanted = EventKey { hash, at: if found.pushed { f64::NAN } else { found.at } };
        // The index is taken out so that the comparison can read all other columns.
        let mut duplicates = std::mem::take(&mut self.duplicates);
        let is_same = |row| self.is_same(row, block, text, &form, found.run_id);
        let earlier = duplicates.find(wanted, &self.hash, is_same);
        self.duplicates = duplicates;
        if earlier.is_some_and(|earlier| self.is_repeat_of(earlier, found.seq)) {
            self.repeated += 1;
            return Addition::Repeat;
        }
        let mut flags = if found.form == EventForm::Escaped { ESCAPED } else { 0 }
            | if found.pushed { PUSHED } else { 0 };
        // An agent may print the same line twice.
        if earlier.is_some() && !is_output {
            self.repeated += 1;
            flags |= REPEAT;
        } else if let Some(entry) = self.kinds.get_mut(usize::from(kind)) {
            entry.count += 1;
        }
        let row = self.len();
        let unit = self.intern_unit(found);
        self.place.push((block.start + begin) as u32);
        self.time.push(found.at);
        self.kind.push(kind | flags);
        self.unit.push(unit);
        // 0 represents a missing attempt, the maximum a number that does not fit.
        let attempt = |attempt: u32| u16::try_from(attempt.saturating_add(1)).unwrap_or(u16::MAX);
        self.attempt.push(found.attempt.map_or(0, attempt));
        self.duplicates.add(wanted, &self.hash, earlier.is_none());
        self.hash.push(hash);
        self.set_seq(row, found.seq);
        Addition::Row
    }

    /// Whether a row is an event with this text of this run.
    fn is_same(&self, row: u32, block: &Block, text: &[u8], form: &[u8], run_id: &[u8]) -> bool {
        let Some(place) = self.place.get(row) else { return false };
        let known = text_from(place, &self.raw, block);
        let is_same_text =
            known.starts_with(text) || comparison_form(first_value(known), self.form(row)) == form;
        is_same_text && self.runs.has_bytes(self.run_of(self.unit(row)), run_id)
    }

    /// Whether an event with the same text repeats this row: their sequence numbers are equal, or one of them is missing.
    /// The row keeps the known number.
    fn is_repeat_of(&mut self, earlier: u32, seq: Option<u32>) -> bool {
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
        self.seq_count += 1;
    }

    fn kind_number(&mut self, word: &[u8]) -> u16 {
        let (number, new) = self.kind_names.intern(0, word);
        if new && number < u32::from(PUSHED) {
            let word: Word<EventType> = Word::new(self.kind_names.name(number));
            let scope = word.known().map_or(Scope::Run, EventType::scope);
            let effect = word.known().map_or(Effect::Nothing, effect);
            self.kinds.push(Kind { word, scope, effect, count: 0 });
        }
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    fn intern_unit(&mut self, found: &EventFields<'_>) -> u32 {
        let (run, _) = self.runs.intern(0, found.run_id);
        let node = self.intern_node(run, found.node_id.unwrap_or(RUN_NAME));
        if let (true, None, Some(last_units)) =
            (found.pushed, found.iteration, self.last_units.get(node as usize))
            && *last_units != NONE
        {
            // A pushed frame without an iteration belongs to the node's last one.
            return *last_units;
        }
        self.unit_number(Unit {
            node,
            iteration: found.iteration.filter(|_| found.node_id.is_some()).unwrap_or(0),
        })
    }

    /// The number of a node's name; timers have names of the same kind.
    pub(super) fn intern_node(&mut self, run: u32, name: &[u8]) -> u32 {
        let (node, new) = self.nodes.intern(run, name);
        if new {
            self.last_units.push(NONE);
        }
        node
    }

    fn unit_number(&mut self, wanted: Unit) -> u32 {
        let is = |units: &Column<Unit>, place: u32| {
            units
                .get(place)
                .is_some_and(|unit| unit.node == wanted.node && unit.iteration == wanted.iteration)
        };
        let last_units = self.last_units.get(wanted.node as usize).copied().unwrap_or(NONE);
        if is(&self.units, last_units) {
            return last_units;
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
        if let Some(last_units) = self.last_units.get_mut(wanted.node as usize) {
            *last_units = number;
        }
        number
    }

    /// The unit of a node in an iteration, if it occurred.
    pub(super) fn find_unit(&self, wanted: Unit) -> Option<u32> {
        self.unit_table.find(unit_hash(wanted), |place| {
            let unit = self.units.get(place);
            unit.is_some_and(|unit| unit.node == wanted.node && unit.iteration == wanted.iteration)
        })
    }

    /// The time as it was written.
    pub(super) fn written_time(&self, row: u32) -> f64 {
        self.time.get(row).unwrap_or_default()
    }

    /// The time by which events are compared, milliseconds; NaN if it is out of range.
    pub(super) fn time(&self, row: u32) -> f64 {
        comparable(self.written_time(row))
    }

    /// Whether the time is in seconds.
    pub(super) fn is_in_seconds(&self, row: u32) -> bool {
        is_in_seconds(self.written_time(row))
    }

    /// When the event was written; NaN if its time is in seconds or out of range, which counts as absent.
    pub(super) fn moment(&self, row: u32) -> Millis {
        let at = self.written_time(row);
        Millis(if is_in_seconds(at) || is_out_of_range(at) { f64::NAN } else { at })
    }

    pub(super) fn seq(&self, row: u32) -> Option<u32> {
        self.seq.get(row).filter(|seq| *seq != NONE)
    }

    pub(super) fn kind(&self, row: u32) -> Option<&Kind> {
        self.kinds.get(self.kind_index(row))
    }

    /// The number of the row's event type.
    pub(super) fn kind_index(&self, row: u32) -> usize {
        usize::from(self.kind.get(row).unwrap_or_default() & !(REPEAT | ESCAPED | PUSHED))
    }

    /// Whether an event was pushed and not stored.
    pub(super) fn is_pushed(&self, row: u32) -> bool {
        self.kind.get(row).is_some_and(|kind| kind & PUSHED != 0)
    }

    /// How an event is written; a compact one is not told from other forms.
    fn form(&self, row: u32) -> EventForm {
        let is_escaped = self.kind.get(row).is_some_and(|kind| kind & ESCAPED != 0);
        if is_escaped { EventForm::Escaped } else { EventForm::Formatted }
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
        (!self.nodes.has_bytes(node, RUN_NAME)).then_some(node)
    }

    pub(super) fn run_of(&self, unit: u32) -> u32 {
        self.units.get(unit).map_or(0, |unit| self.nodes.group(unit.node))
    }

    /// The attempt; `None` if the event has none.
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

    /// The attempt as stored in the column, to compare attempts.
    pub(super) fn attempt_key(&self, row: u32) -> u16 {
        self.attempt.get(row).unwrap_or_default()
    }

    /// The line from the beginning of the event on, which contains the event as it is; `None` if the event is escaped.
    pub(super) fn plain_line(&self, row: u32) -> Option<&[u8]> {
        let rest = self.place.get(row).map(|place| self.raw.text_from(place)).unwrap_or_default();
        (self.form(row) != EventForm::Escaped).then(|| first_line(rest))
    }

    /// The event as JSON text.
    pub(super) fn event(&self, row: u32) -> Cow<'_, [u8]> {
        let text = self.place.get(row).map(|place| self.raw.text_from(place)).unwrap_or_default();
        let text = first_value(text);
        if self.form(row) == EventForm::Escaped {
            return Cow::Owned(escaped_event(text).unwrap_or_default().into_bytes());
        }
        if self.is_pushed(row) {
            let payload = Fields::new(text).find(|field| field.key == b"payload");
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
            self.duplicates.memory(),
            self.kind_names.memory() + self.runs.memory() + self.nodes.memory(),
            self.kinds.capacity() * size_of::<Kind>(),
            self.last_units.capacity() * size_of::<u32>(),
            self.units.memory(),
            self.unit_table.memory(),
        ]
        .iter()
        .sum()
    }
}

/// A time in milliseconds, even if it was written in seconds: the order of such events is known. NaN if it is out of range.
pub(super) fn comparable(at: f64) -> f64 {
    match at {
        at if is_out_of_range(at) => f64::NAN,
        at if is_in_seconds(at) => at * 1000.0,
        at => at,
    }
}

fn missing_field(scope: Scope, found: &EventFields<'_>) -> Option<&'static str> {
    let missing_attempt = match scope {
        Scope::Run => return None,
        Scope::Node => None,
        Scope::Attempt => found.attempt.is_none().then_some("attempt"),
    };
    match (found.node_id, found.iteration) {
        (None, _) => Some("nodeId"),
        (Some(_), None) => Some("iteration"),
        (Some(_), Some(_)) => missing_attempt,
    }
}

/// The text from this position on. The last block is not part of `raw` while it is read.
fn text_from<'a>(place: u32, raw: &'a RawText, block: &'a Block) -> &'a [u8] {
    match (place as usize).checked_sub(block.start) {
        Some(place) => block.bytes.get(place..).unwrap_or_default(),
        None => raw.text_from(place),
    }
}

fn unit_hash(unit: Unit) -> u32 {
    let mixed = (u64::from(unit.node) << 32 | u64::from(unit.iteration)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}
