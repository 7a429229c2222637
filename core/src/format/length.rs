//! Ages, countdowns and durations as text.

use super::UNKNOWN_TIME;
use super::figure::count;
use crate::text::concat;

/// Tolerance for past events ahead of the server clock: the clock's own error.
const SKEW_MARGIN_MS: f64 = 5_000.0;

/// An age in whole units, rounded down.
///
/// A past event slightly ahead of the clock is `0 s` old; beyond the tolerance the text says so, because the age cannot
/// be trusted.
pub(crate) fn age(ms: f64) -> String {
    if !ms.is_finite() {
        UNKNOWN_TIME.into()
    } else if ms < -SKEW_MARGIN_MS {
        format!("{} ahead of the clock", units((-ms / 1000.0).floor()))
    } else {
        units((ms.max(0.0) / 1000.0).floor())
    }
}

/// An age with `ago`, or the whole phrase if there is no age.
pub(crate) fn ago(ms: f64) -> String {
    if !ms.is_finite() {
        format!("at an {UNKNOWN_TIME}")
    } else if ms < -SKEW_MARGIN_MS {
        age(ms)
    } else {
        format!("{} ago", age(ms))
    }
}

/// An age with `ago`, in its largest unit. It changes at most once a minute.
pub(crate) fn rough_ago(ms: f64) -> String {
    let minutes = (ms / 60_000.0).floor();
    if !ms.is_finite() || ms < -SKEW_MARGIN_MS {
        ago(ms)
    } else if minutes < 1.0 {
        "just now".to_owned()
    } else if minutes < 60.0 {
        format!("{minutes} min ago")
    } else if minutes < 48.0 * 60.0 {
        format!("{} h ago", (minutes / 60.0).floor())
    } else {
        format!("{} days ago", count((minutes / 1440.0).floor()))
    }
}

/// The distance before another time: `4 s before that`, or `9 min after that` if the clocks contradict the order.
pub(crate) fn before(ms: f64, what: &str) -> String {
    let (ms, word) = if ms < -SKEW_MARGIN_MS { (-ms, " after ") } else { (ms, " before ") };
    concat(&[&age(ms), word, what])
}

/// The remaining time, to the nearest second, so that it is never off by more than one.
pub(crate) fn countdown(ms: f64) -> String {
    if ms.is_finite() { units((ms.max(0.0) / 1000.0).round()) } else { UNKNOWN_TIME.into() }
}

/// A duration: milliseconds below a second, tenths below ten seconds, then whole units.
pub(crate) fn duration(ms: f64) -> String {
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

/// Tenths of a second as seconds.
pub(super) fn tenths(tenths: u64) -> String {
    format!("{}.{} s", tenths / 10, tenths % 10)
}

/// Whole seconds in the two largest relevant units; hours up to two days, because `1 day` hides half a day.
pub(super) fn units(seconds: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::{age, ago, before, countdown, duration};

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
        assert_eq!(ago(3_000.0), "3 s ago");
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
    fn short_durations_keep_their_precision() {
        let cases =
            [(0.0, "0 ms"), (999.9, "999 ms"), (9_999.0, "9.9 s"), (10_000.0, "10 s"), (42_700.0, "42 s")];
        for (ms, expected) in cases {
            assert_eq!(duration(ms), expected);
        }
    }

    #[test]
    fn a_later_time_is_described_as_after_the_other() {
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
    fn age_in_words() {
        use crate::format::age;
        assert_eq!(age(41_999.0), "41 s");
        assert_eq!(age(252_000.0), "4 min 12 s");
        assert_eq!(age(22_320_000.0), "6 h 12 min");
        assert_eq!(age(-540_000.0), "9 min ahead of the clock");
    }

    #[test]
    fn countdown_in_words() {
        assert_eq!(crate::format::countdown(722_600.0), "12 min 03 s");
    }

    #[test]
    fn duration_in_words() {
        use crate::format::duration;
        assert_eq!((duration(60.0), duration(4_190.0)), ("60 ms".into(), "4.1 s".into()));
        assert_eq!(duration(2_050_999.0), "34 min 10 s");
    }
}
