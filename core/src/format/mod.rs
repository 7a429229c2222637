//! Times, ages and figures as text: always UTC, always with the zone, past events never "in the future".
//! ```
//! use runstate::{format, time::Millis};
//!
//! let (at, now) = (Millis(1_763_474_518_000.0), Millis(1_763_474_770_000.0));
//! assert_eq!(format::moment(at, now), "14:01:58Z");
//! assert_eq!(format::ago(now.since(at)), "4 min 12 s ago");
//! // The event is three seconds ahead of the clock: the clock is at fault, and the event is just now.
//! assert_eq!(format::ago(-3_000.0), "0 s ago");
//! ```

mod figure;
mod length;
pub(crate) mod moment;
mod offset;

pub use figure::count;
pub use length::ago;
pub(crate) use length::{age, before, countdown, duration};
pub(crate) use moment::{as_of, date_clock};
pub use moment::{clock, moment};
pub(crate) use offset::{error_bar, offset};

const UNKNOWN_TIME: &str = "unknown time";
