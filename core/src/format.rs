//! Times, ages and figures in words: UTC always, zone always shown, past events never "in the future".
//! ```
//! use runstate::{format, time::Millis};
//!
//! let (at, now) = (Millis(1_763_474_518_000.0), Millis(1_763_474_770_000.0));
//! assert_eq!(format::moment(at, now), "14:01:58Z");
//! assert_eq!(format::ago(now.since(at)), "4 min 12 s ago");
//! // The event is three seconds ahead of the clock: the clock is at fault, and the event is just now.
//! assert_eq!(format::ago(-3_000.0), "0 s ago");
//! ```

use crate::number::Number;
use crate::text::concat;
use crate::time::Millis;

/// How far ahead of the server-anchored clock a past event may lie before it is said: the clock's own error bar.
const SKEW_MARGIN_MS: f64 = 5_000.0;
/// An error below this is not told.
const UNSEEN_ERROR_MS: f64 = 50.0;
/// As long as a time of day cannot be taken for that of another day.
const HALF_A_DAY_MS: f64 = 43_200_000.0;
const UNKNOWN_TIME: &str = "unknown time";
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// An age in whole units, cut, never rounded up.
///
/// A past event a little ahead of the clock is `0 s` old; farther ahead the age says so, because it cannot be trusted.
///
/// ```
/// use runstate::format::age;
///
/// assert_eq!(age(41_999.0), "41 s");
/// assert_eq!(age(252_000.0), "4 min 12 s");
/// assert_eq!(age(22_320_000.0), "6 h 12 min");
/// assert_eq!(age(-540_000.0), "9 min ahead of the clock");
/// ```
pub fn age(ms: f64) -> String {
    if !ms.is_finite() {
        UNKNOWN_TIME.into()
    } else if ms < -SKEW_MARGIN_MS {
        format!("{} ahead of the clock", units((-ms / 1000.0).floor()))
    } else {
        units((ms.max(0.0) / 1000.0).floor())
    }
}

/// [`age`] with the word `ago`, or the whole phrase where there is no age.
///
/// ```
/// assert_eq!(runstate::format::ago(3_000.0), "3 s ago");
/// assert_eq!(runstate::format::ago(f64::NAN), "at an unknown time");
/// ```
pub fn ago(ms: f64) -> String {
    if !ms.is_finite() {
        format!("at an {UNKNOWN_TIME}")
    } else if ms < -SKEW_MARGIN_MS {
        age(ms)
    } else {
        format!("{} ago", age(ms))
    }
}

/// How long before another moment: `4 s before that`, and `9 min after that` where the clocks say so.
pub(crate) fn before(ms: f64, what: &str) -> String {
    let (ms, word) = if ms < -SKEW_MARGIN_MS { (-ms, " after ") } else { (ms, " before ") };
    concat(&[&age(ms), word, what])
}

/// The time left, to the nearest second, so that a glance is never off by more than one.
///
/// ```
/// assert_eq!(runstate::format::countdown(722_600.0), "12 min 03 s");
/// ```
pub fn countdown(ms: f64) -> String {
    if ms.is_finite() { units((ms.max(0.0) / 1000.0).round()) } else { UNKNOWN_TIME.into() }
}

/// How long something took: milliseconds below a second, tenths below ten seconds, then whole units.
///
/// ```
/// use runstate::format::duration;
///
/// assert_eq!((duration(60.0), duration(4_190.0)), ("60 ms".into(), "4.1 s".into()));
/// assert_eq!(duration(2_050_999.0), "34 min 10 s");
/// ```
pub fn duration(ms: f64) -> String {
    if !ms.is_finite() || ms < 0.0 {
        UNKNOWN_TIME.into()
    } else if ms < 1000.0 {
        format!("{} ms", ms as u64)
    } else if ms < 10_000.0 {
        tenths((ms / 100.0) as u64)
    } else {
        age(ms)
    }
}

