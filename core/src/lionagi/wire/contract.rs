//! The artifacts that a session has to deliver, and whether they exist.

use super::column::{RowProblems, with_object};
use super::{Delivery, SessionStatus, StoredStatus, Verification};
use crate::json::{ReadError, Slice, decisive, fields, items, optional};
use crate::word::Word;

/// The artifact contract of a session, and the result of its verification.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Contract {
    /// Whether the document has readable columns for the contract.
    pub in_document: bool,
    /// The number of expected artifacts; `None` without a contract.
    pub expected: Option<u64>,
    /// The result of the verification.
    pub verification: Option<Word<Verification>>,
    /// Whether the result is provisional: the server will verify again.
    pub provisional: bool,
    /// The number of existing artifacts.
    pub produced: Option<u64>,
    /// The ids of required artifacts that do not exist.
    pub missing: Vec<String>,
    /// The ids of artifacts that were removed after the verification.
    pub removed: Vec<String>,
}

impl Contract {
    /// Reads `artifact_contract_json` and `artifact_verification_json`. If one cannot be read, the contract counts as not
    /// in the document.
    pub(crate) fn read([contract, verification]: [Option<Slice<'_>>; 2], problems: &mut RowProblems) -> Self {
        let before = problems.len();
        let has_column = contract.is_some();
        let expected = decisive(contract, |contract| with_object(contract, read_expected));
        let expected = problems.column("artifact_contract_json", expected).flatten();
        let verified = decisive(verification, |found| with_object(found, read_verification));
        let verified = problems.column("artifact_verification_json", verified);
        Self { in_document: has_column && problems.len() == before, expected, ..verified.unwrap_or_default() }
    }
}

fn read_expected(contract: Slice<'_>) -> Result<Option<u64>, ReadError> {
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
    let [status, provisional, produced, missing, removed] = fields(slice, names)?;
    Ok(Contract {
        verification: optional(status, Slice::read)?,
        provisional: optional(provisional, Slice::read)?.unwrap_or(false),
        produced: optional(produced, count)?,
        missing: optional(missing, |list| list.read_items(artifact_id))?.unwrap_or_default(),
        removed: optional(removed, |list| list.read_items(artifact_id))?.unwrap_or_default(),
        ..Contract::default()
    })
}

/// The id of an artifact. A list contains the id itself, or an object with `id` or `path`.
fn artifact_id(slice: Slice<'_>) -> Result<String, ReadError> {
    if !slice.is_object() {
        return slice.read_text();
    }
    let [id, path] = fields(slice, ["id", "path"])?;
    slice.need("id", id.or(path))?.read_text()
}

/// Whether a session delivered its artifacts; `None` if the document does not contain it.
///
/// lionagi never implemented this axis of ADR-0033. Runstate derives it from Studio's verification:
/// - `passed` is `Passed`, `warning` is `Partial`, `failed` is `Missing`, or `Unknown` while provisional. Anything else is
///   `Unknown`.
/// - Without a contract it is `NotExpected`.
/// - `completed_empty` means that there is no evidence of work: `Invalid`, unless the verification found another problem.
pub(crate) fn delivery(status: &StoredStatus, contract: &Contract) -> Option<Delivery> {
    let checked = match contract.verification.as_ref().map(Word::known) {
        Some(Some(Verification::Passed)) => Some(Delivery::Passed),
        Some(Some(Verification::Warning)) => Some(Delivery::Partial),
        Some(Some(Verification::Failed)) if contract.provisional => Some(Delivery::Unknown),
        Some(Some(Verification::Failed)) => Some(Delivery::Missing),
        Some(Some(Verification::NotRecorded) | None) => Some(Delivery::Unknown),
        None if contract.expected.is_some() => Some(Delivery::Unknown),
        None if contract.in_document => Some(Delivery::NotExpected),
        None => None,
    };
    let wrong = matches!(checked, Some(Delivery::Partial | Delivery::Missing | Delivery::Invalid));
    if !wrong && status.known() == Some(SessionStatus::CompletedEmpty) {
        return Some(Delivery::Invalid);
    }
    checked
}
