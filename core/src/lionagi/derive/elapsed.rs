//! Lengths of time as lionagi's Studio writes them (`formatElapsed`, 0.35): `1h 1m`. Runstate's own ages are those of
//! [`format`](crate::format); this is here to say what Studio shows.

use crate::lionagi::wire::Seconds;
use crate::number::Number;
use crate::text::concat;

/// How much of a length is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElapsedOptions {
    /// Seconds beside minutes. Below a minute they are always written.
    pub show_seconds: bool,
    /// Days and hours from a day on; else hours are counted on.
    pub cap_at_days: bool,
    /// Tenths of a second below a minute.
    pub sub_minute_decimal: bool,
}

impl Default for ElapsedOptions {
    /// Seconds, hours without end, no tenths.
    fn default() -> Self {
        Self { show_seconds: true, cap_at_days: false, sub_minute_decimal: false }
    }
}

/// A length of time as Studio writes it: the two largest units, each cut; a second one of 0 is left out. A dash for what is
/// no length: no number, or one below 0.
///
/// ```
/// use runstate::lionagi::derive::{ElapsedOptions, elapsed};
/// use runstate::lionagi::wire::Seconds;
///
/// let plain = ElapsedOptions::default();
/// assert_eq!(elapsed(Some(Seconds(3661.0)), plain), "1h 1m");
/// assert_eq!(elapsed(Some(Seconds(119.9)), plain), "1m 59s");
/// assert_eq!(elapsed(Some(Seconds(119.9)), ElapsedOptions { show_seconds: false, ..plain }), "1m");
/// assert_eq!(elapsed(Some(Seconds(90061.0)), ElapsedOptions { cap_at_days: true, ..plain }), "1d 1h");
/// assert_eq!(elapsed(Some(Seconds(0.4)), ElapsedOptions { sub_minute_decimal: true, ..plain }), "0.4s");
/// assert_eq!(elapsed(None, plain), "—");
/// ```
pub fn elapsed(length: Option<Seconds>, options: ElapsedOptions) -> String {
    let Some(Seconds(length)) = length.filter(|length| length.0.is_finite() && length.0 >= 0.0) else {
        return "—".to_owned();
    };
    let whole = length.floor();
    if whole < 60.0 {
        let shown = if options.sub_minute_decimal { (length * 10.0).floor() / 10.0 } else { whole };
        return unit(shown, "s");
    }
    let (minutes, hours, days) =
        ((whole / 60.0).floor(), (whole / 3600.0).floor(), (whole / 86_400.0).floor());
    if hours < 1.0 {
        let seconds = if options.show_seconds { whole % 60.0 } else { 0.0 };
        return two(minutes, "m", seconds, "s");
    }
    if options.cap_at_days && days >= 1.0 {
        return two(days, "d", hours % 24.0, "h");
    }
    two(hours, "h", minutes % 60.0, "m")
}

fn two(first: f64, first_unit: &str, second: f64, second_unit: &str) -> String {
    let first = unit(first, first_unit);
    if second == 0.0 { first } else { concat(&[&first, " ", &unit(second, second_unit)]) }
}

fn unit(count: f64, name: &str) -> String {
    concat(&[&Number(count).to_text(), name])
}
