//! The server of a list of runs.

use serde::{Deserialize, Serialize};

use crate::summary::AnswerPill;

/// The live server of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListOrigin {
    /// The host and port of the server.
    pub address: String,
    /// The freshness of all rows.
    pub freshness: AnswerPill,
}
