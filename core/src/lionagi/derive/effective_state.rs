//! The shown state of a session: its stored status, combined with its health.

use std::borrow::Cow;

use super::status::Reaper;
use crate::lionagi::wire::{SessionHealth, SessionStatus, StoredStatus};
use crate::text::concat;
use crate::word::Word;

/// The state in the pill of a session: its status, combined with its health if relevant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EffectiveState {
    /// A status as it is stored, `legacy`, or a compound such as `stale running`.
    pub word: Cow<'static, str>,
    pub(crate) qualifier: Option<Qualifier>,
}

/// What the word of an effective state adds to the status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Qualifier {
    /// The health of a running session.
    Health(Word<SessionHealth>),
    /// That housekeeping wrote the end.
    Reaped,
    /// That an ended session has a stale lock.
    Zombie,
}

impl EffectiveState {
    /// Whether the word combines status and health.
    pub(crate) fn is_compound(&self) -> bool {
        self.qualifier.is_some()
    }
}

/// Combines status and health, so that a dead process never shows as plain "running" (ADR-0025). `None` if the document has
/// no status.
///
/// - `running` and a health other than `healthy`: the health comes first, known or not.
/// - An ended session that a reaper wrote: `reaped` follows.
/// - An ended session with a stale lock: `zombie` follows.
/// - Anything else: the status alone. Unknown statuses stay verbatim.
pub(crate) fn effective_state(
    status: &StoredStatus,
    health: Option<&Word<SessionHealth>>,
    reaper: Option<Reaper>,
) -> Option<EffectiveState> {
    // `unknown` is the health of an invocation without sessions: it has none.
    let health = health.filter(|health| !matches!(health.as_str(), "" | "unknown"));
    let plain = |word: &str| EffectiveState { word: Cow::Owned(word.to_owned()), qualifier: None };
    let compound = |first: &str, second: &str, qualifier| EffectiveState {
        word: Cow::Owned(concat(&[first, " ", second])),
        qualifier: Some(qualifier),
    };
    let label = status.label()?;
    Some(match (status.known(), health.and_then(Word::known)) {
        (None, _) | (Some(SessionStatus::Running), Some(SessionHealth::Healthy)) => plain(label),
        (Some(SessionStatus::Running), _) => match health {
            Some(health) => compound(health.as_str(), label, Qualifier::Health(health.clone())),
            None => plain(label),
        },
        (Some(_), _) if reaper.is_some() => compound(label, "reaped", Qualifier::Reaped),
        (Some(_), Some(SessionHealth::Zombie)) => compound(label, "zombie", Qualifier::Zombie),
        (Some(_), _) => plain(label),
    })
}

#[cfg(test)]
mod tests {
    use super::effective_state;
    use crate::lionagi::wire::StoredStatus;
    use crate::word::Word;

    #[test]
    fn the_health_of_a_running_session_comes_before_its_status() {
        let state = |status, health| {
            effective_state(&StoredStatus::new(status), Some(&Word::new(health)), None)
                .map(|state| (state.word.to_string(), state.is_compound()))
        };
        assert_eq!(state(Some("running"), "stale"), Some(("stale running".to_owned(), true)));
        assert_eq!(state(Some("running"), "drowsy"), Some(("drowsy running".to_owned(), true)));
        assert_eq!(state(Some("hibernating"), "stale"), Some(("hibernating".to_owned(), false)));
        assert_eq!(effective_state(&StoredStatus::Absent, Some(&Word::new("stale")), None), None);
    }
}
