//! The deadline of a session that ran into it.

use super::Seconds;
use super::row::{read_seconds, with_object};
use crate::json::{ReadError, Slice, fields, optional};
use crate::number::Number;
use crate::text::concat;

/// What `node_metadata` holds of a deadline (ADR-0025). lionagi 0.36 never writes it.
///
/// See [`timeout_text`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timeout {
    /// The configured timeout (`timeout_seconds`).
    pub configured: Option<Seconds>,
    /// When it struck, counted from the start (`timeout_elapsed`).
    pub elapsed: Option<Seconds>,
}

impl Timeout {
    pub(super) fn read(metadata: Option<Slice<'_>>) -> Result<Self, ReadError> {
        let found = optional(metadata, |metadata| {
            with_object(metadata, |metadata| {
                let [configured, elapsed] = fields(metadata, ["timeout_seconds", "timeout_elapsed"])?;
                Ok(Self {
                    configured: optional(configured, read_seconds)?,
                    elapsed: optional(elapsed, read_seconds)?,
                })
            })
        })?;
        Ok(found.unwrap_or_default())
    }
}

/// How a session ran into its deadline, as a sentence. What was not stored is not guessed.
///
/// ```
/// use runstate::lionagi::{Seconds, Timeout, timeout_text};
///
/// let timeout = Timeout { configured: Some(Seconds(900.0)), elapsed: Some(Seconds(900.4)) };
/// assert_eq!(timeout_text(&timeout), "Timed out after 900s (configured timeout: 900s).");
/// assert_eq!(timeout_text(&Timeout::default()), "Timed out. The configured timeout was not stored.");
/// ```
pub fn timeout_text(timeout: &Timeout) -> String {
    let readable =
        |time: Option<Seconds>| time.filter(|time| time.0.is_finite() && time.0 >= 0.0).map(seconds);
    match (readable(timeout.elapsed), readable(timeout.configured)) {
        (Some(elapsed), Some(configured)) => {
            concat(&["Timed out after ", &elapsed, "s (configured timeout: ", &configured, "s)."])
        }
        (Some(elapsed), None) => {
            concat(&["Timed out after ", &elapsed, "s. The configured timeout was not stored."])
        }
        (None, Some(configured)) => concat(&["Timed out (configured timeout: ", &configured, "s)."]),
        (None, None) => "Timed out. The configured timeout was not stored.".to_owned(),
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
    use crate::lionagi::{Seconds, read_session};

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
            timeout_text(&Timeout { configured: configured.map(Seconds), elapsed: elapsed.map(Seconds) })
        };
        assert_eq!(text(Some(4.0), Some(4.09)), "Timed out after 4s (configured timeout: 4s).");
        assert_eq!(text(Some(0.5), Some(0.59)), "Timed out after 0.5s (configured timeout: 0.5s).");
        assert_eq!(text(Some(900.0), None), "Timed out (configured timeout: 900s).");
        assert_eq!(text(None, Some(900.0)), "Timed out after 900s. The configured timeout was not stored.");
        assert_eq!(text(Some(f64::NAN), Some(-1.0)), "Timed out. The configured timeout was not stored.");
    }
}
