//! Times as tnh-conductor writes them: ISO-8601 with microseconds, `Z` or an offset.

use crate::json::{ReadError, Slice};
use crate::time::Millis;

/// A time from a file: its text, and the moment if it is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamp {
    /// Exactly as it came.
    pub text: String,
    /// The moment; `None` where the zone is missing, because guessing one would invent a time.
    pub at: Option<Millis>,
}

impl Stamp {
    /// Reads a time; `None` where the text is no time at all.
    ///
    /// ```
    /// use runstate::conductor::wire::Stamp;
    ///
    /// assert!(Stamp::parse("2026-11-21T20:40:38.324375Z").unwrap().at.is_some());
    /// assert_eq!(Stamp::parse("2026-11-21T12:00:00").unwrap().at, None);
    /// assert_eq!(Stamp::parse("yesterday"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (local, offset_minutes) = zone(text);
        let (whole, fraction) = local.split_once('.').unwrap_or((local, "0"));
        if !whole.contains('T') || fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let mut utc = whole.to_owned();
        utc.push('Z');
        let Millis(base) = Millis::parse_iso(&utc)?;
        let at = offset_minutes.map(|minutes| Millis(base + fraction_millis(fraction) - minutes * 60_000.0));
        Some(Self { text: text.to_owned(), at })
    }

    /// A required time of an object; the error says what stands there instead.
    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let text = slice.text().and_then(|text| Self::parse(&text));
        text.ok_or_else(|| slice.expected("a time as 2026-11-21T20:40:38.324375Z"))
    }
}

/// The text without its zone, and the zone's minutes; a text without a zone keeps all of itself.
fn zone(text: &str) -> (&str, Option<f64>) {
    if let Some(local) = text.strip_suffix('Z') {
        return (local, Some(0.0));
    }
    let offset = |at: usize| {
        let (local, offset) = text.split_at_checked(at)?;
        let sign = if offset.starts_with('-') { -1.0 } else { 1.0 };
        let (hours, minutes) = offset.get(1..)?.split_once(':')?;
        Some((local, sign * (two(hours)? * 60.0 + two(minutes)?)))
    };
    let signed = text.ends_with(|c: char| c.is_ascii_digit())
        && text.len().checked_sub(6).is_some_and(|at| matches!(text.as_bytes().get(at), Some(b'+' | b'-')));
    match text.len().checked_sub(6).filter(|_| signed).and_then(offset) {
        Some((local, minutes)) => (local, Some(minutes)),
        None => (text, None),
    }
}

fn two(text: &str) -> Option<f64> {
    match text.as_bytes() {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(f64::from(a - b'0') * 10.0 + f64::from(b - b'0')),
        _ => None,
    }
}

/// `324375` behind the point of a second as milliseconds.
fn fraction_millis(digits: &str) -> f64 {
    let mut unit = 100.0;
    let mut millis = 0.0;
    for digit in digits.bytes().take(9) {
        millis += f64::from(digit - b'0') * unit;
        unit /= 10.0;
    }
    millis
}

#[cfg(test)]
mod tests {
    use super::Stamp;
    use crate::time::Millis;

    #[test]
    fn a_moment_is_read_to_the_microsecond() {
        let base = Millis::parse_iso("2026-11-21T20:40:38Z").unwrap().0;
        for (text, millis) in [
            ("2026-11-21T20:40:38Z", 0.0),
            ("2026-11-21T20:40:38.5Z", 500.0),
            ("2026-11-21T20:40:38.324375Z", 324.375),
            ("2026-11-21T20:40:38.324375+00:00", 324.375),
            ("2026-11-21T22:10:38.324375+01:30", 324.375),
            ("2026-11-21T12:40:38-08:00", 0.0),
        ] {
            let at = Stamp::parse(text).unwrap().at.unwrap().0;
            assert!((at - base - millis).abs() < 0.001, "{text}");
        }
    }

    #[test]
    fn a_time_without_a_zone_is_a_time_but_no_moment() {
        for text in ["2026-11-21T12:00:00", "2026-11-21T12:00:00.123456"] {
            assert_eq!(Stamp::parse(text), Some(Stamp { text: text.into(), at: None }));
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "Z",
            "yesterday",
            "2026-11-21",
            "2026-11-21Z",
            "2026-02-30T00:00:00Z",
            "2026-11-21T25:00:00Z",
            "2026-11-21T20:40:38.Z",
            "2026-11-21T20:40:38.12x4Z",
            "2026-11-21 20:40:38Z",
            "2026-11-21T20:40:38+1:00",
            "2026-11-21T20:40:38+ab:00",
            "1700000000",
            "日2026-11-21T20:40:38+00:00",
        ] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
    }
}
