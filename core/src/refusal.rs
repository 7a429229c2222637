//! An error that a server answered.

use serde::{Deserialize, Serialize};

/// An error that a server answered: never a state (seed 000).
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let answer = br#"{"ok":false,"error":{"code":"NOT_FOUND","message":"Run not found: r9"}}"#;
/// let found = open(&[File { name: Some("answer.json"), bytes: answer }], Millis(0.0))?;
/// assert_eq!(found.refusal().unwrap().code, "NOT_FOUND");
/// assert!(!found.has_run(), "not found is an error, never a state");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The code as it came: `NOT_FOUND`, `RunNotFound`, `RUN_NOT_FOUND`, …
    pub code: String,
    /// The server's sentence.
    pub message: String,
    /// The method that was asked, where the document tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
}
