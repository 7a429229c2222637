//! An error of Smithers' own (seed 002).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SmithersErrorCode;
use crate::word::Word;

/// An error as Smithers writes it into rows, events and answers.
///
/// `summary` and `docsUrl` are always there by seed 002; errors that the released software wraps have only a message, so they may be
/// missing here.
///
/// ```
/// use runstate::smithers::wire::{SmithersError, SmithersErrorCategory, SmithersErrorCode};
///
/// let json = r#"{"code":"INVALID_INPUT","message":"No input. See …","summary":"No input."}"#;
/// let error: SmithersError = serde_json::from_str(json)?;
/// assert_eq!(error.code.known().map(SmithersErrorCode::category), Some(SmithersErrorCategory::Engine));
/// assert_eq!(error.summary(), "No input.");
/// assert_eq!(serde_json::to_string(&error)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SmithersError {
    /// The code, of Smithers or of a host.
    pub code: Word<SmithersErrorCode>,
    /// What happened.
    pub message: String,
    /// The same without the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Where to read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<String>,
    /// What else belongs to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// What it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Value>,
    /// The class that was thrown (Smithers 0.32).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it was thrown (Smithers 0.32).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
    /// Fields that Runstate does not know, kept as they came.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl SmithersError {
    /// The shortest sentence that says what happened.
    pub fn summary(&self) -> &str {
        self.summary.as_deref().unwrap_or(&self.message)
    }
}
