//! Reading the fields of one file: what is wrong with a field is a problem, and decides only where the field does.

use super::problem::Problems;
use super::stamp::Stamp;
use crate::evidence::Signal;
use crate::json::{ReadError, Slice};
use crate::text::concat;

/// A file's text and name, and what was found wrong in it so far.
pub(crate) struct Object<'a> {
    pub(crate) file: &'a str,
    pub(crate) slice: Slice<'a>,
    pub(crate) problems: &'a mut Problems,
    /// The text breaks off: a field that is not here may have been there.
    pub(crate) cut: bool,
    /// The fields without which nothing can be said.
    pub(crate) faults: Vec<Signal>,
}

/// What hangs on a field.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// The contract requires it.
    Required(Signal),
    /// It may be null or left out; another type makes the file unusable.
    Deciding(Signal),
    /// It may be null or left out; another type loses this field alone.
    Auxiliary,
}

impl Object<'_> {
    pub(crate) fn text(
        &mut self,
        name: &'static str,
        field: Option<Slice<'_>>,
        need: Need,
    ) -> Option<String> {
        let field = self.given(name, field, need)?;
        let read = field.read_text();
        self.kept(name, need, read)
    }

    pub(crate) fn stamp(
        &mut self,
        name: &'static str,
        field: Option<Slice<'_>>,
        need: Need,
    ) -> Option<Stamp> {
        let field = self.given(name, field, need)?;
        let read = Stamp::read(field);
        self.kept(name, need, read)
    }

    pub(crate) fn count(&mut self, name: &'static str, field: Option<Slice<'_>>) -> Option<u64> {
        let field = self.given(name, field, Need::Auxiliary)?;
        let read = field.read_count();
        self.kept(name, Need::Auxiliary, read)
    }

    /// The field if it is there and not null.
    fn given<'b>(&mut self, name: &'static str, field: Option<Slice<'b>>, need: Need) -> Option<Slice<'b>> {
        let missing = match field {
            Some(field) if field.json() != "null" => return Some(field),
            Some(null) => null.refuse(concat(&["The field `", name, "` is null."])),
            None if self.cut => return None,
            None => self.slice.refuse(concat(&["The field `", name, "` is missing."])),
        };
        if let Need::Required(signal) = need {
            self.fault(signal, &missing);
        }
        None
    }

    fn kept<T>(&mut self, name: &'static str, need: Need, read: Result<T, ReadError>) -> Option<T> {
        let error = match read {
            Ok(value) => return Some(value),
            Err(error) => error.about(name),
        };
        match need {
            Need::Required(signal) | Need::Deciding(signal) => self.fault(signal, &error),
            Need::Auxiliary => self.problems.error(self.file, self.slice.whole(), &error),
        }
        None
    }

    fn fault(&mut self, signal: Signal, error: &ReadError) {
        self.faults.push(signal);
        self.problems.error(self.file, self.slice.whole(), error);
    }
}

impl ReadError {
    /// The same error, its sentence with the field's name in front.
    fn about(self, name: &str) -> Self {
        let message = concat(&["`", name, "`: ", &self.message]);
        Self { message, ..self }
    }
}
