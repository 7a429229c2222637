//! The file name of an export.

use crate::header::{FieldValue, Header};
use crate::text::concat;
use crate::time::Millis;

/// Maximum length of an id in a file name; file systems allow 255 bytes.
const MAX_ID_BYTES: usize = 80;

/// The file name of an export: the id and the time of the run in the header. For a list, which has no header, it is the
/// current time. The name contains no character that is special to a shell or a file system.
///
/// ```
/// use runstate::export::file_name;
/// use runstate::time::Millis;
///
/// let now = Millis::parse_iso("2026-11-21T21:10:39.456Z").unwrap();
/// assert_eq!(file_name(None, now), "runstate-runs-20261121T211039Z.json");
/// ```
pub fn file_name(header: Option<&Header>, now: Millis) -> String {
    let value = |names: &[&str]| {
        let fields = &header?.fields;
        names
            .iter()
            .find_map(|name| fields.iter().find(|field| field.field == *name))
            .map(|field| &field.value)
    };
    let id = match value(&["runId", "sessionId"]) {
        Some(FieldValue::Id(id) | FieldValue::Text(id) | FieldValue::Code(id)) => sanitize(id),
        Some(FieldValue::Time { .. }) | None => String::new(),
    };
    let time = match value(&["seq", "computedAt", "updatedAt", "startedAt"]) {
        Some(FieldValue::Text(seq)) => seq.chars().filter(char::is_ascii_digit).collect(),
        Some(FieldValue::Time { iso: Some(iso), .. }) => {
            Millis::parse_iso(iso).map(compact_time).unwrap_or_default()
        }
        Some(FieldValue::Time { iso: None, .. } | FieldValue::Id(_) | FieldValue::Code(_)) | None => {
            String::new()
        }
    };
    let id = match (id.as_str(), header) {
        ("", None) => "runs",
        ("", Some(_)) => "run",
        (id, _) => id,
    };
    let time = if time.is_empty() { compact_time(now) } else { time };
    concat(&["runstate-", id, if time.is_empty() { "" } else { "-" }, &time, ".json"])
}

/// `20261121T211039Z`; empty for an invalid time.
fn compact_time(at: Millis) -> String {
    let iso = at.to_iso().unwrap_or_default();
    let seconds = iso.split('.').next().unwrap_or_default();
    let mut stamp: String = seconds.chars().filter(|letter| !matches!(letter, '-' | ':' | '+')).collect();
    if !stamp.is_empty() {
        stamp.push('Z');
    }
    stamp
}

/// Replaces every sequence of characters other than letters, digits, `.`, `_` and `-` by one `-`.
fn sanitize(id: &str) -> String {
    let mut plain = String::new();
    for letter in id.chars() {
        let is_allowed = letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
        match plain.chars().next_back() {
            _ if is_allowed => plain.push(letter),
            None | Some('-') => {}
            Some(_) => plain.push('-'),
        }
    }
    plain.truncate(MAX_ID_BYTES);
    plain.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::file_name;
    use crate::freshness::Freshness;
    use crate::header::{Field, FieldValue, smithers_header};
    use crate::run::RunInspection;
    use crate::time::Millis;

    const NOW: Millis = Millis(1_795_296_600_000.0);

    fn named(run_id: Option<&str>, seq: Option<f64>) -> String {
        let run = RunInspection { run_id: run_id.map(str::to_owned), seq, ..RunInspection::default() };
        file_name(Some(&smithers_header(&run, &Freshness::Recorded { at: None }, NOW)), NOW)
    }

    #[test]
    fn a_file_name_has_the_run_and_the_time() {
        assert_eq!(named(Some("approval-a"), Some(4127.0)), "runstate-approval-a-4127.json");
        assert_eq!(named(Some("approval-a"), None), "runstate-approval-a-20261121T213000Z.json");
        assert_eq!(named(None, None), "runstate-run-20261121T213000Z.json");
        assert_eq!(file_name(None, Millis(f64::NAN)), "runstate-runs.json");
    }

    #[test]
    fn nothing_in_a_name_is_special() {
        for (id, expected) in [
            ("../../etc/passwd", "etc-passwd"),
            ("a b\u{202e}c\0d\"e'f$(g)`h`", "a-b-c-d-e-f-g-h"),
            ("C:\\x|y<z>?*", "C-x-y-z"),
            (".hidden.", "hidden"),
            ("日本", "run"),
            ("-rf", "rf"),
            ("", "run"),
        ] {
            assert_eq!(named(Some(id), Some(1.0)), format!("runstate-{expected}-1.json"), "{id}");
        }
        assert!(named(Some(&"x".repeat(5_000)), Some(1.0)).len() < 120);
    }

    #[test]
    fn the_documents_time_is_preferred_to_the_time_of_writing() {
        let run = RunInspection { started_at: Some(Millis(1_795_200_000_000.0)), ..RunInspection::default() };
        let mut header = smithers_header(&run, &Freshness::Recorded { at: None }, NOW);
        assert_eq!(file_name(Some(&header), NOW), "runstate-run-20261120T184000Z.json");
        let value = FieldValue::Time { iso: Some("soon".into()), text: "soon".into() };
        header.fields = vec![Field { field: "computedAt".into(), label: "Computed".into(), value }];
        assert_eq!(file_name(Some(&header), NOW), "runstate-run-20261121T213000Z.json");
    }
}
