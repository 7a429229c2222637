//! The answer on the wire: `RunStateView`.

use serde::{Deserialize, Serialize};

use super::{ReasonBlocked, ReasonUnhealthy, RunState};
use crate::word::Word;

/// What a run is doing, as every Smithers surface writes it (seed 000).
///
/// JSON keys come in upstream's order: `runId, computedAt, state, blocked, unhealthy`; absent fields are left out.
///
/// ```
/// use runstate::smithers::RunStateView;
///
/// let text = r#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"hibernating"}"#;
/// let view: RunStateView = serde_json::from_str(text)?;
/// assert_eq!(view.state.known(), None);
/// assert_eq!(serde_json::to_string(&view)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunStateView {
    /// The run that the view is about.
    pub run_id: String,
    /// When the server computed the view, ISO-8601.
    pub computed_at: String,
    /// The state; a word that we do not know is kept as it came.
    pub state: Word<RunState>,
    /// What the run waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<ReasonBlocked>,
    /// What is wrong with the run's liveness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unhealthy: Option<ReasonUnhealthy>,
}
