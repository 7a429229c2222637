//! Shallow reading: the parts of an object or list as raw slices.

use std::borrow::Cow;
use std::iter::zip;

use crate::number::read;
use crate::text::{self, concat, quoted};

use super::misspelt::misspelt_field;
use super::{ReadError, ReadErrorKind, Reader, Token, TypeMismatches};

/// One JSON value inside a text. The offsets of its errors count from the start of the whole text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice<'a> {
    whole: &'a str,
    begin: usize,
    end: usize,
    /// Whether the grammar of the value was already checked.
    is_checked: bool,
    /// Collects the fields that count as absent; `None` if each is an error.
    mismatches: Option<&'a TypeMismatches>,
}

impl<'a> Slice<'a> {
    /// The text as one value. Trailing text is an error once the value is read completely.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            whole: text,
            begin: text.len() - text.trim_ascii_start().len(),
            end: text.trim_ascii_end().len(),
            is_checked: false,
            mismatches: None,
        }
    }

    /// The value, read tolerantly: a field of another type counts as absent, and is collected.
    pub(crate) fn tolerant(self, mismatches: &'a TypeMismatches) -> Self {
        Self { mismatches: Some(mismatches), ..self }
    }

    /// The value, read strictly: a field of another type is an error.
    pub(crate) fn strict(self) -> Self {
        Self { mismatches: None, ..self }
    }

    /// Whether a field of another type counts as absent.
    pub(crate) fn is_tolerant(self) -> bool {
        self.mismatches.is_some()
    }

    /// The value of another text, read as tolerantly as this one. Its offsets must be those of this text.
    pub(crate) fn like(self, other: Slice<'a>) -> Self {
        Self { mismatches: other.mismatches, ..self }
    }

    /// Records a problem of this value, such as a field that counts as absent; the error if this value is read strictly.
    pub(crate) fn lose<T: Default>(self, error: ReadError) -> Result<T, ReadError> {
        match self.mismatches {
            Some(mismatches) => mismatches.add(error).map(|()| T::default()),
            None => Err(error),
        }
    }

    /// A value inside this one, from its first byte to its last, whose grammar a reader has checked.
    pub(crate) fn part(self, (begin, end): (usize, usize)) -> Self {
        Self { whole: self.whole, begin, end, is_checked: true, mismatches: self.mismatches }
    }

    pub(crate) fn reader(self) -> Reader<'a> {
        Reader::new(self.whole, self.begin)
    }

    /// The text that contains the value.
    pub(crate) fn whole(self) -> &'a str {
        self.whole
    }

    /// The byte where the value begins.
    pub(crate) fn begin(self) -> usize {
        self.begin
    }

    /// The byte after the value.
    pub(crate) fn end(self) -> usize {
        self.end
    }

    /// The value's JSON text, verbatim.
    pub(crate) fn json(self) -> &'a str {
        text::slice(self.whole, self.begin..self.end)
    }

    /// The value's first token, which determines its type.
    pub(crate) fn token(self) -> Result<Token<'a>, ReadError> {
        self.reader().token()
    }

    pub(crate) fn is_object(self) -> bool {
        self.json().starts_with('{')
    }

    pub(crate) fn is_array(self) -> bool {
        self.json().starts_with('[')
    }

    /// The decoded text, if the value is a string.
    pub(crate) fn text(self) -> Option<String> {
        let Ok(Token::String(text)) = self.token() else { return None };
        Some(text.decode().into_owned())
    }

    /// The number, if the value is a finite number.
    pub(crate) fn number(self) -> Option<f64> {
        let Ok(Token::Number(number)) = self.token() else { return None };
        read(number).filter(|number| number.is_finite())
    }

    /// Calls `take` with each member of an object: its key, the offset of the key, and its value.
    ///
    /// # Errors
    /// [`ReadError`] if the value is not an object or its grammar is wrong, and the errors of `take`.
    pub(crate) fn each_member(
        self,
        take: &mut dyn FnMut(Cow<'a, str>, usize, Self) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut reader = self.reader();
        if !matches!(reader.token()?, Token::ObjectStart) {
            return Err(self.expected("an object"));
        }
        while let Token::Key(key) = reader.token()? {
            let key_at = reader.start();
            take(key.decode(), key_at, self.skip_part(&mut reader)?)?;
        }
        self.end_at(reader.at())
    }

    /// Refuses text after this value, whose last byte a reader has read. Only a top-level value can be followed by text.
    pub(super) fn end_at(self, at: usize) -> Result<(), ReadError> {
        if at == self.end { Ok(()) } else { Err(ReadError::syntax(at, AFTER)) }
    }

    /// The next value of a reader of this value, which skips it.
    pub(super) fn skip_part(self, reader: &mut Reader<'a>) -> Result<Self, ReadError> {
        let place = if self.is_checked { reader.skip_checked_value()? } else { reader.skip_value()? };
        Ok(self.part(place))
    }

    /// An error about this value.
    pub(crate) fn refuse(self, message: impl Into<String>) -> ReadError {
        ReadError::invalid(self.begin, message)
    }

    /// An error about this value, with the expected and the found type.
    pub(crate) fn expected(self, what: &str) -> ReadError {
        match self.token() {
            Ok(token) => self.refuse(concat(&["Expected ", what, ", found ", &token.describe(), "."])),
            Err(error) => error,
        }
    }
}

