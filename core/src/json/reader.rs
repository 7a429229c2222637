//! A JSON tokenizer that checks the whole grammar with a stack of its own.

use super::text::Text;
use super::words::number_end;
use super::{MAX_NESTING, ReadError, ReadErrorKind};
use crate::text::{self, concat, quoted};

/// One token. A key or text is the raw content of a JSON string, still escaped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'a> {
    ObjectStart,
    ObjectEnd,
    ArrayStart,
    ArrayEnd,
    Key(Text<'a>),
    String(Text<'a>),
    Number(&'a str),
    Bool,
    Null,
}

impl Token<'_> {
    /// The token's name in an error message.
    pub(crate) fn describe(self) -> String {
        match self {
            Self::ObjectStart => "an object".to_owned(),
            Self::ArrayStart => "a list".to_owned(),
            Self::ObjectEnd | Self::ArrayEnd => "nothing".to_owned(),
            Self::Key(text) | Self::String(text) => concat(&["text ", &quoted(&text.start())]),
            Self::Number(number) => concat(&["the number ", super::text::cut(number)]),
            Self::Bool => "a boolean".to_owned(),
            Self::Null => "null".to_owned(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    FirstItem,
    FirstKey,
    Key,
    AfterItem,
    Nothing,
}

/// Reads one JSON value as tokens. A clone reads ahead.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    start: usize,
    /// One entry per open object (`true`) or array (`false`).
    open: Vec<bool>,
    expect: Expect,
}

impl<'a> Reader<'a> {
    /// Reads the value that starts at this byte of the text, after any white space.
    pub(crate) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, start: at, open: Vec::new(), expect: Expect::Value }
    }

    /// Like [`new`](Self::new), for an item of a list that the caller reads.
    pub(crate) fn at_item(text: &'a str, at: usize) -> Self {
        Self { open: vec![false], ..Self::new(text, at) }
    }

    /// Goes back to a value that begins at `begin`, inside this number of open objects and lists.
    pub(crate) fn rewind(&mut self, begin: usize, nesting: usize) {
        self.open.truncate(nesting);
        (self.at, self.start, self.expect) = (begin, begin, Expect::Value);
    }

    /// The byte where the last token began.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The byte after the last token.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The number of open objects and arrays.
    pub(crate) fn nesting(&self) -> usize {
        self.open.len()
    }

    /// The next token; `None` after the value's end. Trailing text is ignored.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        if self.expect == Expect::Nothing {
            return Ok(None);
        }
        let mut byte = self.skip_space();
        if self.expect == Expect::AfterItem && byte == Some(b',') {
            self.at += 1;
            self.expect = if self.in_object() { Expect::Key } else { Expect::Value };
            byte = self.skip_space();
        }
        self.start = self.at;
        match (self.expect, byte) {
            (Expect::FirstKey | Expect::AfterItem, Some(b'}')) if self.in_object() => {
                Ok(Some(self.close(Token::ObjectEnd)))
            }
            (Expect::FirstItem | Expect::AfterItem, Some(b']')) if !self.in_object() => {
                Ok(Some(self.close(Token::ArrayEnd)))
            }
            (Expect::FirstKey | Expect::Key, Some(b'"')) => self.key().map(Some),
            (Expect::Value | Expect::FirstItem, Some(byte)) => self.value(byte).map(Some),
            (Expect::FirstKey | Expect::Key, _) => Err(self.unexpected("a key in quotes")),
            (Expect::Value | Expect::FirstItem, None) => Err(self.unexpected("a value")),
            (Expect::AfterItem, _) if self.in_object() => Err(self.unexpected("`,` or `}`")),
            (Expect::AfterItem | Expect::Nothing, _) => Err(self.unexpected("`,` or `]`")),
        }
    }

    /// The next token, required: inside an open object or array, or at the start.
    pub(crate) fn token(&mut self) -> Result<Token<'a>, ReadError> {
        self.next()?.ok_or_else(|| self.unexpected("a value"))
    }

    /// Skips the next value and returns its first byte and the byte after it.
    pub(crate) fn skip_value(&mut self) -> Result<(usize, usize), ReadError> {
        let depth = self.open.len();
        self.token()?;
        let begin = self.start;
        while self.open.len() > depth {
            self.token()?;
        }
        Ok((begin, self.at))
    }

    /// Like [`skip_value`](Self::skip_value), for a value whose grammar was already checked: it looks only at brackets
    /// and strings.
    pub(crate) fn skip_checked_value(&mut self) -> Result<(usize, usize), ReadError> {
        let depth = self.open.len();
        self.token()?;
        let begin = self.start;
        if self.open.len() > depth {
            self.skip_checked_rest();
        }
        Ok((begin, self.at))
    }

    /// Skips the rest of the object or list whose opening bracket was the last token.
    pub(crate) fn skip_checked_rest(&mut self) {
        let bytes = self.text.as_bytes();
        let mut depth = 1_usize;
        while depth > 0 {
            match bytes.get(self.at) {
                Some(b'"') => self.at = end_of_checked_text(bytes, self.at + 1),
                Some(b'{' | b'[') => depth += 1,
                Some(b'}' | b']') => depth -= 1,
                Some(_) => {}
                None => break,
            }
            self.at += 1;
        }
        self.open.pop();
        self.ended();
    }

    fn in_object(&self) -> bool {
        self.open.last() == Some(&true)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) -> Option<u8> {
        while let Some(byte) = self.peek() {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    fn unexpected(&self, expected: &str) -> ReadError {
        let (kind, found) = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None => (ReadErrorKind::UnexpectedEnd, "the end of the text".to_owned()),
            Some(found) if found.is_control() => {
                (ReadErrorKind::Syntax, format!("the control character U+{:04X}", u32::from(found)))
            }
            Some(found) => (ReadErrorKind::Syntax, format!("`{found}`")),
        };
        ReadError::new(kind, self.at, concat(&["Expected ", expected, ", found ", &found, "."]))
    }

    fn ended(&mut self) {
        self.expect = if self.open.is_empty() { Expect::Nothing } else { Expect::AfterItem };
    }

    fn close(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        self.open.pop();
        self.ended();
        token
    }

    fn open(&mut self, object: bool) -> Result<(), ReadError> {
        if self.open.len() >= MAX_NESTING {
            let message = format!("The JSON nests deeper than {MAX_NESTING} levels.");
            return Err(ReadError::new(ReadErrorKind::TooDeep, self.at, message));
        }
        self.at += 1;
        self.open.push(object);
        self.expect = if object { Expect::FirstKey } else { Expect::FirstItem };
        Ok(())
    }

    fn key(&mut self) -> Result<Token<'a>, ReadError> {
        let key = self.string()?;
        if self.skip_space() != Some(b':') {
            return Err(self.unexpected("`:` after the key"));
        }
        self.at += 1;
        self.expect = Expect::Value;
        Ok(Token::Key(key))
    }

    fn value(&mut self, first: u8) -> Result<Token<'a>, ReadError> {
        let token = match first {
            b'{' => return self.open(true).map(|()| Token::ObjectStart),
            b'[' => return self.open(false).map(|()| Token::ArrayStart),
            b'"' => Token::String(self.string()?),
            b'-' | b'0'..=b'9' => Token::Number(self.number()?),
            b't' => self.word("true", Token::Bool)?,
            b'f' => self.word("false", Token::Bool)?,
            b'n' => self.word("null", Token::Null)?,
            _ => return Err(self.unexpected("a value")),
        };
        self.ended();
        Ok(token)
    }

    fn word(&mut self, word: &str, token: Token<'a>) -> Result<Token<'a>, ReadError> {
        let rest = &self.text.as_bytes()[self.at..];
        if !rest.starts_with(word.as_bytes()) {
            if word.as_bytes().starts_with(rest) {
                self.at = self.text.len();
            }
            return Err(self.unexpected("a value"));
        }
        self.at += word.len();
        Ok(token)
    }

    /// Reads a string whose opening quote is the next byte.
    fn string(&mut self) -> Result<Text<'a>, ReadError> {
        let bytes = self.text.as_bytes();
        let begin = self.at + 1;
        self.at = begin;
        loop {
            match bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) => {
                    return Err(self.unexpected("text without raw control characters"));
                }
                Some(_) => self.at += 1,
                None => return Err(self.unexpected("the closing quote of the text")),
            }
        }
        let text = Text::new(text::slice(self.text, begin..self.at));
        self.at += 1;
        Ok(text)
    }

    fn escape(&mut self) -> Result<(), ReadError> {
        let bytes = &self.text.as_bytes()[self.at + 1..];
        let length = match bytes.first() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if bytes.len() >= 5 && bytes[1..5].iter().all(u8::is_ascii_hexdigit) => 6,
            None => 0,
            Some(b'u') if bytes.len() < 5 && bytes[1..].iter().all(u8::is_ascii_hexdigit) => 0,
            Some(_) => {
                return Err(ReadError::syntax(self.at, "Expected an escape that JSON knows after `\\`."));
            }
        };
        if length == 0 {
            self.at = self.text.len();
            return Err(self.unexpected("the rest of the escape"));
        }
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Result<&'a str, ReadError> {
        let begin = self.at;
        let end = number_end(self.text.as_bytes(), begin);
        self.at = end.unwrap_or_else(|missing| missing);
        if end.is_err() {
            return Err(self.unexpected("a digit"));
        }
        Ok(text::slice(self.text, begin..self.at))
    }
}

/// The position of the closing quote of a string whose content begins at `at`.
fn end_of_checked_text(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') | None => return at,
            Some(_) => at += 1,
        }
    }
}
