//! Framing: finds the JSON values in a text, and says what was skipped.
//!
//! A text may hold one value, values one after another, a value a line, a list with an element a line, values amid other
//! text (a prompt, warnings, headers, a Markdown fence, the prefix of a log collector), or values inside the texts of
//! other values (the logs of Docker and journald, JSON in a JSON string). All of this is decided by the values, never by
//! the first line. A value that is cut off, glued to another one or damaged does not affect the values around it.
//!
//! Each line is first offered to the [`Consumer`], which takes the ordinary lines of an event log in one pass. A value
//! keeps its offset in the text: positions are those of the file.

mod framer;
mod noise;
mod output;
mod prefix;
mod value_start;
mod walk;
mod wrapper;

use std::borrow::Cow;

use memchr::memchr_iter;

use crate::json::Slice;

/// Takes what framing finds, in the order of the text.
pub(crate) trait Consumer {
    /// Whether [`take_line`](Self::take_line) would use this line.
    fn accepts_line(&self, _line: &[u8]) -> bool {
        false
    }

    /// Offers a line that begins outside of any value; returns whether it was used. `number` counts from 1.
    fn take_line(&mut self, _line: &[u8], _number: u64) -> bool {
        false
    }

    /// Takes a value or a part without one.
    fn take(&mut self, item: Item<'_>);

    /// Whether the rest of the text is of no interest.
    fn is_done(&self) -> bool {
        false
    }
}

/// A part of a text.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    /// A whole value.
    Value(FramedValue<'a>),
    /// A value that is cut off or damaged.
    Broken(FramedValue<'a>),
    /// Text without a value.
    Skipped(Skipped),
}

/// A JSON object or list in a text.
#[derive(Clone, Debug)]
pub(crate) struct FramedValue<'a> {
    /// The value as it stands in the text, or a repaired copy.
    pub(crate) text: Cow<'a, str>,
    /// The offset in the text at which the value begins.
    pub(crate) offset: usize,
    /// The number of the line on which it begins, from 1.
    pub(crate) line: u64,
    /// The surroundings of the value.
    pub(crate) frame: Frame,
    /// Repairs that may have changed the value.
    pub(crate) repairs: Repairs,
}

impl FramedValue<'_> {
    /// The end of the value in the text, if it stands there as it is.
    pub(crate) fn end(&self) -> Option<usize> {
        match &self.text {
            Cow::Borrowed(text) => Some(self.offset + text.len()),
            Cow::Owned(_) => None,
        }
    }

    /// The value as JSON, whose grammar framing has checked; not for a broken value.
    pub(crate) fn slice(&self) -> Slice<'_> {
        Slice::new(&self.text).part((0, self.text.len()))
    }

    /// The number of lines of a broken value.
    pub(crate) fn lines(&self) -> u64 {
        memchr_iter(b'\n', self.text.as_bytes()).count() as u64 + 1
    }
}

/// The surroundings of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// Alone on its lines.
    Alone,
    /// Behind other text on the same line.
    Prefixed,
    /// An element of a list that is damaged or cut off.
    Element,
    /// Behind a broken value on the same line.
    Recovered,
    /// Inside the text of another value.
    Wrapped,
}

/// Repairs after which a value may say something else than was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repairs {
    /// The offset in the text of the first `NaN` or `Infinity` that was replaced by `null`.
    pub(crate) not_a_number: Option<usize>,
    /// A raw line break or another control character in a string was escaped.
    pub(crate) control_character: bool,
    /// Bytes that are not UTF-8 were replaced by U+FFFD.
    pub(crate) not_utf8: bool,
}

impl Repairs {
    /// Describes the repairs; `None` if there were none.
    pub(crate) fn describe(self) -> Option<&'static str> {
        if self.not_utf8 {
            Some("Bytes that are not UTF-8 were replaced.")
        } else if self.not_a_number.is_some() {
            Some("`NaN` or `Infinity` is not JSON; it was read as null.")
        } else if self.control_character {
            Some(
                "A raw line break or control character in a string is not JSON; it was read as part of the text.",
            )
        } else {
            None
        }
    }
}

/// A part of the text without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Its offset in the text, and its length in bytes.
    pub(crate) offset: usize,
    pub(crate) length: usize,
    /// Its first and its last line, from 1.
    pub(crate) first_line: u64,
    pub(crate) last_line: u64,
    /// What it is.
    pub(crate) content: SkippedContent,
}

impl Skipped {
    /// The number of its lines that hold something to read.
    pub(crate) fn lines(&self) -> u64 {
        match self.content {
            SkippedContent::Text => self.last_line - self.first_line + 1,
            SkippedContent::NulBytes | SkippedContent::Markup => 0,
        }
    }
}

/// What a part without a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkippedContent {
    /// Any text.
    Text,
    /// NUL bytes, which a crash leaves in a file.
    NulBytes,
    /// A line of a Markdown fence, or a field of an event stream other than its data.
    Markup,
}

/// Whether a value only wraps a line of text.
pub(crate) fn is_wrapper(value: &str) -> bool {
    wrapper::wrapped_text(value).is_some()
}

/// Finds the values of a text.
pub(crate) fn frame(bytes: &[u8], consumer: &mut dyn Consumer) {
    framer::Framer::new(bytes, consumer).run();
}

#[cfg(test)]
mod tests;
