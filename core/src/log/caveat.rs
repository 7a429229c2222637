//! Reasons why the state of a log may be wrong.

use serde::Serialize;

use crate::smithers::wire::RunState;
use crate::time::Millis;
use crate::word::Word;

/// A reason why the state of a log may be outdated. The sequence numbers of `left-out` may belong to frames, which
/// `smithers events --json` does not print.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[cfg_attr(test, derive(tsify::Tsify))]
pub enum Caveat {
    /// Events are missing, and their content is unknown.
    Lost {
        /// The number of missing events.
        events: u64,
        /// The number of gaps.
        gaps: u64,
    },
    /// Frames and snapshots are missing, which `smithers events --json` omits. They change no state.
    LeftOut {
        /// The number of missing events.
        events: u64,
        /// The number of gaps.
        gaps: u64,
    },
    /// Lines could not be read.
    Unread {
        /// The number of lines.
        lines: u64,
    },
    /// Events were repeated, without effect.
    Repeated {
        /// The number of events.
        events: u64,
    },
    /// The log has no `RunStarted`: its beginning is missing.
    NoStart,
    /// No event reports the run's state; it was derived from those of the nodes.
    FromNodes,
    /// Nodes continued after the end of the run without an event that it was resumed.
    AfterTheEnd {
        /// The number of such events.
        events: u32,
    },
    /// Lines after the last event could not be read: the run may have gone on.
    UnreadAtEnd {
        /// The number of lines.
        lines: u64,
    },
    /// The run's last event is of a type that is not known.
    UnknownLast {
        /// The type, as it was written.
        event_type: String,
    },
    /// An event said that the run had ended in another state, and it went on without a new start.
    Contradicted {
        /// The other state.
        #[cfg_attr(test, tsify(type = "string"))]
        state: Word<RunState>,
        /// The time of that event.
        #[serde(rename = "atMs", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, tsify(type = "number"))]
        at: Option<Millis>,
    },
    /// Events have their times in seconds, not in milliseconds. These times count as absent.
    TimesInSeconds {
        /// The number of events.
        events: u32,
    },
    /// Events have times that none can have had: in 2128 and later, or as long before 1970. These times count as absent.
    TimesOutOfRange {
        /// The number of events.
        events: u32,
        /// The line of the first one; absent in a log of several files.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
    },
    /// Times go back. The events are in the order of the file.
    TimesGoBack {
        /// The line of the largest step; absent in a log of several files.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
        /// The largest step, milliseconds.
        ms: f64,
    },
    /// The file is newest first throughout, and was turned.
    NewestFirst,
    /// The run has not ended according to the log. Cancellation and continuation are not always logged.
    // Protocol section 5, quirk 13.
    EndMayBeMissing,
}
