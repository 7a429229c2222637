//! Fields of an event that are not stored in columns.

use std::borrow::Cow;

use super::super::pushed::state_text;
use super::super::scan::Fields;
use super::super::store::Store;
use crate::json::Slice;
use crate::smithers::wire::error_text;
use crate::time::{is_in_seconds, is_out_of_range};

/// The text of one event.
pub(crate) struct EventText<'a>(Cow<'a, [u8]>);

impl<'a> EventText<'a> {
    pub(crate) fn new(store: &'a Store, row: u32) -> Self {
        Self(store.event(row))
    }

    /// The values of some fields as written in the text, found in one pass.
    pub(crate) fn values<const N: usize>(&self, names: [&[u8]; N]) -> [Option<Slice<'_>>; N] {
        let (mut found, mut missing) = ([None; N], N);
        let mut fields = Fields::new(&self.0);
        while missing > 0
            && let Some(field) = fields.next()
        {
            let Some(place) = names.iter().position(|name| *name == field.key) else { continue };
            let value = std::str::from_utf8(field.value).ok().map(Slice::new);
            if let Some(slot) = found.get_mut(place)
                && slot.is_none()
            {
                (*slot, missing) = (value, missing - 1);
            }
        }
        found
    }

    fn value(&self, name: &[u8]) -> Option<Slice<'_>> {
        let [value] = self.values([name]);
        value
    }

    pub(crate) fn text(&self, name: &[u8]) -> Option<String> {
        self.value(name)?.text()
    }

    /// A word of the run's state, which is a text, or the field `state` of an object.
    pub(crate) fn state(&self, name: &[u8]) -> Option<String> {
        state_text(self.value(name)?)
    }

    pub(crate) fn number(&self, name: &[u8]) -> Option<f64> {
        self.value(name)?.number()
    }

    /// A time in milliseconds; one in seconds or out of range counts as absent.
    pub(crate) fn time(&self, name: &[u8]) -> Option<f64> {
        self.number(name).filter(|at| !is_in_seconds(*at) && !is_out_of_range(*at))
    }

    pub(crate) fn small(&self, name: &[u8]) -> Option<u32> {
        self.value(name)?.read_small().ok()
    }

    pub(crate) fn texts(&self, name: &[u8]) -> Vec<String> {
        self.value(name).and_then(|value| value.read().ok()).unwrap_or_default()
    }

    pub(crate) fn is_true(&self, name: &[u8]) -> bool {
        self.value(name).is_some_and(|value| value.json() == "true")
    }

    pub(crate) fn is_false(&self, name: &[u8]) -> bool {
        self.value(name).is_some_and(|value| value.json() == "false")
    }

    /// The error, as [`error_text`] reads it.
    pub(crate) fn error(&self) -> Option<String> {
        error_text(self.value(b"error")?.json())
    }
}
