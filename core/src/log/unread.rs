//! The places of the lines of a log that could not be read.

use super::EventLog;
use super::order::Ordering;
use crate::format;
use crate::text::concat;

/// The maximum number of places with a reason.
const MAX_REASONS: usize = 1000;

/// Consecutive lines that could not be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnreadLines {
    /// The number of events before them.
    pub(super) after: u32,
    /// Their number.
    pub(crate) lines: u64,
    /// Why the first one could not be read, as a sentence.
    pub(crate) reason: Option<Box<str>>,
}

impl UnreadLines {
    pub(crate) fn sentence(&self) -> String {
        let reason = self.reason.as_deref().unwrap_or_default();
        let text = match self.lines {
            1 => concat(&["1 line could not be read here. ", reason]),
            lines => {
                let first = if reason.is_empty() { "" } else { "The first one: " };
                concat(&[&format::count(lines as f64), " lines could not be read here. ", first, reason])
            }
        };
        text.trim_end().to_owned()
    }
}

/// All of them, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct UnreadPlaces(Vec<UnreadLines>);

impl UnreadPlaces {
    pub(super) fn add(&mut self, after: u32, lines: u64, reason: Option<&str>) {
        match self.0.last_mut() {
            Some(last) if last.after >= after => last.lines += lines,
            Some(_) | None => {
                let reason = reason.filter(|_| self.0.len() < MAX_REASONS).map(Into::into);
                self.0.push(UnreadLines { after, lines, reason });
            }
        }
    }

    /// Removes the last line, which is continued.
    pub(super) fn remove_last_line(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.lines = last.lines.saturating_sub(1);
        }
        self.0.pop_if(|last| last.lines == 0);
    }

    /// The number of events before the last one.
    pub(super) fn last_after(&self) -> Option<u32> {
        self.0.last().map(|last| last.after)
    }

    /// Adds those of another log, whose events follow this number of events.
    pub(super) fn append(&mut self, other: &Self, before: u32, events: u32) {
        for UnreadLines { after, lines, reason } in &other.0 {
            self.add((before + after).min(events), *lines, reason.as_deref());
        }
    }
}

impl EventLog {
    /// Unreadable lines by their number.
    pub(crate) fn unread_lines(&self, number: u64) -> Option<&UnreadLines> {
        self.unread_places.0.get(usize::try_from(number).ok()?)
    }

    /// The number of the unreadable lines before the event at this place, or at the end.
    pub(super) fn unread_before(&self, place: u32) -> Option<u32> {
        let places = &self.unread_places.0;
        if places.is_empty() {
            return None;
        }
        let row = (place < self.order.len()).then(|| self.order.row(place));
        let after = match self.order.ordering() {
            // The line behind an event in the file is before it.
            Ordering::NewestFirst => row.map_or(0, |row| row + 1),
            Ordering::Sequence | Ordering::File | Ordering::Merged => row.unwrap_or(self.store.len()),
        };
        places.binary_search_by_key(&after, |lines| lines.after).ok().map(|number| number as u32)
    }
}
