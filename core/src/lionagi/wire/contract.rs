//! What a session promised to leave behind, and whether it is there.

use super::row::{read_bool, with_object};
use super::rows::Notes;
use super::{Delivery, SessionStatus, StoredStatus, Verification};
use crate::json::{ReadError, Slice, fields, items, optional};
use crate::word::Word;

/// The artifact contract of a session and what came of checking it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contract {
    /// Whether the document has a field for it at all.
    pub told: bool,
    /// How many artifacts were promised; `None` where there is no contract.
    pub expected: Option<u64>,
    /// What the check came to.
    pub verification: Option<Word<Verification>>,
    /// Whether the check is to be done again.
    pub provisional: bool,
    /// How many artifacts are there.
    pub produced: Option<u64>,
    /// Which required artifacts are not.
    pub missing: Vec<String>,
    /// Which artifacts went away after the check.
    pub gone: Vec<String>,
}

impl Contract {
    /// Reads `artifact_contract_json` and `artifact_verification_json`. Where one is broken, nothing is concluded from what is not
    /// there.
    pub(crate) fn read([contract, verification]: [Option<Slice<'_>>; 2], notes: &mut Notes) -> Self {
        let before = notes.len();
        let told = contract.is_some();
        let read = optional(contract, |contract| with_object(contract, expected));
        let expected = notes.column("artifact_contract_json", read).flatten();
        let found = optional(verification, |found| with_object(found, read_verification));
        let found = notes.column("artifact_verification_json", found);
        Self { told: told && notes.len() == before, expected, ..found.unwrap_or_default() }
    }
}

fn expected(contract: Slice<'_>) -> Result<Option<u64>, ReadError> {
    let [expected] = fields(contract, ["expected"])?;
    expected.map(count).transpose()
}

fn count(list: Slice<'_>) -> Result<u64, ReadError> {
    let mut count = 0;
    for item in items(list)? {
        item?;
        count += 1;
    }
    Ok(count)
}

fn read_verification(slice: Slice<'_>) -> Result<Contract, ReadError> {
    let names = ["status", "provisional", "produced", "missing_required", "absent_since_verification"];
    let [status, provisional, produced, missing, gone] = fields(slice, names)?;
    Ok(Contract {
        verification: optional(status, Slice::read_word)?,
        provisional: optional(provisional, read_bool)?.unwrap_or(false),
        produced: optional(produced, count)?,
        missing: optional(missing, |list| list.read_items(artifact_id))?.unwrap_or_default(),
        gone: optional(gone, |list| list.read_items(artifact_id))?.unwrap_or_default(),
        ..Contract::default()
    })
}

/// An artifact by its id; a list names it alone, or as an object.
fn artifact_id(slice: Slice<'_>) -> Result<String, ReadError> {
    if !slice.is_object() {
        return slice.read_text();
    }
    let [id, path] = fields(slice, ["id", "path"])?;
    slice.need("id", id.or(path))?.read_text()
}

/// Whether a session delivered; `None` where the document does not tell.
///
/// This is our projection of Studio's check (ADR-0033 was never implemented): `passed` is passed, `warning` partial,
/// `failed` missing unless it is provisional, anything else unknown; without a contract nothing is expected. A session that
/// ended as `completed_empty` left no evidence of work: where nothing else is known to be wrong, that is `invalid`.
///
/// ```
/// use runstate::lionagi::wire::{Delivery, delivery, read_session};
///
/// let row = read_session(
///     r#"{"status":"failed","artifact_contract_json":{"expected":[{"id":"report"}]},
///         "artifact_verification_json":{"status":"failed","missing_required":[{"id":"report"}]}}"#,
/// )?;
/// assert_eq!(delivery(&row.status, &row.contract), Some(Delivery::Missing));
/// assert_eq!(delivery(&row.status, &Default::default()), None);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn delivery(status: &StoredStatus, contract: &Contract) -> Option<Delivery> {
    let checked = match contract.verification.as_ref().map(Word::known) {
        Some(Some(Verification::Passed)) => Some(Delivery::Passed),
        Some(Some(Verification::Warning)) => Some(Delivery::Partial),
        Some(Some(Verification::Failed)) if contract.provisional => Some(Delivery::Unknown),
        Some(Some(Verification::Failed)) => Some(Delivery::Missing),
        Some(Some(Verification::NotRecorded) | None) => Some(Delivery::Unknown),
        None if contract.expected.is_some() => Some(Delivery::Unknown),
        None if contract.told => Some(Delivery::NotExpected),
        None => None,
    };
    let wrong = matches!(checked, Some(Delivery::Partial | Delivery::Missing | Delivery::Invalid));
    if !wrong && status.known() == Some(SessionStatus::CompletedEmpty) {
        return Some(Delivery::Invalid);
    }
    checked
}
