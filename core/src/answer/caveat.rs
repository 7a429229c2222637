//! What speaks against relying on a state from an event log, in words.

use super::line::Line;
use crate::format;
use crate::log::Caveat;

/// A caveat as a sentence; `None` where it takes nothing from the state.
pub(super) fn caveat(caveat: &Caveat) -> Option<Line> {
    let counted = |count: u64, one: &str, many: &str| {
        if count == 1 { Line::new(one) } else { Line::new(&format::count(count as f64)).words(many) }
    };
    Some(match caveat {
        Caveat::Lost { events, .. } => counted(*events, "An event is missing", " events are missing")
            .words(" in the log: the state may be another by now."),
        Caveat::NoStart => Line::new("The log does not begin with the run's start."),
        Caveat::FromNodes => Line::new("No event tells the run's state: it follows from what its nodes did."),
        Caveat::AfterTheEnd { events } => counted(u64::from(*events), "An event follows", " events follow")
            .words(" the run's end, and nothing says that it was resumed."),
        Caveat::EndMayBeMissing => {
            Line::new("The end may be missing: a log does not always tell of a cancelled or continued run.")
        }
        // Lines that could not be read are named among the problems, each with its place.
        Caveat::Unread { .. } | Caveat::LeftOut { .. } | Caveat::Repeated { .. } => return None,
    })
}
