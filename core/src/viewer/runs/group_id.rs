//! The identity of a group of the list of runs.

use serde::{Deserialize, Serialize};

use crate::viewer::Attention;

/// A group of the list of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GroupId {
    /// The number of the server; `None` if the list is not by server.
    pub server: Option<usize>,
    /// The attention that the runs need.
    pub attention: Attention,
}

impl From<Attention> for GroupId {
    fn from(attention: Attention) -> Self {
        Self { server: None, attention }
    }
}
