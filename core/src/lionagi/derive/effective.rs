//! Status and health in one word: never a plain "running" over a dead process (ADR-0025).

use std::borrow::Cow;

use super::Reaped;
use crate::lionagi::wire::{SessionHealth, SessionStatus, StoredStatus};
use crate::text::concat;
use crate::word::Word;

/// What is shown for a session in one pill.
///
/// ```
/// use runstate::lionagi::wire::StoredStatus;
/// use runstate::lionagi::derive::effective_state;
/// use runstate::word::Word;
///
/// let stale = Word::new("stale");
/// let compound = effective_state(&StoredStatus::new(Some("running")), Some(&stale), None).unwrap();
/// assert_eq!((compound.compound, &*compound.word), (true, "stale running"));
/// let plain = effective_state(&StoredStatus::new(Some("failed")), None, None).unwrap();
/// assert_eq!((plain.compound, &*plain.word), (false, "failed"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectiveState {
    /// The word: a status as it is stored, `legacy`, or a compound such as `stale running`.
    pub word: Cow<'static, str>,
    /// Whether it is a compound.
    pub compound: bool,
}

/// The effective state; `None` where the document has no status.
///
/// A running session that is not healthy gets its health in front, known or not, an ended one with a stale lock ends in `zombie`, and
/// one that the server put in order ends in `reaped`. Everything else is its status alone, a word that is not known
/// verbatim.
///
/// ```
/// use runstate::lionagi::wire::StoredStatus;
/// use runstate::lionagi::derive::effective_state;
/// use runstate::word::Word;
///
/// let stale = Word::new("stale");
/// let shown = effective_state(&StoredStatus::new(Some("running")), Some(&stale), None).unwrap();
/// assert_eq!((&*shown.word, shown.compound), ("stale running", true));
/// let foreign = effective_state(&StoredStatus::new(Some("running")), Some(&Word::new("drowsy")), None).unwrap();
/// assert_eq!((&*foreign.word, foreign.compound), ("drowsy running", true));
/// let shown = effective_state(&StoredStatus::new(Some("hibernating")), Some(&stale), None).unwrap();
/// assert_eq!((&*shown.word, shown.compound), ("hibernating", false));
/// assert_eq!(effective_state(&StoredStatus::Absent, Some(&stale), None), None);
/// ```
pub fn effective_state(
    status: &StoredStatus,
    health: Option<&Word<SessionHealth>>,
    reaped: Option<Reaped>,
) -> Option<EffectiveState> {
    // An invocation without sessions has the health `unknown`, which is none.
    let health = health.filter(|health| !matches!(health.as_str(), "" | "unknown"));
    let known = health.and_then(Word::known);
    let plain = |word: &str| EffectiveState { word: Cow::Owned(word.to_owned()), compound: false };
    let compound = |parts: [&str; 3]| EffectiveState { word: Cow::Owned(concat(&parts)), compound: true };
    let shown = status.shown()?;
    Some(match (status.known(), known) {
        (None, _) | (Some(SessionStatus::Running), Some(SessionHealth::Healthy)) => plain(shown),
        (Some(SessionStatus::Running), _) => match health {
            Some(health) => compound([health.as_str(), " ", shown]),
            None => plain(shown),
        },
        (Some(_), _) if reaped.is_some() => compound([shown, " ", "reaped"]),
        (Some(_), Some(SessionHealth::Zombie)) => compound([shown, " ", "zombie"]),
        (Some(_), _) => plain(shown),
    })
}
