//! A record as a flat JSON list in a fixed order: what two builds of this crate hand each other.
//!
//! The one that reads is the panel, whose size is bounded; keys would have to be looked for, an order need not.

use super::fields::Items;
use super::{ReadError, Slice, Writer, items};
use crate::word::Vocabulary;

/// A record in the making.
pub(crate) struct Pack(Writer);

impl Pack {
    pub(crate) fn new() -> Self {
        let mut out = Writer::default();
        out.raw("[");
        Self(out)
    }

    pub(crate) fn finish(mut self) -> String {
        self.0.close("]");
        self.0.finish()
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.0.text(text);
    }

    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.0.text(text),
            None => self.0.null(),
        }
    }

    pub(crate) fn number(&mut self, number: f64) {
        self.0.number(number);
    }

    /// A number that is no number is none.
    pub(crate) fn optional_number(&mut self, number: Option<f64>) {
        self.number(number.unwrap_or(f64::NAN));
    }

    pub(crate) fn flag(&mut self, flag: bool) {
        self.0.bool(flag);
    }

    /// How many there are, then each.
    pub(crate) fn list<T>(&mut self, list: &[T], mut pack: impl FnMut(&mut Self, &T)) {
        self.number(list.len() as f64);
        for item in list {
            pack(self, item);
        }
    }
}

/// A record that is read value by value.
pub(crate) struct Unpack<'a> {
    whole: Slice<'a>,
    items: Items<'a>,
}

impl<'a> Unpack<'a> {
    pub(crate) fn new(json: &'a str) -> Result<Self, ReadError> {
        let whole = Slice::of_text(json)?;
        Ok(Self { whole, items: items(whole)? })
    }

    #[inline(never)]
    fn next(&mut self) -> Result<Slice<'a>, ReadError> {
        self.items.next().unwrap_or_else(|| Err(self.whole.refuse("The record ends too early.")))
    }

    #[inline(never)]
    pub(crate) fn text(&mut self) -> Result<String, ReadError> {
        self.next()?.read_text()
    }

    #[inline(never)]
    pub(crate) fn optional(&mut self) -> Result<Option<String>, ReadError> {
        let next = self.next()?;
        if next.json() == "null" { Ok(None) } else { next.read_text().map(Some) }
    }

    #[inline(never)]
    pub(crate) fn number(&mut self) -> Result<f64, ReadError> {
        self.next()?.read_number()
    }

    #[inline(never)]
    pub(crate) fn optional_number(&mut self) -> Result<Option<f64>, ReadError> {
        let next = self.next()?;
        if next.json() == "null" { Ok(None) } else { next.read_number().map(Some) }
    }

    #[inline(never)]
    pub(crate) fn flag(&mut self) -> Result<bool, ReadError> {
        let next = self.next()?;
        match next.json() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(next.expected("true or false")),
        }
    }

    /// A word of a vocabulary that is ours on both sides.
    pub(crate) fn word<V: Vocabulary>(&mut self) -> Result<V, ReadError> {
        let next = self.next()?;
        next.read_word::<V>()?.known().ok_or_else(|| next.expected(V::NAME))
    }

    pub(crate) fn list<T>(
        &mut self,
        mut unpack: impl FnMut(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        let count = self.next()?.read_small()?;
        // Not reserved beforehand: the count is the record's word, the items are what is there.
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(unpack(self)?);
        }
        Ok(list)
    }

    /// Ends reading: nothing may be left.
    pub(crate) fn end(mut self) -> Result<(), ReadError> {
        match self.items.next() {
            None => Ok(()),
            Some(next) => Err(next?.refuse("The record goes on too long.")),
        }
    }
}
