//! Hands values and skipped parts to the consumer, with their lines.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::walk::{Repair, RepairKind, repaired};
use super::wrapper::Unwrapper;
use super::{Consumer, Frame, FramedValue, Item, Repairs, Skipped, SkippedContent};

/// The way to the consumer.
pub(super) struct Output<'t, 'c> {
    bytes: &'t [u8],
    consumer: &'c mut dyn Consumer,
    /// Up to this offset the lines were counted.
    counted: usize,
    line: u64,
    /// The last skipped part, to which a neighbour may be added.
    skipped: Option<Skipped>,
    unwrapper: Unwrapper,
}

impl<'t, 'c> Output<'t, 'c> {
    pub(super) fn new(bytes: &'t [u8], consumer: &'c mut dyn Consumer, unwrapper: Unwrapper) -> Self {
        Self { bytes, consumer, counted: 0, line: 1, skipped: None, unwrapper }
    }

    pub(super) fn is_done(&self) -> bool {
        self.consumer.is_done()
    }

    /// Offers a line to the consumer.
    pub(super) fn offer_line(&mut self, begin: usize, end: usize) -> bool {
        let number = self.line_at(begin);
        let line = self.bytes.get(begin..end).unwrap_or_default();
        if self.skipped.is_some() || !self.unwrapper.is_empty() {
            // What precedes the line comes first, if the line proves that it ends here.
            if !self.consumer.accepts_line(line) {
                return false;
            }
            self.flush();
        }
        self.consumer.take_line(line, number)
    }

    /// Hands over a whole value, or the values inside its text.
    pub(super) fn value(&mut self, begin: usize, end: usize, frame: Frame, repairs: &[Repair]) {
        let line = self.line_at(begin);
        let text = self.text(begin, end, repairs);
        if self.unwrapper.take(&text.0, begin, line) {
            return;
        }
        self.flush();
        let (text, repairs) = text;
        self.consumer.take(Item::Value(FramedValue { text, offset: begin, line, frame, repairs }));
    }

    /// Hands over a value that was put together from several lines.
    pub(super) fn joined(&mut self, text: String, begin: usize) {
        let line = self.line_at(begin);
        if self.unwrapper.take(&text, begin, line) {
            return;
        }
        self.flush();
        let (text, frame, repairs) = (Cow::Owned(text), Frame::Prefixed, Repairs::default());
        self.consumer.take(Item::Value(FramedValue { text, offset: begin, line, frame, repairs }));
    }

    /// Hands over the values in a JSON string that stands alone.
    pub(super) fn string(&mut self, text: &str, begin: usize) {
        let line = self.line_at(begin);
        self.unwrapper.add(text, begin, line);
        self.flush();
    }

    /// Hands over a broken value.
    pub(super) fn broken(&mut self, begin: usize, end: usize, is_element: bool) {
        let line = self.line_at(begin);
        self.flush();
        let frame = if is_element { Frame::Element } else { Frame::Alone };
        let length = self.bytes.get(begin..end).unwrap_or_default().trim_ascii_end().len();
        let (text, repairs) = self.text(begin, begin + length, &[]);
        self.consumer.take(Item::Broken(FramedValue { text, offset: begin, line, frame, repairs }));
    }

    /// Records a part without a value.
    pub(super) fn skip(&mut self, begin: usize, end: usize, content: SkippedContent) {
        let first_line = self.line_at(begin);
        let last_line = self.line_at(end);
        if let Some(known) = &mut self.skipped
            && known.content == content
            && first_line <= known.last_line + 2
        {
            (known.length, known.last_line) = (end - known.offset, last_line);
            return;
        }
        self.flush();
        self.skipped = Some(Skipped { offset: begin, length: end - begin, first_line, last_line, content });
    }

    /// Hands over what was kept back.
    pub(super) fn flush(&mut self) {
        self.unwrapper.flush(self.consumer);
        if let Some(skipped) = self.skipped.take() {
            self.consumer.take(Item::Skipped(skipped));
        }
    }

    /// A part of the text as UTF-8, with its repairs.
    fn text(&self, begin: usize, end: usize, repairs: &[Repair]) -> (Cow<'t, str>, Repairs) {
        let part = self.bytes.get(begin..end).unwrap_or_default();
        let has = |wanted: fn(RepairKind) -> bool| repairs.iter().any(|repair| wanted(repair.kind));
        let mut kinds = Repairs {
            not_a_number: repairs
                .iter()
                .find(|repair| repair.kind == RepairKind::NotANumber)
                .map(|repair| repair.at),
            control_character: has(|kind| matches!(kind, RepairKind::ControlCharacter(_))),
            not_utf8: false,
        };
        match std::str::from_utf8(part) {
            Ok(text) if repairs.is_empty() => (Cow::Borrowed(text), kinds),
            valid => {
                kinds.not_utf8 = valid.is_err();
                let copy = repaired(self.bytes, begin, end, repairs);
                (Cow::Owned(String::from_utf8_lossy(&copy).into_owned()), kinds)
            }
        }
    }

    /// The number of the line of an offset. Offsets do not decrease, but for the start of a broken value.
    fn line_at(&mut self, offset: usize) -> u64 {
        if offset >= self.counted {
            let between = self.bytes.get(self.counted..offset).unwrap_or_default();
            self.line += memchr_iter(b'\n', between).count() as u64;
            self.counted = offset;
            return self.line;
        }
        let between = self.bytes.get(offset..self.counted).unwrap_or_default();
        self.line - memchr_iter(b'\n', between).count() as u64
    }
}
