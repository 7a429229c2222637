//! What speaks against relying on a state from an event log, in words.

use crate::format;
use crate::log::Caveat;
use crate::text::concat;

/// A caveat as a sentence; `None` where it takes nothing from the state.
pub(super) fn caveat(caveat: &Caveat) -> Option<String> {
    let counted = |count: u64, one: &str, many: &str, rest: &str| {
        if count == 1 { concat(&[one, rest]) } else { concat(&[&format::count(count as f64), many, rest]) }
    };
    Some(match caveat {
        Caveat::Lost { events, .. } => {
            let rest = " in the log: the state may be another by now.";
            counted(*events, "An event is missing", " events are missing", rest)
        }
        Caveat::NoStart => "The log does not begin with the run's start.".to_owned(),
        Caveat::FromNodes => "No event tells the run's state: it follows from what its nodes did.".to_owned(),
        Caveat::AfterTheEnd { events } => {
            let rest = " the run's end, and nothing says that it was resumed.";
            counted(u64::from(*events), "An event follows", " events follow", rest)
        }
        Caveat::EndMayBeMissing => {
            "The end may be missing: a log does not always tell of a cancelled or continued run.".to_owned()
        }
        // Lines that could not be read are named among the problems, each with its place.
        Caveat::Unread { .. } | Caveat::LeftOut { .. } | Caveat::Repeated { .. } => return None,
    })
}
