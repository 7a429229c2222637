//! Times as tnh-conductor writes them: ISO-8601 with microseconds, `Z` or an offset.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};

use crate::time::{Fraction, IsoForm, IsoTime, Millis, Zone};

/// The kernel writes `Z` and microseconds (omitted if zero), and in `workspace_context` the local offset (protocol
/// section 1). Its own model accepts times without a zone: such a time is not read as UTC, and the run has a note about
/// it.
const ISO: IsoForm = IsoForm { fraction: Fraction::Nanoseconds, zone: Zone::Optional };

/// A time from a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Timestamp {
    /// The time verbatim.
    pub text: String,
    /// The time; `None` without a time zone.
    pub at: Option<Millis>,
}

impl Timestamp {
    /// Reads a time; `None` for any other text.
    ///
    /// ```
    /// use runstate::conductor::wire::Timestamp;
    ///
    /// assert!(Timestamp::parse("2026-11-21T20:40:38.324375Z").unwrap().at.is_some());
    /// assert_eq!(Timestamp::parse("2026-11-21T12:00:00").unwrap().at, None);
    /// assert_eq!(Timestamp::parse("yesterday"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let at = IsoTime::parse(text, ISO)?.moment();
        Some(Self { text: text.to_owned(), at })
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_str(TimestampVisitor)
    }
}

struct TimestampVisitor;

impl Visitor<'_> for TimestampVisitor {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time as 2026-11-21T20:40:38.324375Z")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
        Timestamp::parse(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;
    use crate::time::Millis;

    #[test]
    fn a_time_is_read_to_the_microsecond() {
        let base = Millis::parse_iso("2026-11-21T20:40:38Z").unwrap().0;
        for (text, millis) in [
            ("2026-11-21T20:40:38Z", 0.0),
            ("2026-11-21T20:40:38.5Z", 500.0),
            ("2026-11-21T20:40:38.324375Z", 324.375),
            ("2026-11-21T20:40:38.324375+00:00", 324.375),
            ("2026-11-21T22:10:38.324375+01:30", 324.375),
            ("2026-11-21T12:40:38-08:00", 0.0),
        ] {
            let at = Timestamp::parse(text).unwrap().at.unwrap().0;
            assert!((at - base - millis).abs() < 0.001, "{text}");
        }
    }

    #[test]
    fn a_time_without_a_zone_has_only_its_text() {
        for text in ["2026-11-21T12:00:00", "2026-11-21T12:00:00.123456"] {
            assert_eq!(Timestamp::parse(text), Some(Timestamp { text: text.into(), at: None }));
        }
    }

    #[test]
    fn other_text_is_refused() {
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
            "2026-11-21T20:40:38+24:00",
            "2026-11-21T20:40:38+00:60",
            "1700000000",
            "日2026-11-21T20:40:38+00:00",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }
}
