//! Finds values in a text, and continues behind damage.
//!
//! The rules, in the order of their weight:
//! 1. JSON wins, whatever its lines look like: a list with one element a line is one value.
//! 2. A line break inside a string belongs to it, unless the next line is a whole value: then the line was cut off.
//! 3. If a value fails on its own line, reading continues where it failed. The broken value ends where a whole one begins,
//!    or with the line.
//! 4. If a value fails on a later line, the next value is the first one behind its start that begins as far left and is
//!    whole; what is indented deeper belongs to the broken value.
//! 5. A list that fails is read by its elements.
//! 6. A whole value amid text or a broken value counts, unless it is a part of it: an item between commas or brackets.
//!
//! Each byte is walked a bounded number of times: a value that begins before the furthest failure is a second attempt,
//! after which reading does not go back.

use memchr::{memchr, memrchr};

use super::noise::noise_length;
use super::output::Output;
use super::prefix::{Joined, ends_partial, join};
use super::value_start::{first_key, may_begin, resume_at};
use super::walk::{End, Fault, Walk};
use super::wrapper::{MAX_LEVEL, Unwrapper};
use super::{Consumer, Frame, SkippedContent};
use crate::json::Slice;

/// A broken value whose end is not known yet.
struct Broken {
    begin: usize,
    fault_at: usize,
}

/// Reads one text.
pub(super) struct Framer<'t, 'c> {
    bytes: &'t [u8],
    out: Output<'t, 'c>,
    level: u8,
    /// Lent to the value that is being read.
    walk: Walk,
    /// The start of the text since the last value or line break.
    text_from: Option<usize>,
    broken: Option<Broken>,
    /// Inside a list that is read by its elements.
    in_list: bool,
    after_value: bool,
    /// The furthest failure.
    reach: usize,
    /// The bounds of the line that was asked for last.
    line: (usize, usize),
}

impl<'t, 'c> Framer<'t, 'c> {
    pub(super) fn new(bytes: &'t [u8], consumer: &'c mut dyn Consumer) -> Self {
        Self::at_level(bytes, consumer, 0)
    }

    fn at_level(bytes: &'t [u8], consumer: &'c mut dyn Consumer, level: u8) -> Self {
        Self {
            bytes,
            out: Output::new(bytes, consumer, Unwrapper::new(level, read_inner)),
            level,
            walk: Walk::new(),
            text_from: None,
            broken: None,
            in_list: false,
            after_value: false,
            reach: 0,
            line: (1, 0),
        }
    }

    /// Reads the whole text.
    pub(super) fn run(mut self) {
        let mut at = 0;
        while at < self.bytes.len() && !self.out.is_done() {
            let next = self.take_line(at).unwrap_or_else(|| self.step(at));
            debug_assert!(next > at, "no progress at {at}");
            at = next;
        }
        self.end_text(self.bytes.len());
        self.end_broken(self.bytes.len());
        self.out.flush();
    }

    fn is_outside(&self) -> bool {
        self.text_from.is_none() && self.broken.is_none() && !self.in_list
    }

    /// Offers the line that begins at `at`. Returns the start of the next line if it was used.
    fn take_line(&mut self, at: usize) -> Option<usize> {
        let begins_line = at == 0 || self.bytes.get(at - 1) == Some(&b'\n');
        if !begins_line || !self.is_outside() || self.bytes.get(at) != Some(&b'{') {
            return None;
        }
        let (_, end) = self.line_of(at);
        self.out.offer_line(at, end).then(|| {
            self.after_value = true;
            (end + 1).min(self.bytes.len())
        })
    }

