//! lionagi's times: seconds since 1970 as Python writes them.

use crate::text;
use crate::time::Millis;

/// A moment or a length of time in seconds, as lionagi's rows have it. The rest of Runstate counts milliseconds.
///
/// ```
/// use runstate::lionagi::wire::Seconds;
/// use runstate::time::Millis;
///
/// assert_eq!(Seconds(1_716_300_000.5).to_millis(), Millis(1_716_300_000_500.0));
/// assert_eq!(Seconds::from(Millis(1_500.0)), Seconds(1.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Seconds(pub f64);

impl Seconds {
    /// The same moment in milliseconds.
    pub fn to_millis(self) -> Millis {
        Millis(self.0 * 1000.0)
    }
}

impl From<Millis> for Seconds {
    fn from(at: Millis) -> Self {
        Self(at.0 / 1000.0)
    }
}

/// Python's ISO-8601 in UTC: `2026-11-21T20:45:18.149365+00:00`. Any other form is `None`.
pub(crate) fn parse_iso(text: &str) -> Option<Millis> {
    let time = text.strip_suffix("+00:00").or_else(|| text.strip_suffix('Z'))?;
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, ""));
    let digits = fraction.get(..fraction.len().min(3)).unwrap_or_default();
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let milli = digits.bytes().fold(0.0, |sum, digit| sum * 10.0 + f64::from(digit - b'0'));
    let scale = [1000.0, 100.0, 10.0, 1.0].get(digits.len()).copied().unwrap_or(1.0);
    let whole = Millis::parse_iso(&text::concat(&[seconds, "Z"]))?;
    Some(Millis(whole.0 + milli * scale))
}

#[cfg(test)]
mod tests {
    use super::parse_iso;
    use crate::time::Millis;

    #[test]
    fn pythons_times_are_read() {
        for (text, iso) in [
            ("2026-11-21T20:45:18.149365+00:00", "2026-11-21T20:45:18.149Z"),
            ("2026-11-21T20:45:18+00:00", "2026-11-21T20:45:18.000Z"),
            ("2026-11-21T20:45:18.5Z", "2026-11-21T20:45:18.500Z"),
        ] {
            assert_eq!(parse_iso(text), Millis::parse_iso(iso), "{text}");
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for text in
            ["", "soon", "2026-11-21T20:45:18", "2026-11-21T20:45:18+02:00", "2026-11-21T20:45:18.x+00:00"]
        {
            assert_eq!(parse_iso(text), None, "{text}");
        }
    }
}
