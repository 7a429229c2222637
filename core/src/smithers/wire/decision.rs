//! A person's decision about an approval (seed 002).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The decision, as the output of an approval's task.
///
/// ```
/// use runstate::smithers::wire::ApprovalDecision;
///
/// let json = r#"{"approved":true,"note":null,"decidedBy":"ada","decidedAt":"2026-11-21T14:06:08.000Z"}"#;
/// let decision: ApprovalDecision = serde_json::from_str(json)?;
/// assert!(decision.approved);
/// assert_eq!(serde_json::to_string(&decision)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalDecision {
    /// Whether the person approved.
    pub approved: bool,
    /// The person's note.
    pub note: Option<String>,
    /// Who decided; `None` if it is not known.
    pub decided_by: Option<String>,
    /// When, as an ISO time.
    pub decided_at: Option<String>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}
