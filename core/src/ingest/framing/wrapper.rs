//! Texts inside values: the lines that Docker and journald wrap, and JSON in a JSON string.

use memchr::memmem;

use super::{Consumer, Frame, Item};
use crate::json::{Slice, fields, items};

/// The maximum number of wrappers around a value.
pub(super) const MAX_LEVEL: u8 = 3;

/// The maximum length of a wrapped line, bytes; Docker splits lines of 16 KiB.
const MAX_LINE: usize = 1 << 20;

/// Finds the values of a text inside this number of wrappers.
pub(super) type ReadText = fn(&[u8], &mut dyn Consumer, u8);

/// Collects the texts of neighbouring wrapped lines and finds the values in them.
pub(super) struct Unwrapper {
    level: u8,
    read: ReadText,
    text: String,
    /// Where each line begins in `text`, its offset in the outer text, and its number there.
    lines: Vec<(usize, usize, u64)>,
}

impl Unwrapper {
    pub(super) fn new(level: u8, read: ReadText) -> Self {
        Self { level, read, text: String::new(), lines: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes the text of a wrapped line; returns `false` for any other value.
    pub(super) fn take(&mut self, value: &str, offset: usize, line: u64) -> bool {
        let text = if self.level < MAX_LEVEL { wrapped_text(value) } else { None };
        text.map(|text| self.add(&text, offset, line)).is_some()
    }

    pub(super) fn add(&mut self, text: &str, offset: usize, line: u64) {
        self.lines.push((self.text.len(), offset, line));
        self.text.push_str(text);
    }

    /// Hands the values in the collected text to the consumer.
    pub(super) fn flush(&mut self, consumer: &mut dyn Consumer) {
        if self.text.is_empty() {
            return;
        }
        let (text, lines) = (std::mem::take(&mut self.text), std::mem::take(&mut self.lines));
        let mut outer = Outer { lines: &lines, consumer };
        (self.read)(text.as_bytes(), &mut outer, self.level + 1);
    }
}

/// Gives the values of an inner text the places of the wrapped lines.
struct Outer<'a> {
    lines: &'a [(usize, usize, u64)],
    consumer: &'a mut dyn Consumer,
}

impl Outer<'_> {
    fn place(&self, offset: usize) -> (usize, u64) {
        let after = self.lines.partition_point(|(begin, ..)| *begin <= offset);
        let line = after.checked_sub(1).and_then(|index| self.lines.get(index));
        line.map_or((0, 1), |(_, offset, line)| (*offset, *line))
    }
}

impl Consumer for Outer<'_> {
    fn take(&mut self, item: Item<'_>) {
        let item = match item {
            Item::Value(mut value) => {
                (value.offset, value.line) = self.place(value.offset);
                (value.frame, value.text) = (Frame::Wrapped, value.text.into_owned().into());
                Item::Value(value)
            }
            Item::Broken(mut value) => {
                (value.offset, value.line) = self.place(value.offset);
                (value.frame, value.text) = (Frame::Wrapped, value.text.into_owned().into());
                Item::Broken(value)
            }
            Item::Skipped(mut skipped) => {
                let last = skipped.offset + skipped.length.saturating_sub(1);
                skipped.last_line = self.place(last).1;
                (skipped.offset, skipped.first_line) = self.place(skipped.offset);
                Item::Skipped(skipped)
            }
        };
        self.consumer.take(item);
    }

    fn is_done(&self) -> bool {
        self.consumer.is_done()
    }
}

/// The text of a wrapped line, with its line break, recognised by keys that no record of a run has.
pub(super) fn wrapped_text(value: &str) -> Option<String> {
    let has = |key: &str| memmem::find(value.as_bytes(), key.as_bytes()).is_some();
    let is_docker = has("\"log\"") && has("\"stream\"") && has("\"time\"");
    let is_wrapper = is_docker || has("\"MESSAGE\"") && has("\"__");
    if value.len() > MAX_LINE || !is_wrapper {
        return None;
    }
    let slice = Slice::from_text(value).ok()?;
    let [log, stream, time, message] = fields(slice, ["log", "stream", "time", "MESSAGE"]).ok()?;
    if is_docker {
        stream.and(time)?;
        return log?.text();
    }
    let message = message?;
    // journald writes a message with control characters as a list of bytes.
    let text = if message.is_array() { text_of_bytes(message)? } else { message.text()? };
    Some(text + "\n")
}

fn text_of_bytes(list: Slice<'_>) -> Option<String> {
    let mut bytes = Vec::new();
    for item in items(list).ok()? {
        bytes.push(u8::try_from(item.ok()?.read_small().ok()?).ok()?);
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
