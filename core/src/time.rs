//! Milliseconds and ISO-8601, exactly as in JavaScript.
//!
//! The wire's times are JavaScript's: a count of milliseconds since 1970 as a 64-bit float, and the text of
//! `Date.prototype.toISOString`. Any other representation would differ from the server's in the last digit.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::number::Number;

/// The largest distance from 1970 that a JavaScript `Date` can hold, in milliseconds.
const MAX_MILLIS: f64 = 8.64e15;
const DAY_MILLIS: i64 = 86_400_000;

/// Times in seconds from 2001 on; in milliseconds they would be in January or February of 1970.
const LIKE_SECONDS: std::ops::Range<f64> = 1e9..5e9;

/// Whether a time can only be in seconds.
pub(crate) fn is_in_seconds(at: f64) -> bool {
    LIKE_SECONDS.contains(&at)
}

/// The distance from 1970 from which on a number is not read as a time, in milliseconds: June 2128, where [`LIKE_SECONDS`] ends.
/// Microseconds since 1970 are later, and so is a time with a digit too many.
const MAX_DISTANCE: f64 = 5e12;

/// Whether no event can have had this time, in milliseconds.
pub(crate) fn is_out_of_range(at: f64) -> bool {
    at.is_nan() || at.abs() >= MAX_DISTANCE
}

/// A time: milliseconds since 1970-01-01T00:00:00Z. May be fractional or, as on the wire, not finite.
///
/// ```
/// use runstate::time::Millis;
///
/// assert_eq!(Millis(1_700_000_000_000.9).to_iso().unwrap(), "2023-11-14T22:13:20.000Z");
/// assert_eq!(Millis(-1.0).to_iso().unwrap(), "1969-12-31T23:59:59.999Z");
/// assert_eq!(Millis(8.64e15).to_iso().unwrap(), "+275760-09-13T00:00:00.000Z");
/// assert!(Millis(f64::NAN).to_iso().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Millis(pub f64);

/// The time is outside the range of a JavaScript `Date` (±8.64e15 ms) or is not a number.
///
/// JavaScript throws a `RangeError` in the same cases.
///
/// ```
/// use runstate::time::{InvalidTime, Millis};
///
/// let error: InvalidTime = Millis(9e15).to_iso().unwrap_err();
/// assert_eq!(error.0, 9e15);
/// assert_eq!(error.to_string(), "expected milliseconds between -8.64e15 and 8.64e15, found 9000000000000000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct InvalidTime(pub f64);

impl fmt::Display for InvalidTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Number(self.0).to_text();
        write!(f, "expected milliseconds between -8.64e15 and 8.64e15, found {found}")
    }
}

impl std::error::Error for InvalidTime {}

impl Millis {
    /// The latest of some times; the first of equal ones.
    pub(crate) fn latest(times: impl IntoIterator<Item = Self>) -> Option<Self> {
        times.into_iter().reduce(|found, next| if next > found { next } else { found })
    }

    /// The earliest of some times; the first of equal ones.
    pub(crate) fn earliest(times: impl IntoIterator<Item = Self>) -> Option<Self> {
        times.into_iter().reduce(|found, next| if next < found { next } else { found })
    }

    /// Writes the time as `Date.prototype.toISOString` does: fractions cut toward zero, years outside 0–9999 with
    /// a sign and six digits.
    ///
    /// ```
    /// use runstate::time::Millis;
    ///
    /// assert_eq!(Millis(1_763_474_518_000.0).to_iso()?, "2025-11-18T14:01:58.000Z");
    /// assert!(Millis(f64::INFINITY).to_iso().is_err());
    /// # Ok::<(), runstate::time::InvalidTime>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidTime`] in the cases in which JavaScript throws a `RangeError`.
    pub fn to_iso(self) -> Result<String, InvalidTime> {
        if !self.is_time() {
            return Err(InvalidTime(self.0));
        }
        let millis = self.0.trunc() as i64;
        let (days, of_day) = (millis.div_euclid(DAY_MILLIS), millis.rem_euclid(DAY_MILLIS) as u32);
        let (year, month, day) = civil_from_days(days as i32);
        let mut text = *b"+000000-00-00T00:00:00.000Z";
        put(&mut text[1..7], year.unsigned_abs());
        put(&mut text[8..10], month);
        put(&mut text[11..13], day);
        put(&mut text[14..16], of_day / 3_600_000);
        put(&mut text[17..19], of_day / 60_000 % 60);
        put(&mut text[20..22], of_day / 1000 % 60);
        put(&mut text[23..26], of_day % 1000);
        if year < 0 {
            text[0] = b'-';
        }
        let begin = if (0..=9999).contains(&year) { 3 } else { 0 };
        // All of it is ASCII.
        Ok(str::from_utf8(&text[begin..]).unwrap_or_default().to_owned())
    }