/// A clock offset with its error bar.
///
/// ```
/// assert_eq!(runstate::format::offset(312.0, 190.0), "+0.3 s ± 0.2 s");
/// assert_eq!(runstate::format::offset(-540_000.0, 40_000.0), "−9 min ± 40 s");
/// ```
pub fn offset(ms: f64, error_ms: f64) -> String {
    if !ms.is_finite() || !error_ms.is_finite() {
        return "unknown offset".into();
    }
    let sign = if ms < 0.0 { '−' } else { '+' };
    let (size, error) = (ms.abs(), error_ms.abs());
    if size < 60_000.0 {
        format!("{sign}{} ± {}", tenths((size / 100.0).round_ties_even() as u64), error_tenths(error))
    } else {
        format!("{sign}{} ± {}", units((size / 1000.0).round()), units((error / 1000.0).ceil()))
    }
}

/// How far a clock can be off: tenths below ten seconds, then whole units, always rounded up. `None` where that is not known,
/// and below a twentieth of a second, which nobody sees in a time that is told in seconds.
///
/// ```
/// use runstate::format::error_bar;
///
/// assert_eq!(error_bar(190.0).as_deref(), Some("± 0.2 s"));
/// assert_eq!(error_bar(72_500.0).as_deref(), Some("± 1 min 13 s"));
/// assert_eq!((error_bar(3.0), error_bar(f64::INFINITY)), (None, None));
/// ```
pub fn error_bar(ms: f64) -> Option<String> {
    if !ms.is_finite() || ms < UNSEEN_ERROR_MS {
        return None;
    }
    let bar = if ms < 10_000.0 { error_tenths(ms) } else { units((ms / 1000.0).ceil()) };
    Some(format!("± {bar}"))
}

/// An error in tenths of a second, rounded up: less would claim more than is known.
fn error_tenths(ms: f64) -> String {
    tenths((ms / 100.0).ceil() as u64)
}

/// The time of day, `14:06:08Z`.
///
/// ```
/// use runstate::{format, time::Millis};
///
/// assert_eq!(format::clock(Millis(1_763_474_518_000.0)), "14:01:58Z");
/// ```
pub fn clock(at: Millis) -> String {
    parts(at).map_or_else(|| UNKNOWN_TIME.into(), |(_, clock)| clock)
}

/// Date and time of day, `2026-11-18 14:01:58Z`.
///
/// ```
/// use runstate::{format, time::Millis};
///
/// assert_eq!(format::date_clock(Millis(1_763_474_518_000.0)), "2025-11-18 14:01:58Z");
/// assert_eq!(format::date_clock(Millis(f64::NAN)), "unknown time");
/// ```
pub fn date_clock(at: Millis) -> String {
    parts(at).map_or_else(|| UNKNOWN_TIME.into(), |(date, clock)| format!("{date} {clock}"))
}

/// The day, `18 Nov`.
///
/// ```
/// use runstate::{format, time::Millis};
///
/// assert_eq!(format::day(Millis(1_763_474_518_000.0)), "18 Nov");
/// ```
pub fn day(at: Millis) -> String {
    named_day(at).map_or_else(|| "unknown day".into(), |(day, _)| day)
}

/// The day, with its year where that is not the year of `now`.
///
/// ```
/// use runstate::format::day_near;
/// use runstate::time::Millis;
///
/// let at = Millis::parse_iso("2025-11-18T14:01:58Z").unwrap();
/// assert_eq!(day_near(at, Millis::parse_iso("2026-01-02T00:00:00Z").unwrap()), "18 Nov 2025");
/// ```
pub fn day_near(at: Millis, now: Millis) -> String {
    match (named_day(at), named_day(now)) {
        (Some((day, year)), Some((_, this_year))) if year == this_year => day,
        (Some((day, year)), _) => format!("{day} {year}"),
        (None, _) => day(at),
    }
}

/// The time of day of a moment within half a day of `now`; of any other the date as well, for it may be of another day.
///
/// ```
/// use runstate::{format, time::Millis};
///
/// let at = Millis(1_763_474_518_000.0);
/// assert_eq!(format::moment(at, Millis(at.0 + 3_600_000.0)), "14:01:58Z");
/// assert_eq!(format::moment(at, Millis(at.0 + 172_800_000.0)), "2025-11-18 14:01:58Z");
/// ```
pub fn moment(at: Millis, now: Millis) -> String {
    if is_near(at, now) { clock(at) } else { date_clock(at) }
}

