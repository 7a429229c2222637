//! Times, ages and figures as text: always UTC, always with the zone, past events never "in the future".

mod figure;
mod length;
mod look_alike;
pub(crate) mod moment;
mod offset;
mod visible;

pub use figure::count;
pub(crate) use length::{age, ago, before, countdown, duration, rough_ago};
pub use look_alike::LOOK_ALIKES;
pub(crate) use look_alike::{look_alike, with_look_alikes_escaped};
pub(crate) use moment::{as_of, moment};
pub use moment::{clock, date_clock};
pub(crate) use offset::{error_bar, offset};
pub use visible::{is_invisible, visible, visible_name};

const UNKNOWN_TIME: &str = "unknown time";
