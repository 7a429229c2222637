//! The state of a run on the wire: `RunStateView`.

use serde::Serialize;

use super::{ReasonBlocked, ReasonUnhealthy, RunState};
use crate::json::{ReadError, Slice, fields, optional, read_with_serde};
use crate::time::Millis;
use crate::word::Word;

/// The state of a run as every Smithers surface writes it (seed 000).
///
/// JSON keys are in upstream's order: `runId, computedAt, state, blocked, unhealthy`; absent fields are omitted.
///
/// ```
/// use runstate::smithers::wire::RunStateView;
///
/// let text = r#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z","state":"hibernating"}"#;
/// let view: RunStateView = serde_json::from_str(text)?;
/// assert_eq!(view.state.known(), None);
/// assert_eq!(serde_json::to_string(&view)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunStateView {
    /// The run that the view is about.
    pub run_id: String,
    /// When the server computed the view, ISO-8601. Only the output of `smithers ps` does not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub computed_at: Option<String>,
    /// The state. An unknown word is kept verbatim.
    pub state: Word<RunState>,
    /// The reason for waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<ReasonBlocked>,
    /// The problem with the run's liveness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unhealthy: Option<ReasonUnhealthy>,
}

impl RunStateView {
    /// A view with only a state.
    pub fn from_state(state: impl Into<Word<RunState>>) -> Self {
        Self { run_id: String::new(), computed_at: None, state: state.into(), blocked: None, unhealthy: None }
    }

    /// Reads it from JSON text.
    ///
    /// # Errors
    /// [`ReadError`] for text that is not JSON, a field that is missing, and another kind of value in a field.
    ///
    /// ```
    /// use runstate::smithers::wire::RunStateView;
    ///
    /// let refused = RunStateView::from_json(r#"{"runId":"r1","computedAt":"2023-11-14T22:13:20.000Z"}"#);
    /// assert_eq!(refused.unwrap_err().message, "The field `state` is missing.");
    /// ```
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Self::read(Slice::from_text(json)?)
    }

    /// `computed_at` as a time, if it is a valid one.
    pub(crate) fn computed_time(&self) -> Option<Millis> {
        self.computed_at.as_deref().and_then(Millis::parse_iso)
    }

    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        Self::read_with(slice, |computed_at| read_time(slice.need("computedAt", computed_at)?))
    }

    /// Like `read`, but `computedAt` may be missing, as in the row of an export.
    pub(crate) fn read_in_row(slice: Slice<'_>) -> Result<Self, ReadError> {
        Self::read_with(slice, |computed_at| computed_at.map_or(Ok(None), read_time))
    }

    fn read_with<'a>(
        slice: Slice<'a>,
        read_time: impl Fn(Option<Slice<'a>>) -> Result<Option<String>, ReadError>,
    ) -> Result<Self, ReadError> {
        let [run_id, computed_at, state, blocked, unhealthy] =
            fields(slice, ["runId", "computedAt", "state", "blocked", "unhealthy"])?;
        Ok(Self {
            run_id: slice.need("runId", run_id)?.read_text()?,
            computed_at: read_time(computed_at)?,
            state: slice.need("state", state)?.read()?,
            blocked: optional(blocked, ReasonBlocked::read)?,
            unhealthy: optional(unhealthy, ReasonUnhealthy::read)?,
        })
    }
}

/// Reads the time of a view. It decides nothing, but no server sends null.
fn read_time(time: Slice<'_>) -> Result<Option<String>, ReadError> {
    time.read_text().map(Some).or_else(|error| time.lose(error))
}

read_with_serde!(RunStateView);

#[cfg(test)]
mod tests {
    use super::RunStateView;
    use crate::time::Millis;

    #[test]
    fn only_a_valid_time_is_the_time_of_a_view() {
        let at = |computed_at: &str| {
            let json = format!(r#"{{"runId":"r1","computedAt":"{computed_at}","state":"running"}}"#);
            RunStateView::from_json(&json).unwrap().computed_time()
        };
        assert_eq!((at("1970-01-01T00:00:05.000Z"), at("just now")), (Some(Millis(5000.0)), None));
    }
}
