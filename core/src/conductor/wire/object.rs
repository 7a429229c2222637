//! Reading the fields of a JSON object. An invalid field is a problem; if the state depends on it, it is a fault as well.

use super::timestamp::Timestamp;
use crate::evidence::Signal;
use crate::json::{ReadError, Slice};
use crate::problem::Problems;
use crate::text::concat;

/// Reads the fields of one file, and collects its problems.
pub(crate) struct ObjectReader<'a> {
    pub(crate) file: &'a str,
    pub(crate) slice: Slice<'a>,
    pub(crate) problems: &'a mut Problems,
    /// Whether the text is truncated: then a missing field is not a problem.
    pub(crate) truncated: bool,
    /// The missing or invalid fields that the state depends on.
    pub(crate) faults: Vec<Signal>,
}

/// How important a field is.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// The field is required.
    Required(Signal),
    /// It may be null or absent. If it is invalid, the state cannot be derived.
    Decisive(Signal),
    /// The field may be null or absent. An invalid value is ignored.
    Auxiliary,
}

impl ObjectReader<'_> {
    pub(crate) fn text(
        &mut self,
        name: &'static str,
        field: Option<Slice<'_>>,
        need: Need,
    ) -> Option<String> {
        let field = self.value(name, field, need)?;
        let read = field.read_text();
        self.ok_or_problem(name, need, read)
    }

    pub(crate) fn timestamp(
        &mut self,
        name: &'static str,
        field: Option<Slice<'_>>,
        need: Need,
    ) -> Option<Timestamp> {
        let field = self.value(name, field, need)?;
        let read = Timestamp::read(field);
        self.ok_or_problem(name, need, read)
    }

    pub(crate) fn count(&mut self, name: &'static str, field: Option<Slice<'_>>) -> Option<u64> {
        let field = self.value(name, field, Need::Auxiliary)?;
        let read = field.read_count();
        self.ok_or_problem(name, Need::Auxiliary, read)
    }

    /// The field, if it is neither absent nor null.
    fn value<'b>(&mut self, name: &'static str, field: Option<Slice<'b>>, need: Need) -> Option<Slice<'b>> {
        let missing = match field {
            Some(field) if field.json() != "null" => return Some(field),
            Some(null) => null.refuse(concat(&["The field `", name, "` is null."])),
            None if self.truncated => return None,
            None => self.slice.refuse(concat(&["The field `", name, "` is missing."])),
        };
        if let Need::Required(signal) = need {
            self.add_fault(signal, &missing);
        }
        None
    }

    fn ok_or_problem<T>(&mut self, name: &'static str, need: Need, read: Result<T, ReadError>) -> Option<T> {
        let error = match read {
            Ok(value) => return Some(value),
            Err(error) => error.with_field(name),
        };
        match need {
            Need::Required(signal) | Need::Decisive(signal) => self.add_fault(signal, &error),
            Need::Auxiliary => self.problems.add_file_error(self.file, self.slice.whole(), &error),
        }
        None
    }

    fn add_fault(&mut self, signal: Signal, error: &ReadError) {
        self.faults.push(signal);
        self.problems.add_file_error(self.file, self.slice.whole(), error);
    }
}

impl ReadError {
    /// The error with the name of the field before its message.
    fn with_field(self, name: &str) -> Self {
        let message = concat(&["`", name, "`: ", &self.message]);
        Self { message, ..self }
    }
}