    /// Whether a JavaScript `Date` can represent the time.
    pub(crate) fn is_time(self) -> bool {
        self.0.abs() <= MAX_MILLIS
    }

    /// Reads a time in the ISO-8601 form of `toISOString`, in UTC or with an offset; the milliseconds are optional.
    ///
    /// Returns `None` for any other form: guessing a zone would invent a time.
    ///
    /// ```
    /// use runstate::time::Millis;
    ///
    /// assert_eq!(Millis::parse_iso("1969-12-31T23:59:59.999Z"), Some(Millis(-1.0)));
    /// assert_eq!(Millis::parse_iso("1970-01-01T02:00:00+02:00"), Some(Millis(0.0)));
    /// assert_eq!(Millis::parse_iso("2026-02-30T00:00:00.000Z"), None);
    /// assert_eq!(Millis::parse_iso("2026-02-20T00:00:00.000"), None);
    /// assert_eq!(Millis::parse_iso("yesterday"), None);
    /// ```
    pub fn parse_iso(text: &str) -> Option<Self> {
        IsoTime::parse(text, JAVASCRIPT)?.moment()
    }

    /// Milliseconds from `earlier` to this time; negative if this time is earlier.
    ///
    /// ```
    /// use runstate::time::Millis;
    ///
    /// let (heartbeat, now) = (Millis(1_000.0), Millis(48_000.0));
    /// assert_eq!(now.since(heartbeat), 47_000.0);
    /// ```
    pub fn since(self, earlier: Self) -> f64 {
        self.0 - earlier.0
    }
}

/// Writes the last digits of a number, padded with zeros.
fn put(places: &mut [u8], mut number: u32) {
    for place in places.iter_mut().rev() {
        *place = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// The variations of ISO-8601 among writers. All have the same date and clock, `2026-11-21T20:40:38`: the `T`, two
/// digits for each figure, no leap second and no hour 24; years outside 0–9999 have a sign and six digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IsoForm {
    pub(crate) fraction: Fraction,
    pub(crate) zone: Zone,
}

/// The digits after the seconds, optional in all forms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fraction {
    /// Three digits.
    Milliseconds,
    /// Any number of digits; those after the third are ignored.
    CutToMilliseconds,
    /// Any number of digits; those after the ninth are ignored.
    Nanoseconds,
}

/// The time zones of a form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Zone {
    /// `Z` or `+00:00`.
    Utc,
    /// `Z` or an offset.
    Any,
    /// `Z`, an offset, or none.
    Optional,
}

/// `Date.prototype.toISOString` (ECMA-262, 21.4.4.36).
const JAVASCRIPT: IsoForm = IsoForm { fraction: Fraction::Milliseconds, zone: Zone::Any };

/// A parsed time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IsoTime {
    /// The date and clock, read as UTC.
    local: f64,
    /// The offset of the zone from UTC; `None` without a zone.
    offset_minutes: Option<i64>,
}

