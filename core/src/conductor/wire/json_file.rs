//! Reading the records of a run's JSON files. An invalid field is a problem; if the state depends on it, it is a fault as
//! well.

use serde::de::DeserializeOwned;

use crate::evidence::Signal;
use crate::json::{ReadError, Slice, TypeMismatches, fields};
use crate::problem::Problems;
use crate::text::concat;
use crate::word::Vocabulary;

/// A JSON file of a run.
#[derive(Clone, Copy)]
pub(crate) struct JsonFile<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    /// Whether the text is truncated: then a missing field is not a problem.
    pub(crate) truncated: bool,
}

/// A field that the state depends on.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// It must have a value.
    Required(Signal),
    /// It may be null or absent.
    Nullable(Signal),
}

impl JsonFile<'_> {
    /// Reads the record, or the complete fields of a truncated one, and collects its problems. The second part of the result
    /// names those of the `decisive` fields that are missing or invalid.
    pub(crate) fn read<T: DeserializeOwned>(
        self,
        decisive: &[Need],
        problems: &mut Problems,
    ) -> Result<(T, Vec<Signal>), ReadError> {
        let lost = TypeMismatches::default();
        let object = Slice::from_text(self.text)?.tolerant(&lost);
        let record = object.read()?;
        let mut faults = Vec::new();
        for need in decisive {
            let (Need::Required(signal) | Need::Nullable(signal)) = *need;
            let [field] = fields(object, [signal.as_str()])?;
            if field.is_some_and(|field| lost.contains(field.begin())) {
                faults.push(signal);
            } else if matches!(need, Need::Required(_))
                && let Some(error) = self.absence(object, signal, field)
            {
                faults.push(signal);
                problems.add_file_error(self.name, self.text, &error);
            }
        }
        problems.append(Problems::from_lost(lost, self.text).in_file(Some(self.name), None));
        Ok((record, faults))
    }

    /// The error of a required field without a value.
    fn absence(self, object: Slice<'_>, signal: Signal, field: Option<Slice<'_>>) -> Option<ReadError> {
        let name = signal.as_str();
        match field {
            Some(field) if field.json() == "null" => {
                Some(field.refuse(concat(&["The field `", name, "` is null."])))
            }
            None if !self.truncated => Some(object.refuse(concat(&["The field `", name, "` is missing."]))),
            Some(_) | None => None,
        }
    }
}
