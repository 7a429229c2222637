//! Times, ages and figures as text: always UTC, always with the zone, past events never "in the future".

mod figure;
mod length;
pub(crate) mod moment;
mod offset;

pub use figure::count;
pub(crate) use length::{age, ago, before, countdown, duration};
pub use moment::clock;
pub(crate) use moment::{as_of, date_clock, moment};
pub(crate) use offset::{error_bar, offset};

const UNKNOWN_TIME: &str = "unknown time";