impl IsoTime {
    /// Reads a text; `None` if it does not have the form.
    pub(crate) fn parse(text: &str, form: IsoForm) -> Option<Self> {
        let (date, rest) = text.split_once('T')?;
        let (clock, rest) = rest.split_at_checked("hh:mm:ss".len())?;
        let (fraction, zone) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())),
            None => ("0", rest),
        };
        let three = fraction.len() == 3 || !rest.starts_with('.');
        let kept = match form.fraction {
            Fraction::Milliseconds => three.then_some(3)?,
            Fraction::CutToMilliseconds => 3,
            Fraction::Nanoseconds => 9,
        };
        let whole = day_count(date)? * DAY_MILLIS + clock_millis(clock)?;
        let local = whole as f64 + fraction_millis(fraction, kept)?;
        (local.abs() <= MAX_MILLIS).then_some(())?;
        Some(Self { local, offset_minutes: form.zone.offset_minutes(zone)? })
    }

    /// The time in UTC; `None` without a zone.
    pub(crate) fn moment(self) -> Option<Millis> {
        Some(Millis(self.local - self.offset_minutes? as f64 * 60_000.0)).filter(|moment| moment.is_time())
    }
}

impl Zone {
    /// The offset of a zone; the inner value is `None` without a zone.
    #[allow(clippy::option_option, reason = "the outer one says whether the form has the zone")]
    fn offset_minutes(self, text: &str) -> Option<Option<i64>> {
        match (text, self) {
            ("Z", _) | ("+00:00", Self::Utc) => Some(Some(0)),
            ("", Self::Optional) => Some(None),
            (_, Self::Utc) => None,
            (_, Self::Any | Self::Optional) => {
                let (sign, rest) = text.split_at_checked(1)?;
                let (hours, minutes) = rest.split_once(':')?;
                let offset = below(24, hours)? * 60 + below(60, minutes)?;
                match sign {
                    "+" => Some(Some(offset)),
                    "-" => Some(Some(-offset)),
                    _ => None,
                }
            }
        }
    }
}

/// The days since 1970 of a date such as `2026-11-21`.
fn day_count(date: &str) -> Option<i64> {
    let sign = date.as_bytes().first().filter(|byte| matches!(byte, b'+' | b'-'));
    let (year, rest) = date.split_at_checked(if sign.is_some() { 7 } else { 4 })?;
    let year = match sign {
        // There is no year -0.
        Some(b'-') => -digits(&year[1..]).filter(|year| *year > 0)?,
        Some(_) => digits(&year[1..])?,
        None => digits(year)?,
    };
    let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
    let (month, day) = (below(13, month)?, below(32, day)?);
    let days = days_from_civil(year, month, day);
    let (same_year, same_month, same_day) = civil_from_days(days as i32);
    let same = (i64::from(same_year), i64::from(same_month), i64::from(same_day)) == (year, month, day);
    same.then_some(days)
}

/// The milliseconds since midnight of a clock such as `20:40:38`.
fn clock_millis(clock: &str) -> Option<i64> {
    let mut figures = clock.split(':');
    let mut next = |limit| below(limit, figures.next()?);
    let (hour, minute, second) = (next(24)?, next(60)?, next(60)?);
    figures.next().is_none().then_some(hour * 3_600_000 + minute * 60_000 + second * 1000)
}

/// The first digits after the seconds as milliseconds: 324.375 for `324375`.
fn fraction_millis(fraction: &str, kept: usize) -> Option<f64> {
    let (mut unit, mut millis) = (100.0, 0.0);
    for digit in fraction.bytes().take(kept) {
        millis += f64::from(digit - b'0') * unit;
        unit /= 10.0;
    }
    (!fraction.is_empty()).then_some(millis)
}

fn digits(text: &str) -> Option<i64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) { None } else { text.parse().ok() }
}

/// Two digits whose value is below a limit.
fn below(limit: i64, text: &str) -> Option<i64> {
    if text.len() == 2 { digits(text).filter(|value| *value < limit) } else { None }
}

