//! Values whose lines all begin with a prefix: the output of container and log collectors, quotes, `grep`.

use memchr::memchr;

use super::walk::{End, Fault, Walk};

/// The maximum length of a prefix, bytes.
const MAX_PREFIX: usize = 256;

/// A value without the prefixes of its lines.
pub(super) enum Joined {
    /// The value, and the end of its last line in the text.
    Value { text: Vec<u8>, end: usize },
    /// The lines make no value; they were examined up to this offset.
    None { examined: usize },
}

/// Joins the lines from the value at `begin` on that have the same prefix, until they make a whole value. Numbers in the
/// prefix may differ.
pub(super) fn join(bytes: &[u8], line_start: usize, begin: usize) -> Joined {
    let prefix = bytes.get(line_start..begin).unwrap_or_default();
    if prefix.len() > MAX_PREFIX {
        return Joined::None { examined: begin };
    }
    let mut lines = Lines { text: Vec::new(), ends: Vec::new() };
    let mut line = line_end(bytes, begin);
    lines.add(bytes.get(begin..line).unwrap_or_default(), line);
    let (mut is_partial, mut try_at) = (ends_partial(prefix), 0);
    let mut walk = Walk::new();
    while line < bytes.len() {
        let start = line + 1;
        line = line_end(bytes, start);
        let Some(length) = same_prefix(prefix, bytes.get(start..line).unwrap_or_default()) else { break };
        if !is_partial {
            lines.text.push(b'\n');
        }
        is_partial = ends_partial(bytes.get(start..start + length).unwrap_or_default());
        lines.add(bytes.get(start + length..line).unwrap_or_default(), line);
        // Each try takes as long as the value so far, so the tries are as far apart as an eighth of it.
        let length = lines.text.len();
        if length >= try_at && matches!(lines.text.trim_ascii_end().last(), Some(b'}' | b']')) {
            match walk.run(&lines.text, 0) {
                End::Whole(whole) => return lines.value(whole),
                End::Broken(at, Fault::CutOff) if at >= length => try_at = length + length / 8,
                End::Broken(..) => return Joined::None { examined: line },
            }
        }
    }
    match walk.run(&lines.text, 0) {
        End::Whole(whole) => lines.value(whole),
        End::Broken(..) if lines.ends.len() > 1 => Joined::None { examined: line.min(bytes.len()) },
        End::Broken(..) => Joined::None { examined: begin },
    }
}

/// Lines without their prefixes.
struct Lines {
    text: Vec<u8>,
    /// The end of each line in `text`, and in the original text.
    ends: Vec<(usize, usize)>,
}

impl Lines {
    fn add(&mut self, line: &[u8], end: usize) {
        self.text.extend_from_slice(line);
        self.ends.push((self.text.len(), end));
    }

    /// The value that ends at `whole`, if nothing follows it on its last line.
    fn value(mut self, whole: usize) -> Joined {
        let last = self.ends.partition_point(|(end, _)| *end < whole);
        let Some((end, original)) = self.ends.get(last).copied() else {
            return Joined::None { examined: 0 };
        };
        if !self.text.get(whole..end).unwrap_or_default().trim_ascii().is_empty() {
            return Joined::None { examined: original };
        }
        self.text.truncate(whole);
        Joined::Value { text: self.text, end: original }
    }
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    memchr(b'\n', rest).map_or(bytes.len(), |length| at + length)
}

/// The length of the same prefix on another line: equal but for numbers, the marks of whole and partial lines of a
/// container's log, and the marks of `grep`.
fn same_prefix(prefix: &[u8], line: &[u8]) -> Option<usize> {
    let digits = |bytes: &[u8], from: usize| {
        bytes.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let (mut known, mut at) = (0, 0);
    while let Some(&byte) = prefix.get(known) {
        if byte.is_ascii_digit() {
            let length = digits(line, at);
            if length == 0 {
                return None;
            }
            (known, at) = (known + digits(prefix, known), at + length);
            continue;
        }
        match line.get(at) {
            Some(other) if is_same(byte, *other) => at += 1,
            // The blank at the end of the prefix is missing on an empty line.
            None | Some(b'\r')
                if prefix.get(known..).unwrap_or_default().iter().all(u8::is_ascii_whitespace) =>
            {
                return Some(at);
            }
            Some(_) | None => return None,
        }
        known += 1;
    }
    Some(at)
}

fn is_same(byte: u8, other: u8) -> bool {
    byte == other || matches!((byte, other), (b'F', b'P') | (b'P', b'F') | (b':', b'-') | (b'-', b':'))
}

/// Whether a line of a container's log (CRI) with this prefix continues on the next one.
pub(super) fn ends_partial(prefix: &[u8]) -> bool {
    prefix.ends_with(b" stdout P ") || prefix.ends_with(b" stderr P ")
}
