//! Notes frames that cannot be read.

use super::Client;
use super::model::ProblemArea;
use crate::format;
use crate::time::Millis;

/// How long the note about unreadable frames stays after the last one, milliseconds.
const UNREADABLE_NOTE_MS: f64 = 60_000.0;

/// The frames that could not be read since the connection was made, or since the last note about them ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadableFrames {
    count: u64,
    last_at: Millis,
}

impl UnreadableFrames {
    pub(super) fn ends_at(self) -> Millis {
        Millis(self.last_at.0 + UNREADABLE_NOTE_MS)
    }

    pub(super) fn is_over(self, now: Millis) -> bool {
        self.ends_at() <= now
    }
}

impl Client {
    /// Notes an unreadable frame and ignores it; `why` is a sentence.
    pub(super) fn note_unreadable(&mut self, why: &str, now: Millis) {
        let count = self.unreadable.map_or(0, |frames| frames.count) + 1;
        self.unreadable = Some(UnreadableFrames { count, last_at: now });
        let note = match count {
            1 => format!("A message of the Gateway could not be read. {why}"),
            _ => format!(
                "{} messages of the Gateway could not be read. The last one: {why}",
                format::count(count as f64)
            ),
        };
        self.model.note(ProblemArea::Frames, Some(note));
    }

    /// Removes the note about unreadable frames.
    pub(super) fn forget_unreadable(&mut self) {
        if self.unreadable.take().is_some() {
            self.model.note(ProblemArea::Frames, None);
        }
    }
}