/// The day count since 1970 of a proleptic Gregorian date; the year starts in March so that leap days come last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse of [`days_from_civil`], for the days that a `Date` can hold and some thousands of years more.
fn civil_from_days(days: i32) -> (i32, u32, u32) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097) as u32);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era.cast_signed() + i32::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::{Fraction, IsoForm, IsoTime, Millis, Zone};

    #[test]
    fn iso_text_round_trips_over_the_whole_range() {
        for millis in
            [-8.64e15, -62_198_755_200_000.0, -1.0, 0.0, 951_782_400_000.0, 253_402_300_800_000.0, 8.64e15]
        {
            let text = Millis(millis).to_iso().unwrap();
            assert_eq!(Millis::parse_iso(&text), Some(Millis(millis)), "{text}");
        }
        assert_eq!(Millis(-8.64e15).to_iso().unwrap(), "-271821-04-20T00:00:00.000Z");
        assert_eq!(Millis(-62_198_755_200_000.0).to_iso().unwrap(), "-000001-01-01T00:00:00.000Z");
    }

    #[test]
    fn text_in_other_forms_is_refused() {
        let refused = [
            "",
            "Z",
            "T",
            "2026-01-01",
            "2026-01-01T00:00:00",
            "2026-1-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-06-30T23:59:60Z",
            "+275760-09-14T00:00:00.000Z",
            "-000000-01-01T00:00:00.000Z",
            "+2026-01-01T00:00:00.000Z",
            "12026-01-01T00:00:00.000Z",
            "2026-01-01T00:00:00.00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00.000000Z",
            "２０26-01-01T00:00:00Z",
            "2026-01-01T00:00:0é",
            "2026-01-01T00:00:00+0000",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00:00Z",
            "2026-01-01T00:00Z",
            "2026-01-01 00:00:00Z",
            "2026-01-01t00:00:00z",
            " 2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00ZZ",
            "20260101T000000Z",
        ];
        for text in refused {
            assert_eq!(Millis::parse_iso(text), None, "{text}");
        }
    }

    #[test]
    fn forms_differ_in_fraction_and_zone_alone() {
        use Fraction::{CutToMilliseconds, Milliseconds, Nanoseconds};
        let base = Millis::parse_iso("2026-11-21T20:40:38Z").unwrap().0;
        let parse = |text: &str, fraction, zone| {
            let time = IsoTime::parse(&format!("2026-11-21T{text}"), IsoForm { fraction, zone })?;
            Some(time.moment().map(|moment| moment.0 - base))
        };
        for (text, fraction, zone, expected) in [
            ("20:40:38.324Z", Milliseconds, Zone::Utc, Some(Some(324.0))),
            ("20:40:38.324375Z", Milliseconds, Zone::Utc, None),
            ("20:40:38.324375Z", CutToMilliseconds, Zone::Utc, Some(Some(324.0))),
            ("20:40:38.5Z", Nanoseconds, Zone::Utc, Some(Some(500.0))),
            ("20:40:38.1250000009Z", Nanoseconds, Zone::Utc, Some(Some(125.0))),
            ("20:40:38.Z", Nanoseconds, Zone::Utc, None),
            ("20:40:38", Nanoseconds, Zone::Any, None),
            ("20:40:38", Nanoseconds, Zone::Optional, Some(None)),
            ("20:40:38+00:00", Milliseconds, Zone::Utc, Some(Some(0.0))),
            ("20:40:38-00:00", Milliseconds, Zone::Utc, None),
            ("22:10:38+01:30", Milliseconds, Zone::Utc, None),
            ("22:10:38+01:30", Milliseconds, Zone::Any, Some(Some(0.0))),
            ("12:40:38-08:00", Milliseconds, Zone::Optional, Some(Some(0.0))),
            ("12:40:38-24:00", Milliseconds, Zone::Any, None),
            ("12:40:38-08:60", Milliseconds, Zone::Any, None),
            ("12:40:38-0800", Milliseconds, Zone::Any, None),
            ("12:40:38-8:00", Milliseconds, Zone::Any, None),
            ("12:40:38é8:00", Milliseconds, Zone::Any, None),
        ] {
            assert_eq!(parse(text, fraction, zone), expected, "{text} {fraction:?} {zone:?}");
        }
    }
}
