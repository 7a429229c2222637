//! The deadline of a session that ran into it.

use super::Seconds;
use super::row::{read_seconds, with_object};
use super::rows::Notes;
use crate::json::{Slice, fields, optional};
use crate::number::Number;
use crate::text::concat;

/// What `node_metadata` holds of a deadline (ADR-0025). lionagi 0.36 never writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timeout {
    /// The configured timeout (`timeout_seconds`).
    pub configured: Option<Seconds>,
    /// When it struck, counted from the start (`timeout_elapsed`).
    pub elapsed: Option<Seconds>,
    /// Whether the document has the column at all. `/api/runs` and `li` leave it out.
    pub told: bool,
}

impl Timeout {
    pub(crate) fn read(metadata: Option<Slice<'_>>, notes: &mut Notes) -> Self {
        let found = optional(metadata, |metadata| {
            with_object(metadata, |metadata| {
                let [configured, elapsed] = fields(metadata, ["timeout_seconds", "timeout_elapsed"])?;
                Ok(Self {
                    configured: optional(configured, read_seconds)?,
                    elapsed: optional(elapsed, read_seconds)?,
                    told: true,
                })
            })
        });
        let before = notes.len();
        let found = notes.column("node_metadata", found);
        // What a broken column holds was not told.
        Self { told: metadata.is_some() && notes.len() == before, ..found.unwrap_or_default() }
    }
}

/// How a session ran into its deadline, as a sentence. What was not stored is not guessed, and what the document does not tell
/// is not called not stored.
///
/// ```
/// use runstate::lionagi::wire::{Seconds, Timeout, timeout_text};
///
/// let timeout = Timeout { configured: Some(Seconds(900.0)), elapsed: Some(Seconds(900.4)), told: true };
/// assert_eq!(timeout_text(&timeout), "Timed out after 900s (configured timeout: 900s).");
/// let nothing = Timeout { told: true, ..Timeout::default() };
/// assert_eq!(timeout_text(&nothing), "Timed out. The configured timeout was not stored.");
/// assert_eq!(timeout_text(&Timeout::default()), "Timed out. This document does not tell the configured timeout.");
/// ```
pub fn timeout_text(timeout: &Timeout) -> String {
    let readable =
        |time: Option<Seconds>| time.filter(|time| time.0.is_finite() && time.0 >= 0.0).map(seconds);
    let missing = if timeout.told {
        "The configured timeout was not stored."
    } else {
        "This document does not tell the configured timeout."
    };
    match (readable(timeout.elapsed), readable(timeout.configured)) {
        (Some(elapsed), Some(configured)) => {
            concat(&["Timed out after ", &elapsed, "s (configured timeout: ", &configured, "s)."])
        }
        (Some(elapsed), None) => concat(&["Timed out after ", &elapsed, "s. ", missing]),
        (None, Some(configured)) => concat(&["Timed out (configured timeout: ", &configured, "s)."]),
        (None, None) => concat(&["Timed out. ", missing]),
    }
}

/// Whole seconds, cut; tenths below ten, where they matter.
fn seconds(time: Seconds) -> String {
    let shown = if time.0 < 10.0 { (time.0 * 10.0).floor() / 10.0 } else { time.0.floor() };
    Number(shown).to_text()
}

#[cfg(test)]
mod tests {
    use super::{Timeout, timeout_text};
    use crate::lionagi::wire::{Seconds, read_session};

    #[test]
    fn metadata_is_read_as_an_object_and_as_text() {
        for metadata in [
            r#"{"timeout_seconds":900,"timeout_elapsed":900.4}"#,
            r#""{\"timeout_seconds\": 900, \"timeout_elapsed\": 900.4}""#,
        ] {
            let row =
                read_session(&format!(r#"{{"status":"timed_out","node_metadata":{metadata}}}"#)).unwrap();
            assert_eq!(timeout_text(&row.timeout), "Timed out after 900s (configured timeout: 900s).");
        }
    }

    #[test]
    fn a_column_that_is_left_out_is_not_a_column_without_a_timeout() {
        let of = |column: &str| {
            timeout_text(&read_session(&format!(r#"{{"status":"timed_out"{column}}}"#)).unwrap().timeout)
        };
        let not_told = "Timed out. This document does not tell the configured timeout.";
        let not_stored = "Timed out. The configured timeout was not stored.";
        assert_eq!(of(""), not_told);
        for column in [r#","node_metadata":null"#, r#","node_metadata":{}"#, r#","node_metadata":"null""#] {
            assert_eq!(of(column), not_stored, "{column}");
        }
    }

    #[test]
    fn what_is_no_metadata_is_refused() {
        for metadata in
            [r#""{""#, "7", r#"{"timeout_seconds":"900"}"#, r#""[]""#, r#"{"timeout_elapsed":true}"#]
        {
            let json = format!(r#"{{"status":"timed_out","node_metadata":{metadata}}}"#);
            let error = read_session(&json).unwrap_err();
            assert!(error.message.starts_with("Expected"), "{metadata}: {}", error.message);
        }
    }

    #[test]
    fn each_part_is_told_alone() {
        let text = |configured: Option<f64>, elapsed: Option<f64>| {
            timeout_text(&Timeout {
                configured: configured.map(Seconds),
                elapsed: elapsed.map(Seconds),
                told: true,
            })
        };
        assert_eq!(text(Some(4.0), Some(4.09)), "Timed out after 4s (configured timeout: 4s).");
        assert_eq!(text(Some(0.5), Some(0.59)), "Timed out after 0.5s (configured timeout: 0.5s).");
        assert_eq!(text(Some(900.0), None), "Timed out (configured timeout: 900s).");
        assert_eq!(text(None, Some(900.0)), "Timed out after 900s. The configured timeout was not stored.");
        assert_eq!(text(Some(f64::NAN), Some(-1.0)), "Timed out. The configured timeout was not stored.");
    }
}
