//! Reads JSON in one pass, without tokens or errors. Returns `None` for anything unusual; the caller then uses the
//! [`Reader`], the only place that describes errors.
//!
//! In alternating rounds of the cases of `cargo xtask bench`, the module with this scanner read 10 000 rows 2.8 times and
//! 100 000 events 3.2 times as fast as JavaScript; with `serde_json` 1.9 and 2.1 times, with the [`Reader`] 0.8 and 0.9
//! times. The budgets are 2.7 and 2.4 times.
//!
//! [`Reader`]: super::Reader

#![allow(clippy::inline_always, reason = "small steps of the loops that read every byte of a log")]

use super::words::{number_end, plain_end};

/// A position in JSON text.
pub(crate) struct Scan<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    /// Whether no blank was skipped, and no text has an escape that `JSON.stringify` does not write.
    pub(crate) is_compact: bool,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, is_compact: true }
    }

    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    pub(crate) fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
            self.is_compact = false;
        }
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, byte: u8) -> Option<()> {
        if self.peek()? == byte {
            self.at += 1;
            return Some(());
        }
        None
    }

    /// Reads a key without escapes and its colon; the next byte is the value's.
    #[inline(always)]
    pub(crate) fn key(&mut self) -> Option<&'a [u8]> {
        self.space();
        let key = self.plain()?;
        self.space();
        self.take(b':')?;
        self.space();
        Some(key)
    }

    /// Reads a string without escapes.
    #[inline(always)]
    pub(crate) fn plain(&mut self) -> Option<&'a [u8]> {
        self.take(b'"')?;
        let begin = self.at;
        self.at = plain_end(self.bytes, begin);
        let text = self.bytes.get(begin..self.at)?;
        self.take(b'"')?;
        Some(text)
    }

    /// Reads a whole number from 0 that is at the end of its value.
    #[inline(always)]
    pub(crate) fn whole(&mut self) -> Option<u64> {
        let (begin, mut number) = (self.at, 0_u64);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number * 10 + u64::from(digit - b'0');
            self.at += 1;
            // More than fifteen digits exceed any time or count and might not be exact.
            if self.at - begin > 15 {
                return None;
            }
        }
        let ends = matches!(self.peek(), None | Some(b',' | b'}' | b' ' | b'\t' | b'\r' | b'\n'));
        let leads = self.at > begin + 1 && self.bytes.get(begin) == Some(&b'0');
        (self.at > begin && ends && !leads).then_some(number)
    }

    /// Skips any value with fewer than 64 nested brackets.
    pub(crate) fn value(&mut self) -> Option<()> {
        // One bit per open bracket: 1 for an object.
        let (mut open, mut depth) = (0_u64, 0_u32);
        loop {
            match self.peek()? {
                b'"' => self.text().map(drop)?,
                bracket @ (b'{' | b'[') => {
                    self.at += 1;
                    self.space();
                    // In ASCII the closing bracket is two after the opening one.
                    if self.take(bracket + 2).is_none() {
                        if depth == 63 {
                            return None;
                        }
                        (open, depth) = (open << 1 | u64::from(bracket == b'{'), depth + 1);
                        if bracket == b'{' {
                            self.any_key()?;
                        }
                        continue;
                    }
                }
                b'-' | b'0'..=b'9' => self.at = number_end(self.bytes, self.at).ok()?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => return None,
            }
            if self.after_value(&mut open, &mut depth)? {
                return Some(());
            }
        }
    }

    /// Closes containers that end here and moves to the next value; `true` at the end.
    #[inline(always)]
    fn after_value(&mut self, open: &mut u64, depth: &mut u32) -> Option<bool> {
        while *depth > 0 {
            self.space();
            let object = *open & 1 == 1;
            let next = self.peek()?;
            self.at += 1;
            match next {
                b',' if object => return self.any_key().map(|_| false),
                b',' => {
                    self.space();
                    return Some(false);
                }
                b'}' if object => {}
                b']' if !object => {}
                _ => return None,
            }
            *depth -= 1;
            *open >>= 1;
        }
        Some(true)
    }

    /// Reads a key, with or without escapes, and its colon; returns the key as written in the text.
    pub(crate) fn any_key(&mut self) -> Option<&'a [u8]> {
        self.space();
        let begin = self.at;
        self.text()?;
        let key = self.bytes.get(begin + 1..self.at - 1)?;
        self.space();
        self.take(b':')?;
        self.space();
        Some(key)
    }

    /// Reads a string; returns whether it contains escapes.
    #[inline(always)]
    pub(crate) fn text(&mut self) -> Option<bool> {
        self.take(b'"')?;
        self.at = plain_end(self.bytes, self.at);
        let escaped = self.peek()? != b'"';
        if escaped {
            self.escapes()?;
        }
        self.at += 1;
        Some(escaped)
    }

    /// Reads the rest of a string from its first escape.
    #[inline(never)]
    fn escapes(&mut self) -> Option<()> {
        loop {
            match self.peek()? {
                b'"' => return Some(()),
                b'\\' => match *self.bytes.get(self.at + 1)? {
                    b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
                    b'/' => (self.at, self.is_compact) = (self.at + 2, false),
                    b'u' => {
                        let digits = self.bytes.get(self.at + 2..self.at + 6)?;
                        if !digits.iter().all(u8::is_ascii_hexdigit) {
                            return None;
                        }
                        self.is_compact &= is_needed(digits);
                        self.at += 6;
                    }
                    _ => return None,
                },
                _ => return None,
            }
            self.at = plain_end(self.bytes, self.at);
        }
    }

    /// Reads a literal such as `true`.
    pub(crate) fn word(&mut self, word: &[u8]) -> Option<()> {
        let end = self.at + word.len();
        (self.bytes.get(self.at..end)? == word).then(|| self.at = end)
    }
}

/// Whether a character has no shorter escape than `\u` with these digits, as `JSON.stringify` writes them.
fn is_needed(digits: &[u8]) -> bool {
    matches!(
        digits,
        [b'0', b'0', b'0', b'0'..=b'7' | b'b' | b'e' | b'f'] | [b'0', b'0', b'1', b'0'..=b'9' | b'a'..=b'f']
    )
}
