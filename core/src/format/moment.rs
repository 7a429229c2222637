//! Times as text: the time of day, the day, or both.

use super::UNKNOWN_TIME;
use crate::text::concat;
use crate::time::Millis;

/// Within half a day, a time of day cannot be mistaken for that of another day.
const HALF_A_DAY_MS: f64 = 43_200_000.0;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

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
pub fn date_clock(at: Millis) -> String {
    parts(at).map_or_else(|| UNKNOWN_TIME.into(), |(date, clock)| format!("{date} {clock}"))
}

/// The day, `18 Nov`.
pub(crate) fn day(at: Millis) -> String {
    named_day(at).map_or_else(|| "unknown day".into(), |(day, _)| day)
}

/// The day, with its year if that differs from the year of `now`.
pub(crate) fn day_near(at: Millis, now: Millis) -> String {
    match (named_day(at), named_day(now)) {
        (Some((day, year)), Some((_, this_year))) if year == this_year => day,
        (Some((day, year)), _) => format!("{day} {year}"),
        (None, _) => day(at),
    }
}

/// The time of day within half a day of `now`; otherwise with the date, since it may be another day.
pub(crate) fn moment(at: Millis, now: Millis) -> String {
    if is_near(at, now) { clock(at) } else { date_clock(at) }
}

/// The time of a possibly outdated state: the time of day within half a day of `now`, else the day.
pub(crate) fn as_of(at: Millis, now: Millis) -> String {
    if is_near(at, now) { concat(&["as of ", &clock(at)]) } else { concat(&["on ", &day_near(at, now)]) }
}

fn is_near(at: Millis, now: Millis) -> bool {
    at.since(now).abs() < HALF_A_DAY_MS
}

/// Date and time of day, the latter with its zone.
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
    use super::{clock, date_clock, day, moment};
    use crate::time::Millis;

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
    fn a_date_is_written_with_its_time() {
        assert_eq!(super::date_clock(Millis(1_763_474_518_000.0)), "2025-11-18 14:01:58Z");
        assert_eq!(super::date_clock(Millis(f64::NAN)), "unknown time");
    }

    #[test]
    fn a_day_is_written_with_its_month() {
        assert_eq!(super::day(Millis(1_763_474_518_000.0)), "18 Nov");
    }

    #[test]
    fn the_year_is_shown_if_it_differs_from_now() {
        use super::day_near;

        let at = Millis::parse_iso("2025-11-18T14:01:58Z").unwrap();
        assert_eq!(day_near(at, Millis::parse_iso("2026-01-02T00:00:00Z").unwrap()), "18 Nov 2025");
    }

    #[test]
    fn as_of_in_words() {
        use crate::{format, time::Millis};
        let at = Millis(1_763_474_518_000.0);
        assert_eq!(format::as_of(at, Millis(at.0 + 3_600_000.0)), "as of 14:01:58Z");
        assert_eq!(format::as_of(at, Millis(at.0 + 54_000_000.0)), "on 18 Nov");
    }
}
