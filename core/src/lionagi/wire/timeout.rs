//! The timeout of a session with the status `timed_out`.

use super::Seconds;
use super::column::{RowProblems, with_object};
use crate::json::{Slice, decisive, record};
use crate::number::Number;
use crate::text::concat;

record! {
    /// The timeout in `node_metadata` (ADR-0025). lionagi 0.36 never writes it.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    #[non_exhaustive]
    pub struct Timeout {
        /// The configured timeout.
        #[serde(rename = "timeout_seconds")]
        pub configured: Option<Seconds>,
        /// The time from the start to the timeout.
        #[serde(rename = "timeout_elapsed")]
        pub elapsed: Option<Seconds>,
        /// Whether the document has a readable `node_metadata` column. `/api/runs` and `li` leave it out.
        #[serde(skip)]
        pub in_document: bool,
    }
}

impl Timeout {
    pub(crate) fn read(metadata: Option<Slice<'_>>, problems: &mut RowProblems) -> Self {
        let read = |metadata: Slice<'_>| Ok(Self { in_document: true, ..metadata.read()? });
        let found = decisive(metadata, |metadata| with_object(metadata, read));
        let before = problems.len();
        let found = problems.column("node_metadata", found);
        Self { in_document: metadata.is_some() && problems.len() == before, ..found.unwrap_or_default() }
    }
}

/// A sentence about a timeout. It distinguishes a timeout that was not stored from one that the document does not contain.
pub(crate) fn timeout_text(timeout: &Timeout) -> String {
    let readable =
        |time: Option<Seconds>| time.filter(|time| time.0.is_finite() && time.0 >= 0.0).map(seconds);
    let missing = if timeout.in_document {
        "The configured timeout was not stored."
    } else {
        "This document does not contain the configured timeout."
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

/// Whole seconds, rounded down; tenths for times below ten seconds.
fn seconds(time: Seconds) -> String {
    let rounded = if time.0 < 10.0 { (time.0 * 10.0).floor() / 10.0 } else { time.0.floor() };
    Number(rounded).to_text()
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
    fn an_absent_column_differs_from_a_column_without_a_timeout() {
        let text = |column: &str| {
            timeout_text(&read_session(&format!(r#"{{"status":"timed_out"{column}}}"#)).unwrap().timeout)
        };
        let not_in_document = "Timed out. This document does not contain the configured timeout.";
        let not_stored = "Timed out. The configured timeout was not stored.";
        assert_eq!(text(""), not_in_document);
        for column in [r#","node_metadata":null"#, r#","node_metadata":{}"#, r#","node_metadata":"null""#] {
            assert_eq!(text(column), not_stored, "{column}");
        }
    }

    #[test]
    fn invalid_metadata_is_refused() {
        for metadata in
            [r#""{""#, "7", r#"{"timeout_seconds":"900s"}"#, r#""[]""#, r#"{"timeout_elapsed":true}"#]
        {
            let json = format!(r#"{{"status":"timed_out","node_metadata":{metadata}}}"#);
            let error = read_session(&json).unwrap_err();
            assert!(error.message.starts_with("Expected"), "{metadata}: {}", error.message);
        }
    }

    #[test]
    fn each_field_may_be_missing() {
        let text = |configured: Option<f64>, elapsed: Option<f64>| {
            timeout_text(&Timeout {
                configured: configured.map(Seconds),
                elapsed: elapsed.map(Seconds),
                in_document: true,
            })
        };
        assert_eq!(text(Some(4.0), Some(4.09)), "Timed out after 4s (configured timeout: 4s).");
        assert_eq!(text(Some(0.5), Some(0.59)), "Timed out after 0.5s (configured timeout: 0.5s).");
        assert_eq!(text(Some(900.0), None), "Timed out (configured timeout: 900s).");
        assert_eq!(text(None, Some(900.0)), "Timed out after 900s. The configured timeout was not stored.");
        assert_eq!(text(Some(f64::NAN), Some(-1.0)), "Timed out. The configured timeout was not stored.");
    }

    #[test]
    fn a_timeout_names_its_known_limit_and_duration() {
        use crate::lionagi::wire::{Seconds, Timeout, timeout_text};

        let timeout =
            Timeout { configured: Some(Seconds(900.0)), elapsed: Some(Seconds(900.4)), in_document: true };
        assert_eq!(timeout_text(&timeout), "Timed out after 900s (configured timeout: 900s).");
        let nothing = Timeout { in_document: true, ..Timeout::default() };
        assert_eq!(timeout_text(&nothing), "Timed out. The configured timeout was not stored.");
        assert_eq!(
            timeout_text(&Timeout::default()),
            "Timed out. This document does not contain the configured timeout."
        );
    }
}