/// Beside a state that held at a moment and may hold no more: the time of day within half a day of `now`, else the day.
///
/// ```
/// use runstate::{format, time::Millis};
///
/// let at = Millis(1_763_474_518_000.0);
/// assert_eq!(format::as_of(at, Millis(at.0 + 3_600_000.0)), "as of 14:01:58Z");
/// assert_eq!(format::as_of(at, Millis(at.0 + 54_000_000.0)), "on 18 Nov");
/// ```
pub fn as_of(at: Millis, now: Millis) -> String {
    if is_near(at, now) { concat(&["as of ", &clock(at)]) } else { concat(&["on ", &day_near(at, now)]) }
}

fn is_near(at: Millis, now: Millis) -> bool {
    at.since(now).abs() < HALF_A_DAY_MS
}

/// A figure with a narrow no-break space between thousands.
///
/// ```
/// assert_eq!(runstate::format::count(4127.0), "4\u{202f}127");
/// ```
pub fn count(value: f64) -> String {
    if !value.is_finite() {
        return "unknown".into();
    }
    let text = Number(value.abs()).to_text();
    let (whole, fraction) = text.split_once('.').map_or((&*text, None), |(whole, rest)| (whole, Some(rest)));
    let mut grouped = String::with_capacity(text.len() + text.len());
    if value < 0.0 {
        grouped.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) && !whole.contains('e') {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    if let Some(fraction) = fraction {
        grouped.push('.');
        grouped.push_str(fraction);
    }
    grouped
}

/// Tenths of a second as seconds.
fn tenths(tenths: u64) -> String {
    format!("{}.{} s", tenths / 10, tenths % 10)
}

/// Whole seconds in the two largest units that matter; hours up to two days, because `1 day` hides half a day.
fn units(seconds: f64) -> String {
    // Integers: the remainder of a division of fractions is 2 kB of WebAssembly.
    let seconds = seconds as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    if minutes == 0 {
        format!("{seconds} s")
    } else if hours == 0 {
        pair(minutes, "min", seconds % 60, "s")
    } else if days < 2 {
        pair(hours, "h", minutes % 60, "min")
    } else {
        format!("{} days", count(days as f64))
    }
}

fn pair(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    if small == 0 {
        format!("{large} {large_unit}")
    } else {
        format!("{large} {large_unit} {small:02} {small_unit}")
    }
}

/// Date and time of day, the zone with the latter.
fn parts(at: Millis) -> Option<(String, String)> {
    let iso = at.to_iso().ok()?;
    let (date, time) = iso.split_once('T')?;
    Some((date.into(), format!("{}Z", time.get(..8)?)))
}

/// `18 Nov` and `2026`.
fn named_day(at: Millis) -> Option<(String, String)> {
    let (date, _) = parts(at)?;
    let (rest, day) = date.rsplit_once('-')?;
    let (year, month) = rest.rsplit_once('-')?;
    let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    Some((format!("{} {month}", day.trim_start_matches('0')), year.into()))
}

#[cfg(test)]
mod tests {
    use super::{
        age, ago, before, clock, count, countdown, date_clock, day, duration, error_bar, moment, offset,
    };
    use crate::time::Millis;

    #[test]
    fn ages_change_unit_where_they_should() {
        let cases = [
            (0.0, "0 s"),
            (999.9, "0 s"),
            (59_999.0, "59 s"),
            (60_000.0, "1 min"),
            (182_000.0, "3 min 02 s"),
            (3_599_999.0, "59 min 59 s"),
            (3_600_000.0, "1 h"),
            (3_900_000.0, "1 h 05 min"),
            (93_600_000.0, "26 h"),
            (172_799_999.0, "47 h 59 min"),
            (172_800_000.0, "2 days"),
            (259_200_000.0, "3 days"),
            (86_400_000.0 * 1234.0, "1\u{202f}234 days"),
        ];
        for (ms, expected) in cases {
            assert_eq!(age(ms), expected);
        }
    }

    #[test]
    fn a_past_event_is_never_in_the_future() {
        assert_eq!((age(-0.4), age(-5_000.0)), ("0 s".into(), "0 s".into()));
        assert_eq!(ago(-4_999.0), "0 s ago");
        assert_eq!(age(-5_001.0), "5 s ahead of the clock");
        assert_eq!(ago(-540_000.0), "9 min ahead of the clock");
        for ms in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(age(ms), "unknown time");
            assert_eq!(countdown(ms), "unknown time");
            assert_eq!(duration(ms), "unknown time");
            assert_eq!(ago(ms), "at an unknown time");
        }
        assert_eq!(duration(-1.0), "unknown time");
    }

    #[test]
    fn a_countdown_ends_at_zero() {
        assert_eq!((countdown(59_499.0), countdown(59_500.0)), ("59 s".into(), "1 min".into()));
        assert_eq!(
            (countdown(500.0), countdown(0.0), countdown(-9e9)),
            ("1 s".into(), "0 s".into(), "0 s".into())
        );
    }

    #[test]
    fn durations_keep_what_is_short() {
        let cases =
            [(0.0, "0 ms"), (999.9, "999 ms"), (9_999.0, "9.9 s"), (10_000.0, "10 s"), (42_700.0, "42 s")];
        for (ms, expected) in cases {
            assert_eq!(duration(ms), expected);
        }
    }

    #[test]
    fn offsets_carry_sign_and_error() {
        assert_eq!(offset(41_000.0, 2_000.0), "+41.0 s ± 2.0 s");
        assert_eq!(offset(-59_999.0, 0.0), "−60.0 s ± 0.0 s");
        assert_eq!(offset(f64::NAN, 1.0), "unknown offset");
        assert_eq!(offset(1.0, f64::INFINITY), "unknown offset");
    }

    #[test]
    fn an_error_is_never_told_smaller_than_it_is() {
        let cases = [
            (50.0, "± 0.1 s"),
            (100.0, "± 0.1 s"),
            (101.0, "± 0.2 s"),
            (1_950.0, "± 2.0 s"),
            (9_999.0, "± 10.0 s"),
            (10_001.0, "± 11 s"),
            (60_000.0, "± 1 min"),
        ];
        for (ms, expected) in cases {
            assert_eq!(error_bar(ms).as_deref(), Some(expected), "{ms}");
        }
        for ms in [0.0, 49.9, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(error_bar(ms), None, "{ms}");
        }
    }

    #[test]
    fn moments_show_the_date_when_the_time_alone_may_be_another_day_s() {
        let now = Millis::parse_iso("2026-11-21T14:06:08.031Z").unwrap();
        let recorded = Millis::parse_iso("2026-11-18T14:01:58.900Z").unwrap();
        assert_eq!((clock(now), day(recorded)), ("14:06:08Z".into(), "18 Nov".into()));
        assert_eq!(moment(recorded, now), "2026-11-18 14:01:58Z");
        assert_eq!(moment(Millis(now.0 - 43_199_999.0), now), "02:06:08Z");
        assert_eq!(moment(Millis(now.0 + 43_200_000.0), now), "2026-11-22 02:06:08Z");
        assert_eq!(date_clock(Millis(8.64e15)), "+275760-09-13 00:00:00Z");
        assert_eq!(day(Millis(951_782_400_000.0)), "29 Feb");
        for bad in [f64::NAN, f64::INFINITY, 8.65e15] {
            assert_eq!((clock(Millis(bad)), day(Millis(bad))), ("unknown time".into(), "unknown day".into()));
            assert_eq!(moment(Millis(bad), now), "unknown time");
        }
    }

    #[test]
    fn what_came_after_a_moment_is_not_told_to_be_ahead_before_it() {
        for (ms, expected) in [
            (4_000.0, "4 s before that"),
            (-4_000.0, "0 s before that"),
            (-3_599_000.0, "59 min 59 s after that"),
            (f64::NAN, "unknown time before that"),
        ] {
            assert_eq!(before(ms, "that"), expected);
        }
    }

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0.0, "0"),
            (999.0, "999"),
            (1000.0, "1\u{202f}000"),
            (1_234_567.5, "1\u{202f}234\u{202f}567.5"),
            (-4127.0, "−4\u{202f}127"),
            (f64::NAN, "unknown"),
        ];
        for (value, expected) in cases {
            assert_eq!(count(value), expected);
        }
    }
}
