//! Viewer truth in words.

use crate::format::{age, ago};
use crate::freshness::Freshness;
use crate::pill::{Pill, Taxonomy, pill};
use crate::time::Millis;

/// The freshness pill and its word. `now` is the server-anchored now.
///
/// ```
/// use runstate::summary::freshness_pill;
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let (pill, word) = freshness_pill(&Freshness::Live { last_frame_at: Millis(1_000.0) }, Millis(3_400.0));
/// assert_eq!((&*pill.label, word), ("live · 2 s", "live"));
/// ```
pub fn freshness_pill(freshness: &Freshness, now: Millis) -> (Pill, &'static str) {
    let (word, label) = match freshness {
        Freshness::Live { last_frame_at } => {
            ("live", Some(format!("live · {}", age(now.since(*last_frame_at)))))
        }
        Freshness::Connecting => ("connecting", None),
        Freshness::Resyncing { .. } => ("resyncing", None),
        Freshness::Late { last_frame_at } => {
            ("late", Some(format!("quiet for {}", age(now.since(*last_frame_at)))))
        }
        Freshness::Lost { as_of, .. } => {
            ("lost", Some(format!("as of {} (feed lost)", ago(now.since(*as_of)))))
        }
        Freshness::Recorded { at } => ("recorded", at.map(|at| format!("recorded {}", ago(now.since(at))))),
    };
    let bare = pill(Taxonomy::Freshness, word);
    (label.map_or(bare.clone(), |label| bare.with_label(Taxonomy::Freshness, label)), word)
}