    /// Reads one thing and returns the offset behind it.
    fn step(&mut self, at: usize) -> usize {
        let Some(&byte) = self.bytes.get(at) else { return at + 1 };
        match byte {
            b'\n' => return self.end_line(at),
            b' ' | b'\t' | b'\r' => return at + 1,
            b',' if self.text_from.is_none() && (self.in_list || self.after_value) => return at + 1,
            b']' if self.text_from.is_none() && self.in_list => {
                self.in_list = false;
                return at + 1;
            }
            _ => {}
        }
        let noise = noise_length(self.bytes, at);
        if noise > 0 {
            return self.skip_noise(at, noise);
        }
        if byte == b'"' && self.is_outside() {
            if let Some(end) = self.string(at) {
                return end;
            }
        } else if self.may_begin_value(at) {
            return self.value(at);
        }
        self.text_from.get_or_insert(at);
        let rest = self.bytes.get(at + 1..).unwrap_or_default();
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'{' | b'[' | 0x1b | 0));
        at + 1 + length.unwrap_or(rest.len())
    }

    fn end_line(&mut self, at: usize) -> usize {
        self.end_text(at);
        if self.broken.as_ref().is_some_and(|broken| broken.fault_at <= at) {
            self.end_broken(at);
        }
        at + 1
    }

    fn skip_noise(&mut self, at: usize, length: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = match rest.iter().take_while(|byte| **byte == 0).count() {
            0 => length,
            nul_bytes => nul_bytes,
        };
        if rest.first() == Some(&0) && self.text_from.is_none() && self.broken.is_none() {
            self.out.skip(at, at + length, SkippedContent::NulBytes);
        }
        at + length
    }

    /// Reads JSON inside a JSON string that stands alone on its line.
    fn string(&mut self, at: usize) -> Option<usize> {
        let (_, end) = self.line_of(at);
        let line = self.bytes.get(at..end).unwrap_or_default().trim_ascii_end();
        let line = line.strip_suffix(b",").unwrap_or(line);
        if self.level >= MAX_LEVEL || self.walk.run(line, 0) != End::Whole(line.len()) {
            return None;
        }
        let text = Slice::new(std::str::from_utf8(line).ok()?).text()?;
        if !text.trim_ascii_start().starts_with(['{', '[', '"']) {
            return None;
        }
        self.out.string(&text, at);
        self.after_value = true;
        Some(at + line.len())
    }

    /// Reads the value that begins at `at`, if it is one.
    fn value(&mut self, at: usize) -> usize {
        // A line of a container's log that continues on the next one: its end is no line break of the value.
        let is_partial = self.text_from.and_then(|from| self.bytes.get(from..at)).is_some_and(ends_partial);
        if is_partial && let Some(next) = self.value_under_prefix(at, self.bytes.len()) {
            return next;
        }
        let mut walk = std::mem::replace(&mut self.walk, Walk::new());
        let next = match walk.run(self.bytes, at) {
            End::Whole(end) => self.whole_value(at, end, &walk),
            End::Broken(fault_at, fault) => match self.value_under_prefix(at, fault_at) {
                Some(next) => next,
                None => self.broken_value(at, fault_at, fault, &walk),
            },
        };
        self.walk = walk;
        next
    }

    /// Takes a whole value, unless it is a part of the text or of the broken value around it.
    fn whole_value(&mut self, at: usize, end: usize, walk: &Walk) -> usize {
        let next = self.byte_after(end);
        let value = self.bytes.get(at..end).unwrap_or_default();
        let is_bracketed_text =
            value.starts_with(b"[") && memchr(b'{', value).is_none() && !matches!(next, None | Some(b'\n'));
        if is_bracketed_text || self.is_part(at, next) {
            self.text_from.get_or_insert(at);
            return end;
        }
        let text_from = self.text_from.take();
        let frame = if let Some(broken) = &self.broken {
            let broken_end = text_from.unwrap_or(at).min(at).max(broken.fault_at.min(at));
            self.end_broken(broken_end);
            Frame::Recovered
        } else if text_from.is_some() {
            Frame::Prefixed
        } else if self.in_list {
            Frame::Element
        } else {
            Frame::Alone
        };
        self.out.value(at, end, frame, &walk.repairs);
        self.after_value = true;
        end
    }

    /// Whether a whole value at `at` is an item of the text or the broken value around it.
    fn is_part(&self, at: usize, next: Option<u8>) -> bool {
        let before = self.bytes.get(..at).unwrap_or_default().trim_ascii_end().last();
        (self.broken.is_some() || self.text_from.is_some())
            && matches!(next, Some(b',' | b']' | b'}'))
            && matches!(before, Some(b':' | b',' | b'['))
    }

    /// The first byte behind a value that is not blank; `None` at the end of the text.
    fn byte_after(&self, end: usize) -> Option<u8> {
        let rest = self.bytes.get(end..).unwrap_or_default();
        rest.iter().copied().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))
    }

    /// Decides where reading continues behind a value that failed.
    fn broken_value(&mut self, at: usize, fault_at: usize, fault: Fault, walk: &Walk) -> usize {
        let is_second = at < self.reach;
        let reach = self.reach.max(fault_at);
        self.reach = reach;
        let (line_start, line_end) = self.line_of(at);
        let next = resume_at(self.bytes, at, fault_at);
        let on_line = if is_second { next } else { next.min(line_end.max(at + 1)) };
        let is_list = self.bytes.get(at) == Some(&b'[');
        if walk.keys == 0 && !walk.is_list_of_objects() {
            // Not a value at all.
            self.text_from.get_or_insert(at);
            return on_line;
        }
        if is_list && !is_second && self.is_outside() {
            self.in_list = true;
            return at + 1;
        }
        if self.broken.is_some() {
            // Another broken value on the line of a broken one: they are one.
            return on_line;
        }
        let indent = if self.text_from.take().is_some() { 0 } else { at - line_start };
        if let Some(glued) = self.glued_value(at, fault_at, line_end, walk) {
            self.broken = Some(Broken { begin: at, fault_at: glued });
            return glued;
        }
        if fault != Fault::CutLine && (fault_at <= line_end || self.continues_like(at, next, line_end)) {
            self.broken = Some(Broken { begin: at, fault_at });
            return next;
        }
        let from = if is_second { self.line_start(fault_at).max(line_end + 1) } else { line_end + 1 };
        let end = self.end_by_indent(from, fault_at, indent, walk);
        self.out.broken(at, end.min(self.bytes.len()), self.in_list);
        end
    }

    /// A whole value that was written where a member of a broken value was due; it begins with the same key.
    fn glued_value(&self, at: usize, fault_at: usize, line_end: usize, walk: &Walk) -> Option<usize> {
        let closed = walk.closed?;
        let between = self.bytes.get(closed.end..fault_at)?;
        let is_last =
            closed.begin > at && closed.end <= line_end && between.iter().all(u8::is_ascii_whitespace);
        let is_alike =
            || first_key(self.bytes, at).is_some_and(|key| first_key(self.bytes, closed.begin) == Some(key));
        let goes_on = closed.nesting == 1 || fault_at < self.bytes.len();
        (is_last && goes_on && is_alike()).then_some(closed.begin)
    }

    /// Whether a value that begins with the same key stands at `next`, on a later line and not at its start.
    fn continues_like(&self, at: usize, next: usize, line_end: usize) -> bool {
        let between = self.bytes.get(line_end..next).unwrap_or_default().trim_ascii_start();
        next > line_end
            && self.bytes.get(next) == Some(&b'{')
            && !matches!(between.first(), None | Some(b'{'))
            && first_key(self.bytes, at).is_some_and(|key| first_key(self.bytes, next) == Some(key))
    }

    /// The end of a value that failed on a later line: the first line from `from` on that begins as far left and holds a
    /// value of its own, the end of this one, or text behind the failure.
    fn end_by_indent(&self, from: usize, fault_at: usize, indent: usize, walk: &Walk) -> usize {
        let fault_line = self.line_start(fault_at);
        let mut line = from;
        while line < self.bytes.len() {
            let rest = self.bytes.get(line..).unwrap_or_default();
            let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let mut begin = line + blanks;
            loop {
                match noise_length(self.bytes, begin) {
                    0 => break,
                    length => begin += length,
                }
            }
            let end = match self.bytes.get(begin).filter(|_| blanks <= indent) {
                Some(b'{' | b'[') if !walk.is_open(begin) && may_begin(self.bytes, begin, true) => {
                    Some(begin)
                }
                Some(b'}' | b']') if begin >= fault_at => Some(begin + 1),
                Some(b'\n' | b'\r' | b'"' | b'}' | b']' | b',' | b'{') | None => None,
                Some(_) => (line >= fault_line).then_some(line),
            };
            if let Some(end) = end {
                return end;
            }
            let Some(length) = memchr(b'\n', rest) else { break };
            line += length + 1;
        }
        self.bytes.len()
    }

    /// Reads a value over several lines of which each has the prefix of the first. Returns the end of its last line.
    fn value_under_prefix(&mut self, at: usize, fault_at: usize) -> Option<usize> {
        self.text_from?;
        let (line_start, line_end) = self.line_of(at);
        if at < self.reach || fault_at < line_end || line_end == self.bytes.len() {
            return None;
        }
        match join(self.bytes, line_start, at) {
            Joined::Value { text, end } => {
                let text = String::from_utf8(text).ok()?;
                self.text_from = None;
                self.out.joined(text, at);
                self.after_value = true;
                Some(end)
            }
            Joined::None { examined } => {
                self.reach = self.reach.max(if examined > at { examined } else { 0 });
                None
            }
        }
    }

    fn end_text(&mut self, end: usize) {
        let Some(from) = self.text_from.take() else { return };
        if self.broken.is_none() {
            let content = content_of(self.bytes.get(from..end).unwrap_or_default());
            self.out.skip(from, end, content);
        }
    }

    fn end_broken(&mut self, end: usize) {
        if let Some(broken) = self.broken.take() {
            self.text_from = None;
            self.out.broken(broken.begin, end.max(broken.begin + 1), self.in_list);
        }
    }

    fn may_begin_value(&self, at: usize) -> bool {
        may_begin(self.bytes, at, self.text_from.is_none())
    }

    /// The bounds of the line of an offset, without its line break. They are kept: a long line is searched once.
    fn line_of(&mut self, at: usize) -> (usize, usize) {
        let (begin, end) = self.line;
        if at < begin || at > end {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let end = memchr(b'\n', rest).map_or(self.bytes.len(), |length| at + length);
            self.line = (self.line_start(at), end);
        }
        self.line
    }

    fn line_start(&self, at: usize) -> usize {
        memrchr(b'\n', self.bytes.get(..at).unwrap_or_default()).map_or(0, |newline| newline + 1)
    }
}

/// Reads a text inside this number of wrappers.
fn read_inner(bytes: &[u8], consumer: &mut dyn Consumer, level: u8) {
    Framer::at_level(bytes, consumer, level).run();
}

/// What a text without a value is.
fn content_of(text: &[u8]) -> SkippedContent {
    let text = text.trim_ascii();
    let is_field = [&b"event:"[..], b"id:", b"retry:", b":"].iter().any(|field| text.starts_with(field));
    let is_data = matches!(text, b"data:" | b"data: [DONE]");
    if text.starts_with(b"```") || text.starts_with(b"~~~") || is_field || is_data {
        SkippedContent::Markup
    } else {
        SkippedContent::Text
    }
}
