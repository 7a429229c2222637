//! Recovers the complete parts of truncated or damaged JSON.

use crate::json::{ReadError, Reader, Token};

/// Objects that may be kept in part if the text ends inside them. Any other object is dropped as a whole: half of the node
/// counts would look like all of them.
const OPEN: [&str; 14] = [
    "response",
    "body",
    "payload",
    "data",
    "log",
    "run",
    "runState",
    "root",
    "sessions",
    "content",
    "event",
    "lifecycle",
    "value",
    "db",
];

/// Lists that may be kept in part, for the same reason.
const LISTS: [&str; 13] = [
    "payload",
    "data",
    "entries",
    "runs",
    "sessions",
    "items",
    "nodes",
    "children",
    "blockers",
    "plays",
    "unhealthy",
    "invocations",
    "phantom_sessions",
];

/// The key without which a partial object of [`OPEN`] is useless. Writers put it before the others.
const NEEDS: [(&str, &str); 3] = [("runState", "state"), ("root", "name"), ("lifecycle", "status")];

/// The maximum number of broken items of a list that are removed one by one.
const MAX_BROKEN: usize = 20;

/// The complete parts of a text, as JSON text.
pub(crate) struct Salvage {
    pub(crate) text: String,
    /// The errors of the original text in order; at least one.
    pub(crate) errors: Vec<ReadError>,
    /// Whether the text is truncated: an absent field may only be missing.
    pub(crate) cut: bool,
}

/// Removes the damaged parts; `None` if there are none, or nothing else.
pub(crate) fn salvage(text: &str) -> Option<Salvage> {
    let mut text = text.to_owned();
    let mut errors = Vec::new();
    loop {
        let mut walk = Walk::new(&text);
        let error = walk.first_error()?;
        let broken = walk.item.filter(|_| errors.len() < MAX_BROKEN);
        let ends = error.offset >= text.trim_ascii_end().len();
        let closed = walk.closed();
        errors.push(error);
        if ends {
            return Some(Salvage { text: closed?, errors, cut: true });
        }
        text = without_item(&text, broken?, b']')?;
        if Walk::new(&text).first_error().is_none() {
            return Some(Salvage { text, errors, cut: false });
        }
    }
}

/// A walk through a text up to its damage.
struct Walk<'a> {
    text: &'a str,
    reader: Reader<'a>,
    /// The open objects (`true`) and lists.
    open: Vec<bool>,
    /// The number of open containers, from the outermost, that may be closed after any of their parts.
    counted: usize,
    key: String,
    /// The required key of the current object, until it is found.
    needs: Option<&'static str>,
    /// The end of the last usable part, and the number of open containers there.
    whole: Option<(usize, usize)>,
    /// The start of the current item of the outermost list.
    item: Option<usize>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str) -> Self {
        let (reader, open) = (Reader::new(text, 0), Vec::new());
        Self { text, reader, open, counted: 0, key: String::new(), needs: None, whole: None, item: None }
    }

    fn first_error(&mut self) -> Option<ReadError> {
        loop {
            match self.reader.next() {
                Ok(Some(token)) => self.take(token),
                Ok(None) => return None,
                Err(error) => {
                    if self.in_outermost_list() {
                        self.item = Some(error.offset);
                    }
                    return Some(error);
                }
            }
        }
    }

    fn take(&mut self, token: Token<'_>) {
        let objects_only = self.open.iter().all(|object| *object);
        if self.in_outermost_list() {
            self.item = Some(self.reader.start());
        }
        match token {
            Token::ObjectStart => self.enter(true, objects_only, &OPEN),
            Token::ArrayStart => self.enter(false, objects_only, &LISTS),
            Token::Key(key) if self.open.len() == self.counted => self.key = key.start(),
            Token::Key(_) => {}
            Token::ObjectEnd | Token::ArrayEnd => {
                self.open.pop();
                if self.counted > self.open.len() {
                    (self.counted, self.needs) = (self.open.len(), None);
                }
                self.item = self.item.filter(|_| !self.open.iter().all(|object| *object));
                self.ended();
            }
            // The rest of a number may be cut off.
            Token::Number(_) if self.reader.at() == self.text.len() => {}
            Token::String(_) | Token::Number(_) | Token::Bool | Token::Null => self.ended(),
        }
    }

    fn in_outermost_list(&self) -> bool {
        self.open.iter().position(|object| !object).is_some_and(|list| self.open.len() == list + 1)
    }

    fn enter(&mut self, object: bool, objects_only: bool, known: &[&str]) {
        let counts = self.open.is_empty() || known.contains(&self.key.as_str());
        if counts && objects_only && self.counted == self.open.len() {
            self.counted += 1;
            let needs = NEEDS.iter().find(|(of, _)| *of == self.key).map(|(_, needed)| *needed);
            self.needs = self.needs.or(needs);
        }
        self.open.push(object);
    }

    fn ended(&mut self) {
        if self.open.len() != self.counted {
            return;
        }
        self.needs = self.needs.filter(|needed| *needed != self.key);
        if self.needs.is_none() {
            self.whole = Some((self.reader.at(), self.counted));
        }
    }

    fn closed(&self) -> Option<String> {
        let (end, open) = self.whole.filter(|(_, open)| *open > 0)?;
        let mut closed = self.text.get(..end)?.to_owned();
        closed.extend(self.open.get(..open)?.iter().rev().map(|object| if *object { '}' } else { ']' }));
        Some(closed)
    }
}