/// The error for trailing text.
pub(super) const AFTER: &str = "Expected the end of the text after the JSON value.";

/// The error for a key that occurs a second time.
pub(super) fn second_key(key: &str, key_at: usize) -> ReadError {
    let message = concat(&["The key ", &quoted(key), " occurs twice."]);
    ReadError::new(ReadErrorKind::DuplicateKey, key_at, message)
}

/// Returns the values of some keys of an object and ignores all others.
pub(crate) fn fields<'a, const N: usize>(
    slice: Slice<'a>,
    names: [&str; N],
) -> Result<[Option<Slice<'a>>; N], ReadError> {
    let mut found = [None; N];
    find(slice, &names, &[], &mut found, &mut |_, _| {})?;
    Ok(found)
}

/// Like [`fields`], with a second spelling for each key at the same index; `""` stands for no second spelling.
pub(crate) fn row_fields<'a, const N: usize>(
    slice: Slice<'a>,
    names: [&str; N],
    aliases: [&str; N],
) -> Result<[Option<Slice<'a>>; N], ReadError> {
    let mut found = [None; N];
    find(slice, &names, &aliases, &mut found, &mut |_, _| {})?;
    Ok(found)
}

/// Like [`row_fields`]; if the value is read tolerantly, another key that was probably meant to be one of the absent fields is
/// a problem. `record` is what the fields are of.
pub(crate) fn spelt_fields<'a, const N: usize>(
    slice: Slice<'a>,
    names: [&str; N],
    aliases: [&str; N],
    record: &str,
) -> Result<[Option<Slice<'a>>; N], ReadError> {
    let (mut found, mut others) = ([None; N], Vec::new());
    find(slice, &names, &aliases, &mut found, &mut |key, key_at| {
        if slice.is_tolerant() && others.len() < MAX_OTHERS {
            others.push((key, key_at));
        }
    })?;
    let fields = zip(zip(names, aliases), &found);
    let absent: Vec<_> = fields.filter(|(_, value)| value.is_none()).map(|(names, _)| names).collect();
    for (key, key_at) in others {
        if let Some(question) = misspelt_field(&key, &absent, record) {
            slice.lose::<()>(ReadError::invalid(key_at, question))?;
        }
    }
    Ok(found)
}

/// As many other keys of a record are compared with its fields.
const MAX_OTHERS: usize = 1_000;

fn find<'a>(
    slice: Slice<'a>,
    names: &[&str],
    aliases: &[&str],
    found: &mut [Option<Slice<'a>>],
    other: &mut dyn FnMut(Cow<'a, str>, usize),
) -> Result<(), ReadError> {
    let known = |names: &[&str], key: &str| names.iter().position(|name| *name == key && !name.is_empty());
    slice.each_member(&mut |key, key_at, value| {
        let Some(place) = known(names, &key).or_else(|| known(aliases, &key)) else {
            other(key, key_at);
            return Ok(());
        };
        let Some(slot) = found.get_mut(place) else { return Ok(()) };
        if slot.is_some() {
            return Err(second_key(&key, key_at));
        }
        *slot = Some(value);
        Ok(())
    })
}

/// The items of a list, in order. An error ends the iteration.
pub(crate) struct Items<'a> {
    slice: Slice<'a>,
    reader: Reader<'a>,
    ended: bool,
}

/// The items of a list.
pub(crate) fn items(slice: Slice<'_>) -> Result<Items<'_>, ReadError> {
    let mut reader = slice.reader();
    match reader.token()? {
        Token::ArrayStart => Ok(Items { slice, reader, ended: false }),
        _ => Err(slice.expected("a list")),
    }
}

impl<'a> Items<'a> {
    /// Refuses text after a list whose items were all read.
    pub(super) fn end(&self) -> Result<(), ReadError> {
        self.slice.end_at(self.reader.at())
    }

    fn item(&mut self) -> Result<Option<Slice<'a>>, ReadError> {
        let before = self.reader.nesting();
        let token = self.reader.token()?;
        let begin = self.reader.start();
        if matches!(token, Token::ArrayEnd) && self.reader.nesting() < before {
            return Ok(None);
        }
        if self.slice.is_checked && self.reader.nesting() > before {
            self.reader.skip_checked_rest();
        }
        while self.reader.nesting() > before {
            self.reader.token()?;
        }
        Ok(Some(self.slice.part((begin, self.reader.at()))))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<Slice<'a>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let item = self.item();
        self.ended = !matches!(item, Ok(Some(_)));
        item.transpose()
    }
}
