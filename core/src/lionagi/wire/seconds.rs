//! lionagi's times: seconds since 1970, or Python's ISO-8601.

use serde::{Deserialize, Serialize};

use crate::time::{Fraction, IsoForm, IsoTime, Millis, Zone};

/// A time or a duration in seconds, as in lionagi's rows. The rest of Runstate uses milliseconds.
///
/// ```
/// use runstate::lionagi::wire::Seconds;
/// use runstate::time::Millis;
///
/// assert_eq!(Seconds::from(Millis(1_500.0)), Seconds(1.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize, Serialize)]
pub struct Seconds(pub f64);

impl Seconds {
    /// The same time in milliseconds.
    pub(crate) fn to_millis(self) -> Millis {
        Millis(self.0 * 1000.0)
    }
}

impl From<Millis> for Seconds {
    fn from(at: Millis) -> Self {
        Self(at.0 / 1000.0)
    }
}

/// `datetime.now(timezone.utc).isoformat()`: six digits of a second, or none for zero, and the offset of UTC. The digits
/// after the milliseconds are dropped.
const PYTHON: IsoForm = IsoForm { fraction: Fraction::CutToMilliseconds, zone: Zone::Utc };

/// Python's ISO-8601 in UTC: `2026-11-21T20:45:18.149365+00:00`. Any other form is `None`.
pub(crate) fn parse_iso(text: &str) -> Option<Millis> {
    IsoTime::parse(text, PYTHON)?.moment()
}

#[cfg(test)]
mod tests {
    use super::{Seconds, parse_iso};
    use crate::time::Millis;

    #[test]
    fn seconds_are_milliseconds_elsewhere() {
        assert_eq!(Seconds(1_716_300_000.5).to_millis(), Millis(1_716_300_000_500.0));
    }

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
        for text in [
            "",
            "soon",
            "2026-11-21T20:45:18",
            "2026-11-21T20:45:18+02:00",
            "2026-11-21T20:45:18.x+00:00",
            "2026-11-21T20:45:18.+00:00",
            "2026-11-21 20:45:18+00:00",
        ] {
            assert_eq!(parse_iso(text), None, "{text}");
        }
    }
}