/// The text with spaces in place of an item and of an adjacent comma, so that all positions stay the same. `end` is the
/// closing bracket of the list, or the brace if the item is a member of an object.
pub(crate) fn without_item(text: &str, from: usize, end: u8) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut depth, mut quoted, mut at) = (0_usize, false, from);
    loop {
        match *bytes.get(at)? {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'\n' => quoted = false,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            byte if depth == 0 && (byte == b',' || byte == end) => break,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    let before = bytes.get(..from)?.trim_ascii_end();
    let (from, until) = match bytes.get(at) {
        Some(b',') if before.last().is_some_and(|byte| b",[{".contains(byte)) => (from, at + 1),
        _ if before.ends_with(b",") => (before.len() - 1, at),
        _ => (from, at),
    };
    let blank = |byte: &u8| if *byte == b'\n' { '\n' } else { ' ' };
    let blanks: String = bytes.get(from..until)?.iter().map(blank).collect();
    Some([text.get(..from)?, &blanks, text.get(until..)?].concat())
}

#[cfg(test)]
mod tests {
    use super::salvage;

    #[test]
    fn parts_before_the_damage_are_kept() {
        for (text, closed) in [
            (r#"[{"a":1},{"b":"#, Some(r#"[{"a":1}]"#)),
            (r#"[{"a":1},{"b":2}"#, Some(r#"[{"a":1},{"b":2}]"#)),
            (r#"[{"a":1},"#, Some(r#"[{"a":1}]"#)),
            (r#"{"log":{"entries":[1,[2,3],[4"#, Some(r#"{"log":{"entries":[1,[2,3]]}}"#)),
            (r#"{"data":[1],"z":{"a":1,"#, Some(r#"{"data":[1]}"#)),
            (r#"{"runs":[1,2],"cta":{"#, Some(r#"{"runs":[1,2]}"#)),
            (
                r#"{"root":{"name":1,"children":[{"id":1},{"id""#,
                Some(r#"{"root":{"name":1,"children":[{"id":1}]}}"#),
            ),
            (r#"{"a":{"b":1"#, None),
            (r#"{"a":1,"b":[1,2"#, Some(r#"{"a":1}"#)),
            (r#"{"a":1,"b":17"#, Some(r#"{"a":1}"#)),
            (r#"{"a":1,"b":tr"#, Some(r#"{"a":1}"#)),
            (
                r#"{"a":1,"runState":{"state":1,"blocked":{"kind":"x","#,
                Some(r#"{"a":1,"runState":{"state":1}}"#),
            ),
            (r#"{"a":1,"runState":{"x":1,"st"#, Some(r#"{"a":1}"#)),
            (r#"{"runState":{"x":1},"root":{"id":1,"na"#, Some(r#"{"runState":{"x":1}}"#)),
            (r#"{"a":1,"root":{"id":1,"children":[{"id":2},{"#, Some(r#"{"a":1}"#)),
            (
                r#"{"ok":true,"payload":{"runId":"r","status":"fin"#,
                Some(r#"{"ok":true,"payload":{"runId":"r"}}"#),
            ),
            ("[", None),
            ("{", None),
            ("[1]", None),
        ] {
            let found = salvage(text);
            assert!(found.as_ref().is_none_or(|found| found.cut && found.errors.len() == 1), "{text}");
            assert_eq!(found.map(|found| found.text).as_deref(), closed, "{text}");
        }
    }

    #[test]
    fn broken_items_of_a_list_are_removed() {
        for (text, mended, errors) in [
            (r#"[1,{"a" oops},2]"#, Some("[1,           2]"), 1),
            (r#"[1,{"a" oops}]"#, Some("[1           ]"), 1),
            (r#"[oops,{"a":[}],2]"#, Some("[              2]"), 2),
            ("[oops,\n{'a':1},2]", Some("[     \n        2]"), 2),
            (r#"{"payload":[1,{"a":"b},3],"z":1}"#, None, 0),
            ("{\"payload\":[1,{\"a\":\"b\n},3],\"z\":1}", Some("{\"payload\":[1,       \n  3],\"z\":1}"), 1),
            ("[1 2,3]", Some("[1  ,3]"), 1),
            (r#"{"a":1 "b":2}"#, None, 0),
            ("[1,}", None, 0),
        ] {
            let found = salvage(text);
            assert!(found.as_ref().is_none_or(|found| !found.cut && found.errors.len() == errors), "{text}");
            assert_eq!(found.map(|found| found.text).as_deref(), mended, "{text}");
        }
    }
}
