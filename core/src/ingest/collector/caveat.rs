//! What speaks against relying on a state from an event log, in words.

use crate::log::Caveat;

/// A caveat as a sentence; `None` where it takes nothing from the state.
pub(super) fn caveat(caveat: &Caveat) -> Option<String> {
    Some(match caveat {
        Caveat::Lost { events, gaps } => {
            format!("Events are missing: {events}, in {gaps} places. The state may be another by now.")
        }
        Caveat::AfterTheEnd { events } => {
            format!("Events after the run's end: {events}. Nothing says that it was resumed.")
        }
        Caveat::NoStart => "The log does not begin with the run's start.".to_owned(),
        Caveat::FromNodes => "No event tells the run's state: it follows from what its nodes did.".to_owned(),
        Caveat::EndMayBeMissing => {
            "The end may be missing: a log does not always tell of a cancelled or continued run.".to_owned()
        }
        // Lines that could not be read are named among the problems, each with its place.
        Caveat::Unread { .. } | Caveat::LeftOut { .. } | Caveat::Repeated { .. } => return None,
    })
}

/// Whether something is wrong with the log: whoever opened it may have more of it. The others are so with every log.
pub(super) fn is_problem(caveat: &Caveat) -> bool {
    match caveat {
        Caveat::Lost { .. } | Caveat::AfterTheEnd { .. } | Caveat::NoStart => true,
        Caveat::FromNodes
        | Caveat::EndMayBeMissing
        | Caveat::Unread { .. }
        | Caveat::LeftOut { .. }
        | Caveat::Repeated { .. } => false,
    }
}
