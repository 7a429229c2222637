//! Milliseconds and ISO-8601, exactly as JavaScript has them.
//!
//! The wire's times are JavaScript's: a count of milliseconds since 1970 as a 64-bit float, and text as
//! `Date.prototype.toISOString` writes it. Anything else would disagree with the server in the last digit.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::number::Number;

/// The largest distance from 1970 that a JavaScript `Date` can hold, in milliseconds.
const MAX_MILLIS: f64 = 8.64e15;
const DAY_MILLIS: i64 = 86_400_000;

/// A moment: milliseconds since 1970-01-01T00:00:00Z. May be fractional or, as on the wire, not finite.
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

/// The moment lies outside what a JavaScript `Date` can hold (±8.64e15 ms) or is not a number.
///
/// JavaScript throws a `RangeError` in the same cases.
///
/// ```
/// use runstate::time::{InvalidTime, Millis};
///
/// assert_eq!(Millis(9e15).to_iso(), Err(InvalidTime(9e15)));
/// assert_eq!(InvalidTime(9e15).to_string(), "expected milliseconds between -8.64e15 and 8.64e15, found 9000000000000000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InvalidTime(pub f64);

impl fmt::Display for InvalidTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Number(self.0).to_text();
        write!(f, "expected milliseconds between -8.64e15 and 8.64e15, found {found}")
    }
}

impl std::error::Error for InvalidTime {}

impl Millis {
    /// Writes the moment as `Date.prototype.toISOString` does: fractions cut toward zero, years outside 0–9999 with
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
    /// [`InvalidTime`] where JavaScript throws a `RangeError`.
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

    /// Whether a JavaScript `Date` can hold the moment.
    pub(crate) fn is_time(self) -> bool {
        self.0.abs() <= MAX_MILLIS
    }

    /// Reads a UTC moment in the ISO-8601 form that `toISOString` writes (the milliseconds may be left out).
    ///
    /// Text in any other form is `None`: guessing a zone would invent a time.
    ///
    /// ```
    /// use runstate::time::Millis;
    ///
    /// assert_eq!(Millis::parse_iso("1969-12-31T23:59:59.999Z"), Some(Millis(-1.0)));
    /// assert_eq!(Millis::parse_iso("2026-02-30T00:00:00.000Z"), None);
    /// assert_eq!(Millis::parse_iso("yesterday"), None);
    /// ```
    pub fn parse_iso(text: &str) -> Option<Self> {
        let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
        let (year, rest) = match date.as_bytes().first()? {
            b'+' => (digits(date.get(1..7)?)?, date.get(7..)?),
            b'-' => (-digits(date.get(1..7)?)?, date.get(7..)?),
            _ => (digits(date.get(..4)?)?, date.get(4..)?),
        };
        let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
        let (month, day) = (two(month)?, two(day)?);
        let (clock, milli) = match time.split_once('.') {
            Some((clock, milli)) => (clock, if milli.len() == 3 { digits(milli)? } else { return None }),
            None => (time, 0),
        };
        let mut parts = clock.split(':');
        let (hour, minute, second) = (two(parts.next()?)?, two(parts.next()?)?, two(parts.next()?)?);
        if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let days = days_from_civil(year, month, day);
        let (same_year, same_month, same_day) = civil_from_days(days as i32);
        if (i64::from(same_year), i64::from(same_month), i64::from(same_day)) != (year, month, day) {
            return None;
        }
        let millis = (days * DAY_MILLIS + hour * 3_600_000 + minute * 60_000 + second * 1000 + milli) as f64;
        (millis.abs() <= MAX_MILLIS).then_some(Self(millis))
    }

    /// Milliseconds from `earlier` to this moment; negative when it lies before.
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

/// Writes the last digits of a number, zeros before them.
fn put(places: &mut [u8], mut number: u32) {
    for place in places.iter_mut().rev() {
        *place = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

fn digits(text: &str) -> Option<i64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) { None } else { text.parse().ok() }
}

fn two(text: &str) -> Option<i64> {
    if text.len() == 2 { digits(text) } else { None }
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
    use super::Millis;

    #[test]
    fn iso_text_goes_both_ways_over_the_whole_range() {
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
    fn what_is_not_that_form_is_refused() {
        let refused = [
            "",
            "Z",
            "T",
            "2026-01-01",
            "2026-01-01T00:00:00",
            "2026-1-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "+275760-09-14T00:00:00.000Z",
            "2026-01-01T00:00:00.00Z",
            "２０26-01-01T00:00:00Z",
            "2026-01-01T00:00:00+00:00",
            "2026-01-01T00:00:00:00Z",
        ];
        for text in refused {
            assert_eq!(Millis::parse_iso(text), None, "{text}");
        }
    }
}
