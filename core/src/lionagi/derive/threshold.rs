//! How long a session may be quiet.

use crate::lionagi::wire::{InvocationKind, Seconds};
use crate::word::Word;

/// Quiet for longer than this is `idle` (ADR-0024).
///
/// ```
/// use runstate::lionagi::derive::IDLE_THRESHOLD;
/// use runstate::lionagi::wire::Seconds;
///
/// assert_eq!(IDLE_THRESHOLD, Seconds(60.0 * 60.0));
/// ```
pub const IDLE_THRESHOLD: Seconds = Seconds(3_600.0);

/// The limit for an agent, a play, and every kind that is not known.
///
/// ```
/// use runstate::lionagi::derive::{DEFAULT_STALE_THRESHOLD, threshold_for_kind};
///
/// assert_eq!(threshold_for_kind(None), DEFAULT_STALE_THRESHOLD);
/// ```
pub const DEFAULT_STALE_THRESHOLD: Seconds = Seconds(21_600.0);

/// The limit for what runs several agents.
///
/// ```
/// use runstate::lionagi::wire::InvocationKind;
/// use runstate::lionagi::derive::{LONG_STALE_THRESHOLD, threshold_for_kind};
///
/// assert_eq!(threshold_for_kind(Some(&InvocationKind::Fanout.into())), LONG_STALE_THRESHOLD);
/// ```
pub const LONG_STALE_THRESHOLD: Seconds = Seconds(43_200.0);

/// How long a session of this kind may be quiet before it counts as stale or unresponsive.
///
/// ```
/// use runstate::lionagi::wire::Seconds;
/// use runstate::lionagi::derive::threshold_for_kind;
/// use runstate::word::Word;
///
/// assert_eq!(threshold_for_kind(Some(&Word::new("flow"))), Seconds(43_200.0));
/// assert_eq!(threshold_for_kind(Some(&Word::new("swarm"))), Seconds(21_600.0));
/// assert_eq!(threshold_for_kind(None), Seconds(21_600.0));
/// ```
pub fn threshold_for_kind(kind: Option<&Word<InvocationKind>>) -> Seconds {
    match kind.and_then(Word::known) {
        Some(InvocationKind::Agent | InvocationKind::Play) | None => DEFAULT_STALE_THRESHOLD,
        Some(
            InvocationKind::Flow | InvocationKind::Fanout | InvocationKind::ShowPlay | InvocationKind::Engine,
        ) => LONG_STALE_THRESHOLD,
    }
}
